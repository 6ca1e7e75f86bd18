"""Figures of one rank: what is used, left, kept and free."""

from __future__ import annotations

from workbench.core.explain.asked import Asked, computed, less, sum_of
from workbench.core.terms import card_total, entry_term
from workbench.spec.engine import Amount
from workbench.spec.ledger import Evidence, RankLedger, Source, Term


def total_term(asked: Asked) -> Term:
    """What the runtime reports for the card, and where that was read; of the host its budget."""
    if asked.rank.place == "host":
        return budget_term(asked)
    gpu = asked.scenario.gpu
    basis = gpu.device_total_basis or gpu.id
    source, field = Source("card", basis), "gpu.device_total_bytes"
    return Term(
        "device_total_bytes", asked.rank.total_bytes, "bytes", Evidence.GIVEN, source, field
    )


def budget_term(asked: Asked) -> Term:
    """What the engine may use of the card."""
    stage = next(s for s in asked.sheet.stages if s.stage.index == asked.rank.stage)
    return asked.explained.budget(asked.scenario, stage)


def _charged(rank: RankLedger) -> tuple[Term, ...]:
    return tuple(
        entry_term(entry)
        for entry in rank.entries
        if entry.in_budget and entry.kind != "unrequested"
    )


def used_term(asked: Asked) -> Term:
    """What the entries inside the budget take."""
    terms = _charged(asked.rank)
    return computed("used_bytes", asked.rank.charged_bytes, "bytes", sum_of(terms), *terms)


def left_term(asked: Asked) -> Term:
    """Budget less entries."""
    rank = asked.rank
    budget, used = budget_term(asked), used_term(asked)
    terms: tuple[Term, ...] = ()
    guests = tuple(
        entry_term(entry)
        for entry in rank.entries
        if not entry.in_budget and entry.kind != "unrequested"
    )
    outside = max(
        0, sum(int(str(term.value)) for term in guests) - (rank.total_bytes - rank.budget_bytes)
    )
    if outside:
        total = card_total(rank.total_bytes)
        beside = budget if budget.symbol != total.symbol else total
        over = computed(
            "outside_over_bytes",
            outside,
            "bytes",
            f"max(0, {sum_of(guests)} - ({{{total.symbol}}} - {{{beside.symbol}}}))",
            *guests,
            *dict.fromkeys((total, beside)),
        )
        terms = (over,)
    expression = less(budget.symbol, (used, *terms))
    return computed("left_bytes", rank.left_bytes, "bytes", expression, budget, used, *terms)


def reserve_term(asked: Asked) -> Term:
    """What a person keeps free, before it is known whether so much is left."""
    amount: Amount = asked.scenario.reserves.headroom
    total, field = asked.rank.total_bytes, "reserves.headroom"
    size, typed = amount.of(total), Source("typed")
    if amount.share is None:
        return Term("reserve_bytes", size, "bytes", Evidence.GIVEN, typed, field)
    share = Term("headroom_share", amount.share, "share", Evidence.GIVEN, typed, field)
    product = "⌊{device_total_bytes} × {headroom_share}⌋"
    return computed("reserve_bytes", size, "bytes", product, card_total(total), share, field=field)


def headroom_term(asked: Asked) -> Term:
    """The part of what is left that is kept."""
    return computed(
        "headroom_bytes",
        asked.rank.headroom_bytes,
        "bytes",
        "max(0, min({reserve_bytes}, {left_bytes}))",
        reserve_term(asked),
        left_term(asked),
        field="reserves.headroom",
    )


def free_term(asked: Asked) -> Term:
    """The rest of what is left."""
    left, kept = left_term(asked), headroom_term(asked)
    size = asked.rank.free_bytes
    return computed("free_bytes", size, "bytes", "{left_bytes} - {headroom_bytes}", left, kept)


def over_term(asked: Asked) -> Term:
    """How far the entries exceed the budget."""
    over = asked.rank.over_bytes
    return computed("over_bytes", over, "bytes", "max(0, 0 - {left_bytes})", left_term(asked))


def cache_term(asked: Asked) -> Term:
    """Whole blocks in use."""
    held = tuple(
        entry_term(entry)
        for entry in asked.rank.entries
        if entry.kind in ("kv", "state", "prefix") or entry.label == "block_tails"
    )
    return computed("cache_bytes", asked.rank.cache_bytes, "bytes", sum_of(held), *held)

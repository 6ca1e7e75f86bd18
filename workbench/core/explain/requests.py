"""Figures of requests: how many are held, admitted and asked for."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.explain.asked import BLOCKS, LEDGER, Asked, computed, less
from workbench.core.explain.pool import blocks_term
from workbench.core.explain.rank import reserve_term
from workbench.core.load.lengths import sized_tokens
from workbench.core.terms import entry_term, flag_term, requests_drawn
from workbench.spec.engine import flag_of, given_pool
from workbench.spec.ledger import Evidence, Source, Term
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, Sizing


def drawn_term(asked: Asked) -> Term | None:
    """Requests on one replica that the entries are drawn with; None where nothing is drawn."""
    if asked.ledger.request is None:
        return None
    return requests_drawn(asked.scenario, asked.ledger.concurrency)


def request_tokens(scenario: Scenario, sizing: Sizing) -> Term:
    """Tokens of a request of a sizing, typed or read from the lengths."""
    lengths = scenario.workload.lengths
    tokens = sized_tokens(lengths, sizing)
    if isinstance(lengths, ConstantLength):
        source, field = Source("typed"), "workload.context"
        return Term("context_tokens", tokens, "tokens", Evidence.GIVEN, source, field)
    evidence = Evidence.MEASURED if lengths.kind == "trace" else Evidence.COMPUTED
    field = f"workload.{sizing}" if sizing.startswith("p") else "workload.longest"
    return Term("context_tokens", tokens, "tokens", evidence, Source("lengths", sizing), field)


def request_tokens_term(asked: Asked) -> Term | None:
    """Tokens of the request that is drawn."""
    if asked.ledger.request is None:
        return None
    return request_tokens(asked.scenario, asked.scenario.workload.sizing)


def _usable(asked: Asked, kept: Term | None) -> Term:
    """Blocks that requests can hold when so much of each rank is kept free."""
    sheet = asked.sheet
    plan, pool = sheet.pool(), blocks_term(asked)
    assert plan is not None, "without KV no request holds a block"
    assert pool is not None, "a pool that is planned is shown"
    kept_bytes = int(str(kept.value)) if kept is not None else 0
    usable = sheet.usable_blocks(kept_bytes) or 0
    formula = asked.explained.usable(asked.scenario, pool)
    if not kept_bytes and usable == plan.usable_blocks:
        return Term("usable_blocks", usable, "blocks", Evidence.COMPUTED, BLOCKS, None, formula)
    given = plan.usable_blocks
    engine = Term("engine_blocks", given, "blocks", Evidence.COMPUTED, BLOCKS, None, formula)
    room, both = _room(asked, kept, kept_bytes), "min({engine_blocks}, {room_blocks})"
    return computed("usable_blocks", usable, "blocks", both, engine, room, source=BLOCKS)


def _room(asked: Asked, kept: Term | None, kept_bytes: int) -> Term:
    """Blocks that leave so much free on the rank which has room for the fewest."""
    scenario, total_bytes = asked.scenario, asked.scenario.gpu.device_total_bytes
    stage = min(
        asked.sheet.stages_with_kv, key=lambda stage: stage.room_blocks(total_bytes, kept_bytes)
    )
    taken = tuple(entry_term(entry) for entry in stage.fixed if entry.in_budget)
    outside, rule = stage.outside_over_bytes(total_bytes), Source("engine_rule")
    if outside:
        taken += (Term("outside_over_bytes", outside, "bytes", Evidence.COMPUTED, rule),)
    if kept is not None and kept_bytes and stage.is_card:
        taken += (kept,)
    budget = asked.explained.budget(scenario, stage)
    terms = (budget, *taken, asked.explained.block(scenario, stage))
    blocks = f"⌊({less(budget.symbol, taken)}) ÷ {{bytes_per_block}}⌋"
    withheld = stage.pages.withheld_blocks
    if withheld:
        terms += (Term("withheld_blocks", withheld, "blocks", Evidence.COMPUTED, rule),)
        blocks += " - {withheld_blocks}"
    whole = stage.pages.taken_at_start
    if whole:
        # Allocated whole at start: there is room for all of it, or for none.
        terms += (Term("pool_blocks", whole, "blocks", Evidence.COMPUTED, rule),)
        blocks = f"⌊{blocks} ÷ {{pool_blocks}}⌋ × {{pool_blocks}}"
    size = stage.room_blocks(total_bytes, kept_bytes)
    return computed("room_blocks", size, "blocks", f"max(0, {blocks})", *terms, source=BLOCKS)


def _fitting(asked: Asked, sizing: Sizing, kept: Term | None) -> tuple[str, tuple[Term, ...]]:
    """Requests of a sizing in the usable blocks, with the terms of the expression."""
    demand = asked.sheet.demand(sizing)
    usable = _usable(asked, kept)
    terms = [usable]
    room = "{usable_blocks}"
    for symbol, taken, field in (
        ("prefix_blocks", demand.prefix_blocks, "workload.prefix_tokens"),
        ("in_flight_blocks", demand.in_flight_blocks, "engine.max_num_batched_tokens"),
    ):
        if taken:
            terms.append(Term(symbol, taken, "blocks", Evidence.COMPUTED, BLOCKS, field))
            room += f" - {{{symbol}}}"
    length = request_tokens(asked.scenario, sizing)
    blocks = Term("blocks", demand.blocks, "blocks", Evidence.COMPUTED, BLOCKS, length.field)
    terms.append(blocks)
    own = "{blocks}"
    if demand.shared_blocks:
        field, shared = "workload.prefix_share", demand.shared_blocks
        terms.append(Term("shared_blocks", shared, "blocks", Evidence.COMPUTED, BLOCKS, field))
        own = "({blocks} - {shared_blocks})"
    each = f"max(0, ⌊({room}) ÷ {own}⌋)"
    if demand.ranks > 1:
        typed = Source("typed")
        terms.append(
            Term("attention_ranks", demand.ranks, "count", Evidence.GIVEN, typed, "deployment.tp")
        )
        each = f"{{attention_ranks}} × {each}"
    return each, tuple(terms)


def copies_term(scenario: Scenario) -> Term:
    """Copies of the model that serve side by side."""
    deployment, typed = scenario.deployment, Source("typed")
    terms = (
        Term("dp", deployment.dp, "count", Evidence.GIVEN, typed, "deployment.dp"),
        Term(
            "replicas", deployment.replicas, "count", Evidence.GIVEN, typed, "deployment.replicas"
        ),
    )
    return computed("copies", deployment.copies, "count", "{dp} × {replicas}", *terms)


def steady_term(sizing: Sizing) -> Callable[[Asked], Term | None]:
    """Make what explains how many requests of a sizing are held."""

    def make(asked: Asked) -> Term | None:
        steady = asked.ledger.capacity.steady_state
        if steady is None:
            return None
        value, symbol = getattr(steady, sizing), f"steady_{sizing}"
        if asked.ledger.pool is None or not asked.sheet.demand(sizing).blocks:
            return Term(symbol, value, "count", Evidence.COMPUTED, BLOCKS)
        each, terms = _fitting(asked, sizing, None)
        copies = copies_term(asked.scenario)
        expression = f"{{copies}} × {each}"
        return computed(symbol, value, "count", expression, copies, *terms, source=BLOCKS)

    return make


def drawn_steady_term(asked: Asked) -> Term | None:
    """Requests of the drawn length that are held."""
    return steady_term(asked.scenario.workload.sizing)(asked)


def at_risk_term(asked: Asked) -> Term | None:
    """Requests at which the pool overflows by chance."""
    risk, longest = asked.ledger.capacity.at_risk, steady_term("max")(asked)
    if risk is None or longest is None:
        return None
    return computed("at_risk", risk.concurrency, "count", "{steady_max}", longest)


def engine_log_term(asked: Asked) -> Term | None:
    """Requests of the longest length that the engine prints."""
    log, blocks = asked.ledger.capacity.engine_log, blocks_term(asked)
    if log is None or blocks is None:
        return None
    formula = asked.explained.concurrency(asked.scenario, blocks)
    rule = Source("engine_rule")
    return Term("engine_log", log.concurrency, "ratio", Evidence.COMPUTED, rule, None, formula)


def most_term(asked: Asked) -> Term | None:
    """Most requests that leave the headroom free."""
    most, sheet, scenario = asked.ledger.most_requests, asked.sheet, asked.scenario
    if most is None:
        return None
    copies = copies_term(scenario)
    limit, field = sheet.resolved.request_limit, "engine.max_num_seqs"
    limits: tuple[Term, ...] = ()
    if limit is not None:
        limits = (flag_term(scenario, sheet.resolved, "max_num_seqs", limit, "count", field),)
    demand = sheet.demand(scenario.workload.sizing)
    if asked.ledger.pool is None or not demand.blocks:
        return Term("most_requests", most, "count", Evidence.COMPUTED, LEDGER, field)
    if not most and demand.requests_in(sheet.usable_blocks(sheet.headroom_bytes) or 0):
        # Blocks are not what is short: more were given than the memory holds, or a rank without
        # KV keeps too little free.
        by_number = flag_of(scenario.engine, "num_gpu_blocks_override") is not None
        given = given_pool(scenario.engine)
        by_size = None if given is None else given.field
        giver = "engine.num_gpu_blocks_override" if by_number else by_size
        short = giver if sheet.overdrawn_bytes else "reserves.headroom"
        return Term("most_requests", most, "count", Evidence.COMPUTED, LEDGER, short)
    each, terms = _fitting(asked, scenario.workload.sizing, reserve_term(asked))
    if limits:
        each = f"min({{max_num_seqs}}, {each})"
    expression = f"{{copies}} × {each}"
    return computed(
        "most_requests", most, "count", expression, copies, *limits, *terms, source=BLOCKS
    )


def target_term(asked: Asked) -> Term | None:
    """The concurrency asked for."""
    target, field = asked.ledger.capacity.target, "workload.concurrency"
    if target is None:
        return None
    typed = Source("typed")
    return Term("target", target.concurrency, "count", Evidence.GIVEN, typed, field)


def gpus_term(asked: Asked) -> Term:
    """Cards of the whole scenario."""
    deployment, typed = asked.scenario.deployment, Source("typed")
    terms = tuple(
        Term(name, getattr(deployment, name), "count", Evidence.GIVEN, typed, f"deployment.{name}")
        for name in ("tp", "pp", "dp", "replicas")
    )
    return computed("gpus", deployment.gpus, "count", "{tp} × {pp} × {dp} × {replicas}", *terms)

"""Entries of every rank: what is fixed, what the requests hold, what the engine leaves alone."""

from __future__ import annotations

from workbench.core.load.demand import Demand
from workbench.core.sheet import Sheet, StageBudget
from workbench.core.terms import card_total
from workbench.spec.ledger import (
    STACK_ORDER,
    Entry,
    EntryKind,
    Evidence,
    Formula,
    RankLedger,
    Source,
    Term,
)
from workbench.spec.scenario import Scenario

_ORDER = {kind: place for place, kind in enumerate((*STACK_ORDER, EntryKind.UNREQUESTED))}


def rank_ledgers(sheet: Sheet, demand: Demand | None, requests: int) -> tuple[RankLedger, ...]:
    """Ledger of every rank of a replica: equal ones for each stage, the host among them."""
    scenario = sheet.scenario
    ranks: list[RankLedger] = []
    known: dict[tuple[int, int], tuple[Entry, ...]] = {}
    for stage in sheet.stages:
        alike = (id(stage.fixed), id(stage.pages))
        ordered = known.get(alike)
        if ordered is None:
            entries = stage.fixed
            if demand is not None and stage.pages.bytes_per_block:
                entries += sheet.rule.request_entries(scenario, stage.pages, demand, requests)
            entries += _outside_budget(scenario, stage)
            ordered = tuple(sorted(entries, key=lambda entry: _ORDER[entry.kind]))
            known[alike] = ordered
        first = _rank(scenario, stage, ordered, len(ranks))
        ranks.append(first)
        for offset in range(1, stage.stage.ranks or scenario.deployment.tp):
            ranks.append(
                RankLedger(
                    first.rank + offset,
                    first.stage,
                    first.total_bytes,
                    first.budget_bytes,
                    first.entries,
                    first.headroom_bytes,
                    first.free_bytes,
                    first.place,
                )
            )
    return tuple(ranks)


def _outside_budget(scenario: Scenario, stage: StageBudget) -> tuple[Entry, ...]:
    """The part of the card that the engine did not ask for, less what lives there."""
    total_bytes = stage.total_bytes(scenario.gpu.device_total_bytes)
    if stage.budget_bytes >= total_bytes:
        return ()
    guests = [entry for entry in stage.fixed if not entry.in_budget]
    size = max(0, total_bytes - stage.budget_bytes - sum(entry.bytes for entry in guests))
    terms = [
        card_total(total_bytes),
        Term("budget_bytes", stage.budget_bytes, "bytes", Evidence.COMPUTED, Source("engine_rule")),
    ]
    terms += [
        Term(f"{entry.label}_bytes", entry.bytes, "bytes", entry.evidence, entry.source)
        for entry in guests
    ]
    difference = " - ".join(f"{{{term.symbol}}}" for term in terms)
    formula = Formula(f"max(0, {difference})", tuple(terms))
    return (
        Entry(
            EntryKind.UNREQUESTED,
            "unrequested",
            size,
            Evidence.COMPUTED,
            formula,
            Source("engine_rule"),
            in_budget=False,
        ),
    )


def _rank(
    scenario: Scenario, stage: StageBudget, entries: tuple[Entry, ...], number: int
) -> RankLedger:
    card_bytes = scenario.gpu.device_total_bytes
    total_bytes = stage.total_bytes(card_bytes)
    # What a person keeps free is kept on every card.
    reserve_bytes = scenario.reserves.asked_bytes(total_bytes, stage.stage.place)
    taken_bytes = sum(entry.bytes for entry in entries if entry.in_budget)
    # What lives outside the budget and does not fit there takes from what is free inside it.
    left_bytes = stage.budget_bytes - taken_bytes - stage.outside_over_bytes(card_bytes)
    headroom_bytes = max(0, min(reserve_bytes, left_bytes))
    return RankLedger(
        rank=number,
        stage=stage.stage.index,
        total_bytes=total_bytes,
        budget_bytes=stage.budget_bytes,
        entries=entries,
        headroom_bytes=headroom_bytes,
        free_bytes=left_bytes - headroom_bytes,
        place=stage.stage.place,
    )

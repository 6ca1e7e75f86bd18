"""Inputs that the formulas of several entries share."""

from __future__ import annotations

from workbench.core.engines.rule import Resolved
from workbench.spec.ledger import Entry, Evidence, Formula, Number, Source, Term, Unit
from workbench.spec.scenario import Scenario

_FLAGS = {"engine.block_tokens": "block_size"}
"""Fields whose flag has another name."""


def card_total(total_bytes: int) -> Term:
    """What the runtime reports for the card."""
    field = "gpu.device_total_bytes"
    return Term("device_total_bytes", total_bytes, "bytes", Evidence.GIVEN, Source("gpu"), field)


def flag_of(field: str) -> str:
    """Return the flag of the engine that a field sets."""
    return _FLAGS.get(field) or field.removeprefix("engine.")


def flag_term(
    scenario: Scenario, resolved: Resolved, symbol: str, value: Number, unit: Unit, field: str
) -> Term:
    """A flag as the engine resolved it: typed, or a default with where that comes from."""
    flag = flag_of(field)
    if flag not in resolved.defaulted:
        return Term(symbol, value, unit, Evidence.GIVEN, Source("typed"), field)
    name = f"{scenario.engine.kind} {scenario.engine.release}"
    source = resolved.origins.get(flag, Source("engine_default", name))
    evidence = Evidence.ASSUMED if source.code.endswith("_assumed") else Evidence.GIVEN
    return Term(symbol, value, unit, evidence, source, field)


def entry_term(entry: Entry) -> Term:
    """An entry as an input of a figure."""
    return Term(
        entry.label, entry.bytes, "bytes", entry.evidence, entry.source, None, entry.formula
    )


def requests_drawn(scenario: Scenario, requests: int) -> Term:
    """Requests on one replica: the target's share of this copy, or the most that fit."""
    target, copies = scenario.workload.concurrency, scenario.deployment.copies
    field, typed = "workload.concurrency", Source("typed")
    if target is None:
        source = Source("largest_that_fits")
        return Term("requests", requests, "count", Evidence.COMPUTED, source, field)
    if copies == 1:
        return Term("requests", requests, "count", Evidence.GIVEN, typed, field)
    formula = Formula(
        "⌈{target} ÷ {copies}⌉",
        (
            Term("target", target, "count", Evidence.GIVEN, typed, field),
            Term("copies", copies, "count", Evidence.GIVEN, typed, "deployment.replicas"),
        ),
    )
    return Term("requests", requests, "count", Evidence.COMPUTED, typed, field, formula)

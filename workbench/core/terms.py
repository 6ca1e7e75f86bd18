"""Inputs that the formulas of several entries share."""

from __future__ import annotations

from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario


def card_total(total_bytes: int) -> Term:
    """What the runtime reports for the card."""
    field = "gpu.device_total_bytes"
    return Term("device_total_bytes", total_bytes, "bytes", Evidence.GIVEN, Source("gpu"), field)


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

"""The heat map of a scenario as it is exported: length of a request by how many at once."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from workbench.charts.map_legend import BASELINE, BASELINE_ELSEWHERE, CURRENT, OTHER, Mark
from workbench.core.axis import Axis, axis_of, first_axes
from workbench.core.surface import Surface, alike, slices, with_pair
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import Scenario

_MOST_MARKS = 12
_SLICE_SECONDS = 0.05


def surface_of(subject: Subject, base: Scenario, told: Callable[[], None]) -> Surface | None:
    """Return every cell of a scenario's map; None where it lacks the inputs of one.

    `told` is called between slices of the work.
    """
    pair = first_axes(base)
    if not all(FIELDS[field_id].applies(base) for field_id in pair):
        return None
    x, y = (axis_of(field_id, base) for field_id in pair)
    asked = _asked(base, x, y)
    others = [one for one in subject.plan.scenarios[:_MOST_MARKS] if one.id != base.id]
    exact = [base, *(one for one in others if one.id == subject.plan.baseline)]
    covered = [one for one in others if alike(_asked(one, x, y), asked)]
    x, y = (
        axis_of(
            field_id,
            base,
            exact=[_value(subject, one, field_id) for one in exact],
            covered=[_value(subject, one, field_id) for one in covered],
        )
        for field_id in pair
    )
    made = Surface(_asked(base, x, y), x, y)
    for _ in slices(made, seconds=_SLICE_SECONDS):
        told()
    return made


def marks_of(subject: Subject, base: Scenario, surface: Surface) -> tuple[Mark, ...]:
    """Return the scenario, the baseline, and those that differ in the two inputs only."""
    found = []
    for one in subject.plan.scenarios[:_MOST_MARKS]:
        is_current, is_baseline = one.id == base.id, one.id == subject.plan.baseline
        x, y = (axis.position(_value(subject, one, axis.field)) for axis in (surface.x, surface.y))
        differs = not is_current and not alike(_asked(one, surface.x, surface.y), surface.scenario)
        if x is None or y is None or (differs and not is_baseline):
            continue
        symbol = CURRENT if is_current else OTHER
        if is_baseline:
            symbol = BASELINE_ELSEWHERE if differs else BASELINE
        if is_baseline and is_current:
            symbol = f"{BASELINE}{CURRENT}"
        found.append(Mark(one.id, safe_line(one.name, 200), symbol, x, y, differs))
    return tuple(found)


def _asked(scenario: Scenario, x: Axis, y: Axis) -> Scenario:
    """A scenario with its own values of the two inputs taken out of the question."""
    try:
        return with_pair(scenario, x.field, x.values[0], y.field, y.values[0])
    except (UserError, ValidationError):
        return scenario


def _value(subject: Subject, scenario: Scenario, field_id: str) -> Value | None:
    """What a scenario has for a field; the concurrency drawn where it leaves that open."""
    field = FIELDS[field_id]
    if not field.applies(scenario):
        return None
    value = field.read(scenario)
    if value is None and field_id == "workload.concurrency":
        ledger = subject.ledger_of(scenario)
        return ledger.concurrency * ledger.scenario.replicas or None
    return value

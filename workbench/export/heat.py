"""The heat map of a scenario as it is exported: length of a request by how many at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from workbench.charts.map_legend import Mark
from workbench.charts.map_places import asked_of, axes_of, marks_of
from workbench.core.axis import first_axes
from workbench.core.surface import Surface, slices
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import Scenario

MOST_MARKS = 12
_SLICE_SECONDS = 0.05


def has_map(base: Scenario) -> bool:
    """Whether a scenario has the inputs that its map varies."""
    return all(FIELDS[field_id].applies(base) for field_id in first_axes(base))


def surface_of(subject: Subject, base: Scenario, told: Callable[[], None]) -> Surface | None:
    """Return every cell of a scenario's map; None where it has none.

    `told` is called between slices of the work.
    """
    if not has_map(base):
        return None
    pair = first_axes(base)
    others = [one for one in subject.plan.scenarios[:MOST_MARKS] if one.id != base.id]
    value = partial(_value, subject)
    x, y = axes_of(base, others, pair, subject.plan.baseline, asked_of, value)
    made = Surface(asked_of(base, x, y), x, y)
    for _ in slices(made, seconds=_SLICE_SECONDS):
        told()
    return made


def map_marks(subject: Subject, base: Scenario, surface: Surface) -> tuple[Mark, ...]:
    """Return where scenarios of the plan stand on the map of one of them."""
    return marks_of(
        subject.plan.scenarios[:MOST_MARKS],
        surface,
        base.id,
        subject.plan.baseline,
        asked_of,
        partial(_value, subject),
        partial(safe_line, limit=200),
    )


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

"""Which values a heat map has, and where scenarios stand on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import ValidationError

from workbench.charts.map_legend import BASELINE, BASELINE_ELSEWHERE, CURRENT, OTHER, Mark
from workbench.core.axis import Axis, axis_of
from workbench.core.surface import Surface, alike, with_pair
from workbench.spec.errors import UserError
from workbench.spec.fields import Value
from workbench.spec.scenario import Scenario

AskedOf = Callable[[Scenario, Axis, Axis], Scenario]
"""A scenario without its own values of two inputs; see `asked_of`."""
ValueOf = Callable[[Scenario, str], Value | None]
"""What a scenario has for a field, its default where it leaves it open."""


def asked_of(scenario: Scenario, x: Axis, y: Axis) -> Scenario:
    """Return a scenario with its own values of the two inputs taken out of the question."""
    try:
        return with_pair(scenario, x.field, x.values[0], y.field, y.values[0])
    except (UserError, ValidationError):
        return scenario


def axes_of(
    base: Scenario,
    others: Sequence[Scenario],
    pair: tuple[str, str],
    baseline: str | None,
    asked: AskedOf,
    value: ValueOf,
) -> tuple[Axis, Axis]:
    """Return axes that hold a scenario and the baseline, and reach to all that will be marked.

    `others` are the scenarios that may be marked, the one that is varied left out.
    """
    x, y = (axis_of(field_id, base) for field_id in pair)
    question = asked(base, x, y)
    # A scenario that leaves a value to its default stands in a cell of its own too.
    exact = [base, *(scenario for scenario in others if scenario.id == baseline)]
    covered = [scenario for scenario in others if alike(asked(scenario, x, y), question)]
    x, y = (
        axis_of(
            field_id,
            base,
            exact=[value(scenario, field_id) for scenario in exact],
            covered=[value(scenario, field_id) for scenario in covered],
        )
        for field_id in pair
    )
    return x, y


def marks_of(
    scenarios: Sequence[Scenario],
    surface: Surface,
    current: str,
    baseline: str | None,
    asked: AskedOf,
    value: ValueOf,
    name: Callable[[str], str],
) -> tuple[Mark, ...]:
    """Return the current scenario, the baseline, and those that differ in the two inputs only."""
    found = []
    for scenario in scenarios:
        is_current, is_baseline = scenario.id == current, scenario.id == baseline
        x, y = (axis.position(value(scenario, axis.field)) for axis in (surface.x, surface.y))
        if x is None or y is None:
            continue
        question = asked(scenario, surface.x, surface.y)
        differs = not is_current and not alike(question, surface.scenario)
        if differs and not is_baseline:
            continue
        symbol = CURRENT if is_current else OTHER
        if is_baseline:
            symbol = BASELINE_ELSEWHERE if differs else BASELINE
        if is_baseline and is_current:
            symbol = f"{BASELINE}{CURRENT}"
        found.append(Mark(scenario.id, name(scenario.name), symbol, x, y, differs))
    return tuple(found)

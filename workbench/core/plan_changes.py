"""What one plan has that another has not: scenarios by id, their inputs one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workbench.core.inputs import Input, changed_inputs
from workbench.spec.scenario import Plan, Scenario

What = Literal["added", "removed", "renamed", "input", "notes", "rest", "moved", "baseline"]
"""`rest` is what no input holds: where a preset came from, prices, keys of a later release."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two plans."""

    what: What
    name: str
    """Name of the scenario, as it is after the change where it still exists."""
    input: Input | None = None
    before: object = None
    after: object = None


def plan_changes(before: Plan, after: Plan) -> tuple[Change, ...]:
    """Return how the second plan differs from the first; empty only for equal ones."""
    old = {scenario.id: scenario for scenario in before.scenarios}
    new = {scenario.id: scenario for scenario in after.scenarios}
    found = [Change("removed", old[i].name) for i in old if i not in new]
    for scenario in after.scenarios:
        if scenario.id not in old:
            found.append(Change("added", scenario.name))
        else:
            found += _scenario_changes(old[scenario.id], scenario)
    kept = [i for i in old if i in new]
    order = [i for i in new if i in old]
    found += [
        Change("moved", new[i].name, before=kept.index(i) + 1, after=order.index(i) + 1)
        for i in order
        if kept.index(i) != order.index(i)
    ]
    if before.baseline != after.baseline:
        names = [
            None if baseline is None else plan.scenario(baseline).name
            for plan, baseline in ((before, before.baseline), (after, after.baseline))
        ]
        found.append(Change("baseline", "", before=names[0], after=names[1]))
    if not found and before != after:
        found.append(Change("rest", ""))
    return tuple(found)


def _scenario_changes(before: Scenario, after: Scenario) -> Iterator[Change]:
    if before == after:
        return
    number = 0
    if before.name != after.name:
        number += 1
        yield Change("renamed", after.name, before=before.name, after=after.name)
    for item in changed_inputs(before, after):
        number += 1
        yield Change("input", after.name, item, item.read(before), item.read(after))
    if before.notes != after.notes:
        number += 1
        yield Change("notes", after.name)
    if not number:
        yield Change("rest", after.name)

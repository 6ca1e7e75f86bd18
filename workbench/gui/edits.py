"""Pure changes of plans and scenarios behind the session's verbs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from workbench.gui.commands import Step
from workbench.spec.base import MAX_NAME_CHARACTERS, Frozen
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.words import FIELDS as FIELD_NAMES

# Plans


def nearest(plan: Plan, scenario_id: str | None) -> str | None:
    """Return the id if the plan has it, else its first scenario's."""
    ids = [scenario.id for scenario in plan.scenarios]
    if scenario_id in ids:
        return scenario_id
    return ids[0] if ids else None


def neighbour(plan: Plan, scenario_id: str) -> str | None:
    """Return who takes a scenario's place when it goes: the next one, else the one before."""
    ids = [scenario.id for scenario in plan.scenarios]
    index = ids.index(scenario_id)
    others = ids[index + 1 : index + 2] or ids[max(0, index - 1) : index]
    return others[0] if others else None


def inserted(plan: Plan, scenario: Scenario, *, after: str | None) -> Plan:
    """Put a scenario after another one; the first scenario of a plan is its baseline."""
    ids = [s.id for s in plan.scenarios]
    index = ids.index(after) + 1 if after in ids else len(ids)
    scenarios = (*plan.scenarios[:index], scenario, *plan.scenarios[index:])
    return plan.with_(scenarios=scenarios, baseline=plan.baseline or scenario.id)


def without(plan: Plan, scenario_id: str) -> Plan:
    """Take a scenario away; a lost baseline passes to the first one left."""
    left = tuple(s for s in plan.scenarios if s.id != scenario_id)
    baseline = plan.baseline
    if baseline == scenario_id:
        baseline = left[0].id if left else None
    return plan.with_(scenarios=left, baseline=baseline)


def moved(plan: Plan, scenario_id: str, index: int) -> Plan:
    """Put a scenario at another place."""
    scenarios = [s for s in plan.scenarios if s.id != scenario_id]
    scenarios.insert(max(0, index), plan.scenario(scenario_id))
    return plan.with_(scenarios=tuple(scenarios))


def free_name(plan: Plan, name: str) -> str:
    """Return the name, with a number where the plan already has it."""
    taken = {scenario.name for scenario in plan.scenarios}
    candidate, number = name[:MAX_NAME_CHARACTERS], 2
    while candidate in taken:
        suffix = f" {number}"
        candidate = name[: MAX_NAME_CHARACTERS - len(suffix)] + suffix
        number += 1
    return candidate


# Copies


def sharing(scenario: Scenario, others: Collection[Scenario]) -> Scenario:
    """Return an equal scenario whose parts are those of the others where they have equal ones.

    What comes as a text - from the clipboard, from a file - is made of new objects. Undo keeps
    every plan, and two that share their parts take hardly more room than one.
    """
    parts = {
        name: next((part for other in others if (part := getattr(other, name)) == value), value)
        for name, value in scenario
        if isinstance(value, Frozen)
    }
    return scenario.with_(**parts)


@dataclass(frozen=True, slots=True)
class FreshCopy:
    """A copy whose name is still ours: its first edit names it, "A · KV format fp8"."""

    base: str
    name: str
    first: tuple[str, object] | None = None

    def named_after(
        self, scenario: Scenario, old: Scenario, step: Step
    ) -> tuple[FreshCopy, Scenario]:
        """Return what is known of the copy now, and the scenario with the name it should have."""
        about = (step.code, step.params.get("field", step.params.get("flag")))
        if old.name != self.name or self.first not in (None, about):
            return self, scenario
        name = f"{self.base} · {_edit_name(step)}"[:MAX_NAME_CHARACTERS]
        return replace(self, name=name, first=about), scenario.with_(name=name)


def _edit_name(step: Step) -> str:
    if step.code == "set_flag":
        flag = str(step.params["flag"])
        return f"{FIELD_NAMES.get(flag, flag)} {step.params['value']}".strip()
    if step.code != "set_field":
        return str(step.params.get("name", ""))
    field = FIELDS[str(step.params["field"])]
    value = field.format(step.params["value"])  # type: ignore[arg-type]
    return f"{FIELD_NAMES.get(field.id, field.id)} {value}".strip()

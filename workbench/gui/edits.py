"""Pure changes of plans and scenarios behind the session's verbs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workbench.gui.commands import Step
from workbench.spec.base import MAX_NAME_CHARACTERS, Frozen, fingerprint
from workbench.spec.fields import FIELDS
from workbench.spec.gpu import GpuSet
from workbench.spec.scenario import Plan, PresetRef, Scenario

# Presets


def value_of(preset: Any) -> Any:
    """Return the facts of a preset, or the facts themselves."""
    return preset if isinstance(preset, Frozen) else preset.value


def ref_of(preset: Any) -> PresetRef | None:
    """Return the reference a copy keeps; bare facts have none."""
    return None if isinstance(preset, Frozen) else preset.ref


def name_of(preset: Any) -> str:
    """Return the name to show."""
    return str(value_of(preset).name)


def with_model(scenario: Scenario, preset: Any) -> Scenario:
    """Take a model."""
    return scenario.with_(model=value_of(preset), model_ref=ref_of(preset))


def with_gpu(scenario: Scenario, preset: Any) -> Scenario:
    """Take a card, or a set: its card and the tensor parallelism it is meant for."""
    profile = value_of(preset)
    if not isinstance(profile, GpuSet):
        return scenario.with_(gpu=profile, gpu_ref=ref_of(preset), gpu_set_ref=None)
    deployment = scenario.deployment.with_(
        tp=profile.tp,
        pp=1,
        pp_partition=None,
        dp=max(1, profile.count // profile.tp),
        replicas=1,
        nodes=1,
    )
    set_ref = ref_of(preset)
    card_ref = None
    if set_ref is not None:
        card_ref = PresetRef(
            namespace=set_ref.namespace,
            id=profile.card.id,
            rev=profile.card.rev,
            fingerprint=fingerprint(profile.card),
        )
    return scenario.with_(
        gpu=profile.card, gpu_ref=card_ref, gpu_set_ref=set_ref, deployment=deployment
    )


def with_weight_format(scenario: Scenario, preset: Any) -> Scenario:
    """Take a weight format."""
    return scenario.with_(precision=scenario.precision.with_(weights=value_of(preset)))


def with_kv_format(scenario: Scenario, preset: Any) -> Scenario:
    """Take a KV format."""
    return scenario.with_(precision=scenario.precision.with_(kv=value_of(preset)))


def with_workload(scenario: Scenario, preset: Any) -> Scenario:
    """Take a workload."""
    return scenario.with_(workload=value_of(preset).workload, workload_ref=ref_of(preset))


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
        about = (step.code, step.params.get("field"))
        if old.name != self.name or self.first not in (None, about):
            return self, scenario
        name = f"{self.base} · {_edit_name(step)}"[:MAX_NAME_CHARACTERS]
        return replace(self, name=name, first=about), scenario.with_(name=name)


def _edit_name(step: Step) -> str:
    if step.code != "set_field":
        return str(step.params.get("name", ""))
    field = FIELDS[str(step.params["field"])]
    value = field.format(step.params["value"])  # type: ignore[arg-type]
    return f"{field.id.rpartition('.')[2].replace('_', ' ')} {value}".strip()

"""What a field's value would be had nobody touched it: its preset's, or the engine's default."""

from __future__ import annotations

from typing import Any, Final

from workbench.library.presets import Kind, Library
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import PresetRef, Scenario


class _NoOrigin:
    """The type of NO_ORIGIN."""

    def __repr__(self) -> str:
        return "NO_ORIGIN"


NO_ORIGIN: Final = _NoOrigin()
"""The field has no preset and no default to go back to."""


def origin_of(field_id: str, scenario: Scenario, library: Library) -> Value | _NoOrigin | None:
    """Return the value of the preset that the scenario's part was taken from."""
    pristine = pristine_of(field_id.partition(".")[0], scenario, library)
    field = FIELDS[field_id]
    if pristine is None or not field.applies(pristine):
        return NO_ORIGIN
    return field.read(pristine)


def pristine_of(part: str, scenario: Scenario, library: Library) -> Scenario | None:
    """Return the scenario with one part as its preset has it, or None without a preset."""
    if part == "engine":
        return scenario.with_(engine=scenario.engine.untouched)
    if part == "model":
        model = preset_value(library, "models", scenario.model_ref)
        return None if model is None else scenario.with_(model=model)
    if part == "gpu":
        card = preset_value(library, "gpus", scenario.gpu_ref)
        return None if card is None else scenario.with_(gpu=card)
    if part == "workload":
        preset = preset_value(library, "workloads", scenario.workload_ref)
        return None if preset is None else scenario.with_(workload=preset.workload)
    if part == "deployment":
        return _with_set(scenario, preset_value(library, "gpus", scenario.gpu_set_ref))
    return None


def preset_value(library: Library, kind: Kind, ref: PresetRef | None) -> Any:
    """Return the facts of the preset that a reference names, None when it is not there."""
    if ref is None:
        return None
    preset = library.current(kind, ref)
    return None if preset is None else preset.value


def _with_set(scenario: Scenario, profile: Any) -> Scenario | None:
    if profile is None or not hasattr(profile, "card"):
        return None
    deployment = scenario.deployment.with_(
        tp=profile.tp,
        pp=1,
        pp_partition=None,
        dp=max(1, profile.count // profile.tp),
        replicas=1,
    )
    return scenario.with_(deployment=deployment)

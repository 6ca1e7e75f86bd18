"""Presets that have changed since a scenario copied them."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.library.compose import vllm_engine
from workbench.library.presets import Kind, Library
from workbench.spec.base import Frozen, fingerprint
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSet
from workbench.spec.scenario import PresetRef, Scenario
from workbench.spec.vllm import VllmEngine


@dataclass(frozen=True, slots=True)
class Stale:
    """One copy whose preset says something else today."""

    part: str
    """Which part of the scenario: "model", "gpu", "workload", "engine"."""
    reference: str
    fields: tuple[str, ...]
    """Fields that differ; empty when the preset is gone."""
    gone: bool = False


def stale_parts(library: Library, scenario: Scenario) -> tuple[Stale, ...]:
    """Compare the references of a scenario with the presets as they are now."""
    parts: tuple[tuple[str, Kind, PresetRef | None, Frozen], ...] = (
        ("model", "models", scenario.model_ref, scenario.model),
        ("gpu", "gpus", scenario.gpu_ref, scenario.gpu),
        ("workload", "workloads", scenario.workload_ref, scenario.workload),
    )
    found = _stale_engine(scenario)
    for part, kind, ref, copy in parts:
        if ref is None:
            continue
        preset = library.current(kind, ref)
        if preset is None:
            found.append(Stale(part, str(ref), (), gone=True))
            continue
        now = preset.value
        if isinstance(now, GpuSet):
            now = now.card
        if fingerprint(now) != ref.fingerprint:
            value = getattr(now, "workload", now)
            found.append(Stale(part, str(ref), _differences(copy, value)))
    return tuple(found)


def _stale_engine(scenario: Scenario) -> list[Stale]:
    """Rules and fitted figures of a release that the program tells differently today."""
    engine = scenario.engine
    if not isinstance(engine, VllmEngine):
        return []
    reference = f"vllm@{engine.release}"
    try:
        now = vllm_engine(engine.release, engine.core)
    except UserError:
        return [Stale("engine", reference, (), gone=True)]
    fields = tuple(
        f"{name}.{field}"
        for name in ("rules", "fits")
        for field in _differences(getattr(engine, name), getattr(now, name))
    )
    return [Stale("engine", reference, fields)] if fields else []


def _differences(copy: Frozen, now: Frozen) -> tuple[str, ...]:
    return tuple(
        name
        for name in type(now).model_fields
        if getattr(copy, name, None) != getattr(now, name, None)
    )

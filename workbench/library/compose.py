"""Scenarios made from presets: the copy, its reference, and what comes along."""

from __future__ import annotations

from contextlib import suppress

from workbench.library.presets import Library, Preset
from workbench.spec.base import fingerprint
from workbench.spec.deployment import Deployment
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, Precision, WeightFormat
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import PresetRef, Scenario
from workbench.spec.workload import ConstantLength, Workload, WorkloadPreset

DEFAULT_FORMAT = "bf16"
DEFAULT_CONTEXT_TOKENS = 8192


def new_scenario(
    library: Library,
    scenario_id: str,
    name: str,
    model: Preset[ModelSpec],
    gpu: Preset[GpuSpec | GpuSet],
) -> Scenario:
    """Return a scenario of a model on a card or set, all else by default: 16 bits, 8k context."""
    card = gpu.value if isinstance(gpu.value, GpuSpec) else gpu.value.card
    start = Scenario(
        id=scenario_id,
        name=name,
        model=model.value,
        model_ref=model.ref,
        gpu=card,
        precision=Precision(
            weights=shipped_format(library, model.value),
            kv=library.kv_format(DEFAULT_FORMAT).value,
        ),
        workload=Workload(lengths=ConstantLength(tokens=DEFAULT_CONTEXT_TOKENS)),
    )
    return with_gpu(start, gpu)


def shipped_format(library: Library, model: ModelSpec) -> WeightFormat:
    """Return the weight format that a model is published in, 16 bits where nothing else is said."""
    if model.shipped_format is not None:
        with suppress(UserError):
            return library.weight_format(f"builtin:{model.shipped_format}").value
    return library.weight_format(DEFAULT_FORMAT).value


def with_model(
    scenario: Scenario, preset: Preset[ModelSpec], library: Library | None = None
) -> Scenario:
    """Take a model.

    With the library at hand weights that were in the old model's published format take that of
    the new one; a format that a person chose stays.
    """
    changed = scenario.with_(model=preset.value, model_ref=preset.ref)
    if library is None:
        return changed
    weights = scenario.precision.weights
    if weights != shipped_format(library, scenario.model):
        return changed
    shipped = shipped_format(library, preset.value)
    return changed.with_(precision=changed.precision.with_(weights=shipped))


def with_gpu(scenario: Scenario, preset: Preset[GpuSpec | GpuSet]) -> Scenario:
    """Take a card, or a set: its card and the parallelism it is meant for.

    A single card after a set takes the set's parallelism away again.
    """
    profile = preset.value
    if isinstance(profile, GpuSpec):
        deployment = scenario.deployment
        if scenario.gpu_set_ref is not None:
            deployment = Deployment()
        return scenario.with_(
            gpu=profile, gpu_ref=preset.ref, gpu_set_ref=None, deployment=deployment
        )
    deployment = scenario.deployment.with_(
        tp=profile.tp,
        pp=1,
        pp_partition=None,
        dp=max(1, profile.count // profile.tp),
        replicas=1,
        nodes=1,
    )
    return scenario.with_(
        gpu=profile.card,
        gpu_ref=card_ref(preset.ref, profile),
        gpu_set_ref=preset.ref,
        deployment=deployment,
    )


def card_ref(set_ref: PresetRef, profile: GpuSet) -> PresetRef:
    """Return the reference of a set's card, in the set's own namespace."""
    return PresetRef(
        namespace=set_ref.namespace,
        id=profile.card.id,
        rev=profile.card.rev,
        fingerprint=fingerprint(profile.card),
    )


def with_weight_format(scenario: Scenario, preset: Preset[WeightFormat]) -> Scenario:
    """Take a weight format."""
    return scenario.with_(precision=scenario.precision.with_(weights=preset.value))


def with_kv_format(scenario: Scenario, preset: Preset[KvFormat]) -> Scenario:
    """Take a KV format."""
    return scenario.with_(precision=scenario.precision.with_(kv=preset.value))


def with_workload(scenario: Scenario, preset: Preset[WorkloadPreset]) -> Scenario:
    """Take a workload; the target concurrency stays where the preset names none."""
    workload = preset.value.workload
    if workload.concurrency is None:
        workload = workload.with_(concurrency=scenario.workload.concurrency)
    return scenario.with_(workload=workload, workload_ref=preset.ref)

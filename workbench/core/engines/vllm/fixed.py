"""What a rank of vLLM spends whatever the requests: weights, runtime, activations, graphs.

Charged to the budget are the weights, the growth outside torch, persistent buffers, the peak of
the profile run and, where the release does so, an estimate of the CUDA graphs. Graphs that are
not charged, and what was in use before the first snapshot, live outside it.
Source: vLLM `v1/worker/gpu_worker.py:determine_available_memory` (0.10.2 to 0.33.0) and its
older forms; which terms count is a switch of the release.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from workbench.core.engines.vllm.activation import activation_peak
from workbench.core.engines.vllm.defaults import Flags, origin
from workbench.core.engines.vllm.estimate import Estimate
from workbench.core.engines.vllm.graphs import graphs
from workbench.core.engines.vllm.loading import loaded_weights
from workbench.core.engines.vllm.runtime import non_torch, persistent_buffers, used_before_start
from workbench.core.engines.vllm.shape import ProfileRun, StageShape, stage_shape
from workbench.core.memory.shares import Stage
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine
from workbench.spec.vllm_rules import VllmRules

_ELEMENT_BYTES = {"fp32": 4, "float32": 4}


class Start(NamedTuple):
    """One start of the engine: the parts of a scenario that its fixed entries depend on."""

    model: ModelSpec
    precision: Precision
    deployment: Deployment
    gpu: GpuSpec
    engine: VllmEngine


def requested_bytes(total_bytes: int, flags: Flags, rules: VllmRules) -> int:
    """Bytes that the engine asks for: total × utilisation, rounded as the release does.

    The product is a float in the engine too (`v1/worker/utils.py:request_memory`).
    """
    share = total_bytes * flags.gpu_memory_utilization
    return min(total_bytes, ceil(share) if rules.budget_rounding == "up" else int(share))


def fixed_entries(scenario: Scenario, flags: Flags, stage: Stage) -> tuple[Entry, ...]:
    """Entries of a rank of a stage that do not depend on the requests."""
    engine = scenario.engine
    assert isinstance(engine, VllmEngine)
    start = Start(scenario.model, scenario.precision, scenario.deployment, scenario.gpu, engine)
    return _fixed_entries(start, flags, stage)


@lru_cache(maxsize=128)
def _fixed_entries(start: Start, flags: Flags, stage: Stage) -> tuple[Entry, ...]:
    engine = start.engine
    shape = stage_shape(start.model, stage)
    run = profile_run(start, flags)
    entries = (
        _weights(start, stage),
        _non_torch(start),
        _persistent(engine, shape, run),
        _before_start(start),
        _activations(engine, shape, run),
        _graphs(engine, flags, shape),
    )
    return tuple(
        replace(entry, formula=_with_origins(entry.formula, flags, engine))
        for entry in entries
        if entry is not None
    )


def _with_origins(formula: Formula, flags: Flags, engine: VllmEngine) -> Formula:
    """Say of flags that nobody typed whose default they are."""
    terms = []
    for term in formula.terms:
        part, _, flag = (term.field or "").partition(".")
        if part == "engine" and flag in flags.defaulted and term.source.code == "typed":
            term = replace(term, source=origin(flags, flag, engine))
        if term.formula is not None:
            term = replace(term, formula=_with_origins(term.formula, flags, engine))
        terms.append(term)
    return Formula(formula.expression, tuple(terms))


def profile_run(start: Start, flags: Flags) -> ProfileRun:
    """The start that the engine measures its peak with."""
    return ProfileRun(
        max_num_batched_tokens=flags.max_num_batched_tokens,
        max_num_seqs=flags.max_num_seqs,
        tp=start.deployment.tp,
        ep=start.deployment.ep,
        element_bytes=_ELEMENT_BYTES.get(start.precision.activation_dtype, 2),
        weight_format=start.precision.weights.id,
        runner="v0" if start.engine.core == "v0" else flags.runner,
    )


def _weights(start: Start, stage: Stage) -> Entry | None:
    engine = start.engine
    measured = engine.measured.weights_bytes
    if measured is not None:
        return _measured(EntryKind.WEIGHTS, "weights", measured, engine, "weights_bytes")
    if not start.model.has_weights:
        return None
    loaded = loaded_weights(
        start.model,
        start.precision,
        start.deployment,
        stage,
        rules=engine.rules,
        with_draft=engine.speculative_tokens > 0,
        cpu_offload_bytes=engine.cpu_offload_bytes or 0,
    )
    certain = loaded.low_bytes == loaded.high_bytes
    return Entry(
        EntryKind.WEIGHTS,
        "weights",
        loaded.bytes,
        Evidence.COMPUTED,
        loaded.formula,
        Source("model", start.model.id),
        None if certain else loaded.low_bytes,
        None if certain else loaded.high_bytes,
    )


def _non_torch(start: Start) -> Entry | None:
    engine = start.engine
    measured = engine.measured.non_torch_bytes
    if measured is not None:
        return _measured(EntryKind.RUNTIME, "non_torch", measured, engine, "non_torch_bytes")
    found = non_torch(engine.fits, start.gpu, start.deployment)
    return _estimated(EntryKind.RUNTIME, "non_torch", found)


def _persistent(engine: VllmEngine, shape: StageShape | None, run: ProfileRun) -> Entry | None:
    """Buffers that stay; a measured growth outside torch holds them already."""
    if shape is None or engine.measured.non_torch_bytes is not None:
        return None
    found = persistent_buffers(engine.fits, shape, run)
    return _estimated(EntryKind.RUNTIME, "persistent_buffers", found)


def _before_start(start: Start) -> Entry | None:
    """In use before the first snapshot: charged only by releases that count what others hold."""
    engine = start.engine
    charged = engine.rules.foreign_memory_charged
    measured = engine.measured.used_before_start_bytes
    if measured is not None:
        return _measured(
            EntryKind.RUNTIME,
            "before_start",
            measured,
            engine,
            "used_before_start_bytes",
            in_budget=charged,
        )
    found = used_before_start(engine.fits, start.gpu, start.deployment)
    return _estimated(EntryKind.RUNTIME, "before_start", found, in_budget=charged)


def _activations(engine: VllmEngine, shape: StageShape | None, run: ProfileRun) -> Entry | None:
    measured = engine.measured.activation_bytes
    if measured is not None:
        return _measured(EntryKind.ACTIVATIONS, "activations", measured, engine, "activation_bytes")
    if shape is None:
        return None
    return _estimated(
        EntryKind.ACTIVATIONS, "activations", activation_peak(engine.fits, shape, run)
    )


def _graphs(engine: VllmEngine, flags: Flags, shape: StageShape | None) -> Entry | None:
    charged = engine.rules.graph_estimate == "charged"
    measured = engine.measured.graphs_bytes
    if measured is not None:
        return _measured(
            EntryKind.RUNTIME, "cuda_graphs", measured, engine, "graphs_bytes", in_budget=charged
        )
    if shape is None or flags.enforce_eager:
        return None
    found = graphs(engine.fits, shape, "estimated" if charged else "captured", eager=False)
    return _estimated(EntryKind.RUNTIME, "cuda_graphs", found, in_budget=charged)


def _estimated(
    kind: EntryKind, label: str, found: Estimate | None, *, in_budget: bool = True
) -> Entry | None:
    if found is None or not (found.bytes or found.high_bytes):
        return None
    return Entry(
        kind,
        label,
        found.bytes,
        found.evidence,
        found.formula,
        found.source,
        found.low_bytes,
        found.high_bytes,
        in_budget,
    )


def _measured(
    kind: EntryKind,
    label: str,
    size: int,
    engine: VllmEngine,
    name: str,
    *,
    in_budget: bool = True,
) -> Entry:
    source = Source("log", engine.measured.source)
    term = Term(
        f"measured_{name}", size, "bytes", Evidence.MEASURED, source, f"engine.measured_{name}"
    )
    formula = Formula(f"{{{term.symbol}}}", (term,))
    return Entry(kind, label, size, Evidence.MEASURED, formula, source, in_budget=in_budget)

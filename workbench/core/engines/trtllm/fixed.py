"""What a rank of TensorRT-LLM spends before the pool: weights, activations, what is outside.

Weights follow the tensors. Activations are a rule of thumb: the intermediates of one layer for a
whole step, as the PyTorch backend's dummy batch and the execution context of an engine built for
the same `max_num_tokens` both hold. What lives outside torch or the engine (context,
communication, graphs) is a rule of thumb too, by vLLM's start-up logs of the same cards.
The temporary pool of the PyTorch backend is given back and cancels out of the budget.
"""

from __future__ import annotations

from workbench.core.engines.trtllm.defaults import engine_of, flags_of, origin
from workbench.core.memory.rules_of_thumb import outside_torch, step_activations
from workbench.core.memory.shares import Stage
from workbench.core.memory.weights import tensor_bytes, weights_formula
from workbench.spec.layers import Mixer
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.model import ROUTED, LayerRun, Tensor
from workbench.spec.scenario import Scenario
from workbench.spec.trtllm import TrtllmEngine


def fixed_entries(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Entries of a rank of a stage that do not depend on the requests."""
    entries = (
        _weights(scenario, stage),
        _outside(scenario),
        _activations(scenario, stage),
    )
    return tuple(entry for entry in entries if entry is not None)


# Weights


def _weights(scenario: Scenario, stage: Stage) -> Entry | None:
    engine, model = engine_of(scenario), scenario.model
    if engine.measured.weights_bytes is not None:
        return _measured(
            EntryKind.WEIGHTS, "weights", engine.measured.weights_bytes, engine, "weights_bytes"
        )
    if not model.has_weights:
        return None
    size, formula = weights_formula(scenario, stage)
    if engine.enable_attention_dp and scenario.deployment.tp > 1:
        size, formula = _attention_dp_weights(scenario, stage)
    if engine.speculative_tokens and stage.is_last and model.draft is not None:
        size, formula = _with_draft(scenario, size, formula)
    source = Source("model", model.id)
    return Entry(EntryKind.WEIGHTS, "weights", size, Evidence.COMPUTED, formula, source)


def _attention_dp_weights(scenario: Scenario, stage: Stage) -> tuple[int, Formula]:
    """With attention DP only the routed experts are shared out; all else is whole on each rank."""
    alone = scenario.with_(deployment=scenario.deployment.with_(tp=1))
    whole_bytes, whole = weights_formula(alone, stage)
    tp = scenario.deployment.tp
    experts = sum(_routed_bytes(scenario, run, 1) for run in stage.runs)
    shared = sum(_routed_bytes(scenario, run, tp) for run in stage.runs)
    source = Source("model", scenario.model.id)
    terms = (
        Term("whole_bytes", whole_bytes, "bytes", Evidence.COMPUTED, source, None, whole),
        Term("experts_bytes", experts, "bytes", Evidence.COMPUTED, source),
        Term("experts_on_rank_bytes", shared, "bytes", Evidence.COMPUTED, source, "deployment.tp"),
    )
    formula = Formula("{whole_bytes} - {experts_bytes} + {experts_on_rank_bytes}", terms)
    return whole_bytes - experts + shared, formula


def _routed_bytes(scenario: Scenario, run: LayerRun, tp: int) -> int:
    routed = [tensor for tensor in run.tensors if tensor.shard in ROUTED]
    return run.count * sum(_stored(scenario, tensor, tp, run.mixer) for tensor in routed)


def _with_draft(scenario: Scenario, size: int, formula: Formula) -> tuple[int, Formula]:
    """The draft module on the last stage; embedding and head are the target's."""
    draft = scenario.model.draft
    assert draft is not None
    tp = 1 if engine_of(scenario).enable_attention_dp else scenario.deployment.tp
    runs = sum(
        run.count * sum(_stored(scenario, tensor, tp, run.mixer) for tensor in run.tensors)
        for run in draft.layers
    )
    outside = sum(
        _stored(scenario, tensor, tp, None) for tensor in draft.tensors if tensor.shard != "vocab"
    )
    source = Source("model", scenario.model.id)
    terms = (
        Term("weights_bytes", size, "bytes", Evidence.COMPUTED, source, None, formula),
        Term("draft_bytes", runs + outside, "bytes", Evidence.COMPUTED, source),
    )
    return size + runs + outside, Formula("{weights_bytes} + {draft_bytes}", terms)


def _stored(scenario: Scenario, tensor: Tensor, tp: int, mixer: Mixer | None) -> int:
    precision = scenario.precision
    weights = precision.weights.for_model(has_experts=scenario.model.moe is not None)
    return tensor_bytes(tensor, weights, tp, mixer, precision.left_alone or ())


# Outside torch, activations


def _outside(scenario: Scenario) -> Entry:
    engine = engine_of(scenario)
    measured = engine.measured.non_torch_bytes
    if measured is not None:
        return _measured(EntryKind.RUNTIME, "non_torch", measured, engine, "non_torch_bytes")
    return outside_torch(scenario)


def _activations(scenario: Scenario, stage: Stage) -> Entry | None:
    engine = engine_of(scenario)
    measured = engine.measured.activation_bytes
    if measured is not None:
        return _measured(EntryKind.ACTIVATIONS, "activations", measured, engine, "activation_bytes")
    return step_activations(scenario, stage, _batch_term(scenario))


def _batch_term(scenario: Scenario) -> Term:
    name, flags = "max_num_batched_tokens", flags_of(scenario)
    source = Source("typed")
    if name in flags.defaulted:
        source = origin(name, engine_of(scenario), scenario.model)
    value = flags.max_num_batched_tokens
    return Term(name, value, "tokens", Evidence.GIVEN, source, f"engine.{name}")


def _measured(kind: EntryKind, label: str, size: int, engine: TrtllmEngine, name: str) -> Entry:
    source = Source("log", engine.measured.source)
    symbol, field = f"measured_{name}", f"engine.measured_{name}"
    term = Term(symbol, size, "bytes", Evidence.MEASURED, source, field)
    formula = Formula(f"{{{symbol}}}", (term,))
    return Entry(kind, label, size, Evidence.MEASURED, formula, source)

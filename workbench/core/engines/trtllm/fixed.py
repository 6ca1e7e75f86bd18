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
from workbench.core.memory.weights import (
    component_bytes,
    rank_weights,
    routed_bytes,
    tower_bytes,
    weights_formula,
    with_parts,
)
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
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
    if engine.enable_attention_dp:
        size, formula = _attention_dp_weights(scenario, stage)
    else:
        size, formula = weights_formula(scenario, stage)
    size, formula = with_parts(model, size, formula, _parts(scenario, stage))
    source = Source("model", model.id)
    return Entry(EntryKind.WEIGHTS, "weights", size, Evidence.COMPUTED, formula, source)


def _attention_dp_weights(scenario: Scenario, stage: Stage) -> tuple[int, Formula]:
    """With attention DP only the routed experts are shared out; all else is whole on each rank."""
    model, precision, tp = scenario.model, scenario.precision, scenario.deployment.tp
    whole_bytes, whole = rank_weights(model, precision, 1, stage)
    experts = routed_bytes(model, precision, 1, stage)
    shared = routed_bytes(model, precision, tp, stage)
    source = Source("model", model.id)
    terms = (
        Term("whole_bytes", whole_bytes, "bytes", Evidence.COMPUTED, source, None, whole),
        Term("experts_bytes", experts, "bytes", Evidence.COMPUTED, source),
        Term("experts_on_rank_bytes", shared, "bytes", Evidence.COMPUTED, source, "deployment.tp"),
    )
    formula = Formula("{whole_bytes} - {experts_bytes} + {experts_on_rank_bytes}", terms)
    return whole_bytes - experts + shared, formula


def _parts(scenario: Scenario, stage: Stage) -> dict[str, int]:
    """Towers of the first stage, which a built engine has beside it, and the last one's draft."""
    engine, model, precision = engine_of(scenario), scenario.model, scenario.precision
    tp = 1 if engine.enable_attention_dp else scenario.deployment.tp
    parts: dict[str, int] = {}
    if stage.is_first and flags_of(scenario).backend == "pytorch":
        parts = tower_bytes(model, precision, tp)
    if stage.is_last and engine.speculative_tokens and model.draft is not None:
        draft = component_bytes(model, precision, tp, model.draft, shared=True)
        parts["draft_module_bytes"] = draft
    return parts


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

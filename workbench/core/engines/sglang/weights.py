"""Weights of a rank of SGLang: fused and sharded as vLLM loads them, attention by its own TP.

    weights = all parts at TP − attention at TP + attention at TP ÷ DP attention

SGLang's model code descends from vLLM's and shards the same tensors; with DP attention every
group of ranks holds the whole attention. Source: SGLang `models/`, sglang.md §5; the measured
weights of its start-up logs agree (tests/core/test_sglang_logs.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.engines.sglang.defaults import Flags
from workbench.core.engines.sglang.start import Start
from workbench.core.engines.vllm.loading import LoadedWeights, loaded_weights
from workbench.core.memory.shares import Stage
from workbench.spec.ledger import Evidence, Formula, Source, Term


@dataclass(frozen=True, slots=True)
class Loaded:
    """Weights of a rank with their band, where kernels pad differently."""

    bytes: int
    low_bytes: int
    high_bytes: int
    formula: Formula


def loaded_of(start: Start, flags: Flags, stage: Stage) -> Loaded | None:
    """Return the weights of a rank of a stage; None for a model without any on record."""
    if not start.model.has_weights:
        return None
    whole = _loaded(start, flags, stage, start.deployment.tp)
    if flags.dp_attention == 1:
        return Loaded(whole.bytes, whole.low_bytes, whole.high_bytes, whole.formula)
    tp = max(1, start.deployment.tp // flags.dp_attention)
    own = _loaded(start, flags, stage, tp)
    less, more = _attention_bytes(whole), _attention_bytes(own)
    source = Source("model", start.model.id)
    terms = (
        Term(
            "sharded_weights", whole.bytes, "bytes", Evidence.COMPUTED, source, None, whole.formula
        ),
        Term("attention_at_tp", less, "bytes", Evidence.COMPUTED, source, "deployment.tp"),
        Term("attention_of_group", more, "bytes", Evidence.COMPUTED, source, "engine.dp_attention"),
    )
    formula = Formula("{sharded_weights} - {attention_at_tp} + {attention_of_group}", terms)
    grown = more - less
    return Loaded(whole.bytes + grown, whole.low_bytes + grown, whole.high_bytes + grown, formula)


def _loaded(start: Start, flags: Flags, stage: Stage, tp: int) -> LoadedWeights:
    """As loaded with this TP; experts are shared out inside a replica alone."""
    deployment = start.deployment
    layout = deployment.with_(tp=tp, dp=1, dcp=1, ep=min(deployment.ep, tp))
    return loaded_weights(start.model, start.precision, layout, stage, with_draft=flags.drafts)


def _attention_bytes(loaded: LoadedWeights) -> int:
    return sum(part.bytes for part in loaded.parts if part.code == "attention")

"""Weights of one rank, tensor class by tensor class."""

from __future__ import annotations

from workbench.core.memory.shares import Stage, kv_heads_on_rank
from workbench.spec.deployment import Deployment
from workbench.spec.formats import WeightFormat
from workbench.spec.layers import Mixer
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.model import ModelSpec, StageTensor, Tensor, TensorDtype
from workbench.spec.scenario import Scenario

_BITS_OF_DTYPE: dict[TensorDtype, int] = {"fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8}


def rank_shape(tensor: Tensor, tp: int, mixer: Mixer | None = None) -> tuple[int, ...]:
    """Shape of a tensor on one tensor-parallel rank; a part that does not divide is rounded up."""
    shape = tensor.shape
    if tensor.shard == "replicated" or tp == 1:
        return shape
    if tensor.shard == "kv_heads":
        kv_heads = getattr(mixer, "kv_heads", 1)
        return (-(-shape[0] * kv_heads_on_rank(kv_heads, tp) // kv_heads), *shape[1:])
    if tensor.shard in ("row", "o_heads"):
        return (*shape[:-1], -(-shape[-1] // tp))
    return (-(-shape[0] // tp), *shape[1:])


def tensor_bytes(
    tensor: Tensor, weight_format: WeightFormat, tp: int = 1, mixer: Mixer | None = None
) -> int:
    """Bytes of all copies of a tensor on one rank, scales included."""
    shape = rank_shape(tensor, tp, mixer)
    elements = 1
    for width in shape:
        elements *= width
    bits = weight_format.bits if tensor.quantised else weight_format.other_bits
    if tensor.dtype is not None:
        bits = _BITS_OF_DTYPE[tensor.dtype]
    each = -(-elements * bits // 8)
    if tensor.quantised and tensor.dtype is None:
        each += weight_format.tensor_scale_bytes + weight_format.row_scale_bytes * shape[0]
        if weight_format.group_elements:
            groups = -(-shape[-1] // weight_format.group_elements) * (elements // shape[-1])
            each += groups * weight_format.group_scale_bytes
    return each * tensor.copies


def stage_tensors(model: ModelSpec, stage: Stage) -> tuple[StageTensor, ...]:
    """Tensors outside the layers that a stage holds.

    With tied embeddings the last of several stages keeps its own copy of the embedding.
    """
    return tuple(
        tensor
        for tensor in model.tensors
        if tensor.stage == "all"
        or (tensor.stage == "first" and stage.is_first)
        or (tensor.stage == "last" and stage.is_last)
        or (model.tied_embeddings and tensor.shard == "vocab" and stage.is_last)
    )


def weights_formula(scenario: Scenario, stage: Stage) -> tuple[int, Formula]:
    """Return the weight bytes of each rank of a stage and the formula that gives them."""
    model, tp = scenario.model, scenario.deployment.tp
    source = Source("model", model.id)
    terms: list[Term] = []
    parts: list[str] = []
    total = 0
    for number, run in enumerate(stage.runs, start=1):
        suffix = "" if len(stage.runs) == 1 else f"_{number}"
        layer_bytes, layer_terms = _tensor_terms(run.tensors, scenario, run.mixer)
        total += run.count * layer_bytes
        parts.append(f"{{layers{suffix}}} × {{layer_bytes{suffix}}}")
        terms.append(
            Term(f"layers{suffix}", run.count, "count", Evidence.GIVEN, source, "model.layers")
        )
        layer = Formula(_sum_of(layer_terms), layer_terms)
        terms.append(
            Term(
                f"layer_bytes{suffix}", layer_bytes, "bytes", Evidence.COMPUTED, source, None, layer
            )
        )
    outside = stage_tensors(model, stage)
    if outside:
        outside_bytes, outside_terms = _tensor_terms(outside, scenario, None)
        total += outside_bytes
        parts.append("{outside_layers_bytes}")
        formula = Formula(_sum_of(outside_terms), outside_terms)
        terms.append(
            Term(
                "outside_layers_bytes",
                outside_bytes,
                "bytes",
                Evidence.COMPUTED,
                source,
                None,
                formula,
            )
        )
    terms.append(Term("tp", tp, "count", Evidence.GIVEN, Source("typed"), "deployment.tp"))
    return total, Formula(" + ".join(parts), tuple(terms))


def given_weights_formula(weights_bytes: int, deployment: Deployment) -> tuple[int, Formula]:
    """Share weights given as one figure evenly over the ranks of a replica, rounded up."""
    each = -(-weights_bytes // deployment.ranks)
    given = Term(
        "weights_bytes",
        weights_bytes,
        "bytes",
        Evidence.GIVEN,
        Source("typed"),
        "engine.weights_bytes",
    )
    ranks = Term(
        "ranks", deployment.ranks, "count", Evidence.GIVEN, Source("typed"), "deployment.tp"
    )
    return each, Formula("⌈{weights_bytes} ÷ {ranks}⌉", (given, ranks))


def _tensor_terms(
    tensors: tuple[Tensor, ...] | tuple[StageTensor, ...], scenario: Scenario, mixer: Mixer | None
) -> tuple[int, tuple[Term, ...]]:
    """Bytes on a rank of each tensor class, as terms of a sum."""
    tp = scenario.deployment.tp
    weight_format = scenario.precision.weights
    terms = tuple(
        Term(
            tensor.name,
            tensor_bytes(tensor, weight_format, tp, mixer),
            "bytes",
            Evidence.COMPUTED,
            Source("tensor", _shape_text(tensor, tp, mixer, weight_format)),
        )
        for tensor in tensors
    )
    return sum(int(term.value) for term in terms), terms


def _shape_text(tensor: Tensor, tp: int, mixer: Mixer | None, weight_format: WeightFormat) -> str:
    """Numbers only: "4096 × 1024 · bf16"."""
    shape = " × ".join(str(width) for width in rank_shape(tensor, tp, mixer))
    copies = "" if tensor.copies == 1 else f"{tensor.copies} × "
    kept = tensor.dtype or (
        weight_format.id if tensor.quantised else f"{weight_format.other_bits} bit"
    )
    return f"{copies}{shape} · {kept}"


def _sum_of(terms: tuple[Term, ...]) -> str:
    return " + ".join(f"{{{term.symbol}}}" for term in terms) or "0"

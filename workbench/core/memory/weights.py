"""Weights of one rank, tensor class by tensor class."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import prod

from workbench.core.memory.shares import Stage, kv_heads_on_rank
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.layers import Mixer, ParallelMixer, RecurrentState
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.model import (
    ROUTED,
    Component,
    ModelSpec,
    StageTensor,
    Tensor,
    TensorDtype,
)
from workbench.spec.scenario import Scenario
from workbench.spec.weight_format import Storage, WeightFormat

BITS_OF_DTYPE: dict[TensorDtype, int] = {"fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8}


def rank_shape(tensor: Tensor, tp: int, mixer: Mixer | None = None) -> tuple[int, ...]:
    """Shape of a tensor on one tensor-parallel rank; a part that does not divide is rounded up."""
    shape = tensor.shape
    if tensor.shard in ("replicated", "experts_whole") or tp == 1:
        return shape
    if tensor.shard == "kv_heads":
        attention = mixer.attention if isinstance(mixer, ParallelMixer) else mixer
        kv_heads = getattr(attention, "kv_heads", 1)
        return (-(-shape[0] * kv_heads_on_rank(kv_heads, tp) // kv_heads), *shape[1:])
    if tensor.shard == "groups":
        return (_rows_with_groups(shape[0], tp, mixer), *shape[1:])
    if tensor.shard in ("row", "o_heads"):
        return (*shape[:-1], -(-shape[-1] // tp))
    return (-(-shape[0] // tp), *shape[1:])


def _rows_with_groups(rows: int, tp: int, mixer: Mixer | None) -> int:
    """Rows on a rank of a Mamba-2 projection, whose B and C groups are raised to TP first."""
    state = mixer.state if isinstance(mixer, ParallelMixer) else mixer
    if not isinstance(state, RecurrentState) or not state.groups:
        return -(-rows // tp)
    raised = 2 * state.groups_with(tp) * (state.state_size or 0)
    return -(-(rows - state.group_rows) // tp) + raised // tp


def stored_parts(storage: Storage, rows: int, columns: int) -> dict[str, int]:
    """Bytes of a matrix of `rows` outputs × `columns` inputs: its elements and each kind of scale.

    Groups run along a row, tiles over both; what does not divide is rounded up, as checkpoints
    store it (safetensors headers of FP8 128 × 128 and GGUF tensor tables). `index` is what a
    checkpoint holds; engines keep it only where `index_loaded` says so.
    """
    if storage.block_elements and storage.block_bytes:
        # A row holds whole blocks wherever a file may use the type.
        elements = -(-rows * columns * storage.block_bytes // storage.block_elements)
    else:
        elements = -(-rows * columns * storage.bits // 8)
    parts = {"elements": elements, "tensor_scales": storage.tensor_scale_bytes}
    if storage.row_scale_bytes:
        parts["row_scales"] = rows * storage.row_scale_bytes
    if storage.group_elements:
        groups = rows * -(-columns // storage.group_elements)
        parts["group_scales"] = groups * storage.group_scale_bytes
        parts["group_zeros"] = -(-groups * (storage.group_zero_bits or 0) // 8)
        if storage.outer_groups:
            outer = -(-groups // storage.outer_groups)
            parts["outer_scales"] = outer * (storage.outer_scale_bytes or 0)
    if storage.tile_scale_bytes:
        across = -(-columns // (storage.tile_columns or columns))
        parts["tile_scales"] = (
            -(-rows // (storage.tile_rows or rows)) * across * storage.tile_scale_bytes
        )
    if storage.column_index_bytes:
        parts["index"] = columns * storage.column_index_bytes
    return {part: size for part, size in parts.items() if size}


def tensor_bytes(
    tensor: Tensor,
    weight_format: WeightFormat,
    tp: int = 1,
    mixer: Mixer | None = None,
    left_alone: tuple[str, ...] = (),
) -> int:
    """Bytes of all copies of a tensor on one rank, scales included."""
    shape = rank_shape(tensor, tp, mixer)
    storage = storage_of(tensor, weight_format, left_alone)
    if storage is None:
        each = -(-prod(shape) * unquantised_bits(tensor, weight_format) // 8)
    else:
        each = sum(stored_parts(storage, prod(shape[:-1]), shape[-1]).values())
    return each * tensor.copies


def storage_of(
    tensor: Tensor, weight_format: WeightFormat, left_alone: tuple[str, ...] = ()
) -> Storage | None:
    """How a tensor is stored; None where it keeps its own type or 16 bits."""
    if tensor.dtype is not None:
        return None
    return weight_format.storage_of(tensor.name, tensor.quantised, left_alone)


def unquantised_bits(tensor: Tensor, weight_format: WeightFormat) -> int:
    """Bits of an element of a tensor that the format does not quantise."""
    return weight_format.other_bits if tensor.dtype is None else BITS_OF_DTYPE[tensor.dtype]


PER_LAYER = "_per_layer"
"""Ending of embeddings that feed every layer: they are no head, tied or not."""


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
        or (
            model.tied_embeddings
            and stage.is_last
            and tensor.shard == "vocab"
            and not tensor.name.endswith(PER_LAYER)
        )
    )


def weights_formula(scenario: Scenario, stage: Stage) -> tuple[int, Formula]:
    """Return the weight bytes of each rank of a stage and the formula that gives them."""
    return rank_weights(scenario.model, scenario.precision, scenario.deployment.tp, stage)


@lru_cache(maxsize=128)
def rank_weights(
    model: ModelSpec, precision: Precision, tp: int, stage: Stage
) -> tuple[int, Formula]:
    """Return the decoder's weight bytes of each of `tp` ranks of a stage, and their formula."""
    source = Source("model", model.id)
    terms: list[Term] = []
    parts: list[str] = []
    total = 0
    for number, run in enumerate(stage.runs, start=1):
        suffix = "" if len(stage.runs) == 1 else f"_{number}"
        layer_bytes, layer_terms = _tensor_terms(run.tensors, model, precision, tp, run.mixer)
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
        outside_bytes, outside_terms = _tensor_terms(outside, model, precision, tp, None)
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


@lru_cache(maxsize=64)
def component_bytes(
    model: ModelSpec, precision: Precision, tp: int, component: Component, *, shared: bool = False
) -> int:
    """Bytes of a tower or draft module on a rank; `shared`: embedding and head are the model's."""
    weight_format = precision.weights.for_model(has_experts=model.moe is not None)
    left_alone = precision.left_alone or ()

    def size(tensors: tuple[Tensor, ...] | tuple[StageTensor, ...], mixer: Mixer | None) -> int:
        own = (t for t in tensors if not (shared and t.shard == "vocab"))
        return sum(tensor_bytes(t, weight_format, tp, mixer, left_alone) for t in own)

    layers = sum(run.count * size(run.tensors, run.mixer) for run in component.layers)
    return layers + size(component.tensors, None)


def tower_bytes(model: ModelSpec, precision: Precision, tp: int) -> dict[str, int]:
    """Bytes on a rank of the vision and audio towers that a model has, by the symbol of each."""
    towers = (("vision_tower_bytes", model.vision), ("audio_tower_bytes", model.audio))
    return {
        symbol: component_bytes(model, precision, tp, tower)
        for symbol, tower in towers
        if tower is not None
    }


def with_parts(
    model: ModelSpec, size: int, formula: Formula, parts: Mapping[str, int]
) -> tuple[int, Formula]:
    """Add towers and a draft module, in bytes by symbol, to a decoder's weights."""
    if not parts:
        return size, formula
    source = Source("model", model.id)
    decoder = Term("decoder_bytes", size, "bytes", Evidence.COMPUTED, source, None, formula)
    terms = (
        decoder,
        *(Term(name, part, "bytes", Evidence.COMPUTED, source) for name, part in parts.items()),
    )
    return size + sum(parts.values()), Formula(_sum_of(terms), terms)


@lru_cache(maxsize=128)
def routed_bytes(model: ModelSpec, precision: Precision, tp: int, stage: Stage) -> int:
    """Bytes of a stage's routed experts on each of `tp` ranks."""
    weight_format = precision.weights.for_model(has_experts=model.moe is not None)
    left_alone = precision.left_alone or ()
    return sum(
        run.count * tensor_bytes(tensor, weight_format, tp, run.mixer, left_alone)
        for run in stage.runs
        for tensor in run.tensors
        if tensor.shard in ROUTED
    )


def _tensor_terms(
    tensors: tuple[Tensor, ...] | tuple[StageTensor, ...],
    model: ModelSpec,
    precision: Precision,
    tp: int,
    mixer: Mixer | None,
) -> tuple[int, tuple[Term, ...]]:
    """Bytes on a rank of each tensor class, as terms of a sum."""
    left_alone = precision.left_alone or ()
    weight_format = precision.weights.for_model(has_experts=model.moe is not None)
    terms = tuple(
        Term(
            tensor.name,
            tensor_bytes(tensor, weight_format, tp, mixer, left_alone),
            "bytes",
            Evidence.COMPUTED,
            Source("tensor", _shape_text(tensor, tp, mixer, weight_format, left_alone)),
        )
        for tensor in tensors
    )
    return sum(int(term.value) for term in terms), terms


def _shape_text(
    tensor: Tensor,
    tp: int,
    mixer: Mixer | None,
    weight_format: WeightFormat,
    left_alone: tuple[str, ...],
) -> str:
    """Numbers only: "4096 × 1024 · bf16"."""
    shape = " × ".join(str(width) for width in rank_shape(tensor, tp, mixer))
    copies = "" if tensor.copies == 1 else f"{tensor.copies} × "
    storage = storage_of(tensor, weight_format, left_alone)
    kept = tensor.dtype or (f"{weight_format.other_bits} bit" if storage is None else "")
    return f"{copies}{shape} · {kept or weight_format.id}"


def _sum_of(terms: tuple[Term, ...]) -> str:
    return " + ".join(f"{{{term.symbol}}}" for term in terms) or "0"

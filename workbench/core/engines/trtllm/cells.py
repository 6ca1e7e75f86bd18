"""Bytes that a token takes in the cache of one rank, layer by layer.

    heads   2 × head size × ⌈KV heads ÷ TP⌉ × bytes of an element     (TP 1 with attention DP)
    latent  (KV rank + rotary part) × bytes of an element              on every rank
NVFP4 adds one byte for each block of 16 elements. The cache knows nothing of a model's sliding
windows: without `max_attention_window` every softmax layer keeps every token.
Source: TensorRT-LLM about 1.0 `pyexecutor/resource_manager.py`, tensorrt-llm.md §2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.core.memory.kv import vector_bytes
from workbench.core.memory.shares import Stage, kv_heads_on_rank
from workbench.spec.formats import KvFormat
from workbench.spec.layers import (
    ChunkedAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    SlidingAttention,
    SoftmaxAttention,
)
from workbench.spec.model import LayerRun, ModelSpec

Kind = Literal["full", "latent"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What one layer keeps of a token on a rank."""

    kind: Kind
    bytes: int


def unplanned(model: ModelSpec, *, with_draft: bool) -> str | None:
    """Name what the cache manager that was read has no rule for, or None.

    It keeps one head size for all layers and one for keys and values; recurrent states, shared,
    cross and compressed caches and indexer keys have managers of their own that were not read.
    """
    runs = _runs(model, with_draft=with_draft)
    sizes = set()
    for run in runs:
        mixer = run.mixer
        if not isinstance(mixer, SoftmaxAttention | LatentAttention | NoMixer):
            return f"layers of kind {mixer.kind}"
        if mixer.kind == "cross":
            return "layers of kind cross"
        if isinstance(mixer, NoMixer):
            continue
        if mixer.indexer is not None:
            return "layers with a sparse indexer"
        if isinstance(mixer, SoftmaxAttention):
            if mixer.value_dim != mixer.head_dim or mixer.values_are_keys:
                return "value heads of another size than key heads"
            sizes.add(mixer.head_dim)
    return "layers of several head sizes" if len(sizes) > 1 else None


def cell_of(mixer: Mixer, kv_format: KvFormat, tp: int) -> Cell | None:
    """Return the cell of a layer on one of `tp` ranks that share its heads; None without KV."""
    match mixer:
        case FullAttention() | SlidingAttention() | ChunkedAttention():
            head = _vector(mixer.head_dim, kv_format.k_bits, kv_format) + _vector(
                mixer.head_dim, kv_format.v_bits, kv_format
            )
            return Cell("full", kv_heads_on_rank(mixer.kv_heads, tp) * head)
        case LatentAttention():
            row = mixer.kv_lora_rank + mixer.qk_rope_head_dim
            return Cell("latent", _vector(row, kv_format.k_bits, kv_format))
        case _:
            return None


def _vector(elements: int, bits: int, kv_format: KvFormat) -> int:
    """Bytes of a vector: the engine's int8 and fp8 caches have one scale a tensor, none a head."""
    return vector_bytes(elements, bits, 0, kv_format)


def cells_of_stage(
    model: ModelSpec, stage: Stage, kv_format: KvFormat, tp: int, *, with_draft: bool
) -> tuple[Cell, ...]:
    """Return the cells of a stage's attention layers in order, a draft's last on the last stage."""
    runs = stage.runs
    if with_draft and stage.is_last and model.draft is not None:
        runs += model.draft.layers
    cells = ((cell_of(run.mixer, kv_format, tp), run.count) for run in runs)
    return tuple(cell for cell, count in cells if cell is not None for _ in range(count))


def _runs(model: ModelSpec, *, with_draft: bool) -> tuple[LayerRun, ...]:
    draft = model.draft.layers if with_draft and model.draft is not None else ()
    return model.layers + draft

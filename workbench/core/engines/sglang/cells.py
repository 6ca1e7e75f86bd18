"""Bytes that one token takes on a rank: the cell by which SGLang divides its memory.

    heads    max(1, ⌊KV heads ÷ attention TP⌋) × (key + value) × layers × bytes
    latent   (rank + rope) × layers × bytes, whole on every rank
    sparse   a latent row, its scales in fp8, and a key row of the indexer
    fp4      half of the bytes at one byte an element, and a scale for 16 elements
    mxfp8    a scale for 32 elements
    windows  full bytes × full layers + ratio × window bytes × window layers
    draft    cell × layers of the draft ÷ layers, from 0.5.11

Source: SGLang `model_executor/pool_configurator.py` (0.5.23), `model_runner_kv_cache_mixin.py`
(0.5.10.post1), `model_runner.py:profile_max_num_token` (0.4.9.post2, 0.5.5.post3); sglang.md §3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from workbench.core.engines.sglang.defaults import Flags, has_state
from workbench.core.memory.shares import Stage
from workbench.spec.formats import KvFormat
from workbench.spec.layers import (
    ChunkedAttention,
    CompressedAttention,
    FullAttention,
    LatentAttention,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
)
from workbench.spec.model import LayerRun, ModelSpec
from workbench.spec.sglang import SglangEngine, SglangRules

Kind = Literal["full", "sliding", "chunked", "latent", "compressed"]

_FP4_GROUP = 16
_MXFP8_GROUP = 32
_SPARSE_GROUP = 128
"""Elements of a latent row that share a scale beside a sparse indexer."""
_STATES = ("mamba2", "gdn", "kda", "conv")
"""Families of recurrent layers whose states SGLang keeps in its slots."""
_ROPE_BYTES = 2
"""The rotary part of such a row stays in 16 bits."""


class NoCell(Exception):
    """SGLang has no rule for these layers or this number format; `reason` names them."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Kept:
    """Layers of one stage that keep the same of a request: bytes of a token in each of them."""

    kind: Kind
    layers: int
    layer_bytes: int
    reach_tokens: int = 0
    """Tokens that layers with a pool for windows keep; 0: every token."""


@dataclass(frozen=True, slots=True)
class Window:
    """A pool of its own for layers with windows."""

    tokens: int
    full_layers: int
    window_layers: int
    ratio: float
    """Tokens of the window pool for each of the full pool."""
    full_bytes: int
    """Bytes of a token in all full layers, those of the draft included."""
    window_bytes: int

    @property
    def all_bytes(self) -> int:
        """Bytes of a token that every layer keeps."""
        return self.full_bytes + self.window_bytes


@dataclass(frozen=True, slots=True)
class Cell:
    """What a token takes on a rank of one stage."""

    charged: int | float
    """By which the engine divides; a float where it is one in the engine."""
    stored_bytes: int
    """What a token of every layer really takes; more than charged where a release undercounts."""
    kept: tuple[Kept, ...]
    draft_bytes: int = 0
    """Of `charged` and `stored_bytes`, the draft's."""
    window: Window | None = None
    layers: int = 0
    """Layers that have a place in the pool."""
    index_bytes: int = 0
    """Key row of a sparse indexer in one layer."""


def attention_tp(tp: int, flags: Flags) -> int:
    """Ranks that share the heads: TP, divided by DP attention."""
    return max(1, tp // flags.dp_attention)


def cell_of(
    model: ModelSpec, stage: Stage, kv: KvFormat, engine: SglangEngine, flags: Flags, tp: int
) -> Cell:
    """Return the cell of a stage. Raises `NoCell` for what there is no rule for."""
    rules = engine.rules
    _check(model, rules, kv)
    runs = _counted(model, stage)
    heads = attention_tp(tp, flags)
    if any(isinstance(run.mixer, CompressedAttention) for run in model.layers):
        return _compressed(engine, stage)
    latent = [(m, run.count) for run in runs if isinstance(m := run.mixer, LatentAttention)]
    if any(isinstance(run.mixer, LatentAttention) for run in model.layers):
        cell = _latent(latent, kv, rules, flags)
        return _with_draft(cell, model, engine, flags)
    windows = windows_of(model, engine, flags)
    if windows is not None:
        return _windowed(model, runs, kv, flags, rules, heads, windows)
    cell = _heads(model, runs, kv, rules, heads)
    return _with_draft(cell, model, engine, flags)


# What is counted


def _check(model: ModelSpec, rules: SglangRules, kv: KvFormat) -> None:
    for run in model.layers:
        mixer = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
        if mixer.kind == "cross":
            raise NoCell("layers of kind cross")
        if isinstance(mixer, FullAttention | SlidingAttention | ChunkedAttention):
            if mixer.indexer is not None:
                raise NoCell(f"layers of kind {mixer.kind} with an indexer")
            if mixer.values_are_keys:
                raise NoCell(f"layers of kind {mixer.kind} with one vector for key and value")
        state = run.mixer.state if isinstance(run.mixer, ParallelMixer) else run.mixer
        if isinstance(state, RecurrentState):
            if rules.state_rule == "none":
                raise NoCell("layers of kind state")
            if state.variant not in _STATES:
                raise NoCell(f"layers of kind state ({state.variant})")
    _element(kv)


def _counted(model: ModelSpec, stage: Stage) -> list[LayerRun]:
    """Layers that have a place in the pool: all, but of hybrids those with attention only."""
    if not has_state(model):
        return list(stage.runs)
    return [run for run in stage.runs if not isinstance(run.mixer, RecurrentState | NoMixer)]


def _element(kv: KvFormat) -> int:
    """Bytes of an element as the engine counts them; a 4-bit one counts as 1 and is halved."""
    if kv.k_bits != kv.v_bits or kv.k_head_scale_bytes or kv.v_head_scale_bytes:
        raise NoCell(f"KV format {kv.id}")
    if kv.slot_multiple_bytes is not None or kv.edge_layers_left is not None:
        raise NoCell(f"KV format {kv.id}")
    if kv.group_elements is None:
        if kv.k_bits in (8, 16, 32):
            return kv.k_bits // 8
    elif (kv.k_bits, kv.group_elements, kv.group_scale_bytes) in (
        (4, _FP4_GROUP, 1),
        (8, _MXFP8_GROUP, 1),
    ):
        return 1
    raise NoCell(f"KV format {kv.id}")


def _sized(elements: int, kv: KvFormat) -> int:
    """Bytes of so many elements with their scales, as the engine rounds them."""
    size = elements * _element(kv)
    if kv.k_bits == 4:
        return size // 2 + size // _FP4_GROUP
    return size + elements // _MXFP8_GROUP if kv.group_elements else size


# Heads


def _attention(
    run: LayerRun,
) -> FullAttention | SlidingAttention | ChunkedAttention | SharedCache | None:
    mixer = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
    known = FullAttention | SlidingAttention | ChunkedAttention | SharedCache
    return mixer if isinstance(mixer, known) else None


def _elements(
    attention: FullAttention | SlidingAttention | ChunkedAttention | SharedCache,
    rules: SglangRules,
    tp: int,
) -> int:
    """Elements of a token in one layer: key and value of the heads on a rank."""
    heads = max(1, attention.kv_heads // tp)
    value = attention.v_head_dim or attention.head_dim
    if rules.value_heads == "as_keys":
        value = attention.head_dim
    return heads * (attention.head_dim + value)


def _heads(
    model: ModelSpec, runs: list[LayerRun], kv: KvFormat, rules: SglangRules, tp: int
) -> Cell:
    """Every layer has the shape of the first full one: the engine asks the config once."""
    shapes = [
        attention
        for run in model.layers
        if (attention := _attention(run)) is not None and not isinstance(attention, SharedCache)
    ]
    if not shapes:
        raise NoCell("a model without attention")
    first = next((shape for shape in shapes if shape.kind == "full"), shapes[0])
    elements = _elements(first, rules, tp)
    layers = sum(run.count for run in runs)
    if len({_elements(shape, rules, tp) for shape in shapes}) > 1:
        raise NoCell("layers of different head sizes without a window pool")
    size = _sized(elements * layers, kv)
    # Without a pool for windows, layers that have one hold every token as well.
    kept = (Kept("full", layers, size // layers),) if layers else ()
    return Cell(size, size, kept, layers=layers)


# Latent rows


def _latent(
    layers: list[tuple[LatentAttention, int]], kv: KvFormat, rules: SglangRules, flags: Flags
) -> Cell:
    """Latent rows and, beside a sparse indexer, its key rows (one byte an element, scaled)."""
    charged = stored = indexed = index_bytes = 0
    rows: dict[int, int] = {}
    for mixer, count in layers:
        counted, each = _row_bytes(mixer, count, kv, rules, flags)
        charged, stored = charged + counted, stored + each * count
        rows[each] = rows.get(each, 0) + count
        if mixer.indexer is None:
            continue
        width = mixer.indexer.head_dim
        index_bytes = width + width // _SPARSE_GROUP * 4
        if rules.index_rows == "every_layer" or not mixer.indexer.shared_with_previous:
            indexed += count
    kept = [Kept("latent", count, each) for each, count in rows.items()]
    if indexed:
        kept.append(Kept("latent", indexed, index_bytes))
    index = indexed * index_bytes
    total = sum(count for _, count in layers)
    return Cell(charged + index, stored + index, tuple(kept), layers=total, index_bytes=index_bytes)


def _row_bytes(
    mixer: LatentAttention, count: int, kv: KvFormat, rules: SglangRules, flags: Flags
) -> tuple[int, int]:
    """Bytes that rows of `count` layers are charged with, and what one of them stores."""
    elements = mixer.kv_lora_rank + mixer.qk_rope_head_dim
    if kv.k_bits == 4:
        charged = elements * count // 2 + elements // _FP4_GROUP * count
        return charged, charged // count
    charged = _sized(elements * count, kv)
    if mixer.indexer is None or kv.k_bits != 8 or flags.attention_backend == "trtllm_mla":
        return charged, charged // count
    scales = mixer.kv_lora_rank // _SPARSE_GROUP * 4
    stored = mixer.kv_lora_rank + scales + mixer.qk_rope_head_dim * _ROPE_BYTES
    return (stored * count if rules.sparse_rows == "stored" else charged), stored


def _compressed(engine: SglangEngine, stage: Stage) -> Cell:
    """DeepSeek-V4: what a start-up log prints as bytes_per_full_token."""
    size = engine.bytes_per_full_token
    if size is None:
        raise NoCell("layers of kind compressed without bytes_per_full_token")
    return Cell(size, size, (Kept("compressed", stage.layer_count, size // stage.layer_count),))


# Windows


def windows_of(model: ModelSpec, engine: SglangEngine, flags: Flags) -> tuple[int, float] | None:
    """Tokens of the window and of its pool for each full one; None without a pool of its own.

    Up to 0.5.8 Llama-4 has one with --hybrid-kvcache-ratio q alone, (1 − q) + q × chunk ÷ context
    tokens for each full one (`set_num_token_hybrid`).
    """
    if engine.disable_hybrid_swa_memory or has_state(model):
        return None
    reaches = [reach for run in model.layers if (reach := _reach(run)) is not None]
    if not reaches:
        return None
    chunked = any(isinstance(run.mixer, ChunkedAttention) for run in model.layers)
    if chunked and engine.rules.chunk_split:
        share, context = engine.hybrid_kvcache_ratio or 0.0, flags.max_model_len
        if not share or context <= max(reaches):
            return None
        return max(reaches), (1 - share) + share * max(reaches) / context
    if model.architecture not in engine.rules.window_architectures:
        return None
    return max(reaches), flags.swa_full_tokens_ratio


def _reach(run: LayerRun) -> int | None:
    match run.mixer:
        case SlidingAttention():
            return run.mixer.window_tokens
        case ChunkedAttention():
            return run.mixer.chunk_tokens
        case SharedCache():
            return run.mixer.window_tokens
        case _:
            return None


def _first_shape(
    model: ModelSpec, *, windowed: bool
) -> FullAttention | SlidingAttention | ChunkedAttention | None:
    """Shape of the first layer with a window, or of the first without one."""
    for run in model.layers:
        attention = _attention(run)
        if attention is None or isinstance(attention, SharedCache):
            continue
        if (_reach(run) is not None) == windowed:
            return attention
    return None


def _windowed(
    model: ModelSpec,
    runs: list[LayerRun],
    kv: KvFormat,
    flags: Flags,
    rules: SglangRules,
    tp: int,
    windows: tuple[int, float],
) -> Cell:
    """Two pools: full layers, and layers with windows."""
    window_tokens, ratio = windows
    full_shape, window_shape = (_first_shape(model, windowed=which) for which in (False, True))
    window_layers = sum(run.count for run in runs if _reach(run) is not None)
    full_layers = sum(run.count for run in runs) - window_layers
    full_each = 0 if full_shape is None else _sized(_elements(full_shape, rules, tp), kv)
    window_each = 0 if window_shape is None else _sized(_elements(window_shape, rules, tp), kv)
    drafts = draft_layers_of(model, flags) if rules.draft_pool == "cell" else 0
    draft = drafts * (full_each if full_shape is not None else window_each)
    full, window = full_each * full_layers, window_each * window_layers
    chunked = any(isinstance(run.mixer, ChunkedAttention) for run in model.layers)
    kept: tuple[Kept, ...] = (
        Kept("full", full_layers, full_each),
        Kept("chunked" if chunked else "sliding", window_layers, window_each, window_tokens),
    )
    if draft:
        kept += (Kept("full", drafts, draft // drafts),)
    if full_shape is None:
        # Every layer has a window: the pool is that of the windows, without a ratio.
        total = window + draft
        pool = Window(window_tokens, 0, window_layers, 1.0, draft, window)
        return Cell(total, total, kept[1:], draft, pool, window_layers)
    pool = Window(window_tokens, full_layers, window_layers, ratio, full + draft, window)
    stored = full + draft + window
    layers = full_layers + window_layers
    return Cell(full + draft + ratio * window, stored, kept, draft, pool, layers)


# Draft


def draft_layers_of(model: ModelSpec, flags: Flags) -> int:
    """Attention layers of the draft: those of the model's own module, else one."""
    if not flags.drafts:
        return 0
    if flags.draft_layers is not None:
        return flags.draft_layers
    if model.draft is None:
        return 1
    return max(1, sum(run.count for run in model.draft.layers))


def _with_draft(cell: Cell, model: ModelSpec, engine: SglangEngine, flags: Flags) -> Cell:
    """Add the draft's share: its layers have the target's cell, and each a row of the indexer."""
    drafts = draft_layers_of(model, flags)
    if not drafts or not cell.layers or engine.rules.draft_pool == "beside":
        return cell
    index = sum(part.layers for part in cell.kept if part.layer_bytes == cell.index_bytes)
    rows = int(cell.charged) - index * cell.index_bytes
    draft = int(rows * drafts / cell.layers) + drafts * cell.index_bytes
    return replace(
        cell,
        charged=cell.charged + draft,
        stored_bytes=cell.stored_bytes + draft,
        kept=(*cell.kept, Kept(cell.kept[0].kind, drafts, draft // drafts)),
        draft_bytes=draft,
    )

"""Bytes a layer takes in one block, and how many tokens a block holds (§3.6, §4.1 to §4.5).

Formulas: vLLM 0.33.0 `v1/kv_cache_interface.py`, `_align_hybrid_block_size` and
`update_block_size_for_backend` in `platforms/interface.py`; older rules are switches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import lcm, prod
from typing import Literal

from workbench.core.engines.vllm.inputs import PlanInputs, Unsupported, default_block_tokens
from workbench.core.engines.vllm.layers import (
    AttentionKv,
    IndexKv,
    KvLayer,
    LatentKv,
    NoKv,
    StateKv,
)
from workbench.spec.kv_format import KvFormat

PageKind = Literal["full", "latent", "index", "sliding", "chunked", "cross", "state"]
MIN_LATENT_ALIGNMENT_TOKENS = 128
"""Latent kernels read blocks of at least this many tokens when a state sets the block."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one layer takes of each block. Layers with equal pages can share a group."""

    kind: PageKind
    block_tokens: int
    page_bytes: int
    """Padding included."""
    layer: KvLayer = field(compare=False)
    """A layer that has it; others may differ in what no rank sees."""
    seen: tuple[object, ...] = ()
    """What the engine's own description of the layer holds on a rank, beside its sizes."""
    reach_tokens: int = 0
    """Window or chunk; on a promoted layer, what it still computes with."""
    promoted_from: Literal["sliding", "chunked"] | None = None

    @property
    def is_full(self) -> bool:
        """Whether a request keeps all its tokens here: full, latent and index rows."""
        return self.kind in ("full", "latent", "index")


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of all layers, in order, and the block size the engine settles on."""

    block_tokens: int
    runs: tuple[tuple[Page, int, int], ...]
    """Page, first entry, and how many entries in a row."""


def pages_of(inputs: PlanInputs) -> Pages:
    """Return block size and pages; `Unsupported` where the release has no rule for a layer."""
    rules = inputs.rules
    block = inputs.block_tokens or default_block_tokens(inputs)
    state_page = 0
    if inputs.has_states:
        if not rules.state_layers and rules.core == "v1":
            raise Unsupported("state")
        if rules.state_layers:
            block, state_page = _aligned_to_states(inputs, block)
    block, shared_page = _aligned_to_left_layers(inputs, block, state_page)
    made: dict[KvLayer, Page | None] = {}
    runs: list[tuple[Page, int, int]] = []
    first = 0
    for layer, count in inputs.layers:
        if layer not in made:
            made[layer] = _page(layer, inputs, block, state_page, shared_page)
        page = made[layer]
        if page is not None:
            runs.append((page, first, count))
        first += count
    return Pages(block, tuple(runs))


def _page(
    layer: KvLayer, inputs: PlanInputs, block: int, state_page: int, shared_page: int
) -> Page | None:
    match layer:
        case NoKv():
            return None
        case StateKv():
            if not inputs.rules.state_layers:
                return None
            tokens = block if states_align(inputs) else inputs.max_model_len
            size = max(state_page, state_bytes(layer, inputs))
            return Page("state", tokens, size, layer, seen_on_rank(layer, inputs))
        case LatentKv():
            seen = seen_on_rank(layer, inputs)
            return Page("latent", block, block * token_bytes(layer, inputs), layer, seen)
        case IndexKv():
            seen = seen_on_rank(layer, inputs)
            return Page("index", block, block * token_bytes(layer, inputs), layer, seen)
        case AttentionKv():
            return _attention_page(layer, inputs, block, shared_page)


def _attention_page(layer: AttentionKv, inputs: PlanInputs, block: int, shared_page: int) -> Page:
    tokens = block
    each = token_bytes(layer, inputs)
    if inputs.rules.core == "v0":
        # V0 keeps every token of every layer.
        return Page("full", block, block * each, layer, seen_on_rank(layer, inputs))
    if shared_page and not layer.quantised:
        tokens = inputs.kernels[0].within(shared_page // each)
    elif layer.kind == "sliding" and inputs.rules.sliding_own_block:
        tokens = inputs.kernels[0].within(block)
    size = max(shared_page, tokens * each)
    seen = seen_on_rank(layer, inputs)
    return Page(layer.kind, tokens, size, layer, seen, layer.reach_tokens)


def seen_on_rank(
    layer: AttentionKv | LatentKv | IndexKv | StateKv, inputs: PlanInputs
) -> tuple[object, ...]:
    """Return what tells two layers apart in the engine's eyes: sizes on a rank, not the model's.

    Heads are divided by TP first, so 4 and 8 KV heads are one description at TP 8; a value size
    that the release ignores, and a checkpoint that it does not have, tell nothing apart.
    """
    match layer:
        case LatentKv():
            return (1, layer.latent + layer.rope)
        case IndexKv():
            return (1, layer.index_dim)
        case AttentionKv():
            heads = heads_on_rank(layer, inputs)
            return (heads, layer.k_dim, value_dim(layer, inputs), layer.quantised)
        case StateKv():
            types = (layer.conv_element_bytes, layer.state_element_bytes)
            return (layer.family, state_shapes(layer, inputs), types, checkpoints(layer, inputs))


def heads_on_rank(layer: AttentionKv, inputs: PlanInputs) -> int:
    """KV heads of a rank; one is copied when TP exceeds the heads (§3.2)."""
    return max(1, layer.kv_heads // inputs.tp)


def value_dim(layer: AttentionKv, inputs: PlanInputs) -> int:
    """Size of a value head as the release sees it."""
    rule = inputs.rules.value_heads
    own_size = rule == "own" or (rule == "full_only" and layer.kind == "full")
    return layer.v_dim if own_size else layer.k_dim


def checkpoints(layer: StateKv, inputs: PlanInputs) -> int:
    """Blocks more for a checkpoint of the prefill, in releases that have one (§4.6)."""
    return layer.checkpoint_blocks if inputs.rules.state_blocks == "mode_and_checkpoint" else 0


def token_bytes(layer: AttentionKv | LatentKv | IndexKv, inputs: PlanInputs) -> int:
    """Bytes that one token takes in a layer on one rank (§4.1)."""
    kv = inputs.kv
    match layer:
        case IndexKv():
            # One byte an element and a float32 scale for every 128.
            return layer.index_dim + 4 * layer.index_dim // 128
        case LatentKv():
            if kv.latent_row_bytes is not None:
                return kv.latent_row_bytes
            if kv.stores is not None or kv.group_elements is not None:
                raise Unsupported(f"{kv.id} on latent layers")
            multiple = inputs.rules.latent_row_elements
            elements = -(-(layer.latent + layer.rope) // multiple) * multiple
            scales = kv.k_head_scale_bytes + kv.v_head_scale_bytes
            return elements * _bits(kv.k_bits, inputs) // 8 + scales
        case AttentionKv():
            heads, v_dim = heads_on_rank(layer, inputs), value_dim(layer, inputs)
            if not layer.quantised:
                return heads * (layer.k_dim + v_dim) * inputs.model_element_bytes
            return heads * _slot_bytes(kv, layer.k_dim, v_dim, inputs)


def _bits(bits: int, inputs: PlanInputs) -> int:
    """Bits of an element; an unquantised cache has the model's own type."""
    return bits if bits < 16 else 8 * inputs.model_element_bytes


def _slot_bytes(kv: KvFormat, k_dim: int, v_dim: int, inputs: PlanInputs) -> int:
    """Bytes of the key and the value of one head, scales included."""
    if kv.stores in ("compressed", "latent"):
        raise Unsupported(f"{kv.id} on attention layers")
    if kv.equal_head_sizes and k_dim != v_dim:
        raise Unsupported(f"{kv.id} with key and value heads of different sizes")
    key = _vector_bytes(kv, k_dim, _bits(kv.k_bits, inputs)) + kv.k_head_scale_bytes
    value = _vector_bytes(kv, v_dim, _bits(kv.v_bits, inputs)) + kv.v_head_scale_bytes
    multiple = kv.slot_multiple_bytes or 1
    return -(-(key + value) // multiple) * multiple


def _vector_bytes(kv: KvFormat, elements: int, bits: int) -> int:
    """Bytes of one vector; only slots of a given multiple round a broken byte up."""
    if kv.slot_multiple_bytes:
        return -(-elements * bits // 8)
    size = elements * bits // 8
    if kv.group_elements:
        size += elements // kv.group_elements * kv.group_scale_bytes
    return size


def state_shapes(layer: StateKv, inputs: PlanInputs) -> tuple[tuple[int, ...], ...]:
    """Shapes of the state tensors on one rank (§4.2), the convolutions first."""
    tp, rules = inputs.tp, inputs.rules
    shapes: list[tuple[int, ...]] = []
    if layer.conv_rows:
        rows = layer.conv_rows
        if layer.family in rules.wider_conv:
            rows += inputs.speculative_tokens
        # Every rank needs whole groups, so they are copied up to a multiple of the ranks.
        groups = -(-layer.groups // tp) * tp
        width = (layer.conv_channels + groups * layer.group_channels) // tp
        tensors = rules.kda_convolutions if layer.family == "kda" else 1
        shapes += [(rows, width // tensors)] * tensors
    if layer.state_shape:
        shapes.append((layer.state_shape[0] // tp, *layer.state_shape[1:]))
    return tuple(shapes)


def state_bytes(layer: StateKv, inputs: PlanInputs) -> int:
    """Bytes of a recurrent layer's state on one rank, unpadded."""
    *convolutions, last = state_shapes(layer, inputs)
    if not layer.state_shape:
        convolutions, last = [*convolutions, last], ()
    size = sum(prod(shape) for shape in convolutions) * layer.conv_element_bytes
    return size + (prod(last) * layer.state_element_bytes if last else 0)


def states_align(inputs: PlanInputs) -> bool:
    """Whether states are kept at block boundaries, for prefix caching."""
    return inputs.caches_prefixes and inputs.rules.state_blocks != "one"


def _aligned_to_states(inputs: PlanInputs, block: int) -> tuple[int, int]:
    """Raise the block until attention fills a state's page (§4.3).

    Returns the block in tokens and the padded page of a state, 0 without attention layers.
    """
    attention = next(
        (layer for layer, _ in inputs.layers if isinstance(layer, AttentionKv | LatentKv)), None
    )
    state = next(layer for layer, _ in inputs.layers if isinstance(layer, StateKv))
    if attention is None:
        return block, 0
    latent = isinstance(attention, LatentKv)
    each = _alignment_token_bytes(attention, inputs)
    state_page = state_bytes(state, inputs)
    rule = inputs.rules.state_alignment
    smallest = inputs.kernels[0].smallest
    if rule == "kernel":
        step = max(smallest, block, MIN_LATENT_ALIGNMENT_TOKENS if latent else 1)
        if inputs.caches_prefixes:
            step = lcm(step, inputs.prefill_checkpoint_tokens)
        raised = step * -(-state_page // (step * each))
        common = lcm(*(kernel.smallest for kernel in inputs.kernels))
        raised = common * -(-raised // common)
    else:
        step = (128 if smallest == 128 else 64) if latent else 16
        chunks = rule == "fixed_or_chunk" or inputs.every_state_cached
        if chunks and inputs.caches_prefixes:
            chunk = lcm(inputs.rules.state_chunk_tokens, step)
            tokens = -(-state_page // each)
            raised = chunk * -(-tokens // chunk)
        else:
            raised = step * -(-state_page // (step * each))
    block = max(block, raised)
    return block, block * each


def _alignment_token_bytes(layer: AttentionKv | LatentKv, inputs: PlanInputs) -> int:
    """Bytes a token as the alignment sees them: packed latent formats count one an element."""
    if isinstance(layer, LatentKv) and inputs.kv.latent_row_bytes is not None:
        return layer.latent + layer.rope
    return token_bytes(layer, inputs)


def _aligned_to_left_layers(inputs: PlanInputs, block: int, state_page: int) -> tuple[int, int]:
    """Widen the block where some attention layers are left unquantised (§4.5).

    Returns the block in tokens and the page that all attention layers then share, 0 if the
    layers are all of a kind.
    """
    layers = [layer for layer, _ in inputs.layers if isinstance(layer, AttentionKv)]
    quantised = max((token_bytes(a, inputs) for a in layers if a.quantised), default=0)
    left = max((token_bytes(a, inputs) for a in layers if not a.quantised), default=0)
    if not quantised or left <= quantised:
        return block, 0
    smallest = inputs.kernels[0].smallest
    step = max(smallest, block)
    required = max(left * smallest, state_page)
    block = step * -(-required // (step * quantised))
    return block, block * quantised

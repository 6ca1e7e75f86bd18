"""What each layer keeps for a token, in elements and in exact block bytes.

Sources: llama.cpp `src/llama-kv-cache.cpp`, `src/llama-hparams.cpp` (`n_embd_k_gqa`,
`n_embd_v_gqa`, `n_embd_r`, `n_embd_s`), `ggml/src/ggml.c` (`ggml_row_size`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Final

from workbench.spec.layers import (
    ChunkedAttention,
    CompressedAttention,
    CrossAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
)
from workbench.spec.llamacpp import CacheType, LlamacppRules

BLOCKS: Final[dict[CacheType, tuple[int, int]]] = {
    "f32": (1, 4),
    "f16": (1, 2),
    "bf16": (1, 2),
    "q8_0": (32, 34),
    "q5_1": (32, 24),
    "q5_0": (32, 22),
    "q4_1": (32, 20),
    "q4_0": (32, 18),
    "iq4_nl": (32, 18),
}
"""Elements of a block and its bytes."""


@dataclass(frozen=True, slots=True)
class LayerCache:
    """What one layer keeps: rows of a token, and a state of a sequence."""

    key_elements: int = 0
    value_elements: int = 0
    window_tokens: int | None = None
    """None: every token of the context stays."""
    indexer_elements: int = 0
    """Keys of a sparse indexer, in the type of the keys."""
    state_elements: int = 0
    """R and S of a recurrent layer, f32 each, for every sequence."""
    key_head: int = 0
    value_head: int = 0
    """Elements of one head's row, which whole blocks must fill."""

    @property
    def has_cells(self) -> bool:
        """Whether it keeps anything of a token."""
        return bool(self.key_elements or self.value_elements)


def row_bytes(kind: CacheType, elements: int) -> int:
    """Bytes of a row of elements, in whole blocks."""
    block, size = BLOCKS[kind]
    return -(-elements // block) * size


def layer_cache(mixer: Mixer, rules: LlamacppRules) -> LayerCache | str:
    """What a layer keeps; a text names a kind of layer that the engine's cache has no rule for."""
    if isinstance(mixer, ParallelMixer):
        attention = layer_cache(mixer.attention, rules)
        if isinstance(attention, str):
            return attention
        return replace(attention, state_elements=state_elements(mixer.state))
    if isinstance(mixer, LatentAttention):
        return _latent(mixer, rules)
    if isinstance(mixer, RecurrentState):
        return LayerCache(state_elements=state_elements(mixer))
    if isinstance(mixer, NoMixer | SharedCache):
        return LayerCache()
    if isinstance(mixer, CrossAttention | CompressedAttention):
        return f"{mixer.kind} layers"
    return _heads(mixer)


def _heads(mixer: FullAttention | SlidingAttention | ChunkedAttention) -> LayerCache | str:
    if mixer.values_are_keys or mixer.indexer is not None:
        return "layers whose values are their keys" if mixer.values_are_keys else "indexer layers"
    window = None
    if isinstance(mixer, SlidingAttention):
        window = mixer.window_tokens
    elif isinstance(mixer, ChunkedAttention):
        window = mixer.chunk_tokens
    return LayerCache(
        mixer.kv_heads * mixer.head_dim,
        mixer.kv_heads * mixer.value_dim,
        window,
        key_head=mixer.head_dim,
        value_head=mixer.value_dim,
    )


def _latent(mixer: LatentAttention, rules: LlamacppRules) -> LayerCache | str:
    """Full heads until the latent row was cached; then it with its values; then it alone."""
    if rules.latent == "heads":
        key, value = mixer.qk_nope_head_dim + mixer.qk_rope_head_dim, mixer.v_head_dim
        rows = mixer.heads * key, mixer.heads * value
    else:
        key = mixer.kv_lora_rank + mixer.qk_rope_head_dim
        value = mixer.kv_lora_rank if rules.latent == "keys_and_values" else 0
        rows = key, value
    indexer = 0
    if mixer.indexer is not None:
        if not rules.sparse_indexer:
            return "sparse indexer layers"
        indexer = 0 if mixer.indexer.shared_with_previous else mixer.indexer.head_dim
    return LayerCache(*rows, indexer_elements=indexer, key_head=key, value_head=value)


def state_elements(state: RecurrentState) -> int:
    """Elements of R and S of one sequence: the convolution's columns and the recurrent state."""
    return sum(prod(tensor.shape) for tensor in state.tensors)

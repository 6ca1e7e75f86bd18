"""The kinds of layer a decoder is made of, by what each keeps in memory for a request.

Widths are whole-model figures, before tensor parallelism. Every kind is a member of the
tagged union `Mixer`; an architecture that none of them describes is refused, never treated as
plain attention.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Frozen, Name

Width = Annotated[int, Field(ge=1, le=2**40)]
Heads = Annotated[int, Field(ge=1, le=2**20)]
HeadDim = Annotated[int, Field(ge=1, le=2**20)]


class SparseIndexer(Frozen):
    """A small key cache beside the latent one, used to choose which tokens to read."""

    heads: Heads
    head_dim: HeadDim
    shared_with_previous: bool = False


class _Attention(Frozen):
    """Query heads, KV heads and head sizes of a softmax attention layer."""

    heads: Heads
    kv_heads: Heads
    head_dim: HeadDim
    v_head_dim: HeadDim | None = None
    """Size of a value head when it differs from the key head."""
    values_are_keys: bool = False
    """One cached vector serves as key and value."""
    sinks: bool = False
    """A learned sink logit per head."""
    indexer: SparseIndexer | None = None

    @property
    def value_dim(self) -> int:
        """Elements of one value head."""
        return self.head_dim if self.v_head_dim is None else self.v_head_dim


class FullAttention(_Attention):
    """Every token of the context stays in the cache."""

    kind: Literal["full"] = "full"


class SlidingAttention(_Attention):
    """Only the last `window_tokens` tokens stay."""

    kind: Literal["sliding"] = "sliding"
    window_tokens: Width


class ChunkedAttention(_Attention):
    """Tokens attend within their own chunk of `chunk_tokens`."""

    kind: Literal["chunked"] = "chunked"
    chunk_tokens: Width


class LatentAttention(Frozen):
    """Multi-head latent attention: one compressed vector a token, the same for all heads."""

    kind: Literal["latent"] = "latent"
    heads: Heads
    kv_lora_rank: Width
    qk_rope_head_dim: HeadDim
    qk_nope_head_dim: HeadDim
    v_head_dim: HeadDim
    q_lora_rank: Width | None = None
    indexer: SparseIndexer | None = None


class StateTensor(Frozen):
    """One tensor of fixed size that a recurrent layer keeps for a request."""

    name: Name
    shape: tuple[Width, ...] = Field(min_length=1, max_length=8)
    dtype: Name | None = None
    """None takes the engine's default for this kind of state."""
    shard_axis: Annotated[int, Field(ge=0, le=7)] | None = None
    """Axis that tensor parallelism divides; None when every rank keeps the whole."""


class RecurrentState(Frozen):
    """A recurrent layer: a state of fixed size instead of a growing cache."""

    kind: Literal["state"] = "state"
    variant: Literal["mamba1", "mamba2", "gdn", "kda", "lightning", "linear", "conv"]
    tensors: tuple[StateTensor, ...] = Field(min_length=1, max_length=16)
    conv_kernel: Width | None = None
    groups: Width | None = None


class SharedCache(Frozen):
    """Reads the cache that an earlier layer wrote and adds nothing of its own."""

    kind: Literal["shared"] = "shared"
    heads: Heads
    kv_heads: Heads
    head_dim: HeadDim
    v_head_dim: HeadDim | None = None
    source_layer: Annotated[int, Field(ge=0, le=100_000)]
    window_tokens: Width | None = None


class CrossAttention(_Attention):
    """Attends to an encoder's output, kept for the life of the request."""

    kind: Literal["cross"] = "cross"
    encoder_tokens: Width | None = None
    """Longest encoder output; None when it equals the request's own length."""


class CompressedAttention(Frozen):
    """One entry for every `compress_ratio` tokens beyond a window (DeepSeek-V4)."""

    kind: Literal["compressed"] = "compressed"
    heads: Heads
    kv_heads: Heads
    head_dim: HeadDim
    qk_rope_head_dim: HeadDim
    window_tokens: Width
    compress_ratio: Width | None = None
    indexer: SparseIndexer | None = None


class ParallelMixer(Frozen):
    """Attention and a recurrent state side by side in one layer."""

    kind: Literal["parallel"] = "parallel"
    attention: FullAttention | SlidingAttention
    state: RecurrentState


class NoMixer(Frozen):
    """A layer that keeps nothing for a request (feed-forward only)."""

    kind: Literal["none"] = "none"


Mixer = Annotated[
    FullAttention
    | SlidingAttention
    | ChunkedAttention
    | LatentAttention
    | RecurrentState
    | SharedCache
    | CrossAttention
    | CompressedAttention
    | ParallelMixer
    | NoMixer,
    Field(discriminator="kind"),
]

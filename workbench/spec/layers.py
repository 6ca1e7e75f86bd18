"""The kinds of layer a decoder is made of, by what each keeps in memory for a request.

Widths are whole-model figures, before tensor parallelism. Every kind is a member of the
tagged union `Mixer`; an architecture that none of them describes is refused, never treated as
plain attention.
"""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from workbench.spec.base import Frozen, Name, Within

Width = Annotated[int, Within(ge=1, le=2**40)]
Heads = Annotated[int, Within(ge=1, le=2**20)]
HeadDim = Annotated[int, Within(ge=1, le=2**20)]


class SparseIndexer(Frozen):
    """A small key cache beside the latent one, used to choose which tokens to read."""

    heads: Heads
    head_dim: HeadDim
    shared_with_previous: bool = False
    """True where the layer reuses the choice of the layer before and keeps no keys itself."""


class SoftmaxAttention(Frozen):
    """Query heads, KV heads and head sizes of a softmax attention layer."""

    heads: Heads
    kv_heads: Heads
    head_dim: HeadDim
    v_head_dim: HeadDim | None = None
    """Size of a value head when it differs from the key head."""
    values_are_keys: bool = False
    """One cached vector serves as key and value."""
    keys_projected_as_values: bool | None = None
    """True where no value projection exists and values come from the key projection; the cache
    keeps both (Gemma-4 full layers). None means an ordinary value projection."""
    sinks: bool = False
    """A learned sink logit per head."""
    indexer: SparseIndexer | None = None

    @property
    def value_dim(self) -> int:
        """Elements of one value head."""
        return self.head_dim if self.v_head_dim is None else self.v_head_dim


class FullAttention(SoftmaxAttention):
    """Every token of the context stays in the cache."""

    kind: Literal["full"] = "full"


class SlidingAttention(SoftmaxAttention):
    """Only the last `window_tokens` tokens stay."""

    kind: Literal["sliding"] = "sliding"
    window_tokens: Width


class ChunkedAttention(SoftmaxAttention):
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
    dtype: Literal["fp32", "bf16", "fp16"] | None = None
    """None takes the engine's default for this kind of state."""
    shard_axis: Annotated[int, Within(ge=0, le=7)] | None = None
    """Axis that tensor parallelism divides; None when every rank keeps the whole."""

    @field_validator("shard_axis")
    @classmethod
    def _in_shape(cls, axis: int | None, info: ValidationInfo) -> int | None:
        last = len(info.data.get("shape", ())) - 1
        if axis is not None and 0 <= last < axis:
            raise PydanticKnownError("less_than_equal", {"le": last})
        return axis


class RecurrentState(Frozen):
    """A recurrent layer: a state of fixed size instead of a growing cache.

    The tensor "conv" has the shape (channels, kernel - 1); a draft of n tokens widens its last
    axis by n where the engine does so. Mamba-2 channels are
    heads × head_dim + 2 × groups × state_size: tensor parallelism raises the groups (see
    `groups_with`), so those channels do not divide like the others.
    """

    kind: Literal["state"] = "state"
    variant: Literal["mamba1", "mamba2", "gdn", "kda", "lightning", "linear", "conv"]
    tensors: tuple[StateTensor, ...] = Field(min_length=1, max_length=16)
    conv_kernel: Width | None = None
    groups: Width | None = None
    """B and C groups of Mamba-2."""
    heads: Heads | None = None
    """Heads of the state (value heads of a gated delta rule)."""
    head_dim: HeadDim | None = None
    state_size: Width | None = None
    """Elements of a state row (d_state of Mamba, key size of a gated delta rule)."""

    @property
    def group_rows(self) -> int:
        """Rows of B and C together, before tensor parallelism; 0 without groups."""
        return 2 * (self.groups or 0) * (self.state_size or 0)

    def groups_with(self, tp: int) -> int:
        """Groups over all ranks: raised to `tp` or to its next multiple (vllm.md §4.2)."""
        return -(-(self.groups or 0) // tp) * tp


class SharedCache(Frozen):
    """Reads the cache that an earlier layer wrote and adds nothing of its own."""

    kind: Literal["shared"] = "shared"
    heads: Heads
    kv_heads: Heads
    head_dim: HeadDim
    v_head_dim: HeadDim | None = None
    source_layer: Annotated[int, Within(ge=0, le=100_000)]
    window_tokens: Width | None = None


class CrossAttention(SoftmaxAttention):
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

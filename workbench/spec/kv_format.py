"""How the KV cache is stored, with the bytes its scales take."""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Count, Frozen, Name, Slug, Text, Title, Within

Bits = Annotated[int, Within(ge=1, le=1024)]
ScaleBytes = Annotated[int, Within(ge=0, le=2**20)]


class KvFormat(Frozen):
    """How a cached key or value vector is stored."""

    id: Slug
    rev: Count = 1
    name: Title
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    k_bits: Bits
    v_bits: Bits
    k_head_scale_bytes: ScaleBytes = 0
    """Scale bytes of one key vector (per token and head)."""
    v_head_scale_bytes: ScaleBytes = 0
    """Scale bytes of one value vector (per token and head)."""
    group_elements: Annotated[int, Within(ge=1, le=2**20)] | None = None
    group_scale_bytes: ScaleBytes = 0
    """Scale bytes of each group of `group_elements` elements of a vector."""
    layer_scale_bytes: ScaleBytes = 0
    """Scale bytes of a whole layer, once, whatever the number of tokens."""
    slot_multiple_bytes: Annotated[int, Within(ge=1, le=2**20)] | None = None
    """Key and value of a head are stored together, rounded up to a multiple of this."""
    stores: Literal["heads", "latent", "compressed"] | None = None
    """The one kind of cache it can hold; None holds heads and latent rows alike."""
    equal_head_sizes: bool | None = None
    """True where key and value heads must be of one size."""
    edge_layers_left: Annotated[int, Within(ge=1, le=1_000)] | None = None
    """Attention layers at either end of a model without recurrent layers that stay unquantised."""
    latent_row_bytes: Annotated[int, Within(ge=1, le=2**20)] | None = None
    """A packed latent row: its bytes whatever the rank, scales and rotary part included."""
    compressed_row_bytes: Annotated[int, Within(ge=1, le=2**20)] | None = None
    """One stored entry of a compressed cache (DeepSeek-V4)."""
    smallest_block_tokens: Annotated[int, Within(ge=1, le=2**20)] | None = None
    """Smallest block that kernels take with this format."""
    engines: tuple[Slug, ...] | None = Field(default=None, max_length=20)
    """Kinds of the engines that take it; None for all."""
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    checked: Text = ""

    @property
    def is_quantised(self) -> bool:
        """Whether it stores fewer than 16 bits an element."""
        return min(self.k_bits, self.v_bits) < 16

"""Number formats of weights and of the KV cache, with the bytes their scales take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workbench.spec.base import Count, Frozen, Line, Name, Slug, Text

Bits = Annotated[int, Field(ge=1, le=1024)]
ScaleBytes = Annotated[int, Field(ge=0, le=2**20)]


class WeightFormat(Frozen):
    """How quantised matrices are stored; all other tensors keep 16 bits."""

    id: Slug
    rev: Count = 1
    name: Name
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    bits: Bits
    """Bits of an element of a quantised matrix."""
    other_bits: Bits = 16
    """Bits of an element of a tensor that the format leaves alone."""
    tensor_scale_bytes: ScaleBytes = 0
    """Scale bytes of each quantised matrix."""
    row_scale_bytes: ScaleBytes = 0
    """Scale bytes of each output row."""
    group_elements: Annotated[int, Field(ge=1, le=2**20)] | None = None
    group_scale_bytes: ScaleBytes = 0
    """Scale bytes of each group of `group_elements`."""
    left_alone: tuple[Line, ...] = Field(default=(), max_length=100)
    """Modules that stay in 16 bits."""
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    checked: Text = ""


class KvFormat(Frozen):
    """How a cached key or value vector is stored."""

    id: Slug
    rev: Count = 1
    name: Name
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    k_bits: Bits
    v_bits: Bits
    k_head_scale_bytes: ScaleBytes = 0
    """Scale bytes of one key vector (per token and head)."""
    v_head_scale_bytes: ScaleBytes = 0
    """Scale bytes of one value vector (per token and head)."""
    group_elements: Annotated[int, Field(ge=1, le=2**20)] | None = None
    group_scale_bytes: ScaleBytes = 0
    """Scale bytes of each group of `group_elements` elements of a vector."""
    layer_scale_bytes: ScaleBytes = 0
    """Scale bytes of a whole layer, once, whatever the number of tokens."""
    smallest_block_tokens: Annotated[int, Field(ge=1, le=2**20)] | None = None
    """Smallest block that kernels take with this format."""
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    checked: Text = ""

    @property
    def is_quantised(self) -> bool:
        """Whether it stores fewer than 16 bits an element."""
        return min(self.k_bits, self.v_bits) < 16


class Precision(Frozen):
    """Weight format, KV format and type of the activations."""

    weights: WeightFormat
    kv: KvFormat
    activation_dtype: Name = "bf16"

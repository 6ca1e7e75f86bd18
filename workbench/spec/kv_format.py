"""How the KV cache is stored, with the bytes its scales take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workbench.spec.base import Count, Frozen, Name, Slug, Text

Bits = Annotated[int, Field(ge=1, le=1024)]
ScaleBytes = Annotated[int, Field(ge=0, le=2**20)]


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

"""How quantised weights are stored, with the bytes their scales take."""

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

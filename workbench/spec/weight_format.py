"""How quantised weights are stored, with the bytes their scales take.

A matrix of `rows` outputs and `columns` inputs takes its elements (`bits` each, or whole blocks of
`block_bytes`) and its scales: one a matrix, one a row, one a group of inputs of a row, one a tile
of rows × columns, an index for every column. Every member that is None takes nothing.
"""

import re
from fnmatch import translate
from functools import lru_cache
from typing import Annotated, Final, Self

from pydantic import Field

from workbench.spec.base import Count, Frozen, Line, Name, Slug, Text, Title, Within

Bits = Annotated[int, Within(ge=1, le=1024)]
ScaleBytes = Annotated[int, Within(ge=0, le=2**20)]
Elements = Annotated[int, Within(ge=1, le=2**20)]
Pattern = Annotated[str, Within(pattern=r"^[A-Za-z0-9_.*?\[\]!-]{1,100}$")]
"""A tensor's name with wild cards, as `fnmatch` reads them: `*.experts.*`, `lm_head`."""


EXPERTS: Final = ("*.experts.*",)
"""The routed experts; shared ones stand beside them."""


class Storage(Frozen):
    """Bytes of a quantised matrix: its elements and its scales."""

    bits: Bits
    """Bits of an element of a quantised matrix."""
    tensor_scale_bytes: ScaleBytes = 0
    """Scale bytes of each quantised matrix."""
    row_scale_bytes: ScaleBytes = 0
    """Scale bytes of each output row."""
    group_elements: Elements | None = None
    group_scale_bytes: ScaleBytes = 0
    """Scale bytes of each group of `group_elements` inputs of a row."""
    group_zero_bits: Bits | None = None
    """Bits of the zero point of each group, packed along the rows (AWQ, GPTQ)."""
    outer_groups: Elements | None = None
    """Groups whose scales share one more scale (bitsandbytes' double quantisation: 256)."""
    outer_scale_bytes: ScaleBytes | None = None
    """Scale bytes of each run of `outer_groups` groups."""
    tile_rows: Elements | None = None
    tile_columns: Elements | None = None
    tile_scale_bytes: ScaleBytes | None = None
    """Scale bytes of each tile of `tile_rows` × `tile_columns` elements (128 × 128)."""
    column_index_bytes: ScaleBytes | None = None
    """Bytes a checkpoint keeps for each input column (GPTQ's `g_idx`)."""
    index_loaded: bool | None = None
    """True where the engine keeps the column index too: checkpoints in activation order."""
    block_elements: Elements | None = None
    """Elements of a row that are stored together, scales included (GGUF: 32 or 256)."""
    block_bytes: ScaleBytes | None = None
    """Bytes of such a block; `bits` is then the nominal figure only."""


class StoredAs(Storage):
    """Another storage for the tensors that the patterns name."""

    patterns: tuple[Pattern, ...] = Field(min_length=1, max_length=50)


class Kernel(Frozen):
    """What a kernel makes of a stored matrix when it loads it."""

    kernel: Name
    intermediate_multiple: Elements = 1
    """The inner width of an expert is rounded up to this, on each rank."""
    hidden_multiple: Elements = 1
    """The outer width of an expert is rounded up to this."""
    column_multiple: Elements = 1
    """Elements of an expert's row are rounded up to this, its scales are not."""
    drops_zeros: bool = False
    """Zero points of a symmetric checkpoint are not kept."""


class WeightFormat(Storage):
    """How quantised matrices are stored; all other tensors keep 16 bits."""

    id: Slug
    rev: Count = 1
    name: Title
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    other_bits: Bits = 16
    """Bits of an element of a tensor that the format leaves alone."""
    left_alone: tuple[Line, ...] = Field(default=(), max_length=100)
    """Modules that stay in 16 bits: patterns of tensor names; one with a space is a remark."""
    quantised_only: tuple[Pattern, ...] | None = Field(default=None, max_length=50)
    """Where only some of a model's matrices are quantised: experts alone, for example."""
    quantised_also: tuple[Pattern, ...] | None = Field(default=None, max_length=50)
    """Tensors that other formats keep in 16 bits: embedding, head."""
    mixture: tuple[StoredAs, ...] | None = Field(default=None, max_length=50)
    """Tensors stored in another way; the first that matches counts."""
    quantised_beside_experts: bool | None = None
    """False where in a model with experts those alone are quantised, its draft module not either,
    as the publishers of such checkpoints do."""
    kernels: tuple[Kernel, ...] | None = Field(default=None, max_length=8)
    """Kernels that may load the matrices; the first is taken, the others make the band."""
    approximate: bool | None = None
    """True for an average over a mixture: the tensor table of the file knows better."""
    engines: tuple[Slug, ...] | None = Field(default=None, max_length=20)
    """Kinds of the engines that take it; None for all."""
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    checked: Text = ""

    def for_model(self, *, has_experts: bool) -> Self:
        """Return the format as checkpoints of a model with or without experts use it."""
        if self.quantised_beside_experts is False and has_experts:
            return self.with_(quantised_only=EXPERTS)
        return self

    def for_draft(self) -> Self:
        """Return the format as it is used on a model's draft module (MTP)."""
        if self.quantised_beside_experts is False:
            return self.with_(quantised_only=())
        return self

    def storage_of(
        self, name: str, quantised: bool, left_alone: tuple[str, ...] = ()
    ) -> Storage | None:
        """Return how a tensor is stored, or None where it keeps `other_bits` an element.

        `quantised` is what the model says of the tensor, `left_alone` what its checkpoint lists.
        """
        if self.quantised_also and matches(name, self.quantised_also):
            quantised = True
        if self.quantised_only is not None and not matches(name, self.quantised_only):
            quantised = False
        if not quantised or matches(name, self.left_alone) or matches(name, left_alone):
            return None
        for stored in self.mixture or ():
            if matches(name, stored.patterns):
                return stored
        return self


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Say whether a tensor's name is one that the patterns mean."""
    return bool(patterns) and _matcher(patterns).fullmatch(name) is not None


@lru_cache(maxsize=256)
def _matcher(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(translate(pattern) for pattern in patterns))

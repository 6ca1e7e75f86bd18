"""How the context is divided into slots and cells (llama.cpp `src/llama-context.cpp`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.spec.llamacpp import LlamacppRules

_CELLS: Final = 256
_CELLS_WITHOUT_FLASH: Final = 32


@dataclass(frozen=True, slots=True)
class Context:
    """Cells of the cache, and what each slot may hold."""

    tokens: int
    """`n_ctx` as the engine prints it."""
    slot_tokens: int
    """Longest request of a slot."""
    streams: int
    """Buffers of cells: one, or one a slot."""
    stream_cells: int
    """Cells of each buffer, for layers that keep the whole context."""
    shared: bool
    """All slots draw from one pool, each up to the whole of it."""

    @property
    def cells(self) -> int:
        """Cells of all buffers."""
        return self.streams * self.stream_cells


def padded(tokens: int, multiple: int) -> int:
    """Tokens rounded up to a multiple."""
    return -(-tokens // multiple) * multiple


def cell_multiple(rules: LlamacppRules, *, flash: bool) -> int:
    """Cells that a buffer is rounded up to."""
    return _CELLS if rules.cell_rounding == "256" or flash else _CELLS_WITHOUT_FLASH


def context_of(
    asked: int,
    slots: int,
    rules: LlamacppRules,
    *,
    unified: bool,
    flash: bool,
    slot_limit: int | None = None,
) -> Context:
    """Divide `asked` tokens (`-c`) into slots and cells; every figure in tokens.

    One buffer and slots of equal parts until a buffer a slot could be chosen; then either one
    pool that each slot may fill, or a buffer for each slot.
    """
    multiple = cell_multiple(rules, flash=flash)
    if rules.streams == "one":
        slot = max(1, asked // slots)
        return Context(asked, slot, 1, padded(asked, multiple), shared=False)
    if rules.cell_rounding == "256":
        asked = padded(asked, multiple)
    if unified:
        cells = padded(asked, multiple)
        return Context(asked, min(asked, slot_limit or asked), 1, cells, shared=slots > 1)
    slot = max(1, asked // slots)
    cells = padded(slot, multiple)
    if rules.cell_rounding == "256":
        slot = cells
    return Context(slot * slots, slot, slots, cells, shared=False)


def window_cells(
    context: Context, window: int, slots: int, batch: int, micro_batch: int, rules: LlamacppRules,
    *, flash: bool,
) -> int:  # fmt: skip
    """Cells of each buffer for layers that keep `window` tokens (`llama-kv-cache-iswa.cpp`).

    The windows of all sequences that share the buffer, and the tokens being computed.
    """
    if rules.window_cells == "context":
        return context.stream_cells
    sequences = slots if context.streams == 1 else 1
    beyond = batch if rules.window_cells == "batch" else micro_batch
    wanted = window * sequences + beyond
    if rules.window_cells == "micro_batch_256":
        return padded(min(context.stream_cells, wanted), _CELLS)
    return min(context.stream_cells, padded(wanted, cell_multiple(rules, flash=flash)))

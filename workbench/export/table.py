"""A table as every export shows it: typed cells, each with its words and its exact value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CellUnit = Literal["text", "bytes", "tokens", "blocks", "count", "share", "ratio"]
CellLook = Literal["plain", "strong", "good", "bad", "muted"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what a person reads, and the value behind it."""

    text: str
    value: int | float | None = None
    """The exact number; None for words and for what does not apply."""
    unit: CellUnit = "text"
    look: CellLook = "plain"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of cells; one that only has a first cell is the heading of those below it."""

    cells: tuple[Cell, ...]
    part: str = ""
    """Which part of a bar it is about, for the colour beside its name."""

    @property
    def is_heading(self) -> bool:
        """Whether it names the rows below it."""
        return len(self.cells) == 1


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows under a title; all texts are plain."""

    code: str
    """Stable name: "ledger", "memory", "inputs", "assumptions", …"""
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Whether a column holds numbers, which stand to the right."""
        return tuple(
            any(row.cells[at].value is not None for row in self.rows if len(row.cells) > at)
            for at in range(len(self.columns))
        )

"""Cells of tables: a number with its words, nothing, a heading."""

from __future__ import annotations

from typing import Final

from workbench.export.ledger_json import plain_number
from workbench.export.table import Cell, CellLook, CellUnit, Row
from workbench.export.wording import NONE, signed_bytes
from workbench.spec import units
from workbench.spec.ledger import Number
from workbench.spec.units import ByteUnit

MISSING: Final = Cell(NONE, look="muted")
"""What does not apply."""


def heading(text: str, part: str = "") -> Row:
    """Name the rows below."""
    return Row((Cell(text, look="strong"),), part)


def bytes_cell(size: int | None, unit: ByteUnit = "auto", look: CellLook = "plain") -> Cell:
    """Show bytes."""
    if size is None:
        return MISSING
    return Cell(signed_bytes(size, unit, plus=""), size, "bytes", look)


def number_cell(value: Number | None, unit: CellUnit = "count", look: CellLook = "plain") -> Cell:
    """Show a number of things, tokens or a ratio."""
    plain = plain_number(value)
    if plain is None:
        return MISSING
    return Cell(units.show_number(plain), plain, unit, look)

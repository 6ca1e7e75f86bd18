"""How the record's tables look, the same in every format."""

from __future__ import annotations

from workbench.export.table import Table

_WORDS = frozenset({"facts", "items", "capacity", "inputs", "assumptions", "findings"})
_SMALL = frozenset({"ledger", "formulas"})
_LEDGER = (False, True, True, False, True, True)
"""Sizes and their band, also where no entry has a band."""


def right_columns(table: Table) -> tuple[bool, ...]:
    """Return which columns stand to the right: those that hold figures alone."""
    if table.code in _WORDS:
        return (False,) * len(table.columns)
    if table.code == "ledger":
        return _LEDGER
    return tuple(at > 0 and flag for at, flag in enumerate(table.numeric))


def small(table: Table) -> bool:
    """Whether a table has so much in a row that it is set in small letters."""
    return table.code in _SMALL

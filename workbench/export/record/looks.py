"""How the record's tables look, the same in every format."""

from __future__ import annotations

from typing import Final

from workbench.export.table import Table

_WORDS = frozenset({"facts", "items", "capacity", "inputs", "assumptions", "findings"})
_SMALL = frozenset({"ledger", "formulas", "inputs"})
_LEDGER = (False, True, True, False, True, True)
"""Sizes and their band, also where no entry has a band."""
_SHORT: Final = 8
_LEDGER_TOGETHER: Final = 16
"""Rows of a rank that stand on one page."""
_LAST_TOGETHER: Final = 3
"""Rows at the end of a group that are not parted."""


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


def kept_rows(table: Table) -> tuple[bool, ...]:
    """Return for each row whether the next one must stand on the same page.

    A heading stays with its first row, and the last rows of a group with each other, so that a
    total never stands alone; a short table is not parted at all.
    """
    if len(table.rows) <= _SHORT:
        return (True,) * (len(table.rows) - 1) + (False,) * bool(table.rows)
    together = _LEDGER_TOGETHER if table.code == "ledger" else _LAST_TOGETHER
    kept: list[bool] = []
    after = 0
    for row in reversed(table.rows):
        kept.append(bool(after) and (row.is_heading or after < together))
        after = 0 if row.is_heading else after + 1
    return tuple(reversed(kept))

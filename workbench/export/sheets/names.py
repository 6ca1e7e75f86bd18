"""Names of sheets that every spreadsheet takes."""

from __future__ import annotations

import re
from typing import Final

from workbench.export.safe_text import safe_line

_LONGEST_UNITS: Final = 31
"""In units of UTF-16, as Excel counts."""
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
_CALL: Final = re.compile(r"(?<=\w)\(")
"""What a formula that names the sheet would show as the call of a function."""
_RESERVED: Final = ("history",)


class SheetNames:
    """Gives out names, each once whatever its case."""

    def __init__(self) -> None:
        self._taken: set[str] = set(_RESERVED)

    def name(self, wanted: str, otherwise: str) -> str:
        """Return a name as near to the wanted one as can be; `otherwise` where nothing is left."""
        plain = _CALL.sub(" (", _FORBIDDEN.sub(" ", safe_line(wanted)))
        clean = _clean(plain) or _clean(otherwise)
        made, number = _cut(clean, _LONGEST_UNITS), 2
        while made.casefold() in self._taken or not made:
            tail = f" ({number})"
            made = _cut(clean, _LONGEST_UNITS - len(tail)) + tail
            number += 1
        self._taken.add(made.casefold())
        return made


def _clean(text: str) -> str:
    return " ".join(text.split()).strip("' ")


def _cut(text: str, units: int) -> str:
    """The beginning of a text in at most so many units of UTF-16, no character halved."""
    return cut_units(text, units).strip("' ")


def cut_units(text: str, units: int) -> str:
    """Return the beginning of a text that has at most so many units of UTF-16."""
    if len(text) * 2 <= units:
        return text
    left = units
    for at, character in enumerate(text):
        left -= 2 if ord(character) > 0xFFFF else 1
        if left < 0:
            return text[:at]
    return text


def quoted(name: str) -> str:
    """Return the name of a sheet as formulas have it."""
    doubled = name.replace("'", "''")
    return f"'{doubled}'"


def letters(column: int) -> str:
    """Return the name of a column."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name

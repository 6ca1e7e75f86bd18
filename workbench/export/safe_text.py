"""Texts of people as files may hold them: nothing that breaks XML, nothing that hides or runs."""

from __future__ import annotations

from typing import Final

from workbench.charts.text import drawable

_LONGEST_CHARACTERS: Final = 32_000
"""Less than a spreadsheet's cell takes (32,767 units of UTF-16)."""
_MARKS: Final = frozenset("\u200e\u200f\u061c\u2066\u2067\u2068\u2069")
"""Direction marks beside those that no drawing takes: they would turn what stands next to it."""


def safe_line(text: str, limit: int = _LONGEST_CHARACTERS) -> str:
    """Return a text as one line of at most `limit` characters, fit for XML and for any office file.

    Line breaks and controls become spaces, direction marks go, what is no character is replaced.
    """
    if len(text) <= limit and text.isprintable():
        return text
    return _cut("".join(map(_one_line, text[: limit + 1])), limit)


def safe_lines(text: str, limit: int = _LONGEST_CHARACTERS) -> list[str]:
    """Return a text's lines, each fit for XML and for any office file."""
    cut = _cut(text, limit)
    return [safe_line(line) for line in cut.replace("\r\n", "\n").replace("\r", "\n").split("\n")]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _one_line(character: str) -> str:
    return "" if character in _MARKS else drawable(character)

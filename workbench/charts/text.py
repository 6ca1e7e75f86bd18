"""How wide text is, without a device; shortening it to a width; making it safe to draw."""

from __future__ import annotations

import functools
import unicodedata
from math import fsum
from typing import Final, Protocol

ELLIPSIS: Final = "…"
_LONGEST_CHARACTERS: Final = 400
_BOLD: Final = 1.07
_LINE_HEIGHT: Final = 1.3
_JOINERS: Final = "\u200c\u200d\ufe0e\ufe0f"
_NARROW: Final = frozenset(" !'(),.:;I[]fijlrt|·\u00a0\u2009\u202f")
_BROAD: Final = frozenset("%@GMOQWmw…—→±×")


class TextMeasure(Protocol):
    """Sizes of plain text in the units of the display list."""

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return how far the text reaches from left to right."""
        ...

    def height(self, size: float) -> float:
        """Return the height of one line."""
        ...


class FixedMeasure:
    """A measure that needs no device and is the same everywhere: a table of advances.

    The figures are those of a common sans serif, rounded up, so that what fits here fits there.
    """

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the sum of the characters' advances."""
        ems = fsum(map(_advance_ems, text))
        return ems * size * (_BOLD if bold else 1.0)

    def height(self, size: float) -> float:
        """Return the height of one line."""
        return size * _LINE_HEIGHT


@functools.lru_cache(maxsize=4096)
def _advance_ems(character: str) -> float:
    if unicodedata.combining(character) or character in _JOINERS:
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.25 if ord(character) >= 0x1F000 else 1.0
    if character in _NARROW:
        return 0.4
    if character in _BROAD:
        return 0.95
    if unicodedata.category(character) == "Lu":
        return 0.72
    return 0.64


def plain(text: str) -> str:
    """Return the text as one line that every device can draw and every file can hold.

    Line breaks and control characters become spaces; what cannot be encoded is replaced.
    """
    if len(text) <= _LONGEST_CHARACTERS and text.isascii() and text.isprintable():
        return text
    return "".join(map(drawable, text[: _LONGEST_CHARACTERS + 1]))


@functools.lru_cache(maxsize=4096)
def drawable(character: str) -> str:
    """Return a character as devices and files take it; nothing for what turns its neighbours."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    code = ord(character)
    if category == "Cs" or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return "\ufffd"
    # Embeddings and overrides would leak into whatever is drawn next to the text.
    return "" if character in "\u202a\u202b\u202c\u202d\u202e" else character


def elide(text: str, width: float, measure: TextMeasure, size: float, bold: bool = False) -> str:
    """Return the plain text, its end replaced by … where it is wider than `width`."""
    text = plain(text)
    if len(text) <= _LONGEST_CHARACTERS and measure.width(text, size, bold) <= width:
        return text
    low, high = 0, min(len(text), _LONGEST_CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        if measure.width(text[:middle] + ELLIPSIS, size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    kept = text[:low].rstrip(" " + _JOINERS)
    if not kept and measure.width(ELLIPSIS, size, bold) > width:
        return ""
    return kept + ELLIPSIS

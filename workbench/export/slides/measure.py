"""Lengths on slides: how wide text is, how long a point."""

from __future__ import annotations

from typing import Final

from workbench.charts.text import FixedMeasure

_EITHER: Final = frozenset("·→×−±…“”‘’")
"""Beside Chinese, office programs take these from a Chinese face, where they are as wide."""
_WIDER_EMS: Final = 0.5
EMU_PER_PT: Final = 12_700


class SlideMeasure(FixedMeasure):
    """The measure of pictures, with room for what office programs set in another face."""

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the sum of the characters' advances."""
        width = super().width(text, size, bold)
        if text.isascii() or max(text) < "\u2e80":
            return width
        return width + sum(character in _EITHER for character in text) * _WIDER_EMS * size

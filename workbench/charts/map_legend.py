"""The legend of a heat map: its steps, the frontier, and the scenarios marked on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from workbench.charts.display import Box, Hatch, Item, Line, Rect, Text, hatch
from workbench.charts.labels import Labels, filled
from workbench.charts.parts import Style
from workbench.charts.scale import whole
from workbench.charts.shades import Shade, Shades
from workbench.charts.text import elide, plain

CURRENT: Final = "◆"
BASELINE: Final = "★"
BASELINE_ELSEWHERE: Final = "☆"
"""A baseline whose other inputs are not those that the map is drawn for."""
OTHER: Final = "●"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a scenario stands."""

    scenario: str
    name: str
    symbol: str
    x: float
    """Place on the axis; between two cells where the axis does not have its value."""
    y: float
    differs: bool = False
    """Whether its other inputs are not those that the map is drawn for."""


def frontier_width(style: Style) -> float:
    """Return the thickness of the frontier in pixels."""
    return max(2.0, whole(style.em * 0.2))


def shade_items(shade: Shade, box: Box, style: Style, role: str) -> list[Item]:
    """Draw one step of the scale into a box."""
    items: list[Item] = [Rect(*box, fill=shade.fill, role=role)]
    if shade.hatched is not None:
        items.append(_stripes(box, shade.hatched, style.em, role))
    return items


@lru_cache(maxsize=128)
def _stripes(box: Box, ink: str, em: float, role: str) -> Hatch:
    """The same cells are hatched again at every step of a drag."""
    pitch = min(em * 0.7, max(box.height * 0.4, 2.0))
    return hatch(box, ink, pitch=pitch, line_width=1.0, role=role)


_Entry = tuple[str, Shade | Mark | None]
"""Text and what stands before it; the frontier's line for None."""


def legend(
    colours: Shades,
    marks: Sequence[Mark],
    style: Style,
    labels: Labels,
    area: Box,
    *,
    brief: bool = False,
) -> tuple[float, list[Item]]:
    """Draw the legend at the top of an area in as many lines as it needs; return their height.

    In brief it has the steps of the scale only, in one line: as many as fit.
    """
    em, size = style.em, style.small
    line = style.line(size) * 1.3
    items: list[Item] = []
    x, y = area.x, area.y
    between = em * (0.7 if brief else 1.1)
    entries = _entries(colours, marks, labels)
    for text, what in entries[: len(colours.told)] if brief else entries:
        lead = _swatch(style) + em * 0.45
        if isinstance(what, Mark):
            lead = style.width(f"{what.symbol} ", size)
        shown = elide(plain(text), area.width - lead, style.measure, size)
        taken = lead + style.width(shown, size)
        if x > area.x and x + taken > area.right:
            if brief:
                break
            x, y = area.x, y + line
        items += _entry_items(shown, what, style, x, y + line / 2, lead)
        x += taken + between
    return y + line - area.y, items


def _swatch(style: Style) -> float:
    return float(round(style.em * 0.85))


def _entries(colours: Shades, marks: Sequence[Mark], labels: Labels) -> list[_Entry]:
    entries: list[_Entry] = [(step.label, step) for step in colours.told]
    entries.append((labels("map.frontier"), None))
    for mark in marks:
        entries.append((_told(mark, labels), mark))
    return entries


def _told(mark: Mark, labels: Labels) -> str:
    """Return the name of a scenario with what its symbol means."""
    baseline = mark.symbol.startswith((BASELINE, BASELINE_ELSEWHERE))
    said = mark.name
    for code, holds in (
        ("map.baseline", baseline),
        ("map.drawn", CURRENT in mark.symbol),
        ("map.differs", mark.differs),
    ):
        said = filled(labels(code), name=said) if holds else said
    return said


def _entry_items(
    text: str, what: Shade | Mark | None, style: Style, x: float, middle: float, lead: float
) -> list[Item]:
    size, theme, side = style.small, style.theme, _swatch(style)
    ink = theme.muted if isinstance(what, Mark) and what.differs else theme.text
    role = "legend:mark" if isinstance(what, Mark) else "legend"
    items: list[Item] = [Text(x + lead, middle, text, size, ink, role=role)]
    if isinstance(what, Mark):
        items.append(Text(x, middle, what.symbol, size, ink, role="legend:mark"))
    elif what is None:
        thick = frontier_width(style)
        items.append(Line(x, middle, x + side, middle, theme.text, thick, role="legend:frontier"))
    else:
        box = Box(x // 1, round(middle - side / 2), side, side)
        items += shade_items(what, box, style, f"legend:{what.label}")
    return items

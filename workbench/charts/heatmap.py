"""A heat map: two inputs, a cell a pair of values, the frontier between what fits and what not.

The map of the window shows the same cells, colours, frontier and marks; this list is what is
exported, copied and tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import ceil, floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.charts.display import (
    BOLD,
    REGULAR,
    Box,
    DisplayList,
    HitKey,
    HitRegion,
    Item,
    Line,
    Rect,
    Text,
)
from workbench.charts.labels import Labels, english
from workbench.charts.map_axes import Grid, axis_items
from workbench.charts.map_legend import Mark, frontier_width, legend, shade_items
from workbench.charts.map_text import axis_texts, cell_text, map_summary
from workbench.charts.palette import Theme, ink_on
from workbench.charts.parts import Style
from workbench.charts.scale import whole
from workbench.charts.shades import Measure, Shade, Shades, shades
from workbench.charts.text import TextMeasure, elide, plain
from workbench.core.surface import INVALID, PENDING, Surface
from workbench.spec.units import ByteUnit

GAP: Final = 1.0
_SMALLEST_CELL_EMS: Final = 0.9


@dataclass(frozen=True, slots=True)
class Edge:
    """A straight piece of the frontier, in cells: 0 is the lower left corner of the map."""

    x1: int
    y1: int
    x2: int
    y2: int


def frontier_edges(surface: Surface) -> tuple[Edge, ...]:
    """Return the lines between cells that fit and neighbours that do not, each as long as it is."""
    fits = surface.fits
    known = (surface.status != PENDING) & (surface.status != INVALID)
    edges: list[Edge] = []
    upright = (fits[1:] != fits[:-1]) & known[1:] & known[:-1]
    for place in np.flatnonzero(upright.any(axis=1)).tolist():
        runs = _runs(upright[place])
        edges += [Edge(place + 1, low, place + 1, high) for low, high in runs]
    level = (fits[:, 1:] != fits[:, :-1]) & known[:, 1:] & known[:, :-1]
    for place in np.flatnonzero(level.any(axis=0)).tolist():
        runs = _runs(level[:, place])
        edges += [Edge(low, place + 1, high, place + 1) for low, high in runs]
    return tuple(edges)


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where runs of True begin and end. A map has few cells: numpy would take longer."""
    cells = [False, *marked.tolist(), False]
    turns = [place for place, (one, next_) in enumerate(pairwise(cells)) if one != next_]
    return list(zip(turns[::2], turns[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class Names:
    """What the axes and the picture are called, in the language shown."""

    x: str
    y: str
    title: str = ""


def heat_map(
    surface: Surface,
    *,
    names: Names,
    width: float,
    height: float,
    theme: Theme,
    measure: TextMeasure,
    marks: Sequence[Mark] = (),
    value: Measure = "used",
    labels: Labels = english,
    unit: ByteUnit = "auto",
    text_px: float = 13.0,
) -> DisplayList:
    """Draw the map `width` × `height` pixels, larger where its cells would be too small to see."""
    style = Style(theme, measure, unit, max(1.0, text_px))
    colours = shades(surface, value, theme, labels, unit)
    em, small = style.em, style.small
    x_texts, y_texts = (axis_texts(axis) for axis in (surface.x, surface.y))
    columns, rows = surface.status.shape
    left = whole(em + max(style.width(text, small) for text in y_texts) + em * 0.6)
    width = max(width, left + em + columns * em * _SMALLEST_CELL_EMS)
    top, head_items = _head(names, style, width)
    foot = legend(colours, marks, style, labels, Box(em, 0, width - 2 * em, 0))[0]
    below = style.line(small) * 2 + em * 0.8
    height = max(height, top + below + foot + em + rows * em * _SMALLEST_CELL_EMS)
    plot = Box(left, top, width - left - em, height - top - below - foot - em)
    grid = Grid(plot, columns, rows)
    axes = [
        *axis_items(x_texts, grid, style, across=True, marks=marks),
        *axis_items(y_texts, grid, style, across=False, marks=marks),
    ]
    foot_y = plot.bottom + em * 0.4 + style.line(small) * 1.5
    name = elide(names.x, plot.width, measure, small)
    axes.append(
        Text(plot.right, foot_y, name, small, theme.muted, anchor="end", role="axis:title:x")
    )
    bottom = Box(em, whole(height - foot - em * 0.6), width - 2 * em, foot)
    items = (
        *head_items,
        *map_items(surface, colours, grid, style, marks=marks, value=value, labels=labels),
        *axes,
        *legend(colours, marks, style, labels, bottom)[1],
    )
    hits = tuple(
        HitRegion(grid.cell(x, y), HitKey(surface.scenario.id, 0, f"cell:{x}:{y}"))
        for x in range(columns)
        for y in range(rows)
    )
    summary = map_summary(surface, names.x, names.y, labels)
    return DisplayList(width, height, theme.surface, items, hits, summary)


def _head(names: Names, style: Style, width: float) -> tuple[float, list[Item]]:
    """Write the title and the name of the upright axis; return where the map begins."""
    em, theme = style.em, style.theme
    y, items = em, []
    if names.title:
        line = style.line(em)
        text = elide(names.title, width - 2 * em, style.measure, em, bold=True)
        ink = theme.text
        items.append(Text(em, y + line / 2, text, em, ink, weight=BOLD, role="title"))
        y += line * 1.2
    line = style.line(style.small)
    name = elide(names.y, width - 2 * em, style.measure, style.small)
    items.append(Text(em, y + line / 2, name, style.small, theme.muted, role="axis:title:y"))
    return whole(y + line * 1.2), [*items]


def map_items(
    surface: Surface,
    colours: Shades,
    grid: Grid,
    style: Style,
    *,
    marks: Sequence[Mark] = (),
    value: Measure = "used",
    labels: Labels = english,
    fills: bool = True,
) -> list[Item]:
    """Draw cells, frontier and marks; without `fills` only what stands on the cells' colours."""
    items: list[Item] = []
    marked = {
        cell
        for mark in marks
        for cell in product((floor(mark.x), ceil(mark.x)), (floor(mark.y), ceil(mark.y)))
    }
    lefts, lows = grid.edges()
    steps = colours.cells.tolist()
    bare = [not fills and value == "used" and shade.hatched is None for shade in colours.steps]
    for x, y in product(range(grid.columns), range(grid.rows)):
        step = steps[x][y]
        if step >= 0 and bare[step]:
            continue
        role = f"cell:{x}:{y}"
        width, height = lefts[x + 1] - lefts[x] - GAP, lows[y] - lows[y + 1] - GAP
        inner = Box(lefts[x], lows[y + 1], width, height)
        if step < 0:
            items.append(Rect(*inner, style.theme.surface, style.theme.line, role=role))
            continue
        shade = colours.steps[step]
        if fills or shade.hatched is not None:
            drawn = shade_items(shade, inner, style, role)
            items += drawn if fills else drawn[1:]
        # Where a scenario stands its mark takes the place of the figure.
        if value != "used" and not shade.hatched and (x, y) not in marked:
            text = cell_text(surface, x, y, value, labels, style.unit)
            items += _figure(text, shade, inner, style)
    items += _frontier_items(surface, grid, style)
    items += _mark_items(marks, colours, grid, style)
    return items


def _figure(text: str, shade: Shade, box: Box, style: Style) -> list[Item]:
    """Write a cell's figure where it fits."""
    size = style.small
    if style.width(text, size) + style.em * 0.4 > box.width or style.line(size) > box.height:
        return []
    at = (box.x + box.width / 2, box.y + box.height / 2)
    ink = ink_on(shade.fill)
    return [Text(*at, text, size, ink, anchor="middle", tabular=True, role="figure")]


def _frontier_items(surface: Surface, grid: Grid, style: Style) -> list[Item]:
    thick = frontier_width(style)
    items: list[Item] = []
    for edge in frontier_edges(surface):
        x1, y1, x2, y2 = (*_point(edge.x1, edge.y1, grid), *_point(edge.x2, edge.y2, grid))
        # Ends are flat: a little longer, so that corners close.
        more = thick / 2
        if edge.x1 == edge.x2:
            y1, y2 = y1 + more, y2 - more
        else:
            x1, x2 = x1 - more, x2 + more
        items.append(Line(x1, y1, x2, y2, style.theme.text, thick, role="frontier"))
    return items


def _point(x: float, y: float, grid: Grid) -> tuple[float, float]:
    """Return a corner of cells: the middle of the gap between them."""
    return grid.x(x) - GAP / 2, grid.y(y) - GAP / 2


def _mark_items(marks: Sequence[Mark], colours: Shades, grid: Grid, style: Style) -> list[Item]:
    size, line = style.em * 1.15, style.line(style.small)
    symbols = _symbols(marks, colours, grid, style, size)
    items: list[Item] = []
    written: list[Box] = []
    for at, (mark, symbol) in enumerate(zip(marks, symbols, strict=True)):
        if beside := _beside(mark, symbol, symbols, grid, style):
            items += beside
            continue
        name = _mark_name(mark, grid, style)
        below = replace(
            symbol,
            y=symbol.y + line / 2,
            text=name,
            size=style.small,
            weight=REGULAR,
            role=f"{symbol.role}:name",
        )
        others = (one.box(style.measure) for place, one in enumerate(symbols) if place != at)
        area = below.box(style.measure)
        # A name on another mark could not be read; the legend has it too.
        if not name or any(area.overlaps(other) for other in (*others, *written)):
            items.append(symbol)
            continue
        written.append(area)
        items += [replace(symbol, y=symbol.y - line / 2), below]
    return items


def _beside(
    mark: Mark, symbol: Text, symbols: Sequence[Text], grid: Grid, style: Style
) -> list[Item]:
    """Return a symbol with its name to the right of it, where a flat cell holds both alone."""
    box = grid.cell(*_cell_of(mark, grid))
    others = [one.box(style.measure) for one in symbols if one is not symbol]
    if _is_high(box, style) or mark.x % 1 or any(box.overlaps(one) for one in others):
        return []
    lead = style.width(symbol.text, symbol.size, bold=True) + style.em * 0.4
    name = plain(mark.name)
    wide = lead + style.width(name, style.small)
    if wide + style.em * 0.4 > box.width or style.line(symbol.size) > box.height:
        return []
    left = box.x + (box.width - wide) / 2
    role = f"{symbol.role}:name"
    return [
        replace(symbol, x=left, anchor="start"),
        replace(
            symbol,
            x=left + lead,
            text=name,
            size=style.small,
            weight=REGULAR,
            anchor="start",
            role=role,
        ),
    ]


def _is_high(box: Box, style: Style) -> bool:
    """Whether a cell has room for a name below its symbol."""
    return box.height > style.line(style.small) * 2.4


def _symbols(
    marks: Sequence[Mark], colours: Shades, grid: Grid, style: Style, size: float
) -> list[Text]:
    """Return each mark's symbol at its place; marks on one place stand beside each other."""
    symbols: list[Text] = []
    taken: dict[tuple[float, float], int] = {}
    for mark in marks:
        beside = taken.get((mark.x, mark.y), 0)
        taken[mark.x, mark.y] = beside + 1
        x, y = grid.x(mark.x + 0.5) + beside * style.em * 1.1, grid.y(mark.y + 0.5)
        step = int(colours.cells[_cell_of(mark, grid)])
        ink = ink_on(colours.steps[step].fill if step >= 0 else style.theme.surface)
        role = f"mark:{mark.scenario}"
        symbols.append(Text(x, y, mark.symbol, size, ink, BOLD, "middle", role=role))
    return symbols


def _cell_of(mark: Mark, grid: Grid) -> tuple[int, int]:
    """Return the cell that a mark stands in."""
    return min(int(mark.x + 0.5), grid.columns - 1), min(int(mark.y + 0.5), grid.rows - 1)


def _mark_name(mark: Mark, grid: Grid, style: Style) -> str:
    """Return what a mark's cell has room for of its name; nothing for less than two letters."""
    box = grid.cell(*_cell_of(mark, grid))
    if not _is_high(box, style):
        return ""
    name = elide(mark.name, box.width - style.em * 0.4, style.measure, style.small)
    return name if len(name) > 2 or name == plain(mark.name) else ""

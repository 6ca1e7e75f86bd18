"""Where the cells of a heat map are, and the values written along its two axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from workbench.charts.display import Box, Item, Text
from workbench.charts.map_legend import CURRENT, Mark
from workbench.charts.parts import Style
from workbench.charts.scale import whole


@dataclass(frozen=True, slots=True)
class Grid:
    """Places of cells in pixels; edges are whole, so that equal gaps look equal."""

    area: Box
    columns: int
    rows: int

    def x(self, place: float) -> float:
        """Return where the left edge of a column is."""
        return whole(self.area.x + place * self.area.width / self.columns)

    def y(self, place: float) -> float:
        """Return where the lower edge of a row is."""
        return whole(self.area.bottom - place * self.area.height / self.rows)

    def edges(self) -> tuple[list[float], list[float]]:
        """Return the left edges of all columns and the lower ones of all rows, and the ends."""
        lefts = [self.x(column) for column in range(self.columns + 1)]
        return lefts, [self.y(row) for row in range(self.rows + 1)]

    def cell(self, x: int, y: int) -> Box:
        """Return a cell with the gap around it."""
        left, top = self.x(x), self.y(y + 1)
        return Box(left, top, self.x(x + 1) - left, self.y(y) - top)


def axis_items(
    texts: Sequence[str],
    grid: Grid,
    style: Style,
    *,
    across: bool,
    marks: Sequence[Mark] = (),
) -> list[Item]:
    """Write the values of an axis; where not all have room evenly fewer, those of marks always."""
    size, em, line = style.small, style.em, style.line(style.small)
    template = Text(0, 0, "", size, style.theme.muted, tabular=True)
    items: list[Text] = []
    spans: list[tuple[float, float]] = []
    for place, text in enumerate(texts):
        if across:
            x, y = grid.x(place + 0.5), grid.area.bottom + em * 0.3 + line / 2
            half = style.width(text, size) / 2 + em * 0.25
            spans.append((x - half, x + half))
            items.append(replace(template, x=x, y=y, text=text, anchor="middle", role="axis:x"))
        else:
            x, y = grid.area.x - em * 0.6, grid.y(place + 0.5)
            spans.append((-y - line / 2, -y + line / 2))
            items.append(replace(template, x=x, y=y, text=text, anchor="end", role="axis:y"))
    own = sorted(marks, key=lambda mark: CURRENT not in mark.symbol)
    marked = [mark.x if across else mark.y for mark in own]
    exact = [int(where) for where in marked if where % 1 == 0]
    return [items[place] for place in told_places(spans, exact)]


def told_places(spans: Sequence[tuple[float, float]], marked: Sequence[int]) -> list[int]:
    """Return which places of an axis have their value written, from first to last.

    `spans` are what each text would take. The texts are evenly far from each other, by steps that
    meet all that are marked where there are such; else the marked ones drive others away.
    """
    even: Sequence[int] = ()
    most = len(spans)
    for step in range(1, len(spans) + 1):
        if step > most:
            break
        places = range(marked[0] % step if marked else 0, len(spans), step)
        if not _apart(spans, places):
            continue
        if set(marked) <= set(places):
            return list(places)
        if not even:
            even, most = places, 2 * step
    told: list[int] = []
    for place in (*marked, *even):
        if place not in told and _apart(spans, sorted((*told, place))):
            told.append(place)
    return sorted(told)


def _apart(spans: Sequence[tuple[float, float]], places: Sequence[int]) -> bool:
    """Whether no text touches the next."""
    return all(spans[one][1] <= spans[other][0] for one, other in pairwise(places))

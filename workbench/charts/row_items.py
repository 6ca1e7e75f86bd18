"""One row of a bar chart: name, bar with its numbers, ghost, result, and its hit regions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Final, TypeVar

from workbench.charts.display import BOLD, REGULAR, Box, HitKey, HitRegion, Item, Line, Rect, Text
from workbench.charts.labels import Labels, filled
from workbench.charts.parts import GAP, Style, number_items, over_items, part_items
from workbench.charts.rows import STAR, Row, doubt_text, result_template, result_text, sized
from workbench.charts.scale import Scale, figure, number, whole
from workbench.charts.stack import OUTSIDE, Cell, drawn, past, place
from workbench.charts.text import elide
from workbench.spec.ledger import EntryKind

_LONGEST_RESULT_EMS: Final = 24
_TRIED_SHARE: Final = 0.42
"""Part of a bar's height that an outline above it takes."""
DENSE: Final = 0.84
"""The stretch of rows that hold their two lines of text and no more."""
_TRIED_LINE: Final = 1.5
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the columns of every row are, in pixels."""

    left: float
    names: float
    """Width of the column of names."""
    scale: Scale
    right: float
    """Right edge of the column of results."""


def row_height(style: Style) -> float:
    """Return the distance from row to row in pixels."""
    lines = style.line(style.em) + style.line(style.small)
    return whole(max(style.em * 3.15, lines + style.em * 0.5) * style.stretch)


def bar_height(style: Style) -> float:
    """Return the height of a bar in pixels."""
    return row_height(style) - whole(style.em * 0.55 * style.stretch)


def name_width(row: Row, style: Style) -> float:
    """Return how much the name and the line below it would like to have, in pixels."""
    # Names can be long; what is surely elided need not be measured in full.
    name = style.width(row.name[:200], style.em, bold=True) + _star_width(row, style)
    return max(name, style.width(row.subtitle[:200], style.small))


def _star_width(row: Row, style: Style) -> float:
    return style.width(f"{STAR} ", style.em, bold=True) if row.is_baseline else 0.0


def selection(row: Row, width: float, padding: float, y: float, style: Style) -> list[Item]:
    """Draw the ground and the mark of a selected row."""
    if not row.selected:
        return []
    left, height = padding - min(padding, style.em * 0.6), row_height(style)
    mark = max(2.0, whole(style.em * 0.2))
    theme = style.theme
    return [
        Rect(left, y, width - 2 * left, height, fill=theme.sunken, role="selected"),
        Rect(left, y, mark, height, fill=theme.accent, role="selected"),
    ]


def row_items(
    row: Row, columns: Place, y: float, style: Style, labels: Labels
) -> tuple[list[Item], list[HitRegion]]:
    """Draw one row whose lane starts at `y`; return its items and the regions of its bar."""
    height = bar_height(style)
    top = whole(y + (row_height(style) - height) / 2)
    shown = drawn(row.ledger)
    cells = place(shown, columns.scale)
    over = past(shown, row.ledger.budget_bytes)
    limit = columns.scale.at(row.ledger.budget_bytes)
    items = _name_items(row, columns, top + height / 2, style)
    tried = row.as_tried
    if tried is not None:
        # The bar makes room in its own lane: nothing else moves while a change is looked at.
        above = whole(height * _TRIED_SHARE)
        lane = Box(0, top, 0, above - 2)
        items += _tried_items(row, tried, columns, lane, style, labels)
        top, height = top + above, height - above
    lane = Box(0, top, 0, height)
    for cell in cells:
        items += cell_items(cell, limit, lane, style)
        items += _numbers(cell, over.get(cell.part.name, 0), limit, lane, style, labels)
    if row.previous is not None:
        items += _ghost_items(row, columns.scale, top + height, style)
    items += _result_items(row, columns.right, top + height / 2, style, labels)
    rank = row.ledger.rank
    hits = [
        HitRegion(
            Box(cell.left, top, cell.width, height), HitKey(row.scenario, rank, cell.part.name)
        )
        for cell in cells
        if cell.width > 0
    ]
    return items, hits


class Drawn:
    """What was drawn before, by place: an edit changes one row of many.

    Words are not compared: `clear` when the labels speak another language.
    """

    def __init__(self) -> None:
        self._kept: dict[object, tuple[object, Any]] = {}

    def clear(self) -> None:
        """Draw everything anew."""
        self._kept.clear()

    def kept(self, place: object, asked: object, make: Callable[[], _Made]) -> _Made:
        """Return what was made at a place for the same question, else make it."""
        known = self._kept.get(place)
        if known is None or known[0] != asked:
            known = self._kept[place] = asked, make()
        made: _Made = known[1]
        return made


def _name_items(row: Row, columns: Place, middle: float, style: Style) -> list[Item]:
    """Write the name, starred for the baseline, and the line below it."""
    upper, lower = style.line(style.em), style.line(style.small)
    first = middle - lower / 2 if row.subtitle else middle
    star = _star_width(row, style)
    ink, x = style.theme.text, columns.left
    items: list[Item] = []
    if star:
        items.append(Text(x, first, STAR, style.em, ink, weight=BOLD, role="row:star"))
    name = elide(row.name, columns.names - star, style.measure, style.em, bold=True)
    items.append(Text(x + star, first, name, style.em, ink, weight=BOLD, role="row:name"))
    if row.subtitle:
        text = elide(row.subtitle, columns.names, style.measure, style.small)
        muted, second = style.theme.muted, middle + upper / 2
        items.append(Text(x, second, text, style.small, muted, role="row:subtitle"))
    return items


def cell_items(cell: Cell, limit: float, lane: Box, style: Style) -> list[Item]:
    """Draw a part: in its own look up to the limit, hatched past it."""
    if cell.width <= 0:
        return []
    name, cut = cell.part.name, _cut(cell, limit)
    items: list[Item] = []
    if cut > cell.left:
        box = _drawn(cell.left, cut, limit, lane)
        items += part_items(name, box, style, f"segment:{name}")
    if cut < cell.right:
        items += over_items(_drawn(cut, cell.right, limit, lane), style, f"over:{name}")
    return items


def _cut(cell: Cell, limit: float) -> float:
    """Return where a part is cut by the limit; what lies outside the budget never is."""
    if cell.part.name.startswith(OUTSIDE) or cell.part.kind is EntryKind.UNREQUESTED:
        return cell.right
    return min(max(limit, cell.left), cell.right)


def _numbers(
    cell: Cell, over_bytes: int, limit: float, lane: Box, style: Style, labels: Labels
) -> list[Item]:
    """Write the size of a part; of one that the limit cuts, that of either piece."""
    if cell.width <= 0:
        return []
    part, cut = cell.part, _cut(cell, limit)
    items: list[Item] = []
    if cut > cell.left and over_bytes < part.bytes:
        box = _drawn(cell.left, cut, limit, lane)
        text = figure(part.bytes - over_bytes, style.unit)
        if over_bytes:
            total = number(part.bytes, style.unit)
            both = filled(labels("part.inside"), number=text, total=total)
            items += number_items(both, part.name, box, style, past_limit=False)
        items = items or number_items(text, part.name, box, style, past_limit=False)
    if cut < cell.right and over_bytes:
        box = _drawn(cut, cell.right, limit, lane)
        text = figure(over_bytes, style.unit)
        items += number_items(text, part.name, box, style, past_limit=True)
    return items


def _drawn(left: float, right: float, limit: float, lane: Box) -> Box:
    """Return what is painted of a part from edge to edge: a gap follows, at least 1 px stays."""
    # Right of the limit line the gap is before the part as well, or the line would touch it.
    before = min(GAP, max(0.0, right - left - 1.0)) if left == limit else 0.0
    after = min(GAP, max(0.0, right - left - before - 1.0))
    return Box(left + before, lane.y, right - left - before - after, lane.height)


def _ghost_items(row: Row, scale: Scale, y: float, style: Style) -> list[Item]:
    """Draw the other answer as a thin bar below."""
    assert row.previous is not None
    lane = Box(0, y + 1, 0, max(2.0, whole(style.em * 0.25)))
    limit = scale.at(row.previous.budget_bytes)
    items: list[Item] = []
    for cell in place(drawn(row.previous), scale):
        name = cell.part.name
        if cell.width > 0 and cell.part.kind not in (None, EntryKind.UNREQUESTED):
            box = _drawn(cell.left, cell.right, limit, lane)
            items += part_items(name, box, style, f"ghost:{name}")
    return items


def _tried_items(
    row: Row, tried: Row, columns: Place, lane: Box, style: Style, labels: Labels
) -> list[Item]:
    """Outline what the bar would be, dashed, with its own limit and result."""
    theme, scale = style.theme, columns.scale
    limit = scale.at(tried.ledger.budget_bytes)
    items: list[Item] = []
    for cell in place(drawn(tried.ledger), scale):
        part = cell.part
        if cell.width <= 0 or part.kind is EntryKind.UNREQUESTED or part.name.startswith(OUTSIDE):
            continue
        box = _drawn(cell.left, cell.right, limit, lane)
        ink = theme.muted if part.kind is None else theme.fill(part.kind)
        past = part.kind is not None and cell.right > limit + 0.5
        stroke, role = theme.danger if past else ink, f"tried:{part.name}"
        items.append(Rect(*box, theme.surface, stroke, _TRIED_LINE, "dashed", role=role))
    if tried.ledger.budget_bytes != row.ledger.budget_bytes:
        line = Line(limit, lane.y, limit, lane.bottom, theme.text, _TRIED_LINE, "dashed")
        items.append(replace(line, role="tried:limit"))
    text = f"→ {tried_result(tried, style, labels)}"
    items.append(
        Text(
            columns.right,
            lane.y + lane.height / 2,
            text,
            style.small,
            _result_ink(tried, style),
            anchor="end",
            tabular=True,
            role="tried:result",
        )
    )
    return items


def tried_result(tried: Row, style: Style, labels: Labels) -> str:
    """Return what a change would leave, as short as it has to be."""
    room = style.em * _LONGEST_RESULT_EMS
    return elide(result_text(tried, style.unit, labels), room, style.measure, style.small)


def _result_parts(row: Row, style: Style, labels: Labels) -> list[tuple[str, bool]]:
    """Return the result as pieces of text, each bold or not: the figure stands out."""
    code, size = result_template(row)
    template = labels(code)
    if "{size}" not in template:
        return [(filled(template), True)]
    before, after = template.split("{size}", 1)
    over = code == "result.over"
    pieces = [(filled(before), over), (sized(size, style.unit), True), (filled(after), over)]
    return [piece for piece in pieces if piece[0]]


def result_width(row: Row, style: Style, labels: Labels) -> float:
    """Return the width of the text right of the bar, in pixels."""
    width = fsum(
        style.width(text, style.em, bold) for text, bold in _shown_result(row, style, labels)
    )
    width = max(width, style.width(doubt_text(row, labels), style.small))
    if row.as_tried is None:
        return width
    tried = f"→ {tried_result(row.as_tried, style, labels)}"
    return max(width, style.width(tried, style.small))


def _shown_result(row: Row, style: Style, labels: Labels) -> list[tuple[str, bool]]:
    room = style.em * _LONGEST_RESULT_EMS
    return [
        (elide(text, room, style.measure, style.em, bold), bold)
        for text, bold in _result_parts(row, style, labels)
    ]


def _result_items(
    row: Row, right: float, middle: float, style: Style, labels: Labels
) -> list[Item]:
    ink = _result_ink(row, style)
    items: list[Item] = []
    doubt = doubt_text(row, labels) if row.tried is None else ""
    if doubt:
        size, ink = style.small, style.theme.warning
        second = middle + style.line(style.em) / 2
        middle -= style.line(size) / 2
        items.append(Text(right, second, doubt, size, ink, anchor="end", role="result:doubt"))
    for text, bold in reversed(_shown_result(row, style, labels)):
        width = style.width(text, style.em, bold)
        shown, weight = text.strip(), BOLD if bold else REGULAR
        # Spaces at an end are lost in some devices: place the word, not the space.
        lead = style.width(text[: len(text) - len(text.lstrip())], style.em, bold)
        items.append(
            Text(
                right - width + lead,
                middle,
                shown,
                style.em,
                ink,
                weight=weight,
                tabular=True,
                role="result",
            )
        )
        right -= width
    return items[::-1]


def _result_ink(row: Row, style: Style) -> str:
    theme = style.theme
    inks = {
        "result.fits": theme.success,
        "result.needed": theme.muted,
        "result.tight": theme.warning,
    }
    return inks.get(result_template(row)[0], theme.danger)

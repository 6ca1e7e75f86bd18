"""The head of a chart: its title and a legend that wraps by measured widths."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from workbench.charts.display import BOLD, Box, Item, Text
from workbench.charts.labels import Labels, part_label
from workbench.charts.parts import Style, part_items
from workbench.charts.text import elide, plain


def head(
    parts: Sequence[str], title: str, labels: Labels, style: Style, area: Box
) -> tuple[list[Item], float]:
    """Draw title and legend at the top of an area; return the items and the height they take.

    The legend stands right of the title where one line is enough, or where two are that would be
    two below it as well; else below it.
    """
    items: list[Item] = []
    line = style.line(style.em) * 1.25
    title_width = 0.0
    if title:
        text = elide(title, area.width * 0.9, style.measure, style.em, bold=True)
        title_width = style.width(text, style.em, bold=True)
        at = (area.x, area.y + line / 2)
        items.append(Text(*at, text, style.em, style.theme.text, weight=BOLD, role="title"))
        unit_at, unit = area.x + title_width + style.em * 0.4, style.unit
        if title_width + style.em * 0.4 + style.width(unit, style.em) <= area.width:
            ink = style.theme.muted
            items.append(Text(unit_at, at[1], unit, style.em, ink, role="title:unit"))
            title_width += style.em * 0.4 + style.width(unit, style.em)
    if not parts:
        return items, line if title else 0.0
    entries = [_entry(part, labels, style, area.width) for part in parts]
    room = area.width + _between(style)
    right = room - title_width - (style.em * 1.5 if title else 0.0)
    total = _length(entries)
    # Two lines beside the title are as low as one below it, and lower than two.
    in_two = bool(title) and total > room and len(_wrapped(entries, right)) == 2
    x, y = area.x, area.y + (line if title else 0.0)
    rows = _wrapped(entries, room)
    if total <= right or in_two:
        rows = _wrapped(entries, right)
        x, y = area.x + room - max(map(_length, rows)), area.y
    for row in rows:
        items += _row(row, x, y + line / 2, style)
        y += line
    return items, y - area.y


_Entry = tuple[str, str, float]
"""Part, label, width with the space that follows."""


def _entry(part: str, labels: Labels, style: Style, room: float) -> _Entry:
    swatch = _swatch(style) + style.em * 0.45
    text = elide(plain(part_label(labels, part)), room - swatch, style.measure, style.small)
    return part, text, swatch + style.width(text, style.small) + _between(style)


def _swatch(style: Style) -> float:
    return float(round(style.em * 0.85))


def _between(style: Style) -> float:
    return style.em * 1.1


def _wrapped(entries: Sequence[_Entry], room: float) -> list[list[_Entry]]:
    """Break the entries into as few lines as they need, none much shorter than the others."""
    rows = _filled(entries, room)
    while len(rows) > 1:
        # Narrower by the least that moves an entry down, as long as no further line is needed.
        room = max(_length(row) for row in rows) - 0.01
        narrower = _filled(entries, room)
        if len(narrower) > len(rows) or any(_length(row) > room for row in narrower):
            break
        rows = narrower
    return rows


def _length(row: Sequence[_Entry]) -> float:
    # fsum: the plain sum of floats differs between Python releases by the last bit.
    return fsum(entry[2] for entry in row)


def _filled(entries: Sequence[_Entry], room: float) -> list[list[_Entry]]:
    rows: list[list[_Entry]] = [[]]
    for entry in entries:
        if rows[-1] and _length(rows[-1]) + entry[2] > room:
            rows.append([])
        rows[-1].append(entry)
    return rows


def _row(entries: Sequence[_Entry], x: float, middle_y: float, style: Style) -> list[Item]:
    items: list[Item] = []
    side = _swatch(style)
    for part, text, width in entries:
        box = Box(x // 1, round(middle_y - side / 2), side, side)
        items += part_items(part, box, style, f"legend:{part}")
        at = x + side + style.em * 0.45
        ink = style.theme.text
        items.append(Text(at, middle_y, text, style.small, ink, role=f"legend:{part}"))
        x += width
    return items

"""A table as a display list: columns as wide as they need, numbers to the right, hairlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from workbench.charts.display import BOLD, REGULAR, Box, DisplayList, Item, Line, Text
from workbench.charts.palette import Theme
from workbench.charts.parts import HAIRLINE, Style, part_items
from workbench.charts.shares import shrunk
from workbench.charts.text import TextMeasure, elide, plain

Look = Literal["plain", "strong", "good", "bad", "muted"]
_FIRST_SHARE: Final = 0.4
"""Part of the width that the first column may take at most."""
_LINE_EMS: Final = 1.75
_GAP_EMS: Final = 1.2
_SWATCH_EMS: Final = 1.4
_ROUNDING: Final = 0.01


@dataclass(frozen=True, slots=True)
class Field:
    """One cell: its text and how it is written."""

    text: str
    look: Look = "plain"
    to_the_right: bool = False
    whole: bool = False
    """Whether it is never elided: the table grows wider instead."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One row; with one field only it is the heading of those below it."""

    fields: tuple[Field, ...]
    part: str = ""
    """A part of a bar, whose swatch stands before the name."""


def table_list(
    columns: Sequence[str],
    lanes: Sequence[Lane],
    *,
    width: float,
    theme: Theme,
    measure: TextMeasure,
    text_px: float = 13.0,
) -> DisplayList:
    """Draw a table `width` pixels wide; texts that are too long for their column end in an …

    It is wider than asked where fields that must stay whole need that.
    """
    style = Style(theme, measure, "auto", max(1.0, text_px))
    right = _sides(columns, lanes)
    widths = _widths(columns, lanes, width, style)
    width = max(width, sum(widths))
    step = round(style.em * _LINE_EMS)
    head = Lane(
        tuple(Field(name, "strong", side) for name, side in zip(columns, right, strict=True))
    )
    items = _lane_items(head, widths, 0.0, step, style)
    y = float(step)
    items.append(Line(0, y, width, y, theme.muted, HAIRLINE, role="table:rule"))
    for lane in lanes:
        if len(lane.fields) == 1:
            y += round(style.em * 0.4)
        items += _lane_items(lane, widths, y, step, style)
        y += step
        items.append(Line(0, y, width, y, theme.line, HAIRLINE, role="table:rule"))
    said = "\n".join("\t".join(plain(f.text) for f in lane.fields) for lane in lanes)
    return DisplayList(width, y + HAIRLINE, theme.surface, tuple(items), (), said)


def _sides(columns: Sequence[str], lanes: Sequence[Lane]) -> list[bool]:
    """Return whether a column's heading stands to the right: where its figures do."""
    return [
        any(lane.fields[at].to_the_right for lane in lanes if len(lane.fields) > at)
        for at in range(len(columns))
    ]


def _widths(
    columns: Sequence[str], lanes: Sequence[Lane], width: float, style: Style
) -> list[float]:
    """Share the width: the first column what its names need, the others alike or as they need."""
    needs = [_need(at, name, lanes, style) for at, name in enumerate(columns)]
    leasts = [_need(at, "", lanes, style, whole=True) for at in range(len(columns))]
    first = max(leasts[0], min(needs[0], width * _FIRST_SHARE))
    rest, count = width - first, len(columns) - 1
    if not count:
        return [width]
    others, least = needs[1:], leasts[1:]
    if max(others) <= rest / count:
        return [first, *[rest / count] * count]
    total = sum(others)
    if total <= rest:
        return [first, *[need + (rest - total) / count for need in others]]
    beyond = [need - whole for need, whole in zip(others, least, strict=True)]
    shares = shrunk(beyond, max(0.0, rest - sum(least)))
    return [first, *[whole + share for whole, share in zip(least, shares, strict=True)]]


def _need(at: int, name: str, lanes: Sequence[Lane], style: Style, *, whole: bool = False) -> float:
    """Return how wide a column would like to be, or must be for what stays `whole`."""
    widest = style.width(plain(name), style.em, bold=True)
    for lane in lanes:
        if len(lane.fields) > max(1, at) and (lane.fields[at].whole or not whole):
            field = lane.fields[at]
            swatch = style.em * _SWATCH_EMS if at == 0 and lane.part else 0.0
            bold = field.look == "strong"
            widest = max(widest, swatch + style.width(plain(field.text), style.em, bold))
    return widest + style.em * _GAP_EMS


def _lane_items(
    lane: Lane, widths: Sequence[float], y: float, step: float, style: Style
) -> list[Item]:
    if len(lane.fields) == 1:
        text = elide(lane.fields[0].text, sum(widths), style.measure, style.em, bold=True)
        return [Text(0, y + step / 2, text, style.em, style.theme.text, BOLD, role="table:heading")]
    items: list[Item] = []
    x = 0.0
    gap = style.em * _GAP_EMS
    for at, (field, width) in enumerate(zip(lane.fields, widths, strict=True)):
        start = x
        if at == 0 and lane.part:
            side = round(style.em * 0.85)
            items += part_items(
                lane.part, Box(x, y + (step - side) / 2, side, side), style, "table:swatch"
            )
            start += style.em * _SWATCH_EMS
        room = x + width - start - gap
        bold = field.look == "strong"
        text = elide(field.text, max(0.0, room + _ROUNDING), style.measure, style.em, bold)
        ink = _ink(field.look, style.theme)
        middle = y + step / 2
        weight = BOLD if bold else REGULAR
        if field.to_the_right and at:
            items.append(
                Text(x + width, middle, text, style.em, ink, weight, "end", True, "table:cell")
            )
        else:
            items.append(Text(start, middle, text, style.em, ink, weight, role="table:cell"))
        x += width
    return items


def _ink(look: Look, theme: Theme) -> str:
    inks = {"good": theme.success, "bad": theme.danger, "muted": theme.muted}
    return inks.get(look, theme.text)

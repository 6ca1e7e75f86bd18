"""A table as a display list: columns alike or as wide as they need, figures to the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from workbench.charts.display import (
    BOLD,
    REGULAR,
    Anchor,
    Box,
    DisplayList,
    Item,
    Line,
    Text,
)
from workbench.charts.joined import moved
from workbench.charts.page import wrapped
from workbench.charts.palette import Theme
from workbench.charts.parts import HAIRLINE, Style, part_items
from workbench.charts.shares import shrunk
from workbench.charts.text import TextMeasure, elide, plain

Look = Literal["plain", "strong", "good", "bad", "muted"]
_FIRST_SHARE: Final = 0.4
"""Part of the width that the first column may take at most."""
_NARROWED: Final = 0.55
_LINE_EMS: Final = 1.6
_MOST_LINES: Final = 3
_DRAWN_MARGIN_EMS: Final = 0.4
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
    draw: Callable[[float, float], DisplayList] | None = None
    """A picture instead of the text, for a width and a height: as wide in every column."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One row; with one field only it is the heading of those below it."""

    fields: tuple[Field, ...]
    part: str = ""
    """A part of a bar, whose swatch stands before the name."""
    height_ems: float = _LINE_EMS


def table_list(
    columns: Sequence[str],
    lanes: Sequence[Lane],
    *,
    width: float,
    theme: Theme,
    measure: TextMeasure,
    text_px: float = 13.0,
) -> DisplayList:
    """Draw a table `width` pixels wide; long texts take three lines, and end in an … past those.

    It is wider than asked where fields that must stay whole need that.
    """
    style = Style(theme, measure, "auto", max(1.0, text_px))
    right = _sides(columns, lanes)
    widths = _widths(columns, lanes, width, style)
    width = max(width, sum(widths))
    head = Lane(
        tuple(Field(name, "strong", side) for name, side in zip(columns, right, strict=True))
    )
    items, y = _lane_items(head, widths, 0.0, style, "table:head")
    items.append(Line(0, y, width, y, theme.muted, HAIRLINE, role="table:rule"))
    for lane in lanes:
        if len(lane.fields) == 1:
            y += round(style.em * 0.4)
        drawn, y = _lane_items(lane, widths, y, style, "table:cell")
        items += drawn
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
    """Share the width: the first column what its names need, the others alike if figures allow."""
    needs = [_need(at, name, lanes, style) for at, name in enumerate(columns)]
    leasts = [_need(at, "", lanes, style, whole=True) for at in range(len(columns))]
    first, count = max(leasts[0], min(needs[0], width * _FIRST_SHARE)), len(columns) - 1
    if not count:
        return [width]
    # Names take a second line rather than that columns are not alike.
    alike = width - count * max(leasts[1:])
    if first > alike >= first * _NARROWED:
        first = alike
    rest = width - first
    others, least = needs[1:], leasts[1:]
    if max(least) <= rest / count + _ROUNDING:
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
            swatch = _swatch(lane, at, style)
            bold = field.look == "strong"
            widest = max(widest, swatch + style.width(plain(field.text), style.em, bold))
    return widest + style.em * _GAP_EMS


def _lane_items(
    lane: Lane, widths: Sequence[float], y: float, style: Style, role: str
) -> tuple[list[Item], float]:
    """Draw a lane; return its items and its lower edge."""
    if len(lane.fields) == 1:
        step = round(style.em * _LINE_EMS)
        text = elide(lane.fields[0].text, sum(widths), style.measure, style.em, bold=True)
        ink, role = style.theme.text, "table:heading"
        return [Text(0, y + step / 2, text, style.em, ink, BOLD, role=role)], y + step
    said = [_lines(lane, at, width, style) for at, width in enumerate(widths)]
    step = round(style.em * lane.height_ems + (max(map(len, said)) - 1) * style.line(style.em))
    items: list[Item] = []
    x = 0.0
    for at, (field, width) in enumerate(zip(lane.fields, widths, strict=True)):
        x += width
        if field.draw is not None:
            inset, wide = style.em * _DRAWN_MARGIN_EMS, min(widths[1:]) - style.em * _GAP_EMS
            items += moved(field.draw(wide, step - 2 * inset).items, x - wide, y + inset)
        else:
            start = _swatch(lane, at, style) if at == 0 else x - width
            at_right = field.to_the_right and at > 0
            place = x if at_right else start, y + step / 2
            items += _texts(field, said[at], place, style, role, at_right=at_right)
    if lane.part:
        side = round(style.em * 0.85)
        box = Box(0.0, y + (step - side) / 2, side, side)
        items += part_items(lane.part, box, style, "table:swatch")
    return items, y + step


def _swatch(lane: Lane, at: int, style: Style) -> float:
    """Return the room that the swatch of a part takes before its name."""
    return style.em * _SWATCH_EMS if at == 0 and lane.part else 0.0


def _texts(
    field: Field,
    said: Sequence[str],
    place: tuple[float, float],
    style: Style,
    role: str,
    *,
    at_right: bool,
) -> Iterator[Text]:
    """Yield the lines of a field, around the middle of its lane."""
    x, middle = place
    weight = BOLD if field.look == "strong" else REGULAR
    step, ink = style.line(style.em), _ink(field.look, style.theme)
    for number, line in enumerate(said):
        y = middle + step * (number - (len(said) - 1) / 2)
        anchor: Anchor = "end" if at_right else "start"
        yield Text(x, y, line, style.em, ink, weight, anchor, at_right, role)


def _lines(lane: Lane, at: int, width: float, style: Style) -> tuple[str, ...]:
    """Return the text of a field in as many lines as it takes; a figure is one."""
    field = lane.fields[at]
    room = max(0.0, width - _swatch(lane, at, style) - style.em * _GAP_EMS + _ROUNDING)
    most = 1 if field.whole else _MOST_LINES
    bold = field.look == "strong"
    return wrapped(field.text, room, style.measure, style.em, most, bold=bold)


def _ink(look: Look, theme: Theme) -> str:
    inks = {"good": theme.success, "bad": theme.danger, "muted": theme.muted}
    return inks.get(look, theme.text)

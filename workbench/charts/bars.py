"""Stacked bars: where the memory of a GPU goes, a row a scenario or a rank.

Each bar stands on one axis of bytes from 0: what counts against the budget in stack order, then
headroom and what is free, up to the limit line; right of it what lies outside the budget. What
does not fit keeps growing past the line, hatched. Nothing is cut off: the axis grows instead.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import Final

from workbench.charts.display import Box, DisplayList, HitRegion, Item, Line, Text
from workbench.charts.labels import Labels, english
from workbench.charts.legend import head
from workbench.charts.palette import Theme
from workbench.charts.parts import OVER, PART_ORDER, Style
from workbench.charts.row_items import (
    Drawn,
    Place,
    name_width,
    result_width,
    row_height,
    row_items,
    selection,
)
from workbench.charts.rows import Row, chart_unit, limit_text, sentence
from workbench.charts.scale import UNIT_BYTES, Scale, tick_text, ticks, whole
from workbench.charts.stack import OUTSIDE, drawn
from workbench.charts.text import TextMeasure, elide
from workbench.spec.units import ByteUnit

_NAME_SHARE: Final = 0.27
"""Part of the width that names may take at most."""
_NARROWEST_PLOT_EMS: Final = 10
_MOST_TICKS: Final = 10


@dataclass(frozen=True, slots=True)
class _Layout:
    """Columns of the chart in pixels, and the axis."""

    width: float
    padding: float
    place: Place

    @property
    def inner(self) -> float:
        return self.width - 2 * self.padding


def stacked_bars(
    rows: Sequence[Row],
    *,
    width: float,
    theme: Theme,
    measure: TextMeasure,
    unit: ByteUnit = "auto",
    labels: Labels = english,
    text_px: float = 13.0,
    title: str = "",
    legend: bool = True,
    padding: float | None = None,
    axis_at_least_bytes: int = 0,
    stretch: float = 1.0,
    drawn_before: Drawn | None = None,
    in_steps: bool = False,
) -> DisplayList:
    """Draw one horizontal bar a row, `width` pixels wide and as high as it takes.

    `text_px` sets the size of everything; `padding` (pixels, by default one text size) is the
    margin all round. `axis_at_least_bytes` keeps the axis still while a value is dragged. The
    list is wider than asked where names and results would leave no room for the bars. `stretch`
    makes rows and bars thicker than their text asks for. `drawn_before` lends what the last list
    had where it is the same; `in_steps` lets the column of names grow by thirds, so that most is.
    """
    style = Style(theme, measure, chart_unit(rows, unit), max(1.0, text_px), stretch)
    before = drawn_before or Drawn()
    needs = [
        before.kept(("needs", i), (row, style), partial(_needs, row, style, labels))
        for i, row in enumerate(rows)
    ]
    layout = _layout(needs, style, width, padding, axis_at_least_bytes, in_steps)
    area = Box(layout.padding, layout.padding, layout.inner, 0.0)
    parts = _parts_present(needs) if legend else []
    asked = (parts, title, style, area)
    first, height = before.kept("head", asked, partial(head, parts, title, labels, style, area))
    items = list(first)
    y = layout.padding + height + (style.em * 0.4 if height else 0.0)
    behind: list[Item] = []
    front: list[Item] = []
    hits: list[HitRegion] = []
    spans: list[tuple[float, float]] = []
    for count, run in enumerate(_runs(rows)):
        y += style.em * 0.4 if count else 0.0
        limit = (run[0].ledger.budget_bytes, run[0].ledger.total_bytes, len(run))
        lane, y = before.kept(
            ("limit", count),
            (limit, layout, style, y),
            partial(_limit_lane, run, layout, style, labels, y),
        )
        front += lane
        spans.append((y, y + row_height(style) * len(run)))
        for row in run:
            behind += selection(row, layout.width, layout.padding, y, style)
            drawn, regions = before.kept(
                y,
                (row, layout.place, style),
                partial(row_items, row, layout.place, y, style, labels),
            )
            items += drawn
            hits += regions
            y += row_height(style)
    axis: list[Item] = []
    if spans:
        made = partial(_axis, layout, style, spans)
        axis, y = before.kept("axis", (layout, style, spans), made)
    return DisplayList(
        layout.width,
        whole(y + layout.padding),
        theme.surface,
        (*behind, *axis, *items, *front),
        tuple(hits),
        "\n".join(need.said for need in needs),
    )


@dataclass(frozen=True, slots=True)
class _Needs:
    """What one row asks of the whole chart, and says in words."""

    name: float
    """Pixels that its name would like to have."""
    result: float
    """Pixels of the text right of its bar."""
    extent_bytes: int
    parts: frozenset[str]
    said: str


def _needs(row: Row, style: Style, labels: Labels) -> _Needs:
    shown = drawn(row.ledger)
    others = [ledger for ledger in (row.previous, row.tried) if ledger is not None]
    extents = [shown.extent_bytes, *(drawn(other).extent_bytes for other in others)]
    budgets = [ledger.budget_bytes for ledger in (row.ledger, *others)]
    parts = {part.name.removeprefix(OUTSIDE) for part in shown.inside + shown.outside}
    if shown.inside_bytes > row.ledger.budget_bytes:
        parts.add(OVER)
    return _Needs(
        name=name_width(row, style),
        result=result_width(row, style, labels),
        extent_bytes=max(*extents, *budgets),
        parts=frozenset(parts),
        said=sentence(row, style.unit, labels),
    )


def _layout(
    needs: Sequence[_Needs],
    style: Style,
    width: float,
    padding: float | None,
    axis_at_least_bytes: int,
    in_steps: bool,
) -> _Layout:
    """Share the width between names, bars and results; fix the axis."""
    em = style.em
    margin = em if padding is None else max(padding, em / 2)
    # In steps: bars stand still while a figure beside them becomes a digit longer.
    results = math.ceil(max((need.result for need in needs), default=0.0) / em) * em
    fixed = 2 * margin + results + 3 * em + _NARROWEST_PLOT_EMS * em
    width = max(width, fixed / (1 - _NAME_SHARE))
    most = (width - 2 * margin) * _NAME_SHARE
    names = min(max((need.name for need in needs), default=0.0), most)
    if in_steps:
        # Likewise here: a copy is named after what is being changed in it.
        names = math.ceil(names * 3 / most) * most / 3
    left = whole(margin + names + em * 1.2)
    right = width - margin - results - em * 1.2
    longest = max((need.extent_bytes for need in needs), default=0)
    # A little room, so that the outline of the longest bar does not touch the results.
    end = max(longest + longest // 64, axis_at_least_bytes) or UNIT_BYTES[style.unit]
    scale = Scale(left, right - left, end)
    return _Layout(width, margin, Place(margin, names, scale, width - margin))


def _parts_present(needs: Sequence[_Needs]) -> list[str]:
    """Return the parts that occur in any row, in stack order."""
    return [name for name in PART_ORDER if any(name in need.parts for need in needs)]


def _runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Group neighbours with the same limit: each group gets one line and one label."""
    groups = groupby(rows, key=lambda row: (row.ledger.budget_bytes, row.ledger.total_bytes))
    return [list(group) for _, group in groups]


def _limit_lane(
    run: Sequence[Row], layout: _Layout, style: Style, labels: Labels, y: float
) -> tuple[list[Item], float]:
    """Draw the limit line of a run of rows and its label in a lane of its own above them."""
    ledger, theme = run[0].ledger, style.theme
    x = layout.place.scale.at(ledger.budget_bytes)
    text = elide(limit_text(ledger, style.unit, labels), layout.inner, style.measure, style.small)
    half = style.width(text, style.small) / 2
    middle = min(max(x, layout.padding + half), layout.width - layout.padding - half)
    label_height = style.line(style.small)
    start = float(math.ceil(y + label_height))
    bars = whole(start + style.em * 0.2)
    end = bars + row_height(style) * len(run)
    items: list[Item] = [
        Line(x, start, x, end, theme.text, line_width(style), role="limit"),
        Text(
            middle,
            y + label_height / 2,
            text,
            style.small,
            theme.text,
            anchor="middle",
            tabular=True,
            role="limit:label",
        ),
    ]
    return items, bars


def line_width(style: Style) -> float:
    """Return the thickness of the limit line in pixels."""
    return max(2.0, whole(style.em * 0.15))


def _axis(
    layout: _Layout, style: Style, spans: Sequence[tuple[float, float]]
) -> tuple[list[Item], float]:
    """Draw thin grid lines behind the bars and round values below; return the lower edge.

    `spans` are the upper and lower edges of the runs of rows: no line crosses a label.
    """
    scale, theme, size = layout.place.scale, style.theme, style.small
    bottom = spans[-1][1]
    foot = whole(bottom + style.em * 0.25)
    middle = bottom + style.em * 0.3 + style.line(size) / 2
    template = Text(0, middle, "", size, theme.muted, anchor="middle", tabular=True, role="axis")
    texts = _tick_texts(scale, style, template, layout.width)
    items: list[Item] = [
        Line(text.x, top, text.x, foot if end == bottom else end, theme.line, role="grid")
        for text in texts
        for top, end in spans
    ]
    items += texts
    last = texts[-1].box(style.measure).right
    end = layout.place.right
    if last + style.em < end - style.width(style.unit, size):
        items.append(
            Text(end, middle, style.unit, size, theme.muted, anchor="end", role="axis:unit")
        )
    return items, middle + style.line(size) / 2


def _tick_texts(scale: Scale, style: Style, template: Text, width: float) -> list[Text]:
    """Return as many round values as stand apart from each other."""
    for count in range(_MOST_TICKS, 1, -1):
        texts = [
            dataclasses.replace(template, x=scale.at(at), text=tick_text(at, style.unit))
            for at in ticks(scale.end_bytes, style.unit, count)
        ]
        boxes = [text.box(style.measure) for text in texts]
        apart = all(a.right + style.em < b.x for a, b in pairwise(boxes))
        if apart and boxes[-1].right <= width:
            return texts
    return [dataclasses.replace(template, x=scale.at(0), text="0")]

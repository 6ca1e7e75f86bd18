"""Bars of scenarios on one axis, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList, Text
from workbench.charts.page import Sheet, fitted, outdented, page
from workbench.charts.parts import Style
from workbench.charts.row_items import row_height
from workbench.charts.rows import Row
from workbench.charts.text import TextMeasure
from workbench.export.found import Found
from workbench.export.frame import counted, sheet_for
from workbench.export.options import Options, Progress
from workbench.export.subject import Subject

_THICKEST: Final = 2.0
"""A page with few bars has thicker ones, up to so many times what their text asks for."""
_LEAST_BARS_PX: Final = 14.0
"""The line below a name is smaller than this, and still legible on a projector."""


def bars_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw as many bars as a page holds, and say how many do not fit."""
    rows = subject.rows_in(options.language.words)
    found = Found(options.language).fitting(subject.answered)
    low, high = 1, len(rows)
    best, kept = None, 1
    count = high
    while low <= high:
        progress(0, 1)
        missing = counted("more", len(rows) - count, options)
        sheet = sheet_for(subject, options, measure, missing, found=found)
        draw = partial(draw_bars, rows[:count], options, sheet)
        drawn = fitted(draw, sheet, least_px=_LEAST_BARS_PX)
        if drawn is not None:
            best, kept, low = (drawn, sheet), count, count + 1
        else:
            high = count - 1
        count = (low + high + 1) // 2
    if best is None:
        missing = counted("more", len(rows) - 1, options)
        sheet = sheet_for(subject, options, measure, missing, found=found)
        best = draw_bars(rows[:1], options, sheet, sheet.inner_width, 0.0, _LEAST_BARS_PX), sheet
    made, sheet = best
    return page(_thickened(made, rows[:kept], options, sheet), sheet)


def draw_bars(
    rows: Sequence[Row],
    options: Options,
    sheet: Sheet,
    width: float,
    height: float,
    size: float,
    stretch: float = 1.0,
) -> DisplayList:
    """Draw bars whose names begin where the page's title does."""
    made = stacked_bars(
        rows,
        width=width + size,
        theme=sheet.theme,
        measure=sheet.measure,
        unit=options.unit,
        labels=options.language.labels,
        text_px=size,
        padding=size / 2,
        stretch=stretch,
    )
    return outdented(made, size / 2)


def _thickened(
    made: DisplayList, rows: Sequence[Row], options: Options, sheet: Sheet
) -> DisplayList:
    """Draw the same bars as thick as the height of the page allows."""
    if sheet.inner_height is None:
        return made
    size = next(item.size for item in made.with_role("row:name") if isinstance(item, Text))
    thin = row_height(Style(sheet.theme, sheet.measure, "auto", size)) * len(rows)
    # Less a pixel a row: each row is a whole number of them.
    stretch = min(_THICKEST, 1 + (sheet.inner_height - made.height - len(rows)) / thin)
    if stretch <= 1:
        return made
    width, height = sheet.inner_width, sheet.inner_height
    return draw_bars(rows, options, sheet, width, height, size, stretch)

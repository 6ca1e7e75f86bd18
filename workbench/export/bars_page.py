"""Bars of scenarios on one axis, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList
from workbench.charts.page import Sheet, fitted, outdented, page
from workbench.charts.parts import Style
from workbench.charts.row_items import row_height
from workbench.charts.rows import Row, doubt_text
from workbench.charts.text import TextMeasure
from workbench.export.frame import counted, sheet_for
from workbench.export.options import Options, Progress
from workbench.export.safe_text import safe_line
from workbench.export.slides.found import Found
from workbench.export.subject import Subject
from workbench.spec import words
from workbench.spec.words.pictures import PICTURE_NOTES

_THICKEST: Final = 2.0
"""A page with few bars has thicker ones, up to so many times what their text asks for."""
_LEAST_BARS_PX: Final = 14.0
"""The line below a name is smaller than this, and still legible on a projector."""


def bars_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw as many bars as a page holds, and say how many do not fit."""
    rows, found = subject.rows_in(options.language.words), _found(subject, options)
    low, high = 1, len(rows)
    best: tuple[DisplayList, Sheet] | None = None
    count = high
    while low <= high:
        progress(0, 1)
        missing = counted("more", len(rows) - count, options)
        sheet = sheet_for(subject, options, measure, missing, found=found)
        draw = partial(draw_bars, rows[:count], options, sheet)
        drawn = fitted(draw, sheet, least_px=_LEAST_BARS_PX)
        if drawn is not None:
            best, low = (drawn, sheet), count + 1
        else:
            high = count - 1
        count = (low + high + 1) // 2
    if best is None:
        missing = counted("more", len(rows) - 1, options)
        sheet = sheet_for(subject, options, measure, missing, found=found)
        best = draw_bars(rows[:1], options, sheet, sheet.inner_width, 0.0, _LEAST_BARS_PX), sheet
    return page(*best)


def _found(subject: Subject, options: Options) -> str:
    """Say how many fit, where there is least room, and whose weights nobody knows."""
    found = Found(options.language)
    said = found.fitting(subject.answered)
    names = [row.name for row in subject.rows if doubt_text(row, options.language.labels)]
    if not names:
        return said
    code = "unweighed" if len(names) == 1 else "unweighed_several"
    params = {"name": safe_line(names[0], 60), "count": len(names)}
    doubt = words.fill(options.language.words(PICTURE_NOTES[code]), params)
    return found.title("joined", first=said, second=doubt)


def draw_bars(
    rows: Sequence[Row], options: Options, sheet: Sheet, width: float, height: float, size: float
) -> DisplayList:
    """Draw bars whose names begin where the page's title does, as thick as the height allows."""
    draw = partial(
        stacked_bars,
        rows,
        width=width + size,
        theme=sheet.theme,
        measure=sheet.measure,
        unit=options.unit,
        labels=options.language.labels,
        text_px=size,
        padding=size / 2,
    )
    made = draw()
    if sheet.height is not None and made.height < height:
        thin = row_height(Style(sheet.theme, sheet.measure, "auto", size)) * len(rows)
        # Less a pixel a row: each row is a whole number of them.
        spare = height - made.height - len(rows)
        made = draw(stretch=max(1.0, min(_THICKEST, 1 + spare / thin)))
    return outdented(made, size / 2)

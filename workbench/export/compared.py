"""Bars of scenarios on one axis, alone or with a table of their differences, as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList
from workbench.charts.joined import below_each_other
from workbench.charts.page import SIZES, Sheet, fitted, outdented, page
from workbench.charts.rows import Row
from workbench.charts.table_list import Field, Lane, table_list
from workbench.charts.text import TextMeasure
from workbench.export.answer_rows import answer_rows
from workbench.export.frame import counted, sentence_page, sheet_for
from workbench.export.options import Options, Progress
from workbench.export.subject import Subject
from workbench.export.table import Row as TableRow
from workbench.export.tables import inputs_table, memory_table, rows_of_budget
from workbench.export.ways import CHARTS_GAP_EMS
from workbench.spec.scenario import Scenario
from workbench.spec.words.tables import TABLE_TITLES

_MOST_COLUMNS: Final = 12
_TABLE_EMS: Final = 0.86
_SMALLEST_TABLE_PX: Final = 10.0
_SHORT: Final = ("verdict", "largest_concurrency", "largest_context")
"""The answers that a comparison begins with, as `answer_rows` calls them."""


def bars_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw as many bars as a page holds, and say how many do not fit."""
    rows = subject.rows
    low, high = 1, len(rows)
    best: tuple[DisplayList, Sheet] | None = None
    count = high
    while low <= high:
        progress(0, 1)
        sheet = sheet_for(subject, options, measure, counted("more", len(rows) - count, options))
        drawn = fitted(partial(draw_bars, rows[:count], options, sheet), sheet)
        if drawn is not None:
            best, low = (drawn, sheet), count + 1
        else:
            high = count - 1
        count = (low + high + 1) // 2
    if best is None:
        sheet = sheet_for(subject, options, measure, counted("more", len(rows) - 1, options))
        best = draw_bars(rows[:1], options, sheet, sheet.inner_width, 0.0, SIZES[-1]), sheet
    return page(*best)


def draw_bars(
    rows: Sequence[Row], options: Options, sheet: Sheet, width: float, height: float, size: float
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
    )
    return outdented(made, size / 2)


def compare_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw scenarios beside each other: bars, answers, memory, inputs that differ."""
    scenarios = subject.plan.scenarios
    if len(scenarios) < 2:
        return sentence_page(subject, options, measure, "one_scenario")
    others = [scenario for scenario in scenarios if scenario.id != subject.plan.baseline]
    most = min(len(others), _MOST_COLUMNS - 1)
    # Rather fewer inputs than fewer scenarios; rather one scenario more than every input.
    for count in range(most, 0, -1):
        progress(most - count, most)
        shown = _first(subject, others[:count])
        inputs = len(_input_rows(shown, options))
        for rows in sorted({inputs, inputs * 2 // 3, inputs // 3, 0}, reverse=True):
            notes = (
                counted("more", len(others) - count, options),
                counted("inputs", inputs - rows, options),
            )
            sheet = sheet_for(subject, options, measure, *notes)
            draw = partial(_draw_comparison, shown, options, sheet, rows)
            made = fitted(draw, sheet)
            if made is not None:
                return page(made, sheet)
    return page(draw(sheet.inner_width, 0.0, SIZES[-1]), sheet)


def _first(subject: Subject, others: Sequence[Scenario]) -> Subject:
    """Return the baseline and some others, in the order of the plan."""
    kept = {scenario.id for scenario in others} | {subject.plan.scenarios[subject.baseline].id}
    ids = [scenario.id for scenario in subject.plan.scenarios]
    if kept == set(ids):
        return subject
    return subject.only([one for one in ids if one in kept])


def _draw_comparison(
    subject: Subject,
    options: Options,
    sheet: Sheet,
    inputs: int,
    width: float,
    height: float,
    size: float,
) -> DisplayList:
    """Bars on one axis, below them answers, memory and the first of the inputs that differ."""
    bars = draw_bars(subject.rows, options, sheet, width, height, size)
    memory = memory_table(subject, options)
    answers = (row for code, row in answer_rows(subject, options) if code in _SHORT)
    lanes = _lanes(answers, whole=True)
    lanes += [Lane((Field(memory.title),)), *_lanes(rows_of_budget(memory), whole=True)]
    if inputs:
        lanes.append(Lane((Field(options.language.words(TABLE_TITLES["inputs"])),)))
        lanes += _lanes(_input_rows(subject, options)[:inputs])
    below = table_list(
        ("", *memory.columns[1:]),
        lanes,
        width=width,
        theme=sheet.theme,
        measure=sheet.measure,
        text_px=max(_SMALLEST_TABLE_PX, size * _TABLE_EMS),
    )
    return below_each_other((bars, below), gap=size * CHARTS_GAP_EMS)


def _input_rows(subject: Subject, options: Options) -> list[TableRow]:
    """The inputs that differ, without the headings between them."""
    rows = inputs_table(subject, options, only_differences=True).rows
    return [row for row in rows if not row.is_heading]


def _lanes(rows: Iterable[TableRow], *, whole: bool = False) -> list[Lane]:
    """Return rows of a table as lines to draw; figures are `whole`, names may be elided."""
    return [
        Lane(
            tuple(
                Field(cell.text, cell.look, to_the_right=at > 0, whole=whole and at > 0)
                for at, cell in enumerate(row.cells)
            ),
            row.part,
        )
        for row in rows
    ]

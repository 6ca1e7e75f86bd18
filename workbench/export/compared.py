"""Scenarios beside each other: small bars on one axis, answers, memory, inputs that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from workbench.charts.columns import axis_end_bytes, column_bar
from workbench.charts.display import DisplayList
from workbench.charts.page import SIZES, Sheet, fitted, page
from workbench.charts.rows import Row, chart_unit
from workbench.charts.scale import sized_fixed
from workbench.charts.table_list import Field, Lane, table_list
from workbench.charts.text import TextMeasure
from workbench.export.answer_rows import answer_rows
from workbench.export.found import Found, marked_verdict
from workbench.export.frame import counted, sheet_for
from workbench.export.memory_rows import memory_rows
from workbench.export.options import Options, Progress
from workbench.export.subject import Subject
from workbench.export.table import Cell
from workbench.export.tables import input_rows, scenario_names
from workbench.export.wording import input_alone
from workbench.spec import words
from workbench.spec.scenario import Scenario
from workbench.spec.words.pictures import PICTURE_NOTES
from workbench.spec.words.tables import TABLE_ROWS, TABLE_TITLES

_MOST_COLUMNS: Final = 12
_LARGEST_TABLE_PX: Final = 16.0
_BAR_EMS: Final = (2.6, 7.0)
"""Height of the lane of small bars: at least, and at most where there is room."""
_SHORT: Final = ("largest_concurrency", "largest_context")
"""The answers that a comparison begins with, as `answer_rows` calls them."""


def compare_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw scenarios beside each other: bars, answers, memory, inputs that differ."""
    scenarios = subject.plan.scenarios
    others = [scenario for scenario in scenarios if scenario.id != subject.plan.baseline]
    most = min(len(others), _MOST_COLUMNS - 1)
    # Rather fewer inputs than fewer scenarios; rather one scenario more than every input.
    for count in range(most, 0, -1):
        progress(most - count, most)
        compared = _Compared(_first(subject, others[:count]), options)
        inputs = len(compared.inputs)
        best, low, high, rows = None, 0, inputs, inputs
        while low <= high:
            notes = (
                counted("more", len(others) - count, options),
                counted("inputs", inputs - rows, options),
            )
            sheet = sheet_for(subject, options, measure, *notes, found=compared.found)
            draw = partial(compared.draw, sheet, rows)
            made = fitted(draw, sheet)
            if made is None:
                high = rows - 1
            else:
                best, low = (made, sheet), rows + 1
            rows = (low + high) // 2
        if best is not None:
            return page(*best)
    return page(draw(sheet.inner_width, 0.0, SIZES[-1]), sheet)


def _first(subject: Subject, others: Sequence[Scenario]) -> Subject:
    """Return the baseline and some others, in the order of the plan."""
    kept = {scenario.id for scenario in others} | {subject.plan.scenarios[subject.baseline].id}
    ids = [scenario.id for scenario in subject.plan.scenarios]
    if kept == set(ids):
        return subject
    return subject.only([one for one in ids if one in kept])


class _Compared:
    """A column a scenario; what each says is worked out once, however many sizes are tried."""

    def __init__(self, subject: Subject, options: Options) -> None:
        self.subject, self.options, self.say = subject, options, options.language.words
        self.found = Found(options.language).most(subject)
        self.unit = chart_unit(subject.rows, options.unit)
        self.end_bytes = axis_end_bytes([row.ledger for row in subject.rows])
        self.above = [*self._answers(), *self._memory()]
        self.inputs = list(self._inputs())

    def draw(
        self, sheet: Sheet, inputs: int, width: float, height: float, size: float
    ) -> DisplayList:
        """Draw the table with the first of the inputs; bars as high as the height allows."""
        low, high = _BAR_EMS
        made = self._table(sheet, inputs, width, size, low)
        spare = (height - made.height) / min(size, _LARGEST_TABLE_PX)
        if sheet.height is None or spare < 0.1:
            return made
        return self._table(sheet, inputs, width, size, min(high, low + spare - 0.1))

    def _table(
        self, sheet: Sheet, inputs: int, width: float, size: float, bar_ems: float
    ) -> DisplayList:
        lanes = [self._bars(sheet, bar_ems), *self.above]
        if inputs:
            lanes += [_title(self.say(TABLE_TITLES["inputs"])), *self.inputs[:inputs]]
        return table_list(
            ("", *scenario_names(self.subject, self.options.language)),
            lanes,
            width=width,
            theme=sheet.theme,
            measure=sheet.measure,
            text_px=min(size, _LARGEST_TABLE_PX),
        )

    def _bars(self, sheet: Sheet, bar_ems: float) -> Lane:
        def drawn(row: Row, width: float, height: float) -> DisplayList:
            return column_bar(
                row,
                end_bytes=self.end_bytes,
                width=width,
                height=height,
                theme=sheet.theme,
                measure=sheet.measure,
                labels=self.options.language.labels,
            )

        end = sized_fixed(self.end_bytes, self.unit, 0)
        name = words.fill(self.say(PICTURE_NOTES["axis"]), {"size": end})
        fields = (Field("", draw=partial(drawn, row)) for row in self.subject.rows)
        return Lane((Field(name, "muted"), *fields), height_ems=bar_ems)

    def _answers(self) -> Iterator[Lane]:
        language = self.options.language
        verdicts = (marked_verdict(ledger, language) for ledger in self.subject.ledgers)
        yield _lane(Cell(self.say(TABLE_ROWS["verdict"])), *verdicts)
        for code, row in answer_rows(self.subject, self.options):
            if code in _SHORT:
                yield _lane(*row.cells)

    def _memory(self) -> Iterator[Lane]:
        for row in memory_rows(self.subject, self.options):
            yield _title(row.cells[0].text) if row.is_heading else _lane(*row.cells, part=row.part)

    def _inputs(self) -> Iterator[Lane]:
        """What differs, by names that need no headings of groups."""
        language = self.options.language
        for item, row in input_rows(self.subject, self.options, only_differences=True):
            if item is not None:
                name = input_alone(item.id, language)
                first = Cell(name[:1].upper() + name[1:])
                yield _lane(first, *row.cells[1:], whole=False)


def _title(text: str) -> Lane:
    return Lane((Field(text),))


def _lane(name: Cell, *cells: Cell, part: str = "", whole: bool = True) -> Lane:
    """Return a row as a line to draw; figures are `whole`, names may be elided."""
    fields = (Field(cell.text, cell.look, to_the_right=True, whole=whole) for cell in cells)
    return Lane((Field(name.text, name.look), *fields), part)

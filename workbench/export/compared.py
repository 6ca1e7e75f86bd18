"""Scenarios beside each other: small bars on one axis, answers, memory, inputs that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from workbench.charts.columns import axis_end_bytes, column_bar
from workbench.charts.display import DisplayList
from workbench.charts.page import SIZES, Sheet, fitted, page
from workbench.charts.rows import Row, chart_unit
from workbench.charts.scale import fixed, sized_fixed
from workbench.charts.table_list import Field, Lane, table_list
from workbench.charts.text import TextMeasure
from workbench.core.compare import OUTSIDE
from workbench.core.compare import Cell as Compared
from workbench.export.answer_rows import answer_rows
from workbench.export.frame import counted, sheet_for
from workbench.export.options import Options, Progress
from workbench.export.slides.found import Found, verdict_cell
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook
from workbench.export.tables import inputs_table, scenario_names
from workbench.export.wording import NONE, part_name
from workbench.spec import units, words
from workbench.spec.ledger import EntryKind
from workbench.spec.scenario import Scenario
from workbench.spec.words.pictures import PICTURE_NOTES
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_ROWS, TABLE_TITLES, TABLE_WORDS

_MOST_COLUMNS: Final = 12
_LARGEST_TABLE_PX: Final = 16.0
_BAR_EMS: Final = (2.6, 7.0)
"""Height of the lane of small bars: at least, and at most where there is room."""
_SHORT: Final = {"largest_concurrency": "held", "largest_context": "longest"}
"""The answers that a comparison begins with, as `answer_rows` and `PICTURE_NOTES` call them."""


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
        for rows in sorted({inputs, inputs * 2 // 3, inputs // 3, 0}, reverse=True):
            notes = (
                counted("more", len(others) - count, options),
                counted("inputs", inputs - rows, options),
            )
            sheet = sheet_for(subject, options, measure, *notes, found=compared.found)
            draw = partial(compared.draw, sheet, rows)
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


class _Compared:
    """A column a scenario; what each says is worked out once, however many sizes are tried."""

    def __init__(self, subject: Subject, options: Options) -> None:
        self.subject, self.options, self.say = subject, options, options.language.words
        self.found = Found(options.language).most(subject)
        self.unit = chart_unit(subject.rows, options.unit)
        self.end_bytes = axis_end_bytes([row.ledger for row in subject.rows])
        self.above = [*self._answers(), *self._memory()]
        rows = inputs_table(subject, options, only_differences=True).rows
        self.inputs = [_lane(*row.cells, whole=False) for row in rows if not row.is_heading]

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
        verdicts = (verdict_cell(row, language) for row in self.subject.rows)
        yield _lane(Cell(self.say(TABLE_ROWS["verdict"])), *verdicts)
        for code, row in answer_rows(self.subject, self.options):
            if code in _SHORT:
                name = Cell(self.say(PICTURE_NOTES[_SHORT[code]]))
                yield _lane(name, *(_in_full(cell) for cell in row.cells[1:]))

    def _memory(self) -> Iterator[Lane]:
        """What moves a verdict, in one unit: figures under each other can be compared."""
        made, language = self.subject.quick_comparison, self.options.language
        yield _title(words.fill(self.say(TABLE_HEADINGS["sizes"]), {"unit": self.unit}))
        for row in made.memory:
            if not row.part.startswith((OUTSIDE, EntryKind.UNREQUESTED.value)):
                name = Cell(part_name(row.part, language))
                yield _lane(name, *map(self._size, row.per_gpu), part=row.part)
        for code in ("used", "budget"):
            name = Cell(language.labels(f"table.{code}"), look="strong")
            sizes = (
                column.used_bytes("gpu") if code == "used" else column.budget_bytes("gpu")
                for column in made.columns
            )
            cells = (Cell(fixed(size, self.unit), look="strong") for size in sizes)
            yield _lane(name, *cells)

    def _size(self, cell: Compared) -> Cell:
        """Show bytes, and by how much they differ from the baseline's."""
        size = cell.value if isinstance(cell.value, int) else None
        text = NONE if size is None else fixed(size, self.unit)
        if cell.delta:
            delta = fixed(int(cell.delta), self.unit, plus="+")
            template = self.say(TABLE_WORDS["delta"])
            text = words.fill(template, {"size": text, "delta": delta})
        look: CellLook = "muted" if size is None else "bad" if size < 0 else "plain"
        return Cell(text, size, "bytes", look)


def _in_full(cell: Cell) -> Cell:
    """Show tokens in full: "40k" beside 53,504 would be hard to compare."""
    if cell.unit != "tokens" or not isinstance(cell.value, int):
        return cell
    return replace(cell, text=units.group_digits(cell.value))


def _title(text: str) -> Lane:
    return Lane((Field(text),))


def _lane(name: Cell, *cells: Cell, part: str = "", whole: bool = True) -> Lane:
    """Return a row as a line to draw; figures are `whole`, names may be elided."""
    fields = (Field(cell.text, cell.look, to_the_right=True, whole=whole) for cell in cells)
    return Lane((Field(name.text, name.look), *fields), part)

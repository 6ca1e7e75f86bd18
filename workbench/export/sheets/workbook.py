"""A plan as a workbook: summary, comparison, inputs, a ledger a scenario, assumptions, findings."""

from __future__ import annotations

import datetime
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Final

from workbench.charts.rows import cards_of
from workbench.export.ledger_rows import size_unit
from workbench.export.options import Options, Progress, silent
from workbench.export.safe_text import safe_line
from workbench.export.sheets.compare_sheet import CompareSheet, Source
from workbench.export.sheets.input_sheet import InputCells
from workbench.export.sheets.ledger_sheet import LedgerSheet
from workbench.export.sheets.model import model_of
from workbench.export.sheets.names import SheetNames
from workbench.export.sheets.other_sheets import Figures, write_summary, write_table
from workbench.export.sheets.pen import Pen, Styles
from workbench.export.subject import Subject
from workbench.export.tables import assumptions_table, findings_table
from workbench.export.wording import engine_text
from workbench.spec import words
from workbench.spec.scenario import Scenario
from workbench.spec.words.tables import SHEET_NOTES, TABLE_COLUMNS, TABLE_TITLES

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook

    from workbench.export.sheets.own_sheet import OwnSheet

_MADE: Final = datetime.datetime(2000, 1, 1)
"""As every workbook says: the same plan gives the same bytes."""
_OTHERS: Final = 5
"""Sheets that are no scenario's."""
_SETTINGS: Final = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def xlsx_bytes(subject: Subject, options: Options, progress: Progress = silent) -> bytes:
    """Return the workbook of a plan."""
    from xlsxwriter.workbook import Workbook

    from workbench.export.sheets.own_sheet import OwnSheet

    target = BytesIO()
    book = Workbook(target, _SETTINGS)
    title = options.title if options.title is not None else subject.plan.title
    book.set_properties({"title": safe_line(title, 200), "created": _MADE})
    _Writer(book, OwnSheet, subject, options, progress).write()
    book.close()
    return target.getvalue()


class _Writer:
    def __init__(
        self,
        book: Workbook,
        sheet_type: type[OwnSheet],
        subject: Subject,
        options: Options,
        progress: Progress,
    ) -> None:
        self.book, self.subject, self.options = book, subject, options
        self._sheet_type = sheet_type
        self.say = options.language.words
        self._progress, self._done = progress, 0
        self._styles = Styles(book)
        codes = ("answers", "compare", "inputs", "assumptions", "findings")
        self._titles = {code: self.say(TABLE_TITLES[code]) for code in codes}
        names = SheetNames()
        # Names of our own first: a scenario of the same name gets a number.
        fixed = {code: names.name(self._titles[code], code) for code in codes}
        other = self.say(TABLE_COLUMNS["scenario"])
        of_scenarios = [
            names.name(scenario.name, f"{other} {number}")
            for number, scenario in enumerate(subject.plan.scenarios, 1)
        ]
        self._first = {code: self._pen(fixed[code]) for code in codes[:3]}
        self._ledgers = [self._pen(name) for name in of_scenarios]
        self._first |= {code: self._pen(fixed[code]) for code in codes[3:]}

    def _pen(self, name: str) -> Pen:
        sheet = self.book.add_worksheet(name, self._sheet_type)
        sheet.packed = self._step
        return Pen(sheet, self._styles)

    def _step(self) -> None:
        self._tell(self._done + 1)

    def _tell(self, done: int) -> None:
        """Each scenario is worked out, written and packed; the other sheets are only two of it."""
        self._done = done
        self._progress(done, 3 * len(self._ledgers) + 2 * _OTHERS)

    def write(self) -> None:
        """Write every sheet."""
        subject, options, pens, titles = self.subject, self.options, self._first, self._titles
        subject.work_out(self._tell)
        self._done = len(self._ledgers)
        inputs = InputCells(subject, options, pens["inputs"].sheet.get_name())
        sources = []
        for number, (scenario, ledger) in enumerate(subject.answered):
            sheet = LedgerSheet(model_of(scenario, ledger), options)
            pen, link = self._ledgers[number], inputs.linker(number, sheet.model)
            sheet.write(pen, scenario.name, self._subtitle(scenario), link)
            sources.append(Source(sheet.model, pen.sheet.get_name()))
            self._step()
        inputs.write(pens["inputs"], subject, titles["inputs"])
        self._step()
        CompareSheet(subject, options, sources).write(self.book, pens["compare"], titles["compare"])
        self._step()
        figures = [Figures(source.sheet, source.model.figures) for source in sources]
        write_summary(pens["answers"], subject, options, self._title(), figures)
        self._step()
        count = len(sources)
        # Sizes under each other are compared: all in one unit.
        table = assumptions_table(subject, replace(options, unit=size_unit(options.unit)))
        widths = (38, 12, *(20,) * count)
        write_table(pens["assumptions"], table, subject, options, widths, 1)
        self._step()
        table = findings_table(subject, options)
        write_table(pens["findings"], table, subject, options, (28, 10, 84, 22))
        self._step()

    def _title(self) -> str:
        title = self.options.title
        title = self.subject.plan.title if title is None else title
        return title or self._titles["answers"]

    def _subtitle(self, scenario: Scenario) -> str:
        language = self.options.language
        engine = engine_text(scenario.engine.kind, scenario.engine.release, language)
        cards = cards_of(scenario, language.words)
        named = {"model": scenario.model.name, "gpu": cards, "engine": engine}
        return words.fill(self.say(SHEET_NOTES["subtitle"]), named)

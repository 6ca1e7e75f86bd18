"""The sheet of inputs, from which the sheets of the scenarios take theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from workbench.core.compare import Cell as Compared
from workbench.export.options import Options
from workbench.export.sheets.model import Model, followed_in_part
from workbench.export.sheets.names import letters, quoted
from workbench.export.sheets.other_sheets import (
    COLUMN_WIDTH,
    HEADER_ROW,
    LABEL_WIDTH,
    WRAPPED,
    title_lines,
)
from workbench.export.sheets.pen import HEADING, IN_PART, INPUT, LOOKS, Pen, literally
from workbench.export.subject import Subject
from workbench.export.table import Cell
from workbench.export.tables import input_cell, input_rows, inputs_table
from workbench.spec.ledger import Evidence, Term
from workbench.spec.words.tables import SHEET_NOTES, TABLE_WORDS


class InputCells:
    """Where the inputs of the scenarios stand, and which of them a figure was taken from."""

    def __init__(self, subject: Subject, options: Options, sheet: str) -> None:
        self._sheet = quoted(sheet)
        self._options = options
        self._lines = list(input_rows(subject, options))
        self._rows = {
            item.id: (HEADER_ROW + 1 + number, item)
            for number, (item, _) in enumerate(self._lines)
            if item is not None
        }
        self._used: set[tuple[int, int]] = set()
        self._in_part: set[tuple[int, int]] = set()

    def linker(self, scenario: int, model: Model) -> Callable[[Term], str | None]:
        """Return what finds the cells of a scenario."""
        in_part = followed_in_part(model, self._rows)
        self._in_part |= {(self._rows[one][0], scenario) for one in in_part if one in self._rows}
        return lambda term: self._link(scenario, term)

    def _link(self, scenario: int, term: Term) -> str | None:
        """The cell that holds a term's value; None where it is no input as typed."""
        found = self._rows.get(term.field or "")
        if found is None or term.evidence is Evidence.COMPUTED or isinstance(term.value, str):
            return None
        at, row = found
        cell = input_cell(row, row.cells[scenario], self._options.language)
        units = (cell.unit, "count") if cell.unit == "ratio" else (cell.unit,)
        if cell.value != term.value or term.unit not in units:
            return None
        self._used.add((at, scenario))
        return f"{self._sheet}!${letters(scenario + 1)}${at + 1}"

    def write(self, pen: Pen, subject: Subject, title: str) -> None:
        """Write the inputs; call it last, when it is known which of them are used."""
        options = self._options
        columns = inputs_table(subject, options).columns
        note = options.language.words(SHEET_NOTES["inputs"])
        title_lines(pen, title, subject, options, note)
        pen.width(0, 0, LABEL_WIDTH)
        pen.width(1, len(columns) - 1, COLUMN_WIDTH)
        pen.header(HEADER_ROW, columns, range(1, len(columns)))
        for number, (item, row) in enumerate(self._lines):
            at = HEADER_ROW + 1 + number
            pen.text(at, 0, row.cells[0].text, **(HEADING if item is None else {}))
            if item is not None:
                for scenario, cell in enumerate(row.cells[1:]):
                    self._input(pen, at, scenario, cell, item.cells[scenario])
        pen.finish(HEADER_ROW, 1)

    def _input(self, pen: Pen, row: int, scenario: int, cell: Cell, compared: Compared) -> None:
        look = dict(LOOKS[cell.look])
        if (row, scenario) in self._used:
            look |= IN_PART if (row, scenario) in self._in_part else INPUT
        if cell.value is None:
            pen.text(row, scenario + 1, cell.text, align="right", **WRAPPED, **look)
            return
        form = _FORMS.get(cell.unit, "#,##0")
        if cell.unit == "ratio" and float(cell.value).is_integer():
            form = "#,##0"
        if compared.value is None:
            form = self._default(form)
        pen.number(row, scenario + 1, cell.value, form, **look)

    def _default(self, form: str) -> str:
        """A form of numbers that says that the value is the engine's own."""
        return literally(self._options.language.words(TABLE_WORDS["default"]), "{value}", form)


_FORMS: Final = {"bytes": '#,##0 "B"', "share": "0.######%", "ratio": "#,##0.######"}

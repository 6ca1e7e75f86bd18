"""Sheets beside the ledgers: summary, inputs, and tables of words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from workbench.export.answer_rows import answer_rows
from workbench.export.ledger_rows import size_unit, unit_bytes
from workbench.export.options import Options
from workbench.export.sheets.model import Node
from workbench.export.sheets.names import quoted
from workbench.export.sheets.pen import HEADING, LOOKS, MUTED, NUMBERS, TITLE, Look, Pen
from workbench.export.subject import Subject
from workbench.export.table import Cell, Table
from workbench.export.tables import answers_table
from workbench.spec import words
from workbench.spec.ledger import Number
from workbench.spec.words.tables import SHEET_NOTES, TABLE_WORDS

HEADER_ROW: Final = 3
LABEL_WIDTH: Final = 34
COLUMN_WIDTH: Final = 22
WRAPPED: Final[Look] = {"text_wrap": True}
_TRIED: Final = ("largest_concurrency", "largest_context", "gpus_to_fit")


def title_lines(
    pen: Pen,
    title: str,
    subject: Subject,
    options: Options,
    note: str = "",
    *,
    column: int = 0,
) -> None:
    """Write what stands above a table: its title, the file and the day, a note."""
    say = options.language.words
    pen.text(0, column, title, **TITLE)
    told = []
    if subject.file_name:
        told.append(words.fill(say(SHEET_NOTES["file"]), {"name": subject.file_name}))
    if options.date:
        told.append(words.fill(say(SHEET_NOTES["date"]), {"date": options.date}))
    pen.text(1, column, " · ".join(told), **MUTED)
    pen.text(2, column, note, **MUTED)


# Summary


class Figures:
    """Where the figures of a scenario stand on its sheet."""

    def __init__(self, sheet: str, nodes: dict[str, Node]) -> None:
        self._sheet = sheet
        self._nodes = nodes

    def cell(self, name: str, value: Number) -> str | None:
        """Return the cell of a figure; None where the sheet has none of that value."""
        node = self._nodes.get(name)
        if node is None or isinstance(node.value, str) or float(node.value) != float(value):
            return None
        return f"{quoted(self._sheet)}!{node.cell}"


def write_summary(
    pen: Pen, subject: Subject, options: Options, title: str, figures: list[Figures]
) -> None:
    """Write the answers; those that stand on the sheet of a scenario are taken from there."""
    table = answers_table(subject, options)
    say = options.language.words
    title_lines(pen, title, subject, options, say(SHEET_NOTES["intro"]))
    pen.width(0, 0, LABEL_WIDTH)
    pen.width(1, len(figures), COLUMN_WIDTH)
    pen.width(len(figures) + 1, len(figures) + 1, COLUMN_WIDTH - 2)
    pen.header(HEADER_ROW, (*table.columns, ""), range(1, len(figures) + 1))
    for number, (code, row) in enumerate(answer_rows(subject, options)):
        at = HEADER_ROW + 1 + number
        if row.is_heading:
            pen.text(at, 0, row.cells[0].text, **HEADING)
            continue
        pen.text(at, 0, row.cells[0].text)
        follow = [
            _answer(pen, at, column, code, cell, found, options)
            for column, (cell, found) in enumerate(zip(row.cells[1:], figures, strict=True), 1)
        ]
        if not all(follow):
            note = say(SHEET_NOTES["tried" if code in _TRIED else "fixed"])
            pen.text(at, len(figures) + 1, note, **MUTED, **WRAPPED, indent=1)
    pen.finish(HEADER_ROW, 1)


def _answer(
    pen: Pen, row: int, column: int, code: str, cell: Cell, figures: Figures, options: Options
) -> bool:
    """Write an answer; return whether it follows when an input is changed."""
    look = LOOKS[cell.look]
    if cell.value is None:
        pen.text(row, column, cell.text, align="right", **WRAPPED, **look)
        return False
    value: Number = cell.value
    place = None if code in _TRIED else figures.cell(code, value)
    form = NUMBERS[cell.unit]
    if cell.unit == "bytes" and code != "kv_bytes_per_token":
        unit = size_unit(options.unit)
        whole = unit_bytes(unit)
        form = f'#,##0.00 "{unit}";"−"#,##0.00 "{unit}"'
        value = value / whole
        place = None if place is None else f"{place}/{whole}"
    elif cell.unit == "bytes":
        form = '#,##0.## "B"' if isinstance(value, float) else '#,##0 "B"'
    if place is None:
        pen.number(row, column, value, form, **look)
    else:
        pen.formula(row, column, place, value, form, **look)
    return place is not None


# Tables of words


def write_table(
    pen: Pen,
    table: Table,
    subject: Subject,
    options: Options,
    widths: Iterable[int],
    fixed: int = 0,
) -> None:
    """Write a table as it is; the first `fixed` columns stay in sight."""
    title_lines(pen, table.title, subject, options)
    for column, width in enumerate(widths):
        pen.width(column, column, width)
    pen.header(HEADER_ROW, table.columns, ())
    for number, row in enumerate(table.rows):
        at = HEADER_ROW + 1 + number
        for column, cell in enumerate(row.cells):
            look: Look = HEADING if row.is_heading else WRAPPED
            pen.cell(at, column, cell, **look)
    if not table.rows:
        pen.text(HEADER_ROW + 1, 0, options.language.words(TABLE_WORDS["none"]), **MUTED)
    pen.finish(HEADER_ROW, fixed)

"""Memory of all scenarios side by side: a native chart, and figures taken from their sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.core.compare import OUTSIDE
from workbench.export.ledger_rows import size_unit, unit_bytes
from workbench.export.options import Options
from workbench.export.sheets.compare_chart import CHART_ROWS, FIRST, Drawing, cell_at, over_form
from workbench.export.sheets.model import Model
from workbench.export.sheets.names import quoted
from workbench.export.sheets.other_sheets import HEADER_ROW, title_lines
from workbench.export.sheets.pen import COUNT, DELTA, LOOKS, MUTED, SIZE, Look, Pen
from workbench.export.sheets.swatch import swatch
from workbench.export.subject import Subject
from workbench.export.tables import scenario_names
from workbench.export.wording import part_name
from workbench.spec import words
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_ROWS

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook

_COLUMN_WIDTH: Final = 20
_BOLD: Final[Look] = {"bold": True}


@dataclass(frozen=True, slots=True)
class Source:
    """A scenario with its sheet."""

    model: Model
    sheet: str

    def part(self, name: str) -> tuple[str, int] | None:
        """The cells of a part on the deciding rank as a sum, and what they come to."""
        block = self.model.deciding
        nodes = [node for node in (*block.entries, *block.rest) if node.part == name]
        if not nodes:
            return None
        cells = "+".join(f"{quoted(self.sheet)}!{node.cell}" for node in nodes)
        return cells, sum(int(str(node.value)) for node in nodes)

    def figure(self, name: str) -> tuple[str, int]:
        """The cell of a figure of the deciding rank, and its value."""
        node = self.model.figures[name]
        return f"{quoted(self.sheet)}!{node.cell}", int(str(node.value))

    @property
    def over_bytes(self) -> int:
        """By how much the deciding rank exceeds what it may take."""
        return max(0, -self.figure("left")[1])


class CompareSheet:
    """Blocks of rows: in a large unit, in bytes, the difference to the baseline, as drawn."""

    def __init__(self, subject: Subject, options: Options, sources: list[Source]) -> None:
        self.subject, self.options, self.sources = subject, options, sources
        self.parts = [row.part for row in subject.quick_comparison.memory]
        self._outside = [n for n, part in enumerate(self.parts) if part.startswith(OUTSIDE)]
        rows = len(self.parts) + 3 + bool(self._outside)
        self._large = HEADER_ROW + CHART_ROWS + 2
        self._bytes = self._large + rows + 2
        self._deltas = self._bytes + rows + 2
        self._drawn = self._deltas + len(self.parts) + 2
        self._unit = size_unit(options.unit)
        self._whole = unit_bytes(self._unit)
        self._say = options.language.words

    def write(self, book: Workbook, pen: Pen, title: str) -> None:
        """Write everything."""
        pen.width(0, 0, 2)
        pen.width(1, 1, 36)
        pen.width(FIRST, FIRST + len(self.sources) - 1, _COLUMN_WIDTH)
        title_lines(pen, title, self.subject, self.options, column=1)
        self._heading(pen, self._large, "sizes")
        self._heading(pen, self._bytes, "exact")
        self._heading(pen, self._deltas, "deltas")
        self._heading(pen, self._drawn, "drawn")
        for number, part in enumerate(self.parts):
            self._part(pen, number, part)
        for number, name in enumerate(("used", "budget"), len(self.parts)):
            found = [source.figure(name) for source in self.sources]
            self._line(pen, number, self._say(TABLE_ROWS[name]), found)
        self._over(pen, len(self.parts) + 2)
        if self._outside:
            self._taken(pen, len(self.parts) + 3)
        drawing = Drawing(pen, self.options, self.parts, self.sources, self._large, self._drawn)
        drawing.write_drawn()
        drawing.insert(book, HEADER_ROW, title)
        pen.finish(None, FIRST)

    def _heading(self, pen: Pen, row: int, code: str) -> None:
        text = words.fill(self._say(TABLE_HEADINGS[code]), {"unit": self._unit})
        names = scenario_names(self.subject, self.options.language)
        columns = ("", text, *names)
        pen.header(row - 1, columns, range(FIRST, len(columns)))

    def _part(self, pen: Pen, number: int, part: str) -> None:
        for start in (self._large, self._bytes, self._deltas):
            swatch(pen, start + number, 0, part)
            pen.text(start + number, 1, part_name(part, self.options.language), indent=1)
        found = [source.part(part) for source in self.sources]
        base = found[self.subject.baseline]
        before = 0 if base is None else base[1]
        for scenario, cell in enumerate(found):
            column = FIRST + scenario
            if cell is not None:
                pen.formula(self._bytes + number, column, *cell, COUNT)
            else:
                pen.number(self._bytes + number, column, 0, COUNT, **MUTED)
            size = 0 if cell is None else cell[1]
            self._in_unit(pen, number, column, size)
            if scenario != self.subject.baseline:
                self._delta(pen, number, column, size - before)

    def _line(
        self,
        pen: Pen,
        number: int,
        name: str,
        found: list[tuple[str, int]],
        forms: tuple[str, str] = (SIZE, COUNT),
        look: Look = _BOLD,
    ) -> None:
        """A line below the parts: bytes, and the same in the large unit."""
        for start in (self._large, self._bytes):
            pen.text(start + number, 1, name, bold=True, indent=1)
        for column, (formula, size) in enumerate(found, FIRST):
            pen.formula(self._bytes + number, column, formula, size, forms[1], **look)
            self._in_unit(pen, number, column, size, forms[0], **look)

    def _over(self, pen: Pen, number: int) -> None:
        """By how much a budget is exceeded, in the words of the pictures."""
        found = [
            (f"MAX(0,-{source.figure('left')[0]})", source.over_bytes) for source in self.sources
        ]
        form = over_form(self.options, '"–"')
        name = self.options.language.labels("over")
        self._line(pen, number, name, found, (form, COUNT), LOOKS["bad"])

    def _taken(self, pen: Pen, number: int) -> None:
        """What is taken of a card: inside the budget and beside it."""
        rows, used = self._outside, self._bytes + len(self.parts)
        parts = [self.parts[number] for number in rows]
        found = []
        for column, source in enumerate(self.sources, FIRST):
            beside = (source.part(part) for part in parts)
            size = source.figure("used")[1] + sum(cell[1] for cell in beside if cell is not None)
            first, last = (cell_at(self._bytes + row, column) for row in (rows[0], rows[-1]))
            found.append((f"{cell_at(used, column)}+SUM({first}:{last})", size))
        self._line(pen, number, self._say(TABLE_ROWS["taken"]), found)

    def _in_unit(
        self, pen: Pen, number: int, column: int, size: int, form: str = SIZE, **look: Any
    ) -> None:
        formula = f"{cell_at(self._bytes + number, column)}/{self._whole}"
        pen.formula(self._large + number, column, formula, size / self._whole, form, **look)

    def _delta(self, pen: Pen, number: int, column: int, size: int) -> None:
        row, base = self._large + number, FIRST + self.subject.baseline
        formula = f"{cell_at(row, column)}-{cell_at(row, base)}"
        pen.formula(self._deltas + number, column, formula, size / self._whole, DELTA)

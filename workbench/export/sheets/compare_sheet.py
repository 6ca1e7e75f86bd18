"""Memory of all scenarios side by side: a native chart, and figures taken from their sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.charts.palette import LIGHT
from workbench.export.ledger_rows import size_unit, unit_bytes
from workbench.export.options import Options
from workbench.export.sheets.model import Model
from workbench.export.sheets.names import letters, quoted
from workbench.export.sheets.other_sheets import HEADER_ROW, title_lines
from workbench.export.sheets.pen import COUNT, DELTA, LOOKS, MUTED, SIZE, Pen, literally
from workbench.export.sheets.swatch import series_look, swatch
from workbench.export.subject import Subject
from workbench.export.tables import scenario_names
from workbench.export.wording import part_name
from workbench.spec import words
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_ROWS

if TYPE_CHECKING:
    from xlsxwriter.chart import Chart
    from xlsxwriter.workbook import Workbook

_CHART_ROWS: Final = 24
_ROW_PIXELS: Final = 20
_FIRST: Final = 2
"""Column of the first scenario; a colour and a name stand before."""
_COLUMN_WIDTH: Final = 20
_COLUMN_PIXELS: Final = 145
_LEFT_PIXELS: Final = 300
_MOST_PIXELS: Final = 4_000
_DRAWN_FREE: Final = "drawn_free"


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
        """By how much the deciding rank exceeds its budget."""
        return max(0, self.figure("used")[1] - self.figure("budget")[1])


class CompareSheet:
    """Three blocks of rows: in a large unit, in bytes, the difference to the baseline."""

    def __init__(self, subject: Subject, options: Options, sources: list[Source]) -> None:
        self.subject, self.options, self.sources = subject, options, sources
        self.parts = [row.part for row in subject.quick_comparison.memory]
        rows = len(self.parts) + 3
        self._chart = HEADER_ROW
        self._large = self._chart + _CHART_ROWS + 2
        self._bytes = self._large + rows + 3
        self._deltas = self._bytes + rows + 2
        self._unit = size_unit(options.unit)
        self._whole = unit_bytes(self._unit)
        self._say = options.language.words

    def write(self, book: Workbook, pen: Pen, title: str) -> None:
        """Write everything."""
        pen.width(0, 0, 2)
        pen.width(1, 1, 36)
        pen.width(_FIRST, _FIRST + len(self.sources) - 1, _COLUMN_WIDTH)
        title_lines(pen, title, self.subject, self.options, column=1)
        self._heading(pen, self._large, "sizes")
        self._heading(pen, self._bytes, "exact")
        self._heading(pen, self._deltas, "deltas")
        for number, part in enumerate(self.parts):
            self._part(pen, number, part)
        for number, name in enumerate(("used", "budget"), len(self.parts)):
            self._figure(pen, number, name)
        self._over(pen)
        self._drawn_free(pen, self._large + len(self.parts) + 3)
        self._insert_chart(book, pen, title)
        pen.finish(None, _FIRST)

    def _heading(self, pen: Pen, row: int, code: str) -> None:
        text = words.fill(self._say(TABLE_HEADINGS[code]), {"unit": self._unit})
        names = scenario_names(self.subject, self.options.language)
        columns = ("", text, *names)
        pen.header(row - 1, columns, range(_FIRST, len(columns)))

    def _part(self, pen: Pen, number: int, part: str) -> None:
        for start in (self._large, self._bytes, self._deltas):
            swatch(pen, start + number, 0, part)
            pen.text(start + number, 1, part_name(part, self.options.language), indent=1)
        found = [source.part(part) for source in self.sources]
        base = found[self.subject.baseline]
        before = 0 if base is None else base[1]
        for scenario, cell in enumerate(found):
            column = _FIRST + scenario
            if cell is not None:
                pen.formula(self._bytes + number, column, *cell, COUNT)
            else:
                pen.number(self._bytes + number, column, 0, COUNT, **MUTED)
            size = 0 if cell is None else cell[1]
            self._in_unit(pen, number, column, size)
            if scenario != self.subject.baseline:
                self._delta(pen, number, column, size - before)

    def _figure(self, pen: Pen, number: int, name: str) -> None:
        for start in (self._large, self._bytes):
            pen.text(start + number, 1, self._say(TABLE_ROWS[name]), bold=True, indent=1)
        for scenario, source in enumerate(self.sources):
            column = _FIRST + scenario
            cell, size = source.figure(name)
            pen.formula(self._bytes + number, column, cell, size, bold=True)
            self._in_unit(pen, number, column, size, bold=True)

    def _over(self, pen: Pen) -> None:
        """By how much a budget is exceeded, in the words of the pictures."""
        labels = self.options.language.labels
        for start, form in ((self._large, self._over_form('"–"')), (self._bytes, COUNT)):
            row = start + len(self.parts) + 2
            pen.text(row, 1, labels("over"), bold=True, indent=1)
            for scenario, source in enumerate(self.sources):
                column, size = _FIRST + scenario, source.over_bytes
                shown = size / self._whole if start == self._large else size
                formula = f"MAX(0,{_cell(row - 2, column)}-{_cell(row - 1, column)})"
                pen.formula(row, column, formula, shown, form, **LOOKS["bad"])

    def _in_unit(self, pen: Pen, number: int, column: int, size: int, **look: Any) -> None:
        formula = f"{_cell(self._bytes + number, column)}/{self._whole}"
        pen.formula(self._large + number, column, formula, size / self._whole, SIZE, **look)

    def _delta(self, pen: Pen, number: int, column: int, size: int) -> None:
        row, base = self._large + number, _FIRST + self.subject.baseline
        formula = f"{_cell(row, column)}-{_cell(row, base)}"
        pen.formula(self._deltas + number, column, formula, size / self._whole, DELTA)

    def _drawn_free(self, pen: Pen, row: int) -> None:
        """What the chart draws as free: nothing where the budget is exceeded."""
        pen.text(row, 1, self._say(TABLE_ROWS[_DRAWN_FREE]), **MUTED, indent=1)
        free = self._large + self.parts.index("free")
        for scenario, source in enumerate(self.sources):
            column = _FIRST + scenario
            found = source.part("free")
            size = max(0, 0 if found is None else found[1]) / self._whole
            pen.formula(row, column, f"MAX(0,{_cell(free, column)})", size, SIZE, **MUTED)

    # The chart

    def _insert_chart(self, book: Workbook, pen: Pen, title: str) -> None:
        chart = book.add_chart({"type": "column", "subtype": "stacked"})
        assert chart is not None, "columns can be stacked"
        for number, part in enumerate(self.parts):
            row = self._large + number
            if part == "free":
                row = self._large + len(self.parts) + 3
            chart.add_series(
                {**self._range(pen, row, self._large + number), **series_look(part), "gap": 60}
            )
        chart.combine(self._limit(book, pen))
        chart.set_title({"none": True})
        font = {"color": LIGHT.text, "size": 10}
        chart.set_x_axis({"num_font": font, "line": {"color": LIGHT.muted}})
        chart.set_y_axis(
            {
                "name": self._unit,
                "name_font": {**font, "bold": False},
                "num_font": font,
                "num_format": "#,##0",
                "min": 0,
                "major_gridlines": {"visible": True, "line": {"color": LIGHT.line, "width": 0.75}},
                "line": {"none": True},
            }
        )
        hidden = [len(self.parts) + 1]
        chart.set_legend({"position": "right", "font": font, "delete_series": hidden})
        width = min(_MOST_PIXELS, _LEFT_PIXELS + _COLUMN_PIXELS * max(3, len(self.sources)))
        chart.set_size({"width": width, "height": _CHART_ROWS * _ROW_PIXELS})
        chart.set_chartarea({"border": {"none": True}, "fill": {"color": LIGHT.surface}})
        pen.sheet.insert_chart(self._chart, 1, chart, {"description": title})

    def _limit(self, book: Workbook, pen: Pen) -> Chart:
        """A mark at what the engine may use; joined to a line where it is the same for all."""
        line = book.add_chart({"type": "line"})
        assert line is not None, "lines can be drawn"
        row = self._large + len(self.parts) + 1
        limits = {source.figure("budget")[1] for source in self.sources}
        danger = {"color": LIGHT.danger, "width": 1.5, "dash_type": "dash"}
        line.add_series(
            {
                **self._range(pen, row, row),
                "line": danger if len(limits) == 1 else {"none": True},
                "marker": {
                    "type": "long_dash",
                    "size": 18,
                    "fill": {"color": LIGHT.danger},
                    "border": {"color": LIGHT.danger},
                },
            }
        )
        self._say_over(line, pen, row + 1)
        return line

    def _say_over(self, line: Chart, pen: Pen, row: int) -> None:
        """Say on a bar by how much it exceeds its budget: the figure of a line nobody sees."""
        font = {"color": LIGHT.danger, "bold": True, "size": 9}
        box = {"fill": {"color": LIGHT.surface}, "border": {"color": LIGHT.danger, "width": 0.75}}
        boxed = [
            {"font": font, **box} if source.over_bytes else {"font": font}
            for source in self.sources
        ]
        form = self._over_form('""')
        labels = {"value": True, "position": "above", "num_format": form, "font": font}
        line.add_series(
            {
                **self._range(pen, row, row),
                "line": {"none": True},
                "marker": {"type": "none"},
                "data_labels": {**labels, "custom": boxed},
            }
        )

    def _over_form(self, for_none: str) -> str:
        """A form of numbers with the words of the pictures: "85.34 GiB over"."""
        said = self.options.language.labels("result.over")
        said = said.replace("{size}", f"{{size}} {self._unit}")
        return f"{literally(said, '{size}', '#,##0.00')};;{for_none}"

    def _range(self, pen: Pen, row: int, named_by: int) -> dict[str, Any]:
        sheet, last = pen.sheet.get_name(), _FIRST + len(self.sources) - 1
        return {
            "name": [sheet, named_by, 1],
            "categories": [sheet, self._large - 1, _FIRST, self._large - 1, last],
            "values": [sheet, row, _FIRST, row, last],
        }


def _cell(row: int, column: int) -> str:
    return f"{letters(column)}{row + 1}"

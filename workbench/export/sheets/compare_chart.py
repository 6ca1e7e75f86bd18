"""The native chart of all scenarios, and the rows that it draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.charts.palette import LIGHT
from workbench.charts.parts import OVER
from workbench.export.ledger_rows import size_unit, unit_bytes
from workbench.export.options import Options
from workbench.export.sheets.names import letters
from workbench.export.sheets.pen import MUTED, SIZE, Pen, literally
from workbench.export.sheets.swatch import series_look, swatch
from workbench.export.wording import part_name
from workbench.spec import words
from workbench.spec.ledger import STACK_ORDER, EntryKind
from workbench.spec.words.tables import TABLE_ROWS

if TYPE_CHECKING:
    from xlsxwriter.chart import Chart
    from xlsxwriter.workbook import Workbook

    from workbench.export.sheets.compare_sheet import Source

CHART_ROWS: Final = 24
FIRST: Final = 2
"""Column of the first scenario; a colour and a name stand before."""
_ROW_PIXELS: Final = 20
_COLUMN_PIXELS: Final = 145
_LEFT_PIXELS: Final = 300
_MOST_PIXELS: Final = 4_000
_CHARGED: Final = tuple(kind.value for kind in STACK_ORDER)
_UNREQUESTED: Final = EntryKind.UNREQUESTED.value


def cell_at(row: int, column: int) -> str:
    """Return the name of a cell: "C12"."""
    return f"{letters(column)}{row + 1}"


def over_form(options: Options, for_none: str) -> str:
    """Return a form of numbers with the words of the pictures: "85.34 GiB over"."""
    said = options.language.labels("result.over")
    said = said.replace("{size}", f"{{size}} {size_unit(options.unit)}")
    return f"{literally(said, '{size}', '#,##0.00')};;{for_none}"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Bars as pictures have them: what lies over a budget is a part of its own, hatched."""

    pen: Pen
    options: Options
    parts: Sequence[str]
    sources: Sequence[Source]
    large: int
    """First row of the parts in a large unit; used and budget stand below them."""
    first: int
    """First row of what is drawn."""

    @property
    def _drawn(self) -> list[str]:
        """Parts as they stand on each other; the excess ends the budget, before what is beside."""
        at = self.parts.index("free") + 1
        return [*self.parts[:at], OVER, *self.parts[at:]]

    # Rows

    def write_drawn(self) -> None:
        """Write the rows that the chart draws."""
        language = self.options.language
        template = language.words(TABLE_ROWS["drawn"])
        sizes = [self._sizes(source) for source in self.sources]
        for row, part in enumerate(self._drawn, self.first):
            swatch(self.pen, row, 0, part)
            text = words.fill(template, {"part": part_name(part, language)})
            self.pen.text(row, 1, text, **MUTED, indent=1)
            for column, found in enumerate(sizes, FIRST):
                size = found[part] / unit_bytes(size_unit(self.options.unit))
                self.pen.formula(row, column, self._formula(part, column), size, SIZE, **MUTED)

    def _formula(self, part: str, column: int) -> str:
        """What of a part is drawn, from the rows in the large unit."""
        used, budget = (cell_at(self.large + len(self.parts) + n, column) for n in (0, 1))
        if part == OVER:
            return f"MAX(0,{used}-{budget})"
        row = self.large + self.parts.index(part)
        size = cell_at(row, column)
        if part == _UNREQUESTED:
            return f"IF({used}>{budget},0,{size})"
        if part not in _CHARGED:
            return f"MAX(0,{size})"
        before = ""
        if row > self.large:
            before = f"-SUM({cell_at(self.large, column)}:{cell_at(row - 1, column)})"
        return f"MAX(0,MIN({size},{budget}{before}))"

    def _sizes(self, source: Source) -> dict[str, int]:
        """What those formulas give, in bytes."""
        room, used = source.figure("budget")[1], source.figure("used")[1]
        over, found = max(0, used - room), {}
        for name in self.parts:
            cell = source.part(name)
            size = 0 if cell is None else max(0, cell[1])
            if name in _CHARGED:
                drawn = max(0, min(size, room))
                room -= size
            else:
                drawn = 0 if name == _UNREQUESTED and over else size
            found[name] = drawn
        return found | {OVER: over}

    # The chart

    def insert(self, book: Workbook, row: int, title: str) -> None:
        """Put the chart above the tables."""
        chart = book.add_chart({"type": "column", "subtype": "stacked"})
        assert chart is not None, "columns can be stacked"
        for number, part in enumerate(self._drawn):
            look: dict[str, Any] = {**series_look(part), "gap": 60}
            if part == OVER:
                look["data_labels"] = self._say_over()
            at = self.first + number
            chart.add_series(
                {"name": part_name(part, self.options.language), **self._range(at)} | look
            )
        chart.combine(self._limit(book))
        chart.set_title({"none": True})
        font = {"color": LIGHT.text, "size": 10}
        chart.set_x_axis({"num_font": font, "line": {"color": LIGHT.muted}})
        chart.set_y_axis(
            {
                "name": size_unit(self.options.unit),
                "name_font": {**font, "bold": False},
                "num_font": font,
                "num_format": "#,##0",
                "min": 0,
                "major_gridlines": {"visible": True, "line": {"color": LIGHT.line, "width": 0.75}},
                "line": {"none": True},
            }
        )
        # It says what it is on the bar, should a changed input bring one about.
        unseen = [] if any(one.over_bytes for one in self.sources) else [self._drawn.index(OVER)]
        chart.set_legend({"position": "right", "font": font, "delete_series": unseen})
        width = min(_MOST_PIXELS, _LEFT_PIXELS + _COLUMN_PIXELS * max(3, len(self.sources)))
        chart.set_size({"width": width, "height": CHART_ROWS * _ROW_PIXELS})
        chart.set_chartarea({"border": {"none": True}, "fill": {"color": LIGHT.surface}})
        self.pen.sheet.insert_chart(row, 1, chart, {"description": title})

    def _limit(self, book: Workbook) -> Chart:
        """A mark at what the engine may use; joined to a line where it is the same for all."""
        line = book.add_chart({"type": "line"})
        assert line is not None, "lines can be drawn"
        row = self.large + len(self.parts) + 1
        limits = {source.figure("budget")[1] for source in self.sources}
        danger = {"color": LIGHT.danger, "width": 1.5, "dash_type": "dash"}
        line.add_series(
            {
                "name": [self.pen.sheet.get_name(), row, 1],
                **self._range(row),
                "line": danger if len(limits) == 1 else {"none": True},
                "marker": {
                    "type": "long_dash",
                    "size": 18,
                    "fill": {"color": LIGHT.danger},
                    "border": {"color": LIGHT.danger},
                },
            }
        )
        return line

    def _say_over(self) -> dict[str, Any]:
        """Say on a bar by how much it exceeds its budget, on paper that keeps the hatching off."""
        font = {"color": LIGHT.danger, "bold": True, "size": 9}
        paper = {"fill": {"color": LIGHT.surface}}
        custom = [{"font": font, **(paper if source.over_bytes else {})} for source in self.sources]
        form = over_form(self.options, '""')
        return {
            "value": True,
            "position": "center",
            "num_format": form,
            "font": font,
            "custom": custom,
        }

    def _range(self, row: int) -> dict[str, Any]:
        sheet, last = self.pen.sheet.get_name(), FIRST + len(self.sources) - 1
        return {
            "categories": [sheet, self.large - 1, FIRST, self.large - 1, last],
            "values": [sheet, row, FIRST, row, last],
        }

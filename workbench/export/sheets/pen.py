"""Writes cells: texts as texts, numbers as numbers, and only formulas that we compose."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from workbench.charts.palette import LIGHT
from workbench.export.safe_text import safe_line
from workbench.export.sheets.names import cut_units
from workbench.export.table import Cell, CellUnit
from workbench.spec.ledger import Number

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

Look = dict[str, Any]
_LONGEST_UNITS: Final = 32_767
"""Of a cell's text, in units of UTF-16."""
_USUAL_WIDTH: Final = 8.43
_LINE_POINTS: Final = 15
_TITLE_POINTS: Final = 24
_PAGE_PIXELS: Final = 1_010
"""Of a spreadsheet, across a sheet of A4 on its side between our margins."""
_SMALLEST_PER_CENT: Final = 75
"""Of the 11 points that cells have: less is not read at a table."""
_MOST_LINES: Final = 27
"""A row is at most 409 points high."""
NUMBERS: Final[dict[CellUnit, str]] = {
    "text": "General",
    "bytes": '#,##0;"−"#,##0',
    "tokens": "#,##0",
    "blocks": "#,##0",
    "count": "#,##0",
    "share": "0.00%",
    "ratio": "#,##0.00",
}
SIZE: Final = '#,##0.00;"−"#,##0.00;"–"'
"""With the minus sign of every other export, which is no hyphen."""
COUNT: Final = '#,##0;"−"#,##0;"–"'
DELTA: Final = '+#,##0.00;"−"#,##0.00;0.00'
INPUT: Final[Look] = {"bg_color": "#FFF6CC", "font_color": "#0B3C91"}
"""A cell that a person may change."""
IN_PART: Final[Look] = {"bg_color": "#ECEFF3", "font_color": "#0B3C91"}
"""The same, where some of the figures that depend on it stay as they are."""
TITLE: Final[Look] = {"bold": True, "font_size": 16, "font_color": LIGHT.text}
MUTED: Final[Look] = {"font_color": LIGHT.muted}
HEADER: Final[Look] = {
    "bold": True,
    "bg_color": "#E9ECF1",
    "bottom": 1,
    "bottom_color": LIGHT.muted,
    "text_wrap": True,
    "valign": "vcenter",
}
HEADING: Final[Look] = {"bold": True, "font_color": LIGHT.accent}
TOTAL: Final[Look] = {"bold": True, "top": 1, "top_color": LIGHT.muted}
LOOKS: Final[dict[str, Look]] = {
    "plain": {},
    "strong": {"bold": True},
    "good": {"bold": True, "font_color": LIGHT.success},
    "bad": {"bold": True, "font_color": LIGHT.danger},
    "muted": MUTED,
}
EVIDENCE: Final[dict[str, str]] = {
    "given": "#EDEFF2",
    "computed": "#E3F3EA",
    "fitted": "#EFE6FA",
    "assumed": "#FCE8D2",
    "measured": "#DDEBFA",
}
"""Ground of the word that says how sure a figure is."""


def literally(text: str, gap: str, form: str) -> str:
    """Return a form of numbers that says a text, the number in its gap."""
    before, _, after = text.replace('"', "").partition(gap)
    return "".join((f'"{before}"' if before else "", form, f'"{after}"' if after else ""))


class Styles:
    """Formats of the workbook, each made once."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._made: dict[tuple[tuple[str, Any], ...], Format] = {}

    def of(self, look: Look) -> Format:
        """Return the format of a look."""
        key = tuple(sorted(look.items()))
        if key not in self._made:
            self._made[key] = self._book.add_format({"valign": "top", **look})
        return self._made[key]


class Pen:
    """One sheet."""

    def __init__(self, sheet: Worksheet, styles: Styles) -> None:
        self.sheet = sheet
        self.styles = styles
        self._widths: dict[int, float] = {}
        self._lines: dict[int, int] = {}
        """Rows that need more than one line."""

    def width(self, first: int, last: int, characters: float) -> None:
        """Set the width of columns."""
        self.sheet.set_column(first, last, characters)
        self._widths |= dict.fromkeys(range(first, last + 1), characters)

    def text(self, row: int, column: int, text: str, **look: Any) -> None:
        """Write words; they are never taken for anything else."""
        plain = cut_units(safe_line(text), _LONGEST_UNITS)
        if "indent" in look:
            look = {"align": "left", **look}
        made = self.styles.of({"num_format": "@", **look} if plain else look)
        self._check(self.sheet.write_string(row, column, plain, made), row, column)
        if look.get("text_wrap"):
            lines = _lines(plain, self._widths.get(column, _USUAL_WIDTH))
            self._lines[row] = max(lines, self._lines.get(row, 1))

    def number(
        self, row: int, column: int, value: Number, form: str = "#,##0", **look: Any
    ) -> None:
        """Write a number."""
        made = self.styles.of({"num_format": form, "align": "right", **look})
        plain = value if isinstance(value, int) else float(value)
        self._check(self.sheet.write_number(row, column, plain, made), row, column)

    def formula(
        self,
        row: int,
        column: int,
        formula: str,
        value: Number,
        form: str = "#,##0",
        **look: Any,
    ) -> None:
        """Write a formula without its "=", with the figure that it gives."""
        made = self.styles.of({"num_format": form, "align": "right", **look})
        plain = value if isinstance(value, int) else float(value)
        done = self.sheet.write_formula(row, column, f"={formula}", made, plain)
        self._check(done, row, column)

    def cell(self, row: int, column: int, cell: Cell, **look: Any) -> None:
        """Write a cell of a table: its number where it has one, else its words."""
        look = {**LOOKS[cell.look], **look}
        if cell.value is None or cell.unit == "text":
            self.text(row, column, cell.text, **look)
        else:
            self.number(row, column, cell.value, NUMBERS[cell.unit], **look)

    def ground(self, row: int, column: int, colour: str, **look: Any) -> None:
        """Colour an empty cell."""
        made = self.styles.of({"bg_color": colour, **look})
        self._check(self.sheet.write_blank(row, column, None, made), row, column)

    def header(self, row: int, texts: tuple[str, ...], right: Collection[int]) -> None:
        """Write headings of columns; those of numbers stand to the right."""
        for column, text in enumerate(texts):
            if column in right:
                self.text(row, column, text, **HEADER, align="right")
            else:
                # Words would touch the figures before them.
                apart = int(column - 1 in right)
                self.text(row, column, text, **HEADER, align="left", indent=apart)

    def finish(self, header_row: int | None, columns: int = 0) -> None:
        """Fix heights, freeze what stands above and left, lay out the pages of a print."""
        for row, lines in self._lines.items():
            if lines > 1:
                self.sheet.set_row(row, _LINE_POINTS * min(lines, _MOST_LINES))
        self.sheet.set_row(0, _TITLE_POINTS)
        self.sheet.freeze_panes(0 if header_row is None else header_row + 1, columns)
        if header_row is not None:
            self.sheet.repeat_rows(header_row)
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.set_margins(0.4, 0.4, 0.5, 0.6)
        self.sheet.fit_to_pages(self._pages_across(columns), 0)
        # Pages that belong beside each other come out one after the other.
        self.sheet.print_across()
        if columns:
            self.sheet.repeat_columns(0, columns - 1)
        self.sheet.set_footer("&L&A&R&P / &N")
        self.sheet.hide_gridlines(2)

    def _pages_across(self, repeated: int) -> int:
        """How many pages columns need beside each other to be read; programs make them even."""
        pages = [sum(map(self._pixels, range(repeated)))]
        before, room = pages[0], _PAGE_PIXELS * 100 // _SMALLEST_PER_CENT
        for column in range(repeated, max(self._widths, default=-1) + 1):
            if pages[-1] + self._pixels(column) > room and pages[-1] > before:
                pages.append(before)
            pages[-1] += self._pixels(column)
        return len(pages)

    def _pixels(self, column: int) -> int:
        return int(self._widths.get(column, _USUAL_WIDTH) * 7 + 5)

    def _check(self, code: int, row: int, column: int) -> None:
        if code:
            raise ValueError(f"cell {row},{column} of {self.sheet.name} was not written: {code}")


@lru_cache(maxsize=4096)
def _lines(text: str, width: float) -> int:
    """How many lines a text takes in a column, rather one too many than one too few."""
    lines, used, width = 1, 0.0, width * _NARROW
    if text.isascii() and len(text) <= width:
        return 1
    for word in text.split(" "):
        long: float = len(word)
        if not word.isascii():
            long = sum(_EAST if unicodedata.east_asian_width(c) in "WF" else 1 for c in word)
        if used and used + long > width:
            lines, used = lines + 1, 0.0
        # A word longer than the column, or a text without spaces, is broken anywhere.
        broken = int(long // width)
        lines, used = lines + broken, used + long - broken * width + 1
    return lines


_NARROW: Final = 1.05
"""Letters are narrower than the digits that widths are counted in."""
_EAST: Final = 2.0
"""Characters that take the width of two."""

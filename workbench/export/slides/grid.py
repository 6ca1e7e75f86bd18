"""Native tables of slides: broken over several where they are long, no text leaves its cell."""

from __future__ import annotations

from typing import Any, Final

from pptx.util import Emu

from workbench.charts.palette import Theme, mixed
from workbench.charts.shares import shrunk
from workbench.charts.text import FixedMeasure, elide
from workbench.export.safe_text import safe_line
from workbench.export.slides.native import Place
from workbench.export.slides.paragraph import Align, a, add_fill, add_paragraph
from workbench.export.table import Cell, Row, Table

_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700
_CELL_SIZES: Final = (14.0, 12.0, 11.0, 10.0, 9.0, 8.0)
_CELL_PAD_PT: Final = 10.0
_ROW_EMS: Final = 1.75
_NO_STYLE: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""What office programs call "no style, no grid"."""
_MEASURED_CHARACTERS: Final = 120


def rows_that_fit(place: Place, size_pt: float) -> int:
    """Return how many rows below its heading a table of a size has room for."""
    return max(3, int(place.height / (size_pt * _ROW_EMS * _EMU_PER_PT)) - 1)


def table_pages(table: Table, place: Place, size_pt: float) -> list[Table]:
    """Break a table into as many as fit a place; none ends in the heading of the next."""
    most = rows_that_fit(place, size_pt)
    pages: list[list[Row]] = [[]]
    for row in table.rows:
        if len(pages[-1]) >= most:
            last = pages[-1]
            carried = [last.pop()] if last[-1].is_heading and len(last) > 1 else []
            pages.append(carried)
        pages[-1].append(row)
    return [Table(table.code, table.title, table.columns, tuple(rows)) for rows in pages]


def table_size(table: Table, place: Place) -> float:
    """Return the largest text size at which a table's columns and rows fit a place.

    Where no size takes all rows, the columns alone decide and the table is broken.
    """
    wide = [size for size in _CELL_SIZES if fits_width(table, place, size)]
    rows = len(table.rows) + 1
    for size in wide or _CELL_SIZES[-1:]:
        if rows * size * _ROW_EMS * _EMU_PER_PT <= place.height:
            return size
    # Broken tables are read one after the other: the middle size is large enough.
    broken = [size for size in wide if size <= 12] or list(_CELL_SIZES[-1:])
    return broken[0]


def least_height(table: Table) -> int:
    """Return the height of a table in the smallest size, in EMU."""
    return int((len(table.rows) + 1.1) * _CELL_SIZES[-1] * _ROW_EMS * _EMU_PER_PT)


def fits_width(table: Table, place: Place, size_pt: float) -> bool:
    """Tell whether all texts of a table stand side by side in full."""
    return sum(_needs(table, size_pt)) <= place.width / _EMU_PER_PT


def add_table(
    slide: Any, table: Table, place: Place, size_pt: float, theme: Theme, *, ground: bool
) -> Any:
    """Put a native table on a slide; texts too long for their cell end in an ….

    `ground` fills the cells with the theme's; a template's own shows through without.
    """
    count, columns = len(table.rows) + 1, len(table.columns)
    step = int(size_pt * _ROW_EMS * _EMU_PER_PT)
    frame = slide.shapes.add_table(
        1, 1, *(Emu(part) for part in (place.x, place.y, place.width, step * count))
    )
    made = frame.table._tbl
    for old in list(made):
        made.remove(old)
    a(a(made, "tblPr"), "tableStyleId").text = _NO_STYLE
    widths = _column_widths(table, place.width, size_pt)
    grid = a(made, "tblGrid")
    for width in widths:
        a(grid, "gridCol", w=str(width))
    pen = _Pen(theme, size_pt, ground)
    numeric = table.numeric
    line = a(made, "tr", h=str(step))
    for at, name in enumerate(table.columns):
        pen.cell(line, Cell(name, look="strong"), widths[at], right=numeric[at], head=True)
    for row in table.rows:
        line = a(made, "tr", h=str(step))
        if row.is_heading:
            pen.heading(line, row.cells[0].text, place.width, columns)
            continue
        for at, cell in enumerate(row.cells):
            pen.cell(line, cell, widths[at], right=numeric[at] and at > 0)
    return frame


class _Pen:
    """Writes the cells of one table."""

    def __init__(self, theme: Theme, size_pt: float, ground: bool) -> None:
        self.size_pt = size_pt
        self.plain = theme.surface if ground else ""
        self.shaded = mixed(theme.surface, theme.muted, 0.12) if ground else ""
        self.text = theme.text if ground else ""
        self.inks = {"good": theme.success, "bad": theme.danger, "muted": theme.muted}

    def cell(
        self, line: Any, held: Cell, width: int, *, right: bool = False, head: bool = False
    ) -> Any:
        """Add a cell to a row."""
        bold = held.look == "strong"
        room = width / _EMU_PER_PT - _CELL_PAD_PT
        text = elide(safe_line(held.text, 1_000), room, _MEASURE, self.size_pt, bold)
        align: Align = "r" if right else "l"
        made = a(line, "tc")
        body = a(made, "txBody")
        a(body, "bodyPr", wrap="none")
        a(body, "lstStyle")
        ink = self.inks.get(held.look, self.text)
        add_paragraph(body, text, self.size_pt, bold=bold, ink=ink, align=align)
        pad = str(int(_CELL_PAD_PT / 2 * _EMU_PER_PT))
        form = a(made, "tcPr", marL=pad, marR=pad, marT="0", marB="0", anchor="ctr")
        fill = self.shaded if head else self.plain
        if fill:
            add_fill(form, fill)
        else:
            a(form, "noFill")
        return made

    def heading(self, line: Any, text: str, width: int, columns: int) -> None:
        """Add one cell over all columns."""
        first = self.cell(line, Cell(text, look="strong"), width)
        if columns > 1:
            first.set("gridSpan", str(columns))
        for _ in range(columns - 1):
            self.cell(line, Cell(""), width).set("hMerge", "1")


def _needs(table: Table, size_pt: float) -> list[float]:
    """Return the points that each column would like to have."""
    needs = []
    for at, name in enumerate(table.columns):
        texts = [_MEASURE.width(safe_line(name, 60), size_pt, bold=True)]
        texts += [
            _MEASURE.width(
                row.cells[at].text[:_MEASURED_CHARACTERS], size_pt, row.cells[at].look == "strong"
            )
            for row in table.rows
            if len(row.cells) > max(1, at)
        ]
        needs.append(max(texts) + _CELL_PAD_PT + 2)
    return needs


def _column_widths(table: Table, width: int, size_pt: float) -> list[int]:
    """Share the width: what fits keeps what it needs, the widest give way."""
    needs = _needs(table, size_pt)
    room = width / _EMU_PER_PT
    total = sum(needs)
    if total <= room:
        extra = (room - total) / len(needs)
        widths = [need + extra for need in needs]
    else:
        widths = shrunk(needs, room)
    return [int(one * _EMU_PER_PT) for one in widths]

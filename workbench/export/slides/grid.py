"""Native tables of slides: as large as they fit, texts broken in their cell, long ones paged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from pptx.util import Emu

from workbench.charts.page import wrapped
from workbench.charts.palette import Theme, mixed
from workbench.charts.shares import shrunk
from workbench.charts.text import ELLIPSIS
from workbench.export.safe_text import safe_line
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import Place
from workbench.export.slides.paragraph import Align, a, add_fill, add_paragraph
from workbench.export.table import Cell, Row, Table

LARGEST_PT: Final = 18.0
BROKEN_PT: Final = 12.0
"""Of a table that goes on over several slides: they are read one after the other."""
_CELL_SIZES: Final = (LARGEST_PT, 16.0, 14.0, BROKEN_PT, 11.0, 10.0)
_CELL_PAD_PT: Final = 12.0
_LINE_EMS: Final = 1.25
_ROW_EMS: Final = 0.4
_EVEN: Final = (1.05, 1.15, 1.3)
"""Pieces of a table may be so much longer than equal ones: rows and their headings stay whole."""
_HALVINGS: Final = 24
_BESIDE: Final = 0.6
"""Of the width, for all columns beside one of sentences."""
_HALF: Final = 0.6
"""Of the name of a column that is broken into two lines."""
_BROKEN_SHARE: Final = 0.96
"""Lines that we break are shorter than their cell, so that no program breaks them again."""
_MEASURE: Final = SlideMeasure()
_NO_STYLE: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""What office programs call "no style, no grid"."""
_MEASURED_CHARACTERS: Final = 200
_LONGEST_CELL: Final = 1_000
_KEPT: Final = "\u00a0"
_BETWEEN: Final = " · "
_SHORT_PART: Final = 24
_WIDE_BRACKET: Final = " （"
"""A line may end before it; the space is not written."""
_UNIT: Final = re.compile(r" (?!\()")
"""Within a figure, where no line ends; its difference may stand below it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table laid out in a width: each cell in lines."""

    table: Table
    size_pt: float
    widths: tuple[float, ...]
    """In points."""
    head: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[tuple[str, ...], ...], ...]
    """By row and cell."""
    most_lines: int
    cut: bool
    """Whether a text does not stand there in full."""

    @property
    def head_pt(self) -> float:
        """Height of the line of names."""
        return self._row_pt(self.head)

    def row_pt(self, at: int) -> float:
        """Height of a row."""
        return self._row_pt(self.lines[at])

    @property
    def height_pt(self) -> float:
        """Height of the whole."""
        return self.head_pt + sum(map(self.row_pt, range(len(self.lines))))

    def part(self, first: int, last: int) -> Grid:
        """Return some of the rows."""
        table = replace(self.table, rows=self.table.rows[first:last])
        return replace(self, table=table, lines=self.lines[first:last])

    def _row_pt(self, cells: Sequence[Sequence[str]]) -> float:
        most = max((len(cell) for cell in cells), default=1)
        return self.size_pt * (_LINE_EMS * most + _ROW_EMS)


def fitted(
    table: Table, place: Place, *, largest_pt: float = LARGEST_PT, most_lines: int = 2
) -> Grid:
    """Lay a table out in the largest size in which it stands in one piece, in full.

    Where none does it is laid out to be broken, see `pages_of`.
    """
    width = place.width / EMU_PER_PT
    for size in (size for size in _CELL_SIZES if size <= largest_pt):
        made = laid_out(table, width, size, most_lines)
        if not made.cut and made.height_pt * EMU_PER_PT <= place.height:
            return made
    broken = laid_out(table, width, min(BROKEN_PT, largest_pt), most_lines + 1)
    count = len(pages_of(broken, place))
    for size in (size for size in _CELL_SIZES if broken.size_pt < size <= min(16.0, largest_pt)):
        made = laid_out(table, width, size, most_lines)
        if not made.cut and len(pages_of(made, place)) == count:
            return made
    return broken


def in_one_piece(grid: Grid, place: Place) -> bool:
    """Tell whether a table stands in a place as a whole, no text cut."""
    return not grid.cut and grid.height_pt * EMU_PER_PT <= place.height


def pages_of(grid: Grid, place: Place) -> list[Grid]:
    """Break a table into pieces for a place, about equally long.

    No piece ends in the heading of the next.
    """
    room = place.height / EMU_PER_PT - grid.head_pt
    pages = _broken(grid, room)
    even = (grid.height_pt - grid.head_pt) / len(pages)
    for share in _EVEN:
        tried = _broken(grid, min(room, even * share))
        if len(tried) == len(pages):
            return tried
    return pages


def rows_within(grid: Grid, place: Place) -> int:
    """Return how many of a table's rows have room in a place."""
    return len(_broken(grid, place.height / EMU_PER_PT - grid.head_pt)[0].lines)


def _broken(grid: Grid, room_pt: float) -> list[Grid]:
    """Break a table into pieces whose rows take no more than a height."""
    rows = grid.table.rows
    pages: list[Grid] = []
    first, taken = 0, 0.0
    for at in range(len(rows)):
        taken += grid.row_pt(at)
        if taken <= room_pt + 0.01 or at == first:
            continue
        end = at - 1 if rows[at - 1].is_heading and at - 1 > first else at
        pages.append(grid.part(first, end))
        first, taken = end, sum(map(grid.row_pt, range(end, at + 1)))
    pages.append(grid.part(first, len(rows)))
    return pages


def laid_out(table: Table, width_pt: float, size_pt: float, most_lines: int) -> Grid:
    """Share a width among columns and break the texts of their cells."""
    widths = _column_widths(table, width_pt, size_pt)
    rooms = [width - _CELL_PAD_PT for width in widths]
    head = [
        _lines(safe_line(name, 200), room, size_pt, most_lines, bold=True)
        for name, room in zip(table.columns, rooms, strict=True)
    ]
    rows = []
    for row in table.rows:
        own = [width_pt - _CELL_PAD_PT] if row.is_heading else rooms
        rows.append(
            [
                _lines(_text(cell), room, size_pt, most_lines, bold=cell.look == "strong")
                for cell, room in zip(row.cells, own, strict=False)
            ]
        )
    cut = any(cell[1] for row in (head, *rows) for cell in row)
    return Grid(
        table,
        size_pt,
        tuple(widths),
        tuple(lines for lines, _ in head),
        tuple(tuple(lines for lines, _ in row) for row in rows),
        most_lines,
        cut,
    )


def _text(cell: Cell) -> str:
    """Return a text that may be broken where that reads well: between parts, not within one."""
    text = safe_line(cell.text, _LONGEST_CELL)
    if cell.value is not None:
        return _UNIT.sub(_KEPT, text).replace("（", _WIDE_BRACKET)
    parts = text.split(_BETWEEN)
    if len(parts) > 1 and max(map(len, parts)) <= _SHORT_PART:
        return f"{_KEPT}· ".join(part.replace(" ", _KEPT) for part in parts)
    return text


@lru_cache(maxsize=8_192)
def _lines(
    text: str, room: float, size_pt: float, most: int, *, bold: bool
) -> tuple[tuple[str, ...], bool]:
    """Return the lines of a text, and whether any of it is left out or a word broken."""
    if len(text) <= _MEASURED_CHARACTERS and _width(text, size_pt, bold) <= room:
        return (_shown(text),), False
    lines = wrapped(text, room * _BROKEN_SHARE, _MEASURE, size_pt, most, bold=bold)
    cut = lines[-1].endswith(ELLIPSIS) and not text.endswith(ELLIPSIS)
    cut = cut or _longest_word(text, size_pt, bold) > room * _BROKEN_SHARE
    return tuple(map(_shown, lines)), cut


def _shown(line: str) -> str:
    return line.replace(_KEPT, " ").replace(_WIDE_BRACKET, "（")


@lru_cache(maxsize=16_384)
def _width(text: str, size_pt: float, bold: bool) -> float:
    return _MEASURE.width(text[:_MEASURED_CHARACTERS], size_pt, bold)


@lru_cache(maxsize=8_192)
def _longest_word(text: str, size_pt: float, bold: bool) -> float:
    """Return the width of the longest piece of a text that no line ends in."""
    pieces = re.split(r"[ \u2e80-\u9fff\uf900-\ufaff]", text[:_MEASURED_CHARACTERS])
    longest = max(pieces, key=len)
    return max(_width(longest, size_pt, bold), size_pt)


def _column_widths(table: Table, width_pt: float, size_pt: float) -> list[float]:
    """Share the width: where it is short names of columns are broken first, then the widest."""
    needs, broken, least = [], [], []
    pad = _CELL_PAD_PT + 2
    for at, name in enumerate(table.columns):
        head = safe_line(name, 60)
        texts = [
            (_text(row.cells[at]), row.cells[at].look == "strong")
            for row in table.rows
            if len(row.cells) > max(1, at)
        ]
        body = max((_width(text, size_pt, bold) for text, bold in texts), default=0.0)
        words = [_longest_word(text, size_pt, bold) for text, bold in (*texts, (head, True))]
        across = _width(head, size_pt, True)
        needs.append(max(body, across) + pad)
        broken.append(max(body, words[-1], across * _HALF) / _BROKEN_SHARE + pad)
        least.append(max(words) / _BROKEN_SHARE + pad)
    total = sum(needs)
    if total <= width_pt:
        return [need + (width_pt - total) / len(needs) for need in needs]
    if sum(broken) <= width_pt:
        return [one + (width_pt - sum(broken)) / len(needs) for one in broken]
    if sum(least) > width_pt:
        return shrunk(needs, width_pt)
    return _levelled(needs, least, width_pt)


def _levelled(needs: list[float], least: list[float], width_pt: float) -> list[float]:
    """Cut the widest to one width, but none to less than its longest word."""
    if max(needs) > width_pt:
        # Beside a column of sentences the others are words: they leave it the most of the room.
        most = _BESIDE * width_pt / max(3, len(needs) - 1)
        needs = [n if n > width_pt else min(n, most) for n in needs]
    low, high = 0.0, width_pt
    for _ in range(_HALVINGS):
        level = (low + high) / 2
        widths = [max(one, min(need, level)) for need, one in zip(needs, least, strict=True)]
        low, high = (level, high) if sum(widths) <= width_pt else (low, level)
    return [max(one, min(need, low)) for need, one in zip(needs, least, strict=True)]


# Writing ------------------------------------------------------------------------------------------


def add_table(slide: Any, grid: Grid, place: Place, theme: Theme, *, ground: bool) -> Any:
    """Put a native table on a slide.

    `ground` fills the cells with the theme's; a template's own shows through without.
    """
    columns = len(grid.table.columns)
    size = (place.width, int(grid.height_pt * EMU_PER_PT))
    frame = slide.shapes.add_table(1, 1, *(Emu(part) for part in (place.x, place.y, *size)))
    made = frame.table._tbl
    for old in list(made):
        made.remove(old)
    a(a(made, "tblPr", firstRow="1"), "tableStyleId").text = _NO_STYLE
    held = a(made, "tblGrid")
    for width in grid.widths:
        a(held, "gridCol", w=str(int(width * EMU_PER_PT)))
    pen = _Pen(theme, grid.size_pt, ground)
    numeric = grid.table.numeric
    line = _row(made, grid.head_pt)
    for at, lines in enumerate(grid.head):
        pen.cell(line, lines, "strong", right=numeric[at], head=True)
    for number, row in enumerate(grid.table.rows):
        line = _row(made, grid.row_pt(number))
        if row.is_heading:
            pen.heading(line, grid.lines[number][0], columns)
            continue
        for at, (cell, lines) in enumerate(zip(row.cells, grid.lines[number], strict=True)):
            pen.cell(line, lines, cell.look, right=numeric[at] and at > 0)
    return frame


def _row(table: Any, height_pt: float) -> Any:
    return a(table, "tr", h=str(int(height_pt * EMU_PER_PT)))


class _Pen:
    """Writes the cells of one table."""

    def __init__(self, theme: Theme, size_pt: float, ground: bool) -> None:
        self.size_pt = size_pt
        self.plain = theme.surface if ground else ""
        self.shaded = mixed(theme.surface, theme.muted, 0.12) if ground else ""
        self.rule = theme.line
        self.text = theme.text if ground else ""
        self.inks = {"good": theme.success, "bad": theme.danger, "muted": theme.muted}

    def cell(
        self,
        row: Any,
        lines: Sequence[str],
        look: str,
        *,
        right: bool = False,
        head: bool = False,
    ) -> Any:
        """Add a cell to a row."""
        align: Align = "r" if right else "l"
        made = a(row, "tc")
        body = a(made, "txBody")
        a(body, "bodyPr", wrap="none")
        a(body, "lstStyle")
        ink = self.inks.get(look, self.text)
        for text in lines:
            add_paragraph(body, text, self.size_pt, bold=look == "strong", ink=ink, align=align)
        pad = str(int(_CELL_PAD_PT / 2 * EMU_PER_PT))
        form = a(made, "tcPr", marL=pad, marR=pad, marT="0", marB="0", anchor="ctr")
        add_fill(a(form, "lnB", w="6350"), self.rule)
        fill = self.shaded if head else self.plain
        if fill:
            add_fill(form, fill)
        else:
            a(form, "noFill")
        return made

    def heading(self, row: Any, lines: Sequence[str], columns: int) -> None:
        """Add one cell over all columns."""
        first = self.cell(row, lines, "strong")
        if columns > 1:
            first.set("gridSpan", str(columns))
        for _ in range(columns - 1):
            self.cell(row, ("",), "plain").set("hMerge", "1")


def limited(table: Table, most_rows: int) -> Table:
    """Return the first rows of a table, and a last one that counts those left out."""
    left_out = len(table.rows) - most_rows + 1
    if left_out <= 1:
        return table
    rest = Row((Cell(f"{ELLIPSIS} (+{left_out})", look="muted"),))
    return replace(table, rows=(*table.rows[: most_rows - 1], rest))

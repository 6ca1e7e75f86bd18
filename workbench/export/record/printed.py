"""The capacity record as A4 pages to print: the same document, laid out as display lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from workbench.charts.display import BOLD, REGULAR, DisplayList, Item, Line, Text
from workbench.charts.joined import moved
from workbench.charts.page import wrapped
from workbench.charts.palette import Theme
from workbench.charts.parts import HAIRLINE
from workbench.charts.text import TextMeasure
from workbench.export.options import Options, Progress, silent
from workbench.export.record.bars import SMALL_PX, paper_theme, record_bars
from workbench.export.record.content import record_document
from workbench.export.record.document import (
    Bars,
    Block,
    Document,
    Grid,
    Heading,
    Listing,
    Paragraph,
    first_half,
    told,
)
from workbench.export.record.looks import kept_rows, right_columns, small
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, Row
from workbench.spec import words
from workbench.spec.words.record import RECORD_NOTES

WIDTH: Final = 794.0
HEIGHT: Final = 1123.0
"""A4, upright, at 96 units an inch."""
_SIDE: Final = 64.0
_TOP: Final = 54.0
_BOTTOM: Final = 76.0
_INNER: Final = WIDTH - 2 * _SIDE
_TEXT_PX: Final = 13.0
_FOOT_PX: Final = 10.0
_HEADINGS_PX: Final = {0: 28.0, 1: 21.0, 2: 16.0, 3: 14.0}
_MOST_LINES: Final = 400
_KEEP: Final = 90.0
"""Room that must be left below a heading for what it names."""
_CELL_GAP: Final = 10.0
_CELL_PADDING: Final = {True: 2.0, False: 3.0}
"""Above and below the text of a cell, by whether a table is set in small letters."""


def record_pages(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress = silent
) -> tuple[DisplayList, ...]:
    """Return the record page by page; they are for paper: light, or grey where that was chosen."""
    made = record_document(subject, options, first_half(progress))
    press = _Press(paper_theme(options), measure, options)
    press.heading(0, made.title)
    for at, block in enumerate(told(made, progress)):
        if isinstance(block, Heading) and press.left < press.together(made.blocks[at : at + 3]):
            press.new_page()
        press.add(block)
    return tuple(_pages(press, made, options))


def _pages(press: _Press, made: Document, options: Options) -> list[DisplayList]:
    pages = press.finished()
    template = options.language.words(RECORD_NOTES["page"])
    step = press.measure.height(_FOOT_PX)
    y = HEIGHT - _BOTTOM + 30
    done = []
    for number, items in enumerate(pages, start=1):
        mark = words.fill(template, {"page": str(number), "pages": str(len(pages))})
        room = _INNER - press.measure.width(mark, _FOOT_PX) - 24
        lines = wrapped(made.footnote, room, press.measure, _FOOT_PX, 2) if made.footnote else ()
        ink = press.theme.muted
        foot: list[Item] = [
            Line(_SIDE, y - 10, WIDTH - _SIDE, y - 10, press.theme.line, HAIRLINE, role="foot:rule")
        ]
        foot += [
            Text(_SIDE, y + step * at, line, _FOOT_PX, ink, role="foot:note")
            for at, line in enumerate(lines)
        ]
        foot.append(
            Text(
                WIDTH - _SIDE, y, mark, _FOOT_PX, ink, anchor="end", tabular=True, role="foot:page"
            )
        )
        said = "\n".join(item.text for item in items if isinstance(item, Text))
        everything = (*items, *foot)
        done.append(DisplayList(WIDTH, HEIGHT, press.theme.surface, everything, (), said))
    return done


@dataclass(slots=True)
class _Press:
    """Sets one block below the other and begins a new page where one is full."""

    theme: Theme
    measure: TextMeasure
    options: Options
    pages: list[list[Item]] = field(default_factory=lambda: [[]])
    y: float = _TOP
    known: dict[tuple[str, float, float, bool], tuple[str, ...]] = field(default_factory=dict)
    """Texts that were broken into lines; most stand in every scenario."""

    @property
    def left(self) -> float:
        """Room to the foot of the page."""
        return HEIGHT - _BOTTOM - self.y

    def finished(self) -> list[list[Item]]:
        """Return the items of every page."""
        return self.pages

    def new_page(self) -> None:
        """Begin a page, unless this one is still empty."""
        if self.pages[-1]:
            self.pages.append([])
        self.y = _TOP

    def add(self, block: Block) -> None:
        """Set a block."""
        if isinstance(block, Heading):
            self.heading(block.level, block.text)
        elif isinstance(block, Paragraph):
            self.paragraph(block.text, block.look)
        elif isinstance(block, Listing):
            for item in block.items:
                self.paragraph(item, "plain", bullet=True)
            self.y += 4
        elif isinstance(block, Grid):
            self.grid(block)
        elif isinstance(block, Bars):
            self.bars(block)

    def heading(self, level: int, text: str) -> None:
        """Set a heading; a new part begins a page."""
        size = _HEADINGS_PX[level]
        if level == 1:
            self.new_page()
        if self.pages[-1]:
            self.y += 14 if level == 2 else 8
        self.lines(text, size, "strong", role=f"heading:{level}")
        self.y += 8

    def together(self, blocks: Sequence[Block]) -> float:
        """Return the room of a heading and of the first of what it names."""
        first, room = blocks[0], 0.0
        assert isinstance(first, Heading)
        room += 22 + self.line_step(_HEADINGS_PX[first.level])
        for block in blocks[1:]:
            if isinstance(block, Paragraph):
                room += 7 + self.line_step(_TEXT_PX)
                if not block.is_kept:
                    break
            elif isinstance(block, Grid):
                return room + self.first_rows(block)
            elif isinstance(block, Bars):
                return room + record_bars(block.rows, self.options, self.measure, _INNER).height
            else:
                return room + _KEEP
        return room

    def paragraph(self, text: str, look: CellLook, *, bullet: bool = False) -> None:
        """Set running text."""
        if bullet:
            if self.left < self.measure.height(_TEXT_PX):
                self.new_page()
            y = self.y + self.measure.height(_TEXT_PX) / 2
            self.pages[-1].append(Text(_SIDE + 4, y, "•", _TEXT_PX, self.theme.text, role="bullet"))
        self.lines(text, _TEXT_PX, look, indent=18.0 if bullet else 0.0, role="paragraph")
        self.y += 2 if bullet else 7

    def lines(
        self, text: str, size: float, look: CellLook, *, role: str, indent: float = 0.0
    ) -> None:
        """Set a text in as many lines as it takes."""
        bold, step = look == "strong", self.line_step(size)
        room = _INNER - indent
        for line in self.broken(text, room, size, bold=bold):
            if self.left < step:
                self.new_page()
            weight, ink = (BOLD if bold else REGULAR), self.ink(look)
            y = self.y + step / 2
            self.pages[-1].append(Text(_SIDE + indent, y, line, size, ink, weight, role=role))
            self.y += step

    def line_step(self, size: float) -> float:
        """Return the distance from line to line of running text."""
        return round(self.measure.height(size) * 1.08)

    def broken(self, text: str, room: float, size: float, *, bold: bool) -> tuple[str, ...]:
        """Break a text into lines."""
        key = (text, room, size, bold)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = broken(text, room, self.measure, size, bold=bold)
        return found

    def ink(self, look: CellLook) -> str:
        """Return the colour of a text."""
        inks = {"good": self.theme.success, "bad": self.theme.danger, "muted": self.theme.muted}
        return inks.get(look, self.theme.text)

    def bars(self, block: Bars) -> None:
        """Set the chart in one piece."""
        made = record_bars(block.rows, self.options, self.measure, _INNER)
        if made.height > self.left:
            self.new_page()
        self.pages[-1] += moved(made.items, _SIDE, self.y)
        self.y += made.height + 14
        if block.note:
            self.paragraph(block.note, "muted")

    def columns(self, block: Grid) -> _Columns:
        """Return where the columns of a table are."""
        size = SMALL_PX if small(block.table) else _TEXT_PX - 1
        widths = [_INNER * share for share in block.shares]
        return _Columns(widths, right_columns(block.table), size, _CELL_PADDING[small(block.table)])

    def first_rows(self, block: Grid) -> float:
        """Return the room of a table's head and of the rows that stay with the first."""
        placed, kept, last = self.columns(block), kept_rows(block.table), 0
        while last < len(kept) and kept[last]:
            last += 1
        head = 2 * placed.padding + self.step(placed)
        return head + self.room(block.table.rows[: last + 1], placed)

    def room(self, rows: Sequence[Row], placed: _Columns) -> float:
        """Return what some rows take."""
        return sum(self.height_of(self.row(row, placed.size, placed), placed) for row in rows)

    def grid(self, block: Grid) -> None:
        """Set a table; where it goes over to a page its head stands there again."""
        table, placed = block.table, self.columns(block)
        head = self.row(
            Row(tuple(Cell(name, look="strong") for name in table.columns)), placed.size
        )
        self.set_row(head, placed, None)
        kept = kept_rows(table)
        for number, row in enumerate(table.rows):
            last = number
            while kept[last]:
                last += 1
            needed = self.room(table.rows[number : last + 1], placed)
            if needed > self.left and self.y > _TOP + 100:
                self.new_page()
                self.set_row(head, placed, None)
            self.set_row(self.row(row, placed.size, placed), placed, head)
        self.y += 12

    def row(self, row: Row, size: float, placed: _Columns | None = None) -> _Set:
        """Break the cells of a row into lines."""
        cells = row.cells
        if placed is None:
            return _Set(tuple((cell.text,) for cell in cells), cells)
        if row.is_heading:
            rooms: Sequence[float] = (_INNER,)
        else:
            rooms = [width - _CELL_GAP for width in placed.widths]
        return _Set(
            tuple(
                self.broken(cell.text, room, size, bold=cell.look == "strong")
                for cell, room in zip(cells, rooms, strict=False)
            ),
            cells,
        )

    def height_of(self, made: _Set, placed: _Columns) -> float:
        """Return what a row takes."""
        lines = max(len(lines) for lines in made.lines)
        return lines * self.step(placed) + 2 * placed.padding

    def step(self, placed: _Columns) -> float:
        """Return the distance from line to line."""
        return round(self.measure.height(placed.size))

    def set_row(self, made: _Set, placed: _Columns, head: _Set | None) -> None:
        """Set a row line by line; one that is longer than a page goes on on the next."""
        step, most = self.step(placed), max(len(lines) for lines in made.lines)
        self.y += placed.padding
        for at in range(most):
            if self.left < step and head is not None:
                self.new_page()
                self.set_row(head, placed, None)
                self.y += placed.padding
            self.set_line(made, placed, at)
            self.y += step
        self.y += placed.padding
        ink = self.theme.muted if head is None else self.theme.line
        rule = Line(_SIDE, self.y, _SIDE + _INNER, self.y, ink, HAIRLINE, role="table:rule")
        self.pages[-1].append(rule)

    def set_line(self, made: _Set, placed: _Columns, at: int) -> None:
        """Set one line of each cell of a row."""
        x, y = _SIDE, self.y + self.step(placed) / 2
        columns = zip(made.lines, made.cells, placed.widths, placed.right, strict=False)
        for lines, cell, width, to_the_right in columns:
            if at < len(lines) and lines[at]:
                weight = BOLD if cell.look == "strong" else REGULAR
                place, anchor = (x + width - _CELL_GAP, "end") if to_the_right else (x, "start")
                self.pages[-1].append(
                    Text(
                        place,
                        y,
                        lines[at],
                        placed.size,
                        self.ink(cell.look),
                        weight,
                        "end" if anchor == "end" else "start",
                        tabular=to_the_right,
                        role="table:cell",
                    )
                )
            x += width


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the columns of a table are and how they are set."""

    widths: Sequence[float]
    right: Sequence[bool]
    size: float
    padding: float


@dataclass(frozen=True, slots=True)
class _Set:
    """A row whose cells are broken into lines."""

    lines: tuple[tuple[str, ...], ...]
    cells: tuple[Cell, ...]


def broken(
    text: str, room: float, measure: TextMeasure, size: float, *, bold: bool = False
) -> tuple[str, ...]:
    """Break a text into lines of a width; a word that is wider is broken where it must be."""
    return wrapped(safe_line(text), room, measure, size, _MOST_LINES, bold=bold)

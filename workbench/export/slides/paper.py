"""The slides themselves: size, master, title, footnote, texts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Emu, Inches, Pt

from workbench.charts.page import wrapped
from workbench.charts.palette import Theme, mixed
from workbench.charts.text import FixedMeasure, elide
from workbench.export.safe_text import safe_line, safe_lines
from workbench.export.slides.native import Place, rgb
from workbench.export.table import Cell, Row, Table

_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700
_MARGIN: Final = int(Inches(0.5))
_TITLE_TOP: Final = int(Inches(0.32))
_TITLE_HEIGHT: Final = int(Inches(0.75))
_FOOT_HEIGHT: Final = int(Inches(0.42))
_TITLE_SIZES: Final = (28, 24, 20, 18)
_CELL_SIZES: Final = (12.0, 11.0, 10.0, 9.0, 8.0)
_LIST_SIZES: Final = (18.0, 16.0, 14.0, 12.0, 10.0)
_CELL_PAD_PT: Final = 10.0
_ROW_EMS: Final = 1.75


@dataclass(frozen=True, slots=True)
class Paper:
    """A presentation that slides are added to, and how they look."""

    presentation: Any
    theme: Theme
    footnote: str
    own: bool
    """Whether colours and ground are ours; a template keeps its own."""
    clear: bool = False
    """Whether the ground is left as it is."""

    @property
    def width(self) -> int:
        """Width of a slide in EMU."""
        return int(self.presentation.slide_width)

    @property
    def height(self) -> int:
        """Height of a slide in EMU."""
        return int(self.presentation.slide_height)

    @property
    def area(self) -> Place:
        """What a chart or a table may take: below the title, above the footnote."""
        top = _TITLE_TOP + _TITLE_HEIGHT + int(Inches(0.08))
        foot = _FOOT_HEIGHT + int(Inches(0.1))
        return Place(_MARGIN, top, self.width - 2 * _MARGIN, self.height - top - foot)

    def slide(self, title: str, notes: Iterable[str] = ()) -> Any:
        """Add a slide with its title, footnote and speaker notes."""
        made = self.presentation.slides.add_slide(_title_only(self.presentation))
        _drop_others(made)
        if self.own and not self.clear:
            made.background.fill.solid()
            made.background.fill.fore_color.rgb = rgb(self.theme.surface)
        self._title(made, title)
        if self.footnote:
            foot = Place(
                _MARGIN,
                self.height - _FOOT_HEIGHT,
                self.width - 2 * _MARGIN,
                _FOOT_HEIGHT - int(Inches(0.08)),
            )
            lines = _wrapped(self.footnote, foot.width, 10.0, 2)
            self.text(made, foot, lines, 10.0 if len(lines) == 1 else 9.0, muted=True)
        noted = list(notes)
        if noted:
            text = "\n".join(line for note in noted for line in safe_lines(note))
            made.notes_slide.notes_text_frame.text = text
        return made

    def _title(self, slide: Any, title: str) -> None:
        shape = slide.shapes.title
        place = Place(_MARGIN, _TITLE_TOP, self.width - 2 * _MARGIN, _TITLE_HEIGHT)
        size, text = _fitting_title(safe_line(title), place.width)
        if shape is None:
            self.text(slide, place, [text], size, bold=True)
            return
        shape.left, shape.top = Emu(place.x), Emu(place.y)
        shape.width, shape.height = Emu(place.width), Emu(place.height)
        frame = shape.text_frame
        frame.word_wrap = True
        frame.margin_left = frame.margin_right = 0
        frame.vertical_anchor = MSO_ANCHOR.MIDDLE
        frame.text = text
        paragraph = frame.paragraphs[0]
        paragraph.alignment = PP_ALIGN.LEFT
        paragraph.font.size = Pt(size)
        if self.own:
            paragraph.font.bold = True
            paragraph.font.color.rgb = rgb(self.theme.text)

    def text(
        self,
        slide: Any,
        place: Place,
        lines: Sequence[str],
        size_pt: float,
        *,
        bold: bool = False,
        muted: bool = False,
        ink: str = "",
        align: Any = PP_ALIGN.LEFT,
        anchor: Any = MSO_ANCHOR.MIDDLE,
    ) -> Any:
        """Write lines into a box of their own."""
        box = slide.shapes.add_textbox(
            *(Emu(part) for part in (place.x, place.y, place.width, place.height))
        )
        frame = box.text_frame
        frame.word_wrap = True
        frame.vertical_anchor = anchor
        frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
        for number, line in enumerate(lines):
            paragraph = frame.paragraphs[0] if not number else frame.add_paragraph()
            paragraph.text = safe_line(line)
            paragraph.alignment = align
            paragraph.font.size = Pt(size_pt)
            paragraph.font.bold = bold
            colour = ink or (self.theme.muted if muted else self.theme.text)
            if self.own or ink:
                paragraph.font.color.rgb = rgb(colour)
        return box

    def list_lines(self, slide: Any, lines: Sequence[str], place: Place) -> None:
        """Write a line each, as large as all of them fit; what does not is counted."""
        room = place.width / _EMU_PER_PT
        for size in _LIST_SIZES:
            most = int(place.height / (size * 1.7 * _EMU_PER_PT))
            longest = max(_MEASURE.width(line, size) for line in lines)
            if len(lines) <= most and longest <= room:
                break
        kept = lines[: most - 1]
        shown = list(lines) if len(lines) <= most else [*kept, f"… (+{len(lines) - len(kept)})"]
        written = [elide(line, room, _MEASURE, size) for line in shown]
        box = Place(place.x, place.y, place.width, int(len(written) * size * 1.7 * _EMU_PER_PT))
        self.text(slide, box, written, size, anchor=MSO_ANCHOR.TOP)

    # Tables

    def table_pages(self, table: Table, place: Place, size_pt: float) -> list[Table]:
        """Break a table into as many as fit a place; none ends in the heading of the next."""
        most = max(3, int(place.height / (size_pt * _ROW_EMS * _EMU_PER_PT)) - 1)
        pages: list[list[Row]] = [[]]
        for row in table.rows:
            if len(pages[-1]) >= most:
                last = pages[-1]
                carried = [last.pop()] if last[-1].is_heading and len(last) > 1 else []
                pages.append(carried)
            pages[-1].append(row)
        return [Table(table.code, table.title, table.columns, tuple(rows)) for rows in pages]

    def table(self, slide: Any, table: Table, place: Place, size_pt: float) -> Any:
        """Put a native table on a slide; texts too long for their cell end in an …"""
        rows, columns = len(table.rows) + 1, len(table.columns)
        step = int(size_pt * _ROW_EMS * _EMU_PER_PT)
        frame = slide.shapes.add_table(
            rows,
            columns,
            *(Emu(part) for part in (place.x, place.y, place.width, step * rows)),
        )
        made = frame.table
        _plain_style(frame)
        widths = _column_widths(table, place.width, size_pt)
        for column, width in zip(made.columns, widths, strict=True):
            column.width = Emu(width)
        for row in made.rows:
            row.height = Emu(step)
        numeric = table.numeric
        head = [Cell(name, look="strong") for name in table.columns]
        for at, cell in enumerate(head):
            self._cell(made.cell(0, at), cell, widths[at], size_pt, right=numeric[at], head=True)
        for number, row in enumerate(table.rows, 1):
            if row.is_heading:
                first = made.cell(number, 0)
                if columns > 1:
                    first.merge(made.cell(number, columns - 1))
                strong = Cell(row.cells[0].text, look="strong")
                self._cell(first, strong, place.width, size_pt, right=False)
                continue
            for at, cell in enumerate(row.cells):
                right = numeric[at] and at > 0
                self._cell(made.cell(number, at), cell, widths[at], size_pt, right=right)
        return frame

    def _cell(
        self, cell: Any, held: Cell, width: int, size_pt: float, *, right: bool, head: bool = False
    ) -> None:
        theme = self.theme
        bold = held.look == "strong"
        room = width / _EMU_PER_PT - _CELL_PAD_PT
        text = elide(held.text, room, _MEASURE, size_pt, bold)
        frame = cell.text_frame
        frame.word_wrap = False
        cell.margin_left = cell.margin_right = Pt(_CELL_PAD_PT / 2)
        cell.margin_top = cell.margin_bottom = 0
        cell.vertical_anchor = MSO_ANCHOR.MIDDLE
        frame.text = safe_line(text)
        paragraph = frame.paragraphs[0]
        paragraph.alignment = PP_ALIGN.RIGHT if right else PP_ALIGN.LEFT
        font = paragraph.font
        font.size, font.bold = Pt(size_pt), bold
        inks = {"good": theme.success, "bad": theme.danger, "muted": theme.muted}
        font.color.rgb = rgb(inks.get(held.look, theme.text))
        cell.fill.solid()
        ground = mixed(theme.surface, theme.muted, 0.12) if head else theme.surface
        cell.fill.fore_color.rgb = rgb(ground)


def table_size(table: Table, place: Place) -> float:
    """Return the largest text size at which a table's columns and rows fit a place.

    Where no size takes all rows, the columns alone decide and the table is broken.
    """
    wide = [size for size in _CELL_SIZES if sum(_needs(table, size)) <= place.width / _EMU_PER_PT]
    rows = len(table.rows) + 1
    for size in wide or _CELL_SIZES[-1:]:
        if rows * size * _ROW_EMS * _EMU_PER_PT <= place.height:
            return size
    return (wide or _CELL_SIZES[-1:])[0]


def _needs(table: Table, size_pt: float) -> list[float]:
    """Return the points that each column would like to have."""
    needs = []
    for at, name in enumerate(table.columns):
        texts = [_MEASURE.width(safe_line(name, 60), size_pt, bold=True)]
        texts += [
            _MEASURE.width(row.cells[at].text[:120], size_pt, row.cells[at].look == "strong")
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
        left, count = room, len(needs)
        most = room / count
        for need in sorted(needs):
            most = left / count
            if need > most:
                break
            left, count = left - need, count - 1
        widths = [min(need, most) for need in needs]
    return [int(one * _EMU_PER_PT) for one in widths]


def _wrapped(text: str, width: int, size_pt: float, most: int) -> tuple[str, ...]:
    return wrapped(text, width / _EMU_PER_PT, _MEASURE, size_pt, most)


def _fitting_title(title: str, width: int) -> tuple[float, str]:
    """Return a size and a text that take one line, or two at the smallest size."""
    for size in _TITLE_SIZES:
        if _MEASURE.width(title[:400], size, bold=True) <= width / _EMU_PER_PT * 0.98:
            return size, title
    small = _TITLE_SIZES[-1]
    return small, elide(title, width / _EMU_PER_PT * 1.8, _MEASURE, small, bold=True)


def _title_only(presentation: Any) -> Any:
    """Return the layout with a title and as little else as there is."""
    layouts = [layout for master in presentation.slide_masters for layout in master.slide_layouts]

    def others(layout: Any) -> tuple[bool, int]:
        kinds = [shape.placeholder_format.type for shape in layout.placeholders]
        titles = [kind for kind in kinds if kind is not None and kind in (1, 3)]
        return not titles, len(kinds) - len(titles)

    return min(layouts, key=others)


def _drop_others(slide: Any) -> None:
    """Take away placeholders that would say "click to add text"."""
    for shape in list(slide.placeholders):
        if shape.placeholder_format.type not in (1, 3):
            shape._element.getparent().remove(shape._element)


def _plain_style(frame: Any) -> None:
    """Take the banded look away: rows are told apart by hairlines of the style "no style, grid"."""
    made = frame.table
    made.horz_banding = made.first_row = False
    properties = made._tbl.tblPr
    for style in properties.findall(
        "{http://schemas.openxmlformats.org/drawingml/2006/main}tableStyleId"
    ):
        style.text = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"

"""How the compare table is painted: coloured pieces in cells, bars, names with their swatch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from workbench.charts.columns import column_bar
from workbench.charts.display import Box, DisplayList
from workbench.charts.palette import Theme
from workbench.charts.parts import Style, part_items
from workbench.charts.rows import Row
from workbench.export.raster import QtMeasure, paint
from workbench.gui.compare.cells import Cell, Line, Piece
from workbench.gui.compare.cells import Style as LineStyle
from workbench.gui.labels import Role, ink, plain_tip, role_font, theme_of
from workbench.gui.tr import chart_label

if TYPE_CHECKING:
    from workbench.gui.compare.table import CompareTable

_Index = QModelIndex | QPersistentModelIndex
_MARKED: Final = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
_TINT: Final = 0.09
_HEIGHTS_EMS: Final[dict[LineStyle, float]] = {
    "row": 1.6,
    "strong": 1.6,
    "section": 2.1,
    "verdict": 1.45,
    "bar": 2.15,
    "large": 1.9,
}
_MOST_WIDTHS: Final = 20_000
_OPEN: Final[tuple[LineStyle, ...]] = ("verdict",)
"""Styles of lines that belong to the one below: no rule between them."""


class Fonts:
    """Fonts, widths and colours of the table, worked out once for each font and theme."""

    def __init__(self, view: CompareTable, measure: QtMeasure) -> None:
        self._view = view
        self.measure = measure
        self.end_bytes = 1
        self.refresh()

    def refresh(self) -> None:
        """Follow the view's font and theme."""
        view = self._view
        self.em = view.fontMetrics().height()
        self.padding = round(self.em * 0.5)
        self.gap = view.fontMetrics().horizontalAdvance(" ")
        self.theme: Theme = theme_of(view)
        self._bars: dict[tuple[Row, int, int, int], DisplayList] = {}
        self._swatches: dict[str, DisplayList] = {}
        self._inks: dict[Role, QColor] = {}
        self._widths: dict[tuple[str, bool, float], int] = {}
        base = view.font()
        self._fonts: dict[tuple[bool, float], QFont] = {}
        self._metrics: dict[tuple[bool, float], QFontMetrics] = {}
        for bold in (False, True):
            for scale in (1.0, 1.2):
                font = QFont(base)
                font.setPointSizeF(base.pointSizeF() * scale)
                font.setBold(bold)
                self._fonts[bold, scale] = font
                self._metrics[bold, scale] = QFontMetrics(font)
        self.section_font = role_font(base, "heading")

    def of_piece(self, piece: Piece, style: LineStyle, *, first: bool) -> QFont:
        """Return the font of a piece; the first of a large line is larger."""
        return self._fonts[piece.bold, _scale(style, first=first)]

    def metrics_of(self, piece: Piece, style: LineStyle, *, first: bool) -> QFontMetrics:
        """Return the measures of that font."""
        return self._metrics[piece.bold, _scale(style, first=first)]

    def ink(self, role: Role) -> QColor:
        """Return the colour of a role."""
        if role not in self._inks:
            self._inks[role] = ink(self._view, role)
        return self._inks[role]

    def of_name(self, line: Line) -> QFont:
        """Return the font of a line's name."""
        if line.style == "section":
            return self.section_font
        return self._fonts[line.style == "strong", 1.0]

    @property
    def plain(self) -> QFont:
        """The font of the view."""
        return self._fonts[False, 1.0]

    @property
    def head(self) -> QFont:
        """The font of a column's heading."""
        return self._fonts[True, 1.0]

    def height_of(self, line: Line) -> int:
        """Return the height of a line in pixels."""
        return round(self.em * _HEIGHTS_EMS[line.style])

    # Widths

    def name_width(self, line: Line) -> int:
        """Return the width of a line's name with its swatch."""
        swatch = self.swatch_side + self.em // 2 if line.part else 0
        unit = _width(self.plain, f" {line.unit}") if line.unit else 0
        return swatch + _width(self.of_name(line), line.name) + unit

    def head_width(self, text: str) -> int:
        """Return the width of a column's heading."""
        return _width(self.head, text)

    def piece_width(self, piece: Piece, style: LineStyle, *, first: bool) -> int:
        """Return the width of a piece."""
        key = (piece.text, piece.bold, _scale(style, first=first))
        width = self._widths.get(key)
        if width is None:
            if len(self._widths) > _MOST_WIDTHS:
                self._widths.clear()
            metrics = self.metrics_of(piece, style, first=first)
            width = self._widths[key] = metrics.horizontalAdvance(piece.text)
        return width

    def pieces_width(self, pieces: tuple[Piece, ...], style: LineStyle, *, value: bool) -> int:
        """Return the width of pieces side by side."""
        widths = [
            self.piece_width(piece, style, first=value and not number)
            for number, piece in enumerate(pieces)
        ]
        return sum(widths) + self.gap * max(0, len(pieces) - 1)

    def cell_width(self, cell: Cell, style: LineStyle) -> int:
        """Return the width of value and difference; a bar takes what there is."""
        if cell.bar is not None:
            return 0
        value = self.pieces_width(cell.value, style, value=True)
        diff = self.pieces_width(cell.diff, style, value=False)
        return value + diff + (self.gap if value and diff else 0)

    def diff_left(self, cell: Cell, style: LineStyle, rect: QRect) -> int:
        """Return where the difference begins in a cell."""
        return rect.right() - self.padding - self.pieces_width(cell.diff, style, value=False)

    # Bars and swatches

    def bar_rect(self, rect: QRect) -> QRect:
        """Return the place of a bar in its cell."""
        inset = round(self.em * 0.25)
        return rect.adjusted(self.padding, inset // 2, -self.padding, -inset - inset // 2)

    def bar(self, row: Row, rect: QRect) -> DisplayList:
        """Return the bar of a column in a place."""
        key = (row, rect.width(), rect.height(), self.end_bytes)
        if key not in self._bars:
            if len(self._bars) > 200:
                self._bars.clear()
            self._bars[key] = column_bar(
                row,
                end_bytes=self.end_bytes,
                width=rect.width(),
                height=rect.height(),
                theme=self.theme,
                measure=self.measure,
                labels=chart_label,
                text_px=self.em * 0.75,
            )
        return self._bars[key]

    @property
    def swatch_side(self) -> int:
        """Width and height of the square before a name."""
        return round(self.em * 0.7)

    def swatch(self, part: str) -> DisplayList:
        """Return the square in the look of a part of the bars."""
        if part not in self._swatches:
            side = float(self.swatch_side)
            style = Style(self.theme, self.measure, "GiB", side)
            items = part_items(part, Box(0.0, 0.0, side, side), style, "swatch")
            self._swatches[part] = DisplayList(side, side, self.theme.surface, tuple(items))
        return self._swatches[part]


def _scale(style: LineStyle, *, first: bool) -> float:
    return 1.2 if style == "large" and first else 1.0


def _width(font: QFont, text: str) -> int:
    return QFontMetrics(font).horizontalAdvance(text)


def _rule(painter: QPainter, rect: QRect, theme: Theme) -> None:
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(theme.line))


def paint_list(made: DisplayList, painter: QPainter, at: QRect, measure: QtMeasure) -> None:
    """Paint a display list with its corner at that of a rectangle."""
    painter.save()
    painter.translate(at.topLeft())
    paint(made, painter, measure)
    painter.restore()


class CellDelegate(QStyledItemDelegate):
    """Paints a cell from its pieces, the last at the right edge."""

    def __init__(self, view: CompareTable) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        view, fonts = self._view, self._view.fonts
        line = view.lines.lines[index.row()]
        cell = view.lines.cell(index)
        rect = option.rect
        if view.is_cut(index.row(), index.column()):
            return
        if cell is not None and cell.tinted:
            tint = QColor(fonts.theme.accent)
            tint.setAlphaF(_TINT)
            painter.fillRect(rect, tint)
        if option.state & _MARKED:
            panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
            view.style().drawPrimitive(panel, option, painter, view)
        if line.style not in _OPEN:
            _rule(painter, rect, fonts.theme)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(fonts.theme.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -2))
        if cell is None:
            return
        if cell.bar is not None:
            area = fonts.bar_rect(rect)
            paint_list(fonts.bar(cell.bar, area), painter, area, fonts.measure)
        elif line.style == "verdict":
            self._paint_from_left(painter, cell, line.style, rect)
        else:
            self._paint_to_right(painter, cell, line.style, rect)

    def _paint_from_left(
        self, painter: QPainter, cell: Cell, style: LineStyle, rect: QRect
    ) -> None:
        fonts = self._view.fonts
        x = rect.left() + fonts.padding
        room = rect.right() - fonts.padding
        for number, piece in enumerate((*cell.value, *cell.diff)):
            first = number == 0
            area = QRect(x, rect.top(), room - x, rect.height())
            self._paint_piece(painter, piece, style, area, first=first)
            x += fonts.piece_width(piece, style, first=first) + fonts.gap

    def _paint_to_right(self, painter: QPainter, cell: Cell, style: LineStyle, rect: QRect) -> None:
        fonts = self._view.fonts
        pieces = [*cell.value, *cell.diff]
        right = rect.right() - fonts.padding
        for number in range(len(pieces) - 1, -1, -1):
            piece, first = pieces[number], number == 0 and bool(cell.value)
            width = fonts.piece_width(piece, style, first=first)
            left = max(right - width, rect.left() + fonts.padding)
            area = QRect(left, rect.top(), right - left + 1, rect.height())
            self._paint_piece(painter, piece, style, area, first=first)
            right = left - fonts.gap
            if right <= rect.left() + fonts.padding:
                break

    def _paint_piece(
        self, painter: QPainter, piece: Piece, style: LineStyle, area: QRect, *, first: bool
    ) -> None:
        fonts, text = self._view.fonts, piece.text
        if fonts.piece_width(piece, style, first=first) > area.width() + 1:
            metrics = fonts.metrics_of(piece, style, first=first)
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() + 1)
        painter.setFont(fonts.of_piece(piece, style, first=first))
        painter.setPen(fonts.ink(piece.role))
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(0, 0, 2, 0), align, text)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: _Index,
    ) -> bool:
        """Say the part of a bar that is pointed at; else the cell in full."""
        table = self._view
        key = table.hit(index, event.pos())
        if key is not None and table.part_words is not None:
            text = plain_tip(table.part_words(key))
            QToolTip.showText(event.globalPos(), text, table.viewport())
            return True
        return super().helpEvent(event, view, option, index)


class ColumnHeader(QHeaderView):
    """The names of the columns, bold, at the left of each."""

    def __init__(self, view: CompareTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._view = view
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)

    def sizeHint(self) -> QSize:
        """One line of text with some air."""
        return QSize(super().sizeHint().width(), round(self._view.fonts.em * 1.7))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Write the name, shortened where it is longer than a column may be."""
        fonts = self._view.fonts
        painter.fillRect(rect, QColor(fonts.theme.surface))
        if self._view.is_cut(0, logicalIndex):
            return
        painter.save()
        area = rect.adjusted(fonts.padding, 0, -fonts.padding, 0)
        text = self._view.headings()[logicalIndex]
        shown = QFontMetrics(fonts.head).elidedText(
            text, Qt.TextElideMode.ElideRight, area.width() + 1
        )
        painter.setFont(fonts.head)
        painter.setPen(QColor(fonts.theme.text))
        painter.drawText(
            area.adjusted(0, 0, 2, 0),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            shown,
        )
        painter.restore()


class NameHeader(QHeaderView):
    """The names of the lines, with the colour of their part of the bar; always in sight."""

    def __init__(self, view: CompareTable) -> None:
        super().__init__(Qt.Orientation.Vertical, view)
        self._view = view
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Write the name; sections as small capitals, answers of no part of their own quietly."""
        fonts = self._view.fonts
        line = self._view.lines.lines[logicalIndex]
        theme = fonts.theme
        painter.fillRect(rect, QColor(theme.surface))
        if self._view.is_cut(logicalIndex):
            return
        painter.save()
        if line.style not in _OPEN:
            _rule(painter, rect, theme)
        area = rect.adjusted(fonts.padding, 0, -fonts.padding // 2, 0)
        if line.part:
            side = fonts.swatch_side
            square = QRect(area.left(), area.center().y() - side // 2, side, side)
            paint_list(fonts.swatch(line.part), painter, square, fonts.measure)
            area.setLeft(area.left() + side + fonts.em // 2)
        font = fonts.of_name(line)
        text = QFontMetrics(font).elidedText(
            line.name, Qt.TextElideMode.ElideRight, area.width() + 1
        )
        quiet = line.style in ("section", "verdict", "bar")
        painter.setFont(font)
        painter.setPen(QColor(theme.muted if quiet else theme.text))
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if line.style == "section":
            area.adjust(0, fonts.em // 3, 0, 0)
        painter.drawText(area.adjusted(0, 0, 2, 0), align, text)
        if line.unit:
            area.setLeft(area.left() + _width(font, f"{text} "))
            painter.setFont(fonts.plain)
            painter.drawText(area.adjusted(0, 0, 2, 0), align, line.unit)
        painter.restore()

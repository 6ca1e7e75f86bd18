"""A tree of named values with badges, walked by keys and copied row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from workbench.gui.labels import badge_font, ink, paint_badge
from workbench.gui.language import follow_language
from workbench.gui.panels.row_model import BADGE, NAME, VALUE, Row, RowModel
from workbench.gui.tr import translate

_Index = QModelIndex | QPersistentModelIndex
_COPY: Final = QKeySequence.StandardKey.Copy
_MARKED: Final = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver


class _RowDelegate(QStyledItemDelegate):
    """Names that wrap, values to the right, badges in rounded boxes, remarks in muted ink.

    It paints from the row itself: asking the model role by role for each of three columns
    would take most of the time of an edit.
    """

    def __init__(self, view: RowTree) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        view, column = self._view, index.column()
        row = view.rows.row_at(index)
        if option.state & _MARKED:
            panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
            view.style().drawPrimitive(panel, option, painter, view)
        if column == BADGE:
            if row.badge:
                # All begin at the left edge of the longest.
                right = option.rect.right() - view.badge_room + view.badge_width(row.badge)
                paint_badge(painter, view, row.badge, right, option.rect.center().y() + 1)
            return
        if column == VALUE and not row.value:
            return
        if column == VALUE and option.state & _MARKED:
            # The mark has covered what of the name reaches into this column.
            self._paint_name(painter, view.rows.sibling(index.row(), NAME, index))
        area = option.rect.adjusted(view.margin, 0, -view.margin, 0)
        painter.setFont(view.bold if row.strong else view.font())
        painter.setPen(view.muted if row.quiet else view.text)
        if column == VALUE:
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(area, flags, row.value)
        else:
            self._paint_name(painter, index)

    def _paint_name(self, painter: QPainter, index: _Index) -> None:
        view = self._view
        row, room = view.rows.row_at(index), view.name_width(index)
        painter.setFont(view.bold if row.strong else view.font())
        painter.setPen(view.muted if row.quiet else view.text)
        area = view.visualRect(index).adjusted(view.margin, 0, 0, 0)
        area.setWidth(room)
        name = broken(painter.fontMetrics(), row.name, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, name)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        view = self._view
        if index.column() != NAME:
            return QSize(0, 1)
        metrics = view.fontMetrics()
        line = metrics.height() * 4 // 3
        # Qt would ask for one line: the name wraps within the column as it is now.
        name = view.rows.row_at(index).name
        room = max(metrics.averageCharWidth() * 4, view.name_width(index))
        if metrics.horizontalAdvance(name) <= room:
            return QSize(0, line)
        more = broken(metrics, name, room).count("\n")
        return QSize(0, line + more * metrics.lineSpacing())


def broken(metrics: QFontMetrics, text: str, room: int) -> str:
    """Break a text into lines between words; inside a word only where it is wider than a line."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    lines: list[str] = []
    here = ""
    for word in text.split(" "):
        longer = f"{here} {word}" if here else word
        if metrics.horizontalAdvance(longer) <= room:
            here = longer
            continue
        if here:
            lines.append(here)
        here = word
        while len(here) > 1 and metrics.horizontalAdvance(here) > room:
            fits = 1
            while metrics.horizontalAdvance(here[: fits + 1]) <= room:
                fits += 1
            lines.append(here[:fits])
            here = here[fits:]
    return "\n".join([*lines, here])


class RowTree(QTreeView):
    """Shows a `RowModel`; copies rows; tells which row was clicked or entered."""

    row_clicked = Signal(object)
    row_entered = Signal(object)
    left = Signal()
    """Esc was pressed."""
    grown = Signal()
    """Its rows take another height than before, perhaps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge_widths: dict[str, int] = {}
        """Pixels of each word that a badge has said."""
        self._look()
        self.badge_room = 0
        """Pixels of the longest badge's word."""
        self.rows = RowModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_RowDelegate(self))
        self.setHeaderHidden(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        # A name is never cut: in a narrow dock it takes two lines.
        self.setWordWrap(True)
        self.setUniformRowHeights(False)
        self.setIndentation(self.fontMetrics().height() * 2 // 3)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(BADGE, QHeaderView.ResizeMode.Fixed)
        header.sectionResized.connect(self._on_resized)
        self.expanded.connect(self._span)
        self.expanded.connect(self.grown)
        self.collapsed.connect(self.grown)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        self.customContextMenuRequested.connect(self._open_menu)
        follow_language(self._say)

    def _say(self) -> None:
        # The rows that are shown next may be the same ones in another language.
        self._renamed = True
        self.setAccessibleDescription(
            translate("Panels", "Arrow keys walk and unfold, Ctrl+C copies a row")
        )

    def show_rows(self, rows: Sequence[Row], *, open_up_to: int = 12) -> None:
        """Show rows; in a new tree those with at most `open_up_to` parts are open."""
        renamed, self._renamed = self._renamed, False
        if self.rows.set_rows(rows, renamed=renamed):
            # Told once for all, not for each row that is unfolded.
            with QSignalBlocker(self):
                self._open(QModelIndex(), open_up_to)
            self.grown.emit()
        self._fit_columns()

    def _open(self, parent: QModelIndex, open_up_to: int) -> None:
        self._span(parent)
        if not open_up_to:
            return
        for number in range(self.rows.rowCount(parent)):
            index = self.rows.index(number, NAME, parent)
            below = [self.rows.index(i, NAME, index) for i in range(self.rows.rowCount(index))]
            figures = sum(not self.rows.row_at(child).quiet for child in below)
            if 0 < figures <= open_up_to:
                self.setExpanded(index, True)
                self._open(index, open_up_to)

    def _span(self, parent: QModelIndex) -> None:
        """Let remarks below a row run over all columns."""
        for number in range(self.rows.rowCount(parent)):
            row = self.rows.row_at(self.rows.index(number, NAME, parent))
            if not (row.value or row.badge):
                self.setFirstColumnSpanned(number, parent, True)

    def _fit_columns(self) -> None:
        """Give values and badges the room they need; names have the rest."""
        metrics = QFontMetrics(self.bold_font())
        gap = metrics.horizontalAdvance("n")
        made = [row for _, row in self.rows.made()]
        values = max((metrics.horizontalAdvance(row.value) for row in made if row.value), default=0)
        badges = max(map(self.badge_width, {row.badge for row in made if row.badge}), default=0)
        header = self.header()
        most = max(gap, self.viewport().width() * 2 // 5)
        edges = 2 * self.text_margin()
        self.badge_room = badges
        header.resizeSection(VALUE, min(values + edges, most))
        header.resizeSection(BADGE, badges + gap * 3 // 2 if badges else 0)

    def badge_width(self, badge: str) -> int:
        """Return the pixels of a badge's word."""
        width = self._badge_widths.get(badge)
        if width is None:
            width = QFontMetrics(badge_font(self.font())).horizontalAdvance(badge)
            self._badge_widths[badge] = width
        return width

    def changeEvent(self, event: QEvent) -> None:
        """Measure badges anew in another font."""
        super().changeEvent(event)
        self._badge_widths.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def name_width(self, index: _Index) -> int:
        """Return the room for a name, the indentation taken off."""
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        row = self.rows.row_at(index)
        if not (row.value or row.badge):
            whole = self.viewport().width()
        else:
            # A short value leaves the name some of its column.
            metrics = QFontMetrics(self.bold if row.strong else self.font())
            taken = metrics.horizontalAdvance(f"n{row.value}") + self.text_margin()
            whole = self.columnWidth(NAME) + max(0, self.columnWidth(VALUE) - taken)
        return whole - depth * self.indentation() - 2 * self.text_margin()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Once for all cells: a look into palette and style for each would show in every edit.
        self._look()
        super().paintEvent(event)

    def _look(self) -> None:
        """Note what all cells are painted with."""
        self.text, self.muted = ink(self, "text"), ink(self, "muted")
        self.bold, self.margin = self.bold_font(), self.text_margin()

    def text_margin(self) -> int:
        """Return the room left and right of a text."""
        return self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1

    def bold_font(self) -> QFont:
        """Return the font of totals."""
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def current_row(self) -> Row | None:
        """Return the row under the cursor."""
        index = self.currentIndex()
        return self.rows.row_at(index) if index.isValid() else None

    def copy(self) -> None:
        """Put the selected rows on the clipboard, one a line."""
        from workbench.gui.export.mime import copy_cells

        rows = [self.rows.row_at(index) for index in self.selectionModel().selectedRows(NAME)]
        if rows:
            copy_cells("\n".join(row.copied() for row in rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_COPY):
            self.copy()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _on_resized(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.grown.emit()

    def rows_height(self, most: int) -> int:
        """Return the pixels that all rows take that are unfolded; counting ends past `most`."""
        height, index = 0, self.rows.index(0, NAME)
        while index.isValid() and height <= most:
            height += self.rowHeight(index)
            index = self.indexBelow(index)
        return height

    def _on_clicked(self, index: QModelIndex) -> None:
        self.row_clicked.emit(self.rows.row_at(index))

    def _on_activated(self, index: QModelIndex) -> None:
        self.row_entered.emit(self.rows.row_at(index))

    def _open_menu(self, position: QPoint) -> None:
        if not self.indexAt(position).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction(translate("Panels", "Copy row"))
        action.setShortcut(QKeySequence(_COPY))
        action.triggered.connect(self.copy)
        menu.popup(self.viewport().mapToGlobal(position))

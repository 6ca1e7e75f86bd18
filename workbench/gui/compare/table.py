"""The table of the compare view: names stay in sight, columns scroll, every cell can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from workbench.charts.display import HitKey
from workbench.charts.rows import STAR
from workbench.export.raster import QtMeasure
from workbench.gui.compare.cells import Cell, Head, Line
from workbench.gui.compare.painting import CellDelegate, ColumnHeader, Fonts, NameHeader
from workbench.gui.labels import plain_tip
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.gui.why import Why, ask

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_BY_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_WIDEST_NAMES_EMS: Final = 17
_WIDEST_COLUMN_EMS: Final = 14
_NARROWEST_COLUMN_EMS: Final = 8


class LineModel(QAbstractTableModel):
    """Lines by columns; the names of the lines are the vertical heading."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads: tuple[Head, ...] = ()
        self.lines: tuple[Line, ...] = ()

    def show_lines(self, heads: Sequence[Head], lines: Sequence[Line]) -> bool:
        """Show these; True when the shape is another than before."""
        heads, lines = tuple(heads), tuple(lines)
        if (heads, lines) == (self.heads, self.lines):
            return False
        before = [head.key for head in self.heads], [line.key for line in self.lines]
        after = [head.key for head in heads], [line.key for line in lines]
        if before != after:
            self.beginResetModel()
            self.heads, self.lines = heads, lines
            self.endResetModel()
            return True
        self.heads, self.lines = heads, lines
        last = self.index(len(lines) - 1, len(heads) - 1)
        self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(heads) - 1)
        self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(lines) - 1)
        return False

    def cell(self, index: _Index) -> Cell | None:
        """Return the cell of an index; None for a section."""
        if not index.isValid() or index.row() >= len(self.lines):
            return None
        line = self.lines[index.row()]
        return line.cells[index.column()] if index.column() < len(line.cells) else None

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """A section cannot be gone to: the keyboard passes over it."""
        if self.cell(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        named = self.lines if orientation == Qt.Orientation.Vertical else self.heads
        if section >= len(named):
            # A header asks about sections that it has not heard are gone.
            return None
        if orientation == Qt.Orientation.Vertical:
            text = self.lines[section].full_name
        else:
            head = self.heads[section]
            text = f"{STAR} {head.name}" if head.is_baseline else head.name
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self.cell(index)
        if cell is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head, line = self.heads[index.column()], self.lines[index.row()]
            return f"{head.name}, {line.name}: {cell.text}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return cell.tip
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(cell.tip or cell.text)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class CompareTable(QTableView):
    """Shows a `LineModel`. Ctrl+C copies what is selected; Ctrl+click asks why."""

    part_words: Callable[[HitKey], str] | None = None
    """Says a part of a bar in words."""
    menu_filled = Signal(object, object)
    """A context menu before it opens, and the index it is for: others may add to it."""

    def __init__(self, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = LineModel(self)
        self.fonts = Fonts(self, measure)
        self.setModel(self.lines)
        self.setHorizontalHeader(ColumnHeader(self))
        self.setVerticalHeader(NameHeader(self))
        self.setItemDelegate(CellDelegate(self))
        self.setFrameShape(QTableView.Shape.NoFrame)
        # The cell that the keyboard is on has the ring, not the table.
        self.setProperty("quiet", True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        # What is cut at the edge is left out: scrolled there, it is not what was painted before.
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(self._repaint)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self._wanted: list[int] = []
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Compare", "Comparison"))
        self.setAccessibleDescription(
            translate(
                "Compare",
                "Arrow keys walk, Ctrl+C copies cells, Enter: why this number, Shift+Enter: why "
                "this difference.",
            )
        )

    # Showing

    def show_lines(self, heads: Sequence[Head], lines: Sequence[Line], end_bytes: int) -> None:
        """Show these lines; `end_bytes` is where the axis of every bar ends."""
        here = self._place()
        self.fonts.end_bytes = end_bytes
        if self.lines.show_lines(heads, lines):
            self._set_heights()
            self._go_back(*here)
        self._fit_columns()
        self.viewport().update()

    def _place(self) -> tuple[str, str]:
        index = self.currentIndex()
        if not index.isValid():
            return "", ""
        return self.lines.heads[index.column()].key, self.lines.lines[index.row()].key

    def _go_back(self, head: str, line: str) -> None:
        """Put the keyboard where it was, as far as that is still there."""
        columns = [number for number, one in enumerate(self.lines.heads) if one.key == head]
        rows = [number for number, one in enumerate(self.lines.lines) if one.key == line]
        if columns and rows:
            self.setCurrentIndex(self.lines.index(rows[0], columns[0]))

    def _set_heights(self) -> None:
        header = self.verticalHeader()
        for row, line in enumerate(self.lines.lines):
            header.resizeSection(row, self.fonts.height_of(line))

    def _fit_columns(self) -> None:
        """Share the width out evenly; a column is never narrower than what it holds."""
        if not self.lines.heads:
            return
        self.verticalHeader().setFixedWidth(self._names_width())
        self._wanted = [self._column_width(number) for number in range(len(self.lines.heads))]
        self._share_width()

    def _names_width(self) -> int:
        widest = max((self.fonts.name_width(line) for line in self.lines.lines), default=0)
        most = self.fonts.em * _WIDEST_NAMES_EMS
        return min(widest + 2 * self.fonts.padding, round(most))

    def _column_width(self, column: int) -> int:
        fonts = self.fonts
        widths = [fonts.head_width(self.headings()[column])]
        for line in self.lines.lines:
            if line.cells:
                widths.append(fonts.cell_width(line.cells[column], line.style))
        widest = min(max(widths), round(fonts.em * _WIDEST_COLUMN_EMS))
        return max(widest + 2 * fonts.padding, round(fonts.em * _NARROWEST_COLUMN_EMS))

    def headings(self) -> list[str]:
        """Return the headings of the columns as they read."""
        return [
            str(self.lines.headerData(number, Qt.Orientation.Horizontal))
            for number in range(len(self.lines.heads))
        ]

    def _share_width(self) -> None:
        """Share the width out evenly among as many columns as are whole in sight."""
        if not self._wanted:
            return
        room, header = self.viewport().width(), self.horizontalHeader()
        in_sight = min(len(self._wanted), max(1, room // max(self._wanted)))
        even = max(max(self._wanted), room // in_sight)
        for column in range(len(self._wanted)):
            # All alike: their bars have one axis.
            if header.sectionSize(column) != even:
                header.resizeSection(column, even)

    def is_cut(self, row: int, column: int = -1) -> bool:
        """Return whether a line, or a column, reaches past the edge; a heading takes its first."""
        last = row
        if self.lines.lines[row].style == "section" and row + 1 < len(self.lines.lines):
            last = row + 1
        bottom = self.rowViewportPosition(last) + self.rowHeight(last)
        right = self.columnViewportPosition(column) + self.columnWidth(column) if column > 0 else 0
        return bottom > self.viewport().height() or right > self.viewport().width()

    def _repaint(self, _value: int = 0) -> None:
        for one in (self, self.verticalHeader(), self.horizontalHeader()):
            one.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        self._repaint()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and font."""
        super().changeEvent(event)
        kinds = (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.PaletteChange)
        if event.type() in kinds and hasattr(self, "_wanted"):
            self.fonts.refresh()
            self._set_heights()
            self._fit_columns()

    def height_of_all(self) -> int:
        """Return the height at which no line is hidden."""
        rows = sum(map(self.fonts.height_of, self.lines.lines))
        bar = self.horizontalScrollBar().sizeHint().height() if self._scrolls() else 0
        frame = self.height() - self.contentsRect().height()
        return self.horizontalHeader().sizeHint().height() + rows + bar + frame

    def _scrolls(self) -> bool:
        return max(self._wanted, default=0) * len(self._wanted) > self.viewport().width()

    def sizeHint(self) -> QSize:
        """As high as all lines."""
        return QSize(super().sizeHint().width(), self.height_of_all())

    # Asking

    def why_at(self, index: _Index, at: QPoint | None = None) -> Why | None:
        """Return what a cell answers: its part of a bar, its difference, or its value."""
        cell = self.lines.cell(index)
        if cell is None:
            return None
        if at is not None:
            key = self.hit(index, at)
            if key is not None:
                return Why(key.scenario, key.part, key.rank)
            if cell.diff_why is not None and at.x() >= self.fonts.diff_left(
                cell, self.lines.lines[index.row()].style, self.visualRect(index)
            ):
                return cell.diff_why
        return cell.why

    def asked_why(self) -> Why | None:
        """Return what the cell under the cursor answers."""
        return self.why_at(self.currentIndex())

    def hit(self, index: _Index, at: QPoint) -> HitKey | None:
        """Return the part of a bar at a point of the viewport."""
        cell = self.lines.cell(index)
        if cell is None or cell.bar is None:
            return None
        rect = self.fonts.bar_rect(self.visualRect(index))
        return self.fonts.bar(cell.bar, rect).hit(at.x() - rect.x(), at.y() - rect.y())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Come in by the keyboard: a cell shows where it is; else none is marked by itself."""
        before = self.currentIndex()
        super().focusInEvent(event)
        if event.reason() in _BY_KEYBOARD and not self.currentIndex().isValid():
            first = self.lines.index(0, 0)
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        elif event.reason() not in _BY_KEYBOARD and not before.isValid():
            self.selectionModel().clearCurrentIndex()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ctrl+click asks why."""
        at = event.position().toPoint()
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if control and event.button() == Qt.MouseButton.LeftButton:
            index = self.indexAt(at)
            self.setCurrentIndex(index)
            ask(self, self.why_at(index, at))
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies, Enter asks why, with Shift about the difference."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            cell = self.lines.cell(self.currentIndex())
            if cell is not None:
                ask(self, cell.diff_why if shift else cell.why)
            event.accept()
            return
        super().keyPressEvent(event)

    def _open_menu(self, position: QPoint) -> None:
        index = self.indexAt(position)
        cell = self.lines.cell(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if cell is not None:
            whys = (
                (translate("Compare", "Why this number"), "Alt+Return", cell.why),
                (translate("Compare", "Why this difference"), "Shift+Return", cell.diff_why),
            )
            for text, keys, why in whys:
                if why is not None:
                    action = menu.addAction(text)
                    action.setShortcut(QKeySequence(keys))
                    action.triggered.connect(partial(_ask, self, why))
            copy = menu.addAction(translate("Compare", "Copy"))
            copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
            copy.triggered.connect(self.copy)
        self.menu_filled.emit(menu, index)
        menu.popup(self.viewport().mapToGlobal(position))

    # Leaving with it

    def copy(self) -> None:
        """Put the selection on the clipboard as lines of tab-separated cells."""
        from workbench.gui.export.mime import copy_cells

        indexes = [i for i in self.selectionModel().selectedIndexes() if self.lines.cell(i)]
        if not indexes:
            return
        if len(indexes) == 1:
            text = str(indexes[0].data())
        else:
            rows = sorted({index.row() for index in indexes})
            columns = sorted({index.column() for index in indexes})
            text = self.tsv(rows, columns)
        copy_cells(text)

    def tsv(self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None) -> str:
        """Return lines as tab-separated text; a difference has a column of its own."""
        heads, lines = self.lines.heads, self.lines.lines
        rows = range(len(lines)) if rows is None else rows
        columns = range(len(heads)) if columns is None else columns
        compared = [number for number in columns if not heads[number].is_baseline]
        header = [""]
        for number in columns:
            header.append(self.headings()[number])
            if number in compared:
                header.append("Δ")
        made = [header]
        for row in rows:
            line = [lines[row].full_name]
            for number in columns if lines[row].cells else ():
                cell = lines[row].cells[number]
                line.append(cell.value_text)
                if number in compared:
                    line.append(cell.diff_text)
            made.append(line)
        return "\n".join("\t".join(line) for line in made) + "\n"


def _ask(table: QAbstractItemView, why: Why, _checked: bool = False) -> None:
    ask(table, why)

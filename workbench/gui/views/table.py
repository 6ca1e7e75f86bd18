"""A table of plain cells that copies like a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
)
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
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
    QTableView,
    QWidget,
)

from workbench.gui.labels import ink, plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import labelled, translate
from workbench.gui.why import Why, add_why, ask, tip_with_hint

_Index = QModelIndex | QPersistentModelIndex
Asks = Why | Callable[[], Why | None] | None
"""What a number would ask, or what works that out when somebody wants to know."""
_NOWHERE: Final = QModelIndex()
_MARKED: Final = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver


@dataclass(frozen=True, slots=True)
class Cell:
    """A text; figures stand to the right."""

    text: str
    figure: bool = False
    tip: str = ""
    asks: Asks = None

    @property
    def why(self) -> Why | None:
        """What the number would ask."""
        return self.asks() if callable(self.asks) else self.asks


def word(text: str, tip: str = "", why: Asks = None) -> Cell:
    """Make a cell of words."""
    return Cell(visible(text), tip=tip, asks=why)


def number(text: str, tip: str = "", why: Asks = None) -> Cell:
    """Make a cell with a figure."""
    return Cell(text, figure=True, tip=tip, asks=why)


class CellModel(QAbstractTableModel):
    """Rows of cells below headings."""

    def __init__(self, headings: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headings = tuple(headings)
        self.rows: tuple[tuple[Cell, ...], ...] = ()

    def set_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show these rows; keeps place and selection when their number stays."""
        made = tuple(tuple(row) for row in rows)
        if made == self.rows:
            return
        if len(made) == len(self.rows):
            self.rows = made
            last = self.index(len(made) - 1, len(self.headings) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.rows = made
        self.endResetModel()

    def set_headings(self, headings: Sequence[str]) -> None:
        """Change the words of the headings, not their number."""
        if tuple(headings) != self.headings:
            self.headings = tuple(headings)
            last = len(self.headings) - 1
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            figures = bool(self.rows) and self.rows[0][section].figure
            side = Qt.AlignmentFlag.AlignRight if figures else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return labelled(self.headings[index.column()], cell.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = cell.tip or cell.text
            return plain_tip(tip_with_hint(tip) if cell.asks else tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if cell.figure else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class _CellDelegate(QStyledItemDelegate):
    """Paints from the cell itself: asking the model role by role takes most of an edit's time."""

    def __init__(self, view: CopyTable) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        view = self._view
        if option.state & _MARKED:
            panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
            view.style().drawPrimitive(panel, option, painter, view)
        cell = view.cells.rows[index.row()][index.column()]
        if not cell.text:
            return
        area = option.rect.adjusted(view.padding, 0, -view.padding, 0)
        text = cell.text
        if area.width() < view.widest[index.column()]:
            text = view.fontMetrics().elidedText(
                text, Qt.TextElideMode.ElideRight, area.width() + 1
            )
        side = Qt.AlignmentFlag.AlignRight if cell.figure else Qt.AlignmentFlag.AlignLeft
        painter.setFont(view.font())
        painter.setPen(view.text)
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)


class CopyTable(QTableView):
    """Shows a `CellModel`; Ctrl+C copies what is selected, headings first."""

    def __init__(
        self,
        name: str,
        headings: Sequence[str],
        parent: QWidget | None = None,
        *,
        stretch: int = 0,
    ) -> None:
        super().__init__(parent)
        self.cells = CellModel(headings, self)
        self.setModel(self.cells)
        self.setAccessibleName(name)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setItemDelegate(_CellDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() * 3 // 2)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(self.fontMetrics().averageCharWidth() * 5)
        # The room beside a cell's text, as the headings have it.
        self.padding = round(self.fontMetrics().ascent() * 0.55)
        self.text = ink(self, "text")
        self._stretch = stretch
        self._widths = [0] * len(headings)
        self.widest = [0] * len(headings)
        self.most_characters = 90
        """Longer texts do not widen a column further; their tips are whole."""
        self.explains_clicks = False
        """Whether a plain click on a number, and Enter, ask why."""
        self.customContextMenuRequested.connect(self._open_menu)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleDescription(
            translate("Views", "Arrow keys walk, Ctrl+C copies cells, Alt+Enter: why this number")
        )
        # Columns are as wide as the words of another language made them.
        self._widths = [0] * len(self._widths)

    def say(self, name: str, headings: Sequence[str]) -> None:
        """Name the table and its columns."""
        self.setAccessibleName(name)
        self.cells.set_headings(headings)
        self._fit_columns()

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show these rows."""
        self.cells.set_rows(rows)
        self._fit_columns()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Once for all cells: a look into the palette for each would show in every edit.
        self.text = ink(self, "text")
        super().paintEvent(event)

    def _fit_columns(self) -> None:
        """Widen columns to what they hold; they never shrink while values change."""
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        most = metrics.averageCharWidth() * self.most_characters
        for column, title in enumerate(self.cells.headings):
            texts = {row[column].text for row in self.cells.rows} | {title}
            self.widest[column] = max(map(metrics.horizontalAdvance, texts))
            width = min(self.widest[column] + 2 * self.padding + 2, most)
            if width > self._widths[column]:
                self._widths[column] = width
                header.resizeSection(column, width)
        self._stretch_one()

    def _stretch_one(self) -> None:
        """Let one column take the room that is left; no other is narrower than its content."""
        mode = QHeaderView.ResizeMode.Stretch
        if self.is_cut():
            mode = QHeaderView.ResizeMode.Interactive
        header = self.horizontalHeader()
        if header.sectionResizeMode(self._stretch) != mode:
            header.setSectionResizeMode(self._stretch, mode)
            if mode == QHeaderView.ResizeMode.Interactive:
                header.resizeSection(self._stretch, self._widths[self._stretch])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch_one()

    def height_of_all(self) -> int:
        """Return the height at which no row is hidden."""
        header = self.horizontalHeader().sizeHint().height()
        rows = self.verticalHeader().defaultSectionSize() * self.cells.rowCount()
        bar = self.horizontalScrollBar().sizeHint().height() if self.is_cut() else 0
        return header + rows + bar + 4

    def is_cut(self) -> bool:
        """Whether the columns are so much wider than the table that it scrolls."""
        shown = sum(w for i, w in enumerate(self._widths) if not self.isColumnHidden(i))
        # The column that takes the rest may shorten its longest texts; their tips are whole.
        return shown - self._widths[self._stretch] // 5 > self.viewport().width()

    def copy(self) -> None:
        """Put the selection on the clipboard as lines of tab-separated cells."""
        from workbench.gui.export.mime import copy_cells

        indexes = self.selectionModel().selectedIndexes()
        if not indexes:
            return
        columns = sorted({index.column() for index in indexes})
        lines = ["\t".join(self.cells.headings[column] for column in columns)]
        for row in sorted({index.row() for index in indexes}):
            lines.append("\t".join(self.cells.rows[row][column].text for column in columns))
        # One cell alone is wanted without its heading.
        copy_cells(lines[1] if len(indexes) == 1 else "\n".join(lines))

    def why_at(self, index: _Index) -> Why | None:
        """Return what the number of a cell would ask."""
        return self.cells.rows[index.row()][index.column()].why if index.isValid() else None

    def asked_why(self) -> Why | None:
        """Return what the cell under the cursor would ask."""
        return self.why_at(self.currentIndex())

    def _on_chosen(self, index: QModelIndex) -> None:
        if self.explains_clicks:
            ask(self, self.why_at(index))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            index = self.indexAt(event.position().toPoint())
            if ask(self, self.why_at(index)):
                self.setCurrentIndex(index)
                return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
            return
        super().keyPressEvent(event)

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pointed = self.indexAt(position)
        add_why(menu, self, self.why_at(pointed if pointed.isValid() else self.currentIndex()))
        copy = menu.addAction(translate("Views", "Copy"))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copy)
        everything = menu.addAction(translate("Views", "Copy the whole table"))
        everything.triggered.connect(self._copy_all)
        menu.popup(self.viewport().mapToGlobal(position))

    def _copy_all(self) -> None:
        self.selectAll()
        self.copy()

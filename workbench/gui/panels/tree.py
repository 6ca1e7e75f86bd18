"""A tree of named values with badges: made of plain rows, walked by keys, copied row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
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

from workbench.gui.labels import badge_font, ink, paint_badge, plain_tip
from workbench.gui.tr import translate

NAME, VALUE, BADGE = range(3)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
_COPY: Final = QKeySequence.StandardKey.Copy


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree."""

    name: str
    value: str = ""
    badge: str = ""
    exact: str = ""
    """The value in full, for the tool tip and for copying."""
    tip: str = ""
    field: str | None = None
    """The field of the scenario that sets it."""
    key: str | None = None
    """The ledger entry that it stands for."""
    quiet: bool = False
    """A remark rather than a figure: sources, what is not modelled."""
    strong: bool = False
    children: tuple[Row, ...] = ()

    def copied(self) -> str:
        """The row as text: name, value in full, evidence."""
        parts = (self.name, self.exact or self.value, self.badge)
        return "\t".join(part for part in parts if part)


@dataclass(slots=True)
class _Place:
    row: Row
    parent: int
    number: int
    children: list[int] = field(default_factory=list)


class RowModel(QAbstractItemModel):
    """Rows by number: an index holds a place in a list, never a pointer."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: list[_Place] = [_Place(Row(""), -1, 0)]

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """Show these rows; True when the tree has another shape than before."""
        places: list[_Place] = [_Place(Row("", children=tuple(rows)), -1, 0)]
        _flatten(places, 0)
        if _same_shape(self._places, places):
            self._places = places
            self._tell_values()
            return False
        self.beginResetModel()
        self._places = places
        self.endResetModel()
        return True

    def _tell_values(self) -> None:
        for number, place in enumerate(self._places):
            if place.children:
                parent = self.index_of(number)
                last = len(place.children) - 1
                self.dataChanged.emit(self.index(0, NAME, parent), self.index(last, BADGE, parent))

    def index_of(self, number: int) -> QModelIndex:
        """Return the index of a place."""
        if number == 0:
            return QModelIndex()
        return self.createIndex(self._places[number].number, 0, number)

    def row_at(self, index: _Index) -> Row:
        """Return the row of an index."""
        return self._place(index).row

    def walk(self) -> Iterator[tuple[QModelIndex, Row]]:
        """Yield every index of the first column and its row, from top to bottom."""
        for number, place in enumerate(self._places):
            if number:
                yield self.index_of(number), place.row

    def _place(self, index: _Index) -> _Place:
        return self._places[index.internalId()] if index.isValid() else self._places[0]

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        children = self._place(parent).children
        if not (0 <= row < len(children) and 0 <= column < 3):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        return self.index_of(self._place(index).parent) if index.isValid() else QModelIndex()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.column() > 0 else len(self._place(parent).children)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (
            translate("Panels", "Name"),
            translate("Panels", "Value"),
            translate("Panels", "Evidence"),
        )[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.row_at(index), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.name, row.value, row.badge)[column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (row.name, row.value, row.badge)
            return ", ".join(part for part in parts if part) if column == NAME else parts[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [f"{row.name}: {row.exact or row.value}" if row.value else row.name, row.tip]
            return plain_tip("\n".join(line for line in lines if line))
        if role == Qt.ItemDataRole.TextAlignmentRole and column == VALUE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


def _flatten(places: list[_Place], number: int) -> None:
    for count, child in enumerate(places[number].row.children):
        places.append(_Place(child, number, count))
        own = len(places) - 1
        places[number].children.append(own)
        _flatten(places, own)


def _same_shape(old: list[_Place], new: list[_Place]) -> bool:
    return len(old) == len(new) and all(
        before.parent == after.parent and before.row.name == after.row.name
        for before, after in zip(old, new, strict=True)
    )


class _RowDelegate(QStyledItemDelegate):
    """Badges in rounded boxes, remarks in muted ink."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        model, view = index.model(), self.parent()
        if not isinstance(model, RowModel) or not isinstance(view, QWidget):
            return
        row = model.row_at(index)
        if row.strong:
            option.font.setWeight(QFont.Weight.DemiBold)
        if row.quiet:
            palette = option.palette
            palette.setColor(palette.ColorRole.Text, ink(view, "muted"))
            option.palette = palette

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        if index.column() != BADGE:
            super().paint(painter, option, index)
            return
        text = str(index.data() or "")
        view = self.parent()
        bare = QStyleOptionViewItem(option)
        super().initStyleOption(bare, index)
        bare.text = ""
        if isinstance(view, QTreeView):
            view.style().drawControl(
                view.style().ControlElement.CE_ItemViewItem, bare, painter, view
            )
            if text:
                area = option.rect
                paint_badge(painter, view, text, area.right(), area.center().y() + 1)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        size = super().sizeHint(option, index)
        metrics, view = option.fontMetrics, self.parent()
        height = metrics.height() * 4 // 3
        if index.column() != NAME or not isinstance(view, RowTree):
            return QSize(size.width(), height)
        # Qt would ask for one line: the name wraps within the column as it is now.
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        room = max(metrics.averageCharWidth() * 4, view.name_width(index) - 2 * margin)
        area = metrics.boundingRect(
            QRect(0, 0, room, 10_000), Qt.TextFlag.TextWordWrap, str(index.data() or "")
        )
        return QSize(size.width(), max(height, area.height() + height - metrics.height()))


class RowTree(QTreeView):
    """Shows a `RowModel`; copies rows; tells which row was clicked or entered."""

    row_clicked = Signal(object)
    row_entered = Signal(object)
    left = Signal()
    """Esc was pressed."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = RowModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_RowDelegate(self))
        self.setAccessibleName(name)
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
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        self.customContextMenuRequested.connect(self._open_menu)

    def show_rows(self, rows: Sequence[Row], *, open_up_to: int = 12) -> None:
        """Show rows; in a new tree those with at most `open_up_to` parts are open."""
        changed = self.rows.set_rows(rows)
        self._fit_columns()
        if not changed:
            return
        for index, row in self.rows.walk():
            if not (row.value or row.badge):
                self.setFirstColumnSpanned(index.row(), index.parent(), True)
            figures = [child for child in row.children if not child.quiet]
            if figures and len(figures) <= open_up_to:
                self.setExpanded(index, True)

    def _fit_columns(self) -> None:
        """Give values and badges the room they need; names have the rest."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        metrics, small = QFontMetrics(bold), QFontMetrics(badge_font(self.font()))
        gap = metrics.horizontalAdvance("n")
        values = badges = 0
        for _, row in self.rows.walk():
            values = max(values, metrics.horizontalAdvance(row.value) if row.value else 0)
            badges = max(badges, small.horizontalAdvance(row.badge) if row.badge else 0)
        header = self.header()
        most = max(gap, self.viewport().width() * 2 // 5)
        header.resizeSection(VALUE, min(values + gap, most))
        header.resizeSection(BADGE, badges + gap * 2 if badges else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def name_width(self, index: _Index) -> int:
        """Return the room for a name, the indentation taken off."""
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        row = self.rows.row_at(index)
        whole = self.viewport().width() if not (row.value or row.badge) else self.columnWidth(NAME)
        return whole - depth * self.indentation()

    def current_row(self) -> Row | None:
        """Return the row under the cursor."""
        index = self.currentIndex()
        return self.rows.row_at(index) if index.isValid() else None

    def copy(self) -> None:
        """Put the selected rows on the clipboard, one a line."""
        rows = [self.rows.row_at(index) for index in self.selectionModel().selectedRows(NAME)]
        if rows:
            QGuiApplication.clipboard().setText("\n".join(row.copied() for row in rows))

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

"""The list of presets that drops below a preset box: a filter, names, badges."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.gui.fields.wording import sentence
from workbench.gui.labels import ink, paint_badge, plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.search_frame import SearchFrame
from workbench.gui.tr import listed, preset_name, translate
from workbench.library.presets import Listed

_LISTED: Final = Qt.ItemDataRole.UserRole + 1
_SEARCH: Final = Qt.ItemDataRole.UserRole + 2
_BADGE: Final = Qt.ItemDataRole.UserRole + 3
_LIST_KEYS: Final = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class _BadgeDelegate(QStyledItemDelegate):
    """Paints the name, shortened, and a badge at the right end."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        view, badge = self._view, str(index.data(_BADGE) or "")
        panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
        view.style().drawPrimitive(panel, option, painter, view)
        inset = view.fontMetrics().horizontalAdvance("n") // 2
        area = option.rect.adjusted(inset, 0, -inset, 0)
        left = paint_badge(painter, view, badge, area.right(), area.center().y() + 1)
        area.setRight(left - 2 * inset)
        name = str(index.data() or "")
        text = view.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, area.width())
        usable = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        painter.setPen(ink(view, "text" if usable else "muted"))
        painter.setFont(view.font())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, self._view.fontMetrics().height() * 8 // 5)


class PresetPopup(SearchFrame):
    """Typing filters by name, id and alias; arrows walk; Enter chooses; Esc closes."""

    chosen = Signal(object)
    """The `Listed` that was chosen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._build()

    def _build(self) -> None:
        self.filter = self.line
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._apply_filter)
        self.model = QStandardItemModel(self)
        self._lay_out(self.model, _BadgeDelegate(self.view), self.fontMetrics().height() // 4)
        self.view.clicked.connect(self._choose)
        follow_language(self._say)

    def _say(self) -> None:
        self.filter.setPlaceholderText(translate("Fields", "Type to filter"))
        self.filter.setAccessibleName(translate("Fields", "Filter presets"))
        self.view.setAccessibleName(translate("Fields", "Presets"))
        for row in range(self.model.rowCount()):
            _say_item(self.model.item(row))

    def open_below(self, box: QWidget, listed: tuple[Listed, ...], name: str, search: str) -> None:
        """Show these presets below a box, the one in force marked."""
        self._fill(listed)
        self.filter.setText(search)
        self._apply_filter(search)
        self._mark(name)
        width = max(box.width(), self.fontMetrics().averageCharWidth() * 52)
        rows = min(max(2, self.model.rowCount()), 14)
        row = self.view.sizeHintForRow(0) if self.model.rowCount() else 0
        # Above, between and below filter and list; see `SearchFrame`.
        around = 3 * (self.fontMetrics().height() // 4)
        frames = 2 * (self.frameWidth() + self.view.frameWidth())
        height = rows * row + self.filter.sizeHint().height() + around + frames
        corner = box.mapToGlobal(QPoint(0, box.height()))
        screen = box.screen().availableGeometry()
        corner.setX(max(screen.left(), min(corner.x(), screen.right() - width)))
        if corner.y() + height > screen.bottom():
            corner.setY(max(screen.top(), screen.bottom() - height))
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.show()
        self.filter.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fill(self, listed: tuple[Listed, ...]) -> None:
        self.model.clear()
        for preset in listed:
            item = QStandardItem()
            item.setData(preset, _LISTED)
            item.setEnabled(preset.problem is None)
            _say_item(item)
            self.model.appendRow(item)

    def _apply_filter(self, text: str) -> None:
        words = text.casefold().split()
        usable: list[int] = []
        for row in range(self.model.rowCount()):
            item = self.model.item(row)
            hidden = not all(word in str(item.data(_SEARCH)) for word in words)
            if self.view.isRowHidden(row) is not hidden:
                self.view.setRowHidden(row, hidden)
            if not hidden and item.isEnabled():
                usable.append(row)
        meant = min(usable, key=lambda row: self._distance(row, text), default=None)
        index = QModelIndex() if meant is None else self.model.index(meant, 0)
        self.view.setCurrentIndex(index)

    def _distance(self, row: int, text: str) -> int:
        """How far a preset is from what was typed: its very name, its beginning, anything else."""
        preset = self.model.item(row).data(_LISTED)
        typed = text.strip().casefold()
        names = [name.casefold() for name in _names(preset)]
        if typed in names:
            return 0
        return 1 if any(name.startswith(typed) for name in names) else 2

    def _mark(self, name: str) -> None:
        for row in range(self.model.rowCount()):
            if self.model.item(row).text() == name and not self.view.isRowHidden(row):
                self.view.setCurrentIndex(self.model.index(row, 0))
                self.view.scrollTo(self.model.index(row, 0))
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.filter and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() in _LIST_KEYS:
                self.view.keyPressEvent(event)
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in (
                Qt.Key.Key_Return,
                Qt.Key.Key_Enter,
            ):
                self._choose(self.view.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _choose(self, index: QModelIndex) -> None:
        if not index.isValid() or self.view.isRowHidden(index.row()):
            return
        item = self.model.item(index.row())
        if item.isEnabled():
            self.hide()
            self.chosen.emit(item.data(_LISTED))


def _names(preset: Listed) -> dict[str, None]:
    """What a preset answers to, the name in the language first, each once."""
    spoken = preset_name(preset.name, preset.namespace)
    return dict.fromkeys((spoken, preset.id, *preset.aliases))


def _say_item(item: QStandardItem) -> None:
    """Name, badge and tool tip of a preset, and the words that find it."""
    preset: Listed = item.data(_LISTED)
    names = _names(preset)
    name = visible(next(iter(names)))
    item.setText(name)
    # In any language a preset answers to its own name as well.
    item.setData(" ".join((*names, preset.name)).casefold(), _SEARCH)
    builtin = preset.namespace == "builtin"
    badge = translate("Fields", "built-in") if builtin else translate("Fields", "yours")
    item.setData(badge, _BADGE)
    item.setData(listed((name, badge)), Qt.ItemDataRole.AccessibleTextRole)
    tip = visible(listed(names)) if preset.problem is None else sentence(preset.problem)
    item.setToolTip(plain_tip(tip))

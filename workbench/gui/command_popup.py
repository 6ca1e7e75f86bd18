"""The palette's list: typing finds, arrows walk, Enter does, Esc leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.gui.command_list import Command, CommandList, ranked
from workbench.gui.labels import ink
from workbench.gui.language import follow_language
from workbench.gui.search_frame import SearchFrame
from workbench.gui.store import SettingsStore
from workbench.gui.tr import translate

_COMMAND: Final = Qt.ItemDataRole.UserRole + 1
_ROWS: Final = 14
_WIDE_LINES: Final = 34
_LONGEST_QUERY: Final = 200
_LIST_KEYS: Final = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_AnyIndex = QModelIndex | QPersistentModelIndex


class _Found(QAbstractListModel):
    """The commands that are listed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._commands: list[Command] = []

    def show_commands(self, commands: list[Command]) -> None:
        """List other commands."""
        self.beginResetModel()
        self._commands = commands
        self.endResetModel()

    def rowCount(self, parent: _AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._commands)

    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        command = self._commands[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return said(command)
        return command if role == _COMMAND else None

    def flags(self, index: _AnyIndex) -> Qt.ItemFlag:
        usable = index.isValid() and self._commands[index.row()].run is not None
        return super().flags(index) if usable else Qt.ItemFlag.ItemIsSelectable


def said(command: Command) -> str:
    """Return a line as it is read aloud."""
    return f"{command.text}, {command.keys}" if command.keys else command.text


class _Delegate(QStyledItemDelegate):
    """Paints the text, shortened, and the keys at the right end."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        view, command = self._view, index.data(_COMMAND)
        panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
        view.style().drawPrimitive(panel, option, painter, view)
        metrics = view.fontMetrics()
        inset = metrics.horizontalAdvance("n")
        area = option.rect.adjusted(inset, 0, -inset, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(view.font())
        if command.keys:
            painter.setPen(ink(view, "muted"))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, command.keys)
            area.setRight(area.right() - metrics.horizontalAdvance(command.keys) - inset)
        painter.setPen(ink(view, "text" if command.run is not None else "danger"))
        text = metrics.elidedText(command.text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, middle, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: _AnyIndex) -> QSize:
        return QSize(0, self._view.fontMetrics().height() * 8 // 5)


class CommandPopup(SearchFrame):
    """Drops below the menu bar; what is chosen is done once the list is gone."""

    def __init__(self, commands: CommandList, store: SettingsStore, window: QWidget) -> None:
        super().__init__(window)
        self._commands = commands
        self._store = store
        self._window = window
        self._known: list[Command] = []
        self._unread: list[Callable[[], list[Command]]] = []
        self._chosen: Command | None = None
        self._top = 0
        self._reading = QTimer(self)
        self._reading.setInterval(0)
        self._reading.timeout.connect(self._read_next)
        self._build()

    def _build(self) -> None:
        self.line.setMaxLength(_LONGEST_QUERY)
        self.line.textChanged.connect(self._search)
        self.model = _Found(self)
        self._lay_out(self.model, _Delegate(self.view), self.fontMetrics().height() // 3)
        self.view.clicked.connect(self._choose)
        self.view.selectionModel().currentChanged.connect(self._tell)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Commands", "Commands"))
        self.line.setPlaceholderText(
            translate("Commands", "Type a command, a preset, or a value such as context 128k")
        )
        self.line.setAccessibleName(translate("Commands", "Search commands"))
        self.view.setAccessibleName(translate("Commands", "Commands found"))

    def open_over(self, window: QWidget, top: int) -> None:
        """Show the list in the middle of a window, `top` pixels below its upper edge."""
        self._top = top
        self._known = self._commands.quick()
        self._unread = self._commands.slow()
        self.line.clear()
        self._search("")
        self.show()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        # Presets and releases are files: the list is there before they are read.
        self._reading.start()

    def _place(self) -> None:
        """Be as high as what was found, as far as the window reaches."""
        window, em = self._window, self.fontMetrics().height()
        width = min(_WIDE_LINES * em, window.width() - 2 * em)
        row, margin = em * 8 // 5, em // 3
        rows = min(max(1, self.model.rowCount()), _ROWS)
        around = 3 * margin + 2 * (self.frameWidth() + self.view.frameWidth())
        height = rows * row + self.line.sizeHint().height() + around
        corner = window.mapToGlobal(QPoint((window.width() - width) // 2, self._top))
        height = min(height, window.height() - self._top - em)
        self.setGeometry(corner.x(), corner.y(), width, height)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop reading; the commands go, with what they hold."""
        super().hideEvent(event)
        self._reading.stop()
        self._known = []
        self.model.show_commands([])
        # Not every window system gives the keyboard back by itself.
        self._window.activateWindow()

    # Finding

    def _read_next(self) -> None:
        if not self._unread:
            self._reading.stop()
            return
        self._known += self._unread.pop(0)()
        if not self._unread:
            current = self.current()
            self._search(self.line.text(), keep=None if current is None else current.id)

    def _search(self, text: str, keep: str | None = None) -> None:
        while text.strip() and self._unread:
            self._known += self._unread.pop(0)()
        found = self._commands.values(text) if text.strip() else []
        found += ranked(self._known, text, self._store.settings.commands)
        self.model.show_commands(found)
        self._place()
        meant = next((row for row, command in enumerate(found) if command.id == keep), 0)
        self.view.setCurrentIndex(self.model.index(meant, 0))
        if not found and text.strip():
            self._say_current(translate("Commands", "No command is called so"))

    def current(self) -> Command | None:
        """Return the command that Enter would do."""
        command = self.view.currentIndex().data(_COMMAND)
        return command if isinstance(command, Command) else None

    def shown(self) -> list[Command]:
        """Return what is listed."""
        return [self.model.index(row, 0).data(_COMMAND) for row in range(self.model.rowCount())]

    def _tell(self) -> None:
        command = self.current()
        if command is not None:
            self._say_current(said(command))

    def _say_current(self, text: str) -> None:
        self.line.setAccessibleDescription(text)
        if QAccessible.isActive() and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.line, text))

    # Doing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() in _LIST_KEYS:
                self.view.keyPressEvent(event)
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in _ENTER:
                self._choose(self.view.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _choose(self, index: QModelIndex) -> None:
        command = index.data(_COMMAND)
        if not isinstance(command, Command) or command.run is None:
            return
        self.hide()
        self._store.set(self._store.settings.with_command(command.id))
        self._chosen = command
        # What it opens must not open below a popup that is still closing.
        QTimer.singleShot(0, self, self._do)

    def _do(self) -> None:
        command, self._chosen = self._chosen, None
        if command is not None and command.run is not None:
            command.run()

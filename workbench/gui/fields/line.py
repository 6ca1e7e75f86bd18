"""The text of a quantity field: a line edit that leaves undo to the window when it may."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QStyle, QWidget

from workbench.gui.labels import theme_of
from workbench.gui.language import follow_language
from workbench.gui.tr import translate

_BARE: Final = frozenset(
    {
        Qt.Key.Key_Control,
        Qt.Key.Key_Shift,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
    }
)
_UNDO_KEYS: Final = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def is_undo(event: QEvent) -> bool:
    """Whether a key event is about to undo or redo."""
    return isinstance(event, QKeyEvent) and any(event.matches(keys) for keys in _UNDO_KEYS)


def is_verb(event: QEvent) -> bool:
    """Whether a key event that an editor left alone may be a verb of the window, such as save.

    What is being typed belongs to it, so it is taken over before.
    """
    if not isinstance(event, QKeyEvent) or event.isAccepted() or event.key() in _BARE:
        return False
    with_control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    return bool(event.modifiers() & with_control) or function_key


class RevertDot(QAbstractButton):
    """A dot that says "changed from the preset"; a click takes the preset's value back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # Reset stands in the field's menu, so the dot needs no stop of its own for Tab.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def sizeHint(self) -> QSize:
        side = self.fontMetrics().height()
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_of(self).accent))
        side = min(self.width(), self.height()) * (0.5 if self.underMouse() else 0.4)
        spot = QRectF(0, 0, side, side)
        spot.moveCenter(QRectF(self.rect()).center())
        painter.drawEllipse(spot)
        painter.end()

    def enterEvent(self, event: QEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()


class QuantityLine(QLineEdit):
    """Reports keys that step and scale, Esc, and the end of typing; paints its own state."""

    stepped = Signal(object)
    """Number of steps, signed."""
    scaled = Signal(object)
    """2 or 0.5."""
    cancelled = Signal()
    committed = Signal()
    """Enter, or the focus went elsewhere."""
    dot_clicked = Signal()
    paste_cut = Signal(object)
    """A text longer than this many characters was cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._invalid = False
        self._differs = False
        self.menu_open = False
        """The field's own menu is open: the focus comes back, typing goes on."""
        self.dot: RevertDot | None = None
        self.returnPressed.connect(self.committed)
        # Qt cuts a long text without a word and tells it only here.
        self.inputRejected.connect(self._tell_cut)

    def set_state(self, *, invalid: bool, differs: bool) -> None:
        """Outline an unreadable text, tint a value that differs from the baseline's."""
        if (invalid, differs) != (self._invalid, self._differs):
            self._invalid, self._differs = invalid, differs
            self.update()

    def set_dot(self, shown: bool) -> None:
        """Show or hide the dot and make room for it."""
        if self.dot is None:
            if not shown:
                return
            self.dot = RevertDot(self)
            self.dot.clicked.connect(self.dot_clicked)
            follow_language(self._say_dot)
        self.dot.setVisible(shown)
        self.setTextMargins(0, 0, self.dot.sizeHint().width() if shown else 0, 0)
        self._place_dot()

    def _say_dot(self) -> None:
        if self.dot is not None:
            name = translate("Fields", "{name}: back to the preset")
            self.dot.setAccessibleName(name.format(name=self.accessibleName()))
            self.dot.setToolTip(translate("Fields", "Changed: click takes the preset's value"))

    def _place_dot(self) -> None:
        if self.dot is None:
            return
        side = self.dot.sizeHint()
        frame = self.style().pixelMetric(QStyle.PixelMetric.PM_DefaultFrameWidth, None, self)
        x = self.width() - side.width() - 2 * frame
        self.dot.setGeometry(x, (self.height() - side.height()) // 2, side.width(), side.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_dot()

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if not self.isModified() and is_undo(event):
            # Nothing typed to undo: the window's own undo is meant. Returning False would
            # still let the line edit swallow the key (PySide6 6.11).
            event.ignore()
            return True
        taken = super().event(event)
        if is_verb(event):
            self.committed.emit()
        return taken

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            sign = 1 if key == Qt.Key.Key_Up else -1
            self.stepped.emit(sign * (10 if shift else 1))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.scaled.emit(2 if key == Qt.Key.Key_PageUp else 0.5)
        elif key == Qt.Key.Key_Escape and (self.isModified() or self._invalid):
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.menu_open:
            self.committed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self._invalid or self._differs):
            return
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        radius = self.fontMetrics().height() / 4
        if self._invalid:
            painter.setPen(QPen(QColor(theme.danger), 1.5))
        else:
            tint = QColor(theme.accent)
            tint.setAlphaF(0.09)
            painter.setBrush(tint)
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(area, radius, radius)
        painter.end()

    def _tell_cut(self) -> None:
        if len(self.text()) >= self.maxLength():
            self.paste_cut.emit(self.maxLength())

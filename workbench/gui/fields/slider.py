"""The slider of a quantity: logarithmic and snapping to powers of two where the field says so."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from workbench.gui.labels import theme_of

_STEPS_PER_OCTAVE: Final = 64
_LINEAR_STEPS: Final = 1_000
_STEP_KEYS: Final = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}


class QuantitySlider(QSlider):
    """Maps places to values; holding Alt moves freely between the ticks."""

    dragged = Signal(object)
    """A new value while the handle is held or a key is pressed."""
    drag_ended = Signal()

    def __init__(
        self, low: float, high: float, step: float, *, log2: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._low, self._high, self._step, self._log2 = low, high, step, log2
        if log2:
            self._first = math.log2(max(low, 1))
            span = (math.log2(high) - self._first) * _STEPS_PER_OCTAVE
            self.setRange(0, round(span))
            self.setPageStep(_STEPS_PER_OCTAVE)
        else:
            self.setRange(0, _LINEAR_STEPS)
            self.setPageStep(_LINEAR_STEPS // 10)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # Places and values

    def show_value(self, value: float | None) -> None:
        """Put the handle where a value is; at an end for one beyond the range."""
        place = 0 if value is None else self._place(value)
        if place != self.value():
            self.blockSignals(True)
            self.setValue(place)
            self.blockSignals(False)
            self.update()

    def _place(self, value: float) -> int:
        value = min(max(value, self._low), self._high)
        if self._log2:
            return round((math.log2(max(value, 1)) - self._first) * _STEPS_PER_OCTAVE)
        return round((value - self._low) / (self._high - self._low) * self.maximum())

    def value_at(self, place: int, *, free: bool = False) -> float:
        """Return the value of a place: a power of two or a whole step, unless free."""
        if self._log2:
            power = self._first + place / _STEPS_PER_OCTAVE
            return 2.0 ** (power if free else round(power))
        value = self._low + (self._high - self._low) * place / self.maximum()
        if free:
            return value
        return min(max(round(value / self._step) * self._step, self._low), self._high)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self._drag_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._drag_to(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)
            self.drag_ended.emit()

    def _drag_to(self, event: QMouseEvent) -> None:
        groove = self._groove()
        share = (event.position().x() - groove.left()) / max(1.0, groove.width())
        place = round(min(max(share, 0.0), 1.0) * self.maximum())
        self._move(place, free=bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        event.accept()

    def _move(self, place: int, *, free: bool) -> None:
        value = self.value_at(place, free=free)
        before = self.value()
        self.show_value(value)
        if self.value() != before or free:
            self.dragged.emit(value)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = _STEP_KEYS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Home:
            self._move(0, free=False)
        elif event.key() == Qt.Key.Key_End:
            self._move(self.maximum(), free=False)
        elif steps is None:
            super().keyPressEvent(event)
            return
        else:
            free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            self._step_by(steps, free=free)
        event.accept()

    def _step_by(self, steps: int, *, free: bool) -> None:
        if self._log2 and not free:
            # From a value between two ticks the next tick, not the one after it.
            power = self._first + self.value() / _STEPS_PER_OCTAVE
            octaves = 1 if abs(steps) == 1 else 2
            near = math.floor(power + 1e-6) if steps > 0 else math.ceil(power - 1e-6)
            target = near + (octaves if steps > 0 else -octaves)
            place = round((target - self._first) * _STEPS_PER_OCTAVE)
        elif self._log2:
            place = self.value() + steps
        else:
            per_step = self._step / (self._high - self._low) * self.maximum()
            place = round(self.value() + steps * max(1.0, per_step))
        self._move(min(max(place, 0), self.maximum()), free=free)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The panel scrolls; a wheel over a slider must not change a plan.
        event.ignore()

    # Looks

    def sizeHint(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height * 6, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().height() * 3, self.fontMetrics().height())

    def _radius(self) -> float:
        return self.fontMetrics().height() * 0.32

    def _groove(self) -> QRectF:
        radius = self._radius() + 1
        middle = self.height() / 2
        return QRectF(radius, middle - 1, self.width() - 2 * radius, 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, groove = theme_of(self), self._groove()
        share = self.value() / max(1, self.maximum())
        at = QPointF(groove.left() + groove.width() * share, groove.center().y())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.line))
        painter.drawRoundedRect(groove, 1, 1)
        self._paint_ticks(painter, groove, QColor(theme.line))
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(QRectF(groove.topLeft(), QPointF(at.x(), groove.bottom())), 1, 1)
        if self.hasFocus():
            halo = QColor(theme.accent)
            halo.setAlphaF(0.25)
            painter.setBrush(halo)
            painter.drawEllipse(at, self._radius() * 1.5, self._radius() * 1.5)
        # Filled while it has the keyboard: the halo alone is too pale to be the only sign.
        painter.setBrush(QColor(theme.accent if self.hasFocus() else theme.surface))
        painter.setPen(QPen(QColor(theme.accent), 1.6))
        painter.drawEllipse(at, self._radius(), self._radius())
        painter.end()

    def _paint_ticks(self, painter: QPainter, groove: QRectF, colour: QColor) -> None:
        if not self._log2:
            return
        octaves = round(self.maximum() / _STEPS_PER_OCTAVE)
        painter.setBrush(colour)
        for octave in range(octaves + 1):
            x = groove.left() + groove.width() * octave / max(1, octaves)
            painter.drawRect(QRectF(x - 0.5, groove.center().y() - 3, 1, 6))

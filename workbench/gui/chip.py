"""A chip of the scenario strip: name, verdict and star, and how it is picked, moved and renamed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy, QWidget

from workbench.charts.palette import Theme
from workbench.charts.rows import STAR, SYMBOLS
from workbench.gui.labels import theme_of, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import sentences, translate, words
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status, Verdict

_WIDEST_NAME_EMS = 18
_MOST_SPARE_EMS = 3
"""A chip stays as wide as it was while its name is no shorter than this."""


def status_ink(theme: Theme, status: Status) -> str:
    """Return the colour that goes with a verdict's symbol."""
    inks = {Status.FITS: theme.success, Status.TIGHT: theme.warning}
    return inks.get(status, theme.danger)


class Chip(QAbstractButton):
    """One scenario: star for the baseline, name, symbol of the verdict, outline when looked at."""

    renaming = Signal()
    stepped = Signal(object, object)
    """+1 or -1: to the neighbour; and whether edits should change both from now on."""
    dragged = Signal(object)
    """Where the pointer is while a press moves the chip, as a global position."""
    dropped = Signal(object)
    """Where such a press ended."""

    def __init__(self, scenario_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.scenario_id = scenario_id
        self._verdict = Verdict(Status.FITS, "")
        self._is_baseline = False
        self._picked = False
        self._pressed_at: QPoint | None = None
        self._dragging = False
        # Not the button's own text, where "&" would make a shortcut.
        self._name = ""
        self._by_keyboard = False
        self._room = QSize()
        """What it asked for when it last showed something else."""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        follow_language(self._say)

    @property
    def picked(self) -> bool:
        """Whether edits of the current scenario change this one too."""
        return self._picked

    def show_picked(self, picked: bool) -> None:
        """Show whether edits of the current scenario change this one too."""
        if picked != self._picked:
            self._picked = picked
            self._describe()
            self.update()

    def _describe(self) -> None:
        text = translate("Strip", "F2 renames, arrow keys move on, Shift with them picks several")
        if self._picked:
            text = sentences(translate("Strip", "Picked: edits change it too."), text)
        self.setAccessibleDescription(text)

    def _say(self) -> None:
        verdict = spec_words.status_text(self._verdict, words)
        template = (
            translate("Strip", "Scenario {name}, baseline: {verdict}")
            if self._is_baseline
            else translate("Strip", "Scenario {name}: {verdict}")
        )
        self.setAccessibleName(template.format(name=visible(self._name), verdict=verdict))
        self._describe()

    def show_state(self, name: str, verdict: Verdict, *, is_baseline: bool, current: bool) -> None:
        """Show what there is to know."""
        changed = (name, verdict, is_baseline) != (self._name, self._verdict, self._is_baseline)
        self._verdict, self._is_baseline = verdict, is_baseline
        self._name = name
        self.setChecked(current)
        if changed:
            self._say()
            room, self._room = self._room, self.sizeHint()
            if room != self._room:
                self.updateGeometry()
            self.update()

    def _parts(self, metrics: QFontMetrics) -> tuple[str, str, str]:
        widest = _WIDEST_NAME_EMS * metrics.height() * 3 // 4
        name = metrics.elidedText(visible(self._name), Qt.TextElideMode.ElideRight, widest)
        return (f"{STAR} " if self._is_baseline else "", name, SYMBOLS[self._verdict.shown])

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def sizeHint(self) -> QSize:
        """Room for the bold name, so that nothing moves when another chip is chosen."""
        metrics = QFontMetrics(self._bold())
        star, name, symbol = self._parts(metrics)
        gaps = metrics.height() * 2
        width = gaps + sum(metrics.horizontalAdvance(text) for text in (star, name, symbol))
        spare = self._room.width() - width
        if self.isChecked() and 0 < spare <= _MOST_SPARE_EMS * metrics.height():
            # A copy is named after what is being changed in it: "22016", then "22k".
            width += spare
        return QSize(width, round(metrics.height() * 1.75))

    def minimumSizeHint(self) -> QSize:
        """As the size hint."""
        return self.sizeHint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename in place."""
        self.renaming.emit()
        event.accept()

    # Moving a chip to another place

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the chip once the pointer has left the spot."""
        super().mouseMoveEvent(event)
        if self._pressed_at is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        way = (event.position().toPoint() - self._pressed_at).manhattanLength()
        if self._dragging or way >= QApplication.startDragDistance():
            self._dragging = True
            self.dragged.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; without one it is a click."""
        dragging, self._dragging, self._pressed_at = self._dragging, False, None
        if not dragging:
            super().mouseReleaseEvent(event)
            return
        self.setDown(False)
        self.dropped.emit(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move along the strip; F2 renames."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if key in steps:
            several = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(steps[key], several)
        elif key == Qt.Key.Key_F2:
            self.renaming.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a ring only to those who came by keyboard."""
        super().focusInEvent(event)
        self._by_keyboard = event.reason() not in (
            Qt.FocusReason.MouseFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, star, name and symbol."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = self.isChecked()
        marked = current or self._picked
        thick = 2.0 if marked else 1.0
        edge = theme.accent if marked or self.hasFocus() else theme.line
        painter.setPen(QPen(QColor(edge), thick))
        painter.setBrush(QColor(theme.surface if current else theme.sunken))
        if self.underMouse() and not current:
            painter.setBrush(self.palette().light())
        radius = self.fontMetrics().height() * 0.4
        box = QRectF(self.rect()).adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2)
        painter.drawRoundedRect(box, radius, radius)
        if current and self.hasFocus() and self._by_keyboard:
            painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), radius, radius)
        self._paint_text(painter, theme, current)
        painter.end()

    def _paint_text(self, painter: QPainter, theme: Theme, current: bool) -> None:
        bold = self._bold()
        metrics = QFontMetrics(bold)
        star, name, symbol = self._parts(metrics)
        x = metrics.height() * 3 // 4
        rect = self.rect()
        align = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(bold if current else self.font())
        painter.setPen(QColor(theme.text))
        label = star + name
        painter.drawText(rect.adjusted(x, 0, 0, 0), align, label)
        painter.setFont(bold)
        painter.setPen(QColor(status_ink(theme, self._verdict.shown)))
        right = rect.width() - x - metrics.horizontalAdvance(symbol)
        painter.drawText(rect.adjusted(right, 0, 0, 0), align, symbol)

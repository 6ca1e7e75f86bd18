"""The waterfall on screen: the exported display list, with pointer and keyboard on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontInfo,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from workbench.charts.display import DisplayList, HitRegion
from workbench.charts.waterfall import Waterfall, describe, waterfall
from workbench.export.raster import QtMeasure, paint
from workbench.gui.compare.whys import step_why
from workbench.gui.drawn_chart import DrawnChart
from workbench.gui.labels import theme_of
from workbench.gui.language import follow_language
from workbench.gui.tr import chart_label, translate
from workbench.gui.why import Why, add_why, ask
from workbench.spec.units import ByteUnit


class WaterfallView(DrawnChart):
    """Arrows walk the steps, pointing reads one, Ctrl+click or Alt+Enter asks why."""

    described = Signal(object)
    """What is under the pointer or the keyboard, in words; empty for nothing."""
    copying = Signal()
    exporting = Signal()
    cursor_moved = Signal(object)
    """Where the keyboard is, to be kept in sight."""

    def __init__(self, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measure = measure
        self._chart: Waterfall | None = None
        self._unit: ByteUnit = "auto"
        self._hovered = ""
        self._cursor = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Compare", "What moved the answer"))
        self._redraw()

    # What is drawn

    def show_chart(self, chart: Waterfall | None, unit: ByteUnit) -> None:
        """Show another chart, or nothing."""
        if (chart, unit) != (self._chart, self._unit):
            self._chart, self._unit = chart, unit
            self._redraw()

    def _redraw(self) -> None:
        self._list = None
        shown = self.display_list()
        parts = {region.key.part for region in shown.hits}
        self._cursor = self._cursor if self._cursor in parts else ""
        self._hovered = self._hovered if self._hovered in parts else ""
        self.setFixedHeight(max(1, round(shown.height)))
        self._tell()
        self.update()

    def display_list(self) -> DisplayList:
        """Return what is painted now."""
        if self._list is None:
            self._list = self.drawn(max(1, self.width()), padding=0.0)
        return self._list

    def drawn(self, width: float, *, title: str = "", padding: float | None = None) -> DisplayList:
        """Return the chart at a width, as it is painted or exported."""
        theme = theme_of(self)
        if self._chart is None:
            return DisplayList(width, 1.0, theme.surface, ())
        return waterfall(
            self._chart,
            width=width,
            theme=theme,
            measure=self._measure,
            unit=self._unit,
            labels=chart_label,
            text_px=float(QFontInfo(self.font()).pixelSize()),
            title=title,
            padding=padding,
        )

    def sizeHint(self) -> QSize:
        """As wide as it may be, as high as the steps take."""
        return QSize(self.fontMetrics().height() * 40, round(self.display_list().height))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chart and a frame round the line that is pointed at."""
        painter = QPainter(self)
        paint(self.display_list(), painter, self._measure)
        theme = theme_of(self)
        marked = self._cursor if self.hasFocus() else ""
        for part, colour, thick in (
            (self._hovered, theme.line, 1.0),
            (marked, theme.accent, 1.5),
        ):
            region = self._region(part)
            if region is not None:
                painter.setPen(QPen(QColor(colour), thick))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(*region.box).adjusted(0.5, 0.5, -1.0, -0.5))
        if self.hasFocus() and not marked:
            painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DotLine))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    # Pointer and keyboard

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the line under the pointer."""
        self._hover(self._part_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Read nothing under the pointer."""
        super().leaveEvent(event)
        self._hover("")

    def _hover(self, part: str) -> None:
        if part != self._hovered:
            self._hovered = part
            self._tell()
            self.update()

    def _part_at(self, at: QPoint) -> str:
        key = self.display_list().hit(at.x(), at.y())
        return "" if key is None else key.part

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line that is clicked; with Ctrl ask why."""
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        part = self._part_at(event.position().toPoint())
        if part:
            self._cursor = part
            self._tell()
            self.update()
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                ask(self, self.why_of_part(part))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the lines; Enter asks why."""
        key = Qt.Key(event.key())
        moves = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -10_000,
            Qt.Key.Key_End: 10_000,
        }
        if key in moves:
            self._walk(moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            ask(self, self.why_of_part(self._cursor))
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copying.emit()
        else:
            super().keyPressEvent(event)

    def _walk(self, by: int) -> None:
        hits = self.display_list().hits
        if not hits:
            return
        parts = [region.key.part for region in hits]
        here = parts.index(self._cursor) + by if self._cursor in parts else 0
        region = hits[min(max(here, 0), len(hits) - 1)]
        self._cursor, self._hovered = region.key.part, ""
        self._tell()
        self.update()
        self.cursor_moved.emit(QRectF(*region.box).toRect())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Read where the keyboard is."""
        super().focusInEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Read nothing more of the keyboard's line."""
        super().focusOutEvent(event)
        self._tell()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the reason of a line, and the ways out of the whole chart."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        part = self._cursor if by_key else self._part_at(event.pos())
        if self._chart is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        why = self.why_of_part(part)
        if why is not None:
            add_why(menu, self, why)
            menu.addSeparator()
        copy = menu.addAction(translate("Export", "Copy chart"))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copying)
        menu.addAction(translate("Export", "Export…")).triggered.connect(self.exporting)
        menu.popup(event.globalPos())

    def asked_why(self) -> Why | None:
        """Return what the line under the cursor answers."""
        return self.why_of_part(self._cursor)

    def shown_why(self) -> Why | None:
        """Return what the line answers that is read out now."""
        return self.why_of_part(self._hovered or self._cursor)

    def why_of_part(self, part: str) -> Why | None:
        """Return what a line answers."""
        return None if self._chart is None or not part else step_why(self._chart, part)

    def _region(self, part: str) -> HitRegion | None:
        return next((r for r in self.display_list().hits if r.key.part == part), None)

    def _tell(self) -> None:
        part = self._hovered or (self._cursor if self.hasFocus() else "")
        text = self.text_of(part)
        self.described.emit(text)
        description = text or self.display_list().summary
        if description != self.accessibleDescription():
            self.setAccessibleDescription(description)
            if text and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def text_of(self, part: str) -> str:
        """Say one line of the chart in words."""
        if self._chart is None or not part:
            return ""
        return describe(self._chart, part, unit=self._unit, labels=chart_label)

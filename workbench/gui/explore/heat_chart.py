"""The heat map as a widget: plot, axes, pointer, keyboard cursor, and what it says in words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
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
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.charts.display import Box, DisplayList
from workbench.charts.map_axes import Grid, axis_items
from workbench.charts.map_text import axis_texts
from workbench.charts.parts import Style
from workbench.export.raster import QtMeasure, paint
from workbench.gui.chart_role import be_chart
from workbench.gui.explore.map_model import MapModel, Place
from workbench.gui.explore.map_plot import MapPlot
from workbench.gui.labels import theme_of
from workbench.gui.later import BeforePaint
from workbench.spec.fields import FIELDS, Value

_MOVES: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
    Qt.Key.Key_Home: (-10_000, 0),
    Qt.Key.Key_End: (10_000, 0),
    Qt.Key.Key_PageUp: (0, 10_000),
    Qt.Key.Key_PageDown: (0, -10_000),
}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FAR: Final = 10
_SOFT: Final = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""Focus lost for these reasons comes back: nothing has been left."""


class HeatChart(QWidget):
    """Arrows move the cursor, Enter tries a cell, Ctrl+Enter or Enter again takes it."""

    pointed = Signal(object)
    """The cell under the pointer or the keyboard, or None."""
    tried = Signal(object)
    taken = Signal(object)
    """A cell to try, and one to take."""
    left = Signal()
    """The keyboard has gone elsewhere."""
    escaped = Signal()
    menu_wanted = Signal(object)
    copy_wanted = Signal()

    def __init__(self, model: MapModel, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._measure = measure
        self._hovered: Place | None = None
        self.cursor_place: Place | None = None
        self.pressed: tuple[Value, Value] | None = None
        """The values of the cell last clicked, None after a click that met no cell."""
        self._around: DisplayList | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        be_chart(self)
        self.plot = MapPlot(measure, self)
        self._over = _Outlines(self)
        self._resized = BeforePaint(self.redraw, self)
        model.changed.connect(self.redraw)

    # What is drawn

    def _style(self) -> Style:
        em = float(QFontInfo(self.font()).pixelSize())
        return Style(theme_of(self), self._measure, "auto", em)

    def redraw(self) -> None:
        """Show the model; nothing happens while nobody sees it."""
        surface = self._model.surface
        if surface is None or not self.isVisible():
            return
        style = self._style()
        columns, rows = surface.status.shape
        x_texts, y_texts = axis_texts(surface.x), axis_texts(surface.y)
        left = max(style.width(text, style.small) for text in y_texts) + style.em
        below = style.line(style.small) + style.em * 0.4
        area = Box(round(left), 2, self.width() - round(left) - 2, self.height() - round(below) - 2)
        if area.width < columns or area.height < rows:
            return
        self.plot.setGeometry(*(round(number) for number in area))
        colours = self._model.shades(surface, style.theme)
        self.plot.show_map(surface, colours, self._model.marks, self._model.measure, style)
        grid = Grid(area, columns, rows)
        around = [
            *axis_items(x_texts, grid, style, across=True, marks=self._model.marks),
            *axis_items(y_texts, grid, style, across=False, marks=self._model.marks),
        ]
        self._around = DisplayList(self.width(), self.height(), style.theme.surface, tuple(around))
        self._over.setGeometry(self.rect())
        self._keep_inside(columns, rows)
        self._point()
        self.update()

    def _keep_inside(self, columns: int, rows: int) -> None:
        for name in ("_hovered", "cursor_place"):
            place = getattr(self, name)
            if place is not None and not (place[0] < columns and place[1] < rows):
                setattr(self, name, None)

    def _point(self) -> None:
        self.plot.point(self.place)
        self._over.update()

    @property
    def place(self) -> Place | None:
        """The cell that is pointed at: by the pointer, else by the keyboard."""
        if self._hovered is not None:
            return self._hovered
        return self.cursor_place if self.hasFocus() else None

    def area_of(self, place: Place) -> QRectF:
        """Return where a cell is in this widget."""
        return self.plot.area_of(place).translated(QPointF(self.plot.pos()))

    def sizeHint(self) -> QSize:
        em = self.fontMetrics().height()
        return QSize(em * 30, em * 18)

    def minimumSizeHint(self) -> QSize:
        em = self.fontMetrics().height()
        return QSize(em * 12, em * 7)

    def outlined(self) -> tuple[tuple[Place | None, str, Qt.PenStyle], ...]:
        """Return the cells with an outline: what is pointed at, and what is being tried."""
        theme = theme_of(self)
        return (
            (self.place, theme.text, Qt.PenStyle.SolidLine),
            (self._model.tried, theme.accent, Qt.PenStyle.DashLine),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the values of the axes, and the ring while the keyboard is here."""
        painter = QPainter(self)
        if self._around is not None:
            paint(self._around, painter, self._measure)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme_of(self).accent), 2.0))
            area = QRectF(self.plot.geometry()).adjusted(-1, -1, 1, 1)
            painter.drawRect(area)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized.ask()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and font."""
        super().changeEvent(event)
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in kinds:
            self.redraw()

    # Pointer

    def _at(self, event: QMouseEvent) -> Place | None:
        at = event.position() - QPointF(self.plot.pos())
        if not self.plot.rect().contains(at.toPoint()):
            return None
        return self.plot.place_at(at.x(), at.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(event))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, place: Place | None) -> None:
        if place != self._hovered:
            self._hovered = place
            self._point()
            self.pointed.emit(self.place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Try the cell that is clicked."""
        place = self._at(event)
        self.pressed = None
        if event.button() != Qt.MouseButton.LeftButton or place is None:
            super().mousePressEvent(event)
            return
        self._move_to(place)
        self.pressed = self._model.values_at(place)
        self.tried.emit(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the cell of the first click: what it shows above may have moved the map since."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.take_pressed()

    def take_pressed(self) -> None:
        """Take the cell of the last click, where the map still has it."""
        surface, values = self._model.surface, self.pressed
        if surface is None or values is None:
            return
        across, up = surface.x.index(values[0]), surface.y.index(values[1])
        if across is not None and up is not None:
            self.taken.emit((across, up))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, place = Qt.Key(event.key()), self.cursor_place
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in _MOVES and not control:
            self._walk(key, far=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key in _ENTER and place is not None:
            if control or self._model.tried == place:
                self.taken.emit(place)
            else:
                self.tried.emit(place)
        elif key == Qt.Key.Key_Space and place is not None:
            self.tried.emit(place)
        elif key == Qt.Key.Key_Escape and self._model.tried is not None:
            self.escaped.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif key == Qt.Key.Key_Menu:
            self.menu_wanted.emit(self.mapToGlobal(QPoint(0, 0)))
        else:
            super().keyPressEvent(event)

    def _walk(self, key: Qt.Key, *, far: bool) -> None:
        surface = self._model.surface
        if surface is None:
            return
        start = self.cursor_place
        if start is None:
            self._move_to(self._model.cell_of_current() or (0, 0))
            return
        across, up = _MOVES[key]
        columns, rows = surface.status.shape
        x = self._moved(start[0], across, columns, surface.x, far)
        y = self._moved(start[1], up, rows, surface.y, far)
        self._move_to((x, y))

    def _moved(self, place: int, by: int, count: int, axis: object, far: bool) -> int:
        """A step of a cell; a far one to ten times the value, or ten cells on an even axis."""
        if not by or not far or abs(by) > 1:
            return min(max(place + by, 0), count - 1)
        values = axis.values  # type: ignore[attr-defined]
        if not FIELDS[axis.field].log2:  # type: ignore[attr-defined]
            return min(max(place + by * _FAR, 0), count - 1)
        wanted = values[place] * _FAR if by > 0 else values[place] / _FAR
        return min(range(count), key=lambda other: abs(values[other] - wanted))

    def _move_to(self, place: Place) -> None:
        self.cursor_place = place
        self._hovered = None
        self._point()
        self.pointed.emit(place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.cursor_place is None:
            self.cursor_place = self._model.cell_of_current()
        self._point()
        self.update()
        self.pointed.emit(self.place)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point()
        self.update()
        if event.reason() not in _SOFT:
            self.left.emit()

    # Words

    def tell(self, text: str) -> None:
        """Let assistive technology know what is pointed at."""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            if self.hasFocus() and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))


class _Outlines(QWidget):
    """Outlines of cells, above the graphics view."""

    def __init__(self, chart: HeatChart) -> None:
        super().__init__(chart)
        self._chart = chart
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        outlined = [
            (place, ink, dash) for place, ink, dash in self._chart.outlined() if place is not None
        ]
        if not outlined:
            return
        painter = QPainter(self)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place, ink, dash in outlined:
            painter.setPen(QPen(QColor(ink), 2.0, dash))
            painter.drawRect(self._chart.area_of(place).adjusted(0, 0, -1, -1))
        painter.end()

"""What is out of sight can wait: work on a widget is done when it is shown, or bit by bit.

A change of everything in sight is painted in a turn of the loop of its own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from workbench.gui import paint_turn
from workbench.gui.soon import Soon, Turn

_PAUSE_MS: Final = 150
"""What is changed again at once need not be done twice out of sight."""
_SLICE_SECONDS: Final = 0.008
_SHOWN_SECONDS: Final = 0.025
"""What has come into sight is waited for: the window is not painted before it is done."""

Work = Callable[[], object]


class PutOff(QObject):
    """Does work at once on widgets in sight; on the others after a pause, or as they are shown.

    What is shown with much to do keeps its window from being painted for a few turns of the loop.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[QWidget, deque[tuple[QWidget, Work]]] = {}
        """By the widget that has to be shown for the work to be seen."""
        self._hiders: dict[QWidget, QWidget] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self._shown: deque[tuple[QWidget, Work]] = deque()
        """Work on what has just come into sight."""
        self._end: float | None = None
        """When this turn's share of it ends, while it is being done."""
        self._next_turn = Soon(self._catch_up, self)
        self._next_slice = Soon(self._go_on, self, Turn.OUT_OF_SIGHT)

    @property
    def busy(self) -> bool:
        """Whether anything still waits."""
        return bool(self._waiting or self._shown)

    def forget(self) -> None:
        """Drop what waits: all of it is about to be asked for anew."""
        self._timer.stop()
        self._next_slice.stop()
        for hider in list(self._waiting):
            self._take(hider)
        self._hiders.clear()
        self._shown.clear()
        self._catch_up()

    def do(self, widget: QWidget, work: Work) -> None:
        """Do some work on a widget, now if it is in sight."""
        if widget.isVisible():
            if self._end is None:
                work()
            else:
                # Part of what is being done: the turn may be over before it.
                self._shown.append((widget, work))
            return
        hider = self._hider_of(widget)
        waiting = self._waiting.get(hider)
        if waiting is None:
            waiting = self._waiting[hider] = deque()
            hider.installEventFilter(self)
        waiting.append((widget, work))
        if not self._timer.isActive() and not self._next_slice.waits:
            self._timer.start(_PAUSE_MS)

    def finish(self) -> None:
        """Do now what waits."""
        while self._shown:
            self._catch_up()
        while self._waiting:
            self._go_on()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass; what is shown must not be seen as it was."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            if paint_turn.hold(watched.window(), self):
                self._shown.extend(self._take(watched))
                self._next_turn.ask()
            else:
                for widget, work in self._take(watched):
                    if Shiboken.isValid(widget):
                        work()
        return False

    def _catch_up(self) -> None:
        """Work on what has come into sight; when all is done its window is painted."""
        end = self._end = time.perf_counter() + _SHOWN_SECONDS
        try:
            while self._shown and time.perf_counter() < end:
                widget, work = self._shown.popleft()
                if Shiboken.isValid(widget):
                    work()
        finally:
            # Work that fails must not keep the window from being painted: it says what failed.
            self._end = None
            if self._shown:
                self._next_turn.ask()
            else:
                self._next_turn.stop()
                paint_turn.release(self)

    def _hider_of(self, widget: QWidget) -> QWidget:
        """The nearest of a widget and those round it that is hidden itself."""
        found = self._hiders.get(widget)
        if found is None:
            around = None if widget.isHidden() or widget.isWindow() else widget.parentWidget()
            found = self._hiders[widget] = widget if around is None else self._hider_of(around)
        return found

    def _take(self, hider: QWidget) -> deque[tuple[QWidget, Work]]:
        if Shiboken.isValid(hider):
            hider.removeEventFilter(self)
        return self._waiting.pop(hider, deque())

    def _go_on(self) -> None:
        """Work for a few milliseconds, then let the window have its turn."""
        end = time.perf_counter() + _SLICE_SECONDS
        while self._waiting and time.perf_counter() < end:
            hider, waiting = next(iter(self._waiting.items()))
            if waiting and Shiboken.isValid(hider):
                widget, work = waiting.popleft()
                if Shiboken.isValid(widget):
                    work()
            else:
                self._take(hider)
        if self._waiting:
            self._next_slice.ask()
        else:
            self._hiders.clear()
            self._timer.stop()
            self._next_slice.stop()


def children_of(widget: QWidget) -> list[QWidget]:
    """Return the widgets right inside another one, windows of their own left out."""
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return [child for child in widget.findChildren(QWidget, options=direct) if not child.isWindow()]


class NextPaint(QObject):
    """Keeps windows as they are painted while all is changed, then paints them in one turn.

    To work out how everything looks takes as long as to paint it: together they are a wait. And
    where each of hundreds of widgets asks for its own part, Qt paints many of them twice.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: list[QWidget] = []
        self._next_turn = Soon(self._release, self, Turn.PAINT)

    def hold(self) -> None:
        """Let nothing in sight be painted until `paint` is asked for."""
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                # Painted meanwhile, a window would be blank where its widgets are held.
                paint_turn.hold(window, self)
                self._hold_inside(window)

    def _hold_inside(self, around: QWidget) -> None:
        # Not windows: one that has missed a request of its own is not painted again.
        for widget in children_of(around):
            if not widget.isVisible():
                continue
            if widget.updatesEnabled():
                # Not `setUpdatesEnabled`: taken back it lets every widget ask for its own part.
                widget.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled)
                self._held.append(widget)
            self._hold_inside(widget)

    def paint(self) -> None:
        """Let everything in sight be painted in the next turn."""
        self._next_turn.ask()

    def _release(self) -> None:
        held, self._held = [widget for widget in self._held if Shiboken.isValid(widget)], []
        for widget in held:
            widget.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)
        for widget in (*QApplication.topLevelWidgets(), *held):
            if _covers(widget):
                widget.update()
        paint_turn.release(self)


def _covers(widget: QWidget) -> bool:
    """Whether nothing shows through a widget: it is left out where those round it are painted."""
    opaque = Qt.WidgetAttribute.WA_OpaquePaintEvent
    return widget.isWindow() or widget.autoFillBackground() or widget.testAttribute(opaque)

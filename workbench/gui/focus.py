"""Where Tab goes: pane after pane, and in each as it is read, whatever was made first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)
_ON = (Qt.Key.Key_Right, Qt.Key.Key_Down)


def stops(pane: QWidget) -> list[QWidget]:
    """Return what takes the keyboard in a pane, from top to bottom and left to right."""
    window = pane.window()
    found = [
        widget
        for widget in pane.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisible()
        and widget.window() is window
        and widget.focusProxy() is None
    ]
    line = max(1, pane.fontMetrics().height())

    def middle(widget: QWidget) -> int:
        # Neighbours of unlike height stand on one line all the same.
        return widget.mapTo(pane, QPoint(0, 0)).y() + min(widget.height(), line * 2) // 2

    rows: list[list[QWidget]] = []
    for widget in sorted(found, key=middle):
        if not rows or middle(widget) - middle(rows[-1][0]) > line // 2:
            rows.append([])
        rows[-1].append(widget)
    return [w for row in rows for w in sorted(row, key=lambda w: w.mapTo(pane, QPoint(0, 0)).x())]


def focus_first(pane: QWidget, *, past: type[QWidget] | None = None) -> bool:
    """Give the keyboard to the first widget of a pane that takes it, past those of a kind."""
    found = [w for w in stops(pane) if past is None or not isinstance(w, past)]
    for widget in found[:1]:
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True
    return False


def step(panes: Sequence[QWidget], here: QWidget | None, *, forward: bool) -> bool:
    """Give the keyboard to what comes next, over the edges of panes and round the window."""
    order = [widget for pane in panes if pane.isVisible() for widget in stops(pane)]
    if here not in order:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    order[(order.index(here) + (1 if forward else -1)) % len(order)].setFocus(reason)
    return True


class Group(QObject):
    """Widgets that are one stop of Tab; arrow keys walk through those that are visible."""

    def __init__(self, widgets: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self._widgets = tuple(widgets)
        for widget in self._widgets:
            widget.installEventFilter(self)
        self._stop_at(self._widgets[0])

    def _stop_at(self, stop: QWidget) -> None:
        for widget in self._widgets:
            policy = Qt.FocusPolicy.StrongFocus if widget is stop else Qt.FocusPolicy.ClickFocus
            widget.setFocusPolicy(policy)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus; take the plain arrow keys."""
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self._stop_at(watched)
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        step = (event.key() in _ON) - (event.key() in _BACK)
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not step:
            return False
        shown = [widget for widget in self._widgets if widget.isVisible()]
        if watched in shown:
            at = min(max(shown.index(watched) + step, 0), len(shown) - 1)
            shown[at].setFocus(Qt.FocusReason.OtherFocusReason)
        return True

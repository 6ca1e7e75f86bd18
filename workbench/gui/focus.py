"""Where Tab goes: pane after pane, and in each as it is read, whatever was made first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


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

    def place(widget: QWidget) -> tuple[int, int]:
        at = widget.mapTo(pane, QPoint(0, 0))
        # Neighbours of unlike height stand on one line all the same.
        middle = at.y() + min(widget.height(), line * 2) // 2
        return middle // line, at.x()

    return sorted(found, key=place)


def focus_first(pane: QWidget) -> bool:
    """Give the keyboard to the first widget of a pane that takes it."""
    for widget in stops(pane)[:1]:
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

"""A window is painted in a turn of the loop of its own.

What an action does, what Qt lays out after it and what is painted would otherwise be one wait,
in which no key and no movement of the pointer is heard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary, WeakSet

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from workbench.gui.soon import Soon, Turn

_LATE: Final = Qt.EventPriority.LowEventPriority.value
"""As Qt asks for it: after all else that was posted."""


class PaintTurn(QObject):
    """Takes a window's requests to be painted to the next turn, before all that is done soon."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.is_now = False
        """Whether the next request is the one that is let through."""
        self.waits = False
        """Whether something is still to be painted."""
        self._holders: set[QObject] = set()
        self._known: WeakSet[QObject] = WeakSet()
        """All that have ever held: it is heard when one of them goes."""
        self._soon = Soon(self._begin, window, Turn.PAINT)
        _paint_turns[window] = self
        window.installEventFilter(self)

    @property
    def is_held(self) -> bool:
        """Whether anybody is still at it who has not gone with its widget."""
        return any(Shiboken.isValid(holder) for holder in self._holders)

    def hold(self, holder: QObject) -> None:
        """Paint nothing until this one is done, or is no more."""
        self._holders.add(holder)
        # A request that is under way is not the one that shows what is being done.
        self.is_now = False
        if holder not in self._known:
            self._known.add(holder)
            holder.destroyed.connect(self._forget_gone)

    def release(self, holder: QObject) -> None:
        """Paint what has changed, unless another one is still at it."""
        if holder in self._holders:
            self._holders.discard(holder)
            if self.waits:
                self._soon.ask()

    def _forget_gone(self) -> None:
        """Paint what one has kept that went hidden: nothing else asks for it."""
        self._holders = {holder for holder in self._holders if Shiboken.isValid(holder)}
        self._soon.ask()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass but a request of the turn in which things change."""
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self.is_now and not self.is_held:
            self.is_now = self.waits = False
            return False
        self.waits = True
        self._soon.ask()
        return True

    def _begin(self) -> None:
        if self.waits and not self.is_held:
            self.is_now = True
            QCoreApplication.postEvent(self._window, QEvent(QEvent.Type.UpdateRequest), _LATE)


_paint_turns: Final[WeakKeyDictionary[QWidget, PaintTurn]] = WeakKeyDictionary()


def hold(window: QWidget, holder: QObject) -> bool:
    """Paint nothing of a window until its holder is done; return whether it can wait."""
    turn = _paint_turns.get(window)
    if turn is not None:
        turn.hold(holder)
    return turn is not None


def release(holder: QObject) -> None:
    """Let the windows be painted that were held."""
    for turn in list(_paint_turns.values()):
        turn.release(holder)


class Refresh(Soon):
    """Brings a widget up to date soon; where it is asked to, before anything is painted."""

    def __init__(self, do: Callable[[], object], parent: QWidget, turn: Turn = Turn.TAB) -> None:
        super().__init__(self._refresh, parent, turn)
        self._widget = parent
        self._do = do

    def ask_unseen(self, _: object = None) -> None:
        """Do it before what is in sight is painted: soon, or at once where no paint can wait."""
        if not self._widget.isVisible() or hold(self._widget.window(), self):
            self.ask()
        else:
            self._do()

    def stop(self) -> None:
        """Do it no more until it is asked for again, and keep nothing unpainted for it."""
        super().stop()
        release(self)

    def _refresh(self) -> None:
        try:
            self._do()
        finally:
            # What fails must not keep the window from being painted: it says what failed.
            if not self.waits:
                release(self)

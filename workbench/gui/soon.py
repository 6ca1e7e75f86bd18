"""What follows an edit: the answer is painted first, then piece by piece what explains it.

One piece a turn of the loop, in the order in which it is looked at, so that the next key or
movement of the pointer waits for one of them at most. Timers of their own would all have their
turn together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

_LONGEST_WAIT_SECONDS: Final = 0.1
"""A slider that is dragged asks for everything again and again: who has waited so long has every
second turn, and what is dragged need not stand still for it."""


class Turn(IntEnum):
    """Whose turn it is after an edit: what is looked at first comes first."""

    PAINT = 0
    TAB = 1
    READ_OUT = 2
    FIGURES = 3
    FORM = 4
    WHY = 5
    FINDINGS = 6
    STATUS = 7
    COUNTS = 8
    SEARCH = 9
    OUT_OF_SIGHT = 10


class Soon(QObject):
    """Does something in a turn of its own, once for all that ask until then."""

    due = Signal()

    def __init__(self, do: Callable[[], object], parent: QObject, turn: Turn = Turn.TAB) -> None:
        super().__init__(parent)
        self.turn = turn
        self.due.connect(do)

    @property
    def waits(self) -> bool:
        """Whether it has been asked for and not done."""
        return _turns.has(self)

    def ask(self, _: object = None) -> None:
        """Do it soon."""
        _turns.add(self)

    def stop(self) -> None:
        """Do it no more until it is asked for again."""
        _turns.drop(self)

    def finish(self) -> None:
        """Do it now if it waits."""
        if _turns.drop(self):
            self.due.emit()


class _Turns(QObject):
    """All that waits, in any window."""

    def __init__(self) -> None:
        super().__init__()
        self._since: dict[Soon, float] = {}
        """When each piece was first asked for."""
        self._timer: QTimer | None = None
        self._is_asked_outside = False
        """Whether an action has asked: the keys that came meanwhile are heard before a piece."""
        self._is_at_work = self._has_passed = False
        self._was_late = False
        """Whether the turn before was that of one who had waited long."""

    def add(self, piece: Soon) -> None:
        self._since.setdefault(piece, time.perf_counter())
        if self._timer is None:
            # Not before there is an application.
            self._timer = QTimer(self)
            self._timer.setSingleShot(True)
            self._timer.setInterval(0)
            self._timer.timeout.connect(self._have_turn)
        self._is_asked_outside = self._is_asked_outside or not self._is_at_work
        if not self._timer.isActive():
            self._timer.start()

    def has(self, piece: Soon) -> bool:
        return piece in self._since

    def drop(self, piece: Soon) -> bool:
        """Let a piece wait no longer; return whether it did."""
        return self._since.pop(piece, None) is not None

    def _have_turn(self) -> None:
        # Not two turns in a row: keys that never end must not keep everything from being done.
        self._has_passed = self._is_asked_outside and not self._has_passed
        self._is_asked_outside = False
        if self._has_passed and self._timer is not None:
            self._timer.start()
        else:
            self.go_on()

    def go_on(self) -> None:
        """Do the next piece, if any."""
        for gone in [piece for piece in self._since if not Shiboken.isValid(piece)]:
            del self._since[gone]
        if len(self._since) > 1 and self._timer is not None:
            self._timer.start()
        if self._since:
            piece = self._next()
            self.drop(piece)
            around, self._is_at_work = self._is_at_work, True
            try:
                piece.due.emit()
            finally:
                self._is_at_work = around

    def _next(self) -> Soon:
        oldest = min(self._since, key=self._since.__getitem__)
        waited = time.perf_counter() - self._since[oldest]
        self._was_late = waited >= _LONGEST_WAIT_SECONDS and not self._was_late
        return oldest if self._was_late else min(self._since, key=_place_of)

    def finish(self) -> None:
        while self._since:
            self.go_on()


def _place_of(piece: Soon) -> tuple[bool, Turn]:
    """What is in sight comes first; what is only looked for comes last, whoever asks."""
    around = piece.parent()
    is_hidden = isinstance(around, QWidget) and not around.isVisible()
    return is_hidden or piece.turn >= Turn.SEARCH, piece.turn


_turns: Final = _Turns()


def finish() -> None:
    """Do now all that waits."""
    _turns.finish()

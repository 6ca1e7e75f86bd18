"""Gaps of the event loop: how long the window could not answer, and what it was doing.

A short timer ticks in the loop; whatever keeps it from ticking also keeps keys and repaints
waiting. Busy neighbours lengthen the clock's gaps, not those of the thread's own computing time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Self

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

TICK_MS = 2


@dataclass(frozen=True)
class Gap:
    """One stretch without a tick."""

    clock_ms: float
    busy_ms: float
    """Computing time of the GUI thread in it."""
    doing: str
    """What was said to be going on when it began."""


class LoopWatch(QObject):
    """Watches between `with` and its end; `doing` names what follows, for the report."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[Gap] = []
        self.doing = ""
        self._began = ""
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._clock = QElapsedTimer()
        self._busy = 0.0

    def __enter__(self) -> Self:
        self._restart()
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        # What is still under way counts as well.
        self._tick()
        self._timer.stop()

    def turn(self, doing: str = "") -> None:
        """Let the loop take one turn, after which a new gap begins under this name."""
        QApplication.processEvents()
        self.begin(doing)

    def begin(self, doing: str) -> None:
        """End a gap here; the next one has this name."""
        self.doing = doing
        self._tick()

    def longest(self) -> Gap:
        """Return the gap with the most computing time."""
        return max(self.gaps, key=lambda gap: gap.busy_ms, default=Gap(0.0, 0.0, ""))

    def _tick(self) -> None:
        clock = self._clock.nsecsElapsed() / 1e6
        busy = (time.thread_time() - self._busy) * 1e3
        self.gaps.append(Gap(clock, busy, self._began))
        self._restart()

    def _restart(self) -> None:
        self._began = self.doing
        self._busy = time.thread_time()
        self._clock.start()

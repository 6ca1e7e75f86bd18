"""What can wait until the window has been painted: the answer is there sooner."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class AfterPaint(QObject):
    """Does some steps once a widget has been painted, each in a turn of the loop of its own."""

    def __init__(self, widget: QWidget, *steps: Callable[[], object]) -> None:
        super().__init__(widget)
        # The first turn belongs to the window system: it shows what was painted.
        self._steps = [lambda: None, *steps]
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._timer.start(0)
        return False

    def finish(self) -> None:
        """Do now what is left."""
        while self._steps:
            self._go_on()

    def _go_on(self) -> None:
        if self._steps:
            self._steps.pop(0)()
        if not self._steps:
            self._timer.stop()

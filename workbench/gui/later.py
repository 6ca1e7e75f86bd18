"""What can wait until the window has been painted, or until just before it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

_DUE: Final = QEvent.Type(QEvent.registerEventType())


class BeforePaint(QObject):
    """Does something once before the next paint, however often it is asked for until then.

    A window that shows or hides a part of itself gives those inside several sizes in a row.
    """

    _due = Signal()

    def __init__(self, do: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._asked = False
        self._due.connect(do)

    def ask(self) -> None:
        """Do it before the next paint."""
        if not self._asked:
            self._asked = True
            # What is posted comes before requests to paint.
            QCoreApplication.postEvent(self, QEvent(_DUE))

    def customEvent(self, event: QEvent) -> None:
        """Do it."""
        self._asked = False
        self._due.emit()


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

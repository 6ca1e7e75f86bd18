"""What follows an edit: the answer is painted first, then what explains it is worked out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget


class Soon(QTimer):
    """Does something in the next turn of the loop, once for all that ask until then."""

    def __init__(self, do: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(0)
        self.timeout.connect(do)

    def ask(self, _: object = None) -> None:
        """Do it soon."""
        self.start()

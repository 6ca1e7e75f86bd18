"""Cyclic garbage is looked for among what is new, so that no collection keeps the window waiting.

What is remembered - pages, ledgers, presets - is hundreds of thousands of objects, and a search
through all of them takes up to half a second. Here an object is looked at while it is young and
once when it is older; then it is set aside. Everything is searched while another program has the
keyboard.
"""

from __future__ import annotations

import gc
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_THRESHOLD: Final = (700, 5, 1)
"""Of Python's three generations; the oldest grows to some 10,000 objects, about 10 ms."""
_OLDEST: Final = 2
_AWAY_MS: Final = 2_000


class Collector(QObject):
    """Decides from `begin` to `end` what a collection looks at."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__()
        self._before = gc.get_threshold()
        self._away = QTimer(self)
        self._away.setSingleShot(True)
        self._away.setInterval(_AWAY_MS)
        self._away.timeout.connect(self.collect_all)
        app.applicationStateChanged.connect(self._follow)

    def begin(self) -> None:
        """Set aside what there is, and collect from now on."""
        gc.freeze()
        gc.set_threshold(*_THRESHOLD)
        gc.callbacks.append(_set_aside)
        gc.enable()

    def end(self) -> None:
        """Let Python collect in its own way again."""
        self._away.stop()
        gc.callbacks.remove(_set_aside)
        gc.set_threshold(*self._before)
        gc.unfreeze()

    def collect_all(self) -> None:
        """Search everything, old and new."""
        gc.unfreeze()
        gc.collect()

    def _follow(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._away.stop()
        else:
            self._away.start()


def _set_aside(phase: str, info: dict[str, Any]) -> None:
    """Look no more at what a collection of the oldest generation has left."""
    if phase == "stop" and info["generation"] == _OLDEST:
        gc.freeze()

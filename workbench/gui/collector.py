"""Cyclic garbage is looked for when the window has nothing to do, by its own thread.

Python looks for it in whatever thread happens to make an object. Widgets hang in cycles, and one
that is destroyed in a thread that reads a file takes the program with it: Qt's objects belong to
the thread that made them. So Python's own search is off, and each time the event loop is about to
sleep there is one here, if enough has been made since the last.

What is remembered - pages, ledgers, presets - is hundreds of thousands of objects, and a search
through all of them takes up to half a second. Here an object is looked at while it is young and
once when it is older, never more than some thousands at a time; then it is set aside. Everything
is searched while another program has the keyboard, and memory that is free is given back.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_ENOUGH: Final = 700
"""Objects made since the last search for which it is worth while to search."""
_MOST: Final = 8_000
"""As many are looked through in some 10 ms, 30 on a slow machine."""
_TOO_MANY: Final = 40_000
"""Answers of many scenarios at once: nearly all of them stay, and the wait would be seen."""
_AWAY_MS: Final = 2_000
_making_classes: Final[set[int]] = set()
"""The threads that make classes of Qt's classes."""


@contextmanager
def no_search() -> Iterator[None]:
    """Let nothing be searched while this thread imports what makes classes of Qt's classes.

    A search would look into one that is half made.
    """
    thread = threading.get_ident()
    _making_classes.add(thread)
    try:
        yield
    finally:
        _making_classes.discard(thread)


def may_search() -> bool:
    """Whether no thread makes classes of Qt's classes."""
    return not _making_classes


def _give_back() -> None:
    """Return free memory to the system; glibc keeps what lies below anything still in use."""
    if sys.platform == "linux":
        import ctypes

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


class Collector(QObject):
    """Looks for garbage from `begin` to `end`; no one else does."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__()
        self._automatic = gc.isenabled()
        self._dispatcher: QAbstractEventDispatcher | None = None
        self._older = 0
        """How many objects, at most, have been looked at once."""
        self._away = QTimer(self)
        self._away.setSingleShot(True)
        self._away.setInterval(_AWAY_MS)
        self._away.timeout.connect(self.collect_all)
        app.applicationStateChanged.connect(self._follow)

    def begin(self) -> None:
        """Set aside what there is, and look at what comes from now on."""
        gc.disable()
        gc.freeze()
        self._dispatcher = QAbstractEventDispatcher.instance()
        self._dispatcher.aboutToBlock.connect(self.look)

    def end(self) -> None:
        """Let Python collect in its own way again."""
        self._away.stop()
        if self._dispatcher is not None:
            self._dispatcher.aboutToBlock.disconnect(self.look)
            self._dispatcher = None
        gc.unfreeze()
        if self._automatic:
            gc.enable()

    def look(self) -> None:
        """Search what is new, and now and then what has been looked at once."""
        # Not `get_objects`: whatever a thread is making just then must not be referred to.
        young = gc.get_count()[0]
        if young <= _ENOUGH or not may_search():
            return
        if young > _TOO_MANY:
            gc.freeze()
            self._older = 0
        elif young > _MOST:
            # Too many to be looked at twice.
            gc.collect(0)
            gc.freeze()
            self._older = 0
        elif self._older + young > _MOST:
            # What this leaves is looked at no more.
            gc.collect(1)
            self._older = 0
        else:
            gc.collect(0)
            self._older += young

    def collect_all(self) -> None:
        """Search everything, old and new; a moment later if nothing may be searched now."""
        if not may_search():
            self._away.start()
            return
        gc.unfreeze()
        gc.collect()
        self._older = 0
        _give_back()

    def _follow(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._away.stop()
        else:
            self._away.start()

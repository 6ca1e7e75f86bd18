"""Cyclic garbage is looked for when the window has nothing to do, by its own thread.

Python looks for it in whatever thread happens to make an object. Widgets hang in cycles, and one
that is destroyed in a thread that reads a file takes the program with it: Qt's objects belong to
the thread that made them. So Python's own search is off, and each time the event loop is about to
sleep there is one here, if enough has been made since the last.

What is remembered - pages, ledgers, presets - is hundreds of thousands of objects, and a search
through all of them takes up to half a second. Here an object is looked at while it is young and
once when it is older; then it is set aside. Everything is searched while another program has the
keyboard.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_DUE: Final = (700, 5, 1)
"""Per generation: objects made since the last search, searches of the next younger since then.

The oldest grows to some 10,000 objects, about 10 ms.
"""
_OLDEST: Final = 2
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


class Collector(QObject):
    """Looks for garbage from `begin` to `end`; no one else does."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__()
        self._automatic = gc.isenabled()
        self._dispatcher: QAbstractEventDispatcher | None = None
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
        """Search as old a generation as is due, if any is."""
        generation = due_generation(_DUE)
        if generation is None or not may_search():
            return
        gc.collect(generation)
        if generation == _OLDEST:
            # What this search has left is looked at no more.
            gc.freeze()

    def collect_all(self) -> None:
        """Search everything, old and new; a moment later if nothing may be searched now."""
        if not may_search():
            self._away.start()
            return
        gc.unfreeze()
        gc.collect()

    def _follow(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._away.stop()
        else:
            self._away.start()


def due_generation(due: tuple[int, int, int]) -> int | None:
    """Return the oldest generation that has more waiting than `due`, all younger ones having too.

    None when too few objects have been made since the last search.
    """
    found = None
    for generation, (count, most) in enumerate(zip(gc.get_count(), due, strict=True)):
        if count <= most:
            break
        found = generation
    return found

"""pyqtgraph is imported once, in a thread of its own: it takes half a second.

The window stays alive meanwhile; Python hands the interpreter round every few milliseconds.
It asks for every name of Qt, and PySide makes a class when its name is first asked for. That is
not safe beside a running window, so the classes are made here, a few in each turn of the loop.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from workbench.gui.collector import no_search

# What the first view to explore needs; everything heavy comes with it.
_MODULE: Final = "workbench.gui.explore.heat_body"
_TURN_S: Final = 0.008

_names: Iterator[tuple[object, str]] = (
    (module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module)
)
_thread: threading.Thread | None = None
_failure: Exception | None = None


def begin() -> None:
    """Do a turn of what comes before the import, or start it, once in the life of the program."""
    global _thread
    if _thread is not None:
        return
    end = time.perf_counter() + _TURN_S
    for module, name in _names:
        getattr(module, name, None)
        if time.perf_counter() > end:
            return
    # pyqtgraph takes the first Qt binding it finds unless it is told.
    os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
    _thread = threading.Thread(target=_load, name="pyqtgraph")
    _thread.start()


def _load() -> None:
    global _failure
    try:
        with no_search():
            import_module(_MODULE)
    except ImportError as error:
        _failure = error


def ended() -> bool:
    """Whether the import has ended, well or not."""
    return _thread is not None and not _thread.is_alive()


def failure() -> Exception | None:
    """Return why there is nothing to explore with, None when there is."""
    return _failure

"""pyqtgraph is imported once, in a thread of its own: it takes half a second.

The window stays alive meanwhile; Python hands the interpreter round every few milliseconds.
"""

from __future__ import annotations

import os
import threading
from importlib import import_module
from typing import Final

# What the first view to explore needs; everything heavy comes with it.
_MODULE: Final = "workbench.gui.explore.heat_body"

_thread: threading.Thread | None = None
_failure: Exception | None = None


def begin() -> None:
    """Start the import, once in the life of the program."""
    global _thread
    if _thread is None:
        # pyqtgraph takes the first Qt binding it finds unless it is told.
        os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
        _thread = threading.Thread(target=_load, name="pyqtgraph")
        _thread.start()


def _load() -> None:
    global _failure
    try:
        import_module(_MODULE)
    except ImportError as error:
        _failure = error


def ended() -> bool:
    """Whether the import has ended, well or not."""
    return _thread is not None and not _thread.is_alive()


def failure() -> Exception | None:
    """Return why there is nothing to explore with, None when there is."""
    return _failure

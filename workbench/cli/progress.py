"""How far long work is, on a line of the terminal that goes when the work is done."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, TextIO

PATIENCE_SECONDS: Final = 2.0
"""Work that is shorter says nothing."""
_BETWEEN_SECONDS: Final = 0.2
_CLEAR_LINE: Final = "\r\x1b[K"


class Meter:
    """Called with how many of how many parts are done; a pipe or a file is told nothing."""

    def __init__(
        self,
        name: str,
        stream: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._stream = sys.stderr if stream is None else stream
        self._now = now
        self._next = now() + PATIENCE_SECONDS
        self._shown = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._print("")

    def __call__(self, done: int, total: int) -> None:
        """Show the share that is done, now and then."""
        if self._now() < self._next or self._stream is None or not self._stream.isatty():
            return
        self._next = self._now() + _BETWEEN_SECONDS
        self._shown = True
        self._print(f"{self._name}: {done * 100 // max(1, total)} %")

    def _print(self, text: str) -> None:
        # A line that wraps could not be taken back.
        wide = shutil.get_terminal_size().columns - 1
        # A terminal that has gone is no reason to give the file up.
        with suppress(OSError):
            self._stream.write(f"{_CLEAR_LINE}{text[:wide]}")
            self._stream.flush()

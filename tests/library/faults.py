"""A stand-in for the module `os` that fails, stops or records at a chosen call."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from workbench.library import jsonfile, recovery, save

CALLS = frozenset(
    {
        "open", "write", "fsync", "close", "replace", "unlink", "stat", "lstat", "fstat",
        "readlink", "fchmod", "fchown", "read", "scandir", "access", "mkdir",
    }
)  # fmt: skip
MODULES = (save, recovery, jsonfile)
ERRORS = ("ENOSPC", "EDQUOT", "EIO", "EROFS", "EACCES", "EXDEV")


class FaultyOs:
    """Passes calls on to `os`; from the n-th on (or only at it) does something else.

    `fault` gets the name of the call and the call itself, and returns its result or raises.
    """

    def __init__(
        self, at: int, fault: Callable[[str, Callable[[], Any]], Any], *, from_here_on: bool = False
    ) -> None:
        self.at = at
        self.fault = fault
        self.from_here_on = from_here_on
        self.calls: list[str] = []
        self.hit: list[str] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            number = len(self.calls)
            if number == self.at or (self.from_here_on and number > self.at):
                self.hit.append(name)
                if name == "write":
                    self.rest = args
                return self.fault(name, lambda: real(*args, **kwargs))
            return real(*args, **kwargs)

        return call


@contextmanager
def installed(faulty: FaultyOs) -> Iterator[FaultyOs]:
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "os", faulty)
        yield faulty


def failing(code: str) -> Callable[[str, Callable[[], Any]], Any]:
    number = getattr(errno, code)

    def fault(name: str, real: Callable[[], Any]) -> Any:
        if name == "close":
            real()  # A failing close frees the descriptor all the same.
        if name == "access":
            return False
        raise OSError(number, os.strerror(number))

    return fault


def killed(name: str, real: Callable[[], Any]) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_after(name: str, real: Callable[[], Any]) -> Any:
    real()
    os.kill(os.getpid(), signal.SIGKILL)


def stopped(name: str, real: Callable[[], Any]) -> Any:
    os._exit(9)


class ShortWrites(FaultyOs):
    """Writes at most half of what is asked for, as a full or busy disk may."""

    def __init__(self, at: int, *, from_here_on: bool = False) -> None:
        super().__init__(at, self._short, from_here_on=from_here_on)

    def _short(self, name: str, real: Callable[[], Any]) -> Any:
        if name != "write":
            return real()
        descriptor, data = self.rest
        return os.write(descriptor, bytes(data)[: max(1, len(data) // 2)])


def in_child(work: Callable[[], None]) -> int:
    """Run something in a forked child and return its wait status."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(process, 0)[1]

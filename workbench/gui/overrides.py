"""Faults inside Qt's overridden functions, on Pythons that would end the program for them.

Before Python 3.12 a fault that C code raises (`1 / 0`, `int("x")`, whatever numpy refuses) is no
exception object until Python code catches it. PySide6 (6.11.3) takes it for one where an
override lets it out while Python waits for the caller: the program ends without a word.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, Final

_SHORT_NAMES: Final = frozenset({"data", "event", "flags", "index", "paint", "redo", "undo"})
"""Functions of Qt that are overridden here and have no capital letter in their names."""


def guard_overrides() -> None:
    """Let every override in a class made from now on catch its faults and raise them again."""
    if sys.version_info >= (3, 12):
        return
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QUndoCommand

    for base in (QObject, QUndoCommand):
        base.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment,method-assign]


def _guard(cls: type, /, **_: Any) -> None:
    for name, member in list(vars(cls).items()):
        is_of_qt = name in _SHORT_NAMES or (name[0].islower() and name.lower() != name)
        if is_of_qt and isinstance(member, FunctionType) and _is_override(cls, name):
            setattr(cls, name, _caught(member))


def _is_override(cls: type, name: str) -> bool:
    return any(
        base.__module__.startswith("PySide6.") and hasattr(base, name) for base in cls.__mro__
    )


def _caught(override: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(override)
    def caught(*args: Any, **named: Any) -> Any:
        try:
            return override(*args, **named)
        except BaseException:
            # Being caught makes it an exception object.
            raise

    return caught

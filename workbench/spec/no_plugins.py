"""Pydantic without plug-ins: none should run in the program.

A variable of the environment can say so too, but the module that would look for them is imported
all the same, and with it e-mail, archives and sockets of the standard library.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Final

_LOADER: Final = "pydantic.plugin._loader"


def refuse_plugins() -> None:
    """Let pydantic find no plug-in; to be called before the first type is made."""
    if _LOADER not in sys.modules:
        sys.modules[_LOADER] = loader = ModuleType(_LOADER)
        loader.get_plugins = tuple  # type: ignore[attr-defined]

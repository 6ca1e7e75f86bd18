"""Refuses network sockets: one audit hook, for the tests and for the programs they start."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

# AF_UNIX (1 wherever it exists) stays on the machine: asyncio and multiprocessing talk to
# themselves with it. -1 means "whatever the file descriptor is"; using it is checked again.
_LOCAL_FAMILIES = frozenset({-1, 1})
_LOOKUPS = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "socket.getnameinfo"}
)
_ON_A_SOCKET = frozenset({"socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"})


class NetworkRefusedError(RuntimeError):
    """Raised inside the call that would have used the network."""


def _network_use(event: str, args: tuple[Any, ...]) -> str | None:
    if event in _LOOKUPS:
        return f"{event}{args!r}"
    if event in _ON_A_SOCKET:
        sock, address = args[0], args[-1]
        return None if sock.family in _LOCAL_FAMILIES else f"{event}({address!r})"
    if event == "socket.__new__" and args[1] not in _LOCAL_FAMILIES:
        return f"{event}(family={args[1]!r})"
    return None


def install(report: Callable[[str], None]) -> None:
    """Refuse every network use from now on (a hook cannot be taken out) and report each one."""

    def refuse(event: str, args: tuple[Any, ...]) -> None:
        # Called for every import, open and compile, so the common case must be one comparison.
        if event.startswith("socket.") and (use := _network_use(event, args)):
            report(use)
            raise NetworkRefusedError(f"network use refused: {use}")

    sys.addaudithook(refuse)

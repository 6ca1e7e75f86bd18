"""Where a fault of a JSON text as a whole stands; asked for only of a text that has one."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from workbench.spec.quoting import place


@cache
def _token() -> re.Pattern[bytes]:
    """A text, closed or not, or a bracket outside of texts; nothing is tried twice."""
    return re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"?|[\[\]{}]', re.DOTALL)


def too_deep(data: bytes, most_levels: int) -> dict[str, object]:
    """Return line and column of the bracket that opens a level too many."""
    depth = 0
    for token in _token().finditer(data):
        start = token.start()
        if data[start] in b"[{":
            depth += 1
            if depth > most_levels:
                return _position(data, start)
        elif data[start] in b"]}":
            depth -= 1
    return _position(data, 0)


def long_text(data: bytes, most_bytes: int) -> dict[str, object]:
    """Return line and column of the first text of more bytes."""
    for token in _token().finditer(data):
        if token.end(1) - token.start(1) > most_bytes:
            return _position(data, token.start())
    return _position(data, 0)


def _position(data: bytes, offset: int) -> dict[str, object]:
    line_start = data.rfind(b"\n", 0, offset) + 1
    return {"line": data.count(b"\n", 0, offset) + 1, "column": offset - line_start + 1}


class _Fault:
    """Stands in a parsed text where something is wrong; `key` leads on to it."""

    def __init__(self, key: str | None = None) -> None:
        self.key = key


def long_number(data: bytes, digits: int) -> str:
    """Return the place of the first number of so many characters.

    Raises `json.JSONDecodeError` for a text that is no JSON.
    """

    def number(text: str) -> object:
        return _Fault() if len(text) >= digits else 0

    return _place_of_fault(json.loads(data, parse_int=number, parse_float=number))


def duplicate_key(data: bytes) -> str:
    """Return the place of a key that an object of this valid JSON text has twice."""

    def pairs(items: list[tuple[str, Any]]) -> object:
        seen: set[str] = set()
        for key, _ in items:
            if key in seen:
                return _Fault(key)
            seen.add(key)
        return dict(items)

    return _place_of_fault(json.loads(data, object_pairs_hook=pairs, parse_int=str))


def _place_of_fault(value: Any) -> str:
    return place(_way(value) or ())


def _way(value: Any) -> list[str | int] | None:
    """Return the steps to the first fault in a parsed value."""
    if isinstance(value, _Fault):
        return [] if value.key is None else [value.key]
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for step, member in members:
        way = _way(member)
        if way is not None:
            return [step, *way]
    return None

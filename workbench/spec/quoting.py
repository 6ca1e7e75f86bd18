"""How a message quotes a file: values as JSON, places as a way through it, all of it bounded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

LONGEST_VALUE: Final = 40
"""Characters of a value, or of a key in a place, that a message repeats."""
LONGEST_PLACE: Final = 160
WHOLE: Final = "/"
"""The place of a file as a whole; a sentence says it in words."""
_MOST_LISTED: Final = 3
_ENDS: Final = (60, 99)
"""Characters of a longer place that are shown of its begin and of its end."""


def quoted(value: Any) -> str:
    """Return a value as short JSON on one line; what an object or a list holds is left out."""
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(shortened(value), ensure_ascii=False)
    return shortened(" ".join(str(value).split()))


def shortened(text: str) -> str:
    """Return a text of at most `LONGEST_VALUE` characters; a cut shows."""
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def place(steps: Iterable[str | int], start: str = "") -> str:
    """Return the way to a value, "scenarios[0].engine.kind"; `WHOLE` without a step."""
    where = start
    for step in steps:
        if isinstance(step, int):
            where += f"[{step}]"
        elif len(step) > LONGEST_VALUE or not step.replace("-", "_").isidentifier():
            where += f"[{quoted(step)}]"
        else:
            where += f".{step}" if where else step
    if len(where) > LONGEST_PLACE:
        begin, end = _ENDS
        where = f"{where[:begin]}…{where[-end:]}"
    return where or WHOLE


def listed(places: Sequence[str]) -> str:
    """Return the first few of several places, "title, notes, …"."""
    more = ("…",) if len(places) > _MOST_LISTED else ()
    return ", ".join((*places[:_MOST_LISTED], *more))

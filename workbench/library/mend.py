"""What files may hold that the types no longer take: put right before they see it, and told.

A rule that became stricter within a schema version stands here, so that files of before open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from workbench.spec.base import ReleaseName
from workbench.spec.quoting import listed, quoted

Told = tuple[str, dict[str, object]]
"""Code and parameters of a note."""

_NAMED: Final = ((), ("model",), ("gpu",), ("precision", "weights"), ("precision", "kv"))
"""Ways to what has a name and an id in a scenario."""
_PLAIN_RELEASE: Final = "1"
_RELEASE: Final = re.compile(get_args(ReleaseName)[1].pattern)
MENDED: Final = frozenset({"blank_names_filled", "releases_replaced"})
"""Codes of the notes."""


def mend_plan(document: dict[str, Any]) -> Iterator[Told]:
    """Put a parsed plan of the current schema right; yield what was done."""
    scenarios = document.get("scenarios")
    names: list[str] = []
    releases: list[str] = []
    for index, scenario in enumerate(scenarios if isinstance(scenarios, list) else ()):
        start = f"scenarios[{index}]"
        for way in _NAMED:
            if name_by_id(_at(scenario, way)):
                names.append(".".join((start, *way, "name")))
        releases += (f"{start}.engine.{told}" for told in _releases(_at(scenario, ("engine",))))
    if names:
        yield "blank_names_filled", {"found": len(names), "where": listed(names)}
    if releases:
        yield "releases_replaced", {"found": len(releases), "where": listed(releases)}


def name_by_id(value: Any) -> bool:
    """Call by its id what has a name that nobody can see; return whether it has one."""
    if not isinstance(value, dict):
        return False
    name, own_id = value.get("name"), value.get("id")
    blank = isinstance(name, str) and name != "" and not name.strip()
    if blank and isinstance(own_id, str):
        value["name"] = own_id
        return True
    return False


def _releases(engine: Any) -> Iterator[str]:
    """Replace texts that name no release of the engine; any text was once taken for one."""
    rules = _at(engine, ("rules",))
    own, read = _at(engine, ("release",)), _at(rules, ("read_release",))
    if _at(engine, ("kind",)) == "plain":
        if isinstance(own, str) and own != _PLAIN_RELEASE:
            engine["release"] = _PLAIN_RELEASE
            yield f"release {quoted(own)} → {quoted(_PLAIN_RELEASE)}"
    elif _names_none(own) and _names_one(read):
        engine["release"] = read
        yield f"release {quoted(own)} → {quoted(read)}"
    elif _names_none(read) and _names_one(own):
        rules["read_release"] = own
        yield f"rules.read_release {quoted(read)} → {quoted(own)}"


def _names_one(text: Any) -> bool:
    return isinstance(text, str) and _RELEASE.fullmatch(text) is not None


def _names_none(text: Any) -> bool:
    return isinstance(text, str) and not _names_one(text)


def _at(value: Any, way: Sequence[str]) -> Any:
    for step in way:
        value = value.get(step) if isinstance(value, dict) else None
    return value

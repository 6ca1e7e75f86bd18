"""What files may hold that the types no longer take: put right before they see it, and told.

A rule that became stricter within a schema version stands here, so that files of before open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from workbench.spec.quoting import listed, quoted

Told = tuple[str, dict[str, object]]
"""Code and parameters of a note."""

_NAMED: Final = ((), ("model",), ("gpu",), ("precision", "weights"), ("precision", "kv"))
"""Ways to what has a name and an id in a scenario."""
_PLAIN_RELEASE: Final = "1"
MENDED: Final = frozenset({"blank_names_filled", "plain_release_replaced"})
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
        engine = _at(scenario, ("engine",))
        if _has_other_release(engine):
            releases.append(f"{start}.engine.release {quoted(engine['release'])}")
            engine["release"] = _PLAIN_RELEASE
    if names:
        yield "blank_names_filled", {"found": len(names), "where": listed(names)}
    if releases:
        yield "plain_release_replaced", {"found": len(releases), "where": listed(releases)}


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


def _has_other_release(engine: Any) -> bool:
    """Whether an engine without releases names one; any text was once taken for it."""
    if not isinstance(engine, dict) or engine.get("kind") != "plain":
        return False
    release = engine.get("release", _PLAIN_RELEASE)
    return isinstance(release, str) and release != _PLAIN_RELEASE


def _at(value: Any, way: Sequence[str]) -> Any:
    for step in way:
        value = value.get(step) if isinstance(value, dict) else None
    return value

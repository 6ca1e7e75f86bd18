"""What is said of a plan's keys that are not known here: where they stand and whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from workbench.library.jsonfile import to_text
from workbench.library.unknown import lift, steps_of
from workbench.spec.engine import ENGINE_CLASSES
from workbench.spec.errors import UserError
from workbench.spec.quoting import listed, place, quoted
from workbench.spec.scenario import Plan

_MOST_GROUPS: Final = 3
"""Engines whose keys are told apart; those of further ones stand among the rest."""

Told = tuple[str, dict[str, object]]
"""Code and parameters of a note."""
Pairs = tuple[tuple[str, str], ...]
"""The kind of an engine and another that has a key that this one lacks."""


class _Key(NamedTuple):
    """A key that is kept: the number of its scenario, None beside them."""

    scenario: int | None
    pointer: str

    @property
    def where(self) -> str:
        steps = steps_of(self.pointer)
        return place(steps if self.scenario is None else ["scenarios", self.scenario, *steps])


def told(plan: Plan) -> Iterator[Told]:
    """Yield what is to be said of the keys that are kept of a plan; nothing where there are none.

    A key of an engine's profile that another engine has is told as that one's: most often somebody
    changed the kind alone.
    """
    rest = [_Key(None, key.pointer) for key in plan.extra]
    owned: list[tuple[_Key, Pairs]] = []
    for index, scenario in enumerate(plan.scenarios):
        for key in scenario.extra:
            pairs = _pairs(scenario.engine.kind, key.pointer)
            if pairs:
                owned.append((_Key(index, key.pointer), pairs))
            else:
                rest.append(_Key(index, key.pointer))
    for _ in range(_MOST_GROUPS):
        if owned:
            [(pair, _)] = Counter(pair for _, pairs in owned for pair in pairs).most_common(1)
            theirs = [(key, pairs) for key, pairs in owned if pair in pairs]
            owned = [(key, pairs) for key, pairs in owned if pair not in pairs]
            # Where all of them are as much another's, all these are named.
            alike = set(theirs[0][1])
            alike.intersection_update(*(pairs for _, pairs in theirs))
            owner = ", ".join(quoted(kind) for kind in ENGINE_CLASSES if (pair[0], kind) in alike)
            params = {"kind": quoted(pair[0]), "owner": owner}
            yield "keys_of_another_engine", params | _places([key for key, _ in theirs])
    rest += (key for key, _ in owned)
    if rest:
        yield "unknown_keys_kept", _places(rest)


def _pairs(kind: str, pointer: str) -> Pairs:
    """Return the kind of an engine with each other kind that has the key that stands in it."""
    match steps_of(pointer):
        case ["engine", str(key)]:
            return tuple((kind, owner) for owner in _owners(key) if owner != kind)
    return ()


@lru_cache(maxsize=1_000)
def _owners(key: str) -> tuple[str, ...]:
    return tuple(kind for kind, engine in ENGINE_CLASSES.items() if key in engine.model_fields)


def _places(keys: list[_Key]) -> dict[str, object]:
    return {"keys": len(keys), "where": listed([key.where for key in keys])}


def owner_of(engine: dict[str, Any]) -> str | None:
    """Return the kind that a refused profile is of by its keys, not by its "kind"; None for none.

    It would be accepted under that kind, which knows more of its keys.
    """
    strange = _strange(engine["kind"], deepcopy(engine))
    for kind, profile in ENGINE_CLASSES.items():
        meant = deepcopy(engine) | {"kind": kind}
        if kind == "plain":
            # It has no releases that somebody could have written.
            meant.pop("release", None)
        with suppress(ValidationError, UserError):
            if strange > _strange(kind, meant):
                profile.model_validate_json(to_text(meant))
                return kind
    return None


def _strange(kind: str, engine: dict[str, Any]) -> set[str]:
    """Take the keys that a kind of engine does not know out of a profile; return their places."""
    return {key.pointer for key in lift(ENGINE_CLASSES[kind], engine, "")}

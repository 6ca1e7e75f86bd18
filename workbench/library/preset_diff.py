"""What differs between two presets, field by field, whatever kind they are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from workbench.library.presets import Library, Listed, Preset
from workbench.spec.base import Frozen
from workbench.spec.errors import UserError

Leaf = int | float | str | bool | tuple[Any, ...]

IDENTITY: Final = frozenset({"id", "rev", "name", "aliases", "hf_id", "kind"})
"""Which preset it is; a copy differs in these by its nature."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field and its two values; None where one of them does not have it."""

    path: str
    """Way to the field, "layers[0].mixer.kv_heads"."""
    before: Leaf | None
    after: Leaf | None


def differences(before: Frozen, after: Frozen) -> tuple[Difference, ...]:
    """Return the fields in which two values differ, in the order of the form."""
    old, new = flat(before), flat(after)
    paths = dict.fromkeys((*old, *new))
    return tuple(
        Difference(path, old.get(path), new.get(path))
        for path in sorted(paths, key=_order(before, after))
        if old.get(path) != new.get(path)
    )


def _order(before: Frozen, after: Frozen) -> Any:
    """Sort by the first member as the type declares it; the rest keeps its order."""
    names = [*type(before).model_fields, *type(after).model_fields]
    places = {name: index for index, name in reversed(list(enumerate(names)))}
    return lambda path: places.get(path.partition(".")[0].partition("[")[0], len(places))


def flat(value: Frozen, skip: frozenset[str] = frozenset()) -> dict[str, Leaf]:
    """Return every field that says something, by its path, without those of the identity.

    Members named in `skip` are left out at any depth.
    """
    return {path: leaf for path, leaf in _walk(value, "", skip) if path not in IDENTITY}


def _walk(value: Any, path: str, skip: frozenset[str]) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            if name not in skip:
                yield from _walk(getattr(value, name), f"{path}.{name}" if path else name, skip)
    elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
        for step, item in zip(_steps(value), value, strict=True):
            yield from _walk(item, f"{path}{step}", skip)
    elif value is not None and value not in ((), ""):
        yield path, value


def _steps(items: tuple[Any, ...]) -> list[str]:
    """Name the items of a list: by their names where each has its own, else by number."""
    names = Counter(getattr(item, "name", "") for item in items)
    if "" not in names and max(names.values()) == 1:
        return [f"[{item.name}]" for item in items]
    return [f"[{number}]" for number in range(len(items))]


def origin_of(library: Library, preset: Preset[Any]) -> Preset[Any] | None:
    """Return the preset that a fork was made from as it is now, None when there is none."""
    if preset.based_on is None:
        return None
    namespace, _, rest = preset.based_on.partition(":")
    try:
        found = library.known(preset.kind, f"{namespace}:{rest.partition('@')[0]}")
    except UserError:
        return None
    return found if found is not None and type(found.value) is type(preset.value) else None


def is_changed(library: Library, listed: Listed) -> bool:
    """Say whether one of the person's own presets differs from what it is based on."""
    if listed.namespace != "user" or listed.problem is not None or listed.based_on is None:
        return False
    try:
        preset = library.get(listed.kind, "user", listed.id)
    except UserError:
        return False
    origin = origin_of(library, preset)
    return origin is None or bool(differences(origin.value, preset.value))

"""What a person does with presets as a whole: fork, name, revert, import; no files here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from workbench.library.preset_diff import origin_of
from workbench.library.presets import Kind, Library, Preset, fork
from workbench.spec.base import MAX_NAME_CHARACTERS

_LONGEST_ID: Final = 100
_FALLBACK: Final = {
    "models": "model",
    "gpus": "gpu",
    "formats/weights": "weight-format",
    "formats/kv": "kv-format",
    "workloads": "workload",
}


def slug(name: str, kind: Kind) -> str:
    """Return a name as an id: lower case, digits, dots and dashes; the kind where none is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    text = re.sub(r"[^a-z0-9._]+", "-", plain.casefold()).strip("-._")
    return text[:_LONGEST_ID].rstrip("-._") or _FALLBACK[kind]


def free_id(library: Library, kind: Kind, name: str, taken: Collection[str] = ()) -> str:
    """Return an id made from a name that no preset of the kind has, nor any of `taken`."""
    ids = {item.id for item in library.listed(kind)} | set(taken)
    first = slug(name, kind)
    found, number = first, 2
    while found in ids:
        ending = f"-{number}"
        found = f"{first[: _LONGEST_ID - len(ending)]}{ending}"
        number += 1
    return found


def free_name(library: Library, kind: Kind, name: str) -> str:
    """Return a name that no preset of the kind has: "X copy", "X copy 2"."""
    names = {item.name for item in library.listed(kind)}
    found, number = name[:MAX_NAME_CHARACTERS], 2
    while found in names:
        ending = f" {number}"
        found = f"{name[: MAX_NAME_CHARACTERS - len(ending)]}{ending}"
        number += 1
    return found


def own_copy(
    library: Library, preset: Preset[Any], taken: Collection[str] = (), name: str = "{name} copy"
) -> Preset[Any]:
    """Return a fork of a preset with a name and an id of its own, not yet saved.

    `name` is what a copy is called in the language spoken.
    """
    called = free_name(library, preset.kind, name.format(name=preset.value.name))
    return fork(preset, free_id(library, preset.kind, called, taken), called)


def renamed(library: Library, preset: Preset[Any], taken: Collection[str] = ()) -> Preset[Any]:
    """Return a preset with an id that is free, made from its name."""
    return with_id(preset, free_id(library, preset.kind, preset.value.name, taken))


def with_id(preset: Preset[Any], preset_id: str) -> Preset[Any]:
    """Return a preset with another id."""
    return replace(preset, value=preset.value.with_(id=preset_id))


def reverted(library: Library, preset: Preset[Any]) -> Preset[Any] | None:
    """Return a fork with the figures of what it was made from, as that is now; it keeps its name.

    None where that is gone.
    """
    origin = origin_of(library, preset)
    if origin is None:
        return None
    same = fork(origin, preset.value.id, preset.value.name)
    value = same.value.with_(rev=preset.value.rev, aliases=preset.value.aliases)
    return replace(same, value=value)


def without_published(preset: Preset[Any]) -> Preset[Any]:
    """Return a model that no longer claims to be the published one."""
    value = preset.value.with_(published_parameters=None, published_non_parameters=None)
    return replace(preset, value=value, published=None)

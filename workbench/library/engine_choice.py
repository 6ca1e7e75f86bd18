"""Engines to choose from: a profile of a release, and what another engine takes over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.spec.engine import ENGINE_CLASSES, EngineProfile, PlainEngine
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario

if TYPE_CHECKING:
    from workbench.library.engines import Core
    from workbench.spec.vllm import VllmEngine

ENGINES: Final = tuple(ENGINE_CLASSES)
"""Kinds of engine that a scenario can have."""
_CONCEPTS: Final[Mapping[str, str]] = {
    "max_model_len": "longest request",
    "max_num_seqs": "requests at once",
    "max_num_batched_tokens": "tokens of a step",
    "speculative_tokens": "tokens of a draft",
}
"""Flags that mean the same under every engine that has them, by the name of the field."""
_IDENTITY: Final = frozenset({"kind", "release", "core", "rules", "fits"})


@dataclass(frozen=True, slots=True)
class Carried:
    """What a change of engine does with the flags that somebody had set."""

    kept: tuple[str, ...]
    """Fields that the new engine has under the same name, with the same value."""
    lost: tuple[str, ...]
    """Fields that mean nothing, or something else, under the new engine."""


def engine_of(kind: str, release: str = "", core: Core | None = None) -> EngineProfile:
    """Return an engine of a release, all flags left to it; without one the newest that was read.

    Raises `UserError` for an engine that is not known or a text that names no release.
    """
    if kind not in ENGINE_CLASSES:
        raise UserError("engine_unknown", text=kind, accepted=", ".join(ENGINES))
    if kind == "plain":
        if release not in ("", "1"):
            raise UserError("release_unknown", text=release, engine=kind, accepted="1")
        return PlainEngine()
    if kind == "vllm":
        return vllm_engine(release, core)
    # A window on plans without an engine's rules starts without reading them.
    from workbench.library.release_table import read_releases, rules_of

    release = release.strip().removeprefix("v") or read_releases(kind)[-1]
    made: EngineProfile = ENGINE_CLASSES[kind](release=release, rules=rules_of(kind, release))
    return made


def vllm_engine(release: str = "", core: Core | None = None) -> VllmEngine:
    """Return vLLM of a release; see `engine_of`."""
    from workbench.library.engine_fits import vllm_fits
    from workbench.library.engines import read_releases, vllm_rules
    from workbench.spec.vllm import VllmEngine

    release = release.strip().removeprefix("v") or read_releases()[-1]
    rules = vllm_rules(release, core)
    return VllmEngine(
        release=release, core=rules.core, rules=rules, fits=vllm_fits(release, rules.core)
    )


def with_engine(
    scenario: Scenario, kind: str, release: str = "", core: Core | None = None
) -> Scenario:
    """Take an engine of a release.

    Another release of the same engine keeps every flag; another engine keeps those that mean the
    same (`carried` tells which). Raises `UserError` for an engine or release that is not known.
    """
    old: Any = scenario.engine
    if old.kind == kind == "plain" and release in ("", "1"):
        return scenario
    new: Any = engine_of(kind, release, core)
    if old.kind == kind:
        identity = {name: getattr(new, name) for name in _IDENTITY if hasattr(new, name)}
        return scenario.with_(engine=old.with_(**identity))
    return scenario.with_(engine=new.with_(**_taken(old, new)))


def carried(old: EngineProfile, new: EngineProfile) -> Carried:
    """Return what a change from one engine to another keeps and what it does not."""
    if old.kind == new.kind:
        return Carried(changed_flags(old), ())
    taken = _taken(old, new)
    changed = changed_flags(old)
    return Carried(
        tuple(name for name in changed if name in taken),
        tuple(name for name in changed if name not in taken),
    )


def changed_flags(engine: EngineProfile) -> tuple[str, ...]:
    """Return the fields of an engine that somebody has set, in the order of its profile."""
    untouched = engine.untouched
    return tuple(
        name
        for name in type(engine).model_fields
        if name not in _IDENTITY and getattr(engine, name) != getattr(untouched, name)
    )


def _taken(old: Any, new: Any) -> dict[str, Any]:
    changed = changed_flags(old)
    known = type(new).model_fields
    return {name: getattr(old, name) for name in changed if name in _CONCEPTS and name in known}

"""Presets that have changed since a scenario copied them, and by how much answers move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from workbench.core.budget import budget
from workbench.library import compose, engine_choice
from workbench.library.preset_diff import Difference, differences
from workbench.library.presets import Kind, Library, Preset
from workbench.spec.base import Frozen, fingerprint
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSet
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import PresetRef, Scenario

if TYPE_CHECKING:
    from workbench.core.solve import LedgerOf


@dataclass(frozen=True, slots=True)
class Stale:
    """One copy whose preset says something else today."""

    part: str
    """Which part of the scenario: "model", "gpu", "workload", "engine"."""
    reference: str
    fields: tuple[str, ...]
    """Fields that differ, "layers[0].mixer.kv_heads"; empty when the preset is gone."""
    gone: bool = False
    changes: tuple[Difference, ...] = ()
    """The same fields with the values of the copy and of today, where they have some."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What an answer comes down to, of the rank that decides."""

    status: Status
    most_requests: int | None
    free_bytes: int
    left_bytes: int
    entries_bytes: int
    """Of every rank, as the bars stack them."""


@dataclass(frozen=True, slots=True)
class Move:
    """An answer before and after one change, or all changes together."""

    stale: tuple[Stale, ...]
    """What changes; empty where only the program does."""
    before: Figures
    after: Figures | None
    """None where no valid scenario results from the change."""

    @property
    def moves(self) -> bool:
        """Whether the answer is another one."""
        return self.before != self.after

    @property
    def distance(self) -> tuple[bool, int, int]:
        """How far the answer moves: another verdict counts most, then requests, then bytes."""
        before, after = self.before, self.after
        if after is None:
            return True, 0, 0
        requests = abs((before.most_requests or 0) - (after.most_requests or 0))
        bytes_moved = abs(before.left_bytes - after.left_bytes)
        return before.status is not after.status, requests, bytes_moved


def figures_of(ledger: Ledger) -> Figures:
    """Return what an answer comes down to."""
    rank = ledger.worst_rank
    return Figures(
        ledger.verdict.status,
        ledger.most_requests,
        rank.free_bytes,
        rank.left_bytes,
        sum(entry.bytes for one in ledger.ranks for entry in one.entries),
    )


def moves(
    library: Library,
    scenario: Scenario,
    parts: tuple[Stale, ...],
    ledger_of: LedgerOf = budget,
) -> tuple[Move, ...]:
    """Return how the answer moves with each stale part as it is now; last with all of them.

    A preset that is gone moves nothing; with one part, all together is the same and left out.
    """
    here = tuple(part for part in parts if not part.gone)
    if not here:
        return ()
    before = figures_of(ledger_of(scenario))
    groups = [(part,) for part in here] + ([here] if len(here) > 1 else [])
    found = []
    for group in groups:
        after = all_adopted(library, scenario, group)
        figures = None if after is None else figures_of(ledger_of(after))
        found.append(Move(group, before, figures))
    return tuple(found)


def all_adopted(library: Library, scenario: Scenario, parts: tuple[Stale, ...]) -> Scenario | None:
    """Return the scenario with several parts as they are now; None where it is not valid."""
    try:
        for part in parts:
            scenario = adopted(library, scenario, part.part)
        # What cannot be worked out is no answer either; the result is remembered.
        budget(scenario)
    except (UserError, ValidationError):
        return None
    return scenario


def stale_parts(library: Library, scenario: Scenario) -> tuple[Stale, ...]:
    """Compare the references of a scenario with the presets as they are now."""
    found = _stale_engine(scenario)
    for part in ("model", "gpu", "workload"):
        stale = stale_part(library, scenario, part)
        if stale is not None:
            found.append(stale)
    return tuple(found)


def stale_part(library: Library, scenario: Scenario, part: str) -> Stale | None:
    """Compare one part of a scenario with its preset as it is now; None where it is the same."""
    kind, ref, copy = _reference(scenario, part)
    if ref is None:
        return None
    preset = library.current(kind, ref)
    if preset is None:
        return Stale(part, str(ref), (), gone=True)
    if preset.ref.fingerprint == ref.fingerprint:
        return None
    now = preset.value
    if isinstance(now, GpuSet) and not isinstance(copy, GpuSet):
        now = now.card
        if fingerprint(now) == fingerprint(copy):
            # Only what a set says beside its card has changed; the scenario has its own of that.
            return None
    now = getattr(now, "workload", now)
    changes = differences(copy, now)
    fields = tuple(change.path for change in changes) or _differences(copy, now)
    return Stale(part, str(ref), fields, changes=changes)


def _reference(scenario: Scenario, part: str) -> tuple[Kind, PresetRef | None, Frozen]:
    """Return which preset a part of a scenario was taken from; a card of a set, from the set."""
    if part == "model":
        return "models", scenario.model_ref, scenario.model
    if part == "gpu":
        return "gpus", scenario.gpu_set_ref or scenario.gpu_ref, scenario.gpu
    return "workloads", scenario.workload_ref, scenario.workload


def is_edited(scenario: Scenario, part: str) -> bool:
    """Whether a person has changed a part of a scenario since it was taken from its preset."""
    if part == "model":
        return scenario.model_is_edited
    if part == "gpu":
        return scenario.gpu_is_edited
    # The concurrency of a workload is the scenario's own, and its reference covers the name too.
    return False


def current_of(library: Library, scenario: Scenario, part: str) -> Preset[Any] | None:
    """Return the preset that a part was taken from as it is now, None when it is gone."""
    kind, ref, _ = _reference(scenario, part)
    return None if ref is None else library.current(kind, ref)


def adopted(library: Library, scenario: Scenario, part: str) -> Scenario:
    """Return the scenario with the present revision of the preset of a part.

    Its deployment stays, even where the cards are a set whose layout has changed.
    """
    if part == "engine":
        return _engine_of_today(scenario)
    preset = current_of(library, scenario, part)
    if preset is None:
        return scenario
    if part == "model":
        return compose.with_model(scenario, preset)
    if part == "workload":
        return compose.with_workload(scenario, preset)
    changed = compose.with_gpu(scenario, preset)
    return changed.with_(deployment=scenario.deployment)


def _stale_engine(scenario: Scenario) -> list[Stale]:
    """Rules and fitted figures of a release that the program tells differently today."""
    engine: Any = scenario.engine
    if engine.kind == "plain":
        return []
    reference = f"{engine.kind}@{engine.release}"
    try:
        now = engine_choice.engine_of(engine.kind, engine.release, getattr(engine, "core", None))
    except UserError:
        return [Stale("engine", reference, (), gone=True)]
    fields = tuple(
        f"{name}.{field}"
        for name in ("rules", "fits")
        if hasattr(engine, name)
        for field in _differences(getattr(engine, name), getattr(now, name))
    )
    return [Stale("engine", reference, fields)] if fields else []


def _engine_of_today(scenario: Scenario) -> Scenario:
    """Return the scenario with the rules and fits that its release has now; flags stay."""
    engine: Any = scenario.engine
    try:
        now = engine_choice.engine_of(engine.kind, engine.release, getattr(engine, "core", None))
    except UserError:
        return scenario
    changes = {name: getattr(now, name) for name in ("rules", "fits") if hasattr(engine, name)}
    return scenario.with_(engine=engine.with_(**changes))


def _differences(copy: Frozen, now: Frozen) -> tuple[str, ...]:
    return tuple(
        name
        for name in type(now).model_fields
        if getattr(copy, name, None) != getattr(now, name, None)
    )

"""What changes when the same scenario runs under another release: the difference of two ledgers.

Entries are those of the rank that decides before the change, drawn as each ledger draws them.
The reasons are the switches of the release table that differ between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.spec.engine import PlainEngine
from workbench.spec.ledger import Entry, Ledger, RankLedger, Unit, Verdict
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine

_NO_SWITCH = ("read_release", "assumed")


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """One line of the ledger before and after; None where a release has no such line."""

    label: str
    before_bytes: int | None
    after_bytes: int | None

    @property
    def delta_bytes(self) -> int:
        """What the line grows by."""
        return (self.after_bytes or 0) - (self.before_bytes or 0)


@dataclass(frozen=True, slots=True)
class ChangedFigure:
    """A figure of the pool before and after; None where the engine gives none."""

    code: str
    unit: Unit
    before: float | None
    after: float | None

    @property
    def delta(self) -> float | None:
        """The difference, None where one side is missing."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class ChangedFlag:
    """A resolved flag that differs; the flag of the scenario itself is the same."""

    flag: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class ChangedSwitch:
    """A rule of the engine that differs between the two releases."""

    name: str
    """A field of the engine's rules."""
    before: object
    after: object
    assumed: bool
    """The date of the change is not known for one of the releases."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The whole difference."""

    before_release: str
    after_release: str
    before_rules: str
    after_rules: str
    entries: tuple[ChangedEntry, ...]
    """Every line of either ledger, in the order of the stack."""
    figures: tuple[ChangedFigure, ...]
    flags: tuple[ChangedFlag, ...]
    switches: tuple[ChangedSwitch, ...]
    before_verdict: Verdict
    after_verdict: Verdict

    @property
    def changes_nothing(self) -> bool:
        """Whether both releases give the same ledger."""
        return (
            self.before_verdict == self.after_verdict
            and not self.flags
            and all(not entry.delta_bytes for entry in self.entries)
            and all(figure.before == figure.after for figure in self.figures)
        )


def upgrade(before: Scenario, after: Scenario, budget: Callable[[Scenario], Ledger]) -> Upgrade:
    """Compare a scenario with itself under another release."""
    old, new = budget(before), budget(after)
    return Upgrade(
        before_release=old.scenario.release,
        after_release=new.scenario.release,
        before_rules=old.scenario.rules,
        after_rules=new.scenario.rules,
        entries=_entries(old, new),
        figures=_figures(old, new),
        flags=_flags(old.scenario.resolved, new.scenario.resolved),
        switches=_switches(before, after),
        before_verdict=old.verdict,
        after_verdict=new.verdict,
    )


# Entries


def _entries(old: Ledger, new: Ledger) -> tuple[ChangedEntry, ...]:
    rank = old.worst_rank
    other = next((r for r in new.ranks if r.rank == rank.rank), new.worst_rank)
    before, after = _by_label(rank.entries), _by_label(other.entries)
    rows = [
        ChangedEntry(label, before.get(label), after.get(label)) for label in _merged(before, after)
    ]
    rows.append(_rest("headroom", rank, other))
    rows.append(_rest("free", rank, other))
    return tuple(rows)


def _by_label(entries: tuple[Entry, ...]) -> dict[str, int]:
    return {entry.label: entry.bytes for entry in entries}


def _merged(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[str, ...]:
    """Labels of both in stack order: a line of one side stands where it stands there."""
    labels = list(before)
    for place, label in enumerate(after):
        if label not in before:
            earlier = [other for other in list(after)[:place] if other in labels]
            labels.insert(labels.index(earlier[-1]) + 1 if earlier else 0, label)
    return tuple(labels)


def _rest(code: str, rank: RankLedger, other: RankLedger) -> ChangedEntry:
    return ChangedEntry(code, getattr(rank, f"{code}_bytes"), getattr(other, f"{code}_bytes"))


# Pool and capacity


def _figures(old: Ledger, new: Ledger) -> tuple[ChangedFigure, ...]:
    made: list[ChangedFigure] = []
    units: tuple[tuple[str, Unit], ...] = (
        ("bytes", "bytes"),
        ("bytes_per_block", "bytes"),
        ("block_tokens", "tokens"),
        ("blocks", "blocks"),
        ("tokens", "tokens"),
    )
    for name, unit in units:
        made.append(ChangedFigure(f"pool_{name}", unit, _pool(old, name), _pool(new, name)))
    made.append(ChangedFigure("engine_log", "ratio", _engine_log(old), _engine_log(new)))
    made.append(ChangedFigure("most_requests", "count", old.most_requests, new.most_requests))
    return tuple(made)


def _pool(ledger: Ledger, name: str) -> float | None:
    if ledger.pool is None:
        return None
    value = getattr(ledger.pool, name)
    # No tokens beside blocks: the engine prints none.
    return None if name == "tokens" and not value and ledger.pool.blocks else value


def _engine_log(ledger: Ledger) -> float | None:
    log = ledger.capacity.engine_log
    return None if log is None else log.concurrency


# Reasons


def _flags(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[ChangedFlag, ...]:
    names = dict.fromkeys((*old, *new))
    return tuple(
        ChangedFlag(name, old.get(name), new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def _switches(before: Scenario, after: Scenario) -> tuple[ChangedSwitch, ...]:
    one, two = before.engine, after.engine
    if isinstance(one, PlainEngine) or isinstance(two, PlainEngine) or one.kind != two.kind:
        return ()
    names = [name for name in type(one.rules).model_fields if name not in _NO_SWITCH]
    fits: tuple[ChangedSwitch, ...] = ()
    if isinstance(one, VllmEngine) and isinstance(two, VllmEngine):
        epochs = one.fits.epoch, two.fits.epoch
        fits = (ChangedSwitch("fits_epoch", *epochs, True),) if epochs[0] != epochs[1] else ()
    return fits + tuple(
        ChangedSwitch(
            name,
            getattr(one.rules, name),
            getattr(two.rules, name),
            name in one.rules.assumed or name in two.rules.assumed,
        )
        for name in names
        if getattr(one.rules, name) != getattr(two.rules, name)
    )

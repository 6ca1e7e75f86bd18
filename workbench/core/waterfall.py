"""From one scenario to another, an input at a time: what each change moves, to the byte.

Inputs that differ are copied over in form order. A state in between that is not valid, or in which
the engine would not start, is no step of its own: its inputs join those that follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from pydantic import ValidationError

from workbench.core.compare import OUTSIDE, parts_of
from workbench.core.inputs import INPUTS, PARTS, Input, Part, answers_alike
from workbench.core.solve import LedgerOf, max_concurrency
from workbench.spec.errors import UserError
from workbench.spec.ledger import EntryKind, Status
from workbench.spec.scenario import Scenario

NOT_USED = ("headroom", "free", EntryKind.UNREQUESTED.value)
OTHER = "other"
"""Id of what differs and is no input of the form."""


@dataclass(frozen=True, slots=True)
class Level:
    """Where the figures stand."""

    scenario: Scenario
    status: Status
    used_bytes: int
    """What the entries inside the budget take on the deciding rank."""
    total_used_bytes: int
    """The same of all ranks of all replicas together."""
    parts: Mapping[str, int]
    """The same by kind, in stack order."""
    concurrency: int
    """Most requests that fit; 0 where none does or the engine does not start."""


@dataclass(frozen=True, slots=True)
class Step:
    """One bar: the inputs that change, and by how much they move the figures."""

    inputs: tuple[str, ...]
    """Ids as in `core.inputs`; more than one where the states in between are not possible."""
    before: Level
    after: Level

    @property
    def used_delta_bytes(self) -> int:
        """What the used bytes grow by."""
        return self.after.used_bytes - self.before.used_bytes

    @property
    def part_deltas(self) -> dict[str, int]:
        """What each kind grows by, those that do not move left out; they sum to the whole."""
        kinds = dict.fromkeys((*self.before.parts, *self.after.parts))
        moved = {k: self.after.parts.get(k, 0) - self.before.parts.get(k, 0) for k in kinds}
        return {kind: delta for kind, delta in moved.items() if delta}

    @property
    def concurrency_delta(self) -> int:
        """What the largest concurrency grows by."""
        return self.after.concurrency - self.before.concurrency


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Start, steps and end; the steps sum exactly to the difference."""

    start: Level
    steps: tuple[Step, ...]
    end: Level


def waterfall(before: Scenario, after: Scenario, ledger_of: LedgerOf) -> Waterfall:
    """Walk from one scenario to another, in form order."""
    start, end = _level(before, ledger_of), _level(after, ledger_of)
    walk = _Walk(start, after, ledger_of)
    for part in PARTS:
        for item in INPUTS:
            if item.part == part and item.differs(walk.state, after):
                walk.change(item)
        walk.close(part)
    return Waterfall(start, walk.finish(end), end)


class _Walk:
    """The state on the way, and the inputs that have not become a step yet."""

    def __init__(self, start: Level, target: Scenario, ledger_of: LedgerOf) -> None:
        self.state = start.scenario
        self._here = start
        self._target = target
        self._ledger_of = ledger_of
        self._steps: list[Step] = []
        self._waiting: list[str] = []
        self._invalid: list[Input] = []
        """Inputs that could not be copied yet."""

    def change(self, item: Input) -> None:
        """Copy an input; it is a step of its own where the state is one that starts."""
        self._waiting.append(item.id)
        self._invalid.append(item)
        changed = _copied(self.state, self._target, self._invalid)
        if changed is not None:
            self._settle(changed)

    def close(self, part: Part) -> None:
        """End a part: inputs that only go together are copied together."""
        if self._invalid:
            self._settle(self.state.with_(**{part: getattr(self._target, part)}))

    def finish(self, end: Level) -> tuple[Step, ...]:
        """Return the steps, the last of which ends where the other scenario stands."""
        if not answers_alike(self.state, self._target):
            self._waiting.append(OTHER)
        if self._waiting:
            self._steps.append(Step(tuple(self._waiting), self._here, end))
        elif self._steps:
            last = self._steps[-1]
            self._steps[-1] = Step(last.inputs, last.before, end)
        return tuple(self._steps)

    def _settle(self, state: Scenario) -> None:
        self.state, self._invalid = state, []
        if self._ledger_of(state).verdict.status is not Status.REFUSES:
            level = _level(state, self._ledger_of)
            self._steps.append(Step(tuple(self._waiting), self._here, level))
            self._here, self._waiting = level, []


def _copied(state: Scenario, source: Scenario, items: list[Input]) -> Scenario | None:
    """The state with the inputs of another scenario; None where no order of them is valid."""
    for ordered in (items, items[::-1]):
        try:
            return reduce(lambda made, item: item.copy(made, source), ordered, state)
        except (ValidationError, UserError):
            continue
    return None


def _level(scenario: Scenario, ledger_of: LedgerOf) -> Level:
    ledger = ledger_of(scenario)
    rank = ledger.worst_rank
    parts = {name: size for name, size in parts_of(rank).items() if _is_used(name)}
    found = max_concurrency(scenario, ledger_of)
    return Level(
        scenario=scenario,
        status=ledger.verdict.status,
        used_bytes=rank.charged_bytes,
        total_used_bytes=scenario.deployment.copies * sum(r.charged_bytes for r in ledger.ranks),
        parts=parts,
        concurrency=found.answer or 0,
    )


def _is_used(part: str) -> bool:
    return part not in NOT_USED and not part.startswith(OUTSIDE)

"""Undo steps: a plan before and after, and what to call the step.

Plans are immutable and share what did not change, so a step keeps both and undo is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from time import monotonic

from PySide6.QtGui import QUndoCommand

from workbench.spec.scenario import Plan

BURST_SECONDS = 0.3
"""Commits on one field this close together are one step: holding an arrow key, say."""

_NO_MERGE = -1
_MERGE = 1


@dataclass(frozen=True, slots=True)
class Step:
    """What a step did: a code and parameters, made a sentence where it is shown."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """What undo restores: the plan and the scenario that was being looked at."""

    plan: Plan
    current_id: str | None


class PlanCommand(QUndoCommand):
    """One step between two states; steps with the same key fold into one."""

    def __init__(
        self,
        apply: Callable[[State], None],
        before: State,
        after: State,
        step: Step,
        *,
        merge: Hashable = None,
        burst: Hashable = None,
    ) -> None:
        super().__init__(step.code)
        self._apply = apply
        self._before = before
        self._after = after
        self.step = step
        self._merge = merge
        self._burst = burst
        self._at = monotonic()

    def redo(self) -> None:
        """Go to the state after the step."""
        self._apply(self._after)

    def undo(self) -> None:
        """Go to the state before the step."""
        self._apply(self._before)

    def id(self) -> int:
        """Tell the stack whether it may ask for a merge."""
        return _NO_MERGE if self._merge is None and self._burst is None else _MERGE

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Fold a later step into this one: the same drag, or a burst on one field."""
        if not isinstance(other, PlanCommand) or not self._continues(other):
            return False
        self._after = other._after
        self._at = other._at
        self.step = other.step
        # A drag that ends where it began leaves nothing to undo.
        self.setObsolete(self._after.plan == self._before.plan)
        return True

    def _continues(self, other: PlanCommand) -> bool:
        if self._merge is not None or other._merge is not None:
            return self._merge == other._merge
        return self._burst == other._burst and other._at - self._at <= BURST_SECONDS

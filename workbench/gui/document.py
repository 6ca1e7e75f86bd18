"""The open document: an immutable plan, what is looked at, undo, and one signal a change."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from workbench.core.budget import budget, ledger_of
from workbench.gui import edits
from workbench.gui.commands import PlanCommand, State, Step
from workbench.gui.messages import Message
from workbench.gui.why import Why
from workbench.spec.ledger import Finding, Ledger
from workbench.spec.scenario import Plan, Scenario

if TYPE_CHECKING:
    from workbench.library.presets import Library

Selection = tuple[str, int, str]
"""Scenario id, rank and key of the ledger entry to explain."""


class Document(QObject):
    """Holds the plan. Every change goes through it and is one undo step.

    Values in signals are `object`: Qt's own integers are 32 bits wide.
    """

    plan_changed = Signal(object)
    """The new plan, after any edit, undo, redo or open."""
    current_changed = Signal(object)
    """Id of the scenario that is looked at, or None."""
    selection_changed = Signal(object)
    """What to explain, in `explained`: (scenario id, rank, key) of a scenario's, else None."""
    focus_field = Signal(object)
    """Id of a field that should take the keyboard."""
    vary_wanted = Signal(object)
    """Id of a field to vary in the heat map."""
    message = Signal(object)
    """A `Message` for the bar."""
    preview_changed = Signal(object)
    """The scenario as it would be with what is being tried, or None."""
    ghost_changed = Signal(object)
    """A scenario to hint at beside the real one (its ghost bar), or None."""
    selected_changed = Signal(object)
    """Ids of the scenarios that an edit changes, in the plan's order."""
    library_changed = Signal()
    """Some preset says something else, is new, or is gone."""
    preset_asked = Signal(object, object)
    """A verb about the preset of a part, "edit", "take" or "difference", and the part."""
    state_changed = Signal()
    """Dirty, saving, path, read-only or the next undo step."""

    def __init__(
        self,
        library: Library,
        plan: Plan | None = None,
        parent: QObject | None = None,
        *,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        super().__init__(parent)
        self.library = library
        self.undo_stack = QUndoStack(self)
        self.undo_stack.indexChanged.connect(self._tell_state)
        self._new_id = new_id
        self._plan = plan or Plan()
        self._saved: Plan | None = self._plan
        self._current_id = edits.nearest(self._plan, None)
        self._also: frozenset[str] = frozenset()
        self._explained: Why | None = None
        self._previews: dict[str, Scenario] = {}
        self._ghost: Scenario | None = None
        self._ledgers: dict[str, tuple[Scenario, Ledger]] = {}
        self._copies: dict[str, edits.FreshCopy] = {}
        self.path: Path | None = None
        self.read_only = False
        self.saving = False

    # What is open

    @property
    def plan(self) -> Plan:
        """The document, without any preview."""
        return self._plan

    @property
    def current_id(self) -> str | None:
        """Id of the scenario that is looked at; None only in an empty plan."""
        return self._current_id

    @property
    def current(self) -> Scenario | None:
        """The scenario that is looked at, without any preview."""
        return None if self._current_id is None else self._plan.scenario(self._current_id)

    @property
    def explained(self) -> Why | None:
        """The number that is explained."""
        return self._explained

    @property
    def selection(self) -> Selection | None:
        """What is explained, as far as it is a part of a scenario."""
        why = self._explained
        if why is None or why.scenario is None:
            return None
        return (why.scenario, why.rank, why.key)

    @property
    def preview(self) -> Scenario | None:
        """The scenario as it would be with what is being tried; the current one's if several."""
        first = next(iter(self._previews.values()), None)
        return self._previews.get(self._current_id or "", first)

    @property
    def ghost(self) -> Scenario | None:
        """A scenario to hint at beside the real one of the same id."""
        return self._ghost

    @property
    def selected_ids(self) -> tuple[str, ...]:
        """Ids of the scenarios that an edit changes: the current one and those picked with it."""
        return tuple(
            scenario.id
            for scenario in self._plan.scenarios
            if scenario.id == self._current_id or scenario.id in self._also
        )

    @property
    def dirty(self) -> bool:
        """Whether the plan differs from what is saved."""
        return self._saved is not self._plan and self._saved != self._plan

    def shown(self, scenario_id: str) -> Scenario:
        """Return a scenario as the views show it: the preview, if it is being edited."""
        preview = self._previews.get(scenario_id)
        return self._plan.scenario(scenario_id) if preview is None else preview

    def ledger(self, scenario_id: str) -> Ledger:
        """Return the ledger of a scenario as shown, without findings; repeated calls are free."""
        scenario = self.shown(scenario_id)
        known = self._ledgers.get(scenario_id)
        # The core remembers by value; that takes a hash of everything, each view asks anew.
        if known is None or known[0] is not scenario:
            known = self._ledgers[scenario_id] = (scenario, ledger_of(scenario))
        return known[1]

    def findings(self, scenario_id: str) -> tuple[Finding, ...]:
        """Return what a careful colleague would point at in a scenario as shown.

        Some look for a plan that fits, which takes many ledgers: no figure waits for them.
        """
        return budget(self.shown(scenario_id)).findings

    def open_plan(
        self, plan: Plan, *, path: Path | None = None, read_only: bool = False, saved: bool = True
    ) -> None:
        """Show another document; its undo history starts empty."""
        previewed, self._previews = bool(self._previews), {}
        self.set_ghost(None)
        self._also = frozenset()
        self._explained = None
        self._copies.clear()
        self._ledgers.clear()
        self.path = path
        self.read_only = read_only
        self._plan = plan
        self._saved = plan if saved else None
        self._current_id = edits.nearest(plan, None)
        self.undo_stack.clear()
        if not saved:
            self.undo_stack.resetClean()
        if previewed:
            self.preview_changed.emit(None)
        self.plan_changed.emit(plan)
        self.current_changed.emit(self._current_id)
        self.selected_changed.emit(self.selected_ids)
        self.selection_changed.emit(None)
        self.state_changed.emit()

    def mark_saved(self, plan: Plan, path: Path | None = None) -> None:
        """Note that this plan, maybe edited since, is what the file holds."""
        self._saved = plan
        if path is not None:
            self.path = path
            self.read_only = False
        if plan is self._plan:
            self.undo_stack.setClean()
        self.state_changed.emit()

    def set_saving(self, saving: bool) -> None:
        """Note that a save runs or has ended."""
        self.saving = saving
        self.state_changed.emit()

    # Looking

    def set_current(self, scenario_id: str) -> None:
        """Look at a scenario; raises `KeyError` for an unknown id."""
        self._plan.scenario(scenario_id)
        before = self.selected_ids
        if scenario_id not in self._also:
            self._also = frozenset()
        if scenario_id != self._current_id:
            self.end_preview()
            self.set_ghost(None)
            self._current_id = scenario_id
            self.current_changed.emit(scenario_id)
        self._tell_selected(before)

    def pick(self, scenario_ids: Iterable[str]) -> None:
        """Let edits change these scenarios too; the current one always belongs to them."""
        before = self.selected_ids
        self._also = frozenset(scenario_ids)
        self.end_preview()
        self._tell_selected(before)

    def _tell_selected(self, before: tuple[str, ...]) -> None:
        if self.selected_ids != before:
            self.selected_changed.emit(self.selected_ids)

    def set_ghost(self, scenario: Scenario | None) -> None:
        """Hint at a scenario beside the real one of the same id; None takes the hint away."""
        if scenario != self._ghost:
            self._ghost = scenario
            self.ghost_changed.emit(scenario)

    def end_preview(self) -> None:
        """Show the document again."""
        if self._previews:
            self._previews = {}
            self.preview_changed.emit(None)

    def select(self, scenario_id: str | None, rank: int = 0, key: str = "") -> None:
        """Explain one part of a bar, or nothing for None."""
        self.explain(None if scenario_id is None else Why(scenario_id, key, rank))

    def explain(self, why: Why | None) -> None:
        """Show why a number is what it is, or nothing for None."""
        if why != self._explained:
            self._explained = why
            self.selection_changed.emit(self.selection)

    def tell(self, message: Message) -> None:
        """Show a message in the bar."""
        self.message.emit(message)

    # Undo

    def undo(self) -> None:
        """Take the last step back."""
        self.end_preview()
        self.undo_stack.undo()

    def redo(self) -> None:
        """Do the next step again."""
        self.end_preview()
        self.undo_stack.redo()

    @property
    def undo_step(self) -> Step | None:
        """What undo would take back."""
        return self._step(self.undo_stack.index() - 1)

    @property
    def redo_step(self) -> Step | None:
        """What redo would do again."""
        return self._step(self.undo_stack.index())

    def _step(self, index: int) -> Step | None:
        if not 0 <= index < self.undo_stack.count():
            return None
        command = self.undo_stack.command(index)
        return command.step if isinstance(command, PlanCommand) else None

    # Inside

    def _replace(
        self, scenario: Scenario, step: Step, *, merge: Hashable = None, burst: Hashable = None
    ) -> None:
        self._replace_all([scenario], step, merge=merge, burst=burst)

    def _replace_all(
        self,
        scenarios: Sequence[Scenario],
        step: Step,
        *,
        merge: Hashable = None,
        burst: Hashable = None,
    ) -> None:
        plan = self._plan
        for scenario in scenarios:
            old = plan.scenario(scenario.id)
            if scenario == old:
                continue
            copy = self._copies.get(scenario.id)
            if copy is not None:
                self._copies[scenario.id], scenario = copy.named_after(scenario, old, step)
            plan = plan.replacing(scenario)
        if plan is self._plan:
            self.end_preview()
            return
        self._push(plan, self._current_id, step, merge=merge, burst=burst)

    def _push(
        self,
        plan: Plan,
        current_id: str | None,
        step: Step,
        *,
        merge: Hashable = None,
        burst: Hashable = None,
    ) -> None:
        previewed, self._previews = bool(self._previews), {}
        self.set_ghost(None)
        before = State(self._plan, self._current_id)
        after = State(plan, current_id)
        self.undo_stack.push(
            PlanCommand(self._apply, before, after, step, merge=merge, burst=burst)
        )
        if previewed:
            self.preview_changed.emit(None)

    def _apply(self, state: State) -> None:
        """Show a state; the only place where the plan changes outside `open_plan`."""
        ids = {scenario.id for scenario in state.plan.scenarios}
        current_id = state.current_id if state.current_id in ids else None
        moved = current_id != self._current_id
        selected = self.selected_ids
        lost = self._lost(ids)
        self._plan = state.plan
        self._current_id = current_id
        if lost:
            self._explained = None
        self.plan_changed.emit(self._plan)
        if moved:
            self.current_changed.emit(current_id)
        self._tell_selected(selected)
        if lost:
            self.selection_changed.emit(None)

    def _lost(self, ids: set[str]) -> bool:
        """Whether what is explained is gone; a number of its own was true of the plan before."""
        why = self._explained
        if why is None:
            return False
        return why.term is not None or (why.scenario is not None and why.scenario not in ids)

    def _tell_state(self) -> None:
        self.state_changed.emit()

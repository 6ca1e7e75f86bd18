"""The open document: an immutable plan, what is looked at, undo, and one signal a change."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from workbench.core.budget import budget
from workbench.gui import edits, engine_names
from workbench.gui.commands import PlanCommand, State, Step
from workbench.gui.messages import Message
from workbench.library import compose
from workbench.library.engines import Core
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Plan, Scenario

if TYPE_CHECKING:
    from workbench.library.presets import Library

Selection = tuple[str, int, str]
"""Scenario id, rank and key of the ledger entry to explain."""


class Session(QObject):
    """Holds the plan. Every change goes through it and is one undo step.

    Values in signals are `object`: Qt's own integers are 32 bits wide.
    """

    plan_changed = Signal(object)
    """The new plan, after any edit, undo, redo or open."""
    current_changed = Signal(object)
    """Id of the scenario that is looked at, or None."""
    selection_changed = Signal(object)
    """(scenario id, rank, key) of what to explain, or None."""
    focus_field = Signal(object)
    """Id of a field that should take the keyboard."""
    message = Signal(object)
    """A `Message` for the bar."""
    preview_changed = Signal(object)
    """The scenario as it would be with what is being typed, or None."""
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
        self._selection: Selection | None = None
        self._preview: Scenario | None = None
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
    def selection(self) -> Selection | None:
        """What the ledger panel explains."""
        return self._selection

    @property
    def preview(self) -> Scenario | None:
        """The scenario as it would be with what is being typed."""
        return self._preview

    @property
    def dirty(self) -> bool:
        """Whether the plan differs from what is saved."""
        return self._saved is not self._plan and self._saved != self._plan

    def shown(self, scenario_id: str) -> Scenario:
        """Return a scenario as the views show it: the preview, if it is the one being edited."""
        if self._preview is not None and self._preview.id == scenario_id:
            return self._preview
        return self._plan.scenario(scenario_id)

    def ledger(self, scenario_id: str) -> Ledger:
        """Return the ledger of a scenario as shown; repeated calls are free."""
        scenario = self.shown(scenario_id)
        known = self._ledgers.get(scenario_id)
        # The core remembers by value; that takes a hash of everything, each view asks anew.
        if known is None or known[0] is not scenario:
            known = self._ledgers[scenario_id] = (scenario, budget(scenario))
        return known[1]

    def open_plan(
        self, plan: Plan, *, path: Path | None = None, read_only: bool = False, saved: bool = True
    ) -> None:
        """Show another document; its undo history starts empty."""
        self._preview = None
        self._selection = None
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
        self.preview_changed.emit(None)
        self.plan_changed.emit(plan)
        self.current_changed.emit(self._current_id)
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
        if scenario_id != self._current_id:
            self.end_preview()
            self._current_id = scenario_id
            self.current_changed.emit(scenario_id)

    def select(self, scenario_id: str | None, rank: int = 0, key: str = "") -> None:
        """Explain one figure, or nothing for None."""
        selection = None if scenario_id is None else (scenario_id, rank, key)
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def tell(self, message: Message) -> None:
        """Show a message in the bar."""
        self.message.emit(message)

    # Fields

    def set_field(self, field_id: str, value: object, *, merge: Hashable = None) -> None:
        """Set a quantity of the current scenario as one step.

        The same `merge` key as the last step's folds into it (one drag); without a key a burst
        on one field does. Raises `UserError` or `ValidationError` and changes nothing.
        """
        scenario = self.current
        if scenario is None:
            return
        changed = FIELDS[field_id].write(scenario, value)
        step = Step("set_field", {"field": field_id, "value": value, "name": scenario.name})
        self._replace(changed, step, merge=merge, burst=("field", scenario.id, field_id))

    def preview_field(self, field_id: str, value: object) -> None:
        """Show the current scenario with a value, without a step; raises like `set_field`."""
        if self.current is None:
            return
        changed = FIELDS[field_id].write(self.current, value)
        preview = None if changed == self.current else changed
        if preview != self._preview:
            self._preview = preview
            self.preview_changed.emit(preview)

    def end_preview(self) -> None:
        """Show the document again."""
        if self._preview is not None:
            self._preview = None
            self.preview_changed.emit(None)

    # Structural edits of the current scenario

    def replace_scenario(self, scenario: Scenario, text_code: str, **params: object) -> None:
        """Put a scenario in the place of the one with its id, as one step."""
        self._replace(scenario, Step(text_code, params))

    def choose_model(self, preset: Any) -> None:
        """Take a model preset, in the format it is published in, into the current scenario."""
        change = partial(compose.with_model, library=self.library)
        self._choose(change, preset, "choose_model")

    def choose_gpu(self, preset: Any) -> None:
        """Take a card, or a set of cards with its parallelism, into the current scenario."""
        self._choose(compose.with_gpu, preset, "choose_gpu")

    def choose_weight_format(self, preset: Any) -> None:
        """Take a weight format into the current scenario."""
        self._choose(compose.with_weight_format, preset, "choose_weight_format")

    def choose_kv_format(self, preset: Any) -> None:
        """Take a KV format into the current scenario."""
        self._choose(compose.with_kv_format, preset, "choose_kv_format")

    def choose_workload(self, preset: Any) -> None:
        """Take a workload preset into the current scenario."""
        self._choose(compose.with_workload, preset, "choose_workload")

    def choose_engine(self, kind: str, release: str = "", core: Core | None = None) -> None:
        """Take an engine of a release, as one step; raises `UserError` and changes nothing."""
        scenario = self.current
        if scenario is None:
            return
        core = engine_names.kept_core(scenario.engine, release) if core is None else core
        changed = compose.with_engine(scenario, kind, release, core)
        name = engine_names.engine_name(changed.engine)
        self._replace(changed, Step("choose_engine", {"name": name}))

    def set_flag(self, scenario: Scenario, flag: str, value: str) -> None:
        """Put a scenario with another flag, which is no quantity, in its place, as one step."""
        self._replace(scenario, Step("set_flag", {"flag": flag, "value": value}))

    def _choose(
        self, change: Callable[[Scenario, Any], Scenario], preset: Any, text_code: str
    ) -> None:
        scenario = self.current
        if scenario is not None:
            self._replace(change(scenario, preset), Step(text_code, {"name": preset.value.name}))

    # Scenarios

    def add(self, scenario: Scenario) -> str:
        """Put a scenario, with a new id, after the current one and look at it."""
        added = scenario.with_(id=self._new_id(), name=edits.free_name(self._plan, scenario.name))
        self._push(
            edits.inserted(self._plan, added, after=self._current_id),
            added.id,
            Step("add_scenario", {"name": added.name}),
        )
        return added.id

    def duplicate(self, scenario_id: str, name: str | None = None) -> str:
        """Put a copy next to a scenario and look at it; its name follows its first edit."""
        original = self._plan.scenario(scenario_id)
        name = f"{original.name} copy" if name is None else name
        copy = original.with_(id=self._new_id(), name=edits.free_name(self._plan, name))
        self._copies[copy.id] = edits.FreshCopy(original.name, copy.name)
        self._push(
            edits.inserted(self._plan, copy, after=scenario_id),
            copy.id,
            Step("duplicate_scenario", {"name": original.name}),
        )
        return copy.id

    def rename(self, scenario_id: str, name: str) -> None:
        """Give a scenario another name; raises `ValidationError` for an unusable one."""
        scenario = self._plan.scenario(scenario_id)
        renamed = scenario.with_(name=name.strip())
        self._copies.pop(scenario_id, None)
        if renamed.name != scenario.name:
            step = Step("rename_scenario", {"name": renamed.name})
            self._push(self._plan.replacing(renamed), scenario_id, step)

    def delete(self, scenario_id: str) -> None:
        """Take a scenario away; undo brings it back."""
        scenario = self._plan.scenario(scenario_id)
        current = self._current_id
        if current == scenario_id:
            current = edits.neighbour(self._plan, scenario_id)
        step = Step("delete_scenario", {"name": scenario.name})
        self._push(edits.without(self._plan, scenario_id), current, step)

    def move(self, scenario_id: str, index: int) -> None:
        """Put a scenario at another place of the order."""
        scenario = self._plan.scenario(scenario_id)
        moved = edits.moved(self._plan, scenario_id, index)
        if moved != self._plan:
            self._push(moved, self._current_id, Step("move_scenario", {"name": scenario.name}))

    def set_baseline(self, scenario_id: str) -> None:
        """Compare every scenario with this one."""
        scenario = self._plan.scenario(scenario_id)
        if scenario_id != self._plan.baseline:
            self._push(
                self._plan.with_(baseline=scenario_id),
                self._current_id,
                Step("set_baseline", {"name": scenario.name}),
            )

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
        old = self._plan.scenario(scenario.id)
        if scenario == old:
            self.end_preview()
            return
        copy = self._copies.get(scenario.id)
        if copy is not None:
            self._copies[scenario.id], scenario = copy.named_after(scenario, old, step)
        plan = self._plan.replacing(scenario)
        self._push(plan, scenario.id, step, merge=merge, burst=burst)

    def _push(
        self,
        plan: Plan,
        current_id: str | None,
        step: Step,
        *,
        merge: Hashable = None,
        burst: Hashable = None,
    ) -> None:
        previewed, self._preview = self._preview is not None, None
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
        lost = self._selection is not None and self._selection[0] not in ids
        self._plan = state.plan
        self._current_id = current_id
        if lost:
            self._selection = None
        self.plan_changed.emit(self._plan)
        if moved:
            self.current_changed.emit(current_id)
        if lost:
            self.selection_changed.emit(None)

    def _tell_state(self) -> None:
        self.state_changed.emit()

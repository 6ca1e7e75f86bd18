"""The verbs that change the open document. Each is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.gui import edits, engine_names
from workbench.gui.commands import Step
from workbench.gui.document import Document
from workbench.gui.messages import Message
from workbench.gui.tr import words
from workbench.library import compose, engine_choice
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import MAX_SCENARIOS, Scenario
from workbench.spec.words import FIELDS as FIELD_NAMES

if TYPE_CHECKING:
    from workbench.library.engines import Core


class Session(Document):
    """The document with its verbs: fields, presets, engines, and the list of scenarios."""

    # Fields

    def set_field(self, field_id: str, value: object, *, merge: Hashable = None) -> None:
        """Set a quantity of the selected scenarios as one step.

        The same `merge` key as the last step's folds into it (one drag); without a key a burst
        on one field does. Raises `UserError` or `ValidationError` and changes nothing.
        """
        current = self.current
        if current is None:
            return
        field = FIELDS[field_id]
        step = Step("set_field", {"field": field_id, "value": value, "name": current.name})
        self.edit(
            lambda scenario: field.write(scenario, value),
            step,
            applies=field.applies,
            merge=merge,
            burst=("field", self.selected_ids, field_id),
        )

    def preview_field(self, field_id: str, value: object) -> None:
        """Show the selected scenarios with a value, without a step; raises like `set_field`."""
        field = FIELDS[field_id]
        self.preview_scenarios(
            field.write(scenario, value)
            for scenario in self._selected()
            if field.applies(scenario) or scenario.id == self._current_id
        )

    def preview_scenarios(self, scenarios: Iterable[Scenario]) -> None:
        """Show scenarios in the place of those with their ids, without a step."""
        made = {scenario.id: scenario for scenario in scenarios}
        previews = {id_: made[id_] for id_ in made if made[id_] != self._plan.scenario(id_)}
        if previews != self._previews:
            self._previews = previews
            self.preview_changed.emit(self.preview)

    # Structural edits

    def edit(
        self,
        change: Callable[[Scenario], Scenario],
        step: Step,
        *,
        applies: Callable[[Scenario], bool] = lambda scenario: True,
        merge: Hashable = None,
        burst: Hashable = None,
    ) -> None:
        """Change the selected scenarios as one step.

        Those other than the current one to which the change does not apply stay as they are.
        Raises what `change` raises, for any of them, and changes nothing.
        """
        changed = [
            change(scenario)
            for scenario in self._selected()
            if scenario.id == self._current_id or applies(scenario)
        ]
        if len(changed) > 1:
            step = Step(step.code, {**step.params, "scenarios": len(changed)})
        self._replace_all(changed, step, merge=merge, burst=burst)

    def _selected(self) -> list[Scenario]:
        return [self._plan.scenario(scenario_id) for scenario_id in self.selected_ids]

    def replace_scenarios(self, scenarios: Sequence[Scenario], step: Step) -> None:
        """Put scenarios in the place of those with their ids, as one step."""
        if len(scenarios) > 1:
            step = Step(step.code, {**step.params, "scenarios": len(scenarios)})
        self._replace_all(scenarios, step)

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
        current = self.current
        if current is None:
            return

        def change(scenario: Scenario) -> Scenario:
            kept = engine_names.kept_core(scenario.engine, release) if core is None else core
            return engine_choice.with_engine(scenario, kind, release, kept)

        changed = change(current).engine
        name = engine_names.engine_name(changed)
        self.edit(change, Step("choose_engine", {"name": name}))
        lost = engine_choice.carried(current.engine, changed).lost
        if lost:
            labels = ", ".join(words(FIELD_NAMES[f"engine.{flag}"]) for flag in lost)
            params = {"engine": name, "flags": labels}
            self.tell(Message("info", "flags_left_behind", params, slot="engine"))

    def set_flag(self, write: Callable[[Scenario], Scenario], flag: str, value: str) -> None:
        """Set a flag which is no quantity, as one step, where the same engine has it."""
        current = self.current
        if current is None:
            return
        kind = current.engine.kind
        self.edit(
            write,
            Step("set_flag", {"flag": flag, "value": value}),
            applies=lambda scenario: scenario.engine.kind == kind,
        )

    def _choose(
        self, change: Callable[[Scenario, Any], Scenario], preset: Any, text_code: str
    ) -> None:
        if self.current is not None:
            step = Step(text_code, {"name": preset.value.name})
            self.edit(lambda scenario: change(scenario, preset), step)

    # Scenarios

    def _has_room(self, count: int = 1) -> bool:
        """Say so when the plan cannot hold as many more scenarios."""
        if len(self._plan.scenarios) + count <= MAX_SCENARIOS:
            return True
        error = UserError("too_many_scenarios", limit=MAX_SCENARIOS)
        self.tell(Message.of_error(error, slot="too_many_scenarios"))
        return False

    def add(self, scenario: Scenario) -> str | None:
        """Put a scenario, with a new id, after the current one and look at it."""
        if not self._has_room():
            return None
        added = scenario.with_(id=self._new_id(), name=edits.free_name(self._plan, scenario.name))
        self._push(
            edits.inserted(self._plan, added, after=self._current_id),
            added.id,
            Step("add_scenario", {"name": added.name}),
        )
        return added.id

    def paste(self, scenarios: Sequence[Scenario]) -> tuple[str, ...]:
        """Put copies of scenarios, from any plan, after the current one, as one step."""
        if not self._has_room(len(scenarios)):
            return ()
        plan, after, ids = self._plan, self._current_id, []
        for scenario in scenarios:
            name = edits.free_name(plan, scenario.name)
            own = edits.sharing(scenario, plan.scenarios)
            copy = own.with_(id=self._new_id(), name=name)
            plan, after = edits.inserted(plan, copy, after=after), copy.id
            ids.append(copy.id)
        if ids:
            first = scenarios[0].name
            step = Step("paste_scenario", {"name": first})
            if len(ids) > 1:
                step = Step("paste_scenarios", {"count": len(ids)})
            self._push(plan, ids[0], step)
            self.pick(ids)
        return tuple(ids)

    def duplicate(self, scenario_id: str, name: str | None = None) -> str | None:
        """Put a copy next to a scenario and look at it; its name follows its first edit."""
        if not self._has_room():
            return None
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

    def delete(self, *scenario_ids: str) -> None:
        """Take scenarios away, as one step; undo brings them back."""
        plan, current = self._plan, self._current_id
        names = [plan.scenario(scenario_id).name for scenario_id in scenario_ids]
        for scenario_id in scenario_ids:
            if current == scenario_id:
                current = edits.neighbour(plan, scenario_id)
            plan = edits.without(plan, scenario_id)
        step = Step("delete_scenario", {"name": "".join(names[:1])})
        if len(names) > 1:
            step = Step("delete_scenarios", {"count": len(names)})
        if names:
            self._push(plan, current, step)

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

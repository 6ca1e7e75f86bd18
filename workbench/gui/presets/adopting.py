"""Scenarios and the presets they were made from: who uses an old revision, and taking the new."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from workbench.gui.commands import Step
from workbench.gui.messages import Message, MessageAction
from workbench.library import compose, stale
from workbench.library.presets import KINDS, Kind, Library, Preset
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario

if TYPE_CHECKING:
    from workbench.gui.presets.feature import Presets

SLOT: Final = "old revision"
_PARTS: Final = {"models": "model", "gpus": "gpu", "workloads": "workload"}
KIND_OF: Final = {part: kind for kind, part in _PARTS.items()}
"""Kind of the presets of a part of a scenario; a format's part is its kind."""
_MOST_NAMES: Final = 3


class Adopting(QObject):
    """Finds the scenarios of the plan that a preset has moved on from."""

    def __init__(self, presets: Presets) -> None:
        super().__init__(presets)
        self._presets = presets
        self._session = presets.session
        self._library = presets.library

    # After a preset was saved

    def offer(self, preset: Preset[Any], before: Preset[Any] | None) -> None:
        """Say which scenarios use an old revision of a preset, and offer the new one."""
        made = self._adopted(preset, before)
        slot = f"{SLOT} {preset.kind} {preset.value.id}"
        if not made:
            self._session.tell(Message("info", "", slot=slot))
            return
        names = ", ".join(scenario.name for scenario in made[:_MOST_NAMES])
        if len(made) > _MOST_NAMES:
            names += ", …"
        actions = (
            MessageAction("take", partial(self._take_all, preset, before)),
            MessageAction(
                "difference",
                partial(self._presets.show_difference, preset, self._copy(made[0].id, preset)),
            ),
        )
        params = {"name": preset.value.name, "scenarios": names}
        self._session.tell(Message("info", "preset_old_revision", params, actions, slot))

    def _take_all(self, preset: Preset[Any], before: Preset[Any] | None) -> None:
        made = self._adopted(preset, before)
        step = Step("adopt_preset", {"name": preset.value.name})
        self._session.replace_scenarios(made, step)

    def _adopted(self, preset: Preset[Any], before: Preset[Any] | None) -> list[Scenario]:
        """Return the scenarios that would change, as they would be.

        Copies that a person has changed since are left to their own rows of the form.
        """
        changed = (
            self._with(scenario, preset, before) for scenario in self._session.plan.scenarios
        )
        return [scenario for scenario in changed if scenario is not None]

    def _with(
        self, scenario: Scenario, preset: Preset[Any], before: Preset[Any] | None
    ) -> Scenario | None:
        part = _PARTS.get(preset.kind)
        if part is None:
            return _with_format(scenario, preset, before)
        found = stale.stale_part(self._library, scenario, part)
        current = stale.current_of(self._library, scenario, part)
        if found is None or found.gone or current is None or stale.is_edited(scenario, part):
            return None
        if (current.namespace, current.value.id) != (preset.namespace, preset.value.id):
            return None
        return stale.adopted(self._library, scenario, part)

    def _copy(self, scenario_id: str, preset: Preset[Any]) -> Any:
        """Return the copy of a preset that a scenario holds."""
        scenario = self._session.plan.scenario(scenario_id)
        return copy_of(scenario, _PARTS.get(preset.kind, preset.kind))

    def _current_of(self, scenario: Scenario, part: str) -> Preset[Any] | None:
        """Return the preset of a part; formats are known by their ids alone."""
        for kind in KINDS:
            if kind.startswith("formats") and part == kind:
                return _known_format(self._library, kind, copy_of(scenario, part).id)
        return stale.current_of(self._library, scenario, part)

    # From a row of the form

    def answer(self, verb: str, part: str) -> None:
        """Edit, compare, or take anew the preset of a part of the current scenario."""
        scenario = self._session.current
        if scenario is None:
            return
        current = self._current_of(scenario, part)
        if verb == "edit":
            self._presets.edit_of(KIND_OF.get(part, part), current)
        elif current is None:
            return
        elif verb == "take":
            made = stale.adopted(self._library, scenario, part)
            step = Step("adopt_preset", {"name": current.value.name})
            self._session.replace_scenarios([made], step)
        else:
            self._presets.show_difference(current, copy_of(scenario, part))


def _known_format(library: Library, kind: Kind, preset_id: str) -> Preset[Any] | None:
    for namespace in ("builtin", "user"):
        with suppress(UserError):
            found = library.known(kind, f"{namespace}:{preset_id}")
            if found is not None:
                return found
    return None


def copy_of(scenario: Scenario, part: str) -> Any:
    """Return the copy of a preset that a scenario holds as one of its parts."""
    if part == "formats/weights":
        return scenario.precision.weights
    if part == "formats/kv":
        return scenario.precision.kv
    return getattr(scenario, part)


def _with_format(
    scenario: Scenario, preset: Preset[Any], before: Preset[Any] | None
) -> Scenario | None:
    """Formats have no reference: a copy that is what the file held before is an old revision."""
    if before is None or before.value == preset.value:
        return None
    precision = scenario.precision
    if preset.kind == "formats/weights" and precision.weights == before.value:
        return compose.with_weight_format(scenario, preset)
    if preset.kind == "formats/kv" and precision.kv == before.value:
        return compose.with_kv_format(scenario, preset)
    return None

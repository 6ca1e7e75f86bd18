"""What the page compares: scenarios of the plan, or presets put into the current scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, cast

from pydantic import ValidationError
from PySide6.QtCore import QObject, Signal

from workbench.gui.compare.cells import Look
from workbench.gui.language import on_language
from workbench.gui.session import Session
from workbench.gui.tr import preset_name
from workbench.library import compose
from workbench.library.presets import Kind, Preset
from workbench.spec.base import MAX_NAME_CHARACTERS
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.units import ByteUnit, UnitFamily, shown_family

Subject = Literal["scenarios", "models", "gpus"]
SUBJECTS: Final[tuple[Subject, ...]] = ("scenarios", "models", "gpus")
MOST_AT_FIRST: Final = 20
"""Columns that are shown unless somebody asks for more."""
_UNITS: Final[dict[UnitFamily, ByteUnit]] = {"binary": "GiB", "decimal": "GB"}


class Shown(QObject):
    """The columns and how they are looked at; each change is told once."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.subject: Subject = "scenarios"
        self._ids: tuple[str, ...] | None = None
        self._presets: dict[Subject, list[Preset[Any]]] = {"models": [], "gpus": []}
        self._baselines: dict[Subject, int] = {"models": 0, "gpus": 0}
        self._family = shown_family()
        self.look = Look(unit=_UNITS[self._family])
        on_language(self._follow_family)

    def _follow_family(self) -> None:
        """Take the unit of the whole window when that changes."""
        if shown_family() != self._family:
            self._family = shown_family()
            self.change_look(unit=_UNITS[self._family])

    # Scenarios

    def show_picked(self) -> None:
        """Compare the scenarios that are picked, or the whole plan when only one is."""
        picked = self._session.selected_ids
        self.subject = "scenarios"
        self._ids = picked if len(picked) > 1 else None
        self.changed.emit()

    def scenario_ids(self) -> tuple[str, ...]:
        """Return the scenarios compared, the baseline first."""
        plan = self._session.plan
        every = [scenario.id for scenario in plan.scenarios]
        wanted = every[:MOST_AT_FIRST] if self._ids is None else self._ids
        rest = [id_ for id_ in every if id_ in wanted and id_ != plan.baseline]
        return (plan.baseline, *rest) if plan.baseline is not None else tuple(rest)

    def set_scenario(self, scenario_id: str, *, shown: bool) -> None:
        """Add a column, or take one away; the baseline always stays."""
        ids = [id_ for id_ in self.scenario_ids() if id_ != scenario_id]
        self._ids = (*ids, scenario_id) if shown else tuple(ids)
        self.changed.emit()

    # Presets

    def show_presets(self, subject: Subject, presets: Sequence[Preset[Any]]) -> None:
        """Compare presets of one kind side by side; the first is the baseline."""
        self.subject = subject
        self._presets[subject] = _distinct(presets)
        self._baselines[subject] = 0
        self.changed.emit()

    def choose_subject(self, subject: Subject) -> None:
        """Compare something else; presets begin with the one in the current scenario."""
        self.subject = subject
        if subject != "scenarios" and not self._presets[subject]:
            own = self._own_preset(subject)
            self._presets[subject] = [] if own is None else [own]
        self.changed.emit()

    @property
    def presets(self) -> list[Preset[Any]]:
        """The presets compared; empty while scenarios are."""
        return self._presets.get(self.subject, [])

    @property
    def kind(self) -> Kind:
        """The kind of presets compared."""
        return "models" if self.subject == "models" else "gpus"

    def add_preset(self, preset: Preset[Any]) -> None:
        """Add a column."""
        self._presets[self.subject] = _distinct((*self.presets, preset))
        self.changed.emit()

    def remove_preset(self, number: int) -> None:
        """Take a column away."""
        del self._presets[self.subject][number]
        before = self._baselines[self.subject]
        self._baselines[self.subject] = max(0, before - (number <= before))
        self.changed.emit()

    def _own_preset(self, subject: Subject) -> Preset[Any] | None:
        """The current scenario's own model or card, as the preset it was taken from."""
        current = self._session.current
        if current is None:
            return None
        model = subject == "models"
        ref = current.model_ref if model else current.gpu_set_ref or current.gpu_ref
        if ref is not None:
            try:
                return self._session.library.get(self.kind, ref.namespace, ref.id)
            except UserError:
                pass
        value = current.model if model else current.gpu
        return Preset(self.kind, "user", value)

    def candidates(self) -> list[Scenario]:
        """Return the current scenario with each preset put into it; none if one does not go in."""
        current = self._session.current
        if current is None:
            return []
        shown = self._session.shown(current.id)
        put: Callable[..., Scenario] = compose.with_gpu
        more: tuple[Any, ...] = ()
        if self.subject == "models":
            put, more = compose.with_model, (self._session.library,)
        made = []
        for number, preset in enumerate(self.presets):
            try:
                scenario = put(shown, preset, *more)
            except (UserError, ValidationError):
                return []
            name = preset_name(preset.value.name, preset.namespace)[:MAX_NAME_CHARACTERS]
            made.append(scenario.with_(id=f"preset-{number}", name=name))
        return made

    # Both

    @property
    def baseline(self) -> int:
        """Index of the column that the others are compared with."""
        if self.subject == "scenarios":
            return 0
        return min(self._baselines[self.subject], max(0, len(self.presets) - 1))

    def choose_baseline(self, key: str) -> None:
        """Compare with another column: of scenarios that is a step of the plan."""
        if self.subject == "scenarios":
            self._session.set_baseline(key)
            return
        self._baselines[self.subject] = int(key.removeprefix("preset-"))
        self.changed.emit()

    def remove(self, key: str) -> None:
        """Take a column away."""
        if self.subject == "scenarios":
            self.set_scenario(key, shown=False)
        else:
            self.remove_preset(int(key.removeprefix("preset-")))

    def change_look(self, **changes: Any) -> None:
        """Look at the same columns in another way."""
        look = replace(self.look, **changes)
        if look != self.look:
            self.look = look
            self.changed.emit()


def _distinct(presets: Sequence[Preset[Any]]) -> list[Preset[Any]]:
    """Keep the first of presets that are the same one."""
    known: dict[tuple[str, str, str], Preset[Any]] = {}
    for preset in presets:
        key = (preset.kind, preset.namespace, cast(str, preset.value.id))
        known.setdefault(key, preset)
    return list(known.values())

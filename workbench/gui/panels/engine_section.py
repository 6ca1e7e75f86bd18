"""The engine of a scenario: which one, which release, and the flags of the plain arithmetic."""

from __future__ import annotations

from pydantic import ValidationError

from workbench.gui import engine_names
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.fields.release_box import ReleaseBox, ReleaseRow
from workbench.gui.fields.wording import refusal
from workbench.gui.panels.section import Section, Shown
from workbench.gui.tr import translate
from workbench.spec.engine import ENGINE_CLASSES, ENGINE_NAMES
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine


class EngineSection(Section):
    """Engine, release, and the core where a release has two."""

    _releases_of = ""
    """The engine whose releases are on offer."""

    def _title(self) -> str:
        return translate("Panels", "Engine")

    def _fill(self) -> None:
        self.kind = ChoiceBox(self)
        self.kind.chosen.connect(self._choose_kind)
        self.add_choice("engine.kind", self.kind)
        self.release = ReleaseBox(self)
        self.release.chosen.connect(self._choose_release)
        self.release_row = ReleaseRow("engine.release", self.release, self)
        self.add_row("engine.release", self.release_row)
        self.core = ChoiceBox(self)
        self.core.set_choices([("v1", "V1"), ("v0", "V0")])
        self.core.chosen.connect(self._choose_core)
        self.add_choice("engine.core", self.core)

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        engine = shown.scenario.engine
        plain = translate("Panels", "plain, whole blocks")
        self.kind.set_choices([(kind, ENGINE_NAMES.get(kind, plain)) for kind in ENGINE_CLASSES])
        self.kind.show_choice(engine.kind)
        self.choices["engine.kind"].show_differs(shown.differs(_kind))
        has_releases = engine.kind in ENGINE_NAMES
        self.release_row.setVisible(has_releases)
        has_cores = isinstance(engine, VllmEngine) and engine_names.has_both_cores(engine.release)
        self.choices["engine.core"].setVisible(has_cores)
        if not has_releases:
            return
        if self._releases_of != engine.kind:
            from workbench.library.release_table import known_releases

            self._releases_of = engine.kind
            self.release.set_releases(known_releases(engine.kind))
        if engine.release != self.release.release:
            self.release_row.show_error(None)
        self.release.show_release(engine.release)
        self.release_row.show_remark(engine_names.rules_text(engine))
        self.release_row.show_differs(shown.differs(_release))
        self.release_row.paint_state()
        if not isinstance(engine, VllmEngine):
            return
        self.core.show_choice(engine.core)
        self.choices["engine.core"].show_differs(shown.differs(_core))

    def _choose_kind(self, kind: str) -> None:
        scenario = self.session.current
        if scenario is not None and kind != scenario.engine.kind:
            self.session.choose_engine(kind)

    def _choose_release(self, text: str) -> None:
        """Take a release; a text that names none stays, with a sentence."""
        self.release_row.show_error(None)
        scenario = self.session.current
        if scenario is None:
            return
        try:
            self.session.choose_engine(scenario.engine.kind, text)
        except (UserError, ValidationError) as error:
            self.release_row.show_error(refusal(error))

    def _choose_core(self, core: str) -> None:
        scenario = self.session.current
        if scenario is not None:
            self.session.choose_engine(
                "vllm", scenario.engine.release, "v0" if core == "v0" else "v1"
            )


def _kind(scenario: Scenario) -> object:
    return scenario.engine.kind


def _release(scenario: Scenario) -> object:
    return scenario.engine.kind, scenario.engine.release


def _core(scenario: Scenario) -> object:
    return getattr(scenario.engine, "core", None)


class PlainSection(Section):
    """Flags of the plain arithmetic; those left to the engine are folded away."""

    of_engine = "plain"

    _FOLDED = (
        "engine.max_model_len",
        "engine.max_num_seqs",
        "engine.weights_bytes",
        "engine.runtime_bytes",
    )

    def _fill(self) -> None:
        self.add_field("engine.block_tokens", slider=False)
        self.add_field("engine.activation_reserve", slider=False)
        self.add_field("engine.fragmentation_reserve", slider=False)
        for field_id in self._FOLDED:
            self.add_field(field_id, slider=False)
        self.fold = self.add_fold(self._FOLDED, self._defaults_text).row.button

    def _defaults_text(self, shown: Shown) -> str:
        """How many flags the engine is left to choose; empty when it is left none."""
        left = [
            field_id
            for field_id in self._FOLDED
            if self.fields[field_id].field.read(shown.scenario) is None
        ]
        if not left:
            return ""
        return translate("Panels", "{number} engine defaults").format(number=len(left))

    def wants(self, field_id: str, edit: QuantityEdit, scenario: Scenario) -> bool:
        # A flag that somebody has set is no default.
        return super().wants(field_id, edit, scenario) or edit.field.read(scenario) is not None

    def show_state(self, shown: Shown) -> None:
        is_ours = shown.scenario.engine.kind == self.of_engine
        self.setVisible(is_ours)
        if is_ours:
            super().show_state(shown)

"""The sections of the scenario form, from top to bottom."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.fields.choice import PresetBox
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.messages import Message
from workbench.gui.panels.section import FoldRow, Section, Shown
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.library.presets import Kind
from workbench.spec import units
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSpec
from workbench.spec.scenario import Scenario


def tell_problem(session: Session, error: UserError) -> None:
    """Say in the message bar why a preset cannot be used."""
    session.tell(Message.of_error(error, slot="preset"))


class _PresetSection(Section):
    """A section with boxes that list presets."""

    def add_presets(self, field_id: str, kind: Kind, *, name: str = "") -> PresetBox:
        """Add a box with the presets of a kind."""
        box = PresetBox(self.session.library, kind, self)
        box.failed.connect(self._on_failed)
        self.add_choice(field_id, box, name=name)
        return box

    def _on_failed(self, error: UserError) -> None:
        tell_problem(self.session, error)


class ModelSection(_PresetSection):
    """Model preset, number formats, shape."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, translate("Panels", "Model"), parent)

    def _fill(self) -> None:
        self.model = self.add_presets("model.preset", "models")
        self.model.chosen.connect(self.session.choose_model)
        self.weights = self.add_presets("precision.weights", "formats/weights")
        self.weights.chosen.connect(self.session.choose_weight_format)
        self.kv = self.add_presets("precision.kv", "formats/kv")
        self.kv.chosen.connect(self.session.choose_kv_format)
        self.add_field("model.layers", slider=False)
        self.add_field("model.kv_heads", slider=False)
        self.add_field("model.head_dim", slider=False)

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        scenario = shown.scenario
        self.model.show_name(scenario.model.name)
        row = self.choices["model.preset"]
        row.show_remark(
            translate("Panels", "changed from the preset") if scenario.model_is_edited else ""
        )
        row.show_differs(shown.differs(_model_name))
        self.weights.show_name(scenario.precision.weights.name)
        self.choices["precision.weights"].show_differs(shown.differs(_weights))
        self.kv.show_name(scenario.precision.kv.name)
        self.choices["precision.kv"].show_differs(shown.differs(_kv))


def _model_name(scenario: Scenario) -> object:
    return scenario.model.id, scenario.model.name


def _weights(scenario: Scenario) -> object:
    return scenario.precision.weights


def _kv(scenario: Scenario) -> object:
    return scenario.precision.kv


class GpuSection(_PresetSection):
    """Card or set of cards, and the card's total in both units."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, translate("Panels", "GPU"), parent)

    def _fill(self) -> None:
        self.profile = self.add_presets("gpu.preset", "gpus")
        self.profile.chosen.connect(self.session.choose_gpu)
        self.add_field("gpu.device_total_bytes")

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        gpu = shown.scenario.gpu
        name = _profile_name(shown)
        # The vendor stands in front of every name and would push the rest out of the box.
        self.profile.show_name(name, name.removeprefix(f"{gpu.vendor} "))
        row = self.choices["gpu.preset"]
        row.show_differs(shown.differs(_gpu_name))
        row.show_remark(total_text(gpu))


def _profile_name(shown: Shown) -> str:
    """The set's name as long as card and layout are still the set's, else the card's."""
    scenario = shown.scenario
    ref = scenario.gpu_set_ref
    preset = None if ref is None else shown.library.current("gpus", ref)
    if preset is None or preset.value.card != scenario.gpu:
        return scenario.gpu.name
    same = scenario.deployment.gpus == preset.value.count
    return str(preset.value.name if same else scenario.gpu.name)


def _gpu_name(scenario: Scenario) -> object:
    return scenario.gpu.id, scenario.gpu.name, scenario.gpu_set_ref


def total_text(gpu: GpuSpec) -> str:
    """The card's total in GB and GiB, and what the driver's tool prints."""
    total = gpu.device_total_bytes
    text = f"{units.show_bytes(total, 'GB')} = {units.show_bytes(total, 'GiB')}"
    if gpu.smi_total_mib is not None:
        smi = f"{units.group_digits(gpu.smi_total_mib)} MiB"
        text += "; " + translate("Panels", "driver reports {size}").format(size=smi)
    return text


class DeploymentSection(Section):
    """Parallel sizes and what they come to."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, translate("Panels", "Deployment"), parent)

    def _fill(self) -> None:
        self.add_field("deployment.tp")
        for name in ("pp", "dp", "replicas"):
            self.add_field(f"deployment.{name}", slider=False)
        self.total = self.add_info(translate("Panels", "GPUs in all"))

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        deployment = shown.scenario.deployment
        number = units.group_digits(shown.ledger.scenario.gpus)
        if deployment.copies > 1:
            copies = units.group_digits(deployment.copies)
            number = translate("Panels", "{gpus}, {copies} copies of the model").format(
                gpus=number, copies=copies
            )
        self.total.value.set_text(number)


class EngineSection(Section):
    """The engine's flags; those left to the engine are folded away."""

    _FOLDED = (
        "engine.max_model_len",
        "engine.max_num_seqs",
        "engine.weights_bytes",
        "engine.runtime_bytes",
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._open = False
        super().__init__(session, translate("Panels", "Engine"), parent)

    def _fill(self) -> None:
        self.rules = self.add_info(translate("Panels", "engine"))
        self.add_field("engine.block_tokens")
        self.add_field("engine.activation_reserve")
        self.add_field("engine.fragmentation_reserve")
        for field_id in self._FOLDED:
            self.add_field(field_id, slider=False)
        self.folding = FoldRow(self)
        self.fold = self.folding.button
        self.fold.clicked.connect(self.toggle)
        self.infos.append(self.folding)
        self.box.addWidget(self.folding)

    def toggle(self) -> None:
        """Fold the defaults away, or show them."""
        self._open = not self._open
        self._show_folded()

    def unfold(self) -> None:
        """Show every field."""
        if not self._open:
            self.toggle()

    def wants(self, field_id: str, edit: QuantityEdit, scenario: Scenario) -> bool:
        if self._open or field_id not in self._FOLDED:
            return True
        return edit.field.read(scenario) is not None or edit.line.isModified()

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        self.rules.value.set_text(_engine_name(shown))
        self._show_folded()

    def _show_folded(self) -> None:
        scenario = self.session.current
        if scenario is None:
            return
        left = 0
        for field_id in self._FOLDED:
            edit = self.fields[field_id]
            left += edit.field.read(scenario) is None
            edit.setVisible(self.wants(field_id, edit, scenario))
        self.folding.setVisible(left > 0)
        arrow = "▾" if self._open else "▸"
        name = translate("Panels", "{number} engine defaults").format(number=left)
        self.fold.setText(f"{name} {arrow}")
        self.fold.setAccessibleName(name)


def _engine_name(shown: Shown) -> str:
    engine = shown.scenario.engine
    if engine.kind == "plain":
        return translate("Panels", "plain, whole blocks")
    return f"{engine.kind} {engine.release}"


class ReserveSection(Section):
    """What the planner keeps free."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, translate("Panels", "Reserve"), parent)

    def _fill(self) -> None:
        self.add_field("reserves.headroom")

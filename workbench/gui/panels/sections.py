"""The sections of the scenario form, from top to bottom."""

from __future__ import annotations

from workbench.gui.fields.choice import PresetBox
from workbench.gui.messages import Message
from workbench.gui.panels.section import Name, Section, Shown
from workbench.gui.presets.offer import EditButton, Offers
from workbench.gui.session import Session
from workbench.gui.tr import preset_name, translate
from workbench.gui.why import figure_why, set_why
from workbench.library.presets import Kind
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSpec
from workbench.spec.scenario import Scenario


def tell_problem(session: Session, error: UserError) -> None:
    """Say in the message bar why a preset cannot be used."""
    session.tell(Message.of_error(error, slot="preset"))


class _PresetSection(Section):
    """A section with boxes that list presets."""

    def add_presets(self, field_id: str, kind: Kind, *, name: Name = None) -> PresetBox:
        """Add a box with the presets of a kind."""
        box = PresetBox(self.session.library, kind, self)
        box.failed.connect(self._on_failed)
        self.add_choice(field_id, box, name=name)
        return box

    def _on_failed(self, error: UserError) -> None:
        tell_problem(self.session, error)


class ModelSection(_PresetSection):
    """Model preset, number formats, shape."""

    def _title(self) -> str:
        return translate("Panels", "Model")

    def _fill(self) -> None:
        self.model = self.add_presets("model.preset", "models")
        self.model.chosen.connect(self.session.choose_model)
        EditButton(self.session, "model", self.choices["model.preset"])
        self.offers = Offers(self.session, "model", self.choices["model.preset"])
        self.weights = self.add_presets("precision.weights", "formats/weights")
        self.weights.chosen.connect(self.session.choose_weight_format)
        self.kv = self.add_presets("precision.kv", "formats/kv")
        self.kv.chosen.connect(self.session.choose_kv_format)
        shape = ("model.layers", "model.kv_heads", "model.head_dim")
        self.shape = self.add_fold(shape, _shape_text)
        for field_id in shape:
            self.add_field(field_id, slider=False)

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        scenario = shown.scenario
        self.model.show_name(scenario.model.name)
        row = self.choices["model.preset"]
        row.show_remark(
            translate("Panels", "changed from the preset") if scenario.model_is_edited else ""
        )
        row.show_differs(shown.differs(_model_name))
        self.offers.show(shown.library, scenario)
        self.weights.show_name(preset_name(scenario.precision.weights.name))
        self.choices["precision.weights"].show_differs(shown.differs(_weights))
        self.kv.show_name(preset_name(scenario.precision.kv.name))
        self.choices["precision.kv"].show_differs(shown.differs(_kv))


def _shape_text(shown: Shown) -> str:
    """The shape in a line; empty for a model whose layers differ."""
    model = shown.scenario.model
    attention = model.uniform_attention
    if attention is None:
        return ""
    shape = {"layers": model.layer_count, "kv_heads": attention.kv_heads}
    text = translate("Panels", "{layers} layers · {kv_heads} KV heads · head size {head_dim}")
    return words.fill(text, {**shape, "head_dim": attention.head_dim})


def _model_name(scenario: Scenario) -> object:
    return scenario.model.id, scenario.model.name


def _weights(scenario: Scenario) -> object:
    return scenario.precision.weights


def _kv(scenario: Scenario) -> object:
    return scenario.precision.kv


class GpuSection(_PresetSection):
    """Card or set of cards, and the card's total in both units."""

    def _title(self) -> str:
        return translate("Panels", "GPU")

    def _fill(self) -> None:
        self.profile = self.add_presets("gpu.preset", "gpus")
        self.profile.chosen.connect(self.session.choose_gpu)
        EditButton(self.session, "gpu", self.choices["gpu.preset"])
        self.offers = Offers(self.session, "gpu", self.choices["gpu.preset"])
        self.add_field("gpu.device_total_bytes")

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        gpu = shown.scenario.gpu
        name = preset_name(_profile_name(shown))
        # The vendor stands in every name and would push the rest out of the box.
        self.profile.show_name(name, name.replace(gpu.name, gpu.short_name, 1))
        row = self.choices["gpu.preset"]
        row.show_differs(shown.differs(_gpu_name))
        self.offers.show(shown.library, shown.scenario)
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

    def _title(self) -> str:
        return translate("Panels", "Deployment")

    def _fill(self) -> None:
        self.add_field("deployment.tp")
        others = (
            "deployment.pp",
            "deployment.dp",
            "deployment.ep",
            "deployment.dcp",
            "deployment.replicas",
        )
        self.others = self.add_fold(others, _layout_text)
        for field_id in others:
            self.add_field(field_id, slider=False)
        self.total = self.add_info(_total_name)
        set_why(self.total.value, figure_why(None, "gpus"), by_click=True)

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


def _total_name() -> str:
    return translate("Panels", "GPUs in all")


def _layout_text(shown: Shown) -> str:
    deployment = shown.scenario.deployment
    text = translate("Panels", "PP {pp} · DP {dp} · replicas {replicas}")
    if shown.scenario.engine.kind == "vllm":
        text = translate("Panels", "PP {pp} · DP {dp} · EP {ep} · DCP {dcp} · replicas {replicas}")
    return text.format(
        pp=deployment.pp,
        dp=deployment.dp,
        ep=deployment.ep,
        dcp=deployment.dcp,
        replicas=deployment.replicas,
    )


class ReserveSection(Section):
    """What the planner keeps free."""

    def _title(self) -> str:
        return translate("Panels", "Reserve")

    def _fill(self) -> None:
        self.add_field("reserves.headroom")
        self.add_field("reserves.tight_below", slider=False)

"""The flags of vLLM: a few open, the rest folded, measured figures in a fold of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from workbench.gui.fields.choice import ChoiceBox, ChoiceRow
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.fields.wording import field_label
from workbench.gui.panels import vllm_flags
from workbench.gui.panels.section import Section, Shown
from workbench.gui.tr import flag_word, translate
from workbench.spec.scenario import Scenario

_OPEN: Final = {
    "engine.gpu_memory_utilization": True,
    "engine.max_model_len": True,
}
"""Fields that are always shown, and whether with a slider."""
_MORE: Final = (
    "engine.max_num_seqs",
    "engine.max_num_batched_tokens",
    "engine.block_tokens",
    "engine.kv_cache_memory_bytes",
    "engine.num_gpu_blocks_override",
    "engine.speculative_tokens",
    "engine.cpu_offload_bytes",
)
_MEASURED: Final = tuple(
    f"engine.measured_{name}"
    for name in (
        "weights_bytes",
        "activation_bytes",
        "non_torch_bytes",
        "graphs_bytes",
        "available_kv_bytes",
        "used_before_start_bytes",
    )
)


def _short_names() -> Mapping[str, str]:
    """Names that the fold or the section already says half of."""
    return {
        "engine.gpu_memory_utilization": translate("Panels", "utilization"),
        "engine.max_num_batched_tokens": translate("Panels", "batched tokens"),
        "engine.kv_cache_memory_bytes": translate("Panels", "KV memory"),
        "engine.second_generation_runner": translate("Panels", "second runner"),
        "engine.fit_max_model_len": translate("Panels", "fit length"),
        "engine.max_cudagraph_capture_size": translate("Panels", "graph size"),
        "engine.attention_block_tokens": translate("Panels", "kernel blocks"),
        "engine.hybrid_kv_cache_manager": translate("Panels", "hybrid manager"),
        "engine.measured_weights_bytes": translate("Panels", "weights"),
        "engine.measured_activation_bytes": translate("Panels", "activations"),
        "engine.measured_non_torch_bytes": translate("Panels", "outside torch"),
        "engine.measured_graphs_bytes": translate("Panels", "CUDA graphs"),
        "engine.measured_available_kv_bytes": translate("Panels", "KV pool"),
        "engine.measured_used_before_start_bytes": translate("Panels", "before start"),
        "engine.measured_source": translate("Panels", "source"),
    }


class VllmSection(Section):
    """Built when a scenario with vLLM is first shown; hidden under other engines."""

    def _fill(self) -> None:
        for field_id, slider in _OPEN.items():
            self.add_field(field_id, slider=slider, name=_name(field_id))
        switches = tuple(choice.id for choice in vllm_flags.CHOICES)
        texts = tuple(flag.id for flag in vllm_flags.TEXTS)
        self.more = self.add_fold((*_MORE, *switches, *texts), self._more_text)
        for field_id in _MORE:
            self.add_field(field_id, slider=False, name=_name(field_id))
        for choice in vllm_flags.CHOICES:
            box = ChoiceBox(self)
            box.setProperty("flag", choice.name)
            box.chosen.connect(self._choose)
            self.add_choice(choice.id, box, name=_name(choice.id))
        for flag in vllm_flags.TEXTS:
            self.add_typed(flag, name=_name(flag.id))
        source = vllm_flags.SOURCE
        self.measured = self.add_fold((*_MEASURED, source.id), self._measured_text)
        for field_id in _MEASURED:
            self.add_field(field_id, slider=False, name=_name(field_id))
        self.add_typed(source, name=_name(source.id))

    # Showing

    def show_state(self, shown: Shown) -> None:
        is_vllm = shown.scenario.engine.kind == "vllm"
        self.setVisible(is_vllm)
        if not is_vllm:
            return
        super().show_state(shown)
        for choice in vllm_flags.CHOICES:
            self._show_choice(choice, self.choices[choice.id], shown)
        for flag_id, row in self.typed.items():
            row.setVisible(
                self._is_open(flag_id)
                or bool(row.flag.read(shown.scenario))
                or row.line.isModified()
            )
            row.show_state(
                shown.scenario,
                placeholder=_placeholder(flag_id),
                differs=shown.differs(partial(_text_of, row.flag.read)),
            )

    def _show_choice(self, choice: vllm_flags.Choice, row: ChoiceRow, shown: Shown) -> None:
        scenario, box = shown.scenario, row.box
        row.setVisible(self._is_open(choice.id) or choice.is_set(scenario))
        if row.isHidden() or not isinstance(box, ChoiceBox):
            return
        texts = [
            (
                code,
                vllm_flags.default_word(choice, scenario, shown.ledger)
                if code == vllm_flags.DEFAULT
                else flag_word(code),
            )
            for code in choice.values
        ]
        box.set_choices(texts)
        box.show_choice(choice.code(scenario))
        row.show_differs(shown.differs(partial(_value_of, choice.name)))

    def _is_open(self, flag_id: str) -> bool:
        return any(fold.is_open and flag_id in fold.field_ids for fold in self.folds)

    def wants(self, field_id: str, edit: QuantityEdit, scenario: Scenario) -> bool:
        # A flag that somebody has set is never hidden.
        return super().wants(field_id, edit, scenario) or bool(edit.field.read(scenario))

    def _more_text(self, shown: Shown) -> str:
        return translate("Panels", "More flags")

    def _measured_text(self, shown: Shown) -> str:
        return translate("Panels", "From a start-up log")

    # Verbs

    def _choose(self, code: str) -> None:
        name, scenario = self.sender().property("flag"), self.session.current
        choice = next(choice for choice in vllm_flags.CHOICES if choice.name == name)
        if scenario is not None and code != choice.code(scenario):
            value = "" if code == vllm_flags.DEFAULT else code
            self.session.set_flag(lambda scenario: choice.write(scenario, code), choice.id, value)


def _name(field_id: str) -> Callable[[], str]:
    return partial(_short_name, field_id)


def _short_name(field_id: str) -> str:
    return _short_names().get(field_id) or field_label(field_id)


def _placeholder(flag_id: str) -> str:
    if flag_id == "engine.measured_source":
        return translate("Panels", "file or link of the log")
    return translate("Panels", "default")


def _value_of(name: str, scenario: Scenario) -> object:
    return getattr(scenario.engine, name, None)


def _text_of(read: object, scenario: Scenario) -> object:
    return read(scenario) if scenario.engine.kind == "vllm" else None  # type: ignore[operator]

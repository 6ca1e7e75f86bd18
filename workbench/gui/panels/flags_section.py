"""The flags of an engine: two open, the rest folded, measured figures in a fold of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtWidgets import QWidget

from workbench.gui.fields.choice import ChoiceBox, ChoiceRow
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.fields.wording import field_label
from workbench.gui.panels.flag_rows import (
    SOURCE,
    code_of,
    default_word,
    is_set,
    typed_flag,
    with_code,
)
from workbench.gui.panels.section import Section, Shown
from workbench.gui.session import Session
from workbench.gui.tr import flag_word, translate
from workbench.spec.engine import ENGINE_CLASSES
from workbench.spec.engine_flags import DEFAULT, Flag, flags_of, measured_sizes
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Scenario

_OPEN: Final = 2
"""Quantities of the profile that are always shown, the first with sliders."""


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
        "engine.measured_before_load_bytes": translate("Panels", "free before load"),
        "engine.measured_after_load_bytes": translate("Panels", "free after load"),
        "engine.measured_pool_bytes": translate("Panels", "KV pool"),
        "engine.measured_source": translate("Panels", "source"),
    }


class FlagsSection(Section):
    """The flags of one engine, told from its profile; hidden under other engines."""

    def __init__(self, kind: str, session: Session, parent: QWidget | None = None) -> None:
        self.of_engine = kind
        self._flags = flags_of(ENGINE_CLASSES[kind])
        self._choices = {flag.name: flag for flag in self._flags if flag.kind == "choice"}
        super().__init__(session, parent)

    def _fill(self) -> None:
        quantities = [flag.id for flag in self._flags if flag.is_quantity]
        lists = [flag for flag in self._flags if flag.kind == "list"]
        measured = [
            f"engine.measured_{name}" for name in measured_sizes(ENGINE_CLASSES[self.of_engine])
        ]
        for field_id in quantities[:_OPEN]:
            self.add_field(field_id, name=_name(field_id))
        folded = (*quantities[_OPEN:], *(flag.id for flag in (*self._choices.values(), *lists)))
        self.more = self.add_fold(
            folded, self._more_text, partial(self._add_more, quantities[_OPEN:], lists)
        )
        if measured:
            self.measured = self.add_fold(
                (*measured, SOURCE.id), self._measured_text, partial(self._add_measured, measured)
            )

    def _add_more(self, quantities: list[str], lists: list[Flag]) -> None:
        for field_id in quantities:
            self.add_field(field_id, slider=False, name=_name(field_id))
        for flag in self._choices.values():
            box = ChoiceBox(self)
            box.setProperty("flag", flag.name)
            box.chosen.connect(self._choose)
            self.add_choice(flag.id, box, name=_name(flag.id))
        for flag in lists:
            self.add_typed(typed_flag(flag), name=_name(flag.id))

    def _add_measured(self, measured: list[str]) -> None:
        for field_id in measured:
            self.add_field(field_id, slider=False, name=_name(field_id))
        self.add_typed(SOURCE, name=_name(SOURCE.id))

    def label_width(self) -> int:
        row = next(iter(self.fields.values()))
        ids = (field_id for fold in self.folds if fold.make for field_id in fold.field_ids)
        return max([super().label_width(), *(row.width_for(_name(field_id)()) for field_id in ids)])

    # Showing

    def show_state(self, shown: Shown) -> None:
        is_ours = shown.scenario.engine.kind == self.of_engine
        self.setVisible(is_ours)
        if not is_ours:
            return
        for fold in self.folds:
            # A flag that somebody has set is never hidden.
            if fold.make and any(
                self._is_set(field_id, shown.scenario) for field_id in fold.field_ids
            ):
                self.fill_fold(fold)
        super().show_state(shown)
        for flag in self._choices.values():
            if flag.id in self.choices:
                self._show_choice(flag, self.choices[flag.id], shown)
        for flag_id, row in self.typed.items():
            row.setVisible(
                self._is_open(flag_id)
                or bool(row.flag.read(shown.scenario))
                or row.line.isModified()
            )
            row.show_state(
                shown.scenario,
                placeholder=_placeholder(flag_id),
                differs=shown.differs(partial(_text_of, self.of_engine, row.flag.read)),
            )

    def _show_choice(self, flag: Flag, row: ChoiceRow, shown: Shown) -> None:
        scenario, box = shown.scenario, row.box
        row.setVisible(self._is_open(flag.id) or is_set(flag, scenario))
        if row.isHidden() or not isinstance(box, ChoiceBox):
            return
        texts = [
            (
                code,
                default_word(flag, scenario, shown.ledger) if code == DEFAULT else flag_word(code),
            )
            for code in flag.values
        ]
        box.set_choices(texts)
        box.show_choice(code_of(flag, scenario))
        row.show_differs(shown.differs(partial(_value_of, flag.name)))

    def _is_set(self, field_id: str, scenario: Scenario) -> bool:
        name = field_id.removeprefix("engine.")
        if name in self._choices:
            return is_set(self._choices[name], scenario)
        if field_id == SOURCE.id:
            return bool(SOURCE.read(scenario))
        if field_id in FIELDS:
            return FIELDS[field_id].applies(scenario) and bool(FIELDS[field_id].read(scenario))
        return bool(getattr(scenario.engine, name, None))

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
        flag, scenario = self._choices[self.sender().property("flag")], self.session.current
        if scenario is not None and code != code_of(flag, scenario):
            value = "" if code == DEFAULT else code
            self.session.set_flag(lambda scenario: with_code(flag, scenario, code), flag.id, value)


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


def _text_of(kind: str, read: Callable[[Scenario], str], scenario: Scenario) -> object:
    return read(scenario) if scenario.engine.kind == kind else None

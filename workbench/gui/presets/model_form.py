"""The form of a model: its figures, its layers as a table, its tensors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton

from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.presets.forms import Form, Group
from workbench.gui.presets.rows import EditRow, Part
from workbench.gui.presets.rows_model import Shown
from workbench.gui.presets.wording import field_name, says
from workbench.gui.tr import QT_TRANSLATE_NOOP, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.why import Why, set_why
from workbench.library.model_edits import (
    expert_fields,
    kept_elements,
    mixer_fields,
    model_fields,
    run_columns,
)
from workbench.library.preset_edits import without_published
from workbench.library.preset_facts import facts, remarks
from workbench.library.preset_fields import edit_fields
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.model import LayerRun, ModelSpec, StageTensor, Tensor

_IDENTITY = ("name", "family", "architecture")
_ATTENTION = ("attention.kv_heads", "attention.heads", "attention.head_dim")
_SHAPE = (
    "hidden_size",
    "intermediate_size",
    "vocab_size",
    "max_position_tokens",
    "max_position_extended_tokens",
    "rope_theta",
    "tied_embeddings",
    "checkpoint_dtype",
    "shipped_format",
)
_PUBLISHED = ("published_parameters", "published_non_parameters", "license_note")


class ModelForm(Form):
    """Edits a model."""

    def _fill(self) -> None:
        fields = model_fields()
        self._run = 0
        model = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Model")))
        model.add_fields([fields[name] for name in _IDENTITY], self.whole)
        attention = self.add_group(self._attention_title)
        attention.add_fields([fields[name] for name in _ATTENTION], self.whole)
        self._add_sum(attention)
        shape = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Shape")))
        shape.add_fields([fields[name] for name in _SHAPE], self.whole)
        if self.whole.value.moe is not None:
            experts = self.add_group(partial(field_name, "experts"))
            experts.add_fields(expert_fields(self.whole.value), self.whole)
        self._add_layers()
        outside = self.add_group(
            says(QT_TRANSLATE_NOOP("Presets", "Tensors outside the layers")), folds=True
        )
        outside.add_table(
            says(QT_TRANSLATE_NOOP("Presets", "Tensors outside the layers")),
            Part(self.draft, _tensors, _with_tensors),
            partial(edit_fields, StageTensor),
            _new_stage_tensor,
            can_be_empty=True,
        )
        published = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Published")), folds=True)
        published.add_fields([fields[name] for name in _PUBLISHED], self.whole)
        self.add_sources(fields)

    def _attention_title(self) -> str:
        """Layers that are not alike have no attention in common, only what they add up to."""
        if self.whole.value.uniform_attention is None:
            return translate("Presets", "All layers together")
        return translate("Presets", "Attention of all layers")

    # What the layers add up to

    def _add_sum(self, group: Group) -> None:
        self.sum = Label("", group.body, role="muted", wrap=True, selectable=True)
        self.problems = Label("", group.body, role="warning", wrap=True, selectable=True)
        self.forget = QPushButton(group.body)
        self.forget.clicked.connect(self._forget_published)
        for widget in (self.sum, self.problems):
            group.box.addWidget(widget)
        line = QHBoxLayout()
        line.addWidget(self.forget)
        line.addStretch(1)
        group.box.addLayout(line)
        follow_language(self._say_forget)

    def _say_forget(self) -> None:
        self.forget.setText(translate("Presets", "Forget the published figures"))
        self.forget.setAccessibleDescription(
            translate("Presets", "The copy is then no longer held against them")
        )

    def _forget_published(self) -> None:
        step = translate("Presets", "forget the published figures")
        self.draft.change(without_published(self.draft.preset), step)

    def _show_sum(self) -> None:
        known = {term.symbol: term for term in facts(self.draft.preset)}
        size = int(known["kv_bytes_per_token"].value)
        text = translate("Presets", "KV {size} a token at 16 bits").format(
            size=units.show_bytes(size)
        )
        if "parameters" in known:
            count = units.group_digits(int(known["parameters"].value))
            text += " · " + translate("Presets", "{count} parameters").format(count=count)
        self.sum.set_text(text)
        set_why(self.sum, Why(None, term=known["kv_bytes_per_token"]))
        found = remarks(self.draft.preset)
        sentences = [words.error_text(UserError(r.code, **r.params), words_tr) for r in found]
        self.problems.set_text(" ".join(sentences))
        self.problems.setVisible(bool(sentences))
        counted = known.get("parameters", known["kv_bytes_per_token"])
        set_why(self.problems, Why(None, term=counted) if sentences else None)
        published = {"parameters_differ", "kv_elements_differ"}
        self.forget.setVisible(any(remark.code in published for remark in found))

    # Layers

    def _add_layers(self) -> None:
        title = says(QT_TRANSLATE_NOOP("Presets", "Layers"))
        group = self.add_group(title)
        layers = Part(self.draft, _layers, _with_layers)
        self.layers = group.add_table(
            title,
            layers,
            self._columns,
            _new_run,
            shown=(
                Shown(says(QT_TRANSLATE_NOOP("Presets", "KV elements")), _kept),
                Shown(says(QT_TRANSLATE_NOOP("Presets", "parameters")), _parameters),
            ),
        )
        self.layers.current_changed.connect(self._on_run)
        run = Part(self.draft, self._read_run, self._write_run)
        self._run_part = run
        self.details = self.add_group(self._details_title, folds=True)
        self._details_of: object = None
        tensors = self.add_group(self._tensors_title, folds=True)
        self.tensors_group = tensors
        tensors.add_table(
            self._tensors_title,
            Part(self.draft, self._read_run_tensors, self._write_run_tensors),
            partial(edit_fields, Tensor),
            _new_tensor,
            can_be_empty=True,
        )

    def _columns(self) -> Sequence[Any]:
        return run_columns(self.whole.value)

    def _details_title(self) -> str:
        return translate("Presets", "All figures of row {row}").format(row=self._run + 1)

    def _tensors_title(self) -> str:
        return translate("Presets", "Tensors of one layer of row {row}").format(row=self._run + 1)

    def _on_run(self, row: object) -> None:
        if isinstance(row, int) and row >= 0 and row != self._run:
            for group in (self.details, self.tensors_group):
                for table in group.tables:
                    table.forget_faults()
            self._run = row
            self.refresh()

    def _read_run(self, model: ModelSpec) -> LayerRun:
        return model.layers[min(self._run, len(model.layers) - 1)]

    def _write_run(self, model: ModelSpec, run: LayerRun) -> ModelSpec:
        at = min(self._run, len(model.layers) - 1)
        return model.with_(layers=(*model.layers[:at], run, *model.layers[at + 1 :]))

    def _read_run_tensors(self, model: ModelSpec) -> tuple[Tensor, ...]:
        return self._read_run(model).tensors

    def _write_run_tensors(self, model: ModelSpec, tensors: tuple[Tensor, ...]) -> ModelSpec:
        return self._write_run(model, self._read_run(model).with_(tensors=tensors))

    def _show_details(self) -> None:
        """Make the rows of a layer's figures anew when it is of another kind."""
        run = self._run_part.value
        shape = (self._run, run.mixer.kind, tuple(f.path for f in mixer_fields(run)))
        if shape != self._details_of:
            self._details_of = shape
            self.details.clear_rows()
            for field in mixer_fields(run):
                self.details.add_row(EditRow(field, self._run_part, self.details.body))
            self._align()
        self.details._say()
        self.tensors_group._say()
        self.details.setVisible(bool(self.details.rows))

    def refresh(self) -> None:
        """Show the draft as it is now."""
        self._show_details()
        super().refresh()
        self._show_sum()


def _layers(model: ModelSpec) -> tuple[LayerRun, ...]:
    return model.layers


def _with_layers(model: ModelSpec, layers: tuple[LayerRun, ...]) -> ModelSpec:
    return model.with_(layers=layers)


def _tensors(model: ModelSpec) -> tuple[StageTensor, ...]:
    return model.tensors


def _with_tensors(model: ModelSpec, tensors: tuple[StageTensor, ...]) -> ModelSpec:
    return model.with_(tensors=tensors)


def _kept(run: LayerRun) -> str:
    return units.group_digits(kept_elements(run))


def _parameters(run: LayerRun) -> str:
    return units.group_digits(sum(tensor.elements for tensor in run.tensors))


def _new_run(rows: Sequence[LayerRun], at: int) -> LayerRun:
    """One more layer like the one above."""
    return rows[at - 1].with_(count=1)


def _free_tensor_name(rows: Sequence[Tensor]) -> str:
    names = {tensor.name for tensor in rows}
    return next(f"tensor_{n}" for n in range(1, len(names) + 2) if f"tensor_{n}" not in names)


def _new_tensor(rows: Sequence[Tensor], at: int) -> Tensor:
    if rows and at > 0:
        return replace_name(rows[at - 1], _free_tensor_name(rows))
    return Tensor(name=_free_tensor_name(rows), shape=(1,))


def _new_stage_tensor(rows: Sequence[StageTensor], at: int) -> StageTensor:
    if rows and at > 0:
        return replace_name(rows[at - 1], _free_tensor_name(rows))
    return StageTensor(name=_free_tensor_name(rows), shape=(1,))


def replace_name(tensor: Any, name: str) -> Any:
    """Return a tensor under another name."""
    return tensor.with_(name=name)

"""The tables of a preset: figures, differences, layers, all fields, sources."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.labels import Label, heading
from workbench.gui.language import follow_language
from workbench.gui.paint_turn import Refresh
from workbench.gui.presets.table_rows import (
    DIFFERS,
    TENSOR_COLUMNS,
    difference_row,
    field_rows,
    figure_row,
    layer_rows,
    quantile_rows,
    tensor_rows,
)
from workbench.gui.presets.wording import field_name
from workbench.gui.tr import preset_name, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import word
from workbench.gui.why import Why, set_why
from workbench.library.preset_diff import differences
from workbench.library.preset_facts import facts, remarks, source_of
from workbench.library.presets import Preset
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Source
from workbench.spec.model import ModelSpec
from workbench.spec.workload import WorkloadPreset

_MOST_ROWS = 400


class Tables(Page):
    """Everything a preset says, from top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        em = self.fontMetrics().height()
        self.box.setContentsMargins(em, em // 2, em, em // 2)
        self._soon = Refresh(self._catch_up, self)
        self._stale = False
        self._shown: tuple[Preset[Any] | None, Preset[Any] | None, Any] = (None, None, None)
        self.remarks = Label("", self.body, role="warning", wrap=True, selectable=True)
        self.figures = Block("", ("", ""), self.body, stretch=1)
        self.difference = Block("", ("", "", "", ""), self.body, stretch=3)
        # Sources are long: both presets stay in sight.
        self.difference.table.most_characters = 44
        self.layers = Block("", ("",) * 10, self.body, stretch=0)
        self.fields = Block("", ("", ""), self.body, stretch=1)
        self.quantiles = Block("", ("", "", ""), self.body, stretch=0)
        self.tensors_button = QPushButton(self.body)
        self.tensors_button.setProperty("flat", True)
        self.tensors_button.setProperty("fold", True)
        self.tensors_button.clicked.connect(self._on_tensors)
        self.tensors = Block("", ("",) * (2 + len(TENSOR_COLUMNS)), self.body, stretch=1)
        self._with_tensors = False
        self.sources_title = heading("", self.body)
        self.sources = Label("", self.body, wrap=True, selectable=True)
        self.same = Label("", self.body, role="muted", wrap=True)
        self.add(self.remarks)
        self.add(self.figures)
        self._compare_place = self.box.count()
        for widget in (
            self.same,
            self.difference,
            self.layers,
            self.fields,
            self.quantiles,
            self.sources_title,
            self.sources,
            self.tensors_button,
            self.tensors,
        ):
            self.add(widget)
        self.finish()
        follow_language(self._say)

    def put_compare(self, widget: QWidget) -> None:
        """Put what chooses the other preset above the differences."""
        self.box.insertWidget(self._compare_place, widget)

    def show_difference(self) -> None:
        """Bring the differences into sight."""
        QTimer.singleShot(0, self, self._scroll_to_difference)

    def _scroll_to_difference(self) -> None:
        self.ensureWidgetVisible(self.difference)

    def _on_tensors(self) -> None:
        self._with_tensors = not self._with_tensors
        self._show()

    def _say(self) -> None:
        value = translate("Presets", "value")
        field = translate("Presets", "field")
        self.figures.say(translate("Presets", "Figures"), (translate("Presets", "figure"), value))
        self.fields.say(translate("Presets", "All fields"), (field, value))
        names = ("kind", "count", "heads", "kv_heads", "head_dim", "window_tokens", "ffn")
        self.layers.say(
            translate("Presets", "Layers"),
            (
                *(field_name(name) for name in names),
                field_name("intermediate_size"),
                translate("Presets", "KV elements"),
                translate("Presets", "parameters"),
            ),
        )
        self.quantiles.say(
            field_name("points"),
            (translate("Presets", "of"), field_name("q"), field_name("tokens")),
        )
        self.tensors.say(
            field_name("tensors"),
            (
                translate("Presets", "in"),
                translate("Presets", "tensor"),
                *(field_name(field.name) for field in TENSOR_COLUMNS),
            ),
        )
        self.tensors_button.setAccessibleName(field_name("tensors"))
        self.tensors_button.setAccessibleDescription(
            translate("Presets", "Shows or hides what belongs to it")
        )
        self.sources_title.set_text(translate("Presets", "Sources"))
        self._show_soon()

    def show_preset(
        self, preset: Preset[Any] | None, other: Preset[Any] | None, copy: Any = None
    ) -> None:
        """Show a preset beside another one, or beside a copy that a scenario holds."""
        if (preset, other, copy) != self._shown:
            self._shown = (preset, other, copy)
            if self.isVisible():
                self._show()
            else:
                self._show_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            # The tables of before, or those that no preset has filled, are not seen.
            self._soon.ask_unseen()

    def _show_soon(self) -> None:
        """Show rows in a turn of their own, and only in sight: a long model has a hundred."""
        self._stale = True
        if self.isVisible():
            # Words of two languages are not seen side by side.
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._show()

    def _show(self) -> None:
        self._stale = False
        preset, other, copy = self._shown
        self.body.setVisible(preset is not None)
        if preset is None:
            return
        source = source_of(preset)
        found = remarks(preset)
        self.remarks.set_text(
            " ".join(words.error_text(UserError(r.code, **r.params), words_tr) for r in found)
        )
        self.remarks.setVisible(bool(found))
        known = facts(preset)
        set_why(self.remarks, Why(None, term=known[0]) if found and known else None)
        self.figures.show_rows([figure_row(term) for term in known])
        self._show_difference(preset, other, copy)
        value = preset.value
        self.layers.show_rows(layer_rows(value, source) if isinstance(value, ModelSpec) else ())
        self.fields.show_rows(field_rows(preset, source))
        is_workload = isinstance(value, WorkloadPreset)
        self.quantiles.show_rows(quantile_rows(value, source) if is_workload else ())
        self._show_sources(preset)
        self._show_tensors(value, source)

    def _show_tensors(self, value: object, source: Source) -> None:
        """Show the tensors of a model; some have thousands, so only when they are asked for."""
        known = isinstance(value, ModelSpec) and value.has_weights
        self.tensors_button.setVisible(known)
        mark = "▾" if self._with_tensors else "▸"
        self.tensors_button.setText(f"{field_name('tensors')} {mark}")
        wanted = known and self._with_tensors and isinstance(value, ModelSpec)
        self.tensors.show_rows(tensor_rows(value, source) if wanted else ())  # type: ignore[arg-type]

    def _show_difference(self, preset: Preset[Any], other: Preset[Any] | None, copy: Any) -> None:
        mine = preset_name(preset.value.name, preset.namespace)
        title = translate("Presets", "Differences")
        if copy is not None:
            before, name = copy, translate("Presets", "in the scenario")
            value = getattr(preset.value, "workload", preset.value)
            if hasattr(value, "card") and not hasattr(copy, "card"):
                value = value.card
            rows = differences(before, value)
            title = translate("Presets", "Since the scenario took it")
        elif other is not None and type(other.value) is type(preset.value):
            name = preset_name(other.value.name, other.namespace)
            rows = differences(other.value, preset.value)
        else:
            self.same.hide()
            self.difference.hide()
            return
        field = translate("Presets", "field")
        self.difference.say(title, (field, name, DIFFERS, mine))
        self.same.set_text(translate("Presets", "No field differs."))
        self.same.setVisible(not rows)
        other_source = Source("preset", name) if other is None else source_of(other)
        source = source_of(preset)
        shown = [difference_row(row, other_source, source) for row in rows[:_MOST_ROWS]]
        self.difference.show_rows(shown)

    def _show_sources(self, preset: Preset[Any]) -> None:
        value = preset.value
        lines = [*value.sources]
        if value.checked:
            lines.append(translate("Presets", "Checked: {text}").format(text=value.checked))
        doubtful = getattr(value, "uncertain", ())
        if doubtful:
            text = "; ".join(doubtful)
            lines.append(translate("Presets", "Uncertain: {text}").format(text=text))
        if getattr(value, "license_note", ""):
            text = value.license_note
            lines.append(translate("Presets", "Licence: {text}").format(text=text))
        none = translate("Presets", "No source is given.")
        self.sources.setText("\n".join(_plain(line) for line in lines) or none)


def _plain(text: str) -> str:
    return word(" ".join(text.split())).text

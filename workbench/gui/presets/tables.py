"""The tables of a preset: figures, differences, layers, all fields, sources."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from workbench.gui.labels import Label, heading
from workbench.gui.language import follow_language
from workbench.gui.presets.wording import (
    choice_name,
    field_name,
    figure_name,
    figure_text,
    leaf_text,
    path_name,
)
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.why import Why
from workbench.library.model_edits import kept_elements, run_columns
from workbench.library.preset_diff import differences, flat
from workbench.library.preset_facts import facts, given, remarks, source_of
from workbench.library.presets import Preset
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Source, Term
from workbench.spec.model import LayerRun, ModelSpec

_DIFFERS = "≠"
_MOST_ROWS = 400
_APART = ("sources", "checked", "uncertain", "layers", "tensors", "points")


class Tables(Page):
    """Everything a preset says, from top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        em = self.fontMetrics().height()
        self.box.setContentsMargins(em, em // 2, em, em // 2)
        self._shown: tuple[Preset[Any] | None, Preset[Any] | None, Any] = (None, None, None)
        self.remarks = Label("", self.body, role="warning", wrap=True, selectable=True)
        self.figures = Block("", ("", ""), self.body, stretch=1)
        self.difference = Block("", ("", "", "", ""), self.body, stretch=3)
        self.layers = Block("", ("",) * 10, self.body, stretch=0)
        self.fields = Block("", ("", ""), self.body, stretch=1)
        self.sources_title = heading("", self.body)
        self.sources = Label("", self.body, wrap=True, selectable=True)
        self.same = Label("", self.body, role="muted", wrap=True)
        for widget in (self.remarks, self.figures):
            self.add(widget)
        self._compare_place = self.box.count()
        for widget in (
            self.same,
            self.difference,
            self.layers,
            self.fields,
            self.sources_title,
            self.sources,
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

    def _say(self) -> None:
        value = translate("Presets", "value")
        field = translate("Presets", "field")
        self.figures.say(translate("Presets", "Figures"), (translate("Presets", "figure"), value))
        self.fields.say(translate("Presets", "All fields"), (field, value))
        names = ("kind", "count", "heads", "kv_heads", "head_dim", "window_tokens", "ffn")
        self.layers.say(
            field_name("layers"),
            (
                *(field_name(name) for name in names),
                field_name("intermediate_size"),
                translate("Presets", "KV elements"),
                translate("Presets", "parameters"),
            ),
        )
        self.sources_title.set_text(translate("Presets", "Sources"))
        self._show()

    def show_preset(
        self, preset: Preset[Any] | None, other: Preset[Any] | None, copy: Any = None
    ) -> None:
        """Show a preset beside another one, or beside a copy that a scenario holds."""
        if (preset, other, copy) != self._shown:
            self._shown = (preset, other, copy)
            self._show()

    def _show(self) -> None:
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
        self.figures.show_rows([_figure_row(term) for term in facts(preset)])
        self._show_difference(preset, other, copy)
        is_model = isinstance(preset.value, ModelSpec)
        self.layers.show_rows(_layer_rows(preset.value, source) if is_model else ())
        self.fields.show_rows(_field_rows(preset, source))
        self._show_sources(preset)

    def _show_difference(self, preset: Preset[Any], other: Preset[Any] | None, copy: Any) -> None:
        mine, title = preset.value.name, translate("Presets", "Differences")
        if copy is not None:
            before, name = copy, translate("Presets", "in the scenario")
            value = getattr(preset.value, "workload", preset.value)
            if hasattr(value, "card") and not hasattr(copy, "card"):
                value = value.card
            rows = differences(before, value)
            title = translate("Presets", "Since the scenario took it")
        elif other is not None and type(other.value) is type(preset.value):
            name, rows = other.value.name, differences(other.value, preset.value)
        else:
            self.same.hide()
            self.difference.hide()
            return
        field = translate("Presets", "field")
        self.difference.say(title, (field, name, _DIFFERS, mine))
        self.same.set_text(translate("Presets", "No field differs."))
        self.same.setVisible(not rows)
        other_source = Source("preset", name) if other is None else source_of(other)
        source = source_of(preset)
        self.difference.show_rows(
            [
                (
                    word(path_name(row.path)),
                    _value_cell(row.path, row.before, other_source),
                    word(_DIFFERS),
                    _value_cell(row.path, row.after, source),
                )
                for row in rows[:_MOST_ROWS]
            ]
        )

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


def _figure_row(term: Term) -> tuple[Cell, ...]:
    why = Why(None, term=term)
    return word(figure_name(term)), Cell(figure_text(term), why=why)


def _value_cell(path: str, value: Any, source: Source) -> Cell:
    text = leaf_text(path, value)
    if value is None:
        return word(text)
    return word(text, why=Why(None, term=_term(path, value, source)))


def _term(path: str, value: Any, source: Source) -> Term:
    name = path_name(path)
    if isinstance(value, int | float) and not isinstance(value, bool):
        last = path.rpartition(".")[2]
        if last.endswith("_bytes"):
            return given(name, value, "bytes", source)
        return given(name, value, "tokens" if last.endswith("tokens") else "count", source)
    return given(name, leaf_text(path, value), "text", source)


def _field_rows(preset: Preset[Any], source: Source) -> list[tuple[Cell, ...]]:
    """All fields but those that have a table or a place of their own."""
    rows: list[tuple[Cell, ...]] = []
    for path, value in flat(preset.value).items():
        first = path.partition("[")[0].rpartition(".")[2]
        if first not in _APART or path == "sources":
            if path == "sources":
                continue
            rows.append((word(path_name(path)), _value_cell(path, value, source)))
    return rows[:_MOST_ROWS]


def _layer_rows(model: ModelSpec, source: Source) -> list[tuple[Cell, ...]]:
    columns = run_columns(model)
    rows = []
    for at, run in enumerate(model.layers):
        cells = []
        for column in columns:
            text = column.text(run)
            if column.choices:
                cells.append(word(choice_name(text)))
                continue
            value = column.read(run) if text else None
            why = None
            if value is not None:
                why = Why(None, term=_term(f"layers[{at}].{column.path}", value, source))
            cells.append(number(text, why=why))
        cells += [_sum_cell(at, name, count, source) for name, count in _sums(run)]
        rows.append(tuple(cells))
    return rows


def _sums(run: LayerRun) -> tuple[tuple[str, int], ...]:
    parameters = sum(tensor.elements for tensor in run.tensors)
    return ("elements", kept_elements(run)), ("parameters", parameters)


def _sum_cell(at: int, name: str, count: int, source: Source) -> Cell:
    term = given(
        f"{path_name(f'layers[{at}]')}: {figure_name(given(name, count, 'count', source))}",
        count,
        "count",
        source,
    )
    return number(units.group_digits(count), why=Why(None, term=term))

"""The lines of presets side by side: what each would hold, then their fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from workbench.core.compare import Cell as Compared
from workbench.core.compare_presets import PresetRow, compare_presets
from workbench.gui.compare import cells as show
from workbench.gui.compare import values
from workbench.gui.compare.cells import DIFFERENT, NONE, Cell, Head, Line, Piece
from workbench.gui.compare.lines import Lines
from workbench.gui.compare.whys import cell_difference_why, preset_why
from workbench.gui.labels import visible
from workbench.gui.tr import preset_name, translate
from workbench.library.presets import Preset
from workbench.spec.scenario import Scenario


def preset_heads(presets: Sequence[Preset[Any]], baseline: int) -> tuple[Head, ...]:
    """Return the headings of presets; one of the person's own says so."""
    heads = []
    for number, preset in enumerate(presets):
        name = visible(_name(preset))
        if preset.namespace == "user":
            name = translate("Compare", "{name} (yours)").format(name=name)
        heads.append(Head(f"preset-{number}", name, number == baseline))
    return tuple(heads)


def _name(preset: Preset[Any]) -> str:
    return preset_name(preset.value.name, preset.namespace)


def held_lines(lines: Lines, scenario: Scenario) -> list[Line]:
    """Return what each preset would hold in a scenario, which is named."""
    verdict, *bars = lines.verdicts()
    text = translate("Compare", "verdict in {scenario}")
    verdict = replace(verdict, name=text.format(scenario=visible(scenario.name)))
    return [verdict, *bars, *lines.answers.lines(), *lines.memory(), *lines.cost()]


def field_lines(
    presets: Sequence[Preset[Any]], baseline: int, *, only_differences: bool
) -> list[Line]:
    """Return the fields of presets, those that differ marked and tinted."""
    if not presets:
        return []
    if len(presets) == 1 and only_differences:
        title = translate("Compare", "One alone: choose another with “+ preset…”")
        return [Line("group:none", title, style="section")]
    rows = compare_presets([preset.value for preset in presets], baseline)
    titles = {
        "facts": translate("Compare", "Shape and figures"),
        "weights": translate("Compare", "Tensors"),
        "identity": translate("Compare", "Identity"),
        "notes": translate("Compare", "Sources and notes"),
    }
    if only_differences:
        titles = {
            "facts": translate("Compare", "Shape and figures that differ"),
            "weights": translate("Compare", "Tensors that differ"),
            "identity": translate("Compare", "Identity"),
        }
    lines: list[Line] = []
    for group, title in titles.items():
        wanted = [
            row for row in rows if row.group == group and (row.differs or not only_differences)
        ]
        if wanted:
            lines.append(Line(f"group:{group}", title, style="section"))
            lines += [_field_line(row, presets, baseline) for row in wanted]
    if only_differences and not lines:
        title = translate("Compare", "Fields: none differs")
        lines.append(Line("group:none", title, style="section"))
    return lines


def _field_line(row: PresetRow, presets: Sequence[Preset[Any]], baseline: int) -> Line:
    base = _name(presets[baseline])
    cells = [
        _field_cell(row, cell, preset, row.cells[baseline], base)
        for cell, preset in zip(row.cells, presets, strict=True)
    ]
    return Line(f"field:{row.path}", values.path_text(row.path), tuple(cells))


def _field_cell(
    row: PresetRow, cell: Compared, preset: Preset[Any], before: Compared, base: str
) -> Cell:
    text, exact = values.preset_text(row.path, cell.value)
    value = Piece(text) if cell.applies and text else Piece(NONE, "muted")
    diff: list[Piece] = []
    if cell.differs:
        diff.append(Piece(DIFFERENT, "accent", bold=True))
        factor = "" if cell.factor is None else show.factor_text(cell.factor)
        if factor:
            diff.append(Piece(factor, "accent", bold=True))
    return Cell(
        (value,),
        tuple(diff),
        tip=exact,
        why=preset_why(row, cell, text, preset),
        diff_why=cell_difference_why(cell, before, row.unit, (_name(preset), base)),
        tinted=cell.differs,
    )

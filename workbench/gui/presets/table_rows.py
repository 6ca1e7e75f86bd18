"""The cells of a preset's tables; each figure can be asked where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from workbench.gui.presets.wording import (
    choice_name,
    field_name,
    figure_name,
    figure_text,
    leaf_text,
    path_name,
)
from workbench.gui.views.table import Cell, number, word
from workbench.gui.why import Why
from workbench.library.model_edits import kept_elements, run_columns
from workbench.library.preset_diff import Difference, flat
from workbench.library.preset_facts import given, source_of
from workbench.library.preset_fields import edit_fields
from workbench.library.presets import Preset
from workbench.spec import units
from workbench.spec.ledger import Source, Term
from workbench.spec.model import LayerRun, ModelSpec, Tensor
from workbench.spec.workload import WorkloadPreset

DIFFERS: Final = "≠"
_APART: Final = frozenset({"sources", "checked", "uncertain", "layers", "tensors", "points"})
"""Members with a table or a place of their own."""

Row = tuple[Cell, ...]


def figure_row(term: Term) -> Row:
    """Return a figure that follows from a preset."""
    why = Why(None, term=term)
    return word(figure_name(term)), Cell(figure_text(term), asks=why)


def revision_why(preset: Preset[Any]) -> Why:
    """Ask about the revision of a preset: its file, and what it is based on."""
    source = source_of(preset)
    if preset.based_on is not None:
        source = Source(source.code, f"{source.detail}, {preset.based_on}")
    return Why(None, term=given("revision", preset.value.rev, "count", source))


def value_cell(path: str, value: Any, source: Source) -> Cell:
    """Return the value of a field, which can be asked for its source."""
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


def field_rows(preset: Preset[Any], source: Source) -> list[Row]:
    """Return all fields but those that have a table or a place of their own."""
    return [
        (word(path_name(path)), value_cell(path, value, source))
        for path, value in flat(preset.value, _APART).items()
    ]


def difference_row(row: Difference, before: Source, after: Source) -> Row:
    """Return a field that differs, with both values and the mark between them."""
    return (
        word(path_name(row.path)),
        value_cell(row.path, row.before, before),
        word(DIFFERS),
        value_cell(row.path, row.after, after),
    )


def layer_rows(model: ModelSpec, source: Source) -> list[Row]:
    """Return the runs of layers."""
    columns = run_columns(model)
    names = [field_name(column.name) for column in columns]
    sums = [figure_name(given(name, 0, "count", source)) for name in ("elements", "parameters")]
    rows = []
    for at, run in enumerate(model.layers):
        where, cells = path_name(f"layers[{at}]"), []
        for column, name in zip(columns, names, strict=True):
            text = column.text(run)
            if column.choices:
                cells.append(word(choice_name(text)))
                continue
            if text and column.kind == "whole":
                text = units.group_digits(column.read(run))
            cells.append(_number(text, f"{where}: {name}", column.read(run), source))
        for name, count in zip(sums, _sums(run), strict=True):
            cells.append(_number(units.group_digits(count), f"{where}: {name}", count, source))
        rows.append(tuple(cells))
    return rows


def _number(text: str, name: str, value: Any, source: Source) -> Cell:
    if not text:
        return number("")
    return number(text, why=Why(None, term=given(name, value, "count", source)))


def _sums(run: LayerRun) -> tuple[int, int]:
    return kept_elements(run), sum(tensor.elements for tensor in run.tensors)


TENSOR_COLUMNS: Final = tuple(
    field for field in edit_fields(Tensor) if field.name not in ("name", "dtype")
)


def tensor_rows(model: ModelSpec, source: Source) -> list[Row]:
    """Return every tensor, by the run of layers or the part that holds it."""
    return [
        (
            word(where),
            word(tensor.name),
            *(
                _tensor_cell(f"{where}, {tensor.name}", tensor, field, source)
                for field in TENSOR_COLUMNS
            ),
        )
        for where, tensors in _tensors(model)
        for tensor in tensors
    ]


def _tensors(model: ModelSpec) -> Iterator[tuple[str, tuple[Tensor, ...]]]:
    for at, run in enumerate(model.layers):
        yield path_name(f"layers[{at}]"), run.tensors
    yield "", model.tensors
    for name in ("vision", "audio", "draft"):
        part = getattr(model, name)
        if part is not None:
            yield field_name(name), part.tensors
            for at, run in enumerate(part.layers):
                yield f"{field_name(name)}, {path_name(f'layers[{at}]')}", run.tensors


def _tensor_cell(name: str, tensor: Tensor, field: Any, source: Source) -> Cell:
    text = field.text(tensor)
    if field.choices:
        return word(choice_name(text))
    return number(text, why=Why(None, term=given(name, text, "text", source)))


def quantile_rows(preset: WorkloadPreset, source: Source) -> list[Row]:
    """Return the quantiles of the lengths, none for a constant length."""
    rows: list[Row] = []
    for name in ("lengths", "outputs"):
        for point in getattr(getattr(preset.workload, name), "points", ()):
            share, tokens = units.format_share(point.q), units.group_digits(point.tokens)
            term = given(f"{field_name(name)}, {share}", point.tokens, "tokens", source)
            rows.append(
                (word(field_name(name)), number(share), number(tokens, why=Why(None, term=term)))
            )
    return rows

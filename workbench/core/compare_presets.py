"""Presets of one kind side by side: their fields as rows, each with a stable dotted path.

A set of cards has the fields of its card beside its own, so that a single card compares with it.
Items of a list go by their names where each has its own, else by number from 0
("layers[0].mixer.kv_heads", "layers[0].tensors[lm_head]"). Every field of the type has a row, so
nothing that differs is hidden; a tensor is one value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel

from workbench.core.compare import Cell, against
from workbench.spec.gpu import GpuSet
from workbench.spec.ledger import Unit
from workbench.spec.model import LayerRun, ModelSpec, Tensor

Group = Literal["identity", "facts", "weights", "notes"]

_IDENTITY: Final = ("id", "rev", "name", "hf_id", "aliases", "family", "license_note", "kind")
_NOTES: Final = ("sources", "checked", "uncertain", "price_note", "device_total_basis")
_DERIVED: Final = ("layer_count", "parameters", "active_parameters", "all_parameters")
"""Figures of a model that follow from its layers and tensors."""
_NOTHING: Final = (None, "", ())
_UNITS: Final[tuple[tuple[str, Unit], ...]] = (
    ("_bytes", "bytes"),
    ("_bytes_low", "bytes"),
    ("_bytes_high", "bytes"),
    ("_tokens", "tokens"),
)


@dataclass(frozen=True, slots=True)
class PresetRow:
    """One field in all presets."""

    path: str
    """Its words are `words.path_text(path)`."""
    group: Group
    unit: Unit
    """Of numbers; "text" for all else."""
    cells: tuple[Cell, ...]
    """Values are int, float, bool, str, a tuple of those, a `Tensor`, or None; a preset that lacks
    the field (another kind of layer, fewer runs) has a cell that does not apply."""

    @property
    def differs(self) -> bool:
        """Whether any preset differs from the baseline."""
        return any(cell.differs for cell in self.cells)


def compare_presets(presets: Sequence[BaseModel], baseline: int = 0) -> tuple[PresetRow, ...]:
    """Rows of all fields that any of the presets has, in the order of the type."""
    each = [dict(fields_of(preset)) for preset in presets]
    paths = _merged(each)
    # A part that one preset lacks altogether: the rows of the other's part say so.
    parts = {path[:at] for path in paths for at, sign in enumerate(path) if sign in ".["}
    return tuple(_row(path, each, baseline) for path in paths if path not in parts)


def fields_of(preset: BaseModel) -> Iterator[tuple[str, object]]:
    """Every field of a preset as (path, value), in the order of its type."""
    for name in type(preset).model_fields:
        if name == "layers" and isinstance(preset, ModelSpec):
            yield from ((derived, getattr(preset, derived)) for derived in _DERIVED)
        if name == "card" and isinstance(preset, GpuSet):
            own = type(preset).model_fields
            yield from (pair for pair in fields_of(preset.card) if pair[0] not in own)
        else:
            yield from _flat(name, getattr(preset, name))


def _flat(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Tensor):
        yield path, value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _flat(f"{path}.{name}", getattr(value, name))
        if isinstance(value, LayerRun):
            yield f"{path}.parameters", sum(tensor.elements for tensor in value.tensors)
    elif isinstance(value, tuple) and any(isinstance(item, BaseModel) for item in value):
        for step, item in zip(_steps(value), value, strict=True):
            yield from _flat(f"{path}[{step}]", item)
    else:
        yield path, value


def _steps(items: tuple[object, ...]) -> tuple[object, ...]:
    names = tuple(getattr(item, "name", "") for item in items)
    return names if all(names) and len(set(names)) == len(names) else tuple(range(len(items)))


def _merged(each: Sequence[dict[str, object]]) -> list[str]:
    """Paths of all presets; one that a preset lacks stands where it stands in the others."""
    paths = list(each[0]) if each else []
    known = set(paths)
    for fields in each[1:]:
        place = 0
        for path in fields:
            if path in known:
                place = paths.index(path) + 1
            else:
                paths.insert(place, path)
                known.add(path)
                place += 1
    return paths


def _row(path: str, each: Sequence[dict[str, object]], baseline: int) -> PresetRow:
    before = each[baseline].get(path)
    cells = []
    for fields in each:
        value, applies = fields.get(path), path in fields
        # What a preset lacks and what it leaves empty say the same: nothing.
        differs = value != before and not (value in _NOTHING and before in _NOTHING)
        cells.append(against(before, Cell(value, applies, differs=differs)))
    return PresetRow(path, _group(path), _unit(path, each), tuple(cells))


def _group(path: str) -> Group:
    first = path.partition(".")[0].partition("[")[0]
    if first in _IDENTITY:
        return "identity"
    if first in _NOTES:
        return "notes"
    return "weights" if "tensors[" in path and ".mixer." not in path else "facts"


def _unit(path: str, each: Sequence[dict[str, object]]) -> Unit:
    values = [fields[path] for fields in each if fields.get(path) is not None]
    if not values or not all(type(value) in (int, float) for value in values):
        return "text"
    return next((unit for end, unit in _UNITS if path.endswith(end)), "count")

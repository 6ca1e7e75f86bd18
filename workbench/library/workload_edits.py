"""Lengths of a workload: one figure or a table, turned from one into the other."""

from __future__ import annotations

from typing import Any, Final

from workbench.library.preset_fields import EditField, edit_fields, nested
from workbench.spec.workload import (
    ConstantLength,
    QuantilePoint,
    QuantileTable,
    TraceSummary,
    WorkloadPreset,
)

LENGTH_KINDS: Final = ("constant", "quantiles", "trace")
_TOKENS: Final = 8192


def with_length_kind(name: str, preset: WorkloadPreset, kind: str | None) -> WorkloadPreset:
    """Return the workload with "lengths" or "outputs" given in another way."""
    old = getattr(preset.workload, name)
    new = None if kind is None else _turned(old, kind)
    return preset.with_(workload=preset.workload.with_(**{name: new}))


def _turned(old: Any, kind: str) -> ConstantLength | QuantileTable | TraceSummary:
    if old is not None and old.kind == kind:
        return old  # type: ignore[no-any-return]
    points = getattr(old, "points", None)
    longest = points[-1].tokens if points else getattr(old, "tokens", _TOKENS)
    if kind == "constant":
        return ConstantLength(tokens=longest)
    if points is None:
        points = (QuantilePoint(q=0.5, tokens=longest), QuantilePoint(q=1.0, tokens=longest))
    source = getattr(old, "source", "")
    if kind == "quantiles":
        return QuantileTable(points=points, source=source)
    return TraceSummary(requests=1, mean_tokens=float(longest), points=points, source=source)


def length_fields(name: str) -> tuple[EditField, ...]:
    """Return the fields that the kinds of lengths have beside their points."""
    fields = {
        field.path: field
        for model in (ConstantLength, QuantileTable, TraceSummary)
        for field in edit_fields(model)
    }
    return tuple(_where_it_is(name, field) for field in fields.values())


def _where_it_is(name: str, field: EditField) -> EditField:
    inner = nested(f"workload.{name}", field)

    def applies(preset: WorkloadPreset) -> bool:
        return hasattr(getattr(preset.workload, name), field.path)

    return EditField(
        inner.path, inner.kind, inner.read, inner.write, inner.optional, inner.choices, applies
    )

"""The forms of cards, sets of cards, number formats and workloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from workbench.gui.presets.forms import Form, Say
from workbench.gui.presets.rows import EditRow, Part
from workbench.gui.presets.wording import field_name, says
from workbench.gui.tr import QT_TRANSLATE_NOOP
from workbench.library.card_edits import card_fields, set_fields
from workbench.library.preset_fields import EditField, edit_fields, nested
from workbench.library.workload_edits import LENGTH_KINDS, length_fields, with_length_kind
from workbench.spec.base import Frozen
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.kv_format import KvFormat
from workbench.spec.weight_format import Kernel, Storage, StoredAs, WeightFormat
from workbench.spec.workload import PrefixGroup, QuantilePoint, Workload, WorkloadPreset

_HIDDEN = frozenset({"id", "rev", "aliases", "hf_id"})
_SOURCES = frozenset({"sources", "checked", "uncertain"})


def _plain(fields: Sequence[EditField]) -> list[EditField]:
    """Return the fields that are neither identity nor sources."""
    return [field for field in fields if field.path not in _HIDDEN | _SOURCES]


def _by_path(fields: Sequence[EditField]) -> dict[str, EditField]:
    return {field.path: field for field in fields}


class CardForm(Form):
    """Edits a card, or a set of cards with its card."""

    def _fill(self) -> None:
        is_set = isinstance(self.whole.value, GpuSet)
        if is_set:
            group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Set of cards")))
            group.add_fields(set_fields(), self.whole)
        titles: dict[str, Say] = {
            "card": partial(field_name, "card"),
            "memory": says(QT_TRANSLATE_NOOP("Presets", "Memory")),
            "rates": partial(field_name, "peak_ops_per_s"),
            "link": partial(field_name, "link"),
            "node": says(QT_TRANSLATE_NOOP("Presets", "Node and price")),
        }
        for name, fields in card_fields(in_set=is_set).items():
            group = self.add_group(titles[name])
            group.add_fields(fields, self.whole)
        sources = _by_path(edit_fields(GpuSet if is_set else GpuSpec))
        self.add_sources(sources)


class KvFormatForm(Form):
    """Edits a KV format."""

    def _fill(self) -> None:
        fields = edit_fields(KvFormat)
        group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "KV format")))
        group.add_fields(_plain(fields), self.whole)
        self.add_sources(_by_path(fields))


class WeightFormatForm(Form):
    """Edits a weight format with its exceptions and kernels."""

    def _fill(self) -> None:
        fields = edit_fields(WeightFormat)
        storage = {field.path for field in edit_fields(Storage)}
        group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Weight format")))
        group.add_fields([f for f in _plain(fields) if f.path == "name"], self.whole)
        group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Storage of a matrix")))
        group.add_fields([f for f in fields if f.path in storage], self.whole)
        group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Which matrices")))
        rest = [f for f in _plain(fields) if f.path not in storage and f.path != "name"]
        group.add_fields(rest, self.whole)
        kinds: tuple[tuple[str, type[Frozen]], ...] = (("mixture", StoredAs), ("kernels", Kernel))
        for name, model in kinds:
            group = self.add_group(partial(field_name, name), folds=True)
            columns = edit_fields(model)
            if model is StoredAs:
                columns = (columns[-1], *columns[:-1])
            group.add_table(
                partial(field_name, name),
                Part(self.draft, _reader(name), _writer(name)),
                partial(_same, columns),
                _new_stored if model is StoredAs else _new_kernel,
                can_be_empty=True,
            )
        self.add_sources(_by_path(fields))


class WorkloadForm(Form):
    """Edits a workload: lengths as one figure or a table of quantiles, prefix groups."""

    def _fill(self) -> None:
        fields = _by_path(edit_fields(WorkloadPreset))
        group = self.add_group(partial(field_name, "workload"))
        group.add_fields([fields["name"]], self.whole)
        group.add_fields([nested("workload", f) for f in edit_fields(Workload)], self.whole)
        self._add_lengths("lengths", optional=False)
        self._add_lengths("outputs", optional=True)
        group = self.add_group(partial(field_name, "prefix_groups"))
        group.add_table(
            partial(field_name, "prefix_groups"),
            Part(self.draft, _groups, _with_groups),
            partial(edit_fields, PrefixGroup),
            _new_group,
            can_be_empty=True,
        )
        self.add_sources(fields)

    def _add_lengths(self, name: str, *, optional: bool) -> None:
        group = self.add_group(partial(field_name, name))
        kind = EditField(
            f"workload.{name}.kind",
            "choice",
            partial(_kind_of_lengths, name),
            partial(with_length_kind, name),
            optional=optional,
            choices=LENGTH_KINDS,
        )
        group.add_row(EditRow(kind, self.whole, group.body))
        for field in length_fields(name):
            group.add_row(EditRow(field, self.whole, group.body))
        table = group.add_table(
            partial(field_name, "points"),
            Part(self.draft, partial(_points, name), partial(_with_points, name)),
            partial(edit_fields, QuantilePoint),
            _new_point,
        )
        self.draft.changed.connect(partial(self._show_points, name, table))
        self._show_points(name, table)

    def _show_points(self, name: str, table: Any) -> None:
        table.setVisible(bool(_points(name, self.whole.value)))


def form_of(value: object) -> type[Form]:
    """Return the form in which a preset is edited."""
    from workbench.gui.presets.model_form import ModelForm

    if isinstance(value, WeightFormat):
        return WeightFormatForm
    if isinstance(value, KvFormat):
        return KvFormatForm
    if isinstance(value, WorkloadPreset):
        return WorkloadForm
    return CardForm if hasattr(value, "device_total_bytes") or hasattr(value, "card") else ModelForm


def _same(columns: Sequence[EditField]) -> Sequence[EditField]:
    return columns


def _reader(name: str) -> Any:
    return lambda value: getattr(value, name) or ()


def _writer(name: str) -> Any:
    return lambda value, rows: value.with_(**{name: rows or None})


def _new_stored(rows: Sequence[StoredAs], at: int) -> StoredAs:
    return rows[at - 1] if rows and at > 0 else StoredAs(patterns=("lm_head",), bits=16)


def _new_kernel(rows: Sequence[Kernel], at: int) -> Kernel:
    return rows[at - 1] if rows and at > 0 else Kernel(kernel="default")


def _kind_of_lengths(name: str, preset: WorkloadPreset) -> str | None:
    lengths = getattr(preset.workload, name)
    return None if lengths is None else str(lengths.kind)


def _points(name: str, preset: WorkloadPreset) -> tuple[QuantilePoint, ...]:
    return getattr(getattr(preset.workload, name), "points", ())


def _with_points(
    name: str, preset: WorkloadPreset, points: tuple[QuantilePoint, ...]
) -> WorkloadPreset:
    lengths = getattr(preset.workload, name).with_(points=points)
    return preset.with_(workload=preset.workload.with_(**{name: lengths}))


def _new_point(rows: Sequence[QuantilePoint], at: int) -> QuantilePoint:
    """A point half-way between its neighbours."""
    before = rows[at - 1] if at > 0 else QuantilePoint(q=0.0, tokens=rows[0].tokens)
    after = rows[at] if at < len(rows) else None
    if after is None:
        # Below the longest, which must stay last.
        before = rows[at - 2] if at > 1 else QuantilePoint(q=0.0, tokens=1)
        after = rows[at - 1]
    q = round((before.q + after.q) / 2, 6)
    return QuantilePoint(q=q, tokens=(before.tokens + after.tokens) // 2)


def _groups(preset: WorkloadPreset) -> tuple[PrefixGroup, ...]:
    return preset.workload.prefix_groups


def _with_groups(preset: WorkloadPreset, groups: tuple[PrefixGroup, ...]) -> WorkloadPreset:
    return preset.with_(workload=preset.workload.with_(prefix_groups=groups))


def _new_group(rows: Sequence[PrefixGroup], at: int) -> PrefixGroup:
    """A group of the requests that no other group takes."""
    left = max(0.0, 1.0 - sum(group.request_share for group in rows))
    return PrefixGroup(shared_tokens=1024, request_share=round(left, 6))


__all__ = ["CardForm", "KvFormatForm", "WeightFormatForm", "WorkloadForm", "form_of"]

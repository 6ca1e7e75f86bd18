"""Figures that follow from a preset, each with its formula, and what about it does not add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from workbench.library.figures import compare, kept, source_faults
from workbench.library.presets import Preset
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.kv_format import KvFormat
from workbench.spec.ledger import Evidence, Formula, Number, Source, Term, Unit
from workbench.spec.model import ModelSpec, parameters_of
from workbench.spec.weight_format import WeightFormat
from workbench.spec.workload import ConstantLength, WorkloadPreset

_BYTES_OF_16_BITS: Final = 2


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a preset that a person should know: code and parameters of its sentence."""

    code: str
    params: dict[str, object] = field(default_factory=dict)


def facts(preset: Preset[Any]) -> tuple[Term, ...]:
    """Return the figures of a preset; the symbol of each is a code of `words.PRESET_FIGURES`."""
    value, source = preset.value, source_of(preset)
    if isinstance(value, ModelSpec):
        return tuple(_model(value, source))
    if isinstance(value, GpuSpec | GpuSet):
        return tuple(_card(value, source))
    if isinstance(value, WorkloadPreset):
        return tuple(_workload(value, source))
    return tuple(_format(value, source))


def source_of(preset: Preset[Any]) -> Source:
    """Return where the figures of a preset come from: its file and revision."""
    return Source("preset", f"{preset.namespace}:{preset.value.id}@{preset.value.rev}")


def given(symbol: str, value: Number | str, unit: Unit, source: Source) -> Term:
    """Return a figure that stands in a preset."""
    return Term(symbol, value, unit, Evidence.GIVEN, source)


def _computed(
    symbol: str, value: Number, unit: Unit, source: Source, expression: str, *terms: Term
) -> Term:
    formula = Formula(expression, terms)
    return Term(symbol, value, unit, Evidence.COMPUTED, source, formula=formula)


def _model(model: ModelSpec, source: Source) -> Iterator[Term]:
    if model.has_weights:
        # Each sum goes through every tensor of every layer: some models have a hundred runs.
        in_layers = parameters_of(model.layers)
        outside = sum(tensor.elements for tensor in model.tensors)
        parameters = in_layers + outside
        yield _computed(
            "parameters",
            parameters,
            "count",
            source,
            "{in_layers} + {outside_layers}",
            given("in_layers", in_layers, "count", source),
            given("outside_layers", outside, "count", source),
        )
        active = parameters if model.moe is None else model.active_parameters
        if active != parameters:
            yield given("active_parameters", active, "count", source)
        parts = (model.vision, model.audio, model.draft)
        beside = sum(part.parameters for part in parts if part is not None)
        if beside:
            yield given("all_parameters", parameters + beside, "count", source)
    yield given("layer_count", model.layer_count, "count", source)
    own = kept(model)
    growing = -(-own.growing.numerator // own.growing.denominator)
    yield _two_bytes("kv_bytes_per_token", growing, source)
    for tokens, elements in own.windowed:
        yield _computed(
            "window_bytes",
            tokens * elements * _BYTES_OF_16_BITS,
            "bytes",
            source,
            "{window_tokens} × {elements} × 2",
            given("window_tokens", tokens, "tokens", source),
            given("elements", elements, "count", source),
        )
    if own.indexer:
        yield _two_bytes("indexer_bytes", own.indexer, source)
    if own.state:
        yield given("state_elements", own.state, "count", source)


def _two_bytes(symbol: str, elements: int, source: Source) -> Term:
    """Bytes at 16 bits an element."""
    return _computed(
        symbol,
        elements * _BYTES_OF_16_BITS,
        "bytes",
        source,
        "{elements} × 2",
        given("elements", elements, "count", source),
    )


def _card(value: GpuSpec | GpuSet, source: Source) -> Iterator[Term]:
    card = value if isinstance(value, GpuSpec) else value.card
    total = given("device_total_bytes", card.device_total_bytes, "bytes", source)
    yield total
    if isinstance(value, GpuSet):
        yield _computed(
            "set_total_bytes",
            value.count * card.device_total_bytes,
            "bytes",
            source,
            "{cards} × {device_total_bytes}",
            given("cards", value.count, "count", source),
            total,
        )


def _format(value: WeightFormat | KvFormat, source: Source) -> Iterator[Term]:
    if isinstance(value, KvFormat):
        yield given("k_bits", value.k_bits, "count", source)
        yield given("v_bits", value.v_bits, "count", source)
        return
    bits = Fraction(value.bits)
    if value.block_bytes is not None and value.block_elements:
        bits = Fraction(8 * value.block_bytes, value.block_elements)
    elif value.group_elements:
        zero = value.group_zero_bits or 0
        bits += Fraction(8 * value.group_scale_bytes + zero, value.group_elements)
    elif value.tile_rows and value.tile_columns:
        bits += Fraction(8 * (value.tile_scale_bytes or 0), value.tile_rows * value.tile_columns)
    whole = int(bits) if bits.denominator == 1 else bits
    yield given("bits_per_element", whole, "count", source)


def _workload(preset: WorkloadPreset, source: Source) -> Iterator[Term]:
    lengths = preset.workload.lengths
    if isinstance(lengths, ConstantLength):
        yield given("longest_tokens", lengths.tokens, "tokens", source)
        return
    mean = getattr(lengths, "mean_tokens", None)
    if mean is not None:
        yield given("mean_tokens", mean, "count", source)
    for symbol, share in (("p50_tokens", 0.5), ("p95_tokens", 0.95), ("longest_tokens", 1.0)):
        at = next((point.tokens for point in lengths.points if point.q >= share), None)
        if at is not None:
            yield given(symbol, at, "tokens", source)


# What does not add up


def remarks(preset: Preset[Any]) -> tuple[Remark, ...]:
    """Return what about a preset differs from published figures or contradicts itself."""
    value = preset.value
    if isinstance(value, GpuSet):
        value = value.card
    if isinstance(value, GpuSpec):
        return tuple(_card_remarks(value))
    if not isinstance(value, ModelSpec):
        return ()
    found = [
        Remark(figure.code, {"found": figure.found, "published": figure.expected})
        for figure in compare(value, preset.published)
        # The bytes are the elements once more.
        if not figure.agrees and "bytes" not in figure.name
    ]
    found += [
        Remark("cache_source_wrong", {"layer": number, "source": source})
        for number, source in source_faults(value)
    ]
    unique: dict[str, Remark] = {}
    for remark in found:
        unique.setdefault(repr(remark), remark)
    return tuple(unique.values())[:_MOST_REMARKS]


_MOST_REMARKS: Final = 6


def _card_remarks(card: GpuSpec) -> Iterator[Remark]:
    """Say how the planning figure stands beside the other readings of the same memory."""
    low, high = card.framework_total_bytes_low, card.framework_total_bytes_high
    if low is not None and card.device_total_bytes < low:
        yield Remark("memory_below_seen", {"seen_bytes": low})
    if high is not None and card.device_total_bytes > high:
        yield Remark("memory_above_seen", {"seen_bytes": high})

"""The quantities of a scenario that can be typed, dragged, swept and compared, declared once.

A field id is a stable name ("workload.context"). `FIELDS` says for each how it is read from a
scenario, how a new value is written (validated), its kind of quantity, and the range a slider
offers; a typed value may lie outside the slider's range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.spec import units
from workbench.spec.engine import Amount, flag_of
from workbench.spec.engine_flags import measured_sizes, quantities
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB, QuantityKind
from workbench.spec.workload import (
    ConstantLength,
    PrefixGroup,
    QuantilePoint,
    QuantileTable,
)

Value = int | float | Amount
Read = Callable[[Scenario], Value | None]
Write = Callable[[Scenario, Any], Scenario]


@dataclass(frozen=True, slots=True)
class Field:
    """One quantity: its kind, slider range and how to read and write it."""

    id: str
    kind: QuantityKind
    read: Read
    write: Write
    slider_low: float
    slider_high: float
    log2: bool = False
    """Slider on a logarithmic scale that snaps to powers of two."""
    step: float = 1
    """One press of an arrow key."""
    optional: bool = False
    """An empty field means the default (None)."""
    applies: Callable[[Scenario], bool] = lambda scenario: True
    """Whether the scenario has this quantity at all."""

    def parse(self, text: str, current: Value | None = None) -> Value | None:
        """Read what a person typed; raises `UserError` with what would be accepted."""
        if self.optional and not text.strip():
            return None
        return parse_quantity(self.kind, text, current)

    def format(self, value: Value | None) -> str:
        """Print a value so that `parse` gives it back; empty for None."""
        return "" if value is None else format_quantity(self.kind, value)


def parse_quantity(kind: QuantityKind, text: str, current: Value | None = None) -> Value:
    """Read a quantity of a kind; an amount is bytes ("4 GiB") or a share ("6 %")."""
    number = current if isinstance(current, int | float) else None
    if kind == "tokens":
        return units.parse_tokens(text, None if number is None else int(number))
    if kind == "count":
        return units.parse_count(text, None if number is None else int(number))
    if kind == "bytes":
        return units.parse_bytes(text, None if number is None else int(number))
    if kind == "share":
        return units.parse_share(text, number)
    if kind == "number":
        return units.parse_number(text, number)
    return _parse_amount(text, current if isinstance(current, Amount) else None)


def _parse_amount(text: str, current: Amount | None) -> Amount:
    """Read "6 %" and "0.06" as a share and "4 GiB" as bytes; a factor keeps the current kind."""
    share = None if current is None else current.share
    is_factor = text.strip()[:1] in tuple("xX×*")
    try:
        if text.rstrip().endswith(("%", "\uff05")) or (is_factor and share is not None):
            return Amount(share=units.parse_share(text, share))
        if not is_factor and (bare := _bare_share(text)) is not None:
            return Amount(share=bare)
        return Amount(size_bytes=units.parse_bytes(text, current.size_bytes if current else None))
    except UserError as error:
        if "accepted" not in error.params:
            raise
        raise UserError(error.code, **(error.params | {"accepted": "amount"})) from None


def _bare_share(text: str) -> float | None:
    """A number below one without a unit is a share: as bytes nothing would be left of it."""
    try:
        share = units.parse_share(text)
    except UserError:
        return None
    return share if 0 < share < 1 else None


def format_quantity(kind: QuantityKind, value: Value) -> str:
    """Print a quantity so that `parse_quantity` gives it back."""
    if isinstance(value, Amount):
        if value.share is not None:
            return units.format_share(value.share)
        return units.format_bytes(value.size_bytes or 0)
    if kind == "tokens":
        return units.format_tokens(int(value))
    if kind == "bytes":
        return units.format_bytes(int(value))
    if kind == "share":
        return units.format_share(float(value))
    if kind == "number":
        return units.format_number(float(value))
    return units.format_count(int(value))


def _engine_has(name: str) -> Callable[[Scenario], bool]:
    """Whether the engine of a scenario has a flag at all."""
    return lambda scenario: name in type(scenario.engine).model_fields


def _nested(part: str, name: str) -> tuple[Read, Write]:
    """Read and write one attribute of one part of a scenario."""

    def read(scenario: Scenario) -> Value | None:
        return getattr(getattr(scenario, part), name)  # type: ignore[no-any-return]

    def write(scenario: Scenario, value: Any) -> Scenario:
        return scenario.with_(**{part: getattr(scenario, part).with_(**{name: value})})

    return read, write


def _block_tokens() -> tuple[Read, Write]:
    """Read and write the block size; an engine that has to have one takes its own for None."""
    read, write = _nested("engine", "block_tokens")

    def write_or_untouched(scenario: Scenario, value: Any) -> Scenario:
        return write(
            scenario, flag_of(scenario.engine.untouched, "block_tokens") if value is None else value
        )

    return read, write_or_untouched


def _measured(name: str) -> tuple[Read, Write]:
    """Read and write one figure that was read from a start-up log."""

    def read(scenario: Scenario) -> Value | None:
        return getattr(scenario.engine.measured, name)  # type: ignore[union-attr,no-any-return]

    def write(scenario: Scenario, value: Any) -> Scenario:
        measured = scenario.engine.measured.with_(**{name: value})  # type: ignore[union-attr]
        return scenario.with_(engine=scenario.engine.with_(measured=measured))

    return read, write


def _has_measured(name: str) -> Callable[[Scenario], bool]:
    """Whether the engine of a scenario can take a figure of a start-up log."""
    return lambda scenario: hasattr(getattr(scenario.engine, "measured", None), name)


def _runs_on(*kinds: str) -> Callable[[Scenario], bool]:
    return lambda scenario: scenario.engine.kind in kinds


_SLIDERS: Final[Mapping[QuantityKind, Mapping[str, Any]]] = {
    "tokens": {"low": 1, "high": 2**20, "log2": True},
    "count": {"low": 1, "high": 4096, "log2": True},
    "bytes": {"low": 0, "high": 512 * GIB, "step": GIB},
    "share": {"low": 0, "high": 1, "step": 0.01},
    "number": {"low": 0, "high": 16, "step": 0.1},
    "amount": {"low": 0, "high": 0.3},
}
"""Ranges of the flags that have none of their own, by the kind of quantity."""
_OWN_RANGE: Final = frozenset(
    {
        "gpu_memory_utilization",
        "block_tokens",
        "activation_reserve",
        "fragmentation_reserve",
        "weights_bytes",
        "runtime_bytes",
        "max_model_len",
        "max_num_seqs",
        "max_num_batched_tokens",
        "kv_cache_memory_bytes",
        "num_gpu_blocks_override",
        "speculative_tokens",
        "cpu_offload_bytes",
    }
)
"""Flags that are declared below one by one."""


def _engine_quantities() -> Iterator[Field]:
    """Every other quantity that some engine's profile declares."""
    for flag in quantities().values():
        if flag.name not in _OWN_RANGE:
            kind: QuantityKind = flag.kind  # type: ignore[assignment]
            access, more = _nested("engine", flag.name), dict(_SLIDERS[kind])
            more["low"] = max(more["low"], flag.lowest)
            more["high"] = min(more["high"], flag.highest)
            yield _field(flag.id, kind, access, optional=flag.optional, **more)


# Model shape


def _is_uniform(scenario: Scenario) -> bool:
    return scenario.model.uniform_attention is not None


def _read_layers(scenario: Scenario) -> int:
    return scenario.model.layer_count


def _write_layers(scenario: Scenario, value: int) -> Scenario:
    if len(scenario.model.layers) != 1:
        raise UserError("layers_differ", model=scenario.model.name)
    return scenario.with_(model=scenario.model.with_layer_count(value))


def _read_attention(name: str) -> Read:
    def read(scenario: Scenario) -> int | None:
        attention = scenario.model.uniform_attention
        return None if attention is None else getattr(attention, name)

    return read


def _write_attention(name: str) -> Write:
    def write(scenario: Scenario, value: int) -> Scenario:
        if scenario.model.uniform_attention is None:
            raise UserError("layers_differ", model=scenario.model.name)
        return scenario.with_(model=scenario.model.with_attention(**{name: value}))

    return write


# Lengths


def _constant(scenario: Scenario) -> bool:
    return isinstance(scenario.workload.lengths, ConstantLength)


def _table(scenario: Scenario) -> bool:
    return isinstance(scenario.workload.lengths, QuantileTable)


def _read_context(scenario: Scenario) -> int | None:
    lengths = scenario.workload.lengths
    return lengths.tokens if isinstance(lengths, ConstantLength) else None


def _write_context(scenario: Scenario, value: int) -> Scenario:
    return scenario.with_(workload=scenario.workload.with_(lengths=ConstantLength(tokens=value)))


def _read_quantile(q: float) -> Read:
    def read(scenario: Scenario) -> int | None:
        lengths = scenario.workload.lengths
        if isinstance(lengths, QuantileTable):
            return next((point.tokens for point in lengths.points if point.q == q), None)
        return None

    return read


def _write_quantile(q: float) -> Write:
    def write(scenario: Scenario, value: int) -> Scenario:
        lengths = scenario.workload.lengths
        others = (
            tuple(point for point in lengths.points if point.q != q)
            if isinstance(lengths, QuantileTable)
            else ()
        )
        points = sorted((*others, QuantilePoint(q=q, tokens=value)), key=lambda point: point.q)
        table = QuantileTable(points=tuple(points))
        return scenario.with_(workload=scenario.workload.with_(lengths=table))

    return write


# The first prefix group


def _prefix(scenario: Scenario) -> PrefixGroup | None:
    groups = scenario.workload.prefix_groups
    return groups[0] if groups else None


def _has_prefix(scenario: Scenario) -> bool:
    return _prefix(scenario) is not None


def _read_prefix(name: str) -> Read:
    def read(scenario: Scenario) -> Value | None:
        group = _prefix(scenario)
        return None if group is None else getattr(group, name)

    return read


def _write_prefix(name: str) -> Write:
    def write(scenario: Scenario, value: Any) -> Scenario:
        group, rest = _prefix(scenario), scenario.workload.prefix_groups[1:]
        if value is None:
            groups = rest
        elif group is None:
            groups = (PrefixGroup(**({"shared_tokens": 1} | {name: value})), *rest)
        else:
            groups = (group.with_(**{name: value}), *rest)
        return scenario.with_(workload=scenario.workload.with_(prefix_groups=groups))

    return write


def _field(
    field_id: str,
    kind: QuantityKind,
    access: tuple[Read, Write],
    low: float,
    high: float,
    *,
    optional: bool = False,
    **more: Any,
) -> Field:
    read, write = access
    part, _, name = field_id.partition(".")
    if part == "engine":
        more.setdefault("applies", _engine_has(name))

    applies = more.get("applies")

    def write_value(scenario: Scenario, value: Any) -> Scenario:
        if part in ("engine", "deployment") and applies and not applies(scenario):
            raise UserError("field_of_another_engine", field=field_id, engine=scenario.engine.kind)
        if value is None and not optional:
            raise UserError("field_needs_a_value", field=field_id, accepted=kind)
        return write(scenario, value)

    return Field(field_id, kind, read, write_value, low, high, optional=optional, **more)


def _quantile_field(name: str, q: float) -> Field:
    access = (_read_quantile(q), _write_quantile(q))
    return _field(
        f"workload.{name}", "tokens", access, 128, 2**20, log2=True, step=1024, applies=_table
    )


FIELDS: Mapping[str, Field] = {
    field.id: field
    for field in (
        _field(
            "model.layers",
            "count",
            (_read_layers, _write_layers),
            1,
            256,
            applies=lambda scenario: len(scenario.model.layers) == 1,
        ),
        _field(
            "model.kv_heads",
            "count",
            (_read_attention("kv_heads"), _write_attention("kv_heads")),
            1,
            128,
            log2=True,
            applies=_is_uniform,
        ),
        _field(
            "model.head_dim",
            "count",
            (_read_attention("head_dim"), _write_attention("head_dim")),
            32,
            512,
            log2=True,
            applies=_is_uniform,
        ),
        _field(
            "gpu.device_total_bytes",
            "bytes",
            _nested("gpu", "device_total_bytes"),
            8 * GIB,
            512 * GIB,
            step=GIB,
        ),
        _field("deployment.tp", "count", _nested("deployment", "tp"), 1, 32, log2=True),
        _field("deployment.pp", "count", _nested("deployment", "pp"), 1, 16, log2=True),
        _field(
            "deployment.ep",
            "count",
            _nested("deployment", "ep"),
            1,
            64,
            log2=True,
            applies=_runs_on("vllm", "sglang", "trtllm"),
        ),
        _field(
            "deployment.dcp",
            "count",
            _nested("deployment", "dcp"),
            1,
            16,
            log2=True,
            applies=_runs_on("vllm"),
        ),
        _field("deployment.dp", "count", _nested("deployment", "dp"), 1, 64, log2=True),
        _field("deployment.replicas", "count", _nested("deployment", "replicas"), 1, 64, log2=True),
        _field(
            "engine.gpu_memory_utilization",
            "share",
            _nested("engine", "gpu_memory_utilization"),
            0.5,
            1,
            step=0.01,
            optional=True,
        ),
        _field("engine.block_tokens", "tokens", _block_tokens(), 1, 256, log2=True, optional=True),
        _field(
            "engine.activation_reserve", "amount", _nested("engine", "activation_reserve"), 0, 0.3
        ),
        _field(
            "engine.fragmentation_reserve",
            "amount",
            _nested("engine", "fragmentation_reserve"),
            0,
            0.3,
        ),
        _field(
            "engine.weights_bytes",
            "bytes",
            _nested("engine", "weights_bytes"),
            GIB,
            1024 * GIB,
            step=GIB,
            optional=True,
        ),
        _field(
            "engine.runtime_bytes",
            "bytes",
            _nested("engine", "runtime_bytes"),
            0,
            8 * GIB,
            step=GIB // 8,
            optional=True,
        ),
        _field(
            "engine.max_model_len",
            "tokens",
            _nested("engine", "max_model_len"),
            128,
            2**20,
            log2=True,
            step=1024,
            optional=True,
        ),
        _field(
            "engine.max_num_seqs",
            "count",
            _nested("engine", "max_num_seqs"),
            1,
            4096,
            log2=True,
            optional=True,
        ),
        _field(
            "engine.max_num_batched_tokens",
            "tokens",
            _nested("engine", "max_num_batched_tokens"),
            512,
            2**16,
            log2=True,
            step=512,
            optional=True,
        ),
        _field(
            "engine.kv_cache_memory_bytes",
            "bytes",
            _nested("engine", "kv_cache_memory_bytes"),
            GIB,
            512 * GIB,
            step=GIB,
            optional=True,
        ),
        _field(
            "engine.num_gpu_blocks_override",
            "count",
            _nested("engine", "num_gpu_blocks_override"),
            1,
            2**20,
            log2=True,
            optional=True,
        ),
        _field(
            "engine.speculative_tokens", "count", _nested("engine", "speculative_tokens"), 0, 16
        ),
        _field(
            "engine.cpu_offload_bytes",
            "bytes",
            _nested("engine", "cpu_offload_bytes"),
            0,
            64 * GIB,
            step=GIB,
            optional=True,
        ),
        *_engine_quantities(),
        *(
            _field(
                f"engine.measured_{name}",
                "bytes",
                _measured(name),
                0,
                128 * GIB,
                step=GIB // 8,
                optional=True,
                applies=_has_measured(name),
            )
            for name in measured_sizes()
        ),
        _field(
            "workload.context",
            "tokens",
            (_read_context, _write_context),
            128,
            2**20,
            log2=True,
            step=1024,
            applies=_constant,
        ),
        _quantile_field("p50", 0.5),
        _quantile_field("p95", 0.95),
        _quantile_field("p99", 0.99),
        _quantile_field("longest", 1.0),
        _field(
            "workload.concurrency",
            "count",
            _nested("workload", "concurrency"),
            1,
            4096,
            log2=True,
            optional=True,
        ),
        _field(
            "workload.prefix_tokens",
            "tokens",
            (_read_prefix("shared_tokens"), _write_prefix("shared_tokens")),
            16,
            2**17,
            log2=True,
            step=1024,
            optional=True,
        ),
        _field(
            "workload.prefix_distinct",
            "count",
            (_read_prefix("distinct_prefixes"), _write_prefix("distinct_prefixes")),
            1,
            1024,
            log2=True,
            applies=_has_prefix,
        ),
        _field(
            "workload.prefix_share",
            "share",
            (_read_prefix("request_share"), _write_prefix("request_share")),
            0,
            1,
            step=0.01,
            applies=_has_prefix,
        ),
        _field("reserves.headroom", "amount", _nested("reserves", "headroom"), 0, 0.3),
        _field(
            "reserves.tight_below",
            "amount",
            _nested("reserves", "tight_below"),
            0,
            0.3,
            optional=True,
        ),
        _field(
            "workload.risk_share",
            "share",
            _nested("workload", "risk_share"),
            0,
            0.2,
            step=0.01,
            optional=True,
        ),
    )
}

"""The quantities of a scenario that can be typed, dragged, swept and compared, declared once.

A field id is a stable name ("workload.context"). `FIELDS` says for each how it is read from a
scenario, how a new value is written (validated), its kind of quantity, and the range a slider
offers; a typed value may lie outside the slider's range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from workbench.spec.engine_fields import DECLARED, engine_fields
from workbench.spec.errors import UserError
from workbench.spec.field import (
    Field,
    Read,
    Value,
    Write,
    declared,
    format_quantity,
    nested,
    parse_quantity,
)
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import (
    ConstantLength,
    PrefixGroup,
    QuantilePoint,
    QuantileTable,
)

__all__ = ["FIELDS", "Field", "Value", "format_quantity", "parse_quantity"]


def _runs_on(*kinds: str) -> Callable[[Scenario], bool]:
    return lambda scenario: scenario.engine.kind in kinds


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


def _quantile_field(name: str, q: float) -> Field:
    access = (_read_quantile(q), _write_quantile(q))
    return declared(
        f"workload.{name}", "tokens", access, 128, 2**20, log2=True, step=1024, applies=_table
    )


_BEFORE_ENGINES: Final = (
    declared(
        "model.layers",
        "count",
        (_read_layers, _write_layers),
        1,
        256,
        applies=lambda scenario: len(scenario.model.layers) == 1,
    ),
    declared(
        "model.kv_heads",
        "count",
        (_read_attention("kv_heads"), _write_attention("kv_heads")),
        1,
        128,
        log2=True,
        applies=_is_uniform,
    ),
    declared(
        "model.head_dim",
        "count",
        (_read_attention("head_dim"), _write_attention("head_dim")),
        32,
        512,
        log2=True,
        applies=_is_uniform,
    ),
    declared(
        "gpu.device_total_bytes",
        "bytes",
        nested("gpu", "device_total_bytes"),
        8 * GIB,
        512 * GIB,
        step=GIB,
    ),
    declared("deployment.tp", "count", nested("deployment", "tp"), 1, 32, log2=True),
    declared("deployment.pp", "count", nested("deployment", "pp"), 1, 16, log2=True),
    declared(
        "deployment.ep",
        "count",
        nested("deployment", "ep"),
        1,
        64,
        log2=True,
        applies=_runs_on("vllm", "sglang", "trtllm"),
    ),
    declared(
        "deployment.dcp",
        "count",
        nested("deployment", "dcp"),
        1,
        16,
        log2=True,
        applies=_runs_on("vllm"),
    ),
    declared("deployment.dp", "count", nested("deployment", "dp"), 1, 64, log2=True),
    declared("deployment.replicas", "count", nested("deployment", "replicas"), 1, 64, log2=True),
)
_AFTER_ENGINES: Final = (
    declared(
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
    declared(
        "workload.concurrency",
        "count",
        nested("workload", "concurrency"),
        1,
        4096,
        log2=True,
        optional=True,
    ),
    declared(
        "workload.prefix_tokens",
        "tokens",
        (_read_prefix("shared_tokens"), _write_prefix("shared_tokens")),
        16,
        2**17,
        log2=True,
        step=1024,
        optional=True,
    ),
    declared(
        "workload.prefix_distinct",
        "count",
        (_read_prefix("distinct_prefixes"), _write_prefix("distinct_prefixes")),
        1,
        1024,
        log2=True,
        applies=_has_prefix,
    ),
    declared(
        "workload.prefix_share",
        "share",
        (_read_prefix("request_share"), _write_prefix("request_share")),
        0,
        1,
        step=0.01,
        applies=_has_prefix,
    ),
    declared("reserves.headroom", "amount", nested("reserves", "headroom"), 0, 0.3),
    declared(
        "reserves.tight_below",
        "amount",
        nested("reserves", "tight_below"),
        0,
        0.3,
        optional=True,
    ),
    declared(
        "workload.risk_share",
        "share",
        nested("workload", "risk_share"),
        0,
        0.2,
        step=0.01,
        optional=True,
    ),
)
_AT_HAND: Final = {field.id: field for field in (*_BEFORE_ENGINES, *DECLARED, *_AFTER_ENGINES)}


@cache
def _all() -> Mapping[str, Field]:
    fields = (*_BEFORE_ENGINES, *engine_fields(), *_AFTER_ENGINES)
    return {field.id: field for field in fields}


class _Fields(Mapping[str, Field]):
    """By id; only for those of one engine the classes of all engines are imported."""

    def __getitem__(self, field_id: str) -> Field:
        if field_id in _AT_HAND or not field_id.startswith("engine."):
            return _AT_HAND[field_id]
        return _all()[field_id]

    def __iter__(self) -> Iterator[str]:
        return iter(_all())

    def __len__(self) -> int:
        return len(_all())


FIELDS: Final[Mapping[str, Field]] = _Fields()

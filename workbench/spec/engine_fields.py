"""The quantities of the engines' profiles: some with a range of their own, others by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from workbench.spec.engine import flag_of
from workbench.spec.engine_flags import Flag, measured_sizes, quantities
from workbench.spec.field import Field, Read, Value, Write, declared, nested
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB, QuantityKind


def _block_tokens() -> tuple[Read, Write]:
    """Read and write the block size; an engine that has to have one takes its own for None."""
    read, write = nested("engine", "block_tokens")

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


_SLIDERS: Final[Mapping[QuantityKind, Mapping[str, Any]]] = {
    "tokens": {"low": 1, "high": 2**20, "log2": True},
    "count": {"low": 1, "high": 4096, "log2": True},
    "bytes": {"low": 0, "high": 512 * GIB, "step": GIB},
    "share": {"low": 0, "high": 1, "step": 0.01},
    "number": {"low": 0, "high": 16, "step": 0.1},
    "amount": {"low": 0, "high": 0.3},
}
"""Ranges of the flags that have none of their own, by the kind of quantity."""
DECLARED: Final = (
    declared(
        "engine.gpu_memory_utilization",
        "share",
        nested("engine", "gpu_memory_utilization"),
        0.5,
        1,
        step=0.01,
        optional=True,
    ),
    declared("engine.block_tokens", "tokens", _block_tokens(), 1, 256, log2=True, optional=True),
    declared("engine.activation_reserve", "amount", nested("engine", "activation_reserve"), 0, 0.3),
    declared(
        "engine.fragmentation_reserve",
        "amount",
        nested("engine", "fragmentation_reserve"),
        0,
        0.3,
    ),
    declared(
        "engine.weights_bytes",
        "bytes",
        nested("engine", "weights_bytes"),
        GIB,
        1024 * GIB,
        step=GIB,
        optional=True,
    ),
    declared(
        "engine.runtime_bytes",
        "bytes",
        nested("engine", "runtime_bytes"),
        0,
        8 * GIB,
        step=GIB // 8,
        optional=True,
    ),
    declared(
        "engine.max_model_len",
        "tokens",
        nested("engine", "max_model_len"),
        128,
        2**20,
        log2=True,
        step=1024,
        optional=True,
    ),
    declared(
        "engine.max_num_seqs",
        "count",
        nested("engine", "max_num_seqs"),
        1,
        4096,
        log2=True,
        optional=True,
    ),
    declared(
        "engine.max_num_batched_tokens",
        "tokens",
        nested("engine", "max_num_batched_tokens"),
        512,
        2**16,
        log2=True,
        step=512,
        optional=True,
    ),
    declared(
        "engine.kv_cache_memory_bytes",
        "bytes",
        nested("engine", "kv_cache_memory_bytes"),
        GIB,
        512 * GIB,
        step=GIB,
        optional=True,
    ),
    declared(
        "engine.num_gpu_blocks_override",
        "count",
        nested("engine", "num_gpu_blocks_override"),
        1,
        2**20,
        log2=True,
        optional=True,
    ),
    declared("engine.speculative_tokens", "count", nested("engine", "speculative_tokens"), 0, 16),
    declared(
        "engine.cpu_offload_bytes",
        "bytes",
        nested("engine", "cpu_offload_bytes"),
        0,
        64 * GIB,
        step=GIB,
        optional=True,
    ),
)
"""Those with a range of their own, among them all that the plain engine has."""


def engine_fields() -> Iterator[Field]:
    """Return every quantity of an engine's profile, those with a range of their own first."""
    yield from DECLARED
    known = {field.id for field in DECLARED}
    for flag in quantities().values():
        if flag.id not in known:
            yield _by_kind(flag)
    for name in measured_sizes():
        yield declared(
            f"engine.measured_{name}",
            "bytes",
            _measured(name),
            0,
            128 * GIB,
            step=GIB // 8,
            optional=True,
            applies=_has_measured(name),
        )


def _by_kind(flag: Flag) -> Field:
    kind: QuantityKind = flag.kind  # type: ignore[assignment]
    more = dict(_SLIDERS[kind])
    more["low"] = max(more["low"], flag.lowest)
    more["high"] = min(more["high"], flag.highest)
    return declared(flag.id, kind, nested("engine", flag.name), optional=flag.optional, **more)

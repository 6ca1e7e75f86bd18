"""Scaling checks: change one input, show the ratio and whether it is the expected one.

Source: founding note 000, "how to read the figures": the cache is proportional to layers, KV
heads, head size, context and concurrency; where it is not, an input or a unit was misread, or
rounding and head replication explain it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pydantic import ValidationError

from workbench.core.memory.shares import parallelism_fault
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

Reason = Literal[
    "as_expected", "block_rounding", "replication", "prefix_sharing", "scales", "layout"
]

EXERCISES: tuple[tuple[str, Fraction], ...] = (
    ("model.kv_heads", Fraction(1, 4)),
    ("model.kv_heads", Fraction(2)),
    ("model.layers", Fraction(4)),
    ("model.head_dim", Fraction(4)),
    ("workload.context", Fraction(2)),
    ("workload.concurrency", Fraction(2)),
)


@dataclass(frozen=True, slots=True)
class ScalingCheck:
    """One input changed by a factor, and what the KV bytes of the rank did."""

    field: str
    before: int
    after: int
    expected_ratio: Fraction
    actual_ratio: Fraction
    reason: Reason

    @property
    def is_expected(self) -> bool:
        """Whether the cache scaled exactly with the input."""
        return self.actual_ratio == self.expected_ratio


def scaling_checks(
    scenario: Scenario,
    ledger_of: Callable[[Scenario], Ledger],
    exercises: tuple[tuple[str, Fraction], ...] = EXERCISES,
) -> tuple[ScalingCheck, ...]:
    """Run each exercise that the scenario allows and whose input stays a whole number."""
    checks = []
    for field_id, factor in exercises:
        check = scaling_check(scenario, ledger_of, field_id, factor)
        if check is not None:
            checks.append(check)
    return tuple(checks)


def scaling_check(
    scenario: Scenario,
    ledger_of: Callable[[Scenario], Ledger],
    field_id: str,
    factor: Fraction,
) -> ScalingCheck | None:
    """Multiply one input by `factor`; None when the scenario lacks it or does not take the product.

    It does not take what is no whole number, below one, or beyond the field's range.
    """
    field = FIELDS[field_id]
    try:
        base = _with_fixed_concurrency(scenario, ledger_of)
        before = field.read(base) if field.applies(base) else None
        if not isinstance(before, int) or (before * factor).denominator != 1:
            return None
        after = int(before * factor)
        trial = field.write(base, after)
    except ValidationError:
        return None
    bytes_before = ledger_of(base).worst_rank.cache_bytes
    bytes_after = ledger_of(trial).worst_rank.cache_bytes
    if not bytes_before:
        return None
    expected, actual = Fraction(after, before), Fraction(bytes_after, bytes_before)
    reason: Reason = "as_expected" if expected == actual else _why(base, trial, field_id)
    return ScalingCheck(field_id, before, after, expected, actual, reason)


def _with_fixed_concurrency(
    scenario: Scenario, ledger_of: Callable[[Scenario], Ledger]
) -> Scenario:
    """Hold the concurrency that is drawn, so that only the exercise's input changes."""
    if scenario.workload.concurrency is not None:
        return scenario
    held = ledger_of(scenario).concurrency * scenario.deployment.copies
    return scenario.with_(workload=scenario.workload.with_(concurrency=held))


def _why(base: Scenario, trial: Scenario, field_id: str) -> Reason:
    """Name what keeps the cache from scaling with the input."""
    if any(parallelism_fault(s.model, s.deployment) for s in (base, trial)):
        return "layout"
    attention = trial.model.uniform_attention
    tp = trial.deployment.tp
    if field_id == "model.kv_heads" and attention is not None and tp > 1:
        return "replication"
    if base.workload.prefix_groups:
        return "prefix_sharing"
    if field_id == "model.head_dim":
        return "scales"
    return "block_rounding"

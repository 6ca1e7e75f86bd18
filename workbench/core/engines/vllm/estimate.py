"""A fitted figure: its bytes, its band, and the formula that gives exactly those bytes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor

from workbench.spec.ledger import Evidence, Formula, Source, Term, Unit
from workbench.spec.vllm_fits import Spread

_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes with a band that holds 90 % of the residuals of the fit."""

    bytes: int
    low_bytes: int
    high_bytes: int
    evidence: Evidence
    formula: Formula
    source: Source


def estimate(
    size_bytes: int,
    formula: Formula,
    spread: Spread,
    *,
    low_bytes: int | None = None,
    high_bytes: int | None = None,
) -> Estimate:
    """Put the band of a spread around a figure; it always holds the figure and is never below 0.

    `low_bytes` and `high_bytes` are what a coefficient at its own limits gives; the residuals
    are added to them.
    """
    low = (size_bytes if low_bytes is None else low_bytes) + spread.low_bytes
    high = (size_bytes if high_bytes is None else high_bytes) + spread.high_bytes
    return Estimate(
        size_bytes,
        max(0, min(size_bytes, low)),
        max(size_bytes, high),
        Evidence(spread.evidence),
        formula,
        source_of(spread),
    )


def nothing(reason: Source) -> Estimate:
    """No bytes, for certain."""
    return Estimate(0, 0, 0, Evidence.COMPUTED, Formula("0"), reason)


def source_of(spread: Spread) -> Source:
    """Name the logs behind a figure: how many, of which releases; few, or others, are no fit."""
    if not spread.n:
        return Source("rule_of_thumb", spread.note)
    named = spread.releases
    if len(named) > _MOST_NAMED:
        named = (f"{named[0]} … {named[-1]}",)
    code = "fit" if spread.evidence == "fitted" else "inferred_logs"
    return Source(code, f"vLLM {', '.join(named)}: {spread.n}")


@lru_cache(maxsize=1024)
def exact(coefficient: float) -> Fraction:
    """The decimal that is shown for a coefficient, without binary rounding."""
    return Fraction(repr(coefficient))


def floored(value: Fraction | int) -> int:
    """Whole bytes."""
    return floor(value)


def fitted(symbol: str, value: float | int, spread: Spread, unit: Unit = "ratio") -> Term:
    """A coefficient as a term."""
    return Term(symbol, value, unit, Evidence(spread.evidence), source_of(spread))


def given(
    symbol: str, value: int, source: Source, field: str | None = None, unit: Unit = "count"
) -> Term:
    """An input as a term."""
    return Term(symbol, value, unit, Evidence.GIVEN, source, field)


def computed(symbol: str, value: int, formula: Formula, source: Source, unit: Unit) -> Term:
    """A term with the formula that gives it."""
    return Term(symbol, value, unit, Evidence.COMPUTED, source, None, formula)

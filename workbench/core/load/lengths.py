"""Length distributions in exact arithmetic: mean, quantiles, mean number of blocks.

A quantile table is read as a discrete distribution: between two points (q_a, t_a) and
(q_b, t_b) a share q_b - q_a of the requests is spread evenly over the whole numbers
t_a + 1 … t_b (or sits on t_b when both are equal); a first point above q = 0 spreads its share
over 1 … t_0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil

from workbench.spec.units import exact
from workbench.spec.workload import (
    ConstantLength,
    LengthDistribution,
    QuantilePoint,
    Sizing,
    TraceSummary,
)

QUANTILES: dict[Sizing, Fraction] = {
    "p50": Fraction(1, 2),
    "p95": Fraction(95, 100),
    "p99": Fraction(99, 100),
    "max": Fraction(1),
}


def blocks_of(tokens: int, block_tokens: int) -> int:
    """Whole blocks that hold `tokens` tokens."""
    return -(-tokens // block_tokens)


def tail_tokens_of(tokens: int, block_tokens: int) -> int:
    """Empty slots of the last block of a request of `tokens` tokens."""
    return blocks_of(tokens, block_tokens) * block_tokens - tokens


def mean_tokens(lengths: LengthDistribution) -> Fraction:
    """Mean length in tokens; a trace's own mean where it is one."""
    if isinstance(lengths, ConstantLength):
        return Fraction(lengths.tokens)
    if isinstance(lengths, TraceSummary):
        return exact(lengths.mean_tokens)
    return sum(
        (share * Fraction(low + 1 + high, 2) for share, low, high in _segments(lengths.points)),
        Fraction(0),
    )


def quantile_tokens(lengths: LengthDistribution, q: Fraction) -> int:
    """Smallest length that at least a share `q` of the requests does not exceed."""
    if isinstance(lengths, ConstantLength):
        return lengths.tokens
    points = lengths.points
    shares, up_to = _shares(tuple(point.q for point in points))
    number = bisect_left(up_to, q)
    if number == len(up_to):
        return points[-1].tokens
    low, high = _spans(points)[number]
    below = up_to[number - 1] if number else 0
    steps = ceil((q - below) / shares[number] * (high - low))
    return max(low + 1, low + steps)


@lru_cache(maxsize=256)
def sized_tokens(lengths: LengthDistribution, sizing: Sizing) -> int:
    """Length in whole tokens of the request that the ledger is drawn with."""
    if sizing == "mean":
        return ceil(mean_tokens(lengths))
    return quantile_tokens(lengths, QUANTILES[sizing])


def mean_blocks(lengths: LengthDistribution, block_tokens: int) -> Fraction:
    """Mean number of whole blocks of a request."""
    if isinstance(lengths, ConstantLength):
        return Fraction(blocks_of(lengths.tokens, block_tokens))
    return sum(
        (
            share
            * Fraction(
                _blocks_up_to(high, block_tokens) - _blocks_up_to(low, block_tokens), high - low
            )
            for share, low, high in _segments(lengths.points)
        ),
        Fraction(0),
    )


@lru_cache(maxsize=256)
def mean_tail_tokens(lengths: LengthDistribution, block_tokens: int) -> Fraction:
    """Mean number of empty slots in a request's last block."""
    if isinstance(lengths, ConstantLength):
        return Fraction(tail_tokens_of(lengths.tokens, block_tokens))
    in_table = sum(
        (share * Fraction(low + 1 + high, 2) for share, low, high in _segments(lengths.points)),
        Fraction(0),
    )
    return mean_blocks(lengths, block_tokens) * block_tokens - in_table


def _segments(points: tuple[QuantilePoint, ...]) -> Iterator[tuple[Fraction, int, int]]:
    """Yield (share, low, high): the share is spread evenly over low + 1 … high."""
    shares, _ = _shares(tuple(point.q for point in points))
    for share, (low, high) in zip(shares, _spans(points), strict=True):
        yield share, low, high


def _spans(points: tuple[QuantilePoint, ...]) -> list[tuple[int, int]]:
    """Return low and high of each segment."""
    spans = [
        (min(before.tokens, after.tokens - 1), after.tokens) for before, after in pairwise(points)
    ]
    return [(0, points[0].tokens), *spans] if points[0].q > 0 else spans


@lru_cache(maxsize=64)
def _shares(levels: tuple[float, ...]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the share of each segment, and that of all up to it.

    Lengths that are tried one after the other, all scaled alike, have the same.
    """
    up_to = [exact(level) for level in levels]
    if levels[0] > 0:
        up_to.insert(0, Fraction(0))
    shares = tuple(after - before for before, after in pairwise(up_to))
    return shares, tuple(accumulate(shares))


def _blocks_up_to(tokens: int, block_tokens: int) -> int:
    """Sum of ceil(t / block_tokens) over t = 1 … tokens."""
    whole, rest = divmod(tokens, block_tokens)
    return block_tokens * whole * (whole + 1) // 2 + rest * (whole + 1)

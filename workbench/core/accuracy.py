"""Statistics of predictions against measured figures: how far off, how often inside the band.

Percentages are of the measured figure. Quantiles lie on the line between the two nearest ranks,
as numpy's do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import floor
from statistics import median

CLOSE_GIB = 0.05
"""An activation peak within this of the measured one is right (issue of the exact core)."""
NEAR_SHARE = 0.10


@dataclass(frozen=True, slots=True)
class Pair:
    """One figure of one start: predicted and measured, in the unit of the field's name."""

    id: str
    field: str
    predicted: float
    measured: float
    low: float | None = None
    high: float | None = None
    reach_low: float | None = None
    """Least prediction for the printed inputs, each rounded as the log rounds it."""
    reach_high: float | None = None
    half_unit: float = 0.0
    """Half a unit of the measured figure's last decimal."""

    @property
    def error(self) -> float:
        """Predicted less measured, in the unit of the field."""
        return self.predicted - self.measured

    @property
    def error_pct(self) -> float:
        """Error in percent of the measured figure; of its rounding where that is larger."""
        if self.error == 0.0:
            return 0.0
        return 100.0 * self.error / max(abs(self.measured), self.half_unit, 1e-9)

    @property
    def within_log_rounding(self) -> bool:
        """Whether the log's own rounding explains the whole difference."""
        low = self.predicted if self.reach_low is None else self.reach_low
        high = self.predicted if self.reach_high is None else self.reach_high
        slack = self.half_unit * (1 + 1e-9)
        return low - slack <= self.measured <= high + slack

    @property
    def inside_band(self) -> bool | None:
        """Whether the measured figure, rounded as it is, lies in the band; None without one."""
        if self.low is None or self.high is None:
            return None
        return self.low - self.half_unit <= self.measured <= self.high + self.half_unit


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of the pairs of one field."""

    n: int
    median_abs_pct: float | None = None
    p90_abs_pct: float | None = None
    max_abs_pct: float | None = None
    within_log_rounding: int = 0
    inside_band: int | None = None
    """How many lie in their band; None where none has one."""
    with_band: int = 0
    median_abs: float | None = None
    """Median of the absolute error, in the unit of the field."""
    p90_abs: float | None = None
    max_abs: float | None = None
    within_10_pct: int = 0
    within_0_05: int = 0
    """How many are off by at most 0.05 in the unit of the field."""


def summary_of(pairs: Iterable[Pair]) -> Summary:
    """Return the statistics of pairs of one field."""
    found = list(pairs)
    if not found:
        return Summary(0)
    percents = sorted(abs(pair.error_pct) for pair in found)
    sizes = sorted(abs(pair.error) for pair in found)
    banded = [pair.inside_band for pair in found if pair.inside_band is not None]
    return Summary(
        n=len(found),
        median_abs_pct=median(percents),
        p90_abs_pct=quantile(percents, 0.9),
        max_abs_pct=percents[-1],
        within_log_rounding=sum(pair.within_log_rounding for pair in found),
        inside_band=sum(banded) if banded else None,
        with_band=len(banded),
        median_abs=median(sizes),
        p90_abs=quantile(sizes, 0.9),
        max_abs=sizes[-1],
        within_10_pct=sum(percent <= 100 * NEAR_SHARE for percent in percents),
        # Both sides are printed with two decimals, so their difference is compared as such.
        within_0_05=sum(round(size, 6) <= CLOSE_GIB for size in sizes),
    )


def quantile(rising: list[float], q: float) -> float:
    """Return the q-quantile of a rising list that is not empty."""
    place = q * (len(rising) - 1)
    below = floor(place)
    above = min(below + 1, len(rising) - 1)
    return rising[below] + (place - below) * (rising[above] - rising[below])


def by_field(pairs: Iterable[Pair]) -> dict[str, Summary]:
    """Return the statistics of each field that occurs, in the order of first occurrence."""
    fields: dict[str, list[Pair]] = {}
    for pair in pairs:
        fields.setdefault(pair.field, []).append(pair)
    return {field: summary_of(found) for field, found in fields.items()}


@dataclass(frozen=True, slots=True)
class Start:
    """Whether one start was refused, and whether that was foreseen."""

    id: str
    refused: bool
    foreseen: bool


@dataclass(frozen=True, slots=True)
class Refusals:
    """How many refusals were foreseen, and how many good starts were called refused."""

    n: int
    predicted: int
    false_alarms: int
    starts: int
    """Good starts that were looked at."""

    @property
    def right_share(self) -> float | None:
        """Share of all starts, good and refused, that were called right; None without any."""
        looked_at = self.n + self.starts
        if not looked_at:
            return None
        return (self.predicted + self.starts - self.false_alarms) / looked_at


def refusals_of(starts: Iterable[Start]) -> Refusals:
    """Count refusals foreseen and false alarms."""
    found = list(starts)

    def count(wanted: Callable[[Start], bool]) -> int:
        return sum(map(wanted, found))

    return Refusals(
        n=count(lambda start: start.refused),
        predicted=count(lambda start: start.refused and start.foreseen),
        false_alarms=count(lambda start: not start.refused and start.foreseen),
        starts=count(lambda start: not start.refused),
    )

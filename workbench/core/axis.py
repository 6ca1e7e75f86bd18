"""The values that an input takes along an axis: round ones between the bounds of its slider."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS, Field, Value
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB

CONTEXT: Final = "workload.context"
CONCURRENCY: Final = "workload.concurrency"
_SPANS: Final = {CONTEXT: (1024, 2**17), CONCURRENCY: (1, 512)}
"""Where most questions lie, narrower than the slider; values beyond widen it."""
_MOST_STEPS: Final = 16
_STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Axis:
    """One input and the values it takes, rising."""

    field: str
    """Id of a field of `spec.fields`."""
    values: tuple[Value, ...]
    card_bytes: int = 0
    """What the share of an amount is taken of."""

    def index(self, value: Value | None) -> int | None:
        """Return the place of a value, None where the axis does not have it."""
        if value is None:
            return None
        numbers = [self._number(known) for known in self.values]
        wanted = self._number(value)
        return numbers.index(wanted) if wanted in numbers else None

    def position(self, value: Value | None) -> float | None:
        """Return where a value stands between the places; None without one or beyond the ends."""
        if value is None:
            return None
        places, wanted = _places(self), self.scaled(value)
        if not places[0] <= wanted <= places[-1]:
            return None
        for place, (one, other) in enumerate(pairwise(places)):
            if wanted <= other:
                return place + (wanted - one) / (other - one)
        return 0.0

    def scaled(self, value: Value) -> float:
        """Return a value along the scale of its slider."""
        number = float(self._number(value))
        return math.log2(max(number, 0.5)) if FIELDS[self.field].log2 else number

    def _number(self, value: Value) -> int | float:
        return number_of(value, self.card_bytes)


@lru_cache(maxsize=64)
def _places(axis: Axis) -> tuple[float, ...]:
    return tuple(axis.scaled(value) for value in axis.values)


def number_of(value: Value, card_bytes: int) -> int | float:
    """Return a value as a number; an amount as its bytes on a card."""
    return value.of(card_bytes) if isinstance(value, Amount) else value


def fields_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the ids of all quantities that a scenario has, in the order of its form."""
    return tuple(field.id for field in FIELDS.values() if field.applies(scenario))


def first_axes(scenario: Scenario) -> tuple[str, str]:
    """Return the two inputs to begin with: the length of a request and how many at once."""
    across = CONTEXT if FIELDS[CONTEXT].applies(scenario) else "workload.p95"
    return (across if FIELDS[across].applies(scenario) else "deployment.tp"), CONCURRENCY


def axis_of(
    field_id: str,
    scenario: Scenario,
    *,
    exact: Iterable[Value | None] = (),
    covered: Iterable[Value | None] = (),
) -> Axis:
    """Return the values of a field, powers of two where its slider has them, else even steps.

    The scenario's own value and those of `exact` are among them; the axis reaches as far as
    those of `covered`.
    """
    field, card_bytes = FIELDS[field_id], scenario.gpu.device_total_bytes
    own = field.read(scenario)
    kept = [value for value in (own, *exact) if value is not None]
    numbers = [number_of(value, card_bytes) for value in kept]
    reached = [*numbers, *(number_of(v, card_bytes) for v in covered if v is not None)]
    found = {number: value for number, value in zip(numbers, kept, strict=True)}
    for value in _round_values(field, own, reached, card_bytes):
        found.setdefault(number_of(value, card_bytes), value)
    return Axis(field_id, tuple(found[number] for number in sorted(found)), card_bytes)


def _round_values(
    field: Field, own: Value | None, reached: list[int | float], card_bytes: int
) -> list[Value]:
    low, high = _SPANS.get(field.id, (field.slider_low, field.slider_high))
    if field.kind == "amount":
        return _amounts(low, high, own, card_bytes)
    low, high = min([low, *reached]), max([high, *reached])
    if field.log2:
        first, last = math.floor(math.log2(max(low, 1))), math.ceil(math.log2(max(high, 1)))
        # A value typed far beyond would make an axis of sixty places: the ends stay then.
        return [2**power for power in range(first, min(last, first + 2 * _MOST_STEPS) + 1)]
    if field.kind in ("share", "number"):
        return [float(number) for number in _even(Fraction(str(low)), Fraction(str(high)))]
    whole = _even(Fraction(low), Fraction(high), least=int(field.step))
    return [int(number) for number in whole if number == int(number)]


def _amounts(low: float, high: float, own: Value | None, card_bytes: int) -> list[Value]:
    """Shares of the card, or bytes where the scenario has bytes."""
    shares = _even(Fraction(str(low)), Fraction(str(high)))
    if isinstance(own, Amount) and own.size_bytes is not None and card_bytes:
        # A whole number of GiB at the end, not the share's odd bytes.
        most = max(GIB, int(Fraction(str(high)) * card_bytes) // GIB * GIB)
        sizes = _even(Fraction(0), Fraction(most), least=GIB // 4)
        return [Amount(size_bytes=int(size)) for size in sizes]
    return [Amount(share=float(share)) for share in shares]


def _even(low: Fraction, high: Fraction, least: int = 0) -> list[Fraction]:
    """Multiples of a round step from low to high, both ends among them; a few, never none."""
    span = high - low
    if span <= 0:
        return [low]
    step = Fraction(least) if least else Fraction(10) ** math.floor(math.log10(span / _MOST_STEPS))
    unit = step
    while span / step > _MOST_STEPS:
        # Sizes are doubled, so that they stay whole units; others go 1, 2, 5, 10.
        unit, step = _next_step(unit, step, doubling=bool(least))
    first = math.ceil(low / step)
    multiples = [step * n for n in range(first, math.floor(high / step) + 1)]
    return sorted({low, *multiples, high})


def _next_step(unit: Fraction, step: Fraction, *, doubling: bool) -> tuple[Fraction, Fraction]:
    if doubling:
        return unit, step * 2
    place = _STEPS.index(int(step / unit)) + 1
    if place < len(_STEPS):
        return unit, unit * _STEPS[place]
    return unit * 10, unit * 10

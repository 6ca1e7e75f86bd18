"""What one press of a key or one place of a slider means for each kind of quantity."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from workbench.spec.base import MAX_INT
from workbench.spec.engine import Amount
from workbench.spec.fields import Field, Value
from workbench.spec.units import GIB, exact, share_of

_AMOUNT_STEP_SHARE = 0.01
_AMOUNT_STEP_BYTES = GIB // 4


def slider_step(field: Field) -> float:
    """Return the distance between two places of a linear slider."""
    return _AMOUNT_STEP_SHARE if field.kind == "amount" else field.step


def to_slider(value: Value | None, card_bytes: int) -> float | None:
    """Return where a value stands on its slider; an amount stands at its share of the card."""
    if isinstance(value, Amount):
        if value.share is not None:
            return value.share
        return (value.size_bytes or 0) / card_bytes if card_bytes else 0.0
    return value


def from_slider(field: Field, current: Value | None, place: float, card_bytes: int) -> Value:
    """Return the value of a place on the slider; an amount keeps its unit."""
    if field.kind == "amount":
        if isinstance(current, Amount) and current.size_bytes is not None and card_bytes:
            size = share_of(card_bytes, place)
            return Amount(size_bytes=round(size / _AMOUNT_STEP_BYTES) * _AMOUNT_STEP_BYTES)
        return Amount(share=round(place, 4))
    if field.kind in ("share", "number"):
        return round(place, 6)
    return max(0, round(place))


def stepped(field: Field, current: Value | None, number: int, card_bytes: int) -> Value:
    """Return a value `number` steps away, never below zero."""
    if isinstance(current, Amount):
        return _stepped_amount(current, number)
    if field.kind in ("share", "number"):
        moved = exact(current or 0) + exact(field.step) * number
        highest = Fraction(1) if field.kind == "share" else Fraction(10**18)
        return float(min(max(moved, Fraction(0)), highest))
    start = 0 if current is None else int(current)
    lowest = 0 if field.kind == "bytes" else 1
    return min(max(lowest, _aligned(start, int(field.step), number)), MAX_INT)


def _aligned(start: int, step: int, number: int) -> int:
    """Step to whole multiples of the step: from 1,500 by 1,024 up is 2,048."""
    if number > 0:
        return (floor(Fraction(start, step)) + number) * step
    return (-floor(Fraction(-start, step)) + number) * step


def _stepped_amount(current: Amount, number: int) -> Amount:
    if current.share is not None:
        share = exact(current.share) + exact(_AMOUNT_STEP_SHARE) * number
        return Amount(share=float(min(max(share, Fraction(0)), Fraction(1))))
    size = (current.size_bytes or 0) + _AMOUNT_STEP_BYTES * number
    return Amount(size_bytes=min(max(0, size), MAX_INT))


def scaled(current: Value | None, factor: float) -> Value:
    """Return twice or half of a value; half of an odd number is rounded down, 1 stays 1."""
    ratio = exact(factor)
    if isinstance(current, Amount):
        if current.share is not None:
            return Amount(share=float(min(exact(current.share) * ratio, Fraction(1))))
        return Amount(size_bytes=min(floor((current.size_bytes or 0) * ratio), MAX_INT))
    if isinstance(current, float):
        return float(exact(current) * ratio)
    if current is None:
        return 0
    return min(max(min(1, current), floor(current * ratio)), MAX_INT)

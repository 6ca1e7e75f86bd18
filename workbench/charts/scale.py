"""Axes over bytes: a unit that reads well, round ticks, positions."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from workbench.spec.units import (
    GIB,
    KIB,
    MIB,
    MINUS,
    TIB,
    ByteUnit,
    byte_unit_for,
    large_unit,
    show_in_unit,
)

UNIT_BYTES: Final[Mapping[ByteUnit, int]] = {
    "B": 1,
    "KiB": KIB,
    "MiB": MIB,
    "GiB": GIB,
    "TiB": TIB,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
}
_DECIMAL: Final = ("kB", "MB", "GB", "TB")
_MOST_DECIMALS: Final = 3


def resolve_unit(unit: ByteUnit, largest_bytes: int) -> ByteUnit:
    """Return the unit itself, or for "auto" the one in which the largest size reads best."""
    if unit != "auto":
        return unit
    if largest_bytes:
        return byte_unit_for(largest_bytes)
    return large_unit()


def unit_for(size_bytes: int, unit: ByteUnit) -> ByteUnit:
    """Return the chart's unit, or a smaller one for a size that would round away in it.

    For texts that name their unit; figures without one are always in the chart's.
    """
    if size_bytes == 0 or abs(size_bytes) * 10 >= UNIT_BYTES[unit]:
        return unit
    return byte_unit_for(size_bytes, "decimal" if unit in _DECIMAL else "binary")


def fixed(size_bytes: int, unit: ByteUnit, decimals: int = 2, *, plus: str = "") -> str:
    """Show the number alone with always as many decimals, as figures below each other have them.

    A small one is told from 0: "<0.01".
    """
    text = show_in_unit(abs(size_bytes), unit, decimals)
    if decimals and unit != "B" and "." not in text:
        text += "." + "0" * decimals
    if size_bytes and not text.strip("0.,"):
        text = "<" + text[:-1] + "1"
    return (MINUS if size_bytes < 0 else plus if size_bytes else "") + text


def sized_fixed(size_bytes: int, unit: ByteUnit, decimals: int = 2) -> str:
    """Show the same with the unit; a smaller unit only for what would look like 0."""
    if abs(size_bytes) * 2 * 10**decimals < UNIT_BYTES[unit]:
        unit = unit_for(size_bytes, unit)
    return f"{fixed(size_bytes, unit, decimals)} {unit}"


@functools.lru_cache(maxsize=2048)
def number(size_bytes: int, unit: ByteUnit) -> str:
    """Show a size with one decimal: more for a small one, lest it look like 0, none from 1,000."""
    if abs(size_bytes) >= 1000 * UNIT_BYTES[unit]:
        return show_in_unit(size_bytes, unit, 0)
    for decimals in range(1, _MOST_DECIMALS + 1):
        text = show_in_unit(size_bytes, unit, decimals)
        if size_bytes == 0 or text.strip("-0.,"):
            return text
    return ("-" if size_bytes < 0 else "") + "<0." + "0" * (_MOST_DECIMALS - 1) + "1"


def figure(size_bytes: int, unit: ByteUnit) -> str:
    """Show the same where sizes are compared: a whole one has a decimal like those beside it."""
    text = number(size_bytes, unit)
    whole_one = "." not in text and unit != "B" and abs(size_bytes) < 1000 * UNIT_BYTES[unit]
    return f"{text}.0" if whole_one and size_bytes else text


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight axis from 0 bytes at `left` to `end_bytes` at `left + width`."""

    left: float
    width: float
    end_bytes: int

    def length(self, size_bytes: int) -> float:
        """Return the length of a size, in pixels and not rounded."""
        # Integers first: a quotient of large ones is exact to the last bit of a float.
        return size_bytes / self.end_bytes * self.width

    def at(self, size_bytes: int) -> float:
        """Return the position of a size, on a whole pixel."""
        return whole(self.left + self.length(size_bytes))

    @property
    def right(self) -> float:
        """The position of `end_bytes`."""
        return self.left + self.width


def whole(value: float) -> float:
    """Round to a whole pixel, halves upwards, so that equal lengths stay equal."""
    return float((value + 0.5) // 1)


@functools.lru_cache(maxsize=256)
def ticks(end_bytes: int, unit: ByteUnit, at_most: int) -> tuple[int, ...]:
    """Return round positions in bytes from 0 to `end_bytes`: steps of 1, 2 or 5 × 10ⁿ of the unit.

    There are at most `at_most` of them, but always 0; none lies closer than `tick_text` shows.
    """
    room = max(1, at_most) - 1
    power, finest = Fraction(1, 10**_MOST_DECIMALS), Fraction(1, UNIT_BYTES[unit])
    while power * UNIT_BYTES[unit] <= end_bytes and room:
        for step in (power, 2 * power, 5 * power):
            count = int(end_bytes / (step * UNIT_BYTES[unit]))
            if finest <= step and count <= room:
                return tuple(round(step * UNIT_BYTES[unit] * i) for i in range(count + 1))
        power *= 10
    return (0,)


def tick_text(position_bytes: int, unit: ByteUnit) -> str:
    """Show a tick's value without needless decimals."""
    text = show_in_unit(position_bytes, unit, _MOST_DECIMALS)
    return text.rstrip("0").rstrip(".") if "." in text else text

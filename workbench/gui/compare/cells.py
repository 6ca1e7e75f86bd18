"""What the compare table is made of: lines, each with a cell a column, each of coloured pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from workbench.charts.rows import Row
from workbench.core.compare import Per
from workbench.gui.labels import Role
from workbench.gui.why import Why
from workbench.spec import units
from workbench.spec.units import MINUS, ByteUnit

Style = Literal["row", "section", "verdict", "bar", "large", "strong"]
SAME: Final = "="
DIFFERENT: Final = "≠"
NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class Piece:
    """A few characters of one colour."""

    text: str
    role: Role = "text"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, and how it differs from the baseline's."""

    value: tuple[Piece, ...] = ()
    diff: tuple[Piece, ...] = ()
    tip: str = ""
    """The value in full, the difference in full."""
    why: Why | None = None
    diff_why: Why | None = None
    tinted: bool = False
    """An input that differs."""
    bar: Row | None = None
    """Drawn instead of the value, which then only says it."""

    @property
    def value_text(self) -> str:
        """The value alone."""
        return " ".join(piece.text for piece in self.value)

    @property
    def diff_text(self) -> str:
        """The difference alone, empty without one."""
        return " ".join(piece.text for piece in self.diff)

    @property
    def text(self) -> str:
        """Value and difference."""
        return " ".join(text for text in (self.value_text, self.diff_text) if text)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table across all columns; a section has no cells."""

    key: str
    """Stays the same while the words change, to keep the keyboard's place."""
    name: str
    cells: tuple[Cell, ...] = ()
    style: Style = "row"
    part: str = ""
    """Part of the bar whose colour stands before the name."""
    unit: str = ""
    """Of all figures of a section."""

    @property
    def full_name(self) -> str:
        """The name with its unit, as it is copied and read out."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


@dataclass(frozen=True, slots=True)
class Head:
    """The heading of a column."""

    key: str
    """Id of the scenario, or reference of the preset."""
    name: str
    is_baseline: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """How a person wants to see the comparison."""

    unit: ByteUnit = "GiB"
    per: Per = "gpu"
    only_differences: bool = True


# Figures


def size_text(size_bytes: int, unit: ByteUnit) -> str:
    """Return a size in the table's unit, which stands above; what is small does not look like 0."""
    sign = MINUS if size_bytes < 0 else ""
    return sign + _unsigned(abs(size_bytes), unit)


def signed_size(delta_bytes: int, unit: ByteUnit) -> str:
    """Return a difference with its sign, in the table's unit."""
    return ("+" if delta_bytes > 0 else MINUS) + _unsigned(abs(delta_bytes), unit)


def _unsigned(size_bytes: int, unit: ByteUnit) -> str:
    text = units.show_in_unit(size_bytes, unit, 2)
    if size_bytes and not text.strip("0."):
        return "<0.01"
    # Figures below each other are compared: all of them have the same decimals.
    whole = unit == "B" or "." in text or size_bytes == 0
    return text if whole else f"{text}.00"


def exact_size(size_bytes: int) -> str:
    """Return all digits of a size."""
    return f"{MINUS if size_bytes < 0 else ''}{units.group_digits(abs(size_bytes))} B"


def exact_delta(delta_bytes: int) -> str:
    """Return all digits of a difference, with its sign."""
    return ("+" if delta_bytes > 0 else "") + exact_size(delta_bytes)


def signed(delta: int, said: Callable[[int], str] = units.group_digits) -> str:
    """Return a difference of whole numbers with its sign; `said` prints the number."""
    return ("+" if delta > 0 else MINUS) + said(abs(delta))


def ratio(value: int, baseline: int) -> Fraction | None:
    """Return how many times as large a positive number is as another."""
    return Fraction(value, baseline) if value > 0 and baseline > 0 else None


def factor_text(factor: Fraction) -> str:
    """Return how many times as large, "×4" or "÷2"; empty where it would round to ×1."""
    sign, ratio = ("×", factor) if factor >= 1 else ("÷", 1 / factor)
    text = units.show_number(ratio, 1) if ratio.denominator != 1 else units.group_digits(int(ratio))
    return "" if text == "1" else sign + text

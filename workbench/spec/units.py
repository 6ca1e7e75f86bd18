"""Quantities as people type and read them, exact both ways.

For tokens k = 1,024 and M = 1,048,576; for requests, users and rates k = 1,000. GB and MB are
decimal, GiB and MiB binary. A value that is no whole number of k is printed in full. All
arithmetic is on exact fractions; `parse(format(x)) == x` for every value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from workbench.spec.base import MAX_INT
from workbench.spec.errors import UserError

KIB: Final = 1024
MIB: Final = 1024**2
GIB: Final = 1024**3
TIB: Final = 1024**4
MINUS: Final = "−"
"""Stands before a number that people read; a hyphen before one that programs read."""

QuantityKind = Literal["tokens", "count", "bytes", "share", "amount", "number"]
ByteUnit = Literal["auto", "B", "KiB", "MiB", "GiB", "TiB", "kB", "MB", "GB", "TB"]
UnitFamily = Literal["binary", "decimal"]

SMALLEST_SHARE: Final = Fraction(1, 10**9)
"""Shares and rates are 0 or at least this: what is finer could not be typed again."""

_BYTE_UNITS: Final[Mapping[str, int]] = {
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
_BYTE_UNITS_BY_LOWER_NAME: Final = {name.lower(): size for name, size in _BYTE_UNITS.items()} | {
    "byte": 1,
    "bytes": 1,
}
_TOKEN_UNITS: Final[Mapping[str, int]] = {"k": KIB, "m": MIB, "token": 1, "tokens": 1}
_COUNT_UNITS: Final[Mapping[str, int]] = {"k": 10**3, "m": 10**6}
_MAX_CHARACTERS: Final = 64
# Full-width digits, letters and marks come from Chinese input methods; other look-alikes ("²")
# are no digits.
_COMPACT: Final[Mapping[int, int | None]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, " \t\u00a0\u2009\u202f\u3000"), None),
    # Their full stop is what the key of the decimal point gives.
    ord("。"): ord("."),
}
# Compiled when something is typed: the window starts without them.
_NUMBER_WITH_UNIT: Final = r"([0-9][0-9.,_']{0,62}|[.,][0-9]{1,62})([A-Za-z%]{0,8})"
_FACTOR: Final = r"[xX×*]([0-9.,]{1,62})"
_ONE_GROUP: Final = r"[1-9][0-9]{0,2},[0-9]{3}"
_GROUPED: Final = r"[0-9]{1,3}([,_'][0-9]{3})(?:[,_'][0-9]{3}){0,12}(\.[0-9]{1,30})?"
_GROUPED_BY_DOTS: Final = r"[0-9]{1,3}(?:\.[0-9]{3}){2,12}(,[0-9]{1,30})?"
_PLAIN: Final = r"(?:[0-9]{1,62}(?:[.,][0-9]{0,62})?|[.,][0-9]{1,62})"


def share_of(total_bytes: int, share: float) -> int:
    """Return floor(total × share) in bytes, with the share taken as the decimal it is written as.

    0.06 of 100 is 6, although the nearest double to 0.06 is a little less.
    """
    return int(exact(share) * total_bytes)


@lru_cache(maxsize=4096)
def exact(number: float | int) -> Fraction:
    """Return the fraction that a number's shortest decimal text stands for."""
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(number)))


# Reading


def parse_tokens(text: str, current: int | None = None) -> int:
    """Read "128k", "131072", "1M" or "x2" (twice the current value) as tokens."""
    return _whole(_quantity(text, _TOKEN_UNITS, "tokens", current), text, "tokens")


def parse_count(text: str, current: int | None = None) -> int:
    """Read "16", "1.5k" (k = 1,000) or "x2" as a number of things."""
    return _whole(_quantity(text, _COUNT_UNITS, "count", current), text, "count")


def parse_bytes(text: str, current: int | None = None) -> int:
    """Read "80 GiB", "80GB", "81559 MiB", "85520809984" or "x2" as bytes.

    A part of a byte that a decimal leaves ("79.19 GiB") is dropped.
    """
    value = _quantity(text, _BYTE_UNITS_BY_LOWER_NAME, "bytes", current)
    return _in_range(int(value), text, "bytes")


def parse_share(text: str, current: float | None = None) -> float:
    """Read "0.9", "90%", "90 %" or "x2" as a share between 0 and 1."""
    now = None if current is None else exact(current)
    value = _quantity(text, {}, "share", now, percent=True)
    if value != 0 and not SMALLEST_SHARE <= value <= 1:
        raise UserError("share_out_of_range", text=text)
    return float(value)


def parse_number(text: str, current: float | None = None) -> float:
    """Read a plain number such as a rate, "2.5" or "1.5k" (k = 1,000)."""
    now = None if current is None else exact(current)
    value = _quantity(text, _COUNT_UNITS, "number", now)
    if value > 10**18:
        raise UserError("number_too_large", text=text, accepted="number")
    if 0 < value < SMALLEST_SHARE:
        raise UserError("number_too_small", text=text, accepted="number")
    return float(value)


def _quantity(
    text: str,
    units: Mapping[str, int],
    accepted: QuantityKind,
    current: int | Fraction | None,
    *,
    percent: bool = False,
) -> Fraction:
    """Read number and unit; raise `UserError` saying what would be accepted."""
    if len(text) > _MAX_CHARACTERS:
        raise UserError("quantity_too_long", limit=_MAX_CHARACTERS, accepted=accepted)
    compact = text.translate(_COMPACT)
    if not compact:
        raise UserError("quantity_empty", accepted=accepted)
    if compact.startswith("-"):
        raise UserError("quantity_negative", text=text, accepted=accepted)
    factor = re.fullmatch(_FACTOR, compact)
    if factor is not None:
        if current is None:
            raise UserError("factor_without_value", text=text, accepted=accepted)
        return _number(factor[1], text, accepted) * current
    match = re.fullmatch(_NUMBER_WITH_UNIT, compact)
    if match is None:
        raise UserError("quantity_unreadable", text=text, accepted=accepted)
    number, unit = _number(match[1], text, accepted), match[2].lower()
    if unit == "":
        return number
    if unit == "%" and percent:
        return number / 100
    if unit not in units:
        raise UserError("unit_unknown", text=text, unit=match[2], accepted=accepted)
    return number * units[unit]


def _number(digits: str, text: str, accepted: QuantityKind) -> Fraction:
    """Read digits with either decimal mark and with thousands marks where they are unambiguous."""
    if re.fullmatch(_ONE_GROUP, digits):
        raise UserError(
            "thousands_or_decimal",
            text=text,
            whole=digits.replace(",", ""),
            decimal=digits.replace(",", "."),
        )
    grouped = re.fullmatch(_GROUPED, digits)
    if grouped and (digits.count(",") != 1 or "." in digits):
        return Fraction(Decimal(re.sub("[,_']", "", digits)))
    if re.fullmatch(_GROUPED_BY_DOTS, digits):
        return Fraction(Decimal(digits.replace(".", "").replace(",", ".")))
    if re.fullmatch(_PLAIN, digits):
        return Fraction(Decimal(digits.replace(",", ".")))
    raise UserError("quantity_unreadable", text=text, accepted=accepted)


def _whole(value: Fraction, text: str, accepted: QuantityKind) -> int:
    if value.denominator != 1:
        raise UserError("not_whole", text=text, value=f"{float(value):g}", accepted=accepted)
    return _in_range(int(value), text, accepted)


def _in_range(value: int, text: str, accepted: QuantityKind) -> int:
    if value > MAX_INT:
        raise UserError("number_too_large", text=text, accepted=accepted)
    return value


# Printing


def format_tokens(tokens: int) -> str:
    """Print 131,072 tokens as "128k"; what is no whole number of k is printed in full."""
    return _with_multiple(tokens, KIB, MIB)


def format_count(count: int) -> str:
    """Print 2,000 requests as "2k"; what is no whole number of k is printed in full."""
    return _with_multiple(count, 10**3, 10**6)


def _with_multiple(value: int, kilo: int, mega: int) -> str:
    if value and value % mega == 0:
        return f"{value // mega}M"
    if value and value % kilo == 0:
        return f"{value // kilo}k"
    return str(value)


def format_bytes(size_bytes: int) -> str:
    """Print bytes so that reading them back gives the same number: "80 GiB", "81559 MiB"."""
    for unit in ("TiB", "GiB", "TB", "GB", "MiB", "MB", "KiB", "kB"):
        hundredths = Fraction(size_bytes * 100, _BYTE_UNITS[unit])
        if hundredths >= 100 and hundredths.denominator == 1:
            return f"{_decimal(hundredths / 100)} {unit}"
    # One group alone ("1,234") could be a decimal and would be asked about.
    return f"{size_bytes:,} B" if size_bytes >= 10**6 else f"{size_bytes} B"


def format_share(share: float) -> str:
    """Print a share so that reading it back gives the same number: "90 %"."""
    return f"{_decimal(exact(share) * 100)} %"


def format_number(number: float) -> str:
    """Print a plain number without an exponent."""
    return _decimal(exact(number))


def _decimal(value: Fraction) -> str:
    """Print a fraction whose denominator divides a power of ten."""
    digits = 0
    while value * 10**digits % 1:
        digits += 1
    whole = int(value * 10**digits)
    if digits == 0:
        return str(whole)
    text = str(whole).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"


# Showing (rounded, for labels; never read back)


def show_bytes(size_bytes: int, unit: ByteUnit = "auto", decimals: int = 2) -> str:
    """Show bytes rounded for reading, "41.98 GiB"; a whole number has no decimals."""
    if unit == "auto":
        unit = byte_unit_for(size_bytes)
    return f"{show_in_unit(size_bytes, unit, decimals)} {unit}"


_FAMILIES: Final[Mapping[UnitFamily, tuple[ByteUnit, ...]]] = {
    "binary": ("TiB", "GiB", "MiB", "KiB"),
    "decimal": ("TB", "GB", "MB", "kB"),
}
_shown_family: UnitFamily = "binary"


def show_sizes_in(family: UnitFamily) -> None:
    """Choose what the unit "auto" means from now on: GiB and its kin, or GB and its.

    A window's choice, for the whole process; files and the command line never make it.
    """
    global _shown_family
    _shown_family = family


def shown_family() -> UnitFamily:
    """Return what the unit "auto" means now."""
    return _shown_family


def byte_unit_for(size_bytes: int, family: UnitFamily | None = None) -> ByteUnit:
    """Choose the unit in which a size reads best."""
    size = abs(size_bytes)
    largest, *smaller = _FAMILIES[family or _shown_family]
    # 4,095 GiB reads better than 4.00 TiB on a page that is otherwise in GiB.
    if size >= 4 * _BYTE_UNITS[largest]:
        return largest
    return next((unit for unit in smaller if size >= _BYTE_UNITS[unit]), "B")


def large_unit() -> ByteUnit:
    """Return the unit of columns of large sizes: GiB, or GB where those were chosen."""
    return "GiB" if _shown_family == "binary" else "GB"


def show_large(size_bytes: int) -> str:
    """Show the number alone in the large unit.

    Always three decimals, so that the points of a column stand below each other.
    """
    text = show_in_unit(size_bytes, large_unit(), 3)
    return text if "." in text else f"{text}.000"


@lru_cache(maxsize=4096)
def show_in_unit(size_bytes: int, unit: ByteUnit, decimals: int = 2) -> str:
    """Show the number alone, rounded half to even on the exact value, with digits grouped."""
    value = Fraction(size_bytes, _BYTE_UNITS[unit])
    if value.denominator == 1:
        return group_digits(int(value))
    scaled = round(abs(value) * 10**decimals)
    sign = "-" if value < 0 and scaled else ""
    whole, part = divmod(scaled, 10**decimals)
    return f"{sign}{group_digits(whole)}" + (f".{part:0{decimals}d}" if decimals else "")


def show_tokens(tokens: int) -> str:
    """Show tokens as "128k" where that is exact, else in full with digits grouped."""
    return format_tokens(tokens) if tokens % KIB == 0 else group_digits(tokens)


def group_digits(value: int) -> str:
    """Print a whole number with thousands marks: 131,072."""
    return f"{value:,}"


def show_share(share: float | Fraction, decimals: int = 2) -> str:
    """Show a share rounded for reading, "0.19 %"."""
    percent = (share if isinstance(share, Fraction) else exact(share)) * 100
    if percent.denominator == 1:
        return f"{int(percent)} %"
    return f"{float(percent):.{decimals}f} %"


def show_number(value: float | int | Fraction, decimals: int = 2) -> str:
    """Show a number rounded for reading, without trailing zeros."""
    if isinstance(value, int):
        return group_digits(value)
    text = f"{float(value):,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

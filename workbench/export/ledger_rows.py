"""The ledger of one scenario as rows of a table: rank by rank, those that are alike once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from workbench.charts.scale import fixed
from workbench.core.compare import OUTSIDE
from workbench.export.cells import MISSING
from workbench.export.options import Language, Options
from workbench.export.safe_text import safe_line
from workbench.export.table import Cell, CellUnit, Row
from workbench.export.wording import part_name
from workbench.spec import units, words
from workbench.spec.ledger import Entry, EntryKind, Ledger, RankLedger
from workbench.spec.scenario import Scenario
from workbench.spec.units import ByteUnit
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_ROWS

LEDGER_COLUMNS: Final = (
    *("entry", "bytes", "evidence", "low", "high"),
    *("formula", "numbers", "source"),
)
"""Codes of the columns; the size in a large unit stands after the bytes."""
RankGroup = tuple[RankLedger, ...]
_EMPTY: Final = Cell("")


def rank_groups(ledger: Ledger) -> tuple[RankGroup, ...]:
    """Ranks that are alike in all but their number, in order."""
    groups: dict[RankLedger, list[RankLedger]] = {}
    for rank in ledger.ranks:
        groups.setdefault(replace(rank, rank=0), []).append(rank)
    return tuple(map(tuple, groups.values()))


def group_name(group: RankGroup, ledger: Ledger, language: Language) -> str:
    """Name ranks by their numbers: "Ranks 0–3, alike, stage 1: decides"."""

    def said(code: str, **params: object) -> str:
        return words.fill(language.words(TABLE_HEADINGS[code]), params)

    first = group[0]
    if first.place == "host":
        name = said("host")
    elif len(group) == 1:
        name = said("rank", ranks=str(first.rank))
    else:
        name = said("ranks", ranks=_spans([rank.rank for rank in group]))
    if len({rank.stage for rank in ledger.ranks if rank.place == "card"}) > 1:
        name = said("stage", place=name, stage=str(first.stage))
    return said("decides", place=name) if ledger.worst_rank in group else name


def _spans(numbers: list[int]) -> str:
    """Numbers with those that follow each other drawn together: "0–3, 8"."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(str(s[0]) if len(s) == 1 else f"{s[0]}–{s[-1]}" for s in spans)


def entry_part(entry: Entry) -> str:
    """Return the part of the bar that an entry belongs to."""
    beside = not entry.in_budget and entry.kind is not EntryKind.UNREQUESTED
    return (OUTSIDE if beside else "") + entry.kind.value


def ledger_rows(scenario: Scenario, ledger: Ledger, options: Options) -> Iterator[Row]:
    """Every rank or group of alike ranks under its heading."""
    language = options.language
    for group in rank_groups(ledger):
        rank = group[0]
        yield Row((Cell(group_name(group, ledger, language), look="strong"),))
        for entry in rank.entries:
            yield _entry_row(entry, options)
        for part, size in (("headroom", rank.headroom_bytes), ("free", rank.free_bytes)):
            name = Cell(part_name(part, language))
            yield Row((name, *_sizes(size, options.unit), *(_EMPTY,) * 6), part)
        total = Cell(language.words(TABLE_ROWS["total"]), look="strong")
        sizes = (replace(cell, look="strong") for cell in _sizes(_sum(rank), options.unit))
        yield Row((total, *sizes, *(_EMPTY,) * 6))


def _sum(rank: RankLedger) -> int:
    return sum(entry.bytes for entry in rank.entries) + rank.headroom_bytes + rank.free_bytes


def _entry_row(entry: Entry, options: Options) -> Row:
    translate = options.language.words
    formula, numbers = formula_texts(entry, options.language)
    return Row(
        (
            Cell(safe_line(words.entry_text(entry, translate))),
            *_sizes(entry.bytes, options.unit),
            Cell(translate(words.EVIDENCE[entry.evidence.value])),
            _exact(entry.low_bytes),
            _exact(entry.high_bytes),
            Cell(formula),
            Cell(numbers),
            Cell(safe_line(words.source_text(entry.source, translate))),
        ),
        entry_part(entry),
    )


def formula_texts(entry: Entry, language: Language) -> tuple[str, str]:
    """Return an entry's formula with names, and with numbers."""
    named = words.formula_text(entry.formula, filled=False, translate=language.words)
    numbers = words.formula_text(entry.formula, translate=language.words)
    return printed_formula(named), printed_formula(numbers)


def printed_formula(formula: str) -> str:
    """A formula as it is read: with a minus, not a hyphen."""
    return safe_line(formula).replace(" - ", f" {units.MINUS} ")


def _exact(size: int | None) -> Cell:
    if size is None:
        return MISSING
    return Cell(units.group_digits(size).replace("-", units.MINUS), size, "bytes")


def _sizes(size: int, unit: ByteUnit) -> tuple[Cell, Cell]:
    """The bytes, and the same in the large unit."""
    large = size_unit(unit)
    ratio: CellUnit = "ratio"
    value = float(Fraction(size, unit_bytes(large)))
    return _exact(size), Cell(fixed(size, large), value, ratio)


def size_unit(unit: ByteUnit) -> ByteUnit:
    """Return the unit of columns of sizes: the one asked for, else GiB or GB as is shown."""
    return units.large_unit() if unit in ("auto", "B") else unit


def unit_bytes(unit: ByteUnit) -> int:
    """Bytes of one unit."""
    return units.parse_bytes(f"1 {unit}")

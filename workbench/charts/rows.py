"""What a bar chart is made from, and what it says in words and figures about each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from workbench.charts.labels import Labels, english, filled, part_label
from workbench.charts.parts import PART_ORDER
from workbench.charts.scale import figure, number, resolve_unit, unit_for
from workbench.charts.stack import FREE, HEADROOM, OUTSIDE, Part, stack
from workbench.charts.text import plain
from workbench.spec.ledger import Entry, RankLedger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import ByteUnit, show_in_unit
from workbench.spec.words import preset_name

STAR = "★"


@dataclass(frozen=True, slots=True)
class Row:
    """One bar: a scenario with its worst rank, or one of its ranks."""

    scenario: str
    """Id of the scenario, for hit regions."""
    name: str
    ledger: RankLedger
    status: Status
    subtitle: str = ""
    """Second line under the name: model, card."""
    is_baseline: bool = False
    selected: bool = False
    previous: RankLedger | None = None
    """Another answer to compare with, drawn as a thin bar below."""
    tried: RankLedger | None = None
    """What a change would make of it: a dashed outline above, with its result."""
    tried_status: Status = Status.FITS
    without_weights: bool = False
    """The model has none on record: what is left is an upper bound."""
    near_limit: bool = False
    """It fits, but nobody keeps headroom and little is left."""
    tried_near_limit: bool = False

    @property
    def as_tried(self) -> Row | None:
        """The row with the change made; None without one."""
        if self.tried is None:
            return None
        return replace(
            self,
            ledger=self.tried,
            status=self.tried_status,
            near_limit=self.tried_near_limit,
            tried=None,
        )


SYMBOLS: Final[Mapping[Status, str]] = {
    Status.FITS: "✔",
    Status.TIGHT: "▲",
    Status.DOES_NOT_FIT: "✖",
    Status.REFUSES: "✖",
}
"""A verdict is told by more than its colour."""


def cards_of(scenario: Scenario, say: Callable[[str], str] = str) -> str:
    """Return the cards that a scenario takes and how many: "4 × 80 GiB card".

    `say` translates the names that describe a card; others stay as they are.
    """
    gpus, name = scenario.deployment.gpus, scenario.gpu.short_name
    count = f"{gpus} × " if gpus > 1 else ""
    return count + preset_name(name, say)


def subtitle_of(scenario: Scenario, say: Callable[[str], str] = str) -> str:
    """Return what stands under a scenario's name: its model and its cards."""
    return f"{scenario.model.name} · {cards_of(scenario, say)}"


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What hover and keyboard focus tell about one part of a bar."""

    part: str
    bytes: int
    share_of_budget: Fraction | None
    """None when the budget is 0."""
    entries: tuple[Entry, ...]
    """The ledger lines it sums; empty for headroom and free."""
    delta_bytes: int | None
    """Against the row's `previous`; None without one."""


def chart_unit(rows: Sequence[Row], unit: ByteUnit) -> ByteUnit:
    """Return the unit that suits all rows: "auto" looks at the largest card."""
    return resolve_unit(unit, max((row.ledger.total_bytes for row in rows), default=0))


def result_template(row: Row) -> tuple[str, int]:
    """Return the code of the sentence right of a bar, and the bytes it names."""
    ledger = row.ledger
    if row.status is Status.REFUSES:
        return "result.refuses", 0
    if ledger.over_bytes:
        return "result.over", ledger.over_bytes
    if row.status is Status.DOES_NOT_FIT:
        return "result.does_not_fit", 0
    if row.status is Status.TIGHT:
        return "result.tight", ledger.left_bytes
    if ledger.place == "host" and not ledger.free_bytes:
        # Nobody said how much memory the host has: its total is what it needs.
        return "result.needed", ledger.charged_bytes
    return "result.fits", max(0, ledger.free_bytes)


def result_text(row: Row, unit: ByteUnit, labels: Labels) -> str:
    """Return the sentence right of a bar: "9.2 GiB free"."""
    code, size = result_template(row)
    return filled(labels(code), size=sized(size, unit))


def doubt_text(row: Row, labels: Labels) -> str:
    """Return why an answer that looks well is no clear yes; empty where it is one."""
    if row.status not in (Status.FITS, Status.TIGHT):
        return ""
    codes = [("near.limit", row.near_limit), ("without.weights", row.without_weights)]
    return " · ".join(plain(labels(code)) for code, is_so in codes if is_so)


def sized(size_bytes: int, unit: ByteUnit) -> str:
    """Return a size with its unit, the chart's where it reads well in it."""
    own = unit_for(size_bytes, unit)
    return f"{figure(size_bytes, own)} {own}"


def limit_text(ledger: RankLedger, unit: ByteUnit, labels: Labels) -> str:
    """Return the sentence above a limit line."""
    own = unit_for(ledger.total_bytes, unit)
    # A card has its size by name: 80 GiB, not 80.0.
    total = number(ledger.total_bytes, own)
    if ledger.budget_bytes == ledger.total_bytes:
        return filled(labels(f"limit.{ledger.place}"), size=f"{total} {own}")
    budget = number(ledger.budget_bytes, own)
    template = labels("limit.engine")
    return filled(template, number=budget, size=f"{budget} {own}", total=f"{total} {own}")


def describe(row: Row, part: str) -> PartFacts | None:
    """Return the figures of one part of a row's bar (the key's `part`), None if it has none."""
    found = _part(row.ledger, part)
    if found is None:
        return None
    before = None if row.previous is None else _part(row.previous, part)
    delta = None if row.previous is None else found.bytes - (before.bytes if before else 0)
    budget = row.ledger.budget_bytes
    share = Fraction(found.bytes, budget) if budget > 0 else None
    return PartFacts(part, found.bytes, share, found.entries, delta)


def _part(ledger: RankLedger, name: str) -> Part | None:
    parts = stack(ledger)
    return next((p for p in parts.inside + parts.outside if p.name == name), None)


def sentence(row: Row, unit: ByteUnit, labels: Labels) -> str:
    """Return a row in words."""
    result, limit = result_text(row, unit, labels), limit_text(row.ledger, unit, labels)
    doubt = doubt_text(row, labels)
    return f"{plain(row.name)}: {f'{result}, {doubt}' if doubt else result} ({limit})"


def bars_table(
    rows: Sequence[Row], *, unit: ByteUnit = "auto", labels: Labels = english
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the chart's figures as text: a header, and a line a row.

    Columns are those of the bars, in their order; an empty cell is a part the row lacks. `free`
    is negative where the row exceeds its budget, so that each line adds up to the card.
    """
    unit = chart_unit(rows, unit)
    columns = _columns(rows)
    sized = [f"{part_label(labels, name)} ({unit})" for name, _ in columns]
    edges = ("table.scenario", "table.rank", "table.budget", "table.total", "table.status")
    scenario, rank, budget, total, status = (plain(labels(code)) for code in edges)
    header = (scenario, rank, *sized, f"{budget} ({unit})", f"{total} ({unit})", status)
    return header, tuple(_line(row, columns, unit, labels) for row in rows)


_Column = tuple[str, Callable[[RankLedger], int | None]]


def _columns(rows: Sequence[Row]) -> list[_Column]:
    """Return the parts that occur in any row, with how to read them."""
    stacks = [stack(row.ledger) for row in rows]
    inside = {part.name for parts in stacks for part in parts.inside}
    outside = {part.name for parts in stacks for part in parts.outside}
    ordered = [name for name in PART_ORDER if name in inside and name != FREE]
    if HEADROOM not in ordered and any(row.ledger.headroom_bytes for row in rows):
        ordered.append(HEADROOM)
    columns: list[_Column] = [(name, _reader(name)) for name in ordered]
    columns.append((FREE, lambda ledger: ledger.free_bytes))
    names = [OUTSIDE + name for name in PART_ORDER] + list(PART_ORDER)
    columns += [(name, _reader(name)) for name in names if name in outside]
    return columns


def _reader(name: str) -> Callable[[RankLedger], int | None]:
    def read(ledger: RankLedger) -> int | None:
        part = _part(ledger, name)
        return None if part is None else part.bytes

    return read


def _line(row: Row, columns: Sequence[_Column], unit: ByteUnit, labels: Labels) -> tuple[str, ...]:
    ledger = row.ledger
    sizes = [read(ledger) for _, read in columns] + [ledger.budget_bytes, ledger.total_bytes]
    return (
        plain(row.name),
        str(ledger.rank),
        *("" if size is None else show_in_unit(size, unit, 2) for size in sizes),
        plain(labels("status.near" if row.near_limit else f"status.{row.status.value}")),
    )

"""Scenarios side by side: answers, inputs, where the bytes go, what is assumed, GPUs to fit.

Pure figures and codes. A row holds one cell a scenario, in the order of the columns; a cell that
differs does so from the baseline's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workbench.core.assumed import terms_of, unsure
from workbench.core.evidence import input_evidence
from workbench.core.inputs import FLAG_FIELDS, Input, InputKind, Part, inputs_of
from workbench.core.solve import Answer, LedgerOf, max_concurrency, max_context, smallest_tp
from workbench.spec.engine import Amount
from workbench.spec.ledger import (
    STACK_ORDER,
    Entry,
    EntryKind,
    Evidence,
    Ledger,
    RankLedger,
    Term,
)
from workbench.spec.scenario import Scenario

Per = Literal["gpu", "all"]
"""Bytes of the rank that decides, or of all ranks of all replicas together."""

OUTSIDE = "outside:"
"""Before the kind of what lives on the card beside the engine's budget, as in the charts."""


@dataclass(frozen=True, slots=True)
class Column:
    """One scenario with its answers."""

    scenario: Scenario
    ledger: Ledger
    is_baseline: bool
    largest_concurrency: Answer
    """Most requests that fit at the scenario's own length, in the whole scenario."""
    largest_context: Answer
    """Longest request that fits at the concurrency set, one request where none is."""
    smallest_tp: Answer
    """The fewest cards that fit with all else as it is."""

    @property
    def gpus(self) -> int:
        """Cards that the scenario takes."""
        return self.scenario.deployment.gpus

    @property
    def gpus_to_fit(self) -> int | None:
        """Cards that the same question would take; None where no TP tried fits."""
        fitting = self.smallest_tp.scenario
        return None if fitting is None else fitting.deployment.gpus

    def used_bytes(self, per: Per) -> int:
        """What the entries inside the budget take."""
        return self._sum(per, lambda rank: rank.charged_bytes)

    def budget_bytes(self, per: Per) -> int:
        """What the engine may use."""
        return self._sum(per, lambda rank: rank.budget_bytes)

    def left_bytes(self, per: Per) -> int:
        """What is left of the budget; negative where it is exceeded."""
        return self._sum(per, lambda rank: rank.left_bytes)

    def taken_bytes(self, per: Per) -> int:
        """What is taken of the card: inside the budget and beside it."""
        parts = self.parts(per)
        beside = sum(size for part, size in parts.items() if part.startswith(OUTSIDE))
        return self.used_bytes(per) + beside

    def part_bytes(self, part: str, per: Per) -> int | None:
        """Bytes of a part of the bar (see `MemoryRow.part`); None where it has none."""
        return self.parts(per).get(part)

    def parts(self, per: Per) -> dict[str, int]:
        """Bytes of every part of the bar that the column has, by name."""
        ranks = (self.ledger.worst_rank,) if per == "gpu" else self.ledger.ranks
        found: dict[str, int] = {}
        for parts in map(parts_of, ranks):
            for part, size in parts.items():
                found[part] = found.get(part, 0) + self._copies(per) * size
        return found

    def _sum(self, per: Per, read: Callable[[RankLedger], int]) -> int:
        if per == "gpu":
            return read(self.ledger.worst_rank)
        return self._copies(per) * sum(map(read, self.ledger.ranks))

    def _copies(self, per: Per) -> int:
        return 1 if per == "gpu" else self.scenario.deployment.copies


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of one scenario beside that of the baseline."""

    value: object
    """None where the scenario lacks it or leaves it to the engine."""
    applies: bool = True
    """Whether the scenario has this at all."""
    default: object = None
    """What the engine takes where the value is left to it."""
    differs: bool = False
    factor: Fraction | None = None
    """Value ÷ the baseline's, of positive numbers that differ."""
    delta: int | float | None = None
    """Value − the baseline's, of numbers that differ."""


@dataclass(frozen=True, slots=True)
class InputRow:
    """One input in all scenarios."""

    id: str
    """Id of the field; its name is `words.FIELDS[id]` or, without one there, `INPUT_NAMES[id]`."""
    part: Part
    kind: InputKind
    """How values are printed: a quantity's kind (`fields.format_quantity`), "name" or "flag"."""
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """Whether any scenario differs from the baseline."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One part of the bars in all scenarios, on the deciding rank and in total."""

    part: str
    """A kind, "headroom", "free", "unrequested", or "outside:" and a kind."""
    per_gpu: tuple[Cell, ...]
    total: tuple[Cell, ...]

    def cells(self, per: Per) -> tuple[Cell, ...]:
        """The cells of one unit."""
        return self.per_gpu if per == "gpu" else self.total

    @property
    def differs(self) -> bool:
        """Whether any scenario differs from the baseline, by either count."""
        return any(cell.differs for cell in (*self.per_gpu, *self.total))


@dataclass(frozen=True, slots=True)
class AssumptionRow:
    """Something taken from a rule of thumb or a fit, or a flag left to the engine."""

    kind: Literal["entry", "term", "default"]
    code: str
    """An entry's label, a formula's symbol, or the id of a flag's field ("engine.block_tokens")."""
    evidence: Evidence
    items: tuple[Entry | Term | object | None, ...]
    """The entry, the term or the default of each scenario; None where it assumes no such thing."""
    differs: bool
    """Whether the scenarios assume different things; else it is shared by all."""
    counts: bool
    """Whether it is one of the assumed or fitted values (see `core.assumed`); a default is none,
    nor is what only stands in the formula of an entry that is assumed itself."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that the compare view shows."""

    columns: tuple[Column, ...]
    baseline: int
    """Index of the baseline among the columns."""
    inputs: tuple[InputRow, ...]
    """In form order: each input that a scenario has, whether it differs or not."""
    memory: tuple[MemoryRow, ...]
    """In stack order, then headroom and free, then what lies outside the budget."""
    assumptions: tuple[AssumptionRow, ...]
    """Assumed and fitted entries, assumed terms, defaults of the engine."""

    @property
    def told_assumptions(self) -> tuple[AssumptionRow, ...]:
        """The assumed and fitted values, and what is left to the engine: each once.

        A default that is a rule of thumb is told where it comes in: in an entry or a formula.
        """
        return tuple(
            row
            for row in self.assumptions
            if row.counts or (row.kind == "default" and row.evidence is Evidence.GIVEN)
        )

    @property
    def inputs_that_differ(self) -> tuple[InputRow, ...]:
        """Inputs in which a scenario differs from the baseline."""
        return tuple(row for row in self.inputs if row.differs)


def compare(
    scenarios: Sequence[Scenario], baseline: int, ledger_of: LedgerOf, *, answers: bool = True
) -> Comparison:
    """Put scenarios side by side; `baseline` is the index of the one that others differ from.

    Without `answers` nothing is solved for: the three answers of each column are not sought.
    """
    columns = tuple(
        _column(scenario, number == baseline, ledger_of, answers)
        for number, scenario in enumerate(scenarios)
    )
    return Comparison(
        columns=columns,
        baseline=baseline,
        inputs=_inputs(columns, baseline),
        memory=_memory(columns, baseline),
        assumptions=_assumptions(columns),
    )


def _column(scenario: Scenario, is_baseline: bool, ledger_of: LedgerOf, answers: bool) -> Column:
    solvers = (max_concurrency, max_context, smallest_tp)
    if answers:
        found = [solve(scenario, ledger_of) for solve in solvers]
    else:
        found = [Answer.not_sought(goal) for goal in ("concurrency", "context", "tp")]
    return Column(scenario, ledger_of(scenario), is_baseline, *found)


# Inputs


def _inputs(columns: Sequence[Column], baseline: int) -> tuple[InputRow, ...]:
    scenarios = [column.scenario for column in columns]
    defaults = [_defaults(column.ledger) for column in columns]
    return tuple(
        InputRow(item.id, item.part, item.kind, _input_cells(item, scenarios, defaults, baseline))
        for item in inputs_of(*scenarios)
    )


def _input_cells(
    item: Input,
    scenarios: Sequence[Scenario],
    defaults: Sequence[Mapping[str, object]],
    baseline: int,
) -> tuple[Cell, ...]:
    base = scenarios[baseline]
    before = item.read(base) if item.applies(base) else None
    cells = []
    for scenario, left in zip(scenarios, defaults, strict=True):
        applies = item.applies(scenario)
        value = item.read(scenario) if applies else None
        differs = scenario is not base and item.differs(base, scenario)
        default = left.get(item.id) if value is None else None
        cells.append(against(before, Cell(value, applies, default, differs)))
    return tuple(cells)


def _defaults(ledger: Ledger) -> dict[str, object]:
    """What the engine takes for the flags that are left to it, by the id of the field."""
    found: dict[str, object] = {}
    for flag, value in ledger.scenario.resolved.items():
        found.setdefault(_field_of(flag), value)
    return found


def _field_of(flag: str) -> str:
    return FLAG_FIELDS.get(flag, f"engine.{flag}")


def against(before: object, cell: Cell) -> Cell:
    """Return a cell with its difference from the baseline's value, where both are numbers."""
    now, then = _number(cell.value), _number(before)
    if not cell.differs or now is None or then is None:
        return cell
    delta = None if isinstance(cell.value, Amount) else now - then
    factor = Fraction(now) / Fraction(then) if now > 0 and then > 0 else None
    return Cell(cell.value, cell.applies, cell.default, True, factor, delta)


def _number(value: object) -> int | float | None:
    """The number of a quantity; an amount has none, since bytes and shares do not compare."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return None


# Memory


def parts_of(rank: RankLedger) -> dict[str, int]:
    """Bytes of the parts of a rank's bar by name, in drawing order; they add up to the card.

    "free" is negative where the budget is exceeded. What takes from the budget because it does
    not fit beside it is inside "outside:…"; only then do the parts not add up.
    """
    found: dict[str, int] = {}
    for entry in rank.entries:
        beside = not entry.in_budget and entry.kind is not EntryKind.UNREQUESTED
        name = OUTSIDE + entry.kind.value if beside else entry.kind.value
        found[name] = found.get(name, 0) + entry.bytes
    found["headroom"], found["free"] = rank.headroom_bytes, rank.free_bytes
    return {name: found[name] for name in PART_ORDER if name in found}


PART_ORDER = (
    *(kind.value for kind in STACK_ORDER),
    "headroom",
    "free",
    *(OUTSIDE + kind.value for kind in STACK_ORDER),
    EntryKind.UNREQUESTED.value,
)


def _memory(columns: Sequence[Column], baseline: int) -> tuple[MemoryRow, ...]:
    # The bar of a column is taken apart once, not once for each part.
    per_gpu, total = ([column.parts(per) for column in columns] for per in _PERS)
    return tuple(
        MemoryRow(
            part, _memory_cells(part, per_gpu, baseline), _memory_cells(part, total, baseline)
        )
        for part in PART_ORDER
        if any(part in parts for parts in total)
    )


_PERS: tuple[Per, Per] = ("gpu", "all")


def _memory_cells(
    part: str, columns: Sequence[Mapping[str, int]], baseline: int
) -> tuple[Cell, ...]:
    before = columns[baseline].get(part, 0)
    cells = []
    for parts in columns:
        size = parts.get(part)
        cell = Cell(size, applies=size is not None, differs=(size or 0) != before)
        if cell.differs:
            factor = Fraction(size, before) if size and size > 0 and before > 0 else None
            cell = Cell(size, cell.applies, None, True, factor, (size or 0) - before)
        cells.append(cell)
    return tuple(cells)


# Assumptions


def _assumptions(columns: Sequence[Column]) -> tuple[AssumptionRow, ...]:
    each = [_assumed(column.ledger) for column in columns]
    counted = {
        item.key
        for column in columns
        for evidence in (Evidence.ASSUMED, Evidence.FITTED)
        for item in unsure(column.ledger.worst_rank, evidence)
    }
    keys = dict.fromkeys(key for found in each for key in found)
    rows = []
    for kind, code in keys:
        items = tuple(found.get((kind, code)) for found in each)
        first = next((item for item in items if item is not None), None)
        evidence = getattr(first, "evidence", None) or _default_evidence(columns, items, code)
        shown = {_assumed_value(item) for item in items}
        counts = (kind, code) in counted
        rows.append(AssumptionRow(kind, code, evidence, items, len(shown) > 1, counts))
    return tuple(rows)


def _default_evidence(columns: Sequence[Column], items: Sequence[object], code: str) -> Evidence:
    """Say how sure the first default is: an engine's own, or a rule of thumb."""
    of = next((c for c, item in zip(columns, items, strict=True) if item is not None), columns[0])
    return input_evidence(of.ledger, code)


Key = tuple[Literal["entry", "term", "default"], str]


def _assumed(ledger: Ledger) -> dict[Key, Entry | Term | object]:
    """What one ledger takes for granted: entries, then their inputs, then the engine's defaults."""
    found: dict[Key, Entry | Term | object] = {}
    rank = ledger.worst_rank
    for entry in rank.entries:
        if entry.evidence in (Evidence.ASSUMED, Evidence.FITTED):
            found["entry", entry.label] = entry
    told = {f"{entry.label}_bytes" for entry in rank.entries if entry.evidence is Evidence.ASSUMED}
    for entry in rank.entries:
        for term in terms_of(entry.formula, Evidence.ASSUMED):
            if term.symbol not in told:
                found.setdefault(("term", term.symbol), term)
    for item in unsure(rank, Evidence.FITTED):
        if item.term is not None:
            found.setdefault(("term", item.term.symbol), item.term)
    for flag in ledger.scenario.defaulted:
        found["default", _field_of(flag)] = ledger.scenario.resolved.get(flag)
    return found


def _assumed_value(item: Entry | Term | object | None) -> object:
    """What must be equal for an assumption to be shared."""
    if isinstance(item, Entry):
        return (item.bytes, item.low_bytes, item.high_bytes)
    if isinstance(item, Term):
        return (item.value, item.unit)
    return str(item)

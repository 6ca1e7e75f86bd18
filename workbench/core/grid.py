"""Many concurrencies at once, for one length of the requests or for many.

Only the demand differs between two contexts, and only a product between two concurrencies: the
fixed entries and the pool are worked out once, a row asks the engine for the blocks of one
request, and its columns are array operations. A cell is the status, and the bytes of the worst
rank, that `budget` gives to the scenario with that context and that target.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.core.load.demand import Demand
from workbench.core.load.lengths import sized_tokens
from workbench.core.sheet import Sheet, StageBudget, sheet_of
from workbench.spec.base import MAX_INT
from workbench.spec.ledger import EntryKind, Refusal, Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength

STATUSES: Final[tuple[Status, ...]] = tuple(Status)
"""What the numbers of a status array stand for."""
NO_POOL: Final = -1
"""Instead of a number of requests where there is no pool to hold them."""
MOST_BYTES: Final = 2**62
"""Sizes beyond it, made of widths that no model has, are written as it; so are requests."""

_ANY: Final = MAX_INT
"""A stage without KV takes any number of requests."""
_FITS, _TIGHT, _DOES_NOT_FIT, _REFUSES = (
    STATUSES.index(status)
    for status in (Status.FITS, Status.TIGHT, Status.DOES_NOT_FIT, Status.REFUSES)
)


@dataclass(frozen=True, slots=True, eq=False)
class CapacityRow:
    """One scenario with each of many concurrencies."""

    status: NDArray[np.int8]
    """Index into `STATUSES`, one a concurrency; so are the bytes, of the worst rank."""
    usable_bytes: NDArray[np.int64]
    """What the engine may use."""
    left_bytes: NDArray[np.int64]
    """Usable less used; negative where it does not fit."""
    free_bytes: NDArray[np.int64]
    """What is left less the headroom."""
    most_requests: int
    """Requests that the pool holds in the whole scenario; 0 where it refuses, and any number,
    2^63 - 1 for each copy, where no layer keeps anything."""
    fitting_requests: int
    """Requests of the whole scenario up to which it fits."""
    held_requests: int
    """Requests that the pool would hold, also where the longest request is refused; `NO_POOL`
    where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class CapacityGrid:
    """One row a context, one column a concurrency."""

    contexts: tuple[int, ...]
    """Tokens of a request."""
    concurrencies: tuple[int, ...]
    """Requests in the whole scenario."""
    rows: tuple[CapacityRow, ...]

    @property
    def status(self) -> NDArray[np.int8]:
        """Index into `STATUSES`, shape (contexts, concurrencies)."""
        return np.stack([row.status for row in self.rows])

    @property
    def used_bytes(self) -> NDArray[np.int64]:
        """What the worst rank takes of its budget."""
        return np.stack([row.usable_bytes - row.left_bytes for row in self.rows])

    @property
    def usable_bytes(self) -> NDArray[np.int64]:
        """What the engine may use of the worst rank."""
        return np.stack([row.usable_bytes for row in self.rows])

    @property
    def most_requests(self) -> tuple[int, ...]:
        """Requests of each context that the pool holds; see `CapacityRow`."""
        return tuple(row.most_requests for row in self.rows)


def capacity_grid(
    scenario: Scenario, contexts: tuple[int, ...], concurrencies: tuple[int, ...]
) -> CapacityGrid:
    """Return every pair, all at least 1."""
    rows = Rows(scenario, concurrencies)
    return CapacityGrid(contexts, concurrencies, tuple(map(rows.of_context, contexts)))


def capacity_row(scenario: Scenario, concurrencies: tuple[int, ...]) -> CapacityRow:
    """Return a scenario, its own lengths drawn, with each concurrency, all at least 1."""
    return _row(sheet_of(scenario), scenario, _asked(scenario, concurrencies))


class Rows:
    """Rows of one scenario that differ in the context only and share everything else."""

    def __init__(self, scenario: Scenario, concurrencies: tuple[int, ...]) -> None:
        self._scenario = scenario
        self._sheet = sheet_of(_with_context(scenario, 1))
        self._asked = _asked(scenario, concurrencies)

    def of_context(self, context: int) -> CapacityRow:
        """Return the row of requests of `context` tokens."""
        return _row(self._sheet, _with_context(self._scenario, context), self._asked)


def _with_context(scenario: Scenario, context: int) -> Scenario:
    workload = scenario.workload.with_(lengths=ConstantLength(tokens=context))
    return scenario.with_(workload=workload)


def _asked(scenario: Scenario, concurrencies: tuple[int, ...]) -> NDArray[np.int64]:
    """Requests on each replica."""
    copies = scenario.deployment.copies
    return np.array([-(-asked // copies) for asked in concurrencies], dtype=np.int64)


def _row(sheet: Sheet, scenario: Scenario, asked: NDArray[np.int64]) -> CapacityRow:
    """Answer for requests of the scenario; the sheet is that of the scenario or of its like."""
    workload, copies = scenario.workload, scenario.deployment.copies
    plan = sheet.pool()
    refusal = sheet.rule.refusal(scenario) or (None if plan is None else plan.refusal)
    demand = None
    if refusal is None or refusal.has_pages:
        demand = sheet.rule.demand(scenario, sized_tokens(workload.lengths, workload.sizing))
    left_bytes, worst = _worst(sheet, demand, asked)
    budgets = np.array([written(stage.budget_bytes) for stage in sheet.stages], dtype=np.int64)
    held, fitting, pooled = 0, 0, NO_POOL
    if demand is not None and (refusal is None or refusal.category == "max_len_too_long"):
        blocks = sheet.usable_blocks()
        if plan is not None:
            pooled = demand.requests_in(blocks or 0) * copies
        if refusal is None:
            held = _ANY if blocks is None else demand.requests_in(blocks)
            fitting = held if sheet.has_room() else 0
    if refusal is None:
        status = np.where(left_bytes < _tight_bytes(scenario), _TIGHT, _FITS)
        status[asked > fitting] = _DOES_NOT_FIT
    else:
        status = np.where(_too_heavy(sheet, refusal)[worst], _DOES_NOT_FIT, _REFUSES)
    return CapacityRow(
        status=status.astype(np.int8),
        usable_bytes=budgets[worst],
        left_bytes=left_bytes,
        free_bytes=left_bytes - left_bytes.clip(0, sheet.headroom_bytes),
        most_requests=held * copies,
        fitting_requests=fitting * copies,
        held_requests=pooled,
    )


def written(size: int) -> int:
    """Return a number as an array can hold it: at most `MOST_BYTES` on either side of 0."""
    return max(-MOST_BYTES, min(size, MOST_BYTES))


def _tight_bytes(scenario: Scenario) -> int:
    reserves = scenario.reserves
    limit = reserves.headroom if reserves.tight_below is None else reserves.tight_below
    return limit.of(scenario.gpu.device_total_bytes)


def _worst(
    sheet: Sheet, demand: Demand | None, asked: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """What each number of requests leaves on the worst rank, and the stage which that is."""
    total_bytes = sheet.scenario.gpu.device_total_bytes
    left = []
    for stage in sheet.stages:
        after = written(stage.room_bytes(total_bytes)) - _held_bytes(stage, demand, asked)
        if not stage.is_card:
            # The host decides only where it has too little.
            after[after >= 0] = MOST_BYTES
        left.append(after.clip(-MOST_BYTES, MOST_BYTES))
    if len(left) == 1:
        return left[0], np.zeros(len(asked), dtype=np.intp)
    by_stage = np.stack(left)
    return by_stage.min(axis=0), by_stage.argmin(axis=0)


def _held_bytes(
    stage: StageBudget, demand: Demand | None, asked: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Whole blocks of so many requests on one rank."""
    block_bytes = stage.pages.bytes_per_block
    if demand is None or not block_bytes:
        return np.zeros(len(asked), dtype=np.int64)
    if stage.pages.taken_at_start:
        # The pool is there from the start: requests beyond it wait, and take nothing more.
        whole = written(stage.pages.taken_at_start * block_bytes)
        return np.full(len(asked), whole, dtype=np.int64)
    always = demand.prefix_blocks + demand.in_flight_blocks + bool(stage.pages.withheld_blocks)
    own = Fraction(demand.own_blocks)
    if demand.ranks > 1:
        asked = -(-asked // demand.ranks)
    highest = (int(asked.max()) * own.numerator + always * own.denominator + 1) * block_bytes
    if highest < MOST_BYTES:
        # The quotient of the negative is rounded down: the product itself is rounded up.
        return (always - (-own.numerator * asked // own.denominator)) * block_bytes
    sizes = (
        (always + demand.own_blocks_of(int(one) * demand.ranks)) * block_bytes for one in asked
    )
    return np.array([min(size, MOST_BYTES) for size in sizes], dtype=np.int64)


def _too_heavy(sheet: Sheet, refusal: Refusal) -> NDArray[np.bool_]:
    """Whether the weights of each stage alone exceed the card: it dies while loading."""
    total_bytes = sheet.scenario.gpu.device_total_bytes
    heavy = []
    for stage in sheet.stages:
        weights = (entry for entry in stage.fixed if entry.kind is EntryKind.WEIGHTS)
        weights_bytes = sum(entry.bytes for entry in weights)
        heavy.append(refusal.category == "no_memory" and weights_bytes > total_bytes)
    return np.array(heavy)

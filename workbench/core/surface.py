"""The answer over any two numeric inputs: what a heat map shows.

    x × y -> status, used and usable bytes of the worst rank, what is free, requests held

Where one input is the concurrency its values are answered at once, a row for each value of the
other (`core.grid`); any other pair is answered cell by cell from the ledger. Both come in slices,
so that whoever waits for them can do other things or stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from workbench.core.axis import CONCURRENCY, CONTEXT, Axis
from workbench.core.budget import ledger_of
from workbench.core.grid import (
    MOST_BYTES,
    NO_POOL,
    STATUSES,
    CapacityRow,
    Rows,
    capacity_row,
    written,
)
from workbench.core.inputs import parts_of
from workbench.core.solve import FITTING, largest_concurrency
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import Scenario

PENDING: Final = -1
"""Instead of a status: not answered yet."""
INVALID: Final = len(STATUSES)
"""Instead of a status: no scenario can have both values."""
_FITS, _TIGHT = (STATUSES.index(status) for status in FITTING)
_SLICE_SECONDS: Final = 0.008


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Every pair of two axes; arrays have the shape (values of x, values of y)."""

    scenario: Scenario
    x: Axis
    y: Axis
    status: NDArray[np.int8] = field(init=False)
    """Index into `STATUSES`, or `PENDING` or `INVALID`."""
    used_bytes: NDArray[np.int64] = field(init=False)
    """What the worst rank takes of its budget."""
    usable_bytes: NDArray[np.int64] = field(init=False)
    """Its budget; 0 where there is no answer."""
    free_bytes: NDArray[np.int64] = field(init=False)
    """What is left of it less the headroom; negative where it does not fit."""
    held_requests: NDArray[np.int64] = field(init=False)
    """Requests of the drawn length that the whole scenario holds; `NO_POOL` without a pool."""
    exact: dict[int, int] = field(default_factory=dict)
    """Where y is the concurrency: the most requests that still fit, by place on x."""

    def __post_init__(self) -> None:
        shape = len(self.x.values), len(self.y.values)
        object.__setattr__(self, "status", np.full(shape, PENDING, dtype=np.int8))
        for name in ("used_bytes", "usable_bytes", "free_bytes"):
            object.__setattr__(self, name, np.zeros(shape, dtype=np.int64))
        object.__setattr__(self, "held_requests", np.full(shape, NO_POOL, dtype=np.int64))

    @property
    def done(self) -> bool:
        """Whether every cell is answered."""
        return not (self.status == PENDING).any()

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Whether each cell fits, tight or not."""
        fits: NDArray[np.bool_] = (self.status == _FITS) | (self.status == _TIGHT)
        return fits

    @property
    def share(self) -> NDArray[np.float64]:
        """Used over usable; infinite where nothing is usable, not a number without an answer."""
        answered = (self.status != PENDING) & (self.status != INVALID)
        share = np.full(self.status.shape, np.nan)
        share[answered] = np.inf
        np.divide(self.used_bytes, self.usable_bytes, out=share, where=self.usable_bytes > 0)
        return share

    def frontier(self, place: int) -> Value | None:
        """Return the largest y that still fits at a place on x, None where none does.

        Where y is the concurrency it is the exact number, which no cell need have.
        """
        if place in self.exact:
            return self.exact[place] or None
        fitting = np.flatnonzero(self.fits[place])
        return self.y.values[int(fitting[-1])] if fitting.size else None

    def smallest_fitting(self, place: int) -> Value | None:
        """Return the smallest y of the axis that fits at a place on x, None where none does."""
        fitting = np.flatnonzero(self.fits[place])
        return self.y.values[int(fitting[0])] if fitting.size else None


def alike(one: Scenario, other: Scenario) -> bool:
    """Return whether two scenarios have the same answers, whatever they are called."""
    return parts_of(one) == parts_of(other)


def with_pair(scenario: Scenario, x: str, x_value: Value, y: str, y_value: Value) -> Scenario:
    """Return the scenario with two values; raises `UserError` or `ValidationError`.

    Two lengths of a table may be allowed together though the first alone is not.
    """
    one, other = FIELDS[x], FIELDS[y]
    try:
        return other.write(one.write(scenario, x_value), y_value)
    except (UserError, ValidationError):
        return one.write(other.write(scenario, y_value), x_value)


def surface(scenario: Scenario, x: Axis, y: Axis) -> Surface:
    """Return every cell."""
    made = Surface(scenario, x, y)
    for _ in slices(made):
        pass
    return made


class KnownRows:
    """Rows of the last question: where only its axes grow by a value, few are asked anew."""

    def __init__(self) -> None:
        self._question: object = None
        self._rows: dict[Value, CapacityRow | None] = {}

    def of(
        self, scenario: Scenario, other: str, concurrencies: tuple[int, ...]
    ) -> dict[Value, CapacityRow | None]:
        """Return the rows known of a scenario by the value of its other input, to be added to."""
        question = (parts_of(scenario), other, concurrencies)
        if question != self._question:
            self._question, self._rows = question, {}
        return self._rows


def slices(
    made: Surface,
    *,
    seconds: float = _SLICE_SECONDS,
    now: Callable[[], float] = time.perf_counter,
    known: KnownRows | None = None,
) -> Iterator[Surface]:
    """Answer a surface in place; yield it about every `seconds` and when it is done.

    Letting go of the iterator stops the work. `known` lends the rows of an earlier surface.
    """
    end = now() + seconds
    for _ in _steps(made, known or KnownRows()):
        if now() >= end:
            yield made
            end = now() + seconds
    yield made


def _steps(made: Surface, known: KnownRows) -> Iterator[None]:
    """Answer row by row or cell by cell, pausing after each."""
    if made.y.field == CONCURRENCY:
        rows = _rows(made, made.x, made.y, known)
        for place in range(len(made.x.values)):
            _put_row(made, (place, slice(None)), rows(place))
            yield
    elif made.x.field == CONCURRENCY:
        rows = _rows(made, made.y, made.x, known)
        for place in range(len(made.y.values)):
            _put_row(made, (slice(None), place), rows(place))
            yield
    else:
        for one, other in product(range(len(made.x.values)), range(len(made.y.values))):
            _put_cell(made, (one, other))
            yield


def _rows(
    made: Surface, other: Axis, requests: Axis, known: KnownRows
) -> Callable[[int], CapacityRow | None]:
    """Return what answers a place of the other axis for all concurrencies."""
    scenario, concurrencies = made.scenario, tuple(int(str(value)) for value in requests.values)
    rows = known.of(scenario, other.field, concurrencies)
    alike: list[Rows] = []

    def of_context(value: Value) -> CapacityRow:
        if not alike:
            alike.append(Rows(scenario, concurrencies))
        return alike[0].of_context(int(str(value)))

    def of_another(value: Value) -> CapacityRow | None:
        try:
            trial = FIELDS[other.field].write(scenario, value)
        except (UserError, ValidationError):
            return None
        return capacity_row(trial, concurrencies)

    answer = of_context if other.field == CONTEXT else of_another

    def of_place(place: int) -> CapacityRow | None:
        value = other.values[place]
        if value not in rows:
            rows[value] = answer(value)
        return rows[value]

    return of_place


def _put_row(
    made: Surface,
    place: tuple[int, slice] | tuple[slice, int],
    row: CapacityRow | None,
) -> None:
    if row is None:
        made.status[place] = INVALID
        return
    made.status[place] = row.status
    made.usable_bytes[place] = row.usable_bytes
    # What is left can be as far below 0 as an array's numbers go.
    made.used_bytes[place] = row.usable_bytes - row.left_bytes.clip(row.usable_bytes - MOST_BYTES)
    made.free_bytes[place] = row.free_bytes
    made.held_requests[place] = written(row.held_requests)
    if isinstance(place[0], int):
        made.exact[place[0]] = row.fitting_requests


def _put_cell(made: Surface, place: tuple[int, int]) -> None:
    x, y = made.x, made.y
    try:
        trial = with_pair(made.scenario, x.field, x.values[place[0]], y.field, y.values[place[1]])
    except (UserError, ValidationError):
        made.status[place] = INVALID
        return
    # Not through the memory of past answers: a map would push everything else out of it.
    ledger = ledger_of.__wrapped__(trial)
    worst = ledger.worst_rank
    made.status[place] = STATUSES.index(ledger.verdict.status)
    made.usable_bytes[place] = written(worst.budget_bytes)
    made.used_bytes[place] = written(worst.budget_bytes - worst.left_bytes)
    made.free_bytes[place] = written(worst.free_bytes)
    held = largest_concurrency(ledger, trial.workload.sizing)
    made.held_requests[place] = NO_POOL if held is None else written(held)

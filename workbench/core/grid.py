"""Every pair of a context and a concurrency at once.

Only the demand differs between two contexts, and only a product between two concurrencies: the
fixed entries and the pool are worked out once, a row asks the engine for the blocks of one
request, and its columns are one array operation. A cell is the status that `budget` gives to the
scenario with that constant context and that target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.load.demand import Demand
from workbench.core.sheet import Sheet, sheet_of
from workbench.spec.ledger import Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength

STATUSES: tuple[Status, ...] = tuple(Status)
"""What the numbers of `CapacityGrid.status` stand for."""

_ANY = 2**63 - 1
"""A stage without KV takes any number of requests."""


@dataclass(frozen=True, slots=True)
class CapacityGrid:
    """One row a context, one column a concurrency."""

    contexts: tuple[int, ...]
    """Tokens of a request."""
    concurrencies: tuple[int, ...]
    """Requests in the whole scenario."""
    status: NDArray[np.int8]
    """Index into `STATUSES`, shape (contexts, concurrencies)."""
    most_requests: tuple[int, ...]
    """Requests of each context that the pool holds in the whole scenario; 0 where it refuses, and
    any number, 2^63 - 1 for each copy, where no layer keeps anything."""


def capacity_grid(
    scenario: Scenario, contexts: tuple[int, ...], concurrencies: tuple[int, ...]
) -> CapacityGrid:
    """Return the status of every pair, all at least 1."""
    sheet = sheet_of(_asking(scenario, 1))
    copies = scenario.deployment.copies
    requests = np.array([-(-asked // copies) for asked in concurrencies], dtype=np.int64)
    status = np.empty((len(contexts), len(concurrencies)), dtype=np.int8)
    most = []
    plan, blocks = sheet.pool(), sheet.usable_blocks()
    for row, context in enumerate(contexts):
        refusal = sheet.rule.refusal(_asking(scenario, context)) or (plan and plan.refusal)
        if refusal is not None:
            status[row] = _REFUSES
            most.append(0)
            continue
        status[row], held = _row(sheet, context, requests, blocks)
        most.append(held * copies)
    return CapacityGrid(contexts, concurrencies, status, tuple(most))


_FITS, _TIGHT, _DOES_NOT_FIT, _REFUSES = (
    STATUSES.index(status)
    for status in (Status.FITS, Status.TIGHT, Status.DOES_NOT_FIT, Status.REFUSES)
)


def _asking(scenario: Scenario, context: int) -> Scenario:
    workload = scenario.workload.with_(lengths=ConstantLength(tokens=context))
    return scenario.with_(workload=workload)


def _row(
    sheet: Sheet, context: int, requests: NDArray[np.int64], blocks: int | None
) -> tuple[NDArray[np.int8], int]:
    """Status of each number of requests on one replica, and the most that the pool holds."""
    scenario = sheet.scenario
    demand = sheet.rule.demand(scenario, context)
    held = _ANY if blocks is None else demand.requests_in(blocks)
    fitting = min(held, _most_leaving(sheet, demand, 0))
    reserves = scenario.reserves
    limit = reserves.headroom if reserves.tight_below is None else reserves.tight_below
    roomy = _most_leaving(sheet, demand, limit.of(scenario.gpu.device_total_bytes))
    inside = np.where(requests <= roomy, _FITS, _TIGHT)
    return np.where(requests <= fitting, inside, _DOES_NOT_FIT).astype(np.int8), held


def _most_leaving(sheet: Sheet, demand: Demand, kept_bytes: int) -> int:
    """Most requests that leave `kept_bytes` of the budget on every rank."""
    total_bytes = sheet.scenario.gpu.device_total_bytes
    most = []
    for stage in sheet.stages:
        left_bytes = stage.left_bytes - stage.outside_over_bytes(total_bytes) - kept_bytes
        if not stage.pages.bytes_per_block:
            most.append(_ANY if left_bytes >= 0 else 0)
            continue
        blocks = left_bytes // stage.pages.bytes_per_block - stage.pages.withheld_blocks
        most.append(demand.requests_in(blocks))
    return min(most)

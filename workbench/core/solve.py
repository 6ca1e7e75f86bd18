"""Small solvers by trial over the ledger itself."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.memory.shares import parallelism_fault
from workbench.spec.formats import WeightFormat
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario

LedgerOf = Callable[[Scenario], Ledger]
FITTING = (Status.FITS, Status.TIGHT)
LARGEST_TP_TRIED = 64


def smallest_tp_that_fits(scenario: Scenario, ledger_of: LedgerOf) -> int | None:
    """Smallest tensor parallelism above the present one, by doubling, at which it fits."""
    deployment = scenario.deployment
    tp = deployment.tp * 2
    while tp <= LARGEST_TP_TRIED and tp * deployment.pp <= 4096:
        wider = deployment.with_(tp=tp)
        if parallelism_fault(scenario.model, wider) is None:
            trial = scenario.with_(deployment=wider)
            if ledger_of(trial).verdict.status in FITTING:
                return tp
        tp *= 2
    return None


def fits_in_eight_bits(scenario: Scenario, ledger_of: LedgerOf) -> bool:
    """Whether it fits once the quantised matrices take 8 bits."""
    now = scenario.precision.weights
    if now.bits <= 8 or not scenario.model.has_weights or scenario.engine.weights_bytes is not None:
        return False
    eight = WeightFormat(id="eight-bits", name="8 bits", bits=8, tensor_scale_bytes=4)
    trial = scenario.with_(precision=scenario.precision.with_(weights=eight))
    return ledger_of(trial).verdict.status in FITTING


def largest_concurrency(ledger: Ledger, sizing: str) -> int | None:
    """Requests of the drawn length that the whole scenario holds, None without a pool."""
    steady = ledger.capacity.steady_state
    return None if steady is None else int(getattr(steady, sizing))

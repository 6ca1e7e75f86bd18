"""A cell of the grid is what the whole ledger says of that context and target."""

from __future__ import annotations

from random import Random

import pytest

from tests.core.scenarios import random_scenario
from workbench.core.budget import ledger_of
from workbench.core.grid import STATUSES, capacity_grid
from workbench.library.compose import new_scenario
from workbench.library.engine_choice import with_engine
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.engine import Amount
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength

LIBRARY = Library(presets_dir())
CONTEXTS = (1, 700, 8_192, 40_000, 131_072, 300_000)
REQUESTS = (1, 2, 7, 40, 129, 500, 4_096)


def served(model: str, gpu: str, release: str, tp: int = 1, pp: int = 1) -> Scenario:
    scenario = new_scenario(LIBRARY, "s", "s", LIBRARY.model(model), LIBRARY.gpu(gpu))
    deployment = scenario.deployment.with_(tp=tp, pp=pp)
    return with_engine(scenario.with_(deployment=deployment), "vllm", release)


SERVED = (
    served("llama-3.1-8b", "h100-sxm", "0.19.1"),
    served("gemma-3-27b-it", "a100-80-sxm", "0.33.0", tp=2),
    served("qwen3.5-397b-a17b", "h200", "0.33.0", tp=8),
    served("llama-3.1-70b", "h100-sxm", "0.11.2", tp=2, pp=2),
    served("llama-3.1-8b", "l40s", "0.6.6"),
)


@pytest.mark.parametrize("headroom", [Amount(size_bytes=0), Amount(share=0.05)])
@pytest.mark.parametrize("scenario", SERVED, ids=lambda scenario: scenario.model.id)
def test_cells_are_what_the_ledger_says(scenario: Scenario, headroom: Amount) -> None:
    check(scenario.with_(reserves=scenario.reserves.with_(headroom=headroom)))


def test_random_plain_scenarios() -> None:
    for seed in range(40):
        check(random_scenario(Random(seed)))


def check(scenario: Scenario) -> None:
    grid = capacity_grid(scenario, CONTEXTS, REQUESTS)
    for row, context in enumerate(CONTEXTS):
        for column, requests in enumerate(REQUESTS):
            workload = scenario.workload.with_(
                lengths=ConstantLength(tokens=context), concurrency=requests
            )
            ledger = ledger_of(scenario.with_(workload=workload))
            found = STATUSES[grid.status[row, column]]
            assert found is ledger.verdict.status, (context, requests)
        steady = ledger.capacity.steady_state
        if steady is not None and grid.most_requests[row]:
            assert grid.most_requests[row] == steady.max

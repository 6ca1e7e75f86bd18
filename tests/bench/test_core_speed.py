"""How long the arithmetic takes: one budget of a large hybrid model, and a grid of them.

Run by hand on a quiet machine: packaging/dev.py bench
"""

from __future__ import annotations

from itertools import count

import pytest

from tests.core.vllm_scenarios import lasting, start
from workbench.core import budget as sheet
from workbench.core.engines.vllm import cache, defaults, fixed, loading, plan
from workbench.core.grid import STATUSES, capacity_grid
from workbench.spec.scenario import Scenario

CONTEXTS = tuple(256 * step for step in range(1, 301))
CONCURRENCIES = tuple(range(1, 301))


@pytest.fixture
def large() -> Scenario:
    """Qwen3.5-397B in FP8 on eight H200 under 0.33.0."""
    return start("qwen3.5-397b-a17b", "h200", "0.33.0", weights="fp8", deployment={"tp": 8})


def forget() -> None:
    """Empty every cache that the answer comes through."""
    for module in (sheet, cache, defaults, fixed, loading, plan):
        for name in dir(module):
            clear = getattr(getattr(module, name), "cache_clear", None)
            if clear is not None:
                clear()


def test_budget_with_another_context(benchmark, large):
    """Goal: 1 ms. Only the length of the requests is new."""
    sheet.budget(large)
    tokens = count(10_000)
    benchmark(lambda: sheet.budget(lasting(large, next(tokens))))


def test_ledger_without_findings(benchmark, large):
    """What a solver asks for at each step."""
    sheet.ledger_of(large)
    tokens = count(10_000)
    benchmark(lambda: sheet.ledger_of(lasting(large, next(tokens))))


def test_budget_from_nothing(benchmark, large):
    """Weights, pages and groups are worked out anew."""
    benchmark.pedantic(sheet.budget, args=(large,), setup=forget, rounds=20)


def test_a_grid_of_contexts_and_concurrencies(benchmark, large):
    """Goal: 100 ms for 300 × 300."""
    grid = benchmark(lambda: capacity_grid(large, CONTEXTS, CONCURRENCIES))
    assert {STATUSES[code].value for code in grid.status.flat} >= {"fits"}


def test_a_grid_of_budgets_asked_one_by_one(benchmark, large):
    """The same, from 20 × 20 budgets: 225 times as many would be the grid."""

    def ask() -> None:
        forget()
        for context in CONTEXTS[::15]:
            for target in CONCURRENCIES[::15]:
                workload = lasting(large, context).workload.with_(concurrency=target)
                sheet.ledger_of(large.with_(workload=workload))

    benchmark.pedantic(ask, rounds=2)

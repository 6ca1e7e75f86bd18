"""The ledger against the oracle: every byte, block and verdict of random scenarios.

`KVW_DIFFERENTIAL_INPUTS=1000000` takes a million inputs, `KVW_DIFFERENTIAL_FIRST` other ones.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.core import oracle
from tests.core.compare import differences
from tests.core.scenarios import random_data, smallest, with_card
from workbench.core.budget import budget, ledger_of
from workbench.spec.scenario import Scenario

INPUTS = int(os.environ.get("KVW_DIFFERENTIAL_INPUTS", "20000"))
FIRST = int(os.environ.get("KVW_DIFFERENTIAL_FIRST", "0"))
PART = 1_000


def _found(scenario: Scenario) -> list[str]:
    return differences(ledger_of(scenario), oracle.answer(scenario.model_dump()))


def _at_the_edge(scenario: Scenario, pick: Random) -> Scenario:
    """The scenario on a card that its entries fill to the byte, or miss by one."""
    answer = oracle.answer(scenario.model_dump())
    if "ranks" not in answer:
        return scenario
    rank = pick.choice(answer["ranks"])
    kept = pick.choice((0, 0, rank["headroom"]))
    return with_card(scenario, sum(rank["entries"].values()) + kept + pick.choice((-1, 0, 1)))


def _scenario(seed: int) -> Scenario:
    pick = Random(seed)
    scenario = Scenario.model_validate(random_data(pick))
    return _at_the_edge(scenario, pick) if pick.random() < 0.3 else scenario


def _report(seed: int) -> str:
    """One line for a seed, with the smallest scenario that still differs."""
    scenario = _scenario(seed)
    shown = "; ".join(_found(scenario)[:3])
    data = smallest(scenario.model_dump(exclude_unset=True), lambda other: bool(_found(other)))
    return f"seed {seed}: {shown}\n  smallest: {data}\n  {_found(Scenario.model_validate(data))}"


@pytest.mark.parametrize("first", range(FIRST, FIRST + INPUTS, PART))
def test_the_ledger_is_the_oracles_to_the_byte(first: int) -> None:
    seeds = range(first, min(first + PART, FIRST + INPUTS))
    failed = [seed for seed in seeds if _found(_scenario(seed))]
    assert not failed, f"{len(failed)} differ\n" + "\n".join(map(_report, failed[:1]))


def test_findings_change_no_figure() -> None:
    for seed in range(0, 2_000, 10):
        scenario = _scenario(seed)
        with_findings, without = budget(scenario), ledger_of(scenario)
        assert with_findings.ranks == without.ranks, seed
        assert with_findings.pool == without.pool, seed
        assert with_findings.capacity == without.capacity, seed
        assert with_findings.verdict == without.verdict, seed
        assert with_findings.concurrency == without.concurrency, seed


def test_the_generator_reaches_every_verdict_and_rule() -> None:
    answers = [oracle.answer(_scenario(seed).model_dump()) for seed in range(1_500)]
    statuses = [(answer["status"], answer["refusal"]) for answer in answers]
    for status in ("fits", "tight", "does_not_fit"):
        assert statuses.count((status, None)) >= 50, status
    for why in ("unsupported", "bad_parallelism", "max_len_too_long"):
        assert statuses.count(("refuses", why)) >= 20, why
    drawn = [answer for answer in answers if "ranks" in answer]
    labels = {label for answer in drawn for rank in answer["ranks"] for label in rank["entries"]}
    assert {"weights", "runtime", "kv_scales", "prefix", "block_tails", "kv"} <= labels
    assert sum(rank["free"] == 0 for answer in drawn for rank in answer["ranks"]) >= 50
    assert sum(answer["request"]["shared_blocks"] > 0 for answer in drawn) >= 200
    assert sum(answer["pool"] is None for answer in drawn) >= 5


# --- the oracle itself, by hand -----------------------------------------------------------------


def _table(*points: tuple[float, int]) -> dict[str, object]:
    return {"kind": "quantiles", "points": [{"q": q, "tokens": t} for q, t in points]}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (_table((1.0, 1)), {"mean": 1, "p50": 1, "p95": 1, "p99": 1, "max": 1}),
        # 1 … 100, one in a hundred each: the mean is 50.5.
        (_table((1.0, 100)), {"mean": 51, "p50": 50, "p95": 95, "p99": 99, "max": 100}),
        (_table((0.0, 10), (1.0, 20)), {"mean": 16, "p50": 15, "p95": 20, "p99": 20, "max": 20}),
        # An eighth on each of 1, 2, 3, 4 and a half more on 4: a mean of 3.25.
        (_table((0.5, 4), (1.0, 4)), {"mean": 4, "p50": 4, "p95": 4, "p99": 4, "max": 4}),
    ],
)
def test_quantiles_by_hand(table: dict[str, object], expected: dict[str, int]) -> None:
    assert oracle.sized(table) == expected


def test_listing_and_bisection_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [
        _table((0.1, a), (0.5, a + b), (0.95, a + b), (1.0, a + b + c))
        for a in (1, 2, 9)
        for b in (0, 1, 13)
        for c in (0, 1, 30)
    ]
    listed = [oracle.sized(table) for table in tables]
    monkeypatch.setattr(oracle, "LISTED_UP_TO", 0)
    assert [oracle.sized(table) for table in tables] == listed

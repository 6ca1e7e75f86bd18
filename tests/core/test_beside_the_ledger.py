"""Lengths, sweeps, savings and solvers beside the ledger, each against a plain recount."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from random import Random

import pytest

from tests.core import oracle
from tests.core.scenarios import lengths, random_scenario
from tests.core.test_metamorphic import deployed, in_bytes, on_one_rank, running, working
from workbench.core.budget import ledger_of
from workbench.core.load.lengths import (
    blocks_of,
    mean_blocks,
    mean_tail_tokens,
    mean_tokens,
    quantile_tokens,
    sized_tokens,
    tail_tokens_of,
)
from workbench.core.memory.allocation import allocation_table
from workbench.core.sensitivity import scaling_checks
from workbench.core.solve import largest_concurrency, smallest_tp_that_fits
from workbench.core.sweep import block_size_sweep, kv_format_saving
from workbench.spec.ledger import Status
from workbench.spec.scenario import Scenario
from workbench.spec.words import REASONS
from workbench.spec.workload import LengthDistribution, QuantileTable, Workload

COUNT = 400


def distributions(longest: int) -> list[LengthDistribution]:
    found = []
    for seed in range(COUNT * 20):
        data = lengths(Random(f"lengths {seed}"), 16)
        value = Workload.model_validate({"lengths": data}).lengths
        if isinstance(value, QuantileTable) and value.points[-1].tokens <= longest:
            found.append(value)
    return found[:COUNT]


def listed(table: QuantileTable) -> dict[int, Fraction]:
    """The share of every length."""
    found: dict[int, Fraction] = {}
    for share, low, high in oracle.pieces([point.model_dump() for point in table.points]):
        for tokens in range(low + 1, high + 1):
            found[tokens] = found.get(tokens, Fraction(0)) + share / (high - low)
    return dict(sorted(found.items()))


def random_scenarios(count: int) -> list[Scenario]:
    found = []
    for seed in range(count * 3):
        scenario = random_scenario(Random(f"beside {seed}"))
        ledger = ledger_of(scenario)
        if ledger.verdict.status is not Status.REFUSES and ledger.pool is not None:
            found.append(scenario)
    return found[:count]


# --- lengths ------------------------------------------------------------------------------------


def test_means_are_those_of_every_length() -> None:
    tables = distributions(400)
    assert len(tables) >= 100
    for number, table in enumerate(tables):
        assert isinstance(table, QuantileTable)
        each, block = listed(table), (1, 2, 3, 7, 16, 100)[number % 6]
        assert sum(each.values()) == 1
        assert mean_tokens(table) == sum(tokens * share for tokens, share in each.items())
        assert mean_blocks(table, block) == sum(
            -(-tokens // block) * share for tokens, share in each.items()
        )
        assert mean_tail_tokens(table, block) == sum(
            -tokens % block * share for tokens, share in each.items()
        )


def test_quantiles_are_those_of_every_length() -> None:
    for table in distributions(60):
        assert isinstance(table, QuantileTable)
        each = listed(table)
        for q in (Fraction(1, 1000), Fraction(1, 3), *oracle.SIZINGS.values()):
            enough = (tokens for tokens in each if _at_or_below(each, tokens) >= q)
            assert quantile_tokens(table, q) == next(enough), (table, q)


def _at_or_below(each: dict[int, Fraction], tokens: int) -> Fraction:
    return sum((share for length, share in each.items() if length <= tokens), Fraction(0))


def test_sizes_are_the_oracles_for_long_tables_too() -> None:
    for table in distributions(10**9):
        for sizing, tokens in oracle.sized(table.model_dump()).items():
            assert sized_tokens(table, sizing) == tokens  # type: ignore[arg-type]


@pytest.mark.parametrize("block", [1, 2, 7, 16])
def test_blocks_and_tails_of_small_requests(block: int) -> None:
    for tokens in range(1, 100):
        blocks = blocks_of(tokens, block)
        assert (blocks - 1) * block < tokens <= blocks * block
        assert tail_tokens_of(tokens, block) == blocks * block - tokens


# --- sweeps -------------------------------------------------------------------------------------


def test_each_row_of_the_block_sweep_is_its_own_ledger() -> None:
    for scenario in random_scenarios(40):
        rows = block_size_sweep(scenario, ledger_of, (1, 3, 16, 128))
        assert [row.block_tokens for row in rows] == [1, 3, 16, 128]
        for row in rows:
            with_block = running(scenario, block_tokens=row.block_tokens)
            ledger = ledger_of(with_block)
            assert row.concurrency == largest_concurrency(ledger, scenario.workload.sizing)
            tail = mean_tail_tokens(scenario.workload.lengths, row.block_tokens)
            assert row.mean_tail_tokens == tail
            assert 0 <= row.tail_share < 1
            assert type(row.block_table_bytes) is int


def test_the_saving_of_a_kv_format_is_a_recount() -> None:
    rows_seen = 0
    for scenario in random_scenarios(150):
        mixers = [run.mixer.model_dump() for run in scenario.model.layers]
        form, block = scenario.precision.kv.model_dump(), scenario.engine.block_tokens
        nothing = dict.fromkeys((name for name in form if name.endswith("_scale_bytes")), 0)
        sixteen = form | nothing | {"k_bits": 16, "v_bits": 16}
        for row in kv_format_saving(scenario):
            layers, blocks = scenario.model.layer_count, -(-row.tokens // block)
            plain = blocks * block * layers * oracle.token_bytes(mixers[0], sixteen, 1)
            once = layers * form["layer_scale_bytes"]
            slots = blocks * block * layers
            in_format = slots * oracle.token_bytes(mixers[0], form, 1) + once
            bare = slots * oracle.token_bytes(mixers[0], form | nothing, 1)
            assert row.bytes_at_16_bits == plain, (row, mixers[0])
            assert row.bytes_in_format == in_format, (row, mixers[0])
            assert row.scale_bytes == in_format - bare, (row, mixers[0])
            assert row.saving_share == 1 - Fraction(in_format, plain)
            rows_seen += 1
    assert rows_seen >= 100


def test_paged_never_reserves_more_than_contiguous_at_the_longest() -> None:
    for scenario in random_scenarios(100):
        ledger = ledger_of(scenario)
        assert ledger.request is not None
        tokens = ledger.request.tokens
        rows = allocation_table(scenario, ledger, (tokens, tokens * 2, tokens * 8))
        paged = [row for row in rows if row.policy == "paged"]
        contiguous = [row for row in rows if row.policy == "contiguous"]
        assert len(paged) == 1
        assert [row.reserved_tokens for row in contiguous] == [tokens, tokens * 2, tokens * 8]
        for row in rows:
            assert row.used_bytes <= row.reserved_bytes
            assert row.waste_share == 1 - Fraction(row.used_bytes, row.reserved_bytes)
            assert row.used_bytes * row.reserved_tokens == row.reserved_bytes * tokens
        assert [row.sequences for row in contiguous] == sorted(
            (row.sequences for row in contiguous), reverse=True
        )


# --- checks and solvers -------------------------------------------------------------------------


def test_scaling_checks_say_why_a_ratio_is_not_the_factor() -> None:
    seen = set()
    for scenario in random_scenarios(150):
        for check in scaling_checks(scenario, ledger_of):
            assert check.is_expected == (check.expected_ratio == check.actual_ratio)
            assert check.reason in REASONS
            if check.reason != "layout":
                assert (check.reason == "as_expected") == check.is_expected, check
            seen.add(check.field)
    assert {"workload.concurrency", "workload.context", "model.layers"} <= seen


def test_the_largest_concurrency_fits_and_the_next_does_not() -> None:
    for scenario in random_scenarios(100):
        for sizing in ("mean", "p50", "p95", "p99", "max"):
            most = largest_concurrency(ledger_of(scenario), sizing)
            assert most is not None
            sized = working(scenario, sizing=sizing)
            if most:
                answer = ledger_of(working(sized, concurrency=most))
                assert answer.verdict.status is not Status.DOES_NOT_FIT
            answer = ledger_of(working(sized, concurrency=most + 1))
            assert answer.verdict.status is Status.DOES_NOT_FIT


def test_the_smallest_tp_fits_and_those_before_do_not() -> None:
    found = 0
    for scenario in random_scenarios(200):
        one = on_one_rank(in_bytes(working(scenario, concurrency=1)))
        if ledger_of(one).verdict.status is not Status.DOES_NOT_FIT:
            continue
        tp = smallest_tp_that_fits(one, ledger_of)
        smaller, tried = 2, []
        while smaller < (tp or 128):
            tried.append(ledger_of(deployed(one, tp=smaller)).verdict.status)
            smaller *= 2
        assert not {Status.FITS, Status.TIGHT} & set(tried), (tp, tried)
        if tp is not None:
            found += 1
            assert tp == 2 ** ceil(tp.bit_length() - 1)
            assert ledger_of(deployed(one, tp=tp)).verdict.status in (Status.FITS, Status.TIGHT)
    assert found >= 3

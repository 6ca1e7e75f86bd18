"""What holds for every vLLM scenario, whatever its model, card, release and flags."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from tests.core.ledger_checks import check_sizes, check_sums, ranks_of, started_of
from tests.core.test_kinds import FLOATS_MAY_STAND_AT, walk
from tests.core.vllm_scenarios import COUNT, answers, different_ranks, working
from workbench.core.budget import ledger_of
from workbench.export.ledger_json import ledger_json
from workbench.spec.engine import given_pool
from workbench.spec.ledger import EntryKind, Ledger, RankLedger, Status
from workbench.spec.scenario import Scenario

GOOD = (Status.FITS, Status.TIGHT)
CATEGORIES = {
    *("no_memory", "max_len_too_long", "cannot_fit_one_token", "unsupported"),
    *("free_memory_below_request", "bad_parallelism"),
}


def ranks() -> Iterator[tuple[Scenario, Ledger, RankLedger]]:
    return ranks_of(answers())


@cache
def started() -> tuple[tuple[Scenario, Ledger], ...]:
    """Scenarios that the engine starts, with a pool."""
    return started_of(answers())


# --- the scenarios are what they should be ------------------------------------------------------


def test_the_scenarios_cover_verdicts_refusals_and_kinds() -> None:
    assert len(answers()) == COUNT
    found = [ledger.verdict.status for _, ledger in answers()]
    assert all(found.count(status) >= COUNT // 60 for status in Status), found
    refused = {ledger.verdict.refusal.category for _, ledger in answers() if ledger.verdict.refusal}
    assert refused == CATEGORIES
    kinds = {group.kind for _, ledger in started() if ledger.pool for group in ledger.pool.groups}
    assert kinds == {"full", "sliding", "chunked", "latent", "state", "cross"}
    assert len({scenario.engine.rules.read_release for scenario, _ in started()}) >= 6


# --- accounts -----------------------------------------------------------------------------------


def test_entries_headroom_and_free_are_the_card() -> None:
    check_sums(answers())


def test_charged_entries_lie_in_the_budget_unless_it_does_not_fit() -> None:
    for scenario, ledger, rank in ranks():
        assert rank.charged_bytes == sum(e.bytes for e in rank.entries if e.in_budget)
        if ledger.verdict.status in GOOD:
            assert rank.charged_bytes <= rank.budget_bytes, scenario.id


def test_headroom_is_the_part_of_the_reserve_that_is_left() -> None:
    for scenario, _, rank in ranks():
        reserve = scenario.reserves.headroom.of(rank.total_bytes)
        assert rank.headroom_bytes == max(0, min(reserve, rank.left_bytes)), scenario.id


def test_outside_the_budget_stand_guests_and_what_is_not_asked_for() -> None:
    for scenario, _, rank in ranks():
        outside = {entry.label for entry in rank.entries if not entry.in_budget}
        assert outside <= {"unrequested", "before_start", "cuda_graphs"}, scenario.id
        kinds = {e.kind for e in rank.entries if e.in_budget}
        assert EntryKind.UNREQUESTED not in kinds


def test_what_requests_hold_is_whole_blocks() -> None:
    kinds = (EntryKind.KV, EntryKind.PREFIX, EntryKind.STATE, EntryKind.FRAGMENTATION)
    for scenario, ledger in started():
        assert ledger.pool is not None
        sizes = {rank.stage: sum(map(rank.kind_bytes, kinds)) for rank in ledger.ranks}
        assert any(size % ledger.pool.bytes_per_block == 0 for size in sizes.values()), scenario.id


def test_sizes_are_whole_and_never_negative() -> None:
    check_sizes(answers())


def test_no_float_where_bytes_tokens_blocks_or_requests_stand() -> None:
    for scenario, ledger in answers():
        bare = [dataclasses.replace(rank, entries=()) for rank in different_ranks(ledger)]
        for path, value in walk(dataclasses.replace(ledger, ranks=tuple(bare), findings=())):
            if isinstance(value, float):
                switch = path.startswith("scenario.resolved.")
                assert switch or path in FLOATS_MAY_STAND_AT, (scenario.id, path, value)


# --- verdict ------------------------------------------------------------------------------------


def test_only_what_does_not_fit_is_over() -> None:
    for scenario, ledger in answers():
        verdict, worst = ledger.verdict, ledger.worst_rank
        assert (verdict.refusal is not None) == (verdict.status is Status.REFUSES), scenario.id
        if verdict.status is Status.DOES_NOT_FIT:
            # Without a shortfall it is blocks that are short: kept free, withheld, overridden.
            assert verdict.shortfall_bytes == (worst.over_bytes or None), scenario.id
        elif verdict.status in GOOD:
            assert worst.over_bytes == 0, scenario.id
            assert verdict.shortfall_bytes is None, scenario.id


def test_a_target_is_met_when_it_fits() -> None:
    """Where the scheduler's own limit does not bind, met and the verdict say the same."""
    met = 0
    for scenario, ledger in started():
        target = ledger.capacity.target
        if target is None or _beyond_the_scheduler(scenario, ledger):
            continue
        met += target.met
        assert target.met == (ledger.verdict.status in GOOD), scenario.id
    assert met >= COUNT // 20


def _beyond_the_scheduler(scenario: Scenario, ledger: Ledger) -> bool:
    return ledger.concurrency > int(str(ledger.scenario.resolved["max_num_seqs"]))


def _with_most(scenario: Scenario, more: int) -> tuple[Ledger, int]:
    """The ledger drawn at the most requests of each copy and `more`, and that number."""
    most = ledger_of(scenario).most_requests
    assert most is not None
    each = most // scenario.deployment.copies + more
    target = each * scenario.deployment.copies
    return ledger_of(working(scenario, concurrency=target)), each


def _overdrawn(ledger: Ledger) -> bool:
    """More blocks given by hand than there is memory for: nothing starts."""
    pool = ledger.pool
    return pool is not None and pool.blocks * pool.bytes_per_block > pool.bytes


def _keeps_headroom(scenario: Scenario, ledger: Ledger) -> bool:
    reserve = scenario.reserves.headroom.of(scenario.gpu.device_total_bytes)
    return ledger.worst_rank.left_bytes >= reserve


def test_the_most_requests_leave_the_headroom() -> None:
    checked = 0
    for scenario, ledger in started()[::2]:
        if _overdrawn(ledger):
            assert not ledger.most_requests, scenario.id
        if not ledger.most_requests:
            continue
        full, _ = _with_most(scenario, 0)
        assert _keeps_headroom(scenario, full), scenario.id
        assert full.capacity.target is not None
        assert full.capacity.target.met, scenario.id
        checked += 1
    assert checked >= COUNT // 12


def test_one_request_more_does_not_fit() -> None:
    checked = 0
    for scenario, ledger in started()[::3]:
        if ledger.most_requests is None:
            continue
        beyond, each = _with_most(scenario, 1)
        if each > int(str(ledger.scenario.resolved["max_num_seqs"])):
            continue
        short = beyond.verdict.status is Status.DOES_NOT_FIT
        assert short or not _keeps_headroom(scenario, beyond), scenario.id
        checked += 1
    assert checked >= COUNT // 40


def test_bands_hold_the_answer() -> None:
    checked = given = 0
    for scenario, ledger in started():
        band = ledger.band
        if ledger.most_requests is None or ledger.pool is None:
            continue
        if band is None:
            given += given_pool(scenario.engine) is not None
            continue
        assert band.pool_low_bytes <= ledger.pool.bytes <= band.pool_high_bytes, scenario.id
        low, high = band.most_requests_low, band.most_requests_high
        assert low <= ledger.most_requests <= high, scenario.id
        checked += 1
    # What is given has no band.
    assert given >= 20
    assert checked + given >= 300


# --- the same question --------------------------------------------------------------------------


def test_the_ranks_of_a_stage_are_alike_and_numbered() -> None:
    for scenario, ledger in answers():
        if ledger.verdict.binding == "parallelism":
            continue
        tp = scenario.deployment.tp
        assert len(ledger.ranks) == scenario.deployment.ranks, scenario.id
        for number, rank in enumerate(ledger.ranks):
            assert (rank.rank, rank.stage) == (number, number // tp), scenario.id
            assert rank.entries == ledger.ranks[number // tp * tp].entries


def test_a_saved_scenario_has_the_same_answer() -> None:
    for scenario, ledger in answers()[::32]:
        again = Scenario.model_validate_json(scenario.model_dump_json())
        assert again == scenario
        assert dataclasses.replace(ledger, findings=()) == ledger_of(again)


# --- the public JSON ----------------------------------------------------------------------------

WHOLE = {
    *("bytes", "blocks", "block_tokens", "tokens", "bytes_per_block", "page_bytes", "layers"),
    *("rank", "stage", "total_bytes", "budget_bytes", "headroom_bytes", "free_bytes", "gpus"),
    *("blocks_per_request", "tokens_per_request", "mean", "p50", "p95", "p99", "max"),
    *("replicas", "schema"),
}
WHOLE_OR_NULL = {"low_bytes", "high_bytes", "shortfall_bytes", "suggested_max_model_len"}


def _leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("params", "resolved"):
                yield from _leaves(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key)
    else:
        yield key, value


def test_the_json_is_plain_and_whole_where_promised() -> None:
    for scenario, ledger in answers()[::4]:
        few = dataclasses.replace(ledger, ranks=tuple(different_ranks(ledger)))
        data = ledger_json(few)
        assert json.loads(json.dumps(data, allow_nan=False)) == data, scenario.id
        for key, value in _leaves(data):
            assert not isinstance(value, Fraction)
            if key in WHOLE and key != "max":
                assert type(value) is int, (scenario.id, key, value)
            elif key in WHOLE_OR_NULL:
                assert value is None or type(value) is int, (scenario.id, key, value)

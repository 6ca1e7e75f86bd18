"""Entries of requests under vLLM where layers, stages and releases make them hard to tell apart."""

from __future__ import annotations

import pytest

from tests.core.vllm_scenarios import deployed, flagged, lasting, start, working
from workbench.core.budget import budget
from workbench.core.explain import figure
from workbench.library.engine_choice import engine_of
from workbench.spec.ledger import Ledger, RankLedger, Status
from workbench.spec.units import GIB
from workbench.spec.workload import PrefixGroup


def sizes(rank: RankLedger) -> dict[str, int]:
    return {entry.label: entry.bytes for entry in rank.entries}


def group_blocks(ledger: Ledger) -> list[tuple[str, int]]:
    assert ledger.pool is not None
    return [(group.kind, group.blocks_per_request) for group in ledger.pool.groups]


def test_states_of_0_11_grow_with_the_request_and_not_with_the_longest() -> None:
    """With prefix caching 0.11.2 keeps a state for every block of the request. Nemotron-H-8B:
    3 · (8,192 + 2 · 8 · 128) · 2 B + 128 · 64 · 128 · 4 B = 4,255,744 B in each of 24 layers,
    1,039 tokens of 4,096 B, so blocks of 5 · 256 = 1,280 tokens: 1,281 tokens are two of them.
    """
    base = start("nemotron-h-8b-base-8k", release="0.11.2", concurrency=1)
    base = flagged(base, enable_prefix_caching=True)
    for tokens, states in ((1280, 1), (1281, 2), (8192, 7)):
        ledger = budget(lasting(base, tokens))
        assert group_blocks(ledger) == [*[("state", states)] * 6, ("full", states)]
        found = sizes(ledger.ranks[0])
        assert found["state"] == 24 * states * 4_255_744
        assert found["block_tails"] >= 0


def test_a_stage_without_shared_layers_has_no_kv_of_its_own() -> None:
    """LFM2-1.2B: the first two layers are convolutions, so the first stage only pads blocks."""
    base = start("lfm2-1.2b", concurrency=10, deployment={"pp": 2, "pp_partition": (2, 14)})
    ledger = budget(working(base, prefix_groups=(PrefixGroup(shared_tokens=1024),)))
    first, last = (sizes(rank) for rank in ledger.ranks)
    assert first["kv"] == 0
    assert first["prefix"] > 0
    assert last["kv"] > 0
    assert min(*first.values(), *last.values()) >= 0


def test_stages_that_0_10_groups_apart_can_be_drawn() -> None:
    """Command-A in three stages: the middle and last ones have fewer groups than the first."""
    base = start("c4ai-command-a-03-2025", "h200", release="0.10.2", context=1024)
    ledger = budget(deployed(base, tp=4, pp=3))
    assert ledger.pool is not None
    assert sum(blocks for _, blocks in group_blocks(ledger)) == ledger.request.blocks


def test_blocks_given_by_hand_hold_no_more_than_there_is_memory_for() -> None:
    base = start(context=1024, max_model_len=1024, max_num_seqs=1024)
    base = flagged(base, num_gpu_blocks_override=10**6, kv_cache_memory_bytes=2 * GIB)
    ledger = budget(base)
    # 1,024 blocks of 2 MiB, one withheld, 64 a request.
    assert ledger.capacity.steady_state.max == ledger.concurrency == (1024 - 1) // 64
    assert budget(working(base, concurrency=16)).verdict.status is Status.DOES_NOT_FIT
    # The engine itself takes what it was told, and runs out of memory.
    assert ledger.pool.blocks == 10**6
    assert ledger.verdict.status is Status.DOES_NOT_FIT
    assert "override_beyond_memory" in {finding.code for finding in ledger.findings}
    assert ledger.most_requests == 0
    enough = budget(flagged(base, num_gpu_blocks_override=1024))
    assert enough.verdict.status is Status.FITS
    assert enough.most_requests == 15


@pytest.mark.parametrize("beyond_bytes", [2**50, 2**63 - 1])
def test_a_pool_of_more_than_the_card_does_not_fit(beyond_bytes: int) -> None:
    """The engine believes the size that it was given, and runs out of memory at start."""
    base = start(context=1024, max_model_len=1024)
    fitting = budget(flagged(base, kv_cache_memory_bytes=2 * GIB))
    assert fitting.verdict.status is Status.FITS
    ledger = budget(flagged(base, kv_cache_memory_bytes=beyond_bytes))
    assert ledger.pool.bytes == beyond_bytes
    assert (ledger.verdict.status, ledger.most_requests) == (Status.DOES_NOT_FIT, 0)
    first, *more = ledger.findings
    assert (first.code, first.field) == ("pool_beyond_card", "engine.kv_cache_memory_bytes")
    assert "requests_do_not_fit" not in {finding.code for finding in more}
    # Exactly what stands beside it may be given, by the least that the fitted figures say.
    rank = ledger.worst_rank
    free_bytes = rank.total_bytes - first.params["beside_bytes"]
    last = budget(flagged(base, kv_cache_memory_bytes=free_bytes))
    assert last.verdict.status is not Status.DOES_NOT_FIT
    block_bytes = ledger.pool.bytes_per_block
    over = budget(flagged(base, kv_cache_memory_bytes=free_bytes + block_bytes))
    assert over.verdict.status is Status.DOES_NOT_FIT
    # Blocks given beside such a size are told as those of any pool.
    blocks = flagged(base, kv_cache_memory_bytes=beyond_bytes, num_gpu_blocks_override=10**6)
    error, *others = (one for one in budget(blocks).findings if one.severity == "error")
    fewer = flagged(blocks, num_gpu_blocks_override=error.fix.value)
    assert (error.code, others) == ("override_beyond_memory", [])
    assert budget(fewer).verdict.status is not Status.DOES_NOT_FIT


def test_a_given_pool_has_no_band_but_the_card_may_end() -> None:
    """What stands beside it is fitted; the pool and what it holds are not."""
    base = start(context=1024, max_model_len=1024)
    assert budget(base).band.pool_low_bytes < budget(base).band.pool_high_bytes
    small = flagged(base, kv_cache_memory_bytes=2 * GIB)
    assert budget(small).band is None
    rank = budget(small).worst_rank
    beside = [entry for entry in rank.entries if entry.in_budget and entry.low_bytes is not None]
    assert beside
    full_bytes = rank.total_bytes - (rank.budget_bytes - 2 * GIB)
    ledger = budget(flagged(base, kv_cache_memory_bytes=full_bytes))
    band = ledger.band
    assert ledger.verdict.status is not Status.DOES_NOT_FIT
    assert band.straddles
    assert band.pool_low_bytes == band.pool_high_bytes == ledger.pool.bytes == full_bytes
    assert "pool_may_be_beyond_card" in {finding.code for finding in ledger.findings}


def test_a_pool_of_a_log_beyond_the_card_is_told_where_the_engine_takes_it_whole() -> None:
    base = start(context=1024, max_model_len=1024)
    field = "engine.measured_available_kv_bytes"
    for engine, takes_it in ((base.engine, True), (engine_of("trtllm"), False)):
        measured = engine.measured.with_(available_kv_bytes=2**50, source="a log")
        asked = base.with_(engine=engine.with_(measured=measured))
        ledger = budget(asked)
        told = [found.field for found in ledger.findings if found.code == "pool_beyond_card"]
        assert told == ([field] if takes_it else [])
        assert (ledger.verdict.status is Status.DOES_NOT_FIT) == takes_it
        assert (figure(asked, ledger, "most_requests").field == field) == takes_it


def test_a_band_lies_around_the_pool_of_the_deciding_stage() -> None:
    """The stage with most layers decides, though the other has fewer bytes left."""
    base = start("llama-3.1-8b", "l4", context=1024, max_model_len=1024)
    ledger = budget(deployed(base, pp=2, pp_partition=(31, 1)))
    assert ledger.pool is not None
    assert ledger.band is not None
    assert [group.layers for group in ledger.pool.groups] == [31]
    assert ledger.band.pool_low_bytes <= ledger.pool.bytes <= ledger.band.pool_high_bytes
    assert ledger.band.most_requests_low <= ledger.most_requests <= ledger.band.most_requests_high

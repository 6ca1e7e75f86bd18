"""Relations between two vLLM ledgers that hold whatever the figures are."""

from __future__ import annotations

import pytest

from tests.core.vllm_scenarios import (
    at_release,
    card,
    deployed,
    flagged,
    lasting,
    start,
    working,
)
from workbench.core.budget import budget
from workbench.spec.ledger import EntryKind, Evidence, Ledger, Pool, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmMeasured
from workbench.spec.workload import PrefixGroup, Workload

EACH_KIND = (
    *("llama-3.1-8b", "gemma-2-9b-it", "gpt-oss-20b", "deepseek-v2-lite", "mistral-7b-v0.1"),
    *("lfm2-1.2b", "nemotron-h-8b-base-8k", "llama-3.2-11b-vision-instruct", "qwen3.5-0.8b"),
)
READ = ("0.8.5", "0.11.2", "0.19.1", "0.33.0")


def pool_of(scenario: Scenario) -> Pool | None:
    return budget(scenario).pool


def blocks(scenario: Scenario) -> int:
    pool = pool_of(scenario)
    return 0 if pool is None else pool.blocks


def sizes(ledger: Ledger, rank: int = 0) -> dict[str, int]:
    return {entry.label: entry.bytes for entry in ledger.ranks[rank].entries}


def most(scenario: Scenario) -> int:
    return budget(scenario).most_requests or 0


# --- memory -------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", READ)
@pytest.mark.parametrize("model", EACH_KIND)
def test_a_larger_share_never_makes_fewer_blocks(model: str, release: str) -> None:
    base = start(model, release=release, context=512, max_num_seqs=16)
    counts = [
        blocks(flagged(base, gpu_memory_utilization=share)) for share in (0.5, 0.7, 0.9, 0.901, 1.0)
    ]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] or counts == [0] * 5
    assert counts[-1] > 0 or budget(base).verdict.refusal is not None


@pytest.mark.parametrize("model", EACH_KIND)
def test_more_memory_never_makes_fewer_blocks(model: str) -> None:
    base = start(model, context=512, max_num_seqs=16)
    totals = [70 * GIB, 70 * GIB + 1, 75 * GIB, 79 * GIB, 200 * GIB]
    # One tier of batch limits for all, as a larger card would take larger batches by itself.
    base = flagged(base, max_num_batched_tokens=8192)
    counts = [blocks(base.with_(gpu=base.gpu.with_(device_total_bytes=t))) for t in totals]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[-1]


def test_a_block_more_of_memory_is_a_block_more() -> None:
    base = start(kv_cache_memory_bytes=100_000 * 2**21 // 100)
    size = pool_of(base).bytes_per_block
    given = [1000 * size - 1, 1000 * size, 1001 * size - 1, 1001 * size]
    assert [blocks(flagged(base, kv_cache_memory_bytes=b, max_model_len=8192)) for b in given] == [
        *(999, 1000, 1000, 1001)
    ]


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", EACH_KIND)
def test_longer_requests_never_mean_more_of_them(model: str) -> None:
    base = start(model, max_num_seqs=16, max_num_batched_tokens=8192)
    held = [
        budget(lasting(base, tokens)).capacity.steady_state.max
        for tokens in (1, 16, 17, 128, 129, 1000, 1024, 1025, 4096, 8000, 8192)
    ]
    assert held == sorted(held, reverse=True)
    assert held[0] > 0


def test_the_scheduler_limits_the_requests_and_not_the_pool() -> None:
    few, many = (start(context=100, max_num_seqs=number) for number in (4, 1024))
    assert most(few) == 4
    assert most(many) == 1024
    assert budget(few).capacity.steady_state.max > 1024


def test_copies_multiply_the_requests_and_leave_the_ranks() -> None:
    one = start(max_num_seqs=16)
    six = deployed(one, dp=2, replicas=3)
    assert most(six) == 6 * most(one) == 96
    assert budget(six).ranks == budget(one).ranks
    assert budget(six).capacity.engine_log == budget(one).capacity.engine_log


# --- measured -----------------------------------------------------------------------------------

MEASURED = {
    "weights_bytes": "weights",
    "activation_bytes": "activations",
    "non_torch_bytes": "non_torch",
    "graphs_bytes": "cuda_graphs",
    "used_before_start_bytes": "before_start",
}


@pytest.mark.parametrize(("name", "label"), MEASURED.items())
@pytest.mark.parametrize("release", ["0.11.2", "0.19.1", "0.33.0"])
def test_a_measured_figure_replaces_the_computed_one(name: str, label: str, release: str) -> None:
    base = start(release=release, context=4096, enforce_eager=False)
    measured = VllmMeasured(**{name: GIB + 7}, source="start.log")
    ledger = budget(flagged(base, measured=measured))
    (entry,) = (e for e in ledger.ranks[0].entries if e.label == label)
    assert (entry.bytes, entry.evidence) == (GIB + 7, Evidence.MEASURED)
    assert (entry.low_bytes, entry.high_bytes) == (None, None)
    assert (entry.source.code, entry.source.detail) == ("log", "start.log")
    before = sizes(budget(base))
    # Buffers that stay are part of a measured growth outside torch.
    replaced = {label, "persistent_buffers"} if label == "non_torch" else {label}
    moved = {"kv", "block_tails", "in_flight", "unrequested"}
    others = {k: v for k, v in sizes(ledger).items() if k not in replaced | moved}
    assert others == {k: v for k, v in before.items() if k not in replaced | moved}


def test_a_byte_more_measured_is_a_byte_less_in_the_pool() -> None:
    base = start(concurrency=1)
    pools = [
        pool_of(flagged(base, measured=VllmMeasured(weights_bytes=size))).bytes
        for size in (15 * GIB, 15 * GIB + 12_345)
    ]
    assert pools[0] - pools[1] == 12_345


def test_a_measured_pool_is_the_pool() -> None:
    base = start(measured=VllmMeasured(available_kv_bytes=40 * GIB))
    assert pool_of(base).bytes == 40 * GIB
    assert pool_of(flagged(base, gpu_memory_utilization=0.5)).bytes == 40 * GIB


# --- formats and ranks --------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["llama-3.1-8b", "gemma-2-9b-it", "deepseek-v2-lite"])
def test_eight_bits_are_half_of_sixteen(model: str) -> None:
    wide, narrow = (start(model, kv=kv, context=4096, concurrency=3) for kv in ("bf16", "fp8"))
    assert pool_of(wide).kv_bytes_per_token == 2 * pool_of(narrow).kv_bytes_per_token
    assert pool_of(wide).bytes_per_block == 2 * pool_of(narrow).bytes_per_block
    for label in ("kv", "withheld_block"):
        assert sizes(budget(wide))[label] == 2 * sizes(budget(narrow))[label]
    assert sizes(budget(wide))["weights"] == sizes(budget(narrow))["weights"]


def test_ranks_share_heads_until_each_has_one() -> None:
    per_token = [
        pool_of(deployed(start("llama-3.1-8b"), tp=tp)).kv_bytes_per_token
        for tp in (1, 2, 4, 8, 16)
    ]
    # 32 layers × 8 heads × 2 × 128 × 2 bytes; at 16 ranks the heads are copied.
    assert per_token == [131_072, 65_536, 32_768, 16_384, 16_384]


def test_sharded_context_divides_what_a_request_keeps() -> None:
    base = deployed(start("llama-3.1-8b", context=65_536, concurrency=1), tp=16)
    whole, halved = budget(base), budget(deployed(base, dcp=2))
    assert halved.request.blocks * 2 == whole.request.blocks == 4096
    assert halved.pool.kv_bytes_per_token * 2 == whole.pool.kv_bytes_per_token


# --- prefixes -----------------------------------------------------------------------------------


def prefixed(scenario: Scenario, tokens: int, share: float = 1.0, distinct: int = 1) -> Scenario:
    group = PrefixGroup(shared_tokens=tokens, request_share=share, distinct_prefixes=distinct)
    lengths = scenario.workload.lengths
    workload = type(scenario.workload).model_validate(
        {
            "lengths": lengths,
            "concurrency": scenario.workload.concurrency,
            "prefix_groups": (group,),
        }
    )
    return scenario.with_(workload=workload)


def test_a_shared_prefix_is_held_once() -> None:
    base = start("llama-3.1-8b", context=8192, concurrency=50)
    ledger = budget(prefixed(base, 4096))
    found, block = sizes(ledger), ledger.pool.bytes_per_block
    assert found["prefix"] == 256 * block
    assert (
        found["kv"] + found["block_tails"]
        if "block_tails" in found
        else found["kv"] == (50 * 256 * block)
    )
    assert ledger.ranks[0].kind_bytes(EntryKind.KV) < sizes(budget(base))["kv"]


def test_without_prefix_caching_nothing_is_shared() -> None:
    base = flagged(start("llama-3.1-8b", concurrency=50), enable_prefix_caching=False)
    assert sizes(budget(prefixed(base, 4096))) == sizes(budget(base))


def test_windows_are_not_shared() -> None:
    """Only layers that keep every token hold a prefix for later requests."""
    base = start("gemma-3-27b-it", context=8192, concurrency=4)
    ledger = budget(prefixed(base, 4096))
    assert ledger.request.shared_blocks == 4096 // 16  # of the one full group, not of all seven


# --- releases -----------------------------------------------------------------------------------


def test_an_upgrade_changes_only_what_its_switches_say() -> None:
    """Dense model, flags given: weights, pages and requests stay, batches and graphs move."""
    base = start(
        release="0.19.1",
        context=8192,
        concurrency=20,
        gpu_memory_utilization=0.9,
        max_num_batched_tokens=8192,
        max_num_seqs=256,
        measured=VllmMeasured(non_torch_bytes=GIB, activation_bytes=2 * GIB, graphs_bytes=GIB),
    )
    old, new = budget(base), budget(at_release(base, "0.33.0"))
    assert sizes(old)["weights"] == sizes(new)["weights"]
    for label in ("non_torch", "activations", "cuda_graphs", "kv", "withheld_block"):
        assert sizes(old)[label] == sizes(new)[label], label
    assert old.ranks[0].budget_bytes == new.ranks[0].budget_bytes
    # The only difference: graphs come out of the budget from 0.21 on.
    assert old.pool.bytes - new.pool.bytes == GIB
    assert (old.pool.bytes_per_block, old.request) == (new.pool.bytes_per_block, new.request)
    graphs = [
        next(e.in_budget for e in ledger.ranks[0].entries if e.label == "cuda_graphs")
        for ledger in (old, new)
    ]
    assert graphs == [False, True]


def test_the_default_share_and_who_sets_it() -> None:
    values = {
        release: budget(start(release=release)).scenario.resolved["gpu_memory_utilization"]
        for release in ("0.8.5", "0.19.1", "0.21.0", "0.33.0")
    }
    assert values == {"0.8.5": 0.9, "0.19.1": 0.9, "0.21.0": 0.92, "0.33.0": 0.92}
    origins = budget(start(release="0.21.0")).scenario.origins
    assert origins["gpu_memory_utilization"].code == "engine_default_assumed"
    given = budget(start(release="0.33.0", gpu_memory_utilization=0.8)).scenario
    assert "gpu_memory_utilization" not in given.defaulted
    assert given.resolved["gpu_memory_utilization"] == 0.8


def test_an_unread_release_follows_the_read_one_before_it() -> None:
    echo = budget(start(release="0.15.1")).scenario
    assert (echo.release, echo.rules) == ("0.15.1", "0.11.2")
    assert budget(start(release="0.40.0")).scenario.rules == "0.33.0"
    assert budget(start(release="0.6.3")).scenario.rules == "0.6.6"


def test_eager_mode_takes_no_graphs() -> None:
    for release in ("0.19.1", "0.33.0"):
        with_graphs, eager = (
            budget(start(release=release, enforce_eager=e)) for e in (False, True)
        )
        assert sizes(with_graphs)["cuda_graphs"] > 0
        assert "cuda_graphs" not in sizes(eager)
        assert "cuda_graphs" not in eager.not_modelled


def test_names_and_notes_change_no_figure() -> None:
    base = start("gpt-oss-20b")
    other = base.with_(name="别的", notes="x", id="other")
    assert budget(other).ranks == budget(base).ranks
    assert budget(other).capacity == budget(base).capacity


def test_the_target_is_shared_by_the_copies_rounded_up() -> None:
    ledger = budget(deployed(start(concurrency=7), dp=2))
    assert ledger.concurrency == 4
    assert ledger.capacity.target.met


def test_another_card_of_the_same_memory_changes_no_weights() -> None:
    base = start()
    other = base.with_(
        gpu=card("a100-80-sxm").with_(device_total_bytes=base.gpu.device_total_bytes)
    )
    assert sizes(budget(other))["weights"] == sizes(budget(base))["weights"]
    assert budget(other).verdict.status is Status.FITS
    # An A100 takes the smaller batch by default, whatever its memory.
    assert budget(other).scenario.resolved["max_num_batched_tokens"] == 2048
    assert budget(base).scenario.resolved["max_num_batched_tokens"] == 8192


def test_a_sizing_draws_its_own_length() -> None:
    points = ({"q": 0.5, "tokens": 1000}, {"q": 0.99, "tokens": 5000}, {"q": 1.0, "tokens": 8000})
    table = {"kind": "quantiles", "points": points}
    workload = {"lengths": table, "sizing": "p50"}
    base = start().with_(workload=Workload.model_validate(workload))
    assert budget(base).request.tokens == 1000
    assert budget(working(base, sizing="max")).request.tokens == 8000
    steady = budget(base).capacity.steady_state
    assert steady.p50 > steady.p99 > steady.max > 0

"""What vLLM refuses at start, and with which words, suggestion and field."""

from __future__ import annotations

import pytest

from tests.core.vllm_scenarios import deployed, flagged, lasting, library, start
from workbench.core.budget import budget
from workbench.spec import words
from workbench.spec.ledger import Ledger, Refusal, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmMeasured


def refusal_of(scenario: Scenario) -> Refusal:
    refusal = budget(scenario).verdict.refusal
    assert refusal is not None, budget(scenario).verdict
    return refusal


def errors(ledger: Ledger) -> str:
    found = [words.finding_text(f) for f in ledger.findings if f.severity == "error"]
    assert found
    return " ".join(found)


# --- memory -------------------------------------------------------------------------------------


def test_less_free_than_requested_is_refused_at_the_byte() -> None:
    """free < ⌈total · share⌉: 85,056,458,588 · 0.9 leaves 8,505,645,858 for others."""
    base = start(gpu_memory_utilization=0.9)
    total = base.gpu.device_total_bytes
    spare = total - budget(base).ranks[0].budget_bytes
    for used, refused in ((spare, False), (spare + 1, True)):
        other = flagged(base, measured=VllmMeasured(used_before_start_bytes=used))
        assert (budget(other).verdict.status is Status.REFUSES) == refused, used
    refusal = refusal_of(other)
    assert refusal.category == "free_memory_below_request"
    assert refusal.field == "engine.gpu_memory_utilization"
    assert budget(other).verdict.binding == "utilization"


def test_old_releases_charge_what_others_hold_instead() -> None:
    base = start(release="0.8.5", gpu_memory_utilization=0.9)
    pools = [
        budget(flagged(base, measured=VllmMeasured(used_before_start_bytes=used))).pool
        for used in (GIB, 11 * GIB)
    ]
    assert pools[0] is not None
    assert pools[1] is not None
    assert pools[0].bytes - pools[1].bytes == 10 * GIB


@pytest.mark.parametrize(("release", "fewest"), [("0.19.1", 1), ("0.33.0", 2)])
def test_the_withheld_block_counts_in_the_check_of_new_releases(release: str, fewest: int) -> None:
    """One block of 2 MiB is enough for 16 tokens up to 0.19.1; then one more is withheld."""
    base = start(release=release, context=16, max_model_len=16, max_num_seqs=1)
    for blocks in (0, 1, 2):
        pool = flagged(base, kv_cache_memory_bytes=blocks * 2**21)
        refused = budget(pool).verdict.status is Status.REFUSES
        assert refused == (blocks < fewest), blocks


def test_the_suggested_length_is_the_longest_that_starts() -> None:
    base = start(context=1024, kv_cache_memory_bytes=1001 * 2**21)
    refusal = refusal_of(base)
    assert (refusal.category, refusal.suggested_max_model_len) == ("max_len_too_long", 16_000)
    assert budget(flagged(base, max_model_len=16_000)).verdict.refusal is None
    assert refusal_of(flagged(base, max_model_len=16_001)).suggested_max_model_len == 16_000
    assert "16,000 tokens" in errors(budget(base))


def test_auto_fit_takes_the_longest_that_fits() -> None:
    base = start(context=1024, kv_cache_memory_bytes=1001 * 2**21, fit_max_model_len=True)
    ledger = budget(base)
    assert ledger.verdict.status is Status.FITS
    assert ledger.capacity.engine_log is not None
    assert ledger.capacity.engine_log.tokens_per_request == 16_000
    none = flagged(base, kv_cache_memory_bytes=2**21)
    assert refusal_of(none).category == "cannot_fit_one_token"


def test_a_hybrid_needs_a_state_block_for_each_sequence() -> None:
    base = start("qwen3.5-27b", "h200", context=100, max_model_len=784)
    pool = flagged(base, kv_cache_memory_bytes=184 * 51_380_224)
    refusal = refusal_of(flagged(pool, max_num_seqs=256))
    assert (refusal.category, refusal.reason) == ("no_memory", "too_few_state_blocks")
    assert dict(refusal.params) == {"blocks": 184, "sequences": 256}
    assert budget(flagged(pool, max_num_seqs=184)).verdict.refusal is None


def test_weights_beyond_the_card_do_not_fit() -> None:
    ledger = budget(start("llama-3.1-70b", "l4"))
    assert (ledger.verdict.status, ledger.verdict.binding) == (Status.DOES_NOT_FIT, "weights")
    assert ledger.verdict.shortfall_bytes == ledger.worst_rank.over_bytes > 100 * GIB


# --- lengths and batches ------------------------------------------------------------------------


def test_a_request_beyond_the_longest_is_refused_with_its_length() -> None:
    base = start(max_model_len=4096)
    assert budget(lasting(base, 4096)).verdict.refusal is None
    refusal = refusal_of(lasting(base, 4097))
    assert (refusal.category, refusal.suggested_max_model_len) == ("max_len_too_long", 4097)
    beyond = refusal_of(lasting(base, 131_073))
    assert (beyond.category, beyond.suggested_max_model_len) == ("max_len_too_long", None)


def test_a_length_beyond_the_models_is_refused() -> None:
    base = start(context=1024)
    assert budget(flagged(base, max_model_len=131_072)).verdict.refusal is None
    refusal = refusal_of(flagged(base, max_model_len=131_073))
    assert (refusal.reason, refusal.suggested_max_model_len) == ("length_beyond_derived", 131_072)


def test_without_chunks_a_batch_holds_the_longest_request() -> None:
    base = start(context=1024, enable_chunked_prefill=False, max_model_len=8192)
    assert budget(flagged(base, max_num_batched_tokens=8192)).verdict.refusal is None
    refusal = refusal_of(flagged(base, max_num_batched_tokens=8191))
    assert refusal.reason == "batch_below_length"
    # By default it is made long enough.
    long = start(context=1024, enable_chunked_prefill=False, max_model_len=20_000)
    assert budget(long).scenario.resolved["max_num_batched_tokens"] == 20_000


def test_a_batch_holds_a_token_of_each_sequence() -> None:
    base = start(context=1024, max_num_seqs=256)
    assert budget(flagged(base, max_num_batched_tokens=256)).verdict.refusal is None
    assert refusal_of(flagged(base, max_num_batched_tokens=255)).reason == "batch_below_sequences"
    # A default number of sequences gives way to the batch.
    few = budget(start(context=1024, max_num_batched_tokens=255)).scenario
    assert few.resolved["max_num_seqs"] == 255


# --- layouts and layers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "layout", "field"),
    [
        ("llama-3.1-8b", {"tp": 3}, "deployment.tp"),
        ("llama-3.1-8b", {"pp": 33}, "deployment.pp"),
        ("llama-3.1-8b", {"pp": 2, "pp_partition": (16, 15)}, "deployment.pp_partition"),
        ("llama-3.1-8b", {"tp": 8, "dcp": 2}, "deployment.dcp"),  # one head a rank, none to spare
        ("llama-3.1-8b", {"tp": 16, "dcp": 3}, "deployment.dcp"),
    ],
)
def test_layouts_that_cannot_be(model: str, layout: dict[str, object], field: str) -> None:
    ledger = budget(deployed(start(model), **layout))
    refusal = ledger.verdict.refusal
    assert refusal is not None
    assert (refusal.category, refusal.field) == ("bad_parallelism", field)
    assert errors(ledger)
    assert ledger.pool is None


def test_a_layout_that_just_can_be() -> None:
    for layout in ({"tp": 32}, {"pp": 32}, {"tp": 16, "dcp": 2}):
        ledger = budget(deployed(start("llama-3.1-8b"), **layout))
        assert ledger.verdict.refusal is None, layout


@pytest.mark.parametrize("release", ["0.8.5", "0.11.2", "0.33.0"])
@pytest.mark.parametrize(
    ("model", "kind"), [("deepseek-v4-flash", "compressed"), ("minimax-m3", "full with an indexer")]
)
def test_unknown_layers_are_named_and_never_dense(model: str, kind: str, release: str) -> None:
    ledger = budget(start(model, "h200", release=release, context=100))
    refusal = ledger.verdict.refusal
    assert refusal is not None
    assert refusal.category == "unsupported"
    assert kind in refusal.reason
    assert ledger.pool is None
    assert ledger.capacity.engine_log is None
    assert errors(ledger)


def test_layers_that_a_release_cannot_plan() -> None:
    recurrent = refusal_of(start("qwen3-next-80b-a3b-instruct", "h200", release="0.8.5"))
    assert recurrent.category == "unsupported"
    sliding = deployed(start("gpt-oss-20b", context=100), tp=16, dcp=2)
    assert refusal_of(sliding).category == "unsupported"
    latent = refusal_of(start("deepseek-v2-lite", kv="nvfp4", context=100))
    assert latent.category == "unsupported"


def test_a_stage_with_more_groups_than_the_first_would_get_no_blocks() -> None:
    """0.10.2 groups each stage alone and hands out blocks by the groups of the first one."""
    model = "nvidia-nemotron-3-nano-30b-a3b-bf16"
    split = deployed(start(model, "h200", release="0.10.2"), pp=3)
    refusal = refusal_of(split)
    assert refusal.category == "unsupported"
    assert refusal.reason == "pipeline stages with different groups"
    newer = budget(deployed(start(model, "h200", release="0.11.2"), pp=3))
    assert newer.verdict.refusal is None
    assert all(entry.bytes >= 0 for rank in newer.ranks for entry in rank.entries)


def test_every_preset_model_gets_an_answer_under_every_read_release() -> None:
    """No model of the presets raises; what a release cannot plan is refused by name."""
    planned = 0
    for listed in library().listed("models"):
        for release in ("0.10.2", "0.33.0"):
            base = start(listed.id, "b200", release=release, context=512, max_num_seqs=16)
            ledger = budget(flagged(base, measured=VllmMeasured(weights_bytes=GIB)))
            refusal = ledger.verdict.refusal
            if ledger.pool is None:
                assert refusal is not None, (listed.id, release)
                assert refusal.reason or refusal.category == "bad_parallelism", listed.id
            else:
                planned += 1
                assert ledger.pool.bytes_per_block > 0
    assert planned >= 440

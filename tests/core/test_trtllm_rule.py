"""TensorRT-LLM's rule on published models: budget, windows, attention DP, cuts and refusals."""

from __future__ import annotations

from functools import cache

import pytest

from workbench.core.budget import budget
from workbench.core.engines.trtllm.cache import Cache, cache_of
from workbench.core.engines.trtllm.pool import blocks_in
from workbench.library.compose import new_scenario
from workbench.library.engine_choice import with_engine
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, QuantilePoint, QuantileTable


@cache
def library() -> Library:
    return Library(presets_dir())


def scenario_of(model: str, gpu: str, release: str = "1.1.0", **flags: object) -> Scenario:
    made = new_scenario(library(), "s", "s", library().model(model), library().gpu(gpu))
    asked = with_engine(made, "trtllm", release)
    return asked.with_(engine=asked.engine.with_(**flags))


def with_context(scenario: Scenario, tokens: int) -> Scenario:
    lengths = ConstantLength(tokens=tokens)
    return scenario.with_(workload=scenario.workload.with_(lengths=lengths))


def with_kv(scenario: Scenario, name: str) -> Scenario:
    kv = library().kv_format(name).value
    return scenario.with_(precision=scenario.precision.with_(kv=kv))


def stage(scenario: Scenario) -> int:
    cache = cache_of(scenario)
    assert isinstance(cache, Cache)
    return cache.stages[0].token_bytes


def fixed_bytes(ledger: Ledger) -> int:
    labels = ("weights", "non_torch", "activations")
    return sum(entry.bytes for entry in ledger.ranks[0].entries if entry.label in labels)


# Budget


def test_the_pool_is_a_fraction_of_what_is_left() -> None:
    scenario = scenario_of("llama-3.1-8b-instruct", "h100-sxm")
    ledger = budget(scenario)
    rank = ledger.ranks[0]
    left = rank.total_bytes - fixed_bytes(ledger)
    assert ledger.pool is not None
    # 131,072 bytes a token, 32 tokens a block.
    tokens = int(left * 0.9) // 131_072
    assert ledger.pool.blocks == -(-tokens // 32)
    assert rank.budget_bytes == fixed_bytes(ledger) + ledger.pool.blocks * 32 * 131_072
    (slack,) = [entry for entry in rank.entries if entry.label == "unrequested"]
    assert slack.bytes == rank.total_bytes - rank.budget_bytes
    assert 0.09 * left < slack.bytes < 0.101 * left


def test_a_measured_pool_makes_the_blocks_of_the_log() -> None:
    # gpt-oss-120b on GB10, the sixth public log: 5.95 GiB are 86,711 tokens.
    scenario = scenario_of("gpt-oss-120b", "gb10", "1.1.0rc3", max_num_seqs=64)
    measured = scenario.engine.measured.with_(
        weights_bytes=round(63.52 * GIB),
        activation_bytes=round(0.85 * GIB),
        non_torch_bytes=round(49.28 * GIB),
        available_kv_bytes=86_711 * 73_728,
    )
    ledger = budget(scenario.with_(engine=scenario.engine.with_(measured=measured)))
    assert ledger.pool is not None
    assert (ledger.pool.blocks, ledger.pool.tokens) == (2_710, 86_720)
    assert ledger.pool.kv_bytes_per_token == 73_728
    assert ledger.capacity.engine_log is not None
    assert ledger.capacity.engine_log.tokens_per_request == 86_720
    (cut,) = [f for f in ledger.findings if f.code == "trtllm_length_cut"]
    assert cut.params["max_model_len_tokens"] == 131_072
    assert cut.params["longest_tokens"] == 86_720
    assert ledger.verdict.status is not Status.REFUSES


def test_the_activation_rule_of_thumb_meets_the_one_public_profile() -> None:
    ledger = budget(scenario_of("gpt-oss-120b", "gb10"))
    (found,) = [entry for entry in ledger.ranks[0].entries if entry.label == "activations"]
    assert found.low_bytes is not None
    assert found.high_bytes is not None
    assert found.low_bytes < 0.85 * GIB < found.high_bytes
    assert found.bytes == pytest.approx(0.85 * GIB, rel=0.05)


def test_towers_and_drafts_are_weights() -> None:
    gemma = scenario_of("gemma-3-12b-it", "h100-sxm")
    weights = budget(gemma).ranks[0].entries[0].bytes
    assert weights == 2 * gemma.model.all_parameters
    built = gemma.with_(engine=gemma.engine.with_(backend="tensorrt"))
    assert budget(built).ranks[0].entries[0].bytes == 2 * gemma.model.parameters
    deepseek = scenario_of("deepseek-v3", "8x-h200-sxm")
    drafting = deepseek.with_(engine=deepseek.engine.with_(speculative_tokens=1))
    assert stage(drafting) == stage(deepseek) * 62 // 61
    more = budget(drafting).ranks[0].entries[0].bytes - budget(deepseek).ranks[0].entries[0].bytes
    assert GIB < more < 2 * GIB


def test_max_tokens_and_max_bytes_cap_the_pool() -> None:
    ledger = budget(scenario_of("llama-3.1-8b-instruct", "h100-sxm", kv_cache_max_tokens=10_000))
    assert ledger.pool is not None
    assert ledger.pool.blocks == 313
    capped = scenario_of("llama-3.1-8b-instruct", "h100-sxm", max_gpu_total_bytes=4 * GIB)
    pool = budget(capped).pool
    assert pool is not None
    assert pool.tokens == 32_768
    # 1.0 does not know the cap.
    older = scenario_of("llama-3.1-8b-instruct", "h100-sxm", "1.0.0", max_gpu_total_bytes=4 * GIB)
    pool = budget(older).pool
    assert pool is not None
    assert pool.tokens > 400_000


def test_very_old_releases_take_max_tokens_alone() -> None:
    scenario = scenario_of(
        "llama-2-7b-hf", "a100-80-sxm", "0.8.0", kv_cache_max_tokens=132_608, block_tokens=64
    )
    cache = cache_of(scenario)
    assert isinstance(cache, Cache)
    # The 0.8 log of issue 1400: 69,524,783,104 bytes, whatever is free.
    assert blocks_in(scenario, cache.stages[0], 0) == 2_072
    assert 2_072 * cache.stages[0].pages.bytes_per_block == 69_524_783_104


# Bytes of a token


def test_bytes_of_a_token_by_format_and_layout() -> None:
    llama = scenario_of("llama-3.1-8b-instruct", "h100-sxm")
    assert stage(llama) == 2 * 32 * 8 * 128 * 2
    assert stage(with_kv(llama, "fp8")) == 2 * 32 * 8 * 128
    # NVFP4: half a byte an element, a byte for each 16.
    assert stage(with_kv(llama, "nvfp4")) == 2 * 32 * 8 * (64 + 8)
    four = llama.with_(deployment=llama.deployment.with_(tp=4))
    assert stage(four) == stage(llama) // 4
    sixteen = llama.with_(deployment=llama.deployment.with_(tp=16))
    assert stage(sixteen) == stage(llama) // 8
    whole = four.with_(engine=four.engine.with_(enable_attention_dp=True))
    assert stage(whole) == stage(llama)


def test_latent_rows_are_whole_on_every_rank() -> None:
    kimi = scenario_of("kimi-k2-instruct", "8x-h200-sxm")
    # The published fp8 log: 35,136 bytes a token, 61 layers of 576.
    assert stage(with_kv(kimi, "fp8")) == 35_136
    assert stage(kimi) == 2 * 35_136


def test_sliding_layers_keep_everything_without_the_flag() -> None:
    gpt = scenario_of("gpt-oss-120b", "h100-sxm")
    assert stage(gpt) == 73_728
    codes = {finding.code for finding in budget(gpt).findings}
    assert "trtllm_windows_kept_whole" in codes


# Windows


def test_windows_have_pools_in_proportion() -> None:
    windows = (1_024, 1_024, 1_024, 1_024, 1_024, 131_072)
    scenario = scenario_of("gemma-3-12b-it", "h100-sxm", max_attention_window=windows)
    cache = cache_of(scenario)
    assert isinstance(cache, Cache)
    assert cache.windows == (131_072, 1_024)
    layers = [window.layers for window in cache.stages[0].windows]
    assert layers == [8, 40]
    # Full requests fill both pools together: five of 131,072 tokens as long as memory allows.
    pool = budget(with_context(scenario, 131_072)).pool
    assert pool is not None
    full = pool.blocks // (131_072 // 32)
    assert budget(with_context(scenario, 131_072)).most_requests == full
    # Shorter ones still fill the pool of the small window first.
    assert budget(with_context(scenario, 8_192)).most_requests == full


def test_a_window_is_no_wider_than_the_longest_request() -> None:
    flags = {"max_attention_window": (1_024, 10**6), "max_model_len": 4_096}
    cache = cache_of(scenario_of("gemma-3-12b-it", "h100-sxm", **flags))
    assert isinstance(cache, Cache)
    assert cache.windows == (4_096, 1_024)


def test_older_releases_have_one_pool_of_the_widest_window() -> None:
    flags = {"max_attention_window": (1_024, 4_096)}
    cache = cache_of(scenario_of("llama-3.1-8b-instruct", "h100-sxm", "0.13.0", **flags))
    assert isinstance(cache, Cache)
    assert cache.windows == (4_096,)


def test_stages_with_other_windows_and_counted_tokens_are_not_planned() -> None:
    flags = {"max_attention_window": (1_024,) * 24 + (131_072,) * 24}
    scenario = scenario_of("gemma-3-12b-it", "h100-sxm", **flags)
    split = scenario.with_(deployment=scenario.deployment.with_(pp=2))
    assert budget(split).verdict.refusal is not None
    assert budget(split).verdict.refusal.category == "unsupported"  # type: ignore[union-attr]
    assert budget(scenario).verdict.refusal is None
    counted = scenario.with_(engine=scenario.engine.with_(kv_cache_max_tokens=10_000))
    assert budget(counted).verdict.refusal is not None


# Requests


def test_a_request_keeps_blocks_for_its_longest_output() -> None:
    scenario = scenario_of("llama-3.1-8b-instruct", "h100-sxm", enable_chunked_prefill=True)
    outputs = QuantileTable(
        points=(QuantilePoint(q=0.95, tokens=256), QuantilePoint(q=1.0, tokens=2_048))
    )
    workload = scenario.workload.with_(outputs=outputs)
    ledger = budget(scenario.with_(workload=workload))
    # 8,192 tokens with an output of 256: the prompt of 7,936 and room for 2,048 more.
    assert ledger.request is not None
    assert ledger.request.blocks == -(-(7_936 + 2_048) // 32)
    flags = scenario.engine.with_(capacity_scheduler_policy="max_utilization")
    packed = budget(scenario.with_(workload=workload, engine=flags))
    assert packed.request is not None
    assert packed.request.blocks == 256
    assert (packed.most_requests or 0) > (ledger.most_requests or 0)
    asked = budget(
        scenario.with_(workload=workload, engine=scenario.engine.with_(max_output_tokens=512))
    )
    assert asked.request is not None
    assert asked.request.blocks == -(-(7_936 + 512) // 32)


def test_attention_dp_gives_each_rank_requests_of_its_own() -> None:
    one = scenario_of("deepseek-v3", "8x-h200-sxm")
    ledger, spread = (
        budget(one),
        budget(one.with_(engine=one.engine.with_(enable_attention_dp=True))),
    )
    assert ledger.pool is not None
    assert spread.pool is not None
    # Weights of the attention are whole on each rank, so each pool is smaller, but there are 8.
    assert spread.pool.blocks < ledger.pool.blocks
    assert spread.most_requests == 8 * (spread.pool.blocks // 256)


def test_the_host_cache_is_no_room_for_requests() -> None:
    scenario = scenario_of("llama-3.1-8b-instruct", "h100-sxm")
    cached = scenario.with_(engine=scenario.engine.with_(host_cache_bytes=64 * GIB))
    assert budget(cached).most_requests == budget(scenario).most_requests
    (found,) = [f for f in budget(cached).findings if f.code == "trtllm_host_cache"]
    assert found.params["blocks"] == 64 * GIB // 131_072 // 32


# Cuts and refusals


def test_a_length_is_cut_instead_of_refused() -> None:
    scenario = scenario_of("llama-3.1-8b-instruct", "rtx-4090")
    ledger = budget(scenario)
    assert ledger.verdict.status is not Status.REFUSES
    (cut,) = [f for f in ledger.findings if f.code == "trtllm_length_cut"]
    assert cut.severity == "info"
    assert ledger.pool is not None
    assert cut.params["longest_tokens"] == ledger.pool.tokens < 131_072
    longer = budget(with_context(scenario, 100_000))
    assert longer.verdict.status is Status.DOES_NOT_FIT
    codes = [finding.code for finding in longer.findings]
    assert "trtllm_length_cut.requests_refused" in codes
    fast = scenario.with_(
        engine=scenario.engine.with_(fail_fast_on_attention_window_too_large=True)
    )
    refused = budget(fast).verdict.refusal
    assert refused is not None
    assert refused.reason == "trtllm_window_too_large"
    assert refused.suggested_max_model_len == ledger.pool.tokens


def test_no_block_is_a_refusal_and_weights_beyond_the_card_do_not_fit() -> None:
    none = budget(scenario_of("llama-3.1-8b-instruct", "h100-sxm", free_gpu_memory_fraction=0.0))
    assert none.verdict.refusal is not None
    assert none.verdict.refusal.category == "no_memory"
    heavy = budget(scenario_of("llama-3.1-70b-instruct", "h100-sxm"))
    assert heavy.verdict.status is Status.DOES_NOT_FIT


def test_beams_need_a_block_each() -> None:
    flags = {"max_beam_width": 4, "kv_cache_max_tokens": 96}
    refusal = budget(scenario_of("llama-3.1-8b-instruct", "h100-sxm", **flags)).verdict.refusal
    assert refusal is not None
    assert refusal.category == "cannot_fit_one_token"


def test_a_prompt_beyond_a_step_is_refused_where_it_is_certain() -> None:
    scenario = with_context(scenario_of("llama-3.1-8b-instruct", "h100-sxm"), 32_768)
    codes = [finding.code for finding in budget(scenario).findings]
    assert "trtllm_long_prompts" in codes
    workload = scenario.workload.with_(outputs=ConstantLength(tokens=1_024))
    refusal = budget(scenario.with_(workload=workload)).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "trtllm_prompt_beyond_step"
    chunked = scenario.with_(
        workload=workload, engine=scenario.engine.with_(enable_chunked_prefill=True)
    )
    assert budget(chunked).verdict.refusal is None


def test_caches_that_the_engine_does_not_have() -> None:
    llama = scenario_of("llama-3.1-8b-instruct", "h100-sxm")
    refusal = budget(with_kv(llama, "int8")).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "trtllm_int8_cache"
    built = llama.with_(engine=llama.engine.with_(backend="tensorrt"))
    assert budget(with_kv(built, "int8")).verdict.refusal is None
    assert stage(with_kv(built, "int8")) == 2 * 32 * 8 * 128
    fp8 = library().weight_format("fp8").value
    mixed = built.with_(precision=built.precision.with_(weights=fp8))
    refusal = budget(with_kv(mixed, "int8")).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "trtllm_int8_beside_fp8"
    refusal = budget(with_kv(llama, "int4")).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "format_of_other_engines"


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("ai21-jamba-mini-1.5", "state"),
        ("deepseek-v4-pro", "compressed"),
        ("gemma-3n-e4b-it", "shared"),
        ("llama-3.2-11b-vision-instruct", "cross"),
        ("falcon-h1-7b-instruct", "parallel"),
        ("deepseek-v3.2", "indexer"),
        ("gemma-4-12b-it", "head sizes"),
        ("mimo-v2-flash", "value heads"),
    ],
)
def test_layers_without_a_rule_are_refused_by_name(model: str, kind: str) -> None:
    refusal = budget(scenario_of(model, "8x-h200-sxm")).verdict.refusal
    assert refusal is not None
    assert refusal.category == "unsupported"
    assert kind in refusal.reason


# Defaults by release


@pytest.mark.parametrize(
    ("release", "backend", "block"),
    [
        ("0.8.0", "tensorrt", 128),
        ("0.10.0", "tensorrt", 64),
        ("0.13.0", "tensorrt", 64),
        ("0.16.0", "tensorrt", 64),
        ("0.20.0", "tensorrt", 32),
        ("1.0.0", "pytorch", 32),
        ("1.1.0rc3", "pytorch", 32),
        ("1.2.0", "pytorch", 32),
    ],
)
def test_defaults_by_release(release: str, backend: str, block: int) -> None:
    ledger = budget(scenario_of("llama-3.1-8b-instruct", "h100-sxm", release))
    echo = ledger.scenario
    assert (echo.resolved["backend"], echo.resolved["block_size"]) == (backend, block)
    assert echo.resolved["free_gpu_memory_fraction"] == 0.9
    assert echo.resolved["max_num_seqs"] == 2_048
    assert {"backend", "block_size", "free_gpu_memory_fraction"} <= set(echo.defaulted)
    assert echo.origins["backend"].detail == f"TensorRT-LLM {echo.rules}"
    assumed = echo.origins["block_size"].code == "engine_default_assumed"
    assert assumed == (release in ("0.8.0", "0.16.0", "0.20.0"))

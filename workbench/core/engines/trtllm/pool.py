"""TensorRT-LLM's pool: a fraction of what weights and activations leave free.

    left    = card − weights − activations − what is outside torch
    primary = ⌊left × fraction⌋, at most `max_gpu_total_bytes`
    blocks  = ⌈min(⌊primary ÷ bytes per token⌋, max tokens) ÷ tokens per block⌉, all ranks the least
    budget  = what is spent before the pool + the blocks
SGLang and vLLM take their fraction of the card; here it is of what is left, so the rest of what
is left is the slack. A longest request that the pool cannot hold is cut to what it holds.
Source: tensorrt-llm.md §3 (C++ `calculateFreeMemBytes`), §4 (PyTorch `KvCacheCreator`), §5.
"""

from __future__ import annotations

from workbench.core.engines.rule import PoolPlan
from workbench.core.engines.trtllm.blocks import (
    longest_sequence,
    pool_blocks,
    primary_bytes,
    request_blocks,
    secondary_blocks,
    temporary_tokens,
)
from workbench.core.engines.trtllm.cache import Cache, StageCache, cache_of
from workbench.core.engines.trtllm.defaults import engine_of, flags_of
from workbench.core.load.lengths import sized_tokens
from workbench.spec.ledger import Entry, Finding, Fix, Refusal, Severity
from workbench.spec.scenario import Scenario
from workbench.spec.trtllm import TrtllmEngine


def pool_bytes(scenario: Scenario, stage: StageCache, fixed: tuple[Entry, ...]) -> int | None:
    """Bytes of the blocks that a rank of a stage allocates; None where nothing is left."""
    if not stage.windows:
        return 0
    left = scenario.gpu.device_total_bytes - sum(entry.bytes for entry in fixed)
    given = engine_of(scenario).measured.available_kv_bytes
    if given is None:
        if left < 0:
            return None
        given = primary_bytes(left, flags_of(scenario).free_gpu_memory_fraction)
    return blocks_in(scenario, stage, given) * stage.pages.bytes_per_block


def blocks_in(scenario: Scenario, stage: StageCache, size_bytes: int) -> int:
    """Blocks that a rank makes of the bytes that the fraction leaves it."""
    engine, flags = engine_of(scenario), flags_of(scenario)
    most_tokens = engine.kv_cache_max_tokens
    if is_sized_by_tokens(engine):
        size_bytes = (most_tokens or 0) * stage.token_bytes
    if engine.rules.total_bytes_cap and engine.max_gpu_total_bytes:
        size_bytes = min(size_bytes, engine.max_gpu_total_bytes)
    if len(stage.windows) > 1:
        return size_bytes // stage.pages.bytes_per_block
    (window,) = stage.windows
    return pool_blocks(size_bytes, window.token_bytes, flags.block_tokens, most_tokens)


def planned_blocks(scenario: Scenario, size_bytes: int) -> int | None:
    """Blocks of pools of so many bytes on every rank; None without a plan or one block table."""
    cache = cache_of(scenario)
    if not isinstance(cache, Cache) or len(cache.windows) != 1:
        return None
    stages = [stage for stage in cache.stages if stage.windows]
    return min(blocks_in(scenario, stage, size_bytes) for stage in stages)


def is_sized_by_tokens(engine: TrtllmEngine) -> bool:
    """Whether a number of tokens alone sizes the pool: very old releases, without a fraction."""
    return (
        engine.rules.max_tokens_alone
        and engine.free_gpu_memory_fraction is None
        and engine.kv_cache_max_tokens is not None
    )


def plan_of(scenario: Scenario, cache: Cache, available_bytes: tuple[int, ...]) -> PoolPlan | None:
    """Plan the pool from what each stage's ranks have left for it; None without any KV."""
    counts = [
        max(0, available) // stage.pages.bytes_per_block
        for stage, available in zip(cache.stages, available_bytes, strict=True)
        if stage.windows
    ]
    if not counts:
        return None
    engine, flags = engine_of(scenario), flags_of(scenario)
    blocks, beams = min(counts), engine.max_beam_width
    longest = min(flags.max_model_len, longest_sequence(blocks, flags.block_tokens, beams))
    refusal = _refusal(scenario, blocks, longest)
    if refusal is not None:
        tokens = blocks * flags.block_tokens
        return PoolPlan(blocks, blocks, tokens, None, flags.max_model_len, refusal)
    each = request_blocks(
        longest, longest, flags.block_tokens, sink_tokens=engine.sink_token_length, beams=beams
    )
    return PoolPlan(
        blocks=blocks,
        usable_blocks=blocks,
        tokens=blocks * flags.block_tokens,
        concurrency=flags.attention_ranks * blocks / each,
        max_model_len=longest,
        remarks=_remarks(scenario, cache, blocks, longest),
    )


def _refusal(scenario: Scenario, blocks: int, longest: int) -> Refusal | None:
    """No block for one sequence, or a length that must not be cut (tensorrt-llm.md §5)."""
    engine, flags = engine_of(scenario), flags_of(scenario)
    if blocks < engine.max_beam_width:
        if engine.max_beam_width == 1:
            return Refusal("no_memory", reason="no_room_for_a_block")
        return Refusal(
            "cannot_fit_one_token",
            reason="trtllm_beams_do_not_fit",
            params={"blocks": blocks, "beams": engine.max_beam_width},
            field="engine.max_beam_width",
        )
    if (
        longest < flags.max_model_len
        and engine.rules.fail_fast
        and engine.fail_fast_on_attention_window_too_large
    ):
        return Refusal(
            "max_len_too_long",
            longest,
            reason="trtllm_window_too_large",
            params={"max_model_len_tokens": flags.max_model_len},
            field="engine.max_model_len",
        )
    return None


# What a person should know of the pool


def _remarks(scenario: Scenario, cache: Cache, blocks: int, longest: int) -> tuple[Finding, ...]:
    found = (
        _cut_length(scenario, longest),
        _small_for_profile(scenario, blocks),
        _long_prompts(scenario),
        _kept_windows(scenario),
        _window_pools(scenario, cache),
        _host_cache(scenario, cache),
    )
    return tuple(finding for finding in found if finding is not None)


def _cut_length(scenario: Scenario, longest: int) -> Finding | None:
    """The sequence length that the engine cuts by itself, with a warning in its log only."""
    asked = flags_of(scenario).max_model_len
    if longest >= asked:
        return None
    needed = sized_tokens(scenario.workload.lengths, "max")
    severity: Severity = "warning" if needed > longest else "info"
    params = {
        "max_model_len_tokens": asked,
        "longest_tokens": longest,
        "context_tokens": needed,
    }
    code = "trtllm_length_cut" + (".requests_refused" if needed > longest else "")
    fix = Fix("engine.max_model_len", longest)
    return Finding(code, severity, "engine.max_model_len", params, fix)


def _small_for_profile(scenario: Scenario, blocks: int) -> Finding | None:
    """The PyTorch backend's dummy batch needs a pool of its own, no larger than the real one."""
    engine, flags = engine_of(scenario), flags_of(scenario)
    if flags.backend != "pytorch":
        return None
    needed = temporary_tokens(
        flags.max_num_batched_tokens,
        flags.max_model_len,
        flags.block_tokens,
        draft_tokens=engine.speculative_tokens,
        beams=engine.max_beam_width,
    )
    there = blocks * flags.block_tokens
    if needed <= there:
        return None
    params = {"needed_tokens": needed, "pool_tokens": there}
    field = "engine.max_num_batched_tokens"
    return Finding("trtllm_small_for_profile", "warning", field, params)


def _long_prompts(scenario: Scenario) -> Finding | None:
    """Without chunked prefill a step must take a whole prompt (§5)."""
    flags = flags_of(scenario)
    longest = sized_tokens(scenario.workload.lengths, "max")
    if flags.enable_chunked_prefill or longest <= flags.max_num_batched_tokens:
        return None
    params: dict[str, object] = {
        "batch_tokens": flags.max_num_batched_tokens,
        "context_tokens": longest,
    }
    return Finding("trtllm_long_prompts", "warning", "engine.max_num_batched_tokens", params)


def _kept_windows(scenario: Scenario) -> Finding | None:
    """Sliding layers that keep every token, because no window was given to the cache."""
    if engine_of(scenario).max_attention_window is not None:
        return None
    windows = [
        window
        for run in scenario.model.layers
        if (window := getattr(run.mixer, "window_tokens", None)) is not None
    ]
    if not windows:
        return None
    params: dict[str, object] = {"window_tokens": min(windows)}
    return Finding("trtllm_windows_kept_whole", "info", "engine.max_attention_window", params)


def _window_pools(scenario: Scenario, cache: Cache) -> Finding | None:
    """Pools of several windows, of which shorter requests fill the smallest first."""
    if len(cache.windows) < 2:
        return None
    longest = sized_tokens(scenario.workload.lengths, scenario.workload.sizing)
    if longest >= cache.windows[0]:
        return None
    params: dict[str, object] = {
        "narrow_tokens": cache.windows[-1],
        "wide_tokens": cache.windows[0],
        "context_tokens": longest,
    }
    return Finding("trtllm_window_pools", "info", "engine.max_attention_window", params)


def _host_cache(scenario: Scenario, cache: Cache) -> Finding | None:
    """Blocks of the host cache, which hold what may be used again and no running request."""
    host_bytes, block_tokens = engine_of(scenario).host_cache_bytes, flags_of(scenario).block_tokens
    if not host_bytes:
        return None
    blocks = secondary_blocks(host_bytes, cache.token_bytes, block_tokens)
    params: dict[str, object] = {
        "blocks": blocks,
        "pool_tokens": blocks * block_tokens,
        "host_bytes": host_bytes,
    }
    return Finding("trtllm_host_cache", "info", "engine.host_cache_bytes", params)

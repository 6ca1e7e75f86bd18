"""TensorRT-LLM's block arithmetic on its worked examples (tensorrt-llm.md §8)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.engines.trtllm.blocks import (
    longest_sequence,
    pool_blocks,
    primary_bytes,
    proportional_bytes,
    request_blocks,
    secondary_blocks,
    temporary_tokens,
    window_blocks,
)
from workbench.spec.units import GIB

LLAMA_7B = 2 * 32 * 32 * 128 * 2


def gib(value: float) -> int:
    return round(value * GIB)


def test_1_qwen_7b_of_0_13() -> None:
    assert primary_bytes(gib(21.89), 0.9) // LLAMA_7B == 40_347
    assert pool_blocks(primary_bytes(gib(21.89), 0.9), LLAMA_7B, 64) == 631


def test_2_official_memory_page() -> None:
    primary = primary_bytes(gib(70.48), 0.9)
    assert primary // 262_144 == 259_817
    blocks = pool_blocks(primary, 262_144, 64)
    assert blocks == 4_060
    assert blocks * 64 == 259_840
    assert blocks * 64 * 262_144 / GIB == 63.4375


def test_3_a100_of_0_8() -> None:
    assert 132_608 * LLAMA_7B == 69_524_783_104
    assert pool_blocks(69_524_783_104, LLAMA_7B, 64) == 2_072


def test_4_tinyllama() -> None:
    assert 116_617 * 32 == 3_731_744
    assert pool_blocks(116_617 * 32 * 22_528, 22_528, 32) == 116_617
    assert round(116_617 * 32 * 22_528 / GIB, 1) == 78.3


def test_5_triton_multimodal() -> None:
    reached = {
        pool_blocks(primary_bytes(gib(85.57 + step), 0.9), 262_144, 32) for step in (-0.005, 0.005)
    }
    assert reached == {9_858, 9_859}
    assert pool_blocks(primary_bytes(gib(85.57), 0.9), 262_144, 32) in reached
    assert 9_859 * 32 == 315_488
    # The printed 77.02 GiB are the blocks.
    assert round(9_859 * 32 * 262_144 / GIB, 2) == 77.02


def test_6_kimi() -> None:
    assert round(158_543 * 32 * 35_136 / GIB, 2) == 166.02
    assert pool_blocks(158_543 * 32 * 35_136, 35_136, 32) == 158_543


def test_7_gpt_oss_profile() -> None:
    peak = 63.52 + 0.85 + 49.28
    assert round(peak, 2) == 113.65
    available = (119.70 - 113.65 + 0.56) * 0.9
    assert round(available, 2) == 5.95
    # The log's 86,711 tokens lie within the rounding of what it prints.
    tokens = gib(available) // 73_728
    assert abs(tokens - 86_711) * 73_728 < 0.015 * 0.9 * GIB
    assert pool_blocks(86_711 * 73_728, 73_728, 32) == 2_710
    assert 2_710 * 32 == 86_720
    assert longest_sequence(2_710, 32) == 86_720
    assert temporary_tokens(8_192, 131_072, 32) == 8_224 == 257 * 32
    assert round(8_224 * 73_728 / GIB, 2) == 0.56


def test_max_tokens_takes_the_smaller() -> None:
    assert pool_blocks(100 * GIB, LLAMA_7B, 64, 1_000) == 16
    assert pool_blocks(64 * LLAMA_7B, LLAMA_7B, 64, 10**9) == 1


def test_secondary_blocks_are_whole() -> None:
    assert secondary_blocks(65 * LLAMA_7B - 1, LLAMA_7B, 64) == 1
    assert secondary_blocks(64 * LLAMA_7B - 1, LLAMA_7B, 64) == 0


def test_windows_fill_together() -> None:
    # 26 sliding and 6 full layers of 2,048 bytes: the pools serve the same number of full windows.
    windows = {32_768: 6 * 2_048, 1_024: 26 * 2_048}
    blocks = window_blocks(10 * GIB, windows, 32)
    full = {window: count * 32 / window for window, count in blocks.items()}
    assert full[32_768] == pytest.approx(full[1_024], rel=0.01)
    used = sum(count * 32 * windows[window] for window, count in blocks.items())
    assert 10 * GIB - 2 * 2_048 * 32 <= used < 10 * GIB + 32 * 32 * 2_048


def test_requests_with_sinks_and_beams() -> None:
    assert request_blocks(1_000, 4_096, 64) == 16
    # A window holds no more than its tokens; four sink tokens are padded to a block.
    assert request_blocks(100_000, 4_096, 64) == 64
    assert request_blocks(100_000, 4_096, 64, sink_tokens=4) == 65
    # Four beams share the 10 blocks of the context and keep 6 each.
    assert request_blocks(1_024, 4_096, 64, beams=4, output_tokens=384) == 10 + 4 * 6


def test_temporary_pool_grows_with_draft_beams_and_attention_ranks() -> None:
    one = temporary_tokens(8_192, 131_072, 32)
    assert temporary_tokens(8_192, 131_072, 32, attention_ranks=8) == 8 * one
    assert temporary_tokens(8_192, 131_072, 32, beams=2) == 2 * one
    assert temporary_tokens(8_192, 131_072, 32, draft_tokens=16) == 8_192 + 64
    # Four prompts of 2,047 tokens and one of 4: 65 blocks each, then one.
    assert temporary_tokens(8_192, 2_048, 32) == (4 * 65 + 1) * 32


@given(
    size=st.integers(0, 2**42),
    each=st.integers(1, 2**22),
    block=st.integers(1, 256),
    cap=st.none() | st.integers(1, 2**30),
)
def test_a_pool_exceeds_its_bytes_by_less_than_a_block(
    size: int, each: int, block: int, cap: int | None
) -> None:
    blocks = pool_blocks(size, each, block, cap)
    assert blocks * block * each < size + block * each
    if cap is None:
        assert (blocks * block + 1) * each > size
    assert pool_blocks(size + each, each, block, cap) >= blocks


@given(
    size=st.integers(0, 2**42),
    windows=st.dictionaries(st.integers(1, 2**20), st.integers(1, 2**20), min_size=1, max_size=4),
    block=st.sampled_from((1, 16, 32, 64, 128)),
    tokens=st.integers(1, 2**21),
)
def test_proportional_blocks_never_promise_more_than_the_pools(
    size: int, windows: dict[int, int], block: int, tokens: int
) -> None:
    pools = window_blocks(size, windows, block)
    widest = max(windows)
    needs = {window: request_blocks(tokens, window, block) for window in windows}
    held = min(pools[window] // needs[window] for window in windows)
    units = max(-(-needs[window] * widest // window) for window in windows)
    assert size // proportional_bytes(windows, block) // units <= held

"""Worked examples of the notes on vLLM (§6.5): every number there, from shapes alone."""

from __future__ import annotations

import pytest

from tests.core.vllm.plans import (
    DEEPSEEK_V3_2,
    GEMMA_3_27B,
    GPT_OSS_20B,
    LLAMA_8B,
    NEMOTRON_H_8B,
    QWEN3_NEXT,
    inputs,
    kv_format,
    planned,
    prepared,
)
from workbench.core.engines.vllm.inputs import default_partition

MIB = 2**20
SMALL, LARGE = 17_985_454_080, 41_120_210_944


def test_llama_8b_of_a_start_up_log():
    given = inputs(LLAMA_8B, "0.31.0")
    made = planned(given, 28_781 * 2 * MIB)
    assert prepared(given).groups[0].page_bytes == 65_536
    assert prepared(given).bytes_per_block == (2 * MIB,)
    assert made.num_blocks == 28_781
    assert f"{made.num_blocks * 2 * MIB / 2**30:.2f}" == "56.21"
    assert made.blocks_per_request == (8192,)
    assert f"{made.max_concurrency:.2f}" == "3.51"
    assert made.kv_tokens == 460_496


def test_gpt_oss_20b_pays_for_tokens_in_flight():
    made = planned(inputs(GPT_OSS_20B), SMALL)
    assert prepared(inputs(GPT_OSS_20B)).bytes_per_block == (393_216,)
    assert made.num_blocks == 45_739
    assert made.blocks_per_request == (1033, 8192)
    assert made.kv_tokens == 649_875
    calm = inputs(GPT_OSS_20B, max_num_batched_tokens=2048, async_scheduling=False)
    assert planned(calm, SMALL).blocks_per_request == (137, 8192)


def test_gemma_3_27b_groups_of_ten():
    made = planned(inputs(GEMMA_3_27B), LARGE)
    groups = prepared(inputs(GEMMA_3_27B)).groups
    assert [group.layers for group in groups] == [9, 9, 9, 9, 8, 8, 10]
    assert prepared(inputs(GEMMA_3_27B)).bytes_per_block == (1_310_720,)
    assert made.num_blocks == 31_372
    assert sum(made.blocks_per_request) == 14_726
    assert (f"{made.max_concurrency:.2f}", made.kv_tokens) == ("2.13", 279_233)
    two_stages = inputs(GEMMA_3_27B, stages=default_partition(62, 2))
    assert prepared(two_stages).blocks_per_request == (*[1601] * 6, 8192)


@pytest.mark.parametrize(("caching", "each", "total"), [(True, 2, 488), (False, 1, 485)])
def test_qwen3_next_pads_its_state_to_an_attention_page(caching: bool, each: int, total: int):
    given = inputs(QWEN3_NEXT, tp=2, max_model_len=262_144, prefix_caching=caching)
    made = planned(given, LARGE)
    assert prepared(given).block_tokens == 544
    assert {group.page_bytes for group in prepared(given).groups} == {544 * 1024}
    assert made.num_blocks == 6151
    assert made.blocks_per_request == (each, each, each, 482)
    assert sum(made.blocks_per_request) == total


@pytest.mark.parametrize(
    ("caching", "blocks", "concurrency"), [(True, 29, "36.38"), (False, 15, "70.33")]
)
def test_nemotron_h_halves_with_prefix_caching(caching: bool, blocks: int, concurrency: str):
    given = inputs(NEMOTRON_H_8B, max_model_len=8192, prefix_caching=caching)
    made = planned(given, SMALL)
    assert len(prepared(given).groups) == 8
    assert prepared(given).block_tokens == 1040
    assert sum(made.blocks_per_request) == blocks
    assert f"{made.max_concurrency:.2f}" == concurrency


@pytest.mark.parametrize("tp", [1, 8, 16])
def test_deepseek_v3_2_is_the_same_on_every_rank(tp: int):
    given = inputs(DEEPSEEK_V3_2, kv=kv_format("fp8_ds_mla"), block_tokens=64, tp=tp)
    assert prepared(given).bytes_per_block == (61 * (656 + 132) * 64,) == (3_076_352,)
    assert prepared(given).groups[0].per_layer_pages


def test_gemma_3_27b_of_a_log_counted_by_groups():
    """A log of 0.11.0: 89,994 blocks // 7 groups × 16 tokens."""
    bytes_per_block = prepared(inputs(GEMMA_3_27B, "0.11.0")).bytes_per_block[0]
    made = planned(inputs(GEMMA_3_27B, "0.11.0"), 89_994 * bytes_per_block)
    assert (made.num_blocks, made.kv_tokens) == (89_994, 205_696)


def test_qwen3_next_of_a_log_of_0_10_2():
    """973,760 tokens and 14.77x at 262,144 on two cards, block 544."""
    given = inputs(QWEN3_NEXT, "0.10.2", tp=2, max_model_len=262_144)
    bytes_per_block = prepared(given).bytes_per_block[0]
    made = planned(given, 7163 * bytes_per_block)
    assert prepared(given).block_tokens == 544
    assert made.kv_tokens == 973_760
    assert f"{made.max_concurrency:.2f}" == "14.77"

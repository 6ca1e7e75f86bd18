"""Rules of the KV plan that the recorded cases touch lightly, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.vllm.plans import (
    DEEPSEEK_ROW,
    GPT_OSS_20B,
    LLAMA_8B,
    NEMOTRON_H_8B,
    QWEN3_NEXT,
    chunked,
    full,
    inputs,
    kv_format,
    planned,
    prepared,
    refused,
    sliding,
)
from workbench.core.engines.vllm.inputs import KernelBlocks, default_partition
from workbench.core.engines.vllm.layers import AttentionKv, NoKv
from workbench.core.engines.vllm.pages import state_shapes, token_bytes
from workbench.library.engines import vllm_rules

MIB = 2**20


# Pages


@pytest.mark.parametrize(
    ("name", "per_head"),
    [
        ("bfloat16", 512),
        ("fp8_e4m3", 256),
        ("int8_per_token_head", 264),
        ("fp8_per_token_head", 264),
        ("int4_per_token_head", 136),
        ("nvfp4", 144),
        ("turboquant_k8v4", 196),
        ("turboquant_4bit_nc", 134),
        ("turboquant_k3v4_nc", 118),
        ("turboquant_3bit_nc", 102),
        ("ultraquant_4bit", 136),
    ],
)
def test_bytes_of_a_head_by_format(name: str, per_head: int):
    given = inputs(LLAMA_8B, kv=kv_format(name), tp=4)
    assert token_bytes(full(8, 128), given) == 2 * per_head


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("auto", 1152),
        ("fp8", 576),
        ("fp8_per_token_head", 584),
        ("int8_per_token_head", 584),
        ("int4_per_token_head", 296),
        ("fp8_ds_mla", 656),
        ("nvfp4_ds_mla", 352),
    ],
)
def test_bytes_of_a_latent_row_by_format(name: str, row: int):
    given = inputs(((DEEPSEEK_ROW, 61),), kv=kv_format(name), tp=8)
    assert token_bytes(DEEPSEEK_ROW, given) == row


@pytest.mark.parametrize("name", ["nvfp4", "turboquant_k8v4", "ultraquant_4bit", "v4_fp8"])
def test_formats_for_heads_are_refused_on_latent_rows(name: str):
    answer = refused(inputs(((DEEPSEEK_ROW, 61),), kv=kv_format(name)), 1 << 34)
    assert answer.category == "unsupported"


def test_a_float32_model_keeps_float32():
    given = inputs(LLAMA_8B, model_element_bytes=4)
    assert token_bytes(full(8, 128), given) == 8 * 256 * 4


@pytest.mark.parametrize(
    ("release", "kind", "bytes_per_token"),
    [
        ("0.11.2", "full", 2 * 192),
        ("0.19.1", "full", 192 + 128),
        ("0.19.1", "sliding", 2 * 192),
        ("0.33.0", "sliding", 192 + 128),
    ],
)
def test_value_heads_of_another_size(release: str, kind: str, bytes_per_token: int):
    layer = AttentionKv(kind, 1, 192, 128, 1024 if kind == "sliding" else 0)  # type: ignore[arg-type]
    assert token_bytes(layer, inputs(((layer, 1),), release)) == 2 * bytes_per_token


def test_layers_left_unquantised_share_the_page_of_the_quantised():
    """16 × 4096 B need 3 blocks of 16 × 1568 B, so 48 tokens; 16 unquantised ones fit in it."""
    left = replace(full(8, 128), quantised=False)
    layers = ((left, 2), (full(8, 128), 28), (left, 2))
    made = prepared(inputs(layers, kv=kv_format("turboquant_k8v4")))
    assert made.block_tokens == 48
    assert {group.page_bytes for group in made.groups} == {48 * 1568}
    assert [group.layers for group in made.groups] == [4] * 8
    assert [group.block_tokens for group in made.groups] == [16] + [48] * 7


def test_groups_of_states_are_copied_up_to_the_ranks():
    state = NEMOTRON_H_8B[0][0]
    given = inputs(NEMOTRON_H_8B, tp=16, max_model_len=8192)
    assert state_shapes(state, given)[0] == (3, (8192 + 16 * 256) // 16)
    wide = inputs(NEMOTRON_H_8B, speculative_tokens=3, prefix_caching=True, max_model_len=8192)
    assert state_shapes(state, wide)[0] == (6, 10_240)
    assert prepared(wide).blocks_per_request[0] == 2 + 3 + 1


def test_sliding_layers_take_the_largest_kernel_block_within_the_page():
    kernels = (KernelBlocks((16, 32, 64)),)
    narrow = ((sliding(4, 128, 1024), 5), (full(4, 128), 5))
    made = prepared(inputs(narrow, kernels=kernels, block_tokens=128))
    # 64 tokens of a sliding layer fill half a page, so two kernel blocks share one.
    assert {group.block_tokens for group in made.groups} == {128}
    odd = ((sliding(4, 128, 1024), 5), (full(6, 128), 5))
    made = prepared(inputs(odd, kernels=kernels, block_tokens=80))
    assert [group.block_tokens for group in made.groups] == [64, 80]
    assert {group.page_bytes for group in made.groups} == {80 * 6 * 512}


def test_several_backends_agree_on_a_block():
    kernels = (KernelBlocks((32, 64)), KernelBlocks((64,), multiples=True))
    assert prepared(inputs(LLAMA_8B, kernels=kernels)).block_tokens == 64
    assert prepared(inputs(LLAMA_8B, "0.11.2", kernels=kernels)).block_tokens == 16
    assert prepared(inputs(LLAMA_8B, "0.19.1", kernels=kernels)).block_tokens == 32
    never = (KernelBlocks((48,)), KernelBlocks((64,)))
    assert refused(inputs(LLAMA_8B, kernels=never), 1 << 34).category == "unsupported"


def test_a_packed_latent_format_leaves_states_to_be_padded():
    layers = ((QWEN3_NEXT[0][0], 3), (DEEPSEEK_ROW, 1)) * 7
    made = prepared(inputs(layers, kv=kv_format("fp8_ds_mla")))
    # The block is aligned by one byte an element; pages then unify on the packed row.
    assert made.block_tokens == 128 * -(-1_097_728 // (128 * 576))
    assert {group.page_bytes for group in made.groups} == {made.block_tokens * 656}
    old = inputs(layers, "0.19.1", kv=kv_format("fp8_ds_mla"))
    assert refused(old, 1 << 34).category == "unsupported"


# Groups


def test_what_does_not_divide_goes_to_the_stages_before_the_last():
    sizes = [last - first for first, last in default_partition(24, 5)]
    assert sizes == [5, 5, 5, 5, 4]
    assert [b - a for a, b in default_partition(126, 4)] == [31, 32, 32, 31]
    assert [b - a for a, b in default_partition(32, 3)] == [11, 11, 10]
    assert default_partition(7, 1) == ((0, 7),)


def test_1_5_rule():
    """12 sliding and 13 full layers (a draft) are two groups of 13 from 0.19 on."""
    layers = (*GPT_OSS_20B, (full(8, 64), 1))
    assert [group.layers for group in prepared(inputs(layers)).groups] == [12, 13]
    old = prepared(inputs(layers, "0.11.2")).groups
    assert [group.layers for group in old] == [12, 7, 6]
    exactly = ((sliding(8, 64, 128), 20), (full(8, 64), 30))
    assert [group.layers for group in prepared(inputs(exactly)).groups] == [20, 15, 15]


def test_0_10_deals_runs_and_puts_full_layers_first():
    layers = ((sliding(8, 64, 128), 5), (full(8, 64), 2))
    groups = prepared(inputs(layers, "0.10.2")).groups
    assert [group.layer_indices for group in groups] == [(5, 6), (0, 1), (2, 3), (4,)]


def test_0_10_sorts_groups_by_type_and_window():
    layers = ((full(8, 64), 2), (sliding(8, 64, 1024), 2), (sliding(8, 64, 512), 2))
    layers = (*layers, (chunked(8, 64, 4096), 2))
    groups = prepared(inputs(layers, "0.10.2", hybrid_manager=True)).groups
    assert [group.page.reach_tokens for group in groups] == [4096, 0, 512, 1024]


def test_0_10_refuses_stages_of_different_groups():
    given = inputs(GPT_OSS_20B, "0.10.2", stages=default_partition(24, 5))
    assert refused(given, *[1 << 34] * 5).category == "unsupported"
    even = inputs(GPT_OSS_20B, "0.10.2", stages=default_partition(24, 2))
    assert planned(even, 1 << 34, 1 << 34).num_blocks == (1 << 34) // (6 * 32_768)


def test_stages_have_blocks_of_their_own_up_to_0_10():
    stages = ((0, 20), (20, 32))
    old = planned(inputs(LLAMA_8B, "0.10.2", stages=stages), 1 << 35, 1 << 35)
    new = planned(inputs(LLAMA_8B, "0.11.2", stages=stages), 1 << 35, 1 << 35)
    assert old.num_blocks == new.num_blocks == (1 << 35) // (20 * 65_536)
    assert old.kv_bytes_by_stage[1] == (1 << 35) // (12 * 65_536) * 12 * 65_536
    assert new.kv_bytes_by_stage[1] == new.num_blocks * 12 * 65_536


def test_chunked_layers_are_promoted_until_they_may_keep_their_groups():
    scout = ((chunked(8, 128, 8192), 3), (full(8, 128), 1)) * 12
    assert len(prepared(inputs(scout, "0.11.2")).groups) == 1
    assert len(prepared(inputs(scout, "0.11.2", hybrid_manager=True)).groups) == 4
    assert len(prepared(inputs(scout, "0.19.1")).groups) == 4
    assert len(prepared(inputs(scout, hybrid_manager=False)).groups) == 1


def test_old_checks_see_layers_as_they_were():
    """Promotion makes the plan small, the check of 0.11 does not see it."""
    layers = ((sliding(8, 128, 1024), 30), (full(8, 128), 2))
    tight = 3 << 30
    old = inputs(layers, "0.11.2", hybrid_manager=False)
    assert planned(old, tight).max_concurrency < 1
    new = refused(inputs(layers, "0.19.1", hybrid_manager=False), tight)
    assert new.category == "max_len_too_long"


def test_two_windows_cannot_be_promoted():
    layers = ((sliding(8, 128, 512), 2), (sliding(8, 128, 1024), 2), (full(8, 128), 2))
    assert len(prepared(inputs(layers)).groups) == 3
    assert refused(inputs(layers, hybrid_manager=False), 1 << 34).category == "unsupported"


def test_states_cannot_be_promoted():
    given = inputs(QWEN3_NEXT, hybrid_manager=False)
    assert refused(given, 1 << 34).category == "unsupported"


def test_promoted_layers_of_another_width_have_their_own_pages():
    layers = ((sliding(4, 256, 512), 5), (full(2, 512), 1)) * 5
    (group,) = prepared(inputs(layers, hybrid_manager=False)).groups
    assert group.per_layer_pages
    assert group.page_bytes == 30 * 65_536


@pytest.mark.parametrize(
    ("release", "blocks"), [("0.11.2", None), ("0.19.1", [32, 16]), ("0.33.0", [32, 16])]
)
def test_pages_that_divide_are_scaled(release: str, blocks: list[int] | None):
    layers = ((sliding(4, 128, 512), 5), (full(8, 128), 5))
    given = inputs(layers, release)
    if blocks is None:
        assert refused(given, 1 << 34).category == "unsupported"
    else:
        assert [group.block_tokens for group in prepared(given).groups] == blocks


def test_pages_that_do_not_divide_are_padded_from_0_33_on():
    layers = ((sliding(4, 128, 512), 5), (full(6, 128), 5))
    assert refused(inputs(layers, "0.19.1"), 1 << 34).category == "unsupported"
    groups = prepared(inputs(layers)).groups
    assert [group.page_bytes for group in groups] == [16 * 6 * 512] * 2
    assert [group.block_tokens for group in groups] == [16, 16]


def test_sliding_layers_beside_latent_ones_become_full():
    """1152 B rows do not divide a 1280 B page and cannot be padded: one group, own pages."""
    layers = ((DEEPSEEK_ROW, 10), (sliding(1, 320, 512), 2))
    (group,) = prepared(inputs(layers)).groups
    assert group.per_layer_pages
    assert group.page_bytes == 16 * (10 * 1152 + 2 * 1280)
    assert refused(inputs(layers, "0.19.1"), 1 << 34).category == "unsupported"
    chunks = ((DEEPSEEK_ROW, 10), (chunked(1, 320, 512), 2))
    assert refused(inputs(chunks), 1 << 34).category == "unsupported"


def test_packed_groups_repeat_the_pattern_of_pages():
    """Full layers of two widths, 4 each; 12 sliding ones are dealt into groups of 4."""
    wide, narrow, window = full(8, 128), full(4, 128), sliding(2, 128, 512)
    layers = ((wide, 1), (narrow, 1), (window, 3)) * 4
    groups = prepared(inputs(layers, layout="BLHNC")).groups
    assert [group.layers for group in groups] == [8, 4, 4, 4]
    assert all(group.per_layer_pages for group in groups)
    page = 16 * 2 * 128 * 2
    assert prepared(inputs(layers, layout="BLHNC")).bytes_per_block == (4 * 12 * page,)


def test_packed_groups_without_a_pattern_fill_the_block_of_the_full_layers():
    """6 full pages of 3 units hold 9 sliding ones of 2: 18 layers are two groups."""
    layers = ((sliding(4, 128, 2048), 3), (full(4, 192), 1)) * 6
    groups = prepared(inputs(layers, layout="BLHNC")).groups
    assert [group.layers for group in groups] == [9, 9, 6]


def test_models_without_a_cache_have_the_withheld_block():
    made = planned(inputs(((NoKv(), 12),)), 1 << 30)
    assert (made.num_blocks, made.kv_tokens, made.kv_bytes_by_stage) == (1, 0, (0,))


def test_a_stage_without_a_cache_is_refused():
    layers = ((full(8, 128), 4), (NoKv(), 4))
    assert refused(inputs(layers, stages=((0, 4), (4, 8))), 1 << 34, 1 << 34).category == (
        "unsupported"
    )


# Counts and checks


def test_sliding_layers_refuse_decode_context_parallelism():
    assert refused(inputs(GPT_OSS_20B, dcp=2, tp=16), 1 << 34).category == "unsupported"
    promoted = inputs(GPT_OSS_20B, dcp=2, tp=16, hybrid_manager=False)
    assert prepared(promoted).blocks_per_request == (4096,)


@pytest.mark.parametrize(("release", "tokens"), [("0.33.0", 131_072), ("0.19.1", 131_072)])
def test_context_ranks_multiply_the_tokens(release: str, tokens: int):
    given = inputs(((DEEPSEEK_ROW, 61),), release, dcp=8, tp=8)
    bytes_per_block = prepared(given).bytes_per_block[0]
    # One block more than the longest request, which 0.33 withholds.
    assert planned(given, 1025 * bytes_per_block).kv_tokens == tokens + 128


def test_the_withheld_block_decides_at_the_edge():
    exactly = 8192 * 2 * MIB
    assert planned(inputs(LLAMA_8B, "0.19.1"), exactly).max_concurrency == 1.0
    answer = refused(inputs(LLAMA_8B), exactly)
    assert (answer.category, answer.suggested_max_model_len) == ("max_len_too_long", 131_056)
    assert planned(inputs(LLAMA_8B), exactly + 2 * MIB).num_blocks == 8193


def test_refusals_in_order():
    assert refused(inputs(LLAMA_8B), 2 * MIB).category == "no_memory"
    answer = refused(inputs(LLAMA_8B), 3 * MIB)
    assert (answer.category, answer.suggested_max_model_len) == ("max_len_too_long", None)
    fit = inputs(LLAMA_8B, fit_max_model_len=True)
    assert refused(fit, 2 * MIB).category == "cannot_fit_one_token"
    assert planned(fit, 4 * MIB).effective_max_model_len == 16
    assert planned(fit, 1 << 40).effective_max_model_len == 131_072


def test_the_override_is_seen_by_the_checks_of_0_33_only():
    few = {"override_blocks": 100}
    assert refused(inputs(LLAMA_8B, **few), 1 << 35).category == "max_len_too_long"
    assert planned(inputs(LLAMA_8B, "0.19.1", **few), 1 << 35).num_blocks == 100


def test_v0_charges_every_layer_as_full():
    """Gemma-3-27B at TP 8: 63,488 B a token."""
    layers = ((sliding(16, 128, 1024), 52), (full(16, 128), 10))
    given = inputs(layers, "0.6.6", tp=8, max_model_len=8192)
    assert prepared(given).bytes_per_block == (63_488 * 16,)
    made = planned(given, 63_488 * 16 * 1000)
    assert (made.num_blocks, made.kv_tokens) == (1000, 16_000)
    assert made.max_concurrency == 16_000 / 8192
    assert refused(given, 63_488 * 16 * 511).category == "max_len_too_long"
    assert refused(given, 1000).category == "no_memory"


def test_v0_7_rounds_the_latent_row():
    given = inputs(((DEEPSEEK_ROW, 61),), "0.7.3")
    assert prepared(given).bytes_per_block == (61 * 640 * 2 * 16,)


def test_recurrent_layers_before_they_were_planned():
    assert refused(inputs(QWEN3_NEXT, "0.8.5"), 1 << 34).category == "unsupported"
    v0 = prepared(inputs(QWEN3_NEXT, "0.8.5", rules=vllm_rules("0.8.5", "v0")))
    assert v0.bytes_per_block == (12 * 2 * 512 * 2 * 16,)

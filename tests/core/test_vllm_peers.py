"""Wrong answers that people get elsewhere, with the right ones. One test an item of the survey.

Every number is worked out in its docstring from vLLM's rules. A pool of a given size
(`kv_cache_memory_bytes`) keeps weights and activations out of it where they do not matter.
"""

from __future__ import annotations

from math import ceil

from tests.core.vllm_scenarios import card, deployed, flagged, lasting, start, working
from workbench.core.budget import budget
from workbench.spec import units
from workbench.spec.ledger import EntryKind, Ledger, Pool
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import PrefixGroup

SMALL, LARGE = 17_985_454_080, 41_120_210_944


def pool_of(scenario: Scenario) -> Pool:
    pool = budget(scenario).pool
    assert pool is not None
    return pool


def entry_bytes(ledger: Ledger, label: str) -> int:
    return sum(entry.bytes for entry in ledger.ranks[0].entries if entry.label == label)


def concurrency(scenario: Scenario) -> float:
    log = budget(scenario).capacity.engine_log
    assert log is not None
    return log.concurrency


def test_item_1_the_token_figure_is_concurrency_times_the_longest_length() -> None:
    """gpt-oss-20b: 12 sliding (128) and 12 full layers, 8 heads of 64: pages of 16·8·128·2 =
    32,768 B, blocks of 12 pages = 393,216 B, so 45,739 blocks. Two batches of 8,192 tokens are in
    flight: sliding ⌈(127 + 16,384) ÷ 16⌉ + 1 = 1,033 blocks a request.

    L = 131,072: 1,033 + 8,192 = 9,225 blocks; 45,739 ÷ 9,225 = 4.958; × 131,072 = 649,875 tokens.
    L = 8,192: ⌈8,192 ÷ 16⌉ + 1 + 512 = 1,025 blocks; 44.623; × 8,192 = 365,555 tokens.
    The very same pool, so pool ÷ tokens is no rate: 24,576 B is what a token adds (12 · 2,048).
    """
    long = start("gpt-oss-20b", kv_cache_memory_bytes=SMALL, max_num_batched_tokens=8192)
    short = flagged(long, max_model_len=8192)
    assert [pool_of(s).blocks for s in (long, short)] == [45_739, 45_739]
    assert [pool_of(s).tokens for s in (long, short)] == [649_875, 365_555]
    assert concurrency(long) == 45_739 / 9_225
    assert concurrency(short) == 45_739 / 1_025
    assert [pool_of(s).kv_bytes_per_token for s in (long, short)] == [24_576, 24_576]
    # And a smaller batch: (127 + 4,096) ÷ 16 → 264 + 1 blocks; 45,739 ÷ 8,457 · 131,072.
    calm = flagged(long, max_num_batched_tokens=2048)
    assert pool_of(calm).tokens == int(45_739 / 8_457 * 131_072) == 708_892


def test_item_2_a_hybrids_token_figure_is_not_divided_by_the_context() -> None:
    """Gemma-3-27B: 52 sliding (1,024) and 10 full layers in 7 groups of 10: blocks of 10 · 131,072
    = 1,310,720 B, 31,372 of them in 41,120,210,944 B. At 8,192 tokens a resting request keeps 64
    blocks in each of 6 sliding groups, 512 in the full one: 896.

    Dividing the printed 279,233 tokens by 8,192 says 34 requests; the pool holds (31,372 − 1 less
    a batch in flight: 6 · (513 − 64) = 2,694 blocks) ÷ 896 = 32.005: 32 requests; a token adds
    10 · 8,192 = 81,920 B, not 41,120,210,944 ÷ 279,233 = 147,261 B.
    """
    base = start("gemma-3-27b-it", "h200", max_num_batched_tokens=8192)
    base = flagged(base, kv_cache_memory_bytes=LARGE)
    ledger = budget(base)
    assert (pool_of(base).tokens, 279_233 // 8192) == (279_233, 34)
    assert ledger.request is not None
    assert ledger.request.blocks == 6 * 64 + 512
    assert (31_372 - 1 - 6 * (513 - 64)) // 896 == 32
    assert ledger.capacity.steady_state is not None
    assert ledger.capacity.steady_state.max == 32
    assert pool_of(base).kv_bytes_per_token == 81_920


def test_item_3_a_latent_row_is_no_multi_head_cache() -> None:
    """DeepSeek-V3: a row of 512 + 64 elements in each of 61 layers: 61 · 576 · 2 = 70,272 B a token
    in 16 bits, 35,136 in FP8, 61 · 656 = 40,016 packed. Its 128 heads of 192 + 128 would be
    61 · 128 · 320 · 2 = 4,997,120 B, 71 times as much.
    """
    each = {"bf16": 70_272, "fp8": 35_136, "fp8-ds-mla": 40_016}
    for kv, size in each.items():
        base = start("deepseek-v3", "h200", kv=kv, kv_cache_memory_bytes=GIB, context=1024)
        assert pool_of(base).kv_bytes_per_token == size, kv
        assert pool_of(base).bytes_per_block == 16 * size, kv


def test_item_4_ranks_do_not_share_a_latent_row_and_share_heads_only_down_to_one() -> None:
    """Each rank keeps the whole row: 70,272 B at tp 1 and 16, so 16 GiB hold as many tokens.
    Llama-3.1-8B has 8 KV heads: 32 · 8 · 256 · 2 = 131,072 B; at 8 ranks an eighth, at 16 no less.
    """
    latent = start("deepseek-v3", "h200", kv_cache_memory_bytes=16 * GIB, context=1024)
    tokens = {tp: pool_of(deployed(latent, tp=tp)).tokens for tp in (1, 8, 16)}
    assert set(tokens.values()) == {244_464}
    assert [pool_of(deployed(latent, tp=tp)).kv_bytes_per_token for tp in (1, 16)] == [70_272] * 2
    heads = start("llama-3.1-8b", kv_cache_memory_bytes=16 * GIB, context=1024)
    sizes = [pool_of(deployed(heads, tp=tp)).kv_bytes_per_token for tp in (1, 2, 8, 16)]
    assert sizes == [131_072, 65_536, 16_384, 16_384]


def test_item_5_head_size_is_what_the_config_says() -> None:
    """Qwen3-0.6B: hidden 1,024, 16 heads, head_dim 128 and not 1,024 ÷ 16 = 64.
    28 layers · 8 KV heads · 2 · 128 · 2 B = 114,688 B a token. Gemma-2B: 18 layers, 1 head of 256
    (hidden 2,048 ÷ 8 heads happens to agree): 18 · 512 · 2 = 18,432 B.
    """
    assert pool_of(start("qwen3-0.6b")).kv_bytes_per_token == 114_688
    assert pool_of(start("gemma-2b")).kv_bytes_per_token == 18_432


def test_item_6_windows_cost_what_manager_and_batch_make_of_them() -> None:
    """Gemma-3-27B as in item 2, L = 131,072: the full group takes 8,192 blocks, each of 6 sliding
    groups ⌈(1,023 + in flight) ÷ 16⌉ + 1.

    T = 8,192, two batches: 1,089 → 14,726 blocks → 2.130 requests. T = 2,048: 321 → 10,118 → 3.101.
    Two stages, three batches of 8,192: 1,601 → 17,798 blocks. 0.19.1 holds one batch in flight:
    577 → 11,654 blocks → 2.69. Manager off: 62 full layers, blocks of 8,126,464 B: 5,060 of them,
    5,059 without the withheld one: the longest request is 5,059 · 16 = 80,944 tokens: refused.
    """
    base = start("gemma-3-27b-it", kv_cache_memory_bytes=LARGE, max_num_batched_tokens=8192)
    assert concurrency(base) == 31_372 / 14_726
    assert concurrency(flagged(base, max_num_batched_tokens=2048)) == 31_372 / 10_118
    old = start("gemma-3-27b-it", release="0.19.1", max_num_batched_tokens=8192)
    assert concurrency(flagged(old, kv_cache_memory_bytes=LARGE)) == 31_372 / 11_654
    stages = deployed(base, pp=2)
    assert concurrency(stages) == pool_of(stages).blocks / 17_798
    off = budget(flagged(base, hybrid_kv_cache_manager=False))
    assert off.pool is not None
    assert (off.pool.bytes_per_block, off.pool.blocks) == (8_126_464, 5_060)
    refusal = off.verdict.refusal
    assert refusal is not None
    assert (refusal.category, refusal.suggested_max_model_len) == ("max_len_too_long", 80_944)


def test_item_7_recurrent_layers_have_a_state_and_no_tokens() -> None:
    """Qwen3-Next at tp 2: 12 of 48 layers keep tokens: 12 · 1 head · 512 · 2 = 12,288 B (48 layers
    would be 49,152, none 0). The other 36 keep states: convolution 3 · (2·16·128 + 32·128) ÷ 2 ·
    2 B = 24,576 and 16 · 128 · 128 · 2 B = 524,288, together 548,864 B; two a request with prefix
    caching: 36 · 2 · 548,864 = 39,518,208 B whatever its length.
    """
    base = start("qwen3-next-80b-a3b-instruct", "h200", concurrency=3, deployment={"tp": 2})
    base = flagged(base, kv_cache_memory_bytes=LARGE)
    assert pool_of(base).kv_bytes_per_token == 12_288
    for context in (100, 8192, 100_000):
        assert entry_bytes(budget(lasting(base, context)), "state") == 3 * 39_518_208
    once = flagged(base, enable_prefix_caching=False)
    assert entry_bytes(budget(once), "state") == 3 * 39_518_208 // 2
    # 544 tokens fill a state's page: 6,151 blocks, 2 + 2 + 2 + 482 a request of 262,144 tokens.
    assert pool_of(base).block_tokens == 544
    assert concurrency(base) == 6_151 / 488
    assert concurrency(once) == 6_151 / 485


def test_item_8_the_cache_has_its_own_format() -> None:
    """Llama-3.1-8B: 131,072 B a token in 16 bits whatever the weights are stored in; a checkpoint
    that switches its cache to FP8 is a choice of the person, 65,536 B, and moves no weight.
    """
    weights = set()
    for name in ("bf16", "fp8", "nvfp4", "awq4-g128"):
        base = start("llama-3.1-8b", weights=name, concurrency=1)
        switched = start("llama-3.1-8b", weights=name, kv="fp8", concurrency=1)
        assert pool_of(base).kv_bytes_per_token == 131_072, name
        assert pool_of(switched).kv_bytes_per_token == 65_536, name
        sizes = {entry_bytes(budget(s), "weights") for s in (base, switched)}
        assert len(sizes) == 1, name
        weights |= sizes
    assert len(weights) == 4
    # The format stands beside the figure it decides.
    (kv,) = (e for e in budget(base).ranks[0].entries if e.label == "kv")
    each = next(t for t in kv.formula.terms if t.symbol == "request_kv_bytes")
    assert each.formula is not None
    assert "precision.kv" in {term.field for term in each.formula.terms}


def test_item_9_scales_of_each_head_do_not_double_the_capacity() -> None:
    """Gemma-4-31B: 50 sliding layers of 16 heads of 256, 10 full ones of 4 heads of 512, in six
    groups of 10; L = 262,144, sliding 1,089 blocks each.

    16 bits: 262,144 B pages; a full page of 131,072 divides it, so its block grows to 32 tokens:
    5 · 1,089 + 8,192 = 13,637 blocks of 2,621,440 B; 40 GiB are 16,384 blocks: 1.2014 requests.
    FP8: half of all that, 32,768 blocks: 2.4029, twice as many.
    FP8 with 8 B of scales a head: 16·16·520 = 133,120 and 16·4·1,032 = 66,048 B, which do not
    divide: the full page is padded, its block stays at 16 tokens: 5 · 1,089 + 16,384 = 21,829
    blocks of 1,331,200 B; 32,263 blocks: 1.4780 requests, 1.23 times those of 16 bits.
    0.19.1 pads nothing and refuses.
    """
    base = {"max_num_batched_tokens": 8192, "kv_cache_memory_bytes": 40 * GIB}
    sixteen, fp8, scaled = (
        start("gemma-4-31b-it", kv=kv, **base) for kv in ("bf16", "fp8", "fp8-per-token-head")
    )
    assert concurrency(sixteen) == 16_384 / 13_637
    assert concurrency(fp8) == 32_768 / 13_637
    assert concurrency(scaled) == 32_263 / 21_829
    assert f"{concurrency(scaled) / concurrency(sixteen):.2f}" == "1.23"
    pages = [(g.kind, g.block_tokens, g.page_bytes) for g in pool_of(scaled).groups]
    assert pages == [("sliding", 16, 133_120)] * 5 + [("full", 16, 133_120)]
    old = budget(start("gemma-4-31b-it", kv="fp8-per-token-head", release="0.19.1", **base))
    assert old.verdict.refusal is not None
    assert old.verdict.refusal.category == "unsupported"


def test_item_9_as_it_was_measured() -> None:
    """vllm#40388 printed 12.73x with fp8 and 9.93x with a scale for each token and head (−22 %) for
    Gemma-4-26B-A4B in 15.18 GiB at 32,768 tokens; T = 4,096 is what both figures fit.
    """
    pool_bytes = round(15.18 * GIB)
    measured = {"fp8": 12.73, "fp8-per-token-head": 9.93}
    for kv, printed in measured.items():
        scenario = start(
            "gemma-4-26b-a4b-it",
            "l40s",
            "0.26.0",
            kv=kv,
            kv_cache_memory_bytes=pool_bytes,
            max_model_len=32_768,
            max_num_batched_tokens=4_096,
        )
        # The pool is printed to 0.01 GiB, the concurrency to 0.01.
        assert abs(concurrency(scenario) - printed) < 0.015, kv


def test_item_15_a_card_is_what_its_driver_reports() -> None:
    """An H100 "80GB" reports 85,056,458,588 B: 79.21 GiB, neither 80·10⁹ nor 80 GiB.
    Budget ⌈85,056,458,588 · 0.92⌉ = 78,251,941,901; 80 GiB would be 79,027,398,247 B,
    775,456,346 B or 369.8 blocks of 2 MiB more than there is.
    """
    base = start("llama-3.1-8b", "h100-sxm")
    total = card("h100-sxm").device_total_bytes
    assert total == 85_056_458_588
    assert total not in (80 * 10**9, 80 * GIB)
    assert budget(base).ranks[0].budget_bytes == ceil(total * 0.92) == 78_251_941_901
    named = base.with_(gpu=base.gpu.with_(device_total_bytes=80 * GIB))
    assert budget(named).ranks[0].budget_bytes == 79_027_398_247
    assert pool_of(named).blocks - pool_of(base).blocks in (369, 370)
    assert units.parse_bytes("80 GB", 1) == 80 * 10**9
    assert units.parse_bytes("80 GiB", 1) == 80 * 2**30


def test_item_16_a_hybrids_block_is_as_long_as_its_state() -> None:
    """Qwen3.5-27B on one card: state 3 · (2·16·128 + 48·128) · 2 B = 61,440 and 48·128·128 · 4 B =
    3,145,728, together 3,207,168 B; 4 heads · 512 · 2 = 4,096 B a token: 783 tokens, to the next
    multiple of 16: blocks of 784 tokens. A prefix of 783 tokens can never be shared, one of 784
    is; 8,192 tokens are 2 + 2 + 2 states and 11 blocks.
    """
    base = start("qwen3.5-27b", "h200", concurrency=4, kv_cache_memory_bytes=40 * GIB)
    base = flagged(base, max_num_seqs=16)
    assert pool_of(base).block_tokens == 784
    assert [g.blocks_per_request for g in pool_of(base).groups] == [2, 2, 2, 11]
    # A block size given by hand is raised all the same.
    assert pool_of(flagged(base, block_tokens=16)).block_tokens == 784
    found = {}
    for tokens in (783, 784, 1568):
        groups = (PrefixGroup(shared_tokens=tokens),)
        ledger = budget(working(base, prefix_groups=groups))
        found[tokens] = entry_bytes(ledger, "prefix") // pool_of(base).bytes_per_block
        codes = {finding.code for finding in ledger.findings}
        assert ("prefix_below_one_block" in codes) == (tokens == 783)
    assert found == {783: 0, 784: 1, 1568: 2}


def test_item_19_each_pipeline_stage_is_judged_by_its_own_layers() -> None:
    """Qwen2.5-14B takes 27.5 GiB; an L4 has 22. On two of them 24 and 24 layers fit; 44 layers
    (≈ 23 GiB) on one do not, however much is free on the other. A block takes 24 · 4,096 · 16 B
    = 1,572,864 on each stage; with 20 + 28 layers the larger stage decides with 1,835,008.
    """
    base = start("qwen2.5-14b-instruct", "l4", context=4096, max_model_len=4096)
    whole = budget(base)
    assert entry_bytes(whole, "weights") > base.gpu.device_total_bytes
    assert whole.verdict.binding == "weights"
    even = budget(deployed(base, pp=2))
    assert even.verdict.refusal is None
    assert even.pool is not None
    assert even.pool.bytes_per_block == 1_572_864
    uneven = budget(deployed(base, pp=2, pp_partition=(20, 28)))
    assert uneven.pool is not None
    assert [(g.layers, uneven.pool.bytes_per_block) for g in uneven.pool.groups] == [
        (28, 1_835_008)
    ]
    assert uneven.worst_rank.stage == 1
    heavy = budget(deployed(base, pp=2, pp_partition=(44, 4)))
    assert heavy.verdict.status.value in ("refuses", "does_not_fit")
    first, second = heavy.ranks
    assert first.left_bytes < 0 < second.left_bytes
    assert heavy.verdict.shortfall_bytes == -first.left_bytes
    assert first.kind_bytes(EntryKind.WEIGHTS) < entry_bytes(whole, "weights")


def test_item_19_a_stage_need_not_hold_what_the_whole_model_needs() -> None:
    """Llama-3.1-8B, pp 2, 9 GiB of KV each: 131,072 tokens take 8,192 blocks of 16 layers ·
    65,536 B = 8 GiB on a stage, 16 GiB on both. Judged by the whole model it would be refused.
    """
    scenario = start(max_model_len=131_072, kv_cache_memory_bytes=9 * GIB, context=131_072)
    ledger = budget(deployed(scenario, pp=2))
    assert ledger.verdict.refusal is None
    assert ledger.verdict.status.value == "fits"
    assert ledger.capacity.engine_log is not None
    assert f"{ledger.capacity.engine_log.concurrency:.3f}" == f"{9_216 / 8_192:.3f}"
    alone = budget(scenario)
    assert alone.verdict.refusal is not None
    assert alone.verdict.refusal.category == "max_len_too_long"

"""The worked examples of the notes on SGLang, with the numbers that its logs print."""

from __future__ import annotations

from math import floor

import pytest

from tests.core.sglang_scenarios import flagged, sglang
from workbench.core.budget import budget, ledger_of
from workbench.core.engines.sglang.cells import NoCell
from workbench.core.engines.sglang.defaults import flags_of, tier_of
from workbench.core.engines.sglang.fraction import (
    Launch,
    decode_graph_sizes,
    default_fraction,
    prefill_graph_sizes,
)
from workbench.core.engines.sglang.plan import Plan, plan_of
from workbench.core.engines.sglang.pools import estimated_rows, table_bytes
from workbench.core.engines.sglang.states import slot_bytes
from workbench.library.release_table import rules_of, table_of
from workbench.spec.ledger import EntryKind, Status
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangMeasured, SglangRules
from workbench.spec.units import GIB, MIB
from workbench.spec.words.sglang import SGLANG_NOTES


def gib(value: float) -> int:
    return round(value * GIB)


def logged(before: float, after: float, **more: int) -> SglangMeasured:
    """Free memory that a log prints before and after the weights, in GiB."""
    return SglangMeasured(
        before_load_bytes=gib(before), after_load_bytes=gib(after), source="log", **more
    )


def plan(scenario: Scenario) -> Plan:
    found = plan_of(scenario)
    assert isinstance(found, Plan), found
    return found


def fraction(release: str, smi_mib: int, **launch: object) -> float:
    rules: SglangRules = rules_of("sglang", release)
    values: dict[str, object] = {
        "smi_mib": smi_mib,
        "tp": 1,
        "pp": 1,
        "chunked_prefill_size": 8192,
        "max_prefill_tokens": 16_384,
        "graph_max_bs": 256,
        "decode_graphs": True,
        "prefill_graph_tokens": 0,
        "latent": False,
        "dp_attention": 1,
        "algorithm": None,
        "multimodal": False,
    }
    tier = tier_of(rules, smi_mib)
    return default_fraction(rules, tier, Launch(**(values | launch)))  # type: ignore[arg-type]


# --- §7 -----------------------------------------------------------------------------------------


def test_1_llama_8b_on_h200() -> None:
    share = fraction("0.4.6.post5", 143_771)
    assert share == pytest.approx(0.8717961202189594, abs=1e-15)
    scenario = sglang(
        "meta-llama-3-8b",
        "h200",
        "0.4.6.post5",
        measured=logged(139.20, 124.23),
        flags={"mem_fraction_static": share},
    )
    found = plan(scenario)
    assert found.stages[0].cell.charged == 131_072
    assert found.stages[0].left_bytes / GIB == pytest.approx(106.384, abs=5e-4)
    assert found.tokens.full == 871_497
    assert abs(found.tokens.full / 871_371 - 1) < 2e-4
    assert round(found.tokens.full * 65_536 / GIB, 2) == 53.19
    assert found.requests.running == 4097


def test_2_deepseek_v2_lite_on_a40() -> None:
    scenario = sglang(
        "deepseek-v2-lite",
        "a40",
        "0.4.2.post3",
        measured=logged(43.85, 14.34),
        flags={"mem_fraction_static": 0.88},
    )
    found = plan(scenario)
    assert found.stages[0].cell.charged == 27 * 576 * 2 == 31_104
    assert found.stages[0].left_bytes / GIB == pytest.approx(9.078, abs=5e-4)
    assert found.tokens.full == 313_381
    assert abs(found.tokens.full / 313_444 - 1) < 3e-4
    assert estimated_rows(scenario.engine.rules, 313_444, 163_840) == 2048
    assert int(313_444 / 163_840 * 512) == 979
    assert found.requests.running == 2049
    table = next(e for e in budget(scenario).ranks[0].entries if e.label == "request_table")
    assert table.bytes == 2049 * 163_844 * 4
    # What is left at the end of the pools: 4.01 predicted, 3.97 printed.
    pool_end = 14.34 - found.tokens.full * 31_104 / GIB - table.bytes / GIB
    assert round(pool_end, 2) == 4.01


def test_3_qwq_32b_on_four_small_cards_starts_below_its_context() -> None:
    scenario = sglang(
        "qwq-32b",
        "rtx-4090",
        "0.4.3.post4",
        measured=logged(21.63, 6.09),
        deployment={"tp": 4},
        flags={"mem_fraction_static": 0.85, "max_model_len": 131_072},
    )
    # The library's QwQ names 40,960 positions; the log's config had 131,072.
    scenario = scenario.with_(model=scenario.model.with_(max_position_tokens=131_072))
    found = plan(scenario)
    assert found.stages[0].cell.charged == 64 * 2 * 256 * 2 == 65_536
    assert found.stages[0].left_bytes / GIB == pytest.approx(2.8455, abs=1e-4)
    assert found.tokens.full == 46_620
    ledger = ledger_of(scenario)
    assert ledger.verdict.status in (Status.FITS, Status.TIGHT)
    assert ledger.capacity.engine_log is not None
    assert ledger.capacity.engine_log.tokens_per_request == 46_620


def test_4_default_fraction_on_h100() -> None:
    assert fraction("0.4.7.post1", 81_559) == 0.874
    scenario = sglang("qwen3-0.6b", release="0.4.7.post1", measured=logged(75.02, 74.28))
    assert flags_of(scenario).mem_fraction_static == 0.874
    assert plan(scenario).tokens.full == 606_933
    assert abs(606_933 / 606_832 - 1) < 2e-4


def test_5_refusal_names_the_least_fraction() -> None:
    # MLA of V3 stands for V4, whose cell is not published: the refusal comes before the cell.
    scenario = sglang(
        "deepseek-v3",
        "h200",
        measured=logged(137.9, 12.25),
        deployment={"tp": 8},
        flags={"mem_fraction_static": 0.88},
    )
    verdict = budget(scenario).verdict
    assert verdict.status is Status.REFUSES
    assert verdict.refusal is not None
    assert verdict.refusal.category == "no_memory"
    assert verdict.refusal.reason == "static_part_too_small"
    assert verdict.refusal.params["least_share"] == pytest.approx(1 - 12.25 / 137.9, abs=1e-6)
    assert round(1 - 12.25 / 137.9, 4) == 0.9112
    enough = flagged(scenario, mem_fraction_static=0.92)
    assert ledger_of(enough).verdict.refusal is None


def test_6_amd_rest_in_bytes() -> None:
    scenario = sglang(
        "qwen3-30b-a3b",
        "mi355x",
        "0.5.23",
        measured=logged(287.18, 230.20),
        flags={"mem_fraction_static": 0.911, "attention_backend": "triton"},
    )
    rest = plan(scenario).stages[0].rest_bytes
    assert rest / GIB == pytest.approx(204.64, abs=0.005)
    assert abs(rest - 219_721_119_039) < 0.02 * GIB


def test_7_state_slots() -> None:
    scenario = sglang("qwen3.8-27b", "h100-sxm")
    each = slot_bytes(plan(scenario).stages[0].stage, scenario.engine, 1)
    state, convolution = 48 * 48 * 128 * 128 * 4, 48 * 10_240 * 3 * 2
    assert each == state + convolution
    assert state == 144 * MIB
    assert convolution / MIB == 2.8125
    assert round(361 * state / GIB, 2) == 50.77
    assert round(361 * convolution / GIB, 2) == 0.99


# --- §2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "smi_mib", "launch", "expected"),
    [
        ("0.4.3", 81_559, {"tp": 1}, 0.88),
        ("0.4.3", 81_559, {"tp": 8}, 0.81),
        ("0.4.3", 143_771, {"tp": 16}, 0.79),
        ("0.4.6", 81_559, {"tp": 2, "pp": 2}, 0.85),
        ("0.4.6", 97_871, {}, 0.88),
        ("0.4.9", 24_564, {"tp": 2}, round((24_564 - 3.0 * 1024) / 24_564, 3)),
        ("0.4.9", 81_559, {"tp": 8}, round((81_559 - 13.5 * 1024) / 81_559, 3)),
        ("0.4.9", 143_771, {"tp": 8}, round((143_771 - 16 * 1024) / 143_771, 3)),
        ("0.4.9", 183_359, {"tp": 8}, round((183_359 - 32 * 1024) / 183_359, 3)),
        ("0.4.9", 81_559, {"multimodal": True}, 0.874 * 0.9),
        ("0.4.9", 81_559, {"algorithm": "EAGLE"}, round((81_559 - 12 * 1024) / 81_559, 3)),
        ("0.4.9", 81_559, {"dp_attention": 2}, round((81_559 - 14 * 1024) / 81_559, 3)),
        # 512 + 1.5 × 8192 + 128 + 512 = 13,440
        ("0.5.5", 81_559, {}, round((81_559 - 13_440) / 81_559, 3)),
        # 512 + 1.5 × 2048 + 128 + 16 is below the floor of large cards, and below them not.
        ("0.5.5", 81_559, {"chunked_prefill_size": 1024, "graph_max_bs": 8}, 0.874),
        ("0.5.5", 24_564, {"chunked_prefill_size": 2048, "graph_max_bs": 24}, 0.847),
        ("0.5.5", 81_559, {"algorithm": "EAGLE"}, round((81_559 - 15_488) / 81_559, 3)),
        ("0.5.10", 81_559, {"algorithm": "STANDALONE"}, round((81_559 - 19_584) / 81_559, 3)),
        # 58 graphs of prefill steps at 8 MiB.
        ("0.5.10", 81_559, {"prefill_graph_tokens": 8192}, round((81_559 - 13_904) / 81_559, 3)),
        ("0.5.23", 81_559, {"algorithm": "EAGLE"}, round((81_559 - 13_440) / 81_559, 3)),
        ("0.5.23", 81_559, {"decode_graphs": False}, round((81_559 - 12_928) / 81_559, 3)),
        (
            "0.5.23",
            143_771,
            {"tp": 8, "latent": True, "prefill_graph_tokens": 8192, "graph_max_bs": 512},
            round((143_771 - 512 - 12_288 - 1024 - 1024 - 1536) / 143_771, 3),
        ),
        # DP attention: 3 × 512 × 8 and half of it again above 300 requests.
        (
            "0.5.23",
            143_771,
            {"tp": 8, "dp_attention": 8, "chunked_prefill_size": 1024, "graph_max_bs": 512},
            round((143_771 - 512 - 3072 - 1024 - 1024 - 18_432) / 143_771, 3),
        ),
    ],
)
def test_default_fractions(
    release: str, smi_mib: int, launch: dict[str, object], expected: float
) -> None:
    assert fraction(release, smi_mib, **launch) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("release", "smi_mib", "chunk", "small", "wide"),
    [
        ("0.5.23", 16_384, 2048, 8, 8),
        ("0.5.23", 24_564, 4096, 48, 160),
        ("0.5.5", 24_564, 2048, 24, 80),
        ("0.5.23", 46_068, 4096, 32, 160),
        ("0.5.23", 81_559, 8192, 256, 512),
        ("0.5.23", 183_359, 16_384, 512, 512),
        ("0.4.3", 24_564, 2048, 8, 80),
        ("0.4.3", 81_559, 8192, 160, 160),
        ("0.4.9", 81_559, 8192, 160, 160),
    ],
)
def test_tiers_of_cards(release: str, smi_mib: int, chunk: int, small: int, wide: int) -> None:
    tier = tier_of(rules_of("sglang", release), smi_mib)
    assert (tier.chunked_prefill_size, tier.graph_max_bs, tier.graph_max_bs_wide) == (
        chunk,
        small,
        wide,
    )


def test_captured_sizes() -> None:
    assert len(decode_graph_sizes(512)) == 52
    assert decode_graph_sizes(160)[-1] == 160
    assert decode_graph_sizes(5) == (1, 2, 4, 5)
    assert len(prefill_graph_sizes(8192)) == 58


def test_drafts_have_a_limit_of_requests() -> None:
    assert flags_of(sglang(flags={"speculative_algorithm": "EAGLE"})).max_num_seqs == 48


@pytest.mark.parametrize(
    ("flags", "page"),
    [
        ({}, 1),
        ({"attention_backend": "flashmla"}, 64),
        ({"attention_backend": "cutlass_mla", "block_tokens": 16}, 128),
        ({"attention_backend": "trtllm_mla", "block_tokens": 32}, 32),
        ({"attention_backend": "trtllm_mha", "block_tokens": 8}, 64),
        ({"block_tokens": 16}, 16),
    ],
)
def test_pages(flags: dict[str, object], page: int) -> None:
    assert flags_of(sglang(flags=flags)).block_tokens == page


def test_blackwell_takes_pages_of_64_from_0_5_9() -> None:
    assert flags_of(sglang(gpu="b200")).block_tokens == 64
    assert flags_of(sglang(gpu="b200", release="0.5.5")).block_tokens == 1
    assert flags_of(sglang("deepseek-v3.2", "h200")).block_tokens == 64


# --- §3 -----------------------------------------------------------------------------------------


def cell(model: str, release: str = "0.5.23", kv: str = "bf16", tp: int = 1, **flags: object):
    scenario = sglang(
        model, "h200", release, kv=kv, deployment={"tp": tp}, weights="fp8", flags=flags
    )
    return plan(scenario).stages[0].cell


def test_cells() -> None:
    assert cell("deepseek-v3", tp=8).charged == 576 * 61 * 2 == 70_272
    assert cell("llama-3.1-8b", tp=16).charged == 2 * 128 * 32 * 2
    assert cell("llama-3.1-8b", kv="fp8").charged == 65_536
    assert cell("llama-3.1-8b", kv="mxfp8").charged == 65_536 + 65_536 // 32
    # DSA: a row of 656 bytes in fp8 and a key row of 132, before 0.5.2x charged as 576.
    assert cell("deepseek-v3.2", kv="fp8", tp=8).charged == 61 * (656 + 132)
    old = cell("deepseek-v3.2", "0.5.10.post1", kv="fp8", tp=8)
    assert (old.charged, old.stored_bytes) == (61 * (576 + 132), 61 * (656 + 132))
    raw = cell("deepseek-v3.2", kv="fp8", tp=8, attention_backend="trtllm_mla")
    assert raw.charged == 61 * (576 + 132)
    assert cell("deepseek-v3.2", tp=8).charged == 61 * (1152 + 132)


def test_four_bit_cells() -> None:
    kv = "nvfp4"
    heads, latent = cell("llama-3.1-8b", kv=kv), cell("deepseek-v3", kv=kv, tp=8)
    assert heads.charged == 65_536 // 2 + 65_536 // 16
    assert latent.charged == 576 * 61 // 2 + 576 // 16 * 61


def test_a_draft_is_charged_from_0_5_11() -> None:
    plain = cell("deepseek-v3", tp=8).charged
    drafted = {"speculative_algorithm": "EAGLE", "speculative_tokens": 4}
    assert cell("deepseek-v3", tp=8, **drafted).charged == plain + int(plain * 1 / 61)
    old = sglang(
        "deepseek-v3",
        "h200",
        "0.5.10",
        weights="fp8-block128",
        deployment={"tp": 8},
        flags=drafted,
    )
    assert plan(old).stages[0].cell.charged == plain
    draft = next(e for e in budget(old).ranks[0].entries if e.label == "draft_pool")
    assert not draft.in_budget
    assert draft.bytes == (plan(old).tokens.full + 1) * floor(plain / 61)


def test_older_releases_add_tokens_for_drafts() -> None:
    drafted = {
        "speculative_algorithm": "EAGLE",
        "speculative_steps": 5,
        "speculative_topk": 8,
        "speculative_tokens": 64,
        "max_num_seqs": 16,
    }
    found = plan(sglang(release="0.4.9.post2", flags=drafted))
    assert found.margin == 16 * 5 * 8 + 16 * 64 + 100
    assert found.printed_tokens == found.tokens.full + found.margin
    assert plan(sglang(release="0.5.23", flags=drafted)).margin == 0


def test_tokens_are_capped_and_whole_pages() -> None:
    found = plan(sglang(flags={"max_total_tokens": 20_490, "block_tokens": 16}))
    assert found.tokens.full == 20_480
    padding = next(
        e
        for e in budget(sglang(flags={"block_tokens": 16})).ranks[0].entries
        if e.label == "pool_padding"
    )
    assert padding.bytes == 16 * 131_072


def test_window_pools() -> None:
    scenario = sglang("gpt-oss-120b", "h100-sxm", weights="mxfp4")
    found = plan(scenario)
    each = 8 * 64 * 2 * 2 * 18
    cell_bytes = each + 0.8 * each
    assert found.stages[0].cell.charged == cell_bytes
    assert found.tokens.full == int(found.stages[0].left_bytes // cell_bytes)
    assert found.tokens.window == int(found.tokens.full * 0.8)
    whole = plan(flagged(scenario, disable_hybrid_swa_memory=True))
    assert whole.tokens.window is None
    assert whole.tokens.full < found.tokens.full
    small = flagged(scenario, swa_full_tokens_ratio=0.0001)
    refusal = ledger_of(small).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "window_pool_too_small"


def test_a_window_pool_for_the_requests_alone() -> None:
    flags = {"disable_radix_cache": True, "max_num_seqs": 64, "chunked_prefill_size": 8192}
    scenario = sglang("gpt-oss-120b", "h100-sxm", weights="mxfp4", flags=flags)
    found = plan(scenario)
    assert found.tokens.window == 64 * (128 + 128 + 1 + 1) + 2 * 8192 + 1
    entry = next(e for e in budget(scenario).ranks[0].entries if e.label == "window_pool")
    assert entry.kind is EntryKind.KV
    assert entry.bytes == found.tokens.window * 8 * 64 * 2 * 2 * 18
    one = plan(flagged(scenario, disable_overlap_schedule=True))
    assert one.tokens.window == 64 * 258 + 8192 + 1


def test_llama_4_divides_its_pool_by_the_ratio() -> None:
    flags = {"hybrid_kvcache_ratio": 1.0, "max_model_len": 131_072}
    scenario = sglang(
        "llama-4-scout-17b-16e-instruct",
        "h200",
        "0.4.9.post2",
        weights="fp8",
        deployment={"tp": 8},
        flags=flags,
    )
    found = plan(scenario)
    even = plan(flagged(scenario, hybrid_kvcache_ratio=None)).tokens.full
    part = 8192 / 131_072
    assert found.tokens.full == pytest.approx(4 * even - 12 * even * part / (3 * part + 1), abs=2)
    assert found.tokens.window == pytest.approx(4 * even * part / (3 * part + 1), abs=2)


@pytest.mark.parametrize(
    ("release", "spent"),
    [("0.5.5", 0), ("0.5.10", 0), ("0.5.23", 1)],
)
def test_state_slots_by_the_ratio(release: str, spent: int) -> None:
    scenario = sglang("qwen3-next-80b-a3b-instruct", "h200", release, deployment={"tp": 4})
    stage = plan(scenario).stages[0]
    assert stage.slots is not None
    share = stage.rest_bytes * 0.9 / 1.9
    assert stage.slots.count == int(
        (share - spent * stage.slots.slot_bytes) // stage.slots.slot_bytes
    )
    assert stage.slots.spent_bytes == (stage.slots.count + spent) * stage.slots.slot_bytes
    assert stage.left_bytes == stage.rest_bytes - stage.slots.spent_bytes
    assert stage.slots.per_request == (5 if release == "0.5.23" else 3)
    assert plan(scenario).state_requests == stage.slots.count // stage.slots.per_request


def test_state_slots_with_drafts() -> None:
    flags = {"speculative_algorithm": "EAGLE", "speculative_tokens": 4, "max_num_seqs": 32}
    scenario = sglang("qwen3-next-80b-a3b-instruct", "h200", deployment={"tp": 4}, flags=flags)
    stage = plan(scenario).stages[0]
    assert stage.slots is not None
    each, per_request = stage.slots.slot_bytes, stage.slots.per_request
    share = stage.rest_bytes * 0.9 / 1.9
    assert stage.slots.count == int((share - each * 5) // (each * (1 + 4 / per_request)))
    held = min(32, stage.slots.count // per_request)
    assert stage.slots.spent_bytes == (stage.slots.count + 1) * each + each * (held + 1) * 4


def test_slots_without_a_radix_cache_are_the_requests() -> None:
    flags = {"disable_radix_cache": True, "max_num_seqs": 20}
    found = plan(sglang("qwen3-next-80b-a3b-instruct", "h200", deployment={"tp": 4}, flags=flags))
    assert found.stages[0].slots is not None
    assert found.stages[0].slots.count == 20
    assert found.requests.running == 20


def test_the_request_table() -> None:
    rules = rules_of("sglang", "0.5.23")
    scenario = sglang(flags={"max_model_len": 131_072})
    flags = flags_of(scenario)
    assert table_bytes(rules, flags, 2048) == 2049 * 131_076 * 4
    assert table_bytes(rules, flags, 2048) / GIB == pytest.approx(1.0, abs=1e-3)


# --- §4 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "flag", "running"),
    [
        ("0.4.6", None, 2049),
        ("0.4.9", None, 2048),
        ("0.5.23", None, 2048),
        ("0.5.23", 300, 300),
        ("0.5.10", 300, 300),
        ("0.5.5", 300, 300),
        ("0.5.10", 5000, 2048),
        ("0.5.23", 5000, 5000),
    ],
)
def test_requests(release: str, flag: int | None, running: int) -> None:
    scenario = sglang(release=release, flags={} if flag is None else {"max_num_seqs": flag})
    assert plan(scenario).requests.running == running


def test_half_the_tokens_is_a_limit() -> None:
    assert plan(sglang(flags={"max_total_tokens": 100})).requests.running == 50


# --- the release table ---------------------------------------------------------------------------


def test_notes_of_the_release_table_have_words() -> None:
    for rules in table_of("sglang").read:
        spreads = [rules.graph_spread, rules.activation_spread]
        spreads += [row.spread for row in rules.before_load]
        assert {spread.note for spread in spreads} <= set(SGLANG_NOTES)
        # Rules of thumb: no log count that would pass for a fit.
        assert {(spread.n, spread.evidence) for spread in spreads} == {(0, "assumed")}


def test_a_release_between_two_follows_the_older_and_the_dated_changes() -> None:
    for release, read, rule in (
        ("0.4.2", "0.4.3.post4", "by_tp"),
        ("0.4.5", "0.4.3.post4", "by_ranks"),
        ("0.4.7.post1", "0.4.6.post5", "by_card"),
        ("0.5.0", "0.4.9.post2", "by_card"),
        ("0.5.3", "0.5.2", "by_batch"),
        ("0.5.12", "0.5.10.post1", "by_batch"),
        ("0.6.0", "0.5.23", "by_batch"),
    ):
        rules = rules_of("sglang", release)
        assert (rules.read_release, rules.fraction_rule) == (read, rule)
    assert rules_of("sglang", "0.5.12").draft_pool == "cell"
    assert "draft_pool" in rules_of("sglang", "0.5.12").assumed


# --- stages, refusals ---------------------------------------------------------------------------


def test_stages_of_a_pipeline_share_the_least_tokens() -> None:
    scenario = sglang("llama-3.1-70b", "h100-sxm", deployment={"pp": 3, "tp": 2})
    found = plan(scenario)
    assert [stage.stage.layer_count for stage in found.stages] == [26, 27, 27]
    each = [stage.left_bytes // stage.cell.charged for stage in found.stages]
    assert found.tokens.full == min(each)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("deepseek-v4-flash", "layers of kind compressed without bytes_per_full_token"),
        ("llama-3.2-11b-vision-instruct", "layers of kind cross"),
        ("ai21-jamba-mini-1.5", "layers of kind state (mamba1)"),
    ],
)
def test_what_has_no_rule_is_refused(model: str, reason: str) -> None:
    scenario = sglang(model, "h200")
    refusal = ledger_of(scenario).verdict.refusal
    assert refusal is not None
    assert (refusal.category, refusal.reason) == ("unsupported", reason)
    # What is remembered keeps none of the frames that asked for it.
    remembered = plan_of(scenario)
    assert isinstance(remembered, NoCell)
    assert remembered.__traceback__ is None


def test_a_context_beyond_the_model_and_a_ragged_chunk_are_refused() -> None:
    long = ledger_of(sglang(flags={"max_model_len": 200_000})).verdict.refusal
    assert long is not None
    assert (long.category, long.suggested_max_model_len) == ("max_len_too_long", 131_072)
    ragged = {"block_tokens": 64, "chunked_prefill_size": 1000}
    refusal = ledger_of(sglang(flags=ragged)).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "chunk_not_whole_pages"

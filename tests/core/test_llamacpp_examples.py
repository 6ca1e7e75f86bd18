"""llama.cpp: the worked examples of its notes and figures of public start-up logs, exactly."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.llamacpp_scenarios import flagged, llamacpp, started
from workbench.core.budget import budget
from workbench.core.engines.llamacpp.cells import row_bytes
from workbench.core.engines.llamacpp.context import context_of, window_cells
from workbench.core.engines.llamacpp.placement import card_shares, placement_of
from workbench.core.engines.llamacpp.printed import Printed, printed
from workbench.core.engines.llamacpp.weights import file_weights
from workbench.library.release_table import known_releases, read_releases, rules_of
from workbench.spec.ledger import EntryKind, Evidence, Status
from workbench.spec.llamacpp import LlamacppRules
from workbench.spec.units import MIB
from workbench.spec.weight_format import WeightFormat

OLD = {"flash_attention": False, "fit": False, "gpu_layers": 999}


def rules(build: str) -> LlamacppRules:
    found: LlamacppRules = rules_of("llamacpp", build)
    return found


def sizes(model: str, build: str, **flags: Any) -> Printed:
    scenario = llamacpp(model, "h200", build, flags={"fit": False, "gpu_layers": 999} | flags)
    found = printed(scenario)
    assert found is not None
    return found


# --- worked examples ----------------------------------------------------------------------------


def test_gemma_3_with_windows_and_two_sequences() -> None:
    found = sizes(
        "gemma-3-27b-it",
        "b5636",
        ctx_size=32_768,
        parallel=2,
        cache_type_k="q8_0",
        cache_type_v="q8_0",
        flash_attention=True,
    )
    assert found.cache_bytes / MIB == 1360.00 + 552.50
    # The preset's vocabulary is that of the file: 262,144 of 262,208 rows.
    assert found.card_buffer_bytes is not None
    assert found.card_buffer_bytes / MIB == pytest.approx(522.50, abs=0.13)


def test_405_billion_in_four_bits() -> None:
    found = sizes(
        "llama-3.1-405b",
        "b3912",
        ctx_size=131_072,
        cache_type_k="q4_0",
        cache_type_v="q4_0",
        flash_attention=True,
    )
    assert found.cache_bytes / MIB == 18_144.00


def test_seventy_billion_without_flash_attention() -> None:
    found = sizes("llama-3.1-70b", "b5002", ctx_size=15_360, **OLD)
    assert found.cache_bytes / MIB == 4800.00
    assert found.card_buffer_bytes == 4 * 512 * (15_360 * 65 + 4 * 8192)
    assert found.card_buffer_bytes / MIB == 2014.00
    assert found.host_buffer_bytes is not None
    assert found.host_buffer_bytes / MIB == 46.00  # printed as 46.01


@pytest.mark.parametrize(
    ("build", "mib"),
    [("b4436", 61 * 128 * 320 * 2 * 32_768 / MIB), ("b5614", 4148.00), ("b11312", 2196.00)],
)
def test_latent_layers_by_build(build: str, mib: float) -> None:
    assert sizes("deepseek-r1", build, ctx_size=32_768).cache_bytes / MIB == mib


def test_experts_on_the_host_leave_the_cache_and_the_scores() -> None:
    flags = OLD | {"ctx_size": 16_384, "cpu_moe_layers": 48, "parallel": 1}
    scenario = llamacpp("qwen3-30b-a3b", "rtx-4090", "b5622", flags=flags)
    found = printed(scenario)
    assert found is not None
    assert found.cache_bytes / MIB == 1536.00
    assert found.card_buffer_bytes is not None
    assert found.card_buffer_bytes / MIB == 1072.00  # logged as 1080.00
    card, host = budget(scenario).ranks
    assert host.kind_bytes(EntryKind.WEIGHTS) > 9 * card.kind_bytes(EntryKind.WEIGHTS)


@pytest.mark.parametrize(
    ("model", "build", "flags", "mib"),
    [
        ("llama-3.2-3b", "b4000", {"ctx_size": 40_128}, 1983.38),  # issue 11044
        ("llama-3.1-8b", "b4100", {"ctx_size": 2048, "flash_attention": True}, 258.50),  # 10701
        ("mistral-7b-v0.1", "b2961", {"ctx_size": 32_000}, 2094.50),  # issue 7450
    ],
)
def test_compute_buffers_of_logs(model: str, build: str, flags: dict[str, Any], mib: float) -> None:
    found = sizes(model, build, **(OLD | flags)).card_buffer_bytes
    assert found is not None
    assert round(found / MIB, 2) == pytest.approx(mib, abs=0.01)


def test_short_convolutions_keep_a_row_for_each_sequence() -> None:
    found = sizes("lfm2-1.2b", "b5890", ctx_size=32_678, parallel=2, flash_attention=False)
    assert found.cache_bytes / MIB == 383.25
    assert round(found.state_bytes / MIB, 2) == 0.31


# --- context ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "asked", "slots", "unified", "flash", "expected"),
    [
        # tokens, tokens of a slot, buffers, cells of each
        ("b5080", 32_678, 2, True, False, (32_678, 16_339, 1, 32_704)),
        ("b5080", 8000, 1, True, True, (8000, 8000, 1, 8192)),
        ("b6173", 10_000, 3, False, False, (9999, 3333, 3, 3360)),
        ("b11312", 10_000, 4, True, True, (10_240, 10_240, 1, 10_240)),
        ("b11312", 10_000, 3, False, True, (10_752, 3584, 3, 3584)),
        ("b11312", 8192, 4, False, False, (8192, 2048, 4, 2048)),
    ],
)
def test_contexts_by_build(
    build: str,
    asked: int,
    slots: int,
    unified: bool,
    flash: bool,
    expected: tuple[int, int, int, int],
) -> None:
    found = context_of(asked, slots, rules(build), unified=unified, flash=flash)
    assert (found.tokens, found.slot_tokens, found.streams, found.stream_cells) == expected


@pytest.mark.parametrize(
    ("build", "slots", "unified", "cells"),
    [
        ("b5080", 2, True, 32_768),
        ("b5430", 2, True, 1024 * 2 + 2048),
        ("b5636", 2, True, 2560),
        ("b6173", 4, True, 4608),
        ("b11312", 4, True, 4608),
        ("b11312", 4, False, 1536),
        ("b11312", 1, True, 1536),
    ],
)
def test_cells_of_windows_by_build(build: str, slots: int, unified: bool, cells: int) -> None:
    found = rules(build)
    context = context_of(32_768, slots, found, unified=unified, flash=True)
    assert window_cells(context, 1024, slots, 2048, 512, found, flash=True) == cells


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("f32", 512), ("f16", 256), ("bf16", 256), ("q8_0", 136), ("q5_1", 96), ("q5_0", 88),
        ("q4_1", 80), ("q4_0", 72), ("iq4_nl", 72),
    ],
)  # fmt: skip
def test_rows_are_whole_blocks(kind: Any, size: int) -> None:
    assert row_bytes(kind, 128) == size


# --- weights ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file_type", "gib"),
    [
        ("IQ1_S", 1.87), ("IQ1_M", 2.01), ("IQ2_XXS", 2.23), ("IQ2_XS", 2.42), ("IQ2_S", 2.56),
        ("IQ2_M", 2.74), ("IQ3_XXS", 3.04), ("IQ3_XS", 3.27), ("IQ3_S", 3.42), ("IQ3_M", 3.52),
        ("IQ4_XS", 4.17), ("IQ4_NL", 4.38), ("Q2_K_S", 2.78), ("Q2_K", 2.95), ("Q3_K_S", 3.41),
        ("Q3_K_L", 4.02), ("Q4_K_S", 4.36), ("Q4_K_M", 4.58), ("Q5_K_S", 5.21), ("Q5_K_M", 5.33),
        ("Q6_K", 6.14), ("Q8_0", 7.95),
    ],
)  # fmt: skip
def test_every_listed_file_type_of_llama_8b(file_type: str, gib: float) -> None:
    """The sizes that the quantisation tool's own page lists, to their last decimal."""
    form = WeightFormat(id=f"gguf-{file_type.lower().replace('_', '-')}", name="x", bits=4)
    weights = file_weights(llamacpp().model, form)
    assert weights.file_bytes / 2**30 == pytest.approx(gib, abs=0.005)


@pytest.mark.parametrize(
    ("model", "weights", "gib"),
    [
        ("gemma-2-9b-it", "gguf-q4-k-m", 5.36),  # issue 8490
        ("qwen2.5-32b-instruct", "gguf-q4-k-m", 18.48),  # issue 10152
        ("llama-3.1-70b", "gguf-q4-k-m", 39.59),  # issue 10176
        ("llama-3.1-70b", "gguf-q8-0", 69.82),  # issue 12729
        ("qwen2.5-7b-instruct", "gguf-q4-0", 4.12),  # issue 9836
        ("mistral-large-instruct-2407", "gguf-iq3-xs", 46.70),  # issue 8760
        ("deepseek-v2-lite", "gguf-q6-k", 13.10),  # issue 8149
    ],
)
def test_files_of_logs(model: str, weights: str, gib: float) -> None:
    scenario = llamacpp(model, weights=weights)
    found = file_weights(scenario.model, scenario.precision.weights)
    assert found.file_bytes / 2**30 == pytest.approx(gib, abs=0.0051)


def test_a_copied_output_matrix_is_part_of_the_buffer() -> None:
    """Issue 8458: no layer on the card, which still multiplies by the output matrix."""
    flags = {"ctx_size": 256, "batch_size": 128, "ubatch_size": 128, "gpu_layers": 0}
    found = sizes("llama-3.1-8b", "b3212", flash_attention=False, **flags).card_buffer_bytes
    assert found is not None
    assert round(found / MIB, 2) == 475.60


# --- placement ----------------------------------------------------------------------------------


def test_the_last_layers_go_to_the_cards_and_the_output_with_them() -> None:
    found = placement_of(32, 10, (1.0,))
    assert (found.host_layers, found.ranges, found.output_card) == (23, ((23, 32),), 0)
    whole = placement_of(32, 32, (1.0,))
    assert (whole.host_layers, whole.is_whole) == (1, False)
    assert placement_of(32, 999, (1.0,)).is_whole
    none = placement_of(32, 0, (1.0, 1.0))
    assert (none.host_layers, none.output_card) == (32, None)


@pytest.mark.parametrize(
    ("layers", "shares", "counts"),
    [
        (80, (1.0, 1.0), [41, 39]),  # issue 8117: KV of 1312 and 1248 MiB
        (64, (1.0, 1.0, 1.0), [22, 22, 20]),  # issue 10152: 2816, 2816, 2560 MiB
        (80, (1.0, 1.0, 1.0), [27, 27, 26]),  # issue 10176
    ],
)
def test_layers_are_split_as_logged(
    layers: int, shares: tuple[float, ...], counts: list[int]
) -> None:
    found = placement_of(layers, layers + 1, shares)
    assert [last - first for first, last in found.ranges] == counts
    assert found.output_card == len(shares) - 1


def test_shares_of_cards() -> None:
    assert card_shares(3, "none", None, None) == (1.0, 0.0, 0.0)
    assert card_shares(2, "layer", (0.7, 0.3, 0.9), None) == (0.7, 0.3)
    assert card_shares(3, "layer", (0.5,), None) == (0.5, 0.0, 0.0)
    assert card_shares(2, "layer", (0.0, 0.0), None) == (1.0, 1.0)
    assert card_shares(2, "layer", None, (10, 22)) == (10.0, 22.0)


def test_several_cards_at_once_keep_their_inputs_four_times() -> None:
    """Issue 8117: 1216 MiB on each of two cards, 1104 without."""
    scenario = llamacpp(
        "llama-3.1-70b", "rtx-3090", "b3216", flags=OLD | {"ctx_size": 8192}, deployment={"tp": 2}
    )
    found = [card.buffer for card in started(scenario).cards]
    assert [buffer.bytes / MIB for buffer in found if buffer] == [1216.0, 1216.0]
    assert all(buffer.evidence is Evidence.FITTED for buffer in found if buffer)
    one = started(flagged(scenario, split_mode="none")).cards
    assert one[0].buffer is not None
    assert one[0].buffer.bytes / MIB == 1104.0
    assert one[0].buffer.evidence is Evidence.COMPUTED
    assert one[1].buffer is None


# --- defaults -----------------------------------------------------------------------------------


def test_every_read_and_dated_build_has_rules() -> None:
    assert read_releases("llamacpp") == ("b2961", "b5430", "b6173", "b11312")
    for build in known_releases("llamacpp"):
        assert rules(build).read_release in read_releases("llamacpp")


@pytest.mark.parametrize(
    ("build", "slots", "context", "flash", "fit", "layers"),
    [
        ("b2961", 1, 512, False, False, 0),
        ("b5080", 1, 4096, False, False, 0),
        ("b6500", 1, 4096, True, False, 33),
        ("b7079", 4, 4096, True, False, 33),
        ("b8000", 4, 131_072, True, True, 33),
        ("b11312", 4, 131_072, True, True, 33),
    ],
)
def test_defaults_by_build(
    build: str, slots: int, context: int, flash: bool, fit: bool, layers: int
) -> None:
    resolved = budget(llamacpp(gpu="h200", build=build)).scenario.resolved
    assert resolved["parallel"] == slots
    assert resolved["ctx_size"] == context
    assert resolved["flash_attention"] is flash
    assert resolved["fit"] is fit
    assert resolved["gpu_layers"] == layers


def test_slots_that_are_asked_for_share_nothing() -> None:
    by_default = budget(llamacpp(gpu="h200", flags={"ctx_size": 32_768}))
    asked = budget(llamacpp(gpu="h200", flags={"ctx_size": 32_768, "parallel": 4}))
    assert by_default.pool is not None
    assert asked.pool is not None
    assert (by_default.pool.block_tokens, by_default.pool.blocks) == (1, 32_768)
    assert (asked.pool.block_tokens, asked.pool.blocks) == (8192, 4)
    assert asked.capacity.engine_log is not None
    assert asked.capacity.engine_log.concurrency == 4.0
    per_slot = budget(llamacpp(gpu="h200", flags={"kv_unified_per_slot": 10_240, "parallel": 3}))
    assert per_slot.pool is not None
    assert (per_slot.pool.tokens, per_slot.pool.block_tokens) == (30_720, 1)
    assert per_slot.capacity.engine_log is not None
    assert per_slot.capacity.engine_log.tokens_per_request == 10_240


@pytest.mark.parametrize(
    ("gpu", "cards", "overhead", "context"),
    [
        ("rtx-3090", 1, 0, 32_768),
        ("rtx-3090", 2, 0, 262_144),
        ("rtx-3090", 1, 1024 * MIB, 4096),
        ("t4", 1, 0, 4096),
        ("h100-sxm", 1, 0, 262_144),
    ],
)
def test_ollama_chooses_the_context_by_the_memory_of_all_cards(
    gpu: str, cards: int, overhead: int, context: int
) -> None:
    flags = {"program": "ollama", "gpu_overhead_bytes": overhead}
    scenario = llamacpp("qwen3-0.6b", gpu, flags=flags, deployment={"tp": cards})
    assert budget(scenario).scenario.resolved["ctx_size"] == context
    two = flagged(scenario, parallel=2, ctx_size=8192)
    resolved = budget(two).scenario.resolved
    assert (resolved["ctx_size"], resolved["kv_unified"]) == (16_384, False)


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "flags", "reason"),
    [
        ("llama-3.1-8b", {"cache_type_v": "q8_0", "flash_attention": False},
         "quantised_values_need_flash"),
        ("phi-3-mini-4k-instruct", {"cache_type_k": "q4_0"}, None),
        ("deepseek-v3", {"cache_type_k": "q8_0", "cache_type_v": "f16"}, "cache_types_differ"),
        ("llama-3.1-8b", {"parallel": 257, "ctx_size": 2**22}, "too_many_sequences"),
        ("llama-3.1-8b", {"parallel": 256, "ctx_size": 2**22}, None),
        ("llama-3.1-8b", {"ctx_size": 4096}, "slot_too_short"),
        ("llama-3.1-8b", {"ctx_size": 131_072, "parallel": 32}, "slot_too_short"),
    ],
)  # fmt: skip
def test_refusals(model: str, flags: dict[str, Any], reason: str | None) -> None:
    """A request of 8,192 tokens by default; the card is large enough for all of it."""
    scenario = llamacpp(model, "h200", flags={"fit": False} | flags, deployment={"tp": 8})
    if model.startswith("phi"):
        scenario = scenario.with_(
            workload=scenario.workload.with_(lengths=scenario.workload.lengths.with_(tokens=2048))
        )
    refusal = budget(scenario).verdict.refusal
    assert (None if refusal is None else refusal.reason) == reason


def test_a_head_that_blocks_do_not_divide_is_refused() -> None:
    model = llamacpp("gpt2").model
    attention = model.uniform_attention
    assert attention is not None
    odd = model.with_attention(head_dim=80)
    scenario = llamacpp("gpt2", flags={"cache_type_k": "q8_0"})
    assert budget(scenario.with_(model=odd)).verdict.refusal is not None
    refusal = budget(scenario.with_(model=odd)).verdict.refusal
    assert refusal is not None
    assert refusal.reason == "cache_block_not_divided"


def test_a_cache_that_does_not_fit_keeps_the_engine_from_starting() -> None:
    flags = {"ctx_size": 131_072, "gpu_layers": 33, "cache_type_k": "f32", "cache_type_v": "f32"}
    ledger = budget(llamacpp(flags=flags))
    assert ledger.verdict.status is Status.REFUSES
    assert ledger.verdict.binding == "kv"
    assert ledger.verdict.refusal is not None
    assert ledger.verdict.refusal.reason == "cache_not_allocated"
    half = budget(llamacpp(flags=flags | {"cache_type_k": "q8_0", "cache_type_v": "q8_0"}))
    assert half.verdict.status is Status.FITS


# --- fitting ------------------------------------------------------------------------------------


def test_the_context_shrinks_before_any_layer_leaves_the_card() -> None:
    scenario = llamacpp("qwen2.5-32b-instruct", "rtx-4090")
    start = started(scenario)
    assert start.gpu_layers == 65
    assert 4096 < start.context.tokens < 32_768
    assert start.context.tokens % 256 == 0
    free = start.inputs.card_bytes - start.inputs.context_bytes
    assert start.used_bytes(start.cards[0]) + 1024 * MIB <= free
    more = started(flagged(scenario, ctx_size=start.context.tokens + 1024, gpu_layers=999))
    assert more.used_bytes(more.cards[0]) + 1024 * MIB > free


def test_layers_leave_the_card_from_the_first_on() -> None:
    start = started(llamacpp("llama-3.1-70b", "rtx-4090"))
    assert start.context.tokens == 4096
    assert 0 < start.gpu_layers < 81
    assert start.placement.host_layers == 81 - start.gpu_layers
    free = start.inputs.card_bytes - start.inputs.context_bytes
    assert start.used_bytes(start.cards[0]) + 1024 * MIB <= free
    more = started(
        llamacpp(
            "llama-3.1-70b",
            "rtx-4090",
            flags={"gpu_layers": start.gpu_layers + 1, "ctx_size": 4096},
        )
    )
    assert more.used_bytes(more.cards[0]) + 1024 * MIB > free


def test_experts_leave_the_card_before_any_whole_layer() -> None:
    start = started(llamacpp("gpt-oss-120b", "rtx-4090", weights="gguf-mxfp4-moe"))
    assert start.gpu_layers == 37
    assert 0 < start.cpu_moe_layers < 36
    assert start.placement.is_whole


def test_what_is_set_by_hand_is_left_alone() -> None:
    by_hand = {"gpu_layers": 81, "ctx_size": 8192}
    start = started(llamacpp("llama-3.1-70b", "rtx-4090", flags=by_hand))
    assert (start.gpu_layers, start.context.tokens) == (81, 8192)
    assert budget(llamacpp("llama-3.1-70b", flags=by_hand)).verdict.status in (
        Status.REFUSES,
        Status.DOES_NOT_FIT,
    )

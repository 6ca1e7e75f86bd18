"""Fixes: every one offered fits, and where there is none the reason is true."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.core.test_solve import scenarios
from tests.core.vllm_scenarios import deployed, library, start, working
from workbench.core.budget import ledger_of
from workbench.core.fixes import NO_FORMATS, Fixes, Formats, fixes_of, search_fixes
from workbench.core.solve import finished, max_concurrency, tps, with_tp
from workbench.spec import words
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.ledger import EntryKind, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import QuantilePoint, QuantileTable

FORMATS = Formats(
    kv=tuple(library().kv_format(name).value for name in ("fp8", "bf16")),
    weights=tuple(library().weight_format(name).value for name in ("fp8", "bf16")),
)
BAD = (Status.DOES_NOT_FIT, Status.REFUSES)


def captions(found: Fixes) -> list[str]:
    return [words.fix_caption(fix.named, str) for fix in found.fixes]


def fixes(*args: Any, **more: Any) -> Fixes:
    return fixes_of(start(*args, **more), ledger_of, FORMATS)


# --- what holds for all -------------------------------------------------------------------------


@given(scenarios)
def test_every_fix_fits_and_is_a_change(scenario: Scenario) -> None:
    now = ledger_of(scenario).verdict.status
    found = fixes_of(scenario, ledger_of, FORMATS)
    if now is Status.FITS:
        assert found == Fixes(())
        return
    assert len(found.fixes) <= 3
    for fix in found.fixes:
        assert fix.scenario != scenario
        assert (fix.scenario.id, fix.scenario.model) == (scenario.id, scenario.model)
        status = ledger_of(fix.scenario).verdict.status
        assert fix.status is status
        assert status is Status.FITS or (status is Status.TIGHT and now in BAD)
        assert "{" not in words.fix_caption(fix.named, str)
        assert words.fix_cost(fix.named, str).endswith(".")
    kinds = [fix.changes[-1].code for fix in found.fixes]
    assert len(set(kinds)) == len(kinds)
    assert (found.reason is None) == bool(found.fixes)
    if found.reason is not None:
        assert "{" not in words.fill(words.NO_FIX[found.reason], found.params)


@given(scenarios)
def test_the_reasons_are_true(scenario: Scenario) -> None:
    found = fixes_of(scenario, ledger_of, NO_FORMATS)
    if found.reason not in ("weights", "fixed"):
        return
    for tp in tps(scenario, above=0):
        rank = ledger_of(with_tp(scenario, tp)).worst_rank
        fixed = sum(
            rank.kind_bytes(kind)
            for kind in (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS)
        )
        assert fixed > rank.budget_bytes


# --- the order and each kind --------------------------------------------------------------------


def test_less_is_asked_for_before_more_is_spent() -> None:
    crowded = {"deployment": {"tp": 4}, "context": 131_072, "concurrency": 6}
    found = fixes("llama-3.1-70b", release="0.19.1", **crowded)
    assert captions(found) == ["3 requests", "context ≤ 73k", "FP8 KV cache"]
    alone = fixes_of(start("llama-3.1-70b", release="0.19.1", **crowded), ledger_of)
    assert captions(alone) == ["3 requests", "context ≤ 73k", "TP 8"]


def test_fewer_requests_are_as_many_as_fit() -> None:
    scenario = start("llama-3.1-70b", deployment={"tp": 4}, context=131_072, concurrency=6)
    (first, *_) = fixes_of(scenario, ledger_of).fixes
    assert first.scenario == max_concurrency(scenario, ledger_of).scenario


def test_weights_that_do_not_fit_need_cards() -> None:
    found = fixes("llama-3.1-70b", concurrency=1)
    assert captions(found) == ["TP 4"]
    cost = words.fix_cost(found.fixes[0].named, str)
    assert cost == "Takes 4 GPUs instead of 1."


def test_weights_beyond_every_tp_say_so() -> None:
    found = fixes("deepseek-v3", gpu="t4")
    assert (found.fixes, found.reason) == ((), "weights")
    assert found.params["tp"] == 64


def test_all_lengths_shrink_together() -> None:
    table = QuantileTable(
        points=(QuantilePoint(q=0.5, tokens=60_000), QuantilePoint(q=1.0, tokens=120_000))
    )
    scenario = working(start("llama-3.1-8b", concurrency=8), lengths=table, sizing="max")
    found = fixes_of(scenario, ledger_of)
    shorter = next(fix for fix in found.fixes if fix.changes[0].code == "lengths")
    lengths = shorter.scenario.workload.lengths
    assert isinstance(lengths, QuantileTable)
    short, long = (point.tokens for point in lengths.points)
    assert short == long // 2
    assert words.fix_caption(shorter.named, str).startswith("lengths × ")


def test_a_longest_length_beyond_the_pool_takes_the_one_that_fits() -> None:
    found = fixes("gemma-3-27b-it")
    (first, *_) = found.fixes
    suggested = ledger_of(start("gemma-3-27b-it")).verdict.refusal
    assert suggested is not None
    assert first.scenario.engine.max_model_len == suggested.suggested_max_model_len


@pytest.mark.parametrize(
    ("flags", "caption"),
    [
        ({"max_model_len": 4096}, "max model len 8k"),
        ({"enable_chunked_prefill": False, "max_num_batched_tokens": 2048}, "chunked prefill"),
        ({"num_gpu_blocks_override": 10**7}, "blocks left to the engine"),
        ({"kv_cache_memory_bytes": 1000}, "pool left to the engine"),
        ({"max_model_len": 200_000}, "max model len 128k"),
        ({"max_num_batched_tokens": 100, "max_num_seqs": 200}, "max batched tokens 200"),
    ],
)
def test_flags_that_keep_it_from_starting(flags: dict[str, Any], caption: str) -> None:
    release = "0.10.2" if "enable_chunked_prefill" in flags else "0.33.0"
    assert ledger_of(start("llama-3.1-8b", release=release, **flags)).verdict.status in BAD
    assert captions(fixes("llama-3.1-8b", release=release, **flags))[0] == caption


def test_layouts_that_are_not_possible() -> None:
    three = deployed(start("llama-3.1-8b"), tp=3)
    assert captions(fixes_of(three, ledger_of)) == ["TP 2"]
    stages = deployed(start("llama-3.1-8b"), pp=40)
    assert captions(fixes_of(stages, ledger_of))[0] == "PP 32"
    partition = deployed(start("llama-3.1-8b"), pp=2, pp_partition=(10, 10))
    assert captions(fixes_of(partition, ledger_of)) == ["even stages"]
    context = deployed(start("llama-3.1-8b"), tp=2, dcp=2)
    assert captions(fixes_of(context, ledger_of))[0] == "DCP 1"
    plain = deployed(start("llama-3.1-8b"), ep=2).with_(engine=PlainEngine())
    assert captions(fixes_of(plain, ledger_of)) == ["EP 1"]


def test_a_format_of_another_engine_is_changed() -> None:
    kv = library().kv_format("bf16").value.with_(id="x", name="X", engines=("sglang",))
    scenario = start("llama-3.1-8b")
    foreign = scenario.with_(precision=scenario.precision.with_(kv=kv))
    assert captions(fixes_of(foreign, ledger_of, FORMATS)) == ["FP8 KV cache"]
    assert fixes_of(foreign, ledger_of).reason == "unsupported"


def test_two_changes_where_one_is_not_enough() -> None:
    found = fixes("llama-3.1-8b", gpu="l4", gpu_memory_utilization=1.0)
    assert captions(found) == ["utilization 97 % + max model len 36,480"]
    together = fixes_of(
        start("llama-3.1-70b", context=100_000, concurrency=3000), ledger_of, NO_FORMATS
    )
    (pair,) = captions(together)
    assert pair.startswith("TP ")
    assert pair.endswith(" requests")


def test_what_is_tight_becomes_free() -> None:
    scenario = start("llama-3.1-8b", context=8192, concurrency=50)
    reserves = scenario.reserves.with_(headroom=Amount(size_bytes=8 * GIB))
    tight = scenario.with_(reserves=reserves)
    assert ledger_of(tight).verdict.status is Status.TIGHT
    found = fixes_of(tight, ledger_of, FORMATS)
    assert len(found.fixes) == 3
    assert all(fix.status is Status.FITS for fix in found.fixes)


def test_a_search_stops_between_candidates() -> None:
    scenario = start("llama-3.1-70b", deployment={"tp": 4}, context=131_072, concurrency=6)
    search = search_fixes(scenario, ledger_of, FORMATS)
    assert [next(search) for _ in range(3)] == [None] * 3
    assert finished(search) == fixes_of(scenario, ledger_of, FORMATS)

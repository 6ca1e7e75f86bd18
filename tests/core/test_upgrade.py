"""What changes between two releases, and the pool in rows: both follow the ledgers."""

from __future__ import annotations

from functools import cache

import pytest

from workbench.core.budget import budget
from workbench.core.pool_table import pool_table
from workbench.core.upgrade import upgrade
from workbench.library import compose, engine_choice
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.scenario import Scenario
from workbench.spec.vllm_rules import VllmRules
from workbench.spec.words.switches import SWITCH_VALUES, SWITCHES

RELEASES = ("0.8.5", "0.11.2", "0.19.1", "0.33.0")


@cache
def library() -> Library:
    return Library(presets_dir(), None)


def made(model: str, gpu: str, release: str = "0.19.1", **deployment: int) -> Scenario:
    start = compose.new_scenario(library(), "a", "A", library().model(model), library().gpu(gpu))
    start = start.with_(deployment=start.deployment.with_(**deployment))
    return engine_choice.with_engine(start, "vllm", release)


def under(scenario: Scenario, release: str) -> Scenario:
    return engine_choice.with_engine(scenario, "vllm", release)


LLAMA = made("llama-3.1-8b", "h100-sxm")
GEMMA = made("gemma-3-27b-it", "h100-sxm", tp=2, pp=2)
QWEN = made("qwen3.5-397b-a17b", "8x-h200-sxm")
MODELS = (LLAMA, GEMMA, QWEN)


@pytest.mark.parametrize("scenario", MODELS, ids=lambda s: s.model.id)
def test_the_same_release_changes_nothing(scenario: Scenario) -> None:
    found = upgrade(scenario, scenario, budget)
    assert found.changes_nothing
    assert (found.flags, found.switches) == ((), ())


@pytest.mark.parametrize("scenario", MODELS, ids=lambda s: s.model.id)
@pytest.mark.parametrize("release", RELEASES)
def test_entries_are_those_of_both_ledgers(scenario: Scenario, release: str) -> None:
    after = under(scenario, release)
    found = upgrade(scenario, after, budget)
    rank = budget(scenario).worst_rank
    other = next(r for r in budget(after).ranks if r.rank == rank.rank)
    before_bytes = {e.label: e.before_bytes for e in found.entries if e.before_bytes is not None}
    after_bytes = {e.label: e.after_bytes for e in found.entries if e.after_bytes is not None}
    assert before_bytes == {e.label: e.bytes for e in rank.entries} | {
        "headroom": rank.headroom_bytes,
        "free": rank.free_bytes,
    }
    assert after_bytes == {e.label: e.bytes for e in other.entries} | {
        "headroom": other.headroom_bytes,
        "free": other.free_bytes,
    }
    labels = [entry.label for entry in found.entries]
    assert len(labels) == len(set(labels))
    kept = [entry.label for entry in rank.entries]
    assert [label for label in labels if label in kept] == kept


def test_what_one_entry_gains_another_loses() -> None:
    found = upgrade(LLAMA, under(LLAMA, "0.33.0"), budget)
    assert sum(entry.delta_bytes for entry in found.entries) == 0


def test_a_raised_default_is_a_flag_and_a_reason() -> None:
    found = upgrade(LLAMA, under(LLAMA, "0.33.0"), budget)
    flags = {flag.flag: (flag.before, flag.after) for flag in found.flags}
    assert flags["gpu_memory_utilization"] == (0.9, 0.92)
    reasons = {switch.name: (switch.before, switch.after) for switch in found.switches}
    assert reasons["default_utilization"] == (0.9, 0.92)
    assert {"read_release", "assumed"}.isdisjoint(reasons)
    figures = {figure.code: figure for figure in found.figures}
    pools = budget(LLAMA).pool, budget(under(LLAMA, "0.33.0")).pool
    assert pools[0] is not None
    assert pools[1] is not None
    assert figures["pool_blocks"].delta == pools[1].blocks - pools[0].blocks


def test_a_typed_flag_does_not_change_with_the_release() -> None:
    typed = LLAMA.with_(engine=LLAMA.engine.with_(gpu_memory_utilization=0.8))
    found = upgrade(typed, under(typed, "0.33.0"), budget)
    assert "gpu_memory_utilization" not in {flag.flag for flag in found.flags}


def test_a_refusal_has_no_printed_figures() -> None:
    small = made("gemma-3-27b-it", "h100-sxm", "0.33.0")
    found = upgrade(small, under(small, "0.19.1"), budget)
    figures = {figure.code: figure for figure in found.figures}
    assert figures["engine_log"].before is None
    assert figures["engine_log"].delta is None


def test_the_plain_arithmetic_has_no_switches() -> None:
    plain = engine_choice.with_engine(LLAMA, "plain")
    assert upgrade(plain, LLAMA, budget).switches == ()


def test_every_rule_and_every_value_has_words() -> None:
    names = set(VllmRules.model_fields) - {"read_release", "assumed"}
    assert names <= set(SWITCHES)
    for release in RELEASES:
        rules = engine_choice.vllm_engine(release).rules
        for name in names:
            value = getattr(rules, name)
            assert not isinstance(value, str) or value in SWITCH_VALUES, (name, value)


# The pool in rows


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("scenario", MODELS, ids=lambda s: s.model.id)
def test_the_rows_agree_with_the_ledger(scenario: Scenario, release: str) -> None:
    scenario = under(scenario, release)
    ledger = budget(scenario)
    table = pool_table(scenario, ledger)
    if ledger.pool is None:
        assert table is None
        return
    assert table is not None
    assert ledger.request is not None
    assert table.blocks == ledger.pool.blocks
    assert min(stage.blocks for stage in table.stages) == ledger.pool.blocks
    assert ledger.pool.bytes in {stage.pool_bytes for stage in table.stages}
    assert table.group_count == len(ledger.pool.groups)
    assert 0 <= table.withheld_blocks <= table.blocks
    for stage in table.stages:
        blocks = sum(row.groups * row.blocks_per_request for row in stage.groups)
        assert blocks == ledger.request.blocks
        assert all(0 < row.filled_share <= 1 for row in stage.groups)
        assert all(
            row.request_bytes == row.groups * row.blocks_per_request * stage.bytes_per_block
            for row in stage.groups
        )


def test_stages_have_their_own_rows() -> None:
    table = pool_table(GEMMA, budget(GEMMA))
    assert table is not None
    assert [stage.stage for stage in table.stages] == [0, 1]
    assert table.kinds == ("sliding", "full")
    layers = sum(row.groups * row.layers for stage in table.stages for row in stage.groups)
    assert layers == GEMMA.model.layer_count


def test_the_plain_pool_is_one_group_without_a_withheld_block() -> None:
    plain = compose.new_scenario(
        library(), "a", "A", library().model("ledger-lab"), library().gpu("80-gib")
    )
    table = pool_table(plain, budget(plain))
    assert table is not None
    assert (table.group_count, table.withheld_blocks, table.padded_share) == (1, 0, 0)


def test_a_model_without_a_planned_cache_has_no_table() -> None:
    plain = engine_choice.with_engine(GEMMA, "plain")
    assert pool_table(plain, budget(plain)) is None

"""Tabs about the engine: ranks, groups, the three capacities, resolved defaults."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui import parts
from tests.gui.test_engine_vllm import pick
from tests.gui.window_kit import opened_bench, wait_until
from workbench.core.pool_table import pool_table
from workbench.gui import soon
from workbench.spec.scenario import Plan
from workbench.spec.units import group_digits

CONTROL = Qt.KeyboardModifier.ControlModifier
REFUSED = parts.vllm("r", "gemma-3-27b-it", "h100-sxm", "0.33.0")
STAGES = parts.vllm("g", "gemma-3-27b-it", "h100-sxm", "0.33.0", tp=2, pp=2)
HYBRID = parts.vllm("q", "qwen3.5-397b-a17b", "8x-h200-sxm", "0.19.1")


@pytest.fixture
def tabs(qtbot):
    made = parts.Tabs(qtbot, STAGES, HYBRID, REFUSED)
    yield made
    made.window.close()


# Ledger


def test_ranks_are_chosen_and_the_worst_is_marked_and_shown_first(tabs):
    view = tabs.show("Ledger")
    texts = [view.ranks.itemText(i) for i in range(view.ranks.count())]
    assert texts == ["stage 0, ranks 0–1", "stage 1, ranks 2–3, decides"]
    assert view.ranks.currentIndex() == 1
    ledger = tabs.session.ledger("g")
    worst = tabs.cells(view.table)
    assert worst[0][5] == group_digits(ledger.worst_rank.entries[0].bytes)
    pick(tabs.qtbot, view.ranks, "0")
    first = tabs.cells(view.table)
    assert first[0][5] == group_digits(ledger.ranks[0].entries[0].bytes)
    assert first != worst
    # The choice stays while the layout does.
    tabs.session.set_field("workload.context", 4_096)
    parts.follow()
    assert view.ranks.currentData() == "0"


def test_bands_and_what_lies_outside_the_budget_are_marked(tabs):
    rows = {row[0]: row for row in tabs.cells(tabs.show("Ledger").table)}
    activations = next(e for e in tabs.session.ledger("g").worst_rank.entries if e.low_bytes)
    assert " to " in rows["Activations"][2]
    assert activations.low_bytes < activations.high_bytes
    assert rows["Weights"][2] == ""
    assert rows["Weights"][4] == "inside"
    assert rows["Runtime: in use before start"][4] == "outside"
    assert rows["Weights"][3] == "computed"


def test_the_main_columns_need_no_sideways_scrolling(qapp, tmp_path):
    plan = Plan(scenarios=(HYBRID, STAGES), baseline="q")
    with opened_bench(qapp, tmp_path, plan) as bench:
        bench.window.resize(1440, 900)
        bench.window.tabs.setCurrentWidget(bench.window.tabs.ledger)
        parts.follow()
        for scenario in plan.scenarios:
            bench.session.set_current(scenario.id)
            parts.follow()
            view = bench.window.tabs.ledger
            assert view.isVisible()
            header = view.table.horizontalHeader()
            budget_column = 4
            right = header.sectionPosition(budget_column) + header.sectionSize(budget_column)
            assert right <= view.table.viewport().width()


def test_a_click_on_an_entry_explains_it(tabs):
    view = tabs.show("Ledger")
    table = view.table
    place = table.visualRect(table.model().index(0, 0)).center()
    tabs.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tabs.session.selection == ("g", 2, "weights")
    assert view.detail.full_text.startswith("Weights = ")


# Groups


def test_groups_pages_and_blocks(tabs):
    tabs.session.set_current("q")
    view = tabs.show("Groups")
    rows = [row[1:] for row in tabs.cells(view.groups.table)]
    assert [row[:3] for row in rows] == [
        ["recurrent state", "3", "15"],
        ["full attention", "1", "15"],
    ]
    assert rows[1][3] == "528"
    ledger = tabs.session.ledger("q")
    table = pool_table(tabs.session.current, ledger)
    pool = tabs.cells(view.stages.table)[0]
    assert pool[3] == group_digits(ledger.pool.blocks)
    assert f"{group_digits(table.usable_blocks)} for requests" in view.stages.remark.full_text
    assert "withholds 1" in view.stages.remark.full_text
    assert "padding" in view.stages.remark.full_text


def test_a_hybrid_says_what_a_block_is(tabs):
    tabs.session.set_current("q")
    text = tabs.show("Groups").sentence.full_text
    assert "4 groups (recurrent state, full attention)" in text
    assert "not of the whole model" in text


def test_stages_stand_apart_and_the_decisive_one_is_marked(tabs):
    view = tabs.show("Groups")
    stages = tabs.cells(view.stages.table)
    assert [row[0] for row in stages] == ["0", "1"]
    assert [row[4] for row in stages] == ["", "✔"]
    assert {row[0] for row in tabs.cells(view.groups.table)} == {"0", "1"}
    assert not view.groups.table.isColumnHidden(0)
    tabs.session.set_current("q")
    parts.follow()
    assert view.groups.table.isColumnHidden(0)


def test_a_scenario_without_a_pool_says_so(qtbot):
    made = parts.Tabs(qtbot, STAGES.with_(engine=parts.ledger_lab().engine))
    view = made.show("Groups")
    assert view.sentence.full_text.startswith("No pool")
    assert not view.groups.isVisible()
    made.window.close()


# Capacity


def test_three_figures_each_with_a_sentence_and_why_they_differ(tabs):
    tabs.session.set_current("q")
    view = tabs.show("Capacity")
    capacity = tabs.session.ledger("q").capacity
    assert view.engine_log.value.full_text == f"{capacity.engine_log.concurrency:.2f}×"
    assert view.steady.value.full_text == group_digits(capacity.steady_state.p95)
    assert view.at_risk.value.full_text == group_digits(capacity.at_risk.concurrency)
    for part in (view.engine_log, view.steady, view.at_risk):
        assert part.sentence.full_text.endswith(".")
    assert "256k requests" in view.why.full_text
    assert "8k requests" in view.why.full_text
    assert "one length" in view.why.full_text


def test_the_band_is_shown_as_a_range(tabs):
    tabs.session.set_current("q")
    band = tabs.session.ledger("q").band
    text = tabs.show("Capacity").steady.sentence.full_text
    assert f"{band.most_requests_low} to {band.most_requests_high}" in text


def test_without_a_start_there_is_no_engine_log(tabs):
    tabs.session.set_current("r")
    view = tabs.show("Capacity")
    assert view.engine_log.value.full_text == "–"
    assert "does not start" in view.engine_log.sentence.full_text


def test_a_verdict_that_the_fitted_figures_leave_open_says_so(qapp, tmp_path):
    plan = Plan(scenarios=(REFUSED, HYBRID), baseline="r")
    with opened_bench(qapp, tmp_path, plan) as bench:
        assert bench.session.ledger("r").band.straddles
        doubt = bench.window.verdict.doubt
        assert doubt.isVisible()
        assert doubt.full_text.startswith("Not certain")
        bench.session.set_current("q")
        assert not doubt.isVisible()
        band = bench.session.ledger("q").band
        ends = f"({band.most_requests_low} to {band.most_requests_high})"
        assert bench.window.verdict.reason.full_text.endswith(ends)


def test_a_refusal_counts_no_requests(qapp, tmp_path):
    small = parts.vllm("s").with_(engine=parts.vllm("s").engine.with_(kv_cache_memory_bytes=2**30))
    with opened_bench(qapp, tmp_path, Plan(scenarios=(small,), baseline="s")) as bench:
        verdict = bench.window.verdict
        assert "refuses" in verdict.answer.full_text
        assert verdict.reason.full_text == ""


def test_a_low_window_leaves_a_table_six_rows(qapp, tmp_path):
    plan = Plan(scenarios=(STAGES, HYBRID, REFUSED), baseline="g")
    with opened_bench(qapp, tmp_path, plan) as bench:
        bench.window.resize(1024, 700)
        bench.session.set_current("q")
        bench.window.tabs.setCurrentWidget(bench.window.tabs.ledger)
        table = bench.window.tabs.ledger.table
        line = table.verticalHeader().defaultSectionSize()
        wait_until(lambda: table.viewport().height() >= 6 * line)
        card = bench.window.bars_card
        assert card.figures.isVisible()
        assert not card.line.isVisible()
        height = card.height()
        card.bars.setFocus()
        QTest.keyClick(card.bars, Qt.Key.Key_Right)
        QTest.qWait(20)
        assert card.line.isVisible()
        assert not card.figures.isVisible()
        assert card.height() == height
        bench.window.resize(1440, 900)
        QTest.qWait(50)
        assert card.line.isVisible()
        assert card.figures.isVisible()


def test_what_does_not_grow_with_the_length_is_named(tabs):
    tabs.session.set_current("q")
    view = tabs.show("Scaling")
    results = {row[0]: row[5] for row in tabs.cells(view.table.table)}
    assert results["context"] == "▲ windows and states do not grow with the length"
    tabs.session.set_current("g")
    results = {row[0]: row[5] for row in tabs.cells(view.table.table)}
    assert results["concurrency"].endswith(("as expected", "however many requests"))


def test_a_block_size_that_the_engine_sets_is_one_sentence(tabs):
    tabs.session.set_current("q")
    view = tabs.show("Blocks")
    assert view.fixed.isVisible()
    assert "528 tokens" in view.fixed.full_text
    assert not view.sizes.isVisible()
    tabs.session.set_current("g")
    soon.finish()
    assert not view.fixed.isVisible()
    assert view.sizes.isVisible()


# Defaults


def test_every_resolved_flag_has_a_value_and_an_origin(tabs):
    tabs.session.set_field("engine.max_num_seqs", 64)
    rows = {row[0]: row[1:] for row in tabs.cells(tabs.show("Defaults").table)}
    assert len(rows) == len(tabs.session.ledger("g").scenario.resolved)
    assert rows["max sequences"] == ["64", "typed"]
    assert rows["GPU memory utilization"] == ["92 %", "default of vLLM 0.33.0"]
    assert rows["prefix caching"][0] == "on"
    echo = tabs.session.ledger("g").scenario
    assumed = [f for f, source in echo.origins.items() if source.code.endswith("assumed")]
    told = [name for name, (_, origin) in rows.items() if origin.endswith("assumed")]
    assert len(told) == len(assumed)


def test_a_click_on_a_flag_goes_to_its_field(tabs):
    asked = []
    tabs.session.focus_field.connect(asked.append)
    table = tabs.show("Defaults").table
    names = [row[0] for row in tabs.cells(table)]
    place = table.visualRect(table.model().index(names.index("block size"), 0)).center()
    tabs.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked == ["engine.block_tokens"]
    table.setCurrentIndex(table.model().index(names.index("watermark"), 0))
    tabs.qtbot.keyClick(table, Qt.Key.Key_Return)
    assert asked[-1] == "engine.watermark"


def test_defaults_are_copied_like_a_table(tabs):
    table = tabs.show("Defaults").table
    table.setFocus()
    table.selectAll()
    tabs.qtbot.keyClick(table, Qt.Key.Key_C, CONTROL)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "Flag\tValue\tOrigin"
    assert "max batched tokens\t8,192\tdefault of vLLM 0.33.0" in lines


# Whatever is asked


@pytest.mark.parametrize("release", ["0.6.6", "0.8.5", "0.10.2", "0.11.2", "0.19.1", "0.33.0"])
def test_absurd_flags_show_something_in_every_tab(qtbot, release):
    made = parts.Tabs(qtbot, HYBRID, STAGES)
    made.session.choose_engine("vllm", release)
    names = [made.tabs.tabText(i).rstrip(" 0123456789") for i in range(made.tabs.count())]
    for field_id, value in (
        ("engine.max_model_len", 1),
        ("engine.max_num_seqs", 2**31),
        ("engine.max_num_batched_tokens", 2**31),
        ("engine.gpu_memory_utilization", 1e-6),
        ("engine.block_tokens", 7),
        ("engine.measured_used_before_start_bytes", 2**60),
        ("engine.measured_available_kv_bytes", 0),
        ("engine.num_gpu_blocks_override", 1),
        ("engine.speculative_tokens", 1024),
        ("deployment.dcp", 3),
        ("deployment.pp", 61),
        ("deployment.ep", 64),
        ("workload.context", 2**62),
        ("gpu.device_total_bytes", 1),
    ):
        made.session.set_field(field_id, value)
        for name in names:
            made.show(name)
    made.window.close()


# Engines


def test_an_engine_without_a_rule_for_the_model_does_not_refuse_it(tabs):
    tabs.session.set_current("q")
    rows = {row[0].split()[0]: row for row in tabs.cells(tabs.show("Engines").table.table)}
    assert rows["TensorRT-LLM"][1:7] == ["No plan", *("–",) * 5]
    assert rows["vLLM"][1] != "No plan"

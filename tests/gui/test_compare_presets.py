"""Presets side by side: models against models, GPUs against GPUs, differences marked."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.gui.compare_kit import cell, choose, keys, line, settled, texts
from tests.gui.number_walk import faults
from tests.gui.window_kit import click, key, opened_bench
from workbench.core.budget import budget
from workbench.core.solve import max_concurrency
from workbench.gui.app import example_plan
from workbench.gui.compare.feature import open_presets
from workbench.library import compose
from workbench.library.presets import Preset, fork
from workbench.spec.ledger import EntryKind
from workbench.spec.units import GIB


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as made:
        yield made


def models(bench) -> list[Preset]:
    """A built-in model and a fork of it with half of the KV heads."""
    built_in = bench.library.model("llama-3.1-70b")
    forked = fork(built_in, "llama-half", "Llama, 4 KV heads")
    halved = forked.value.with_attention(kv_heads=4)
    return [built_in, Preset("models", "user", halved, forked.based_on)]


def test_a_fork_stands_beside_its_original_with_differences_marked(bench):
    open_presets(bench.window, "models", models(bench))
    page = settled(bench)
    assert bench.window.page == "compare"
    assert page.table.headings() == ["★ Llama-3.1-70B", "Llama, 4 KV heads (yours)"]
    path = "field:layers[0].mixer.kv_heads"
    assert line(page, path).name == "layer run 1 · KV heads"
    assert texts(page, path) == ["8", "4 ≠ ÷2"]
    assert [one.tinted for one in line(page, path).cells] == [False, True]
    fields = [one for one in keys(page) if one.startswith("field:")]
    assert "field:hidden_size" not in fields
    assert all(any("≠" in text for text in texts(page, one)) for one in fields)
    click(page.head.only, QPoint(8, page.head.only.height() // 2))
    settled(bench)
    assert texts(page, "field:hidden_size") == ["8,192", "8,192"]
    names = ("Llama-3.1-70B", "Llama, 4 KV heads")
    assert faults(bench.session, page, names) == []
    assert page.fall.isHidden()


def test_each_model_shows_what_it_would_hold_in_the_current_scenario(bench):
    bench.session.set_current(bench.session.plan.scenarios[1].id)
    current = bench.session.current
    presets = models(bench)
    open_presets(bench.window, "models", presets)
    page = settled(bench)
    tried = [compose.with_model(current, preset, bench.library) for preset in presets]
    kv = [budget(one).worst_rank.kind_bytes(EntryKind.KV) / GIB for one in tried]
    assert [one.value_text for one in line(page, "memory:kv").cells] == [f"{k:.2f}" for k in kv]
    most = [max_concurrency(one, budget).answer for one in tried]
    shown = [one.value_text for one in line(page, "largest_concurrency").cells]
    assert shown == ["none fits" if answer is None else str(answer) for answer in most]
    assert all(one.bar is not None for one in line(page, "bar").cells)
    before = texts(page, "memory:kv")
    bench.session.set_field("workload.context", 16_384)
    settled(bench)
    assert texts(page, "memory:kv") != before
    # What is only tried out explains itself: the plan has no such ledger.
    page.table.setCurrentIndex(page.table.lines.index(keys(page).index("memory:kv"), 1))
    page.table.setFocus()
    key(page.table, Qt.Key.Key_Return)
    explained = bench.session.explained
    assert explained.scenario is None
    assert explained.term.value == page._comparison.columns[1].part_bytes("kv", "gpu")


def test_cards_and_sets_stand_side_by_side(bench):
    cards = [bench.library.gpu("80-gib"), bench.library.gpu("h100-sxm")]
    cards.append(bench.library.gpu("4x-80-gib"))
    open_presets(bench.window, "gpus", cards)
    page = settled(bench)
    assert len(page.table.headings()) == 3
    total = cell(page, "field:device_total_bytes", 1)
    assert total.text == "79.21 GiB ≠"
    assert total.why.term.value == 85_056_458_588
    assert texts(page, "field:count")[2].startswith("4")
    choose(page.head.baseline, f"★ {cards[1].value.name}")
    settled(bench)
    assert page.table.headings()[1].startswith("★")
    assert bench.session.undo_step is None
    assert texts(page, "field:device_total_bytes")[:2] == ["80 GiB ≠", "79.21 GiB"]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_presets_are_added_and_taken_away_on_the_page(bench):
    bench.trigger("compare.open")
    page = settled(bench)
    assert not page.head.add.isVisible()
    choose(page.head.subject, "models")
    settled(bench)
    current = bench.session.current
    assert page.table.headings() == [f"★ {current.model.name}"]
    click(page.head.add)
    popup = page.head._popup
    assert popup is not None
    assert popup.isVisible()
    QTest.keyClicks(popup.filter, "llama-3.1-70b")
    key(popup.filter, Qt.Key.Key_Return)
    settled(bench)
    assert page.table.headings() == [f"★ {current.model.name}", "Llama-3.1-70B"]
    menu = page.head.menu
    menu.aboutToShow.emit()
    ticks = [action for action in menu.actions() if action.isCheckable()]
    assert [tick.text() for tick in ticks] == [current.model.name, "Llama-3.1-70B"]
    ticks[0].trigger()
    settled(bench)
    assert page.table.headings() == ["★ Llama-3.1-70B"]
    choose(page.head.subject, "scenarios")
    settled(bench)
    assert len(page.table.headings()) == len(bench.session.plan.scenarios)
    assert bench.session.undo_step is None

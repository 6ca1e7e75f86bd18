"""Explorer tabs: built when shown, exact figures, copied like a spreadsheet."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QTableView

from tests.gui import parts
from workbench.gui import soon
from workbench.gui.views import engines_view
from workbench.spec.layers import SlidingAttention
from workbench.spec.scenario import Plan
from workbench.spec.workload import ConstantLength

NAMES = (
    "Ledger",
    "Groups",
    "Capacity",
    "Lengths",
    "Blocks",
    "Scaling",
    "Defaults",
    "Upgrade",
)
CONTROL = Qt.KeyboardModifier.ControlModifier


class Tabs(parts.Tabs):
    def constant(self, tokens):
        self.session.set_field("workload.context", tokens)


@pytest.fixture
def tabs(qtbot):
    made = Tabs(qtbot)
    yield made
    made.window.close()


def test_pages_are_built_when_they_are_first_shown(tabs):
    assert tabs.tabs.heat._built
    assert not tabs.tabs.blocks._built
    tabs.show("Blocks")
    assert tabs.tabs.blocks._built


def test_models_are_sound(tabs):
    for name in NAMES:
        for table in tabs.show(name).findChildren(QTableView):
            QAbstractItemModelTester(
                table.model(), QAbstractItemModelTester.FailureReportingMode.Warning, table
            )
    tabs.session.set_current("b")
    for name in NAMES:
        tabs.show(name)
    tabs.session.set_current("a")


def test_the_ledger_lists_every_entry_with_bytes_evidence_and_source(tabs):
    view = tabs.show("Ledger")
    rows = tabs.cells(view.table)
    place = next(index for index, row in enumerate(rows) if row[0] == "KV cache")
    assert rows[place] == ["KV cache", "16.000", "", "computed", "inside", "17,179,869,184"]
    view.table.setFocus()
    view.table.setCurrentIndex(view.table.model().index(place, 0))
    assert view.detail.full_text == "KV cache = 16 × 8,192 × 131,072 B · whole blocks"
    total = next(index for index, row in enumerate(rows) if row[0] == "Card total")
    assert (rows[total][1], rows[total][5]) == ("80.000", "85,899,345,920")
    entries = sum(int(row[5].replace(",", "")) for row in rows[:total])
    assert entries == 85_899_345_920


def test_a8_what_is_not_modelled_has_its_own_line(tabs):
    view = tabs.show("Ledger")
    missing = [row[0] if row[1] == "not modelled" else "" for row in tabs.cells(view.table)]
    assert {"weights", "runtime", "alignment of allocations", "temporary workspaces"} <= set(
        missing
    )
    view.table.setCurrentIndex(view.table.model().index(missing.index("runtime"), 0))
    assert "CUDA graphs" in view.detail.full_text


def test_equal_ranks_are_one_group(tabs):
    tabs.session.set_current("b")
    view = tabs.show("Ledger")
    parts.follow()
    assert [view.ranks.itemText(i) for i in range(view.ranks.count())] == [
        "stage 0, ranks 0–3, decides"
    ]
    assert not view.head.isVisible()


def test_a1_a3_a4_the_headline_metrics(tabs):
    view = tabs.show("Lengths")
    text = view.pool.text()
    assert "KV per token 128 KiB (131,072 B)" in text
    assert "8 tokens per MiB" in text
    p95 = tabs.cells(view.table.table)[2]
    assert p95[:6] == ["P95", "8,192", "512", "0", "0 %", "1 GiB"]


def test_a5_the_tail_of_the_last_block(tabs):
    tabs.constant(8_001)
    view = tabs.show("Lengths")
    assert tabs.cells(view.table.table)[2][1:5] == ["8,001", "501", "15", "0.19 %"]
    ledger = tabs.session.ledger("a")
    tail = next(e for e in ledger.worst_rank.entries if e.label == "block_tails")
    assert tail.bytes == 16 * 15 * 131_072


def test_a12_lengths_side_by_side(tabs):
    preset = parts.library().workload("sharegpt-8k")
    tabs.session.choose_workload(preset)
    rows = tabs.cells(tabs.show("Lengths").table.table)
    assert [row[0] for row in rows] == ["mean", "P50", "P95", "P99", "longest"]
    tokens = [int(row[1].replace(",", "")) for row in rows[1:]]
    held = [int(row[6].replace(",", "")) for row in rows[1:]]
    assert tokens == sorted(tokens)
    assert held == sorted(held, reverse=True)
    assert held[0] > held[-1]


def test_b7_b8_b9a_contiguous_and_paged(tabs):
    tabs.constant(1_536)
    view = tabs.show("Blocks")
    rows = tabs.cells(view.policies.table)
    by_name = {row[0]: row[1:] for row in rows}
    assert by_name["contiguous, 8k"][:3] == ["1 GiB", "192 MiB", "81.25 %"]
    assert by_name["contiguous, 8k"][4] == "×5.33 as many"
    assert by_name["contiguous, 4k"][:3] == ["512 MiB", "192 MiB", "62.50 %"]
    assert by_name["contiguous, 4k"][4] == "×2.67 as many"
    assert by_name["paged, whole blocks"][:3] == ["192 MiB", "192 MiB", "0 %"]
    assert "Throughput is not the same thing" in view.policies.remark.text()


def test_b10_block_sizes(tabs):
    tabs.constant(8_001)
    rows = tabs.cells(tabs.show("Blocks").sizes.table)
    assert [row[0] for row in rows][3:6] == ["8", "16, in use", "32"]
    sixteen = rows[4]
    assert sixteen[1:4] == ["15", "1.88 MiB", "0.19 %"]
    tables = [row[4] for row in rows]
    assert len(set(tables)) == len(tables)


def test_b13_what_the_longest_request_costs(tabs):
    tabs.session.set_current("b")
    tabs.session.set_field("workload.context", 4_096)
    view = tabs.show("Blocks")
    rows = tabs.cells(view.longest.table)
    assert rows[0][1:3] == ["131,072", "8 MiB"]
    assert rows[1][1:3] == ["4,096", "256 KiB"]
    assert int(rows[0][3]) < int(rows[1][3])


def test_b12_the_saving_of_a_quantised_format_is_shown_only_then(tabs):
    view = tabs.show("Blocks")
    assert not view.formats.isVisible()
    tabs.session.choose_kv_format(parts.library().kv_format("fp8-per-token-head"))
    tabs.qtbot.waitUntil(view.formats.isVisible)
    rows = tabs.cells(view.formats.table)
    assert "%" in rows[-1][4]
    assert "speed is not modelled" in view.formats.remark.text()


def test_a6_scaling_checks(tabs):
    rows = tabs.cells(tabs.show("Scaling").table.table)
    by_input = {(row[0], row[3]): row[4:] for row in rows}
    assert by_input[("layers", "×4")] == ["×4", "✔ as expected"]
    assert by_input[("context", "×2")] == ["×2", "✔ as expected"]
    assert by_input[("concurrency", "×2")] == ["×2", "✔ as expected"]
    assert by_input[("head size", "×4")] == ["×4", "✔ as expected"]
    assert by_input[("KV heads", "÷4")] == ["÷4", "✔ as expected"]


def test_a6_a_row_that_does_not_scale_says_why(tabs):
    tabs.session.set_current("b")
    tabs.session.set_field("deployment.tp", 8)
    rows = tabs.cells(tabs.show("Scaling").table.table)
    heads = next(row for row in rows if row[0] == "KV heads" and row[3] == "÷4")
    assert heads[4] == "×1"
    assert heads[5] == "▲ KV heads are copied on the ranks"


def test_ctrl_c_copies_the_selection_with_headings(tabs):
    table = tabs.show("Lengths").table.table
    table.setFocus()
    model, selection = table.model(), table.selectionModel()
    table.setCurrentIndex(model.index(2, 1))
    tabs.qtbot.keyClick(table, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "8,192"
    table.selectAll()
    tabs.qtbot.keyClick(table, Qt.Key.Key_C, CONTROL)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].startswith("Length\tTokens\tBlocks")
    assert lines[3].startswith("P95\t8,192\t512\t0\t0 %\t1 GiB")
    selection.clear()
    selection.select(model.index(0, 0), QItemSelectionModel.SelectionFlag.Select)


def test_every_table_has_a_name_and_no_label_is_markup(tabs):
    for name in NAMES:
        page = tabs.show(name)
        for table in page.findChildren(QTableView):
            assert table.accessibleName()
        for label in page.findChildren(QLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText


def test_absurd_scenarios_show_something_in_every_tab(tabs):
    for field_id, value in (
        ("workload.context", 2**63 - 1),
        ("workload.concurrency", 2**63 - 1),
        ("gpu.device_total_bytes", 1),
        ("engine.block_tokens", 2**31),
        ("model.layers", 10_000),
        ("deployment.tp", 4096),
    ):
        tabs.session.set_field(field_id, value)
        parts.follow()
        for name in NAMES:
            tabs.show(name)
    tabs.session.open_plan(Plan())
    for name in NAMES:
        tabs.show(name)


def test_a_model_that_is_not_planned_leaves_dashes(qtbot):
    base = parts.ledger_lab()
    mixer = SlidingAttention(heads=32, kv_heads=8, head_dim=128, window_tokens=4_096)
    model = base.model.with_(layers=(base.model.layers[0].with_(mixer=mixer),))
    made = Tabs(qtbot, base.with_(model=model))
    assert "No pool" in made.show("Lengths").pool.text()
    for name in NAMES:
        made.show(name)
    made.window.close()


def test_a_hidden_tab_is_brought_up_to_date_when_shown(tabs):
    tabs.show("Lengths")
    tabs.show("Ledger")
    tabs.constant(4_096)
    assert tabs.cells(tabs.show("Lengths").table.table)[2][1] == "4,096"


def test_engines_outlive_the_scenario_that_was_asked_about(tabs, monkeypatch):
    monkeypatch.setattr(engines_view, "_SLICE_SECONDS", 0)
    view = tabs.show("Engines")
    tabs.constant(4096)
    view.bring_up_to_date()
    assert view._finding
    tabs.session.delete(*(scenario.id for scenario in tabs.session.plan.scenarios))
    soon.finish()
    assert not view._finding
    view.add.click()
    assert not tabs.session.plan.scenarios


def test_a_preview_reaches_the_tab_that_is_shown(tabs):
    view = tabs.show("Lengths")
    tabs.session.preview_field("workload.context", 1_024)
    assert tabs.cells(view.table.table)[2][1] == "1,024"
    tabs.session.end_preview()
    assert tabs.cells(view.table.table)[2][1] == "8,192"


def test_lengths_of_a_constant_are_all_alike(tabs):
    assert isinstance(tabs.session.current.workload.lengths, ConstantLength)
    rows = tabs.cells(tabs.show("Lengths").table.table)
    assert len({tuple(row[1:]) for row in rows}) == 1

"""Tab "Assumptions": what is assumed or fitted, counted on the tab, each leading to its field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui import parts
from workbench.gui.panels.assumed import assumptions
from workbench.gui.views.assumptions_view import unsure
from workbench.spec.ledger import Evidence


@pytest.fixture
def tabs(qtbot):
    made = parts.Tabs(qtbot, parts.ledger_lab(), parts.vllm())
    yield made
    made.window.close()


def title(tabs):
    return tabs.tabs.tabText(tabs.tabs.indexOf(tabs.tabs.assumptions))


@pytest.mark.parametrize("scenario", ["a", "v"])
def test_every_assumed_or_fitted_entry_has_a_row(tabs, scenario):
    tabs.session.set_current(scenario)
    view = tabs.show("Assumptions")
    QApplication.processEvents()
    rank = tabs.session.ledger(scenario).worst_rank
    rows = [[cell.text for cell in row] for row in view.table.cells.rows]
    kinds = [row[2] for row in rows]
    assert kinds == sorted(kinds), "assumed before fitted"
    for evidence in (Evidence.ASSUMED, Evidence.FITTED):
        entries = {e.label for e in rank.entries if e.evidence is evidence}
        shown = {item.entry for item in unsure(rank) if item.is_entry and item.evidence is evidence}
        assert shown == entries
    assert len(rows) == len(unsure(rank))
    assert {row[2] for row in rows} <= {"assumed", "fitted"}
    if scenario == "a":
        assert rows[0][:4] == ["Activations: reserve 6 %", "4.80 GiB", "assumed", rows[0][3]]
        assert "at least 2.40 GiB" in rows[0][3]
        assert "activations" in rows[0][4]


def test_the_tab_counts_what_the_findings_panel_counts(tabs, qtbot):
    for scenario in ("v", "a"):
        tabs.session.set_current(scenario)
        number = len(assumptions(tabs.session.ledger(scenario).worst_rank))
        qtbot.waitUntil(lambda number=number: title(tabs) == f"Assumptions {number}")
    tabs.session.set_field("engine.activation_reserve", parts.Amount(size_bytes=2**30))
    qtbot.waitUntil(lambda: title(tabs) == "Assumptions 1")


def test_enter_and_a_double_click_go_to_the_field(tabs, qtbot):
    view = tabs.show("Assumptions")
    QApplication.processEvents()
    table = view.table
    table.setFocus()
    place = next(i for i, item in enumerate(view._items) if item.field is not None)
    table.setCurrentIndex(table.model().index(place, 0))
    with qtbot.waitSignal(tabs.session.focus_field) as asked:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert asked.args == [view._items[place].field]
    at = table.visualRect(table.model().index(place, 1)).center()
    plain = Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(tabs.session.focus_field) as asked:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, plain, at)
        QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, plain, at)
    assert asked.args == [view._items[place].field]


def test_the_remark_counts_both_kinds(tabs):
    tabs.session.set_current("v")
    view = tabs.show("Assumptions")
    QApplication.processEvents()
    rank = tabs.session.ledger("v").worst_rank
    fitted = len(assumptions(rank, Evidence.FITTED))
    assert f"Fitted: {fitted}." in view.remark.full_text

"""Why this number: every figure opens its formula, inputs, source and evidence."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel

from tests.gui import parts
from workbench.gui.labels import visible
from workbench.gui.panels.explain import selected_entries
from workbench.gui.panels.ledger_panel import LedgerPanel
from workbench.spec.deployment import Deployment
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Evidence
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def made(qtbot):
    session = parts.session(parts.ledger_lab(), parts.with_prefix(parts.llama()))
    panel = LedgerPanel(session)
    window = parts.show(qtbot, session, panel, width=300, height=700)
    yield session, panel
    window.close()


def rows(panel):
    return [row for _index, row in panel.tree.rows.walk()]


def find(panel, name):
    return next((i, row) for i, row in panel.tree.rows.walk() if row.name == name)


def test_the_model_is_a_sound_tree(qtbot, made):
    session, panel = made
    QAbstractItemModelTester(
        panel.tree.rows, QAbstractItemModelTester.FailureReportingMode.Warning, panel
    )
    for _ in range(3):
        session.select("b", 0, "kv")
        panel.tree.expandAll()
        session.select("b", 0, "weights")
        session.set_current("b")
        session.set_field("workload.context", 8_001)
        session.select(None)
        session.undo()


def test_without_a_selection_the_whole_stack_and_its_total(qtbot, made):
    _session, panel = made
    assert panel.body.headline.full_text == "24.00 GiB of 80 GiB"
    top = [panel.tree.rows.row_at(panel.tree.rows.index(i, 0)) for i in range(7)]
    assert [row.name for row in top] == [
        "Activations: reserve\u00a06\u00a0%",
        "Fragmentation: reserve\u00a04\u00a0%",
        "Fragmentation: tail of last blocks",
        "KV cache",
        "Headroom",
        "Free",
        "Card total",
    ]
    assert top[-1].exact == "85,899,345,920 B"
    missing = find(panel, "Not modelled: 8")[1]
    assert any("CUDA graphs" in row.name for row in missing.parts())


def test_a2_a_selected_entry_shows_formula_inputs_and_source(qtbot, made):
    session, panel = made
    session.select("a", 0, "kv")
    assert panel.body.headline.full_text == "KV cache 16 GiB"
    assert "17,179,869,184 B" in panel.body.where.text()
    assert panel.body.formula.text() == "= 16 × 8,192 × 131,072 B"
    assert panel.body.badge.text() == "computed"
    shown = {(row.name, row.value, row.badge) for row in rows(panel)}
    assert ("KV bytes per token", "128 KiB", "computed") in shown
    for factor in (("layers", "32"), ("KV heads on a rank", "8"), ("head size", "128")):
        assert (*factor, "given") in shown
    assert ("bytes per element", "2", "given") in shown
    names = [row.name for row in rows(panel)]
    assert "= 2 × 32 × 8 × 128 × 2" in names
    assert "source: founding note 002" in names


def test_a9_every_entry_shows_its_evidence(qtbot, made):
    session, panel = made
    for scenario_id in ("a", "b"):
        session.set_current(scenario_id)
        ledger = session.ledger(scenario_id)
        by_key = {row.key: row for _, row in panel.tree.rows.walk() if row.key}
        for entry in ledger.worst_rank.entries:
            assert by_key[entry.label].badge == entry.evidence.value
            session.select(scenario_id, 0, entry.label)
            assert panel.body.badge.text() == entry.evidence.value
            session.select(None)


def test_the_band_of_an_assumption_is_shown(qtbot, made):
    session, panel = made
    entry = session.ledger("a").worst_rank.entries[0]
    assert entry.evidence is Evidence.ASSUMED
    session.select("a", 0, entry.label)
    assert panel.body.band.text() == "at least 2.40 GiB, high end not known"


def test_the_badge_of_the_head_begins_where_those_of_the_rows_do(qtbot, made):
    session, panel = made
    for entry in session.ledger("a").worst_rank.entries:
        session.select("a", 0, entry.label)
        parts.follow()
        body, tree = panel.body, panel.tree
        room = tree.badge_room - tree.badge_width(body.badge.text())
        if room >= 0:
            right = tree.viewport().mapTo(body, tree.viewport().rect().topRight()).x()
            assert body.badge.geometry().right() + 1 == right - room, entry.label


def test_a_kind_with_two_entries_lists_both(qtbot, made):
    session, panel = made
    session.select("a", 0, "fragmentation")
    assert panel.body.headline.full_text.startswith("Fragmentation 3.2")
    names = [row.name for row in rows(panel)]
    assert "Fragmentation: reserve\u00a04\u00a0%" in names
    assert "Fragmentation: tail of last blocks" in names


@pytest.mark.parametrize("key", ["headroom", "free", "no such thing", ""])
def test_any_key_shows_something(qtbot, made, key):
    session, panel = made
    session.select("b", 0, key)
    assert panel.body.headline.full_text
    session.select("b", 99, key)
    assert panel.body.headline.full_text


def test_a_click_on_an_input_goes_to_its_field(qtbot, made):
    session, panel = made
    fields = []
    session.focus_field.connect(fields.append)
    session.select("a", 0, "kv")
    index, row = find(panel, "head size")
    panel.tree.scrollTo(index)
    place = panel.tree.visualRect(index).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert fields == ["model.head_dim"] == [row.field]


def test_every_field_that_a_ledger_names_exists(made):
    session, _panel = made

    def check(formula):
        for term in formula.terms:
            assert term.field is None or term.field in FIELDS or term.field == "precision.kv"
            if term.formula is not None:
                check(term.formula)

    for scenario_id in ("a", "b"):
        for entry in session.ledger(scenario_id).worst_rank.entries:
            check(entry.formula)


def test_the_keyboard_walks_opens_copies_and_leaves(qtbot, made):
    session, panel = made
    tree = panel.tree
    tree.setFocus()
    tree.setCurrentIndex(tree.rows.index(0, 0, QModelIndex()))
    for _ in range(3):
        qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.current_row().name == "KV cache"
    qtbot.keyClick(tree, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "KV cache\t17,179,869,184 B\tcomputed"
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(tree.currentIndex())
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert session.selection == ("a", 0, "kv")
    qtbot.keyClick(tree, Qt.Key.Key_Escape)
    assert session.selection is None


def test_a_button_leads_back_to_the_whole_card(qtbot, made):
    session, panel = made
    assert not panel.back.isVisible()
    session.select("a", 0, "kv")
    qtbot.mouseClick(panel.back, Qt.MouseButton.LeftButton)
    assert session.selection is None


def test_place_and_open_rows_stay_while_values_change(qtbot, made):
    session, panel = made
    index, _row = find(panel, "KV cache")
    panel.tree.setExpanded(index, True)
    panel.tree.setCurrentIndex(index)
    session.set_field("workload.context", 16_384)
    parts.follow()
    index, row = find(panel, "KV cache")
    assert row.value == "32 GiB"
    assert panel.tree.isExpanded(index)
    assert panel.tree.current_row() is row


def test_a_preview_is_explained_too(qtbot, made):
    session, panel = made
    session.select("a", 0, "kv")
    session.preview_field("workload.context", 4_096)
    parts.follow()
    assert panel.body.headline.full_text == "KV cache 8 GiB"
    session.end_preview()
    parts.follow()
    assert panel.body.headline.full_text == "KV cache 16 GiB"


def test_ranks_that_differ_can_be_chosen(qtbot):
    scenario = parts.llama().with_(deployment=Deployment(tp=2, pp=2))
    session = parts.session(scenario)
    panel = LedgerPanel(session)
    window = parts.show(qtbot, session, panel, width=300)
    assert panel.ranks.isVisible()
    texts = [panel.ranks.itemText(i) for i in range(panel.ranks.count())]
    assert [text.partition(",")[0] for text in texts] == ["stage 0", "stage 1"]
    assert sum("decides" in text for text in texts) == 1
    panel.ranks.setFocus()
    key = Qt.Key.Key_Down if panel.ranks.currentIndex() == 0 else Qt.Key.Key_Up
    qtbot.keyClick(panel.ranks, key)
    assert session.selection is not None
    assert session.selection[1] in (0, 2)
    window.close()


def test_every_rank_alike_needs_no_choice(qtbot, made):
    session, panel = made
    session.set_current("b")
    assert not panel.ranks.isVisible()


def test_another_scenario_is_named(qtbot, made):
    session, panel = made
    session.select("b", 0, "kv")
    assert panel.body.where.text().endswith("in Llama")


def test_names_wrap_instead_of_being_cut(qtbot, made):
    session, panel = made
    session.set_current("b")
    session.select("b", 0, "kv")
    tree = panel.tree
    line = tree.fontMetrics().height()
    for index, row in tree.rows.walk():
        rect = tree.visualRect(index)
        if not rect.isValid() or row.quiet:
            continue
        wide = tree.fontMetrics().horizontalAdvance(row.name) > tree.name_width(index)
        assert not wide or rect.height() > line * 3 // 2
        value = tree.visualRect(index.siblingAtColumn(1))
        assert tree.fontMetrics().horizontalAdvance(row.value) <= value.width()


def test_b6_the_notes_script_in_the_window(qtbot):
    base = parts.ledger_lab()
    scenario = base.with_(
        engine=base.engine.with_(weights_bytes=16 * GIB),
        workload=base.workload.with_(lengths=ConstantLength(tokens=4_096), concurrency=None),
    )
    session = parts.session(scenario)
    panel = LedgerPanel(session)
    window = parts.show(qtbot, session, panel, width=300)
    session.select("a", 0, "kv")
    assert panel.body.formula.text() == "= 112 × 4,096 × 131,072 B"
    assert ("requests", "112", "computed") in {(r.name, r.value, r.badge) for r in rows(panel)}
    assert any(row.name == "source: largest number that fits" for row in rows(panel))
    window.close()


@pytest.mark.parametrize("name", ["<img src=x>", "<b>x</b>", "a\u202egnp", "👩‍🔬", "W" * 200])
def test_hostile_names_are_plain(qtbot, name):
    scenario = parts.llama(name=name)
    session = parts.session(
        parts.ledger_lab(), scenario.with_(model=scenario.model.with_(name=name))
    )
    panel = LedgerPanel(session)
    window = parts.show(qtbot, session, panel, width=300)
    session.select("b", 0, "weights")
    for label in window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
    assert panel.body.where.text().endswith(f"in {visible(name)}")
    assert "\u202e" not in panel.body.where.text()
    window.close()


def test_a_selection_by_part_and_by_label(made):
    session, _panel = made
    rank = session.ledger("b").worst_rank
    assert len(selected_entries(rank, "fragmentation")) == 2
    assert selected_entries(rank, "block_tails")[0].label == "block_tails"
    assert selected_entries(rank, "outside:runtime") == ()


def test_the_headroom_says_what_was_asked_for_where_less_is_left(made):
    session, panel = made
    session.set_current("a")
    session.set_field("reserves.headroom", Amount(size_bytes=2 * GIB))
    session.set_field("workload.context", 1_048_576)
    panel._soon.finish()
    names = {row.key: row for row in rows(panel)}
    assert session.ledger("a").worst_rank.over_bytes
    assert names["headroom"].name == "Headroom, asked: 2 GiB"
    assert names["headroom"].value == "0 B"
    session.set_field("workload.context", 1_024)
    panel._soon.finish()
    names = {row.key: row for row in rows(panel)}
    assert (names["headroom"].name, names["headroom"].value) == ("Headroom", "2 GiB")

"""The scenario strip by clicks and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from tests.gui import parts, sample
from tests.gui.window_kit import click, key
from workbench.spec.units import GIB


def editor(bench) -> QLineEdit:
    return next(
        edit
        for edit in bench.window.strip.findChildren(QLineEdit)
        if edit.isVisible() and edit.property("scenario")
    )


def test_a_click_looks_at_a_scenario_and_arrows_move_on(bench):
    strip = bench.window.strip
    click(strip.chip("b"))
    assert bench.session.current_id == "b"
    assert [chip.isChecked() for chip in strip.chips()] == [False, True, False]
    key(strip.chip("b"), Qt.Key.Key_Right)
    assert bench.session.current_id == "c"
    assert strip.chip("c").hasFocus()
    key(strip.chip("c"), Qt.Key.Key_Right)
    assert bench.session.current_id == "c"
    click(strip.chip("c"))
    assert strip.chip("c").isChecked()


def test_f2_renames_in_place(bench):
    window = bench.window
    key(window, Qt.Key.Key_F2)
    edit = editor(bench)
    assert edit.hasFocus()
    QTest.keyClicks(edit, "Long context & more")
    key(edit, Qt.Key.Key_Return)
    assert bench.names()[0] == "Long context & more"
    assert bench.session.undo_stack.count() == 1
    assert "Long context & more" in window.strip.chip("a").accessibleName()
    key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.names()[0] == "A"


def test_a_name_that_follows_an_edit_moves_no_chip_until_it_is_much_shorter(bench):
    session, strip = bench.session, bench.window.strip
    copy = strip.chip(session.duplicate("a"))

    def places(tokens: int) -> list[int]:
        session.set_field("workload.context", tokens)
        parts.follow()
        return [chip.x() for chip in strip.chips()]

    before = places(22_016)
    width = copy.width()
    assert places(22_528) == before
    assert copy.width() == width
    session.rename(copy.scenario_id, "B")
    parts.follow()
    assert copy.width() < width / 2


def test_escape_and_an_empty_name_leave_the_name(bench):
    for text, end in (("X", Qt.Key.Key_Escape), ("   ", Qt.Key.Key_Return)):
        bench.trigger("scenario.rename")
        edit = editor(bench)
        edit.selectAll()
        QTest.keyClicks(edit, text)
        key(edit, end)
        assert bench.names() == ["A", "B", "C"]
    assert bench.session.undo_stack.count() == 0


def test_a_double_click_renames_and_a_bad_name_is_told(bench):
    chip = bench.window.strip.chip("b")
    QTest.mouseDClick(chip, Qt.MouseButton.LeftButton)
    edit = editor(bench)
    edit.setText("a\u2028b")
    key(edit, Qt.Key.Key_Return)
    assert bench.names() == ["A", "B", "C"]
    assert bench.messages() == ["name_unusable"]


def test_duplicate_edit_undo(bench):
    key(bench.window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert bench.names() == ["A", "A copy", "B", "C"]
    assert bench.session.current.name == "A copy"
    bench.session.set_field("engine.runtime_bytes", 2 * GIB)
    assert bench.names()[1].startswith("A · runtime as given")
    bench.trigger("edit.undo")
    bench.trigger("edit.undo")
    assert bench.names() == ["A", "B", "C"]
    assert bench.session.current_id == "a"


def test_delete_needs_the_strip_and_can_be_undone(bench):
    window = bench.window
    window.bars_card.bars.setFocus()
    key(window.bars_card.bars, Qt.Key.Key_Delete)
    assert len(bench.names()) == 3
    click(window.strip.chip("a"))
    key(window.strip.chip("a"), Qt.Key.Key_Delete)
    assert bench.names() == ["B", "C"]
    assert bench.session.plan.baseline == "b"
    assert bench.session.current_id == "b"
    key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.names() == ["A", "B", "C"]
    assert bench.session.plan.baseline == "a"


def test_every_scenario_can_go_and_a_new_one_come(bench):
    for _ in range(3):
        bench.trigger("scenario.delete")
    assert bench.session.current is None
    assert "No scenario" in bench.window.verdict.answer.full_text
    assert not bench.window.actions_by_id["scenario.duplicate"].isEnabled()
    click(bench.window.strip.add_button)
    assert bench.session.current.model.name == "Llama-3.1-8B"
    assert bench.session.plan.baseline == bench.session.current_id


def test_baseline_moves_with_its_star(bench):
    click(bench.window.strip.chip("c"))
    key(bench.window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert bench.session.plan.baseline == "c"
    assert "baseline" in bench.window.strip.chip("c").accessibleName()
    assert "baseline" not in bench.window.strip.chip("a").accessibleName()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_context_menu_offers_the_verbs(bench):
    chip = bench.window.strip.chip("b")
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(3, 3), chip.mapToGlobal(QPoint(3, 3))
    )
    QApplication.sendEvent(chip, event)
    menu = next(m for m in bench.window.findChildren(QMenu) if m.isVisible())
    ids = [action.objectName() for action in menu.actions() if not action.isSeparator()]
    assert ids == [
        "scenario.rename",
        "scenario.duplicate",
        "scenario.baseline",
        "scenario.delete",
    ]
    assert bench.session.current_id == "b"
    menu.close()


def test_chips_show_the_verdict_by_symbol_and_word(bench):
    chip = bench.window.strip.chip("a")
    assert "Fits" in chip.accessibleName()
    bench.session.set_field("workload.context", 1_048_576)
    assert "Does not fit" in chip.accessibleName() or "refuses" in chip.accessibleName()
    bench.session.undo()
    bench.session.preview_field("workload.context", 1_048_576)
    assert "Fits" not in chip.accessibleName()
    bench.session.end_preview()
    assert "Fits" in chip.accessibleName()


def test_forty_scenarios_scroll_and_keep_the_current_one_in_sight(bench):
    for _ in range(40):
        bench.trigger("scenario.duplicate")
    strip = bench.window.strip
    QTest.qWait(10)
    chip = strip.chip(bench.session.current_id)
    assert not chip.visibleRegion().isEmpty()
    assert bench.window.width() <= 1_600


def test_the_strip_takes_the_room_its_chips_need(bench):
    strip = bench.window.strip
    bench.window.resize(1440, 900)
    for plan in (sample.plan("a"), sample.plan("a", "b", "c", "d"), sample.plan("b")):
        bench.session.open_plan(plan)
        bench.session.rename("b" if len(plan.scenarios) > 1 else plan.baseline, "a long name")
        QTest.qWait(20)
        seen = [chip.visibleRegion().boundingRect() == chip.rect() for chip in strip.chips()]
        assert all(seen)

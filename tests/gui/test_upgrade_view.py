"""The tab "Upgrade": two releases, what differs, and the button that takes the second."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.gui import parts
from tests.gui.parts import Tabs
from workbench.core.budget import budget
from workbench.core.upgrade import upgrade
from workbench.gui.tr import step_text
from workbench.library import engine_choice

ENTER = Qt.Key.Key_Return
quiet_popup = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)


@pytest.fixture
def tabs(qtbot):
    made = Tabs(qtbot, parts.vllm("a"), parts.vllm("b", release="0.11.2"), parts.ledger_lab("c"))
    yield made
    made.window.close()


def type_into(qtbot, box, text):
    box.setFocus()
    box.line.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, ENTER)


def test_it_starts_with_the_scenarios_release_and_the_newest_one(tabs):
    view = tabs.show("Upgrade")
    assert (view.before.release, view.after.release) == ("0.19.1", "0.33.0")
    assert view.apply.text() == "Use 0.33.0"
    assert view.entries.table.cells.headings == ("Entry", "0.19.1", "0.33.0", "Change")


def test_rows_are_those_of_the_core(tabs):
    view = tabs.show("Upgrade")
    scenario = tabs.session.current
    found = upgrade(scenario, engine_choice.with_engine(scenario, "vllm", "0.33.0"), budget)
    rows = {row[0]: row[1:] for row in tabs.cells(view.entries.table)}
    assert len(rows) == len(found.entries)
    assert rows["Weights"] == ["14.989", "14.989", "="]
    sampler = next(entry for entry in found.entries if entry.label == "persistent_buffers")
    assert rows["Runtime: sampler buffers"][0] == "–"
    assert rows["Runtime: sampler buffers"][2] == f"+{sampler.after_bytes / 2**30:.3f}"
    flags = {row[0]: row[1:] for row in tabs.cells(view.flags.table)}
    assert flags["GPU memory utilization"] == ["90 %", "92 %"]
    rules = {row[0]: row[1:] for row in tabs.cells(view.switches.table)}
    assert rules["default of GPU memory utilization"] == ["90 %", "92 %"]
    figures = {row[0]: row for row in tabs.cells(view.figures.table)}
    assert {"blocks", "tokens printed", "engine log", "most requests"} <= set(figures)
    verdicts = tabs.cells(view.verdicts.table)
    assert [row[0] for row in verdicts] == ["0.19.1", "0.33.0"]
    assert all(row[1].startswith("Near the limit") for row in verdicts)


def test_apply_is_one_step_and_undo_brings_the_release_back(tabs):
    view = tabs.show("Upgrade")
    tabs.qtbot.mouseClick(view.apply, Qt.MouseButton.LeftButton)
    assert tabs.session.current.engine.release == "0.33.0"
    assert tabs.session.undo_stack.count() == 1
    assert step_text(tabs.session.undo_step) == "engine vLLM 0.33.0"
    tabs.cells(view.entries.table)
    assert not view.apply.isEnabled()
    assert "choose another" in view.summary.full_text
    tabs.session.undo()
    assert tabs.session.current.engine.release == "0.19.1"
    assert not tabs.session.dirty


@quiet_popup
def test_both_releases_can_be_typed(tabs):
    view = tabs.show("Upgrade")
    type_into(tabs.qtbot, view.after, "0.15.1")
    type_into(tabs.qtbot, view.before, "0.8.5")
    assert view.summary.full_text.startswith(
        "The same scenario under vLLM 0.8.5 and 0.15.1 (rules of 0.11.2)."
    )
    assert view.entries.table.cells.headings[1:3] == ("0.8.5", "0.15.1")
    assert tabs.session.undo_stack.count() == 0
    tabs.qtbot.keyClick(view.apply, Qt.Key.Key_Space)
    assert tabs.session.current.engine.release == "0.15.1"


@quiet_popup
def test_a_text_that_names_no_release_gives_a_sentence_and_stays(tabs):
    view = tabs.show("Upgrade")
    type_into(tabs.qtbot, view.after, "next")
    assert view.problem.isVisible()
    assert "0.15.1" in view.problem.full_text
    assert view.after.line.text() == "next"
    type_into(tabs.qtbot, view.after, "0.18.0")
    assert not view.problem.isVisible()
    assert view.after.release == "0.18.0"


def test_another_scenario_starts_from_its_own_release(tabs):
    view = tabs.show("Upgrade")
    tabs.session.set_current("b")
    tabs.cells(view.entries.table)
    assert view.before.release == "0.11.2"


def test_the_plain_arithmetic_has_no_releases(tabs):
    view = tabs.show("Upgrade")
    tabs.session.set_current("c")
    tabs.cells(view.entries.table)
    assert view.empty.isVisible()
    assert not view.page.isVisible()
    assert not view.head.isVisible()


def test_every_control_has_a_name(tabs):
    view = tabs.show("Upgrade")
    for control in (view.before, view.after, view.before.line, view.after.line):
        assert control.accessibleName()

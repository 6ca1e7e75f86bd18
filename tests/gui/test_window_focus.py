"""Where the keyboard goes and what stays in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui import sample
from tests.gui.window_kit import key, opened_bench, wait_until, walked
from workbench.core.budget import budget
from workbench.gui.app import example_plan
from workbench.gui.messages import Message
from workbench.gui.panels.tree import broken
from workbench.spec import words
from workbench.spec.scenario import Plan


@pytest.fixture
def shown(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        yield bench


def test_tab_goes_through_the_panes_as_they_are_read(shown):
    window = shown.window
    window.strip.focus_current()
    forth = walked(window, Qt.Key.Key_Tab)
    panes = (
        *(window.strip_bar, window.panel, window.bars_card, window.tabs),
        *(window.reasons.why, window.reasons.findings, window.status, window.menuBar()),
    )
    order = [
        next(i for i, pane in enumerate(panes) if pane.isAncestorOf(widget)) for widget in forth
    ]
    assert order == sorted(order)
    assert set(order) == set(range(len(panes)))
    back = walked(window, Qt.Key.Key_Backtab)
    assert back == [forth[0], *reversed(forth[1:])]


def test_tab_reads_moved_scenarios_in_their_order(bench):
    bench.session.move("c", 0)
    QTest.qWait(10)
    bench.window.strip.chip("c").setFocus()
    walk = walked(bench.window, Qt.Key.Key_Tab)
    assert walk[:3] == bench.window.strip.chips()
    assert walk[3] is bench.window.strip.add_button


def test_after_a_delete_the_keyboard_stays_on_the_strip(bench):
    strip = bench.window.strip
    bench.session.set_current("b")
    strip.chip("b").setFocus()
    key(strip.chip("b"), Qt.Key.Key_Delete)
    assert bench.names() == ["A", "C"]
    assert bench.window.focusWidget() is strip.chip(bench.session.current_id)


def test_the_plus_stays_in_sight_however_many_scenarios(qapp, tmp_path):
    scenarios = tuple(sample.scenario(f"s{i}", f"Variant {i} of a plan") for i in range(30))
    plan = Plan(scenarios=scenarios, baseline="s0")
    with opened_bench(qapp, tmp_path, plan) as bench:
        strip = bench.window.strip
        plus = strip.add_button
        assert strip.rect().contains(plus.geometry())
        bench.session.set_current("s29")
        QTest.qWait(10)
        assert strip.rect().contains(plus.geometry())
        # With the last bar its axis is in sight.
        bars, area = bench.window.bars_card.bars, bench.window.bars_card.area
        wait_until(lambda: bars.mapTo(area, bars.rect().bottomLeft()).y() <= area.height())


def test_the_plus_follows_the_last_scenario(bench):
    strip = bench.window.strip

    def beside() -> bool:
        last = strip.chips()[-1]
        right = last.mapTo(strip, last.rect().topRight()).x()
        return 0 < strip.add_button.x() - right < strip.add_button.width()

    assert beside()
    bench.trigger("scenario.duplicate")
    wait_until(beside)
    bench.session.rename("a", "A name of some length")
    wait_until(beside)
    bench.session.undo()
    bench.session.undo()
    wait_until(beside)


def test_a_long_message_is_shown_whole(bench):
    bench.window.resize(bench.window.minimumSize())
    name = "notes-" + "x" * 200 + ".txt"
    bench.session.tell(Message("warning", "not_a_plan_file", {"name": name}))
    bench.session.tell(Message("warning", "still_saving", {"name": "plan " * 30}))
    QTest.qWait(20)
    lines = bench.window.messages.findChildren(QWidget, options=Qt.FindDirectChildrenOnly)
    assert len(lines) == 2
    for line in lines:
        label = max(line.findChildren(QWidget), key=lambda w: w.width())
        assert label.height() >= label.heightForWidth(label.width())
        longest = max(label.text().split(" "), key=len)
        assert label.fontMetrics().horizontalAdvance(longest) <= label.width()


def test_why_a_text_is_refused_comes_into_sight(shown):
    window = shown.window
    area = window.panel.area
    edit = next(
        s.fields["reserves.headroom"]
        for s in window.panel.sections
        if s.fields.get("reserves.headroom")
    )
    area.verticalScrollBar().setValue(0)
    edit.line.setFocus()
    edit.line.selectAll()
    QTest.keyClicks(edit.line, "12 parsecs")
    key(edit.line, Qt.Key.Key_Return)

    def in_sight() -> bool:
        at = edit.error.mapTo(area, edit.error.rect().bottomLeft())
        return 0 < at.y() <= area.height()

    wait_until(in_sight)


def test_the_verdict_says_the_free_bytes_of_the_bar(shown):
    for scenario in shown.session.plan.scenarios:
        ledger = budget(scenario)
        free = words.fill("{free_bytes}", {"free_bytes": ledger.worst_rank.free_bytes})
        assert f"Fits: {free} free per GPU" in words.verdict_text(ledger)


@pytest.mark.parametrize("ems", [3, 6, 9, 14, 40])
def test_names_break_between_words(qapp, ems):
    metrics = QFontMetrics(qapp.font())
    room = metrics.height() * ems
    text = "Fragmentation: tail of last blocks"
    lines = broken(metrics, text, room).split("\n")
    assert all(metrics.horizontalAdvance(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    whole = [w for w in text.split(" ") if metrics.horizontalAdvance(w) <= room]
    for word in whole:
        assert any(word in line.split(" ") for line in lines)

"""What follows an edit: in order, once, a piece a turn, and never put off for long."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from workbench.gui import soon
from workbench.gui.soon import Soon, Turn


@pytest.fixture
def asked(qapp):
    """Pieces by their turn, and the turns that were taken."""
    soon.finish()
    widget, taken = QWidget(), []
    pieces = {turn: Soon(lambda turn=turn: taken.append(turn), widget, turn) for turn in Turn}
    yield pieces, taken
    if Shiboken.isValid(widget):
        Shiboken.delete(widget)


def test_each_piece_has_a_turn_in_the_order_in_which_it_is_looked_at(asked):
    pieces, taken = asked
    for turn in (Turn.FINDINGS, Turn.TAB, Turn.FINDINGS, Turn.WHY):
        pieces[turn].ask()
    # The first turn is left to the keys that wait.
    QApplication.processEvents()
    for count in range(3):
        assert len(taken) == count
        QApplication.processEvents()
    QApplication.processEvents()
    assert taken == [Turn.TAB, Turn.WHY, Turn.FINDINGS]


def test_what_asks_and_what_follows_are_not_one_wait(asked):
    pieces, taken = asked
    pieces[Turn.TAB].ask()
    QTimer.singleShot(0, lambda: taken.append("key"))
    for _ in range(3):
        QApplication.processEvents()
    assert taken == ["key", Turn.TAB]


def test_keys_that_never_end_leave_every_second_turn(asked):
    pieces, taken = asked
    for number in range(6):
        pieces[Turn.TAB].ask()
        QApplication.processEvents()
        assert len(taken) == (number + 1) // 2


def test_what_is_out_of_sight_lets_the_rest_go_first(asked, qtbot):
    pieces, taken = asked
    shown = QWidget()
    qtbot.addWidget(shown)
    shown.show()
    seen = Soon(lambda: taken.append("seen"), shown, Turn.COUNTS)
    pieces[Turn.TAB].ask()
    seen.ask()
    for _ in range(2):
        QApplication.processEvents()
    assert taken == ["seen"]
    soon.finish()
    assert taken == ["seen", Turn.TAB]


def test_what_has_waited_long_has_its_turn_however_often_others_ask(asked, monkeypatch):
    pieces, taken = asked
    now = 0.0
    monkeypatch.setattr(soon, "time", SimpleNamespace(perf_counter=lambda: now))
    for number in range(8):
        now = number * 0.03
        pieces[Turn.TAB].ask()
        pieces[Turn.WHY].ask()
        for _ in range(2):
            QApplication.processEvents()
    assert taken == [*[Turn.TAB] * 4, Turn.WHY, *[Turn.TAB] * 3]


def test_a_piece_can_be_finished_before_its_turn_and_is_then_not_due(asked):
    pieces, taken = asked
    pieces[Turn.COUNTS].finish()
    assert taken == []
    pieces[Turn.TAB].ask()
    pieces[Turn.COUNTS].ask()
    pieces[Turn.COUNTS].finish()
    soon.finish()
    assert taken == [Turn.COUNTS, Turn.TAB]


def test_what_is_gone_is_asked_for_nothing(asked):
    pieces, taken = asked
    pieces[Turn.WHY].ask()
    Shiboken.delete(pieces[Turn.WHY].parent())
    soon.finish()
    assert taken == []

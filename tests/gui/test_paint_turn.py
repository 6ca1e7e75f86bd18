"""A window is painted in a turn of its own: after what changed it, before what follows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui import parts
from tests.gui.window_kit import wait_until
from workbench.gui import paint_turn, soon
from workbench.gui.paint_turn import PaintTurn, Refresh
from workbench.gui.soon import Soon, Turn
from workbench.gui.views.view import View


class _Window(QWidget):
    """Notes what happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.turn = PaintTurn(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.seen.append("painted")


@pytest.fixture
def window(qtbot):
    made = _Window()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    wait_until(lambda: bool(made.seen) and not made.turn.waits)
    soon.finish()
    QApplication.processEvents()
    made.seen.clear()
    return made


def test_it_is_painted_after_the_turn_in_which_it_changed_and_before_all_that_is_done_soon(window):
    Soon(lambda: window.seen.append("tab"), window, Turn.TAB).ask()
    window.update()
    QApplication.processEvents()
    assert window.seen == []
    assert window.turn.waits
    wait_until(lambda: len(window.seen) == 2)
    assert window.seen == ["painted", "tab"]
    assert not window.turn.waits


def test_what_is_held_is_painted_when_the_last_holder_is_done(window):
    first, second = QObject(window), QObject(window)
    assert paint_turn.hold(window, first)
    assert paint_turn.hold(window, second)
    window.update()
    for holder in (first, second):
        for _ in range(4):
            QApplication.processEvents()
        assert window.seen == []
        paint_turn.release(holder)
    wait_until(lambda: window.seen == ["painted"])


class _Failing(View):
    def _build(self) -> None:
        pass

    def _show(self) -> None:
        raise ValueError


def test_a_tab_that_fails_keeps_no_window_from_being_painted(window, qtbot):
    view = _Failing(parts.session(), window)
    view._built = True
    with qtbot.capture_exceptions() as failed:
        view.show()
        # Held from the moment when it is shown, it cannot have been painted before.
        wait_until(lambda: bool(failed) and bool(window.seen))
    assert [kind for kind, *_ in failed] == [ValueError]


def test_what_is_asked_for_unseen_is_done_before_the_window_is_painted(window):
    refresh = Refresh(lambda: window.seen.append("refreshed"), window)
    window.update()
    refresh.ask_unseen()
    assert window.turn.is_held
    wait_until(lambda: len(window.seen) == 2)
    assert window.seen == ["refreshed", "painted"]


def test_what_asks_for_another_turn_is_not_seen_before_it(window):
    def step() -> None:
        window.seen.append("step")
        if window.seen.count("step") < 3:
            refresh.ask()

    refresh = Refresh(step, window)
    window.update()
    refresh.ask_unseen()
    wait_until(lambda: "painted" in window.seen)
    assert window.seen == ["step", "step", "step", "painted"]


def test_what_is_stopped_holds_no_longer(window):
    refresh = Refresh(lambda: window.seen.append("refreshed"), window)
    window.update()
    refresh.ask_unseen()
    refresh.stop()
    wait_until(lambda: bool(window.seen))
    assert window.seen == ["painted"]


def test_where_no_paint_can_wait_it_is_done_at_once(qtbot):
    seen: list[str] = []
    plain = QWidget()
    qtbot.addWidget(plain)
    refresh = Refresh(lambda: seen.append("refreshed"), plain)
    refresh.ask_unseen()
    assert seen == []
    assert refresh.waits
    refresh.finish()
    plain.show()
    seen.clear()
    refresh.ask_unseen()
    assert seen == ["refreshed"]


def test_a_holder_that_goes_holds_no_longer(window):
    child = QWidget(window)
    child.show()
    Refresh(lambda: None, child).ask_unseen()
    child.setParent(None)
    child.deleteLater()
    del child
    wait_until(lambda: "painted" in window.seen)


def test_what_a_holder_kept_is_painted_when_it_goes_hidden(window):
    child = QWidget(window)
    child.show()
    wait_until(lambda: bool(window.seen) and not window.turn.waits)
    child.hide()
    wait_until(lambda: not window.turn.waits)
    window.seen.clear()
    holder = QObject(child)
    assert paint_turn.hold(window, holder)
    window.update()
    for _ in range(4):
        QApplication.processEvents()
    assert window.seen == []
    child.deleteLater()
    del holder, child
    wait_until(lambda: window.seen == ["painted"])


def test_a_window_without_turns_cannot_be_held(qtbot):
    other = QWidget()
    qtbot.addWidget(other)
    assert not paint_turn.hold(other, other)
    paint_turn.release(other)

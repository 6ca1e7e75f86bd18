"""Work on widgets: at once in sight, later out of sight, never seen undone."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import Shiboken

from tests.gui.window_kit import wait_until
from workbench.gui.paint_turn import PaintTurn
from workbench.gui.put_off import NextPaint, PutOff


@pytest.fixture
def pages(qtbot):
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    for _ in range(2):
        page = QWidget(stack)
        inner = QWidget(page)
        QVBoxLayout(page).addWidget(inner)
        stack.addWidget(page)
    stack.show()
    qtbot.waitExposed(stack)
    return stack


def inner_of(pages: QStackedWidget, number: int) -> QWidget:
    return pages.widget(number).layout().itemAt(0).widget()


def test_in_sight_it_is_done_at_once(pages) -> None:
    done: list[str] = []
    put_off = PutOff()
    put_off.do(inner_of(pages, 0), lambda: done.append("seen"))
    assert done == ["seen"]
    assert not put_off.busy


def test_out_of_sight_it_is_done_in_later_turns(pages) -> None:
    done: list[int] = []
    put_off = PutOff()
    for number in range(3):
        put_off.do(inner_of(pages, 1), lambda number=number: done.append(number))
    assert done == []
    wait_until(lambda: not put_off.busy)
    assert done == [0, 1, 2]


def test_it_is_done_when_the_page_is_shown(pages) -> None:
    done: list[str] = []
    put_off = PutOff()
    put_off.do(inner_of(pages, 1), lambda: done.append("hidden"))
    pages.setCurrentIndex(1)
    assert done == ["hidden"]
    assert not put_off.busy


def test_what_stays_hidden_on_a_shown_page_waits_on(pages) -> None:
    done: list[str] = []
    put_off = PutOff()
    inner_of(pages, 1).hide()
    put_off.do(inner_of(pages, 1), lambda: done.append("inner"))
    put_off.do(pages.widget(1), lambda: done.append("page"))
    pages.setCurrentIndex(1)
    assert done == ["page"]
    inner_of(pages, 1).show()
    assert done == ["page", "inner"]


def test_a_window_that_can_wait_is_painted_when_all_is_done(pages) -> None:
    seen: list[str] = []
    turn = PaintTurn(pages)
    put_off, inner = PutOff(), _Painted(inner_of(pages, 1), lambda: seen.append("painted"))
    inner.show()
    for number in range(3):
        work = partial(_take_long, partial(seen.append, f"work {number}"))
        put_off.do(pages.widget(1), partial(put_off.do, inner, work))
    pages.setCurrentIndex(1)
    assert seen == []
    wait_until(lambda: "painted" in seen and not turn.waits)
    assert seen[:4] == ["work 0", "work 1", "work 2", "painted"]
    assert not put_off.busy


def test_work_that_fails_keeps_no_window_from_being_painted(pages, qtbot) -> None:
    done: list[str] = []
    turn = PaintTurn(pages)
    put_off = PutOff()
    put_off.do(pages.widget(1), partial(int, "no number"))
    put_off.do(pages.widget(1), partial(done.append, "after it"))
    with qtbot.capture_exceptions() as failed:
        pages.setCurrentIndex(1)
        wait_until(lambda: not put_off.busy and not turn.waits)
    assert [kind for kind, *_ in failed] == [ValueError]
    put_off.do(pages.widget(1), partial(done.append, "in sight"))
    assert done == ["after it", "in sight"]


def _take_long(work: Callable[[], object]) -> None:
    work()
    time.sleep(0.03)


def test_nothing_is_done_to_what_is_gone(pages) -> None:
    done: list[str] = []
    put_off = PutOff()
    put_off.do(inner_of(pages, 1), lambda: done.append("inner"))
    put_off.do(pages.widget(1), lambda: done.append("page"))
    Shiboken.delete(inner_of(pages, 1))
    put_off.finish()
    assert done == ["page"]
    put_off.do(pages.widget(1), lambda: done.append("page"))
    Shiboken.delete(pages.widget(1))
    put_off.finish()
    assert done == ["page"]


def test_forgotten_it_is_not_done(pages) -> None:
    done: list[str] = []
    put_off = PutOff()
    put_off.do(inner_of(pages, 1), lambda: done.append("inner"))
    put_off.forget()
    pages.setCurrentIndex(1)
    QApplication.processEvents()
    assert done == []
    assert not put_off.busy


class _Painted(QWidget):
    """Counts how often it is painted."""

    def __init__(self, parent: QWidget, told: Callable[[], object] = int) -> None:
        super().__init__(parent)
        self.times = 0
        self._told = told

    def paintEvent(self, event: QPaintEvent) -> None:
        self.times += 1
        self._told()


def test_what_is_held_is_painted_once_in_a_turn_of_its_own(pages) -> None:
    seen, opaque = (_Painted(inner_of(pages, 0)) for _ in range(2))
    opaque.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    for widget in (seen, opaque):
        widget.show()
    opaque.move(0, 0)
    seen.move(opaque.width(), 0)
    wait_until(lambda: seen.times > 0 and opaque.times > 0)
    seen.times = opaque.times = 0
    next_paint = NextPaint()
    next_paint.hold()
    for widget in (seen, opaque):
        widget.update()
    QTest.qWait(20)
    assert (seen.times, opaque.times) == (0, 0)
    next_paint.paint()
    wait_until(lambda: seen.times > 0 and opaque.times > 0)
    QTest.qWait(20)
    assert (seen.times, opaque.times) == (1, 1)
    seen.update()
    wait_until(lambda: seen.times == 2)


def test_a_window_is_not_painted_while_its_widgets_are_held(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    turn, inner = PaintTurn(window), _Painted(window)
    window.show()
    wait_until(lambda: inner.times > 0 and not turn.waits)
    inner.times, painted = 0, _Painted(window)
    window.update()
    next_paint = NextPaint()
    next_paint.hold()
    # Shown since, it is not held: it is painted if the window is.
    painted.show()
    QTest.qWait(20)
    assert (painted.times, inner.times) == (0, 0)
    next_paint.paint()
    wait_until(lambda: inner.times > 0)
    assert painted.times > 0

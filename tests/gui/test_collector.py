"""Cyclic garbage: found while the window sleeps and in its own thread only; what is old is kept."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget

from tests.gui.soak import resident_bytes
from workbench.gui.collector import Collector, no_search
from workbench.gui.jobs import Jobs

ENOUGH = 2_000
MANY = 100_000
BLOCKS = 100_000
BLOCK_BYTES = 1_000
"""Larger than what Python keeps itself, smaller than what has pages of its own."""


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


class KnottedWidget(QWidget):
    """Such a one that must end in the thread it was made in."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


@pytest.fixture
def collector(qapp) -> Iterator[Collector]:
    made = Collector(qapp)
    made.begin()
    try:
        yield made
    finally:
        made.end()
    assert gc.get_freeze_count() == 0


@pytest.fixture
def searched() -> Iterator[list[threading.Thread]]:
    """In which threads Python has looked for garbage."""
    threads: list[threading.Thread] = []

    def note(phase: str, _info: object) -> None:
        if phase == "start":
            threads.append(threading.current_thread())

    gc.callbacks.append(note)
    yield threads
    gc.callbacks.remove(note)


def test_garbage_is_found_when_the_loop_sleeps(collector, qtbot) -> None:
    knot = weakref.ref(Knot())
    kept = [[number] for number in range(ENOUGH)]
    assert len(kept) == ENOUGH
    assert knot() is not None
    qtbot.wait(1)
    assert knot() is None


def test_a_widget_never_ends_in_a_thread_that_works(collector, qtbot, searched) -> None:
    widget = weakref.ref(KnottedWidget())
    jobs, told = Jobs(), []
    jobs.run(lambda: [[number] for number in range(ENOUGH)], told.append, told.append)
    # Nothing here sleeps meanwhile, so that whoever looks is the thread.
    assert jobs.wait(60_000)
    assert searched == []
    qtbot.waitUntil(lambda: bool(told))
    qtbot.waitUntil(lambda: widget() is None)
    assert set(searched) == {threading.main_thread()}


def test_nothing_is_searched_while_a_thread_makes_classes_of_qt(collector, searched) -> None:
    kept = [[number] for number in range(ENOUGH)]
    with no_search():
        collector.look()
        collector.collect_all()
        assert searched == []
    collector.look()
    assert len(searched) == 1
    assert len(kept) == ENOUGH


def test_each_search_is_short_and_what_is_old_is_searched_no_more(collector, searched) -> None:
    kept: list[list[int]] = []
    for _ in range(50):
        kept += [[number] for number in range(MANY // 50)]
        collector.look()
        assert len(gc.get_objects(0)) + len(gc.get_objects(1)) <= 10_000
    assert len(searched) == 50


def test_very_many_at_once_wait_until_everything_is_searched(collector, searched) -> None:
    knot = weakref.ref(Knot())
    kept = [[number] for number in range(MANY)]
    collector.look()
    assert searched == []
    assert len(kept) == MANY < gc.get_freeze_count()
    collector.collect_all()
    assert knot() is None


def test_little_is_not_looked_at(collector, searched) -> None:
    collector.collect_all()
    searched.clear()
    collector.look()
    assert searched == []


def test_old_garbage_is_found_when_everything_is_searched(collector) -> None:
    old = Knot()
    gc.freeze()
    knot = weakref.ref(old)
    del old
    gc.collect()
    assert knot() is not None
    collector.collect_all()
    assert knot() is None


@pytest.mark.skipif(sys.platform != "linux", reason="no Linux")
def test_free_memory_is_given_back_when_everything_is_searched(collector) -> None:
    blocks = [bytes(BLOCK_BYTES) for _ in range(BLOCKS)]
    above = bytes(BLOCK_BYTES)
    blocks.clear()
    before = resident_bytes()
    collector.collect_all()
    assert before - resident_bytes() > BLOCKS * BLOCK_BYTES // 2
    assert len(above) == BLOCK_BYTES


def test_python_goes_on_in_its_own_way_afterwards(qapp) -> None:
    automatic = gc.isenabled()
    gc.enable()
    try:
        made = Collector(qapp)
        made.begin()
        assert not gc.isenabled()
        made.end()
        assert gc.isenabled()
    finally:
        if not automatic:
            gc.disable()

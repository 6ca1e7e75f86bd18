"""Cyclic garbage: what is old is set aside, what is new is still found, everything when away."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from workbench.gui.collector import Collector


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collector(qapp) -> Iterator[Collector]:
    before = gc.get_threshold()
    made = Collector(qapp)
    made.begin()
    try:
        yield made
    finally:
        made.end()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_old_objects_are_searched_no_more(collector) -> None:
    kept = [[number] for number in range(100_000)]
    gc.collect()
    assert gc.get_freeze_count() > len(kept)
    assert len(gc.get_objects()) < len(kept)


def test_new_garbage_is_found(collector) -> None:
    knot = weakref.ref(Knot())
    kept = [[number] for number in range(100_000)]
    assert len(kept) == 100_000
    assert knot() is None


def test_old_garbage_is_found_when_everything_is_searched(collector) -> None:
    old = Knot()
    gc.collect()
    knot = weakref.ref(old)
    del old
    gc.collect()
    assert knot() is not None
    collector.collect_all()
    assert knot() is None

"""Thousands of random actions: nothing fails, all of it can be undone, nothing is left behind.

The longest turns of the event loop are told (`pytest -s`). How long one may be depends on the
machine: KVW_SOAK_GAP_MS, in milliseconds of the GUI thread's computing time, makes it a check.
"""

from __future__ import annotations

import faulthandler
import os
import time
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui.loop_watch import LoopWatch
from tests.gui.soak import Held, Worker
from tests.gui.window_kit import opened_bench
from workbench.gui.collector import Collector

ACTIONS = int(os.environ.get("KVW_SOAK_ACTIONS", "5000"))
SECONDS = float(os.environ.get("KVW_SOAK_SECONDS", "10"))
"""A slow machine does fewer actions; 0 for no limit."""
GAP_MS = float(os.environ.get("KVW_SOAK_GAP_MS", "0"))
_TEST_SECONDS = 120
_GAPS_TOLD = 12
_WARM_ACTIONS = 1_200
"""By then what is kept - pages, presets, ledgers - is there; from then on memory stays flat."""
_BEGUN_ACTIONS = 300
_FLAT_BYTES = 60 * 2**20
_FLAT_USED_BYTES = 10 * 2**20
_FLAT_BLOCKS = 100_000
"""What is in use is known exactly: caches are full by then, the history alone grows."""
_KEPT_BYTES = 130 * 2**20
"""What may still be added to be kept between 300 and 1,200 actions."""
_KINDS_COUNTED = 4_000
"""Widgets that a window of eight scenarios with every page open may hold."""


@pytest.fixture
def collector(qapp) -> Iterator[Collector]:
    """Garbage is collected as in the program."""
    made = Collector(qapp)
    made.begin()
    yield made
    made.end()


def _held(watch: LoopWatch, collector: Collector) -> Held:
    """What the program holds when nobody works with it; looking is no part of the work."""
    watch.begin("measured")
    collector.collect_all()
    held = Held.now()
    watch.begin("")
    watch.gaps.pop()
    return held


def _tell(worker: Worker, watch: LoopWatch, seconds: float) -> None:
    actions = len(worker.done)
    long = sorted(watch.gaps, key=lambda gap: gap.busy_ms, reverse=True)
    print(f"\n{actions:,} actions in {seconds:.0f} s, {1e3 * seconds / actions:.1f} ms each")
    print(f"{sum(gap.busy_ms > 100 for gap in long)} of {len(long):,} turns above 100 ms; longest:")
    for gap in long[:_GAPS_TOLD]:
        print(f"  {gap.busy_ms:5.0f} ms {gap.doing}")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_work(qapp, tmp_path, seed, record_property, collector) -> None:
    if not 0 < SECONDS < _TEST_SECONDS:
        # A test that takes as long is taken for one that waits for ever.
        faulthandler.cancel_dump_traceback_later()
    with opened_bench(qapp, tmp_path) as bench, LoopWatch() as watch:
        bench.answers.path = None
        worker = Worker(bench, seed)
        # Work begins when the window has been there for a moment.
        bench.warm_up.finish()
        worker.settle()
        watch.gaps.clear()
        worker.telling = watch.begin
        start = time.monotonic()
        end = start + SECONDS if SECONDS else float("inf")
        begun: Held | None = None
        warm: Held | None = None
        while len(worker.done) < ACTIONS and time.monotonic() < end:
            worker.step()
            # The loop does not sleep here.
            collector.look()
            if len(worker.done) == _BEGUN_ACTIONS:
                begun = _held(watch, collector)
            if len(worker.done) == _WARM_ACTIONS:
                warm = _held(watch, collector)
        seconds = time.monotonic() - start
        worked = _held(watch, collector)
        assert len(worker.done) > 60
        assert worker.undo_all() == worker.start
        _tell(worker, watch, seconds)
        last = _held(watch, collector)
        record_property("actions", len(worker.done))
        record_property("longest_turn_ms", round(watch.longest().busy_ms))
        if begun is not None:
            kept = last.since(begun)
            record_property("kept_mib", kept.resident_bytes // 2**20)
            print(f"kept since {_BEGUN_ACTIONS}: {kept}")
            assert warm is not None or kept.resident_bytes < _KEPT_BYTES
        if warm is not None:
            grown = last.since(warm)
            record_property("grown_mib", grown.resident_bytes // 2**20)
            print(f"grown since {_WARM_ACTIONS}: {worked.since(warm)}; all undone: {grown}")
            assert grown.used_bytes < _FLAT_USED_BYTES
            assert grown.blocks < _FLAT_BLOCKS
            assert grown.resident_bytes < _FLAT_BYTES
        if GAP_MS:
            assert watch.longest().busy_ms <= GAP_MS, watch.longest()
        visible = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
        assert visible == [bench.window]
        assert len(QApplication.allWidgets()) < _KINDS_COUNTED
        bench.window.show_page("plan")

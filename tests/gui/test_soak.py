"""Thousands of random actions: nothing fails, all of it can be undone, nothing is left behind."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui.soak import Worker
from tests.gui.window_kit import opened_bench

ACTIONS = int(os.environ.get("KVW_SOAK_ACTIONS", "5000"))
SECONDS = float(os.environ.get("KVW_SOAK_SECONDS", "15"))
"""A slow machine does fewer actions; 0 for no limit."""
_WARM_ACTIONS = 1_200
"""By then what is kept - pages, presets, ledgers - is there; from then on memory stays flat."""
_BEGUN_ACTIONS = 300
_FLAT_BYTES = 60 * 2**20
_KEPT_BYTES = 130 * 2**20
"""What may still be added to be kept between 300 and 1,200 actions."""
_KINDS_COUNTED = 4_000
"""Widgets that a window of eight scenarios with every page open may hold."""


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_work(qapp, tmp_path, seed, record_property) -> None:
    with opened_bench(qapp, tmp_path) as bench:
        bench.answers.path = None
        worker = Worker(bench, seed)
        # Every page and tab once, so that what is built once does not count as growth.
        for name in ("view.plan",):
            bench.trigger(name)
        end = time.monotonic() + SECONDS if SECONDS else float("inf")
        begun_bytes = warm_bytes = 0
        while len(worker.done) < ACTIONS and time.monotonic() < end:
            worker.step()
            if len(worker.done) == _BEGUN_ACTIONS:
                gc.collect()
                begun_bytes = _resident_bytes()
            if len(worker.done) == _WARM_ACTIONS:
                gc.collect()
                warm_bytes = _resident_bytes()
        assert len(worker.done) > 100
        assert worker.undo_all() == worker.start
        gc.collect()
        last_bytes = _resident_bytes()
        record_property("actions", len(worker.done))
        if begun_bytes:
            record_property("kept_mib", (last_bytes - begun_bytes) // 2**20)
        if warm_bytes:
            record_property("grown_mib", (last_bytes - warm_bytes) // 2**20)
            assert last_bytes - warm_bytes < _FLAT_BYTES
        elif begun_bytes:
            assert last_bytes - begun_bytes < _KEPT_BYTES
        visible = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
        assert visible == [bench.window]
        assert len(QApplication.allWidgets()) < _KINDS_COUNTED
        bench.window.show_page("plan")

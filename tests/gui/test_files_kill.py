"""Killed at any moment, the program loses at most 20 edits or two seconds, and offers the rest."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.gui import kill_program
from tests.gui.window_kit import opened_bench, wait_until
from workbench.library import recovery

ROOT = Path(__file__).parents[2]
KILLS = 10
MOST_LOST_EDITS = 20
MOST_LOST_SECONDS = 2.0


def killed(home: Path, edits: int, delay_seconds: float) -> list[tuple[int, float]]:
    """Run the program, kill it a moment after some edits; return what it said."""
    program = subprocess.Popen(
        [sys.executable, kill_program.__file__, str(home)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert program.stdout is not None
    first = "".join(program.stdout.readline() for _ in range(edits))
    time.sleep(delay_seconds)
    program.send_signal(signal.SIGKILL)
    rest, _ = program.communicate(timeout=30)
    lines = [line.split() for line in (first + rest).splitlines()]
    return [(int(number), float(at)) for number, at in (line for line in lines if len(line) == 2)]


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_killed_at_random_moments(qapp, tmp_path):
    rng = random.Random(20_261_129)
    homes = [tmp_path / str(number) for number in range(KILLS)]
    # Fewer edits than may be lost need not have been written.
    edits = [rng.randrange(MOST_LOST_EDITS + 1, 60) for _ in homes]
    delays = [rng.uniform(0, 0.1) for _ in homes]
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(killed, homes, edits, delays))
    for home, made in zip(homes, said, strict=True):
        (item,) = recovery.pending(home / "state")
        assert item.plan is not None
        kept = item.plan.scenarios[0].workload.lengths.tokens - 1_000
        lost = [at for number, at in made if number > kept]
        assert not lost or len(lost) <= MOST_LOST_EDITS or lost[-1] - lost[0] <= MOST_LOST_SECONDS
    with opened_bench(qapp, homes[0]) as bench:
        bench.offer_recovery()
        wait_until(lambda: "recovered" in bench.messages())

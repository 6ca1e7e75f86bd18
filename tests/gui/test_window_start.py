"""The real program, started as a person starts it and closed by its own window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.gui import sample
from workbench.library import plans

ROOT = Path(__file__).parents[2]

_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui import app

def look():
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "main")
    print(window.windowTitle(), "pyqtgraph" in sys.modules, flush=True)
    QTimer.singleShot(0, window.close)

def later(self, path, begin=app.Workbench.begin):
    begin(self, path)
    QTimer.singleShot(200, look)

app.Workbench.begin = later
path = Path(sys.argv[1]) if len(sys.argv) > 1 else None
raise SystemExit(app.main(path))
"""


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def test_the_program_opens_the_example_and_ends_when_its_window_is_closed():
    done = started()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Untitled[*] – KV Workbench False\n"
    assert "Traceback" not in done.stderr


def test_the_program_opens_a_plan(tmp_path):
    path = tmp_path / "a plan.kvw"
    path.write_bytes(plans.dumps(sample.plan()))
    done = started(str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a plan.kvw[*] – KV Workbench")
    assert started().stdout.startswith("a plan.kvw[*]"), "the last plan comes back"

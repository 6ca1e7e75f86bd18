"""The first paint waits for nothing heavy: pyqtgraph comes after it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.gui import parts
from workbench.gui.explore import loading

ROOT = Path(__file__).parents[2]

_PROGRAM = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
import workbench.gui.app
print("imported", "pyqtgraph" in sys.modules)
app = QApplication(["kvw"])
home = Path(sys.argv[1])
made = workbench.gui.app.Workbench(app, state=home / "state", config=home / "config")
made.begin(None)
heat = made.window.tabs.heat

class Painted(QObject):
    seen = 0
    def eventFilter(self, watched, event):
        Painted.seen += event.type() == QEvent.Type.Paint
        return False

painted = Painted()
heat.installEventFilter(painted)
made.window.show()
end = time.monotonic() + 10
while not painted.seen and time.monotonic() < end:
    app.processEvents()
print("painted", bool(painted.seen), heat.isVisible(), "pyqtgraph" in sys.modules)
end = time.monotonic() + 60
longest = 0.0
while (heat.body is None or heat.body.model.surface is None) and time.monotonic() < end:
    app.processEvents()
    time.sleep(0.001)
print("shown", heat.body is not None, "pyqtgraph" in sys.modules)
made.window.close()
made.end()
"""


def test_the_window_is_painted_before_pyqtgraph_is_imported(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "imported False",
        "painted True True False",
        "shown True True",
    ]
    assert "Traceback" not in done.stderr


def test_a_missing_library_is_said_and_everything_else_works(qtbot, monkeypatch):
    monkeypatch.setattr(loading, "begin", lambda: None)
    monkeypatch.setattr(loading, "ended", lambda: True)
    monkeypatch.setattr(loading, "failure", lambda: ImportError("No module named 'pyqtgraph'"))
    made = parts.Tabs(qtbot, parts.llama())
    view = made.tabs.heat
    qtbot.waitUntil(lambda: "cannot be drawn" in view.note.full_text)
    assert "pyqtgraph" in view.note.full_text
    made.session.set_field("deployment.tp", 8)
    QApplication.processEvents()
    assert made.show("Ledger").table.isVisible()
    made.window.close()

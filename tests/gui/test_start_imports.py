"""What the first paint does not wait for: it is imported when it is wanted, or a turn later."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

_PROGRAM = """
import sys
from pathlib import Path
from workbench.gui.app import Workbench, load_qt
load_qt()
from PySide6 import QtCore, QtWidgets

app = QtWidgets.QApplication(["kvw"])
home = Path(sys.argv[1])
made = Workbench(app, state=home / "state", config=home / "config")
made.begin(None)

class Painted(QtCore.QObject):
    early = None
    def eventFilter(self, watched, event):
        if event.type() == QtCore.QEvent.Type.Paint and self.early is None:
            self.early = {*sys.modules, *vars(QtWidgets)}
        return False

painted = Painted()
made.window.bars_card.bars.installEventFilter(painted)
made.window.show()
while painted.early is None:
    app.processEvents()
print(*sorted(painted.early))
made.window.close()
made.end()
"""

_NOT_YET = frozenset(
    {
        "numpy",
        "pydantic.type_adapter",
        "pyqtgraph",
        # Classes of Qt are made when they are first imported; these have hundreds of constants.
        "QFileDialog",
        "QMessageBox",
        "QStyle",
        # The form and the reasons follow the paint.
        "workbench.core.lint",
        "workbench.gui.panels.findings_panel",
        "workbench.gui.panels.ledger_panel",
        "workbench.gui.panels.scenario_panel",
        # Pages and what is in a list or a dialog.
        "workbench.gui.command_list",
        "workbench.gui.command_popup",
        "workbench.gui.compare.page",
        "workbench.gui.explore.heat_body",
        "workbench.gui.help",
        "workbench.gui.presenter.page",
        "workbench.gui.presets.adopting",
        "workbench.gui.presets.page",
        "workbench.gui.report_dialog",
        "workbench.gui.rescue",
        "workbench.gui.views.ledger_view",
        # Of the core only what the example's verdict needs.
        "workbench.core.compare",
        "workbench.core.engines.vllm",
        "workbench.core.explain",
        "workbench.core.fixes",
        "workbench.core.grid",
        "workbench.core.inputs",
        "workbench.core.solve",
        "workbench.library.engines",
        "workbench.library.preset_edits",
        "workbench.library.published",
        "workbench.library.stale",
        # Engines that the example has no scenario of.
        "workbench.spec.llamacpp",
        "workbench.spec.lmdeploy",
        "workbench.spec.sglang",
        "workbench.spec.trtllm",
        "workbench.spec.vllm",
    }
)


def test_the_first_paint_waits_for_nothing_that_it_does_not_show(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=80,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    early = set(done.stdout.split())
    assert "workbench.gui.bars_view" in early
    assert "QMainWindow" in early
    assert early & _NOT_YET == set()


def test_what_must_not_be_imported_early_is_there_at_all():
    for name in _NOT_YET:
        if name.startswith("workbench."):
            path = ROOT.joinpath(*name.split("."))
            assert path.with_suffix(".py").exists() or path.is_dir(), name

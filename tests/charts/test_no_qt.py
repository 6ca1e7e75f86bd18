from __future__ import annotations

import sys

CODE = """
import sys
for name in ("PySide6", "shiboken6"):
    sys.modules[name] = None
import pkgutil, importlib
import workbench.charts
for module in pkgutil.iter_modules(workbench.charts.__path__):
    importlib.import_module(f"workbench.charts.{module.name}")
from workbench.charts.bars import stacked_bars
from workbench.charts.palette import DARK
from workbench.charts.text import FixedMeasure
print(stacked_bars((), width=100, theme=DARK, measure=FixedMeasure()).background)
"""


def test_charts_need_no_qt(run_offline):
    done = run_offline([sys.executable, "-c", CODE])
    assert (done.stdout.strip(), done.stderr) == ("#1E2126", "")

"""Write pictures of the window, for people to look at: both sizes, both themes.

python packaging/screenshots.py FOLDER [PLAN.kvw]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

# The pictures need no display, and must not show a person's own recent files.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from workbench.gui.app import Workbench, example_plan
from workbench.library import plans
from workbench.spec.scenario import Plan

SIZES = ((1440, 900), (1024, 700))
THEMES = ("light", "dark")


def over_budget(plan: Plan) -> Plan:
    """Return the plan with its last scenario at 128k, so that something does not fit."""
    from workbench.spec.fields import FIELDS

    last = FIELDS["workload.context"].write(plan.scenarios[-1], 131_072)
    return plan.replacing(last.with_(name="128k context"))


def main() -> int:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("plan", type=Path, nargs="?")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.plan is None:
        # `main` is the example as it ships, everything fitting: the picture of the README.
        shown = {"main": example_plan(), "window": over_budget(example_plan())}
    else:
        shown = {"window": plans.load(given.plan).plan}

    from PySide6.QtWidgets import QApplication

    app = QApplication(["kvw"])
    for name, theme, (width, height) in product(shown, THEMES, SIZES):
        path = given.folder / f"{name}-{theme}-{width}x{height}.png"
        _picture(app, shown[name], theme, (width, height), path, explained=name == "window")
        print(path)
    return 0


def _picture(
    app: object, plan: Plan, theme: str, size: tuple[int, int], path: Path, *, explained: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        workbench = Workbench(app, state=home / "state", config=home / "config")
        workbench.verbs.choose_theme(theme)
        workbench.files.show_new(plan)
        window, session = workbench.window, workbench.session
        session.set_current(plan.scenarios[-1].id)
        if explained:
            session.select(plan.scenarios[-1].id, 0, "kv")
        window.resize(*size)
        window.show()
        end = time.monotonic() + 0.6
        while time.monotonic() < end:
            app.processEvents()  # type: ignore[attr-defined]
        window.grab().save(str(path))
        window.close()
        window.deleteLater()
        workbench.end()


if __name__ == "__main__":
    raise SystemExit(main())

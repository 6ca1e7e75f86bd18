"""Write pictures of the window, for people to look at: its pages, sizes, themes, languages.

python packaging/screenshots.py FOLDER [PLAN.kvw] [--only main,compare] [--theme dark]
    [--language zh_CN] [--size 1024x700]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

# The pictures need no display, and must not show a person's own recent files.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QLabel

from workbench.gui.app import Workbench, example_plan
from workbench.gui.tr import translate
from workbench.library import plans
from workbench.spec.scenario import Plan

SIZES = ("1440x900", "1024x700")
THEMES = ("light", "dark", "contrast")
LANGUAGES = ("en", "zh_CN")
SHOTS = ("main", "window", "heatmap", "compare", "presets", "presenter", "palette", "export")
_SETTLE_SECONDS = 1.2
_PATIENCE_SECONDS = 20.0


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
    for name, known, values in (
        ("--only", SHOTS, SHOTS),
        ("--theme", THEMES, THEMES[:2]),
        ("--language", LANGUAGES, LANGUAGES),
    ):
        parser.add_argument(name, type=partial(_listed, known), default=values)
    parser.add_argument("--size", type=lambda text: text.split(","), default=SIZES)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    own = None if given.plan is None else plans.load(given.plan).plan

    from PySide6.QtWidgets import QApplication

    app = QApplication(["kvw"])
    for shot, theme, language, size in product(given.only, given.theme, given.language, given.size):
        path = given.folder / f"{shot}-{theme}-{language}-{size}.png"
        with tempfile.TemporaryDirectory() as home:
            _picture(app, Path(home), shot, own, (theme, language, size), path)
        print(path)
    return 0


def _listed(known: tuple[str, ...], text: str) -> tuple[str, ...]:
    chosen = tuple(text.split(","))
    if not set(chosen) <= set(known):
        raise argparse.ArgumentTypeError(f"{text}: accepted are {', '.join(known)}")
    return chosen


def _picture(
    app: Any, home: Path, shot: str, own: Plan | None, look: tuple[str, str, str], path: Path
) -> None:
    theme, language, size = look
    workbench = Workbench(app, state=home / "state", config=home / "config")
    workbench.verbs.choose_theme(theme)
    workbench.verbs.choose_language(language)  # type: ignore[arg-type]
    # `main` is the example as it ships, everything fitting: the picture of the README.
    plan = own or (example_plan() if shot == "main" else over_budget(example_plan()))
    workbench.files.show_new(plan)
    window, session = workbench.window, workbench.session
    session.set_current(plan.scenarios[-1].id)
    width, height = map(int, size.split("x"))
    window.resize(width, height)
    window.show()
    window.settle()
    _wait(app, workbench)
    _go_to(workbench, shot)
    # The slide takes the whole screen, which has no size that was asked for.
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(width, height)
    _wait(app, workbench)
    shown = app.activePopupWidget() or app.activeModalWidget() or _dialog(window)
    picture = window.grab()
    if shown is not None and shown is not window:
        # A popup is a window of its own; it is drawn where it stands.
        painter = QPainter(picture)
        painter.drawPixmap(window.mapFromGlobal(shown.pos()), shown.grab())
        painter.end()
        shown.close()
    picture.save(str(path))
    window.show_page("plan")
    window.close()
    window.deleteLater()
    workbench.end()


def _dialog(window: Any) -> Any:
    """Return the dialog that stands over the window."""
    return next((one for one in window.findChildren(QDialog) if one.isVisible()), None)


def _go_to(workbench: Workbench, shot: str) -> None:
    session, window = workbench.session, workbench.window
    verbs = {
        "compare": "compare.open",
        "presets": "presets.open",
        "presenter": "view.presenter",
        "palette": "view.commands",
        "export": "file.export",
    }
    if shot in verbs:
        window.actions_by_id[verbs[shot]].trigger()
    elif shot == "heatmap":
        window.tabs.setCurrentIndex(0)
    elif shot == "window":
        session.select(session.plan.scenarios[-1].id, 0, "kv")


def _wait(app: Any, workbench: Workbench) -> None:
    """Let everything be drawn: what is prepared beside the window, such as a map, takes longer."""
    end = time.monotonic() + _SETTLE_SECONDS
    latest = end + _PATIENCE_SECONDS
    while time.monotonic() < end or (_is_busy(workbench) and time.monotonic() < latest):
        app.processEvents()


def _is_busy(workbench: Workbench) -> bool:
    waiting = translate("Explore", "The map is being prepared…")
    labels = workbench.window.findChildren(QLabel)
    return workbench.jobs.busy or any(
        label.isVisible() and label.text() == waiting for label in labels
    )


if __name__ == "__main__":
    sys.exit(main())

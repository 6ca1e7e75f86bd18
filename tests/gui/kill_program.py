"""A program that edits without end and says how far it is; see test_files_kill.py."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tests.gui import sample
from tests.gui.window_kit import Bench

EDIT_MS = 25


def main() -> int:
    app = QApplication(["kvw"])
    bench = Bench(app, Path(sys.argv[1]))
    bench.session.open_plan(sample.plan())
    bench.window.show()
    number = 0

    def edit() -> None:
        nonlocal number
        number += 1
        bench.session.set_field("workload.context", 1_000 + number, merge=object())
        print(f"{number} {time.monotonic()}", flush=True)

    timer = QTimer(app)
    timer.setInterval(EDIT_MS)
    timer.timeout.connect(edit)
    timer.start()
    return app.exec()


if __name__ == "__main__":
    raise SystemExit(main())

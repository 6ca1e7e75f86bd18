"""A program that fails in every place a program can; see test_window_crash.py."""

from __future__ import annotations

import json
import sys
import threading
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QAbstractTableModel, QEvent, QObject, Qt, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from tests.gui import sample
from tests.gui.window_kit import Bench
from workbench.gui.app import load_qt
from workbench.gui.report_dialog import ReportDialog
from workbench.library import recovery


class Fault(Exception):
    pass


kinds: list[type[Exception]] = [Fault]


def fail(*args, **kwargs):
    raise kinds[-1]


def in_slot(bench):
    bench.session.plan_changed.connect(fail)
    bench.session.set_field("workload.context", 2_048)
    bench.session.plan_changed.disconnect(fail)


def in_timer(bench):
    QTimer.singleShot(0, fail)


def in_paint(bench):
    widget = type("W", (QWidget,), {"paintEvent": fail})(bench.window)
    widget.show()


def in_close(bench):
    widget = type("W", (QWidget,), {"closeEvent": fail})(bench.window)
    widget.show()
    widget.close()


def in_event_during_show(bench):
    def event(self, event):
        if event.type() == QEvent.Type.Show:
            fail()
        return QWidget.event(self, event)

    widget = type("W", (QWidget,), {"event": event})(bench.window)
    # Called synchronously: the fault comes back through show itself.
    QTimer.singleShot(0, widget.show)


def fail_in_c(self, event):
    int("no number")


def in_show_by_c(bench):
    widget = type("W", (QWidget,), {"showEvent": fail_in_c})(bench.window)
    # Python waits for show: without a guard this ends the program.
    QTimer.singleShot(0, partial(QWidget.show, widget))


def in_resize_by_c(bench):
    def resized(self, event):
        [][event.size().width()]

    widget = type("W", (QWidget,), {"resizeEvent": resized})(bench.window)
    widget.show()
    QTimer.singleShot(0, partial(QWidget.resize, widget, 7, 7))


def in_key(bench):
    widget = type("W", (QWidget,), {"keyPressEvent": fail})(bench.window)
    widget.show()
    QTimer.singleShot(0, lambda: QTest.keyClick(widget, Qt.Key.Key_A))


def in_resize(bench):
    widget = type("W", (QWidget,), {"resizeEvent": fail})(bench.window)
    widget.show()
    widget.resize(10, 10)


def in_filter(bench):
    def once(self, watched, event):
        # A filter that always fails would also fail whoever shows the report.
        watched.removeEventFilter(self)
        fail()

    watcher = type("F", (QObject,), {"eventFilter": once})(bench.window)
    bench.window.status.installEventFilter(watcher)
    QApplication.postEvent(bench.window.status, QEvent(QEvent.Type.User))


def in_model(bench):
    methods = {"rowCount": lambda *a: 1, "columnCount": lambda *a: 1, "data": fail}
    view = QTableView(bench.window)
    view.setModel(type("M", (QAbstractTableModel,), methods)(view))
    # Large enough for a cell below the heading: only what is painted is asked for.
    view.resize(300, 200)
    view.show()


def in_thread(bench):
    threading.Thread(target=fail).start()


def in_qthread(bench):
    thread = type("T", (QThread,), {"run": fail})(bench.window)
    thread.start()
    thread.wait()


def in_job(bench):
    def failed(error):
        raise error

    bench.jobs.run(fail, fail, failed)


def in_action(bench):
    bench.window.actions_by_id.bind({"help.about": fail})
    QTimer.singleShot(0, bench.window.actions_by_id["help.about"].trigger)


PLACES = {name: value for name, value in list(globals().items()) if name.startswith("in_")}
STEP_MS = 80


def kept_tokens(bench) -> int | None:
    if not bench.recovery.path.exists():
        return None
    kept = recovery.loads(bench.recovery.path.read_bytes(), bench.recovery.path)
    return kept.plan.scenarios[0].workload.lengths.tokens


def main() -> int:
    """Raise in one place after the other under a running event loop; print what came of it."""
    load_qt()
    app = QApplication(["kvw"])
    bench = Bench(app, Path(sys.argv[1]))
    bench.session.open_plan(sample.plan())
    bench.window.show()
    bench.guard.install()
    results: dict[str, dict[str, object]] = {}
    places = iter(PLACES.items())

    def step() -> None:
        found = next(places, None)
        if found is None:
            # Not quit, which asks the window about its unsaved work.
            app.exit(0)
            return
        name, place = found
        kinds.append(type(f"Fault_{name}", (Fault,), {}))
        number = len(results)
        tokens = 1_000 + number
        before = len(bench.guard.reports)
        bench.session.set_field("workload.context", tokens, merge=object())
        # From the loop, as a person's own clicks come.
        QTimer.singleShot(0, partial(place, bench))
        QTimer.singleShot(STEP_MS, partial(judge, name, before, tokens, 100))

    def judge(name: str, before: int, tokens: int, patience: int) -> None:
        if len(bench.guard.reports) == before and patience:
            QTimer.singleShot(STEP_MS, partial(judge, name, before, tokens, patience - 1))
            return
        # A widget that cannot paint would fail again with every repaint.
        for widget in bench.window.findChildren(QWidget):
            if type(widget).__name__ in ("W", "QTableView") and widget.parent() is bench.window:
                shiboken6.delete(widget)
        results[name] = {
            "reports": len(bench.guard.reports) - before,
            "kept": kept_tokens(bench) in (tokens, 2_048),
            "visible": bench.window.isVisible(),
        }
        for dialog in bench.window.findChildren(ReportDialog):
            dialog.close()
        QTimer.singleShot(0, step)

    QTimer.singleShot(0, step)
    app.exec()
    # The same fault three times is one report.
    count = len(bench.guard.reports)
    for delay in (0, 1, 2):
        QTimer.singleShot(delay, fail)
    QTimer.singleShot(10 * STEP_MS, partial(app.exit, 0))
    app.exec()
    same = len(bench.guard.reports) - count
    bench.guard.remove()
    print(json.dumps({"places": results, "again": same, "report": bench.guard.reports[0]}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

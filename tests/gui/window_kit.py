"""The whole window in a test: made, shown, driven by keys and clicks, and put away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from tests.gui import sample
from workbench.gui.app import Workbench
from workbench.gui.dialogs import Unsaved
from workbench.gui.tr import action_text
from workbench.spec.scenario import Plan


class Answers:
    """Stands in for the dialogs and answers as the test says."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.answer: Unsaved = "cancel"
        self.asked: list[str] = []

    def plan_to_open(self, folder: str) -> Path | None:
        self.asked.append("open")
        return self.path

    def plan_to_save(self, start: str) -> Path | None:
        self.asked.append("save")
        return self.path

    def picture_to_save(self, start: str) -> Path | None:
        self.asked.append("picture")
        return self.path

    def export_to_save(
        self, start: str, kind: str, suffix: str, parent: QWidget | None = None
    ) -> Path | None:
        self.asked.append(f"export {suffix}: {start}")
        return self.path

    def template_to_open(self, folder: str, parent: QWidget | None = None) -> Path | None:
        self.asked.append("template")
        return self.path

    def preset_to_open(self, folder: str) -> Path | None:
        self.asked.append("preset to open")
        return self.path

    def preset_to_save(self, start: str) -> Path | None:
        self.asked.append("preset to save")
        return self.path

    def unsaved_preset(self, name: str) -> Unsaved:
        self.asked.append("unsaved preset")
        return self.answer

    def unsaved(self, name: str) -> Unsaved:
        self.asked.append("unsaved")
        return self.answer


class Bench(Workbench):
    """A workbench with answers instead of dialogs, and short names for what tests do."""

    def __init__(self, app: Any, home: Path, **how: Any) -> None:
        super().__init__(app, state=home / "state", config=home / "config", **how)
        self.answers = Answers()
        self.files.dialogs = self.answers  # type: ignore[assignment]

    def trigger(self, action_id: str) -> None:
        self.window.actions_by_id[action_id].trigger()

    def names(self) -> list[str]:
        return [scenario.name for scenario in self.session.plan.scenarios]

    def messages(self) -> list[str]:
        return [message.code for message in self.window.messages.messages()]

    def press(self, code: str) -> None:
        """Press the button of a message."""
        caption = action_text(code)
        buttons = self.window.messages.findChildren(QPushButton)
        click(next(b for b in buttons if b.isVisible() and b.text() == caption))


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(5)


def key(widget: QWidget, which: Qt.Key, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, which, modifiers)


def walked(window: QWidget, which: Qt.Key, most: int = 300) -> list[QWidget]:
    """Press a key until the keyboard is where it began; return where it has been."""
    seen = [window.focusWidget()]
    for _ in range(most):
        key(window.focusWidget(), which)
        if window.focusWidget() is seen[0]:
            return seen
        seen.append(window.focusWidget())
    raise AssertionError("Tab never comes round")


def click(widget: QWidget, at: QPoint | None = None) -> None:
    QTest.mouseClick(
        widget,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        widget.rect().center() if at is None else at,
    )


@contextmanager
def opened_bench(app: Any, home: Path, plan: Plan | None = None, **how: Any) -> Iterator[Bench]:
    bench = Bench(app, home, **how)
    bench.session.open_plan(sample.plan() if plan is None else plan)
    window = bench.window
    # As on a desktop; the offscreen screen is smaller than the window's own size.
    window.resize(window.sizeHint())
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.settle()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    try:
        yield bench
    finally:
        put_away(bench)


def let_paint(bench: Bench) -> None:
    """Let everything follow that is done before the window is painted, and paint it."""
    # What has been laid out anew asks for more.
    for _ in range(3):
        bench.window.settle()
        QCoreApplication.processEvents()
        wait_until(lambda: not bench.window.paint_turn.waits)


def put_away(bench: Bench) -> None:
    bench.jobs.wait(10_000)
    bench.quiet_jobs.wait(10_000)
    QCoreApplication.processEvents()
    bench.session.mark_saved(bench.session.plan)
    bench.session.set_saving(False)
    bench.window.close()
    bench.end()
    bench.window.deleteLater()
    bench.session.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def bench(qapp, tmp_path: Path) -> Iterator[Bench]:
    with opened_bench(qapp, tmp_path) as made:
        yield made

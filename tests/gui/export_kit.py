"""The export dialog in a test: opened by its key, its previews waited for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.window_kit import Bench, key, wait_until
from workbench.gui.export.dialog import ExportDialog

CONTROL = Qt.KeyboardModifier.ControlModifier


def dialog_of(bench: Bench) -> ExportDialog | None:
    """Return the dialog that is open."""
    shown = [d for d in bench.window.findChildren(ExportDialog) if d.isVisible()]
    return shown[0] if shown else None


@pytest.fixture
def dialog(bench: Bench) -> Iterator[ExportDialog]:
    """Give the export dialog of a bench, closed again where the test has not."""
    made = opened(bench)
    yield made
    if dialog_of(bench) is made:
        made.close()


def ready(dialog: ExportDialog) -> ExportDialog:
    """Wait for the preview."""
    wait_until(lambda: not dialog.previews.busy, 20.0)
    return dialog


def opened(bench: Bench) -> ExportDialog:
    """Press Ctrl+E and wait for the preview."""
    bench.window.activateWindow()
    QTest.qWaitForWindowActive(bench.window)
    key(bench.window, Qt.Key.Key_E, CONTROL)
    dialog = dialog_of(bench)
    assert dialog is not None
    QTest.qWaitForWindowExposed(dialog)
    return ready(dialog)


def pick(dialog: ExportDialog, what: str, form: str = "") -> ExportDialog:
    """Choose what, by a click, and the kind of file, by keys; wait for the preview."""
    button = dialog.form.whats[what]  # type: ignore[index]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=button.rect().center() / 8)
    assert dialog.form.what == what
    if form:
        box = dialog.form.format
        box.setFocus()
        key(box, Qt.Key.Key_Home)
        for _ in range(box.findData(form)):
            key(box, Qt.Key.Key_Down)
        assert dialog.form.choice.format == form
    return ready(dialog)


def saved(dialog: ExportDialog) -> str:
    """Wait for the end of a save; return what the dialog says."""
    wait_until(lambda: not dialog.saver.busy, 30.0)
    return dialog.status.full_text

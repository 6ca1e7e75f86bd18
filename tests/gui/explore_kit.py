"""The heat map of a whole window, pointed at by cells."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.window_kit import Bench, wait_until
from workbench.gui import soon
from workbench.gui.explore.heat_view import HeatView
from workbench.spec.fields import FIELDS

NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def ready(view: HeatView) -> Any:
    """Wait until the map is drawn and return its body."""
    wait_until(lambda: view.body is not None and view.body.model.surface is not None, 30)
    body = view.body
    wait_until(lambda: body.model.surface.done and body.chart.plot.width() > 50)
    soon.finish()
    QApplication.processEvents()
    return body


class Map:
    """What a person does at the map."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.session = bench.session
        bench.window.tabs.setCurrentIndex(0)
        self.body = ready(bench.window.tabs.heat)
        self.chart = self.body.chart

    def cell(self, across: object, up: object) -> tuple[int, int]:
        """The place of two values."""
        surface = self.body.model.surface
        place = surface.x.index(across), surface.y.index(up)
        assert None not in place, (across, up, surface.x.values, surface.y.values)
        return place

    def middle(self, across: object, up: object) -> QPoint:
        return self.chart.area_of(self.cell(across, up)).center().toPoint()

    def hover(self, across: object, up: object) -> None:
        QTest.mouseMove(self.chart, self.middle(across, up))
        QApplication.processEvents()

    def click(self, across: object, up: object) -> None:
        at = self.middle(across, up)
        QTest.mouseClick(self.chart, Qt.MouseButton.LeftButton, NONE, at)

    def double_click(self, across: object, up: object) -> None:
        at = self.middle(across, up)
        QTest.mouseClick(self.chart, Qt.MouseButton.LeftButton, NONE, at)
        QTest.mouseDClick(self.chart, Qt.MouseButton.LeftButton, NONE, at)

    def key(self, which: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.chart, which, modifiers)

    def settle(self) -> None:
        """Let the map follow an edit."""
        QTest.qWait(20)
        wait_until(lambda: not self.body.model.busy, 30)
        soon.finish()
        QApplication.processEvents()

    def value(self, field_id: str) -> object:
        return FIELDS[field_id].read(self.session.current)

    def shown_value(self, field_id: str) -> object:
        return FIELDS[field_id].read(self.session.shown(self.session.current_id))

"""The compare page in a test: opened by its action, waited for, read cell by cell."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from tests.gui.window_kit import Bench, key, wait_until
from workbench.gui.compare.cells import Cell, Line
from workbench.gui.compare.page import ComparePage


def opened(bench: Bench) -> ComparePage:
    """Open the page by its action and wait until everything is worked out."""
    bench.trigger("compare.open")
    return settled(bench)


def settled(bench: Bench) -> ComparePage:
    page = bench.window.page_widget("compare")
    assert isinstance(page, ComparePage)
    caught_up(page)
    return page


def caught_up(page: ComparePage) -> None:
    """Wait until the page shows everything that is worked out."""
    QCoreApplication.processEvents()
    wait_until(lambda: not page.busy)


def line(page: ComparePage, line_key: str) -> Line:
    return next(one for one in page.table.lines.lines if one.key == line_key)


def keys(page: ComparePage) -> list[str]:
    return [one.key for one in page.table.lines.lines]


def cell(page: ComparePage, line_key: str, column: int) -> Cell:
    return line(page, line_key).cells[column]


def texts(page: ComparePage, line_key: str) -> list[str]:
    return [one.text for one in line(page, line_key).cells]


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry of a box by keys."""
    texts_of_box = [box.itemText(number) for number in range(box.count())]
    box.setFocus()
    wanted = texts_of_box.index(text)
    key(box, Qt.Key.Key_Home)
    for _ in range(wanted):
        key(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def point_of(page: ComparePage, line_key: str, column: int, *, right: int = -1) -> QPoint:
    """A point of a cell on the viewport: its middle, or so many pixels from its right edge."""
    row = keys(page).index(line_key)
    index = page.table.lines.index(row, column)
    page.table.scrollTo(index)
    rect = page.table.visualRect(index)
    return rect.center() if right < 0 else QPoint(rect.right() - right, rect.center().y())


def click_cell(page: ComparePage, at: QPoint, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, modifiers, at)

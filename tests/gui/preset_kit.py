"""The preset library in a test, driven by clicks and keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from tests.gui import parts
from tests.gui.window_kit import Bench, click, key, wait_until
from workbench.gui import soon
from workbench.gui.presets.page import LibraryPage
from workbench.gui.presets.rows import EditRow
from workbench.gui.tr import action_text
from workbench.library.presets import KINDS, Kind

CONTROL = Qt.KeyboardModifier.ControlModifier


def open_library(bench: Bench) -> LibraryPage:
    """Press the window's key for the library."""
    key(bench.window, Qt.Key.Key_3, CONTROL)
    page = bench.window.page_widget("presets")
    assert isinstance(page, LibraryPage)
    soon.finish()
    return page


def show_kind(page: LibraryPage, kind: Kind) -> None:
    """Click the tab of a kind."""
    index = KINDS.index(kind)
    click(page.kinds, page.kinds.tabRect(index).center())


def find(page: LibraryPage, kind: Kind, text: str) -> None:
    """Search for a preset and choose the first that is found."""
    show_kind(page, kind)
    click(page.search)
    page.search.selectAll()
    QTest.keyClicks(page.search, text)
    parts.follow()


def names(page: LibraryPage) -> list[str]:
    """Return the names in the list."""
    return [item.listed.name for item in page.list.items.items]


def choose(page: LibraryPage, name: str) -> None:
    """Click a line of the list."""
    row = names(page).index(name)
    index = page.list.items.index(row)
    page.list.scrollTo(index)
    click(page.list.viewport(), page.list.visualRect(index).center())


def row_of(page: LibraryPage, path: str) -> EditRow:
    """Return the row of a field in the editor."""
    assert page.editor.form is not None
    rows = [row for group in page.editor.form.groups for row in group.rows]
    return next(row for row in rows if row.field.path == path)


def type_into(row: EditRow, text: str) -> None:
    """Click a row, replace its text and press Enter."""
    line = row.control
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    key(line, Qt.Key.Key_Return)


def press(button: QPushButton) -> None:
    """Click a button that can be clicked."""
    assert button.isVisible()
    assert button.isEnabled()
    click(button)


def save(bench: Bench, page: LibraryPage) -> None:
    """Press Ctrl+S where the keyboard is in the editor, and wait for the disk."""
    draft = page.editor.draft
    assert draft is not None
    here = bench.window.focusWidget()
    assert isinstance(here, QWidget)
    assert page.editor.isAncestorOf(here)
    key(here, Qt.Key.Key_S, CONTROL)
    wait_until(lambda: not draft.saving and not draft.is_unsaved)


def answer(bench: Bench, message: str, code: str) -> None:
    """Wait for a message and press one of its buttons once it is there to be pressed."""
    wait_until(lambda: message in bench.messages())
    caption = action_text(code)

    def offered() -> bool:
        buttons = bench.window.messages.findChildren(QPushButton)
        return any(button.isVisible() and button.text() == caption for button in buttons)

    wait_until(offered)
    bench.press(code)


def settled(bench: Bench) -> None:
    """Let running work end and its outcome arrive."""
    bench.jobs.wait(10_000)
    QTest.qWait(5)
    bench.jobs.deliver()
    parts.follow()

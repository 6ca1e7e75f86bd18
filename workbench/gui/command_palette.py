"""Ctrl+K: everything by its name, in a list over the window; a quiet button says so."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton

from workbench.gui.actions import PALETTE
from workbench.gui.language import follow_language
from workbench.gui.tr import translate

if TYPE_CHECKING:
    from workbench.gui.app import Workbench
    from workbench.gui.command_list import CommandList
    from workbench.gui.command_popup import CommandPopup


class CommandPalette(QObject):
    """Opens the list, which is imported and made when it is first wanted."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._window = bench.window
        self._store = bench.store
        self._popup: CommandPopup | None = None
        self.button = QPushButton(bench.window.menuBar())
        self.button.setProperty("search", True)
        self.button.clicked.connect(self.open)
        bench.window.menuBar().setCornerWidget(self.button, Qt.Corner.TopRightCorner)
        bench.window.actions_by_id.bind({PALETTE: self.open})
        follow_language(self._say)

    @cached_property
    def commands(self) -> CommandList:
        """What the list offers."""
        from workbench.gui.command_list import CommandList

        return CommandList(self._bench)

    @property
    def popup(self) -> CommandPopup:
        """The list."""
        if self._popup is None:
            from workbench.gui.command_popup import CommandPopup

            self._popup = CommandPopup(self.commands, self._store, self._window)
        return self._popup

    def open(self) -> None:
        """Show the list, or put it away."""
        if self.popup.isVisible():
            self.popup.hide()
            return
        menu = self._window.menuBar()
        self.popup.open_over(self._window, menu.height() if menu.isVisible() else 0)

    def _say(self) -> None:
        keys = self._window.actions_by_id[PALETTE].shortcuts()[0]
        shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
        search = translate("Commands", "Search commands…")
        self.button.setText(f"{search}  {shown}")
        self.button.setAccessibleName(search)
        self.button.setAccessibleDescription(
            translate("Commands", "Opens a list of everything that can be done, by name")
        )


def attach(bench: Workbench) -> None:
    """Offer the palette."""
    CommandPalette(bench)

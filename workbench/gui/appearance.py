"""How the window looks: the button that walks through the themes, and patterns in charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolButton

from workbench.gui.language import follow_language
from workbench.gui.tr import translate

if TYPE_CHECKING:
    from workbench.gui.app import Workbench


class Appearance(QObject):
    """Switches the theme and the patterns, and remembers both."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._store = bench.store
        self._themes = bench.themes
        self._actions = bench.window.actions_by_id
        bar = bench.window.strip_bar
        self.button = QToolButton(bar)
        self.button.setText("◐")
        bar.addWidget(self.button)
        self._actions.bind({"view.theme.cycle": self.cycle, "view.patterns": self.show_patterns})
        self.button.clicked.connect(self._actions["view.theme.cycle"].trigger)
        self._actions["view.patterns"].setChecked(self._themes.patterns)
        follow_language(self._say)

    def cycle(self) -> None:
        """Show the next theme."""
        choice = self._themes.cycle()
        self._actions[f"view.theme.{choice}"].setChecked(True)
        self._store.change(theme=choice)

    def show_patterns(self) -> None:
        """Draw the patterns or leave them out, as the action is checked."""
        shown = self._actions["view.patterns"].isChecked()
        self._themes.show_patterns(shown)
        self._store.change(patterns=shown)

    def _say(self) -> None:
        self.button.setAccessibleName(translate("Window", "Light, dark or high contrast"))
        self.button.setAccessibleDescription(translate("Window", "Shows the next theme at once"))
        self.button.setToolTip(translate("Window", "Light, dark or high contrast"))


def attach(bench: Workbench) -> None:
    """Offer the choice of appearance beyond the menu of themes."""
    Appearance(bench)

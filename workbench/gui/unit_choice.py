"""GiB or GB: the unit of every size in the window, chosen in the status bar or the View menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QToolButton

from workbench.gui.language import follow_language, say_again
from workbench.gui.tr import translate
from workbench.spec.units import UnitFamily, show_sizes_in, shown_family

if TYPE_CHECKING:
    from workbench.gui.app import Workbench

_UNITS: Final[dict[UnitFamily, str]] = {"binary": "GiB", "decimal": "GB"}


class UnitChoice(QObject):
    """The button at the end of the status bar, and the two actions behind it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._store = bench.store
        self._actions = bench.window.actions_by_id
        show_sizes_in(bench.store.settings.units)
        self.button = QToolButton(bench.window.status)
        self.button.setProperty("flat", True)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.button)
        self._actions.fill(menu, tuple(f"view.units.{family}" for family in _UNITS), {})
        self.button.setMenu(menu)
        bench.window.status.addPermanentWidget(self.button)
        self._actions.bind(
            {f"view.units.{family}": partial(self.choose, family) for family in _UNITS}
        )
        follow_language(self._say)

    def choose(self, family: UnitFamily) -> None:
        """Show sizes in the other unit everywhere, and remember it."""
        if family != shown_family():
            show_sizes_in(family)
            self._store.change(units=family)
            say_again()

    def _say(self) -> None:
        unit = _UNITS[shown_family()]
        self._actions[f"view.units.{shown_family()}"].setChecked(True)
        self.button.setText(f"{unit} ▾")
        self.button.setAccessibleName(
            translate("Status", "Unit of sizes: {unit}").format(unit=unit)
        )
        self.button.setAccessibleDescription(
            translate("Status", "GiB counts 1024³ bytes, GB counts 10⁹ bytes")
        )


def attach(bench: Workbench) -> None:
    """Offer the choice of the unit."""
    UnitChoice(bench)

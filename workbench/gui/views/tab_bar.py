"""The row of tabs: what does not fit waits in a menu at its end, never half a word in sight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QTabBar, QTabWidget, QToolButton

from workbench.gui.language import follow_language
from workbench.gui.tr import translate

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


def fitting(widths: Sequence[int], current: int, room: int, more: int) -> set[int]:
    """Return the tabs that are shown: the first ones and the current one, or all of them.

    `more` is the width of the menu's button, which stands where not all are; pixels.
    """
    if sum(widths) <= room:
        return set(range(len(widths)))
    shown, taken = {current}, widths[current] + more
    for index, width in enumerate(widths):
        if index != current:
            taken += width
            if taken > room:
                break
            shown.add(index)
    return shown


class TabBar(QTabBar):
    """Arrow keys reach the tabs that are in the menu too."""

    stepped = Signal(int)
    """-1 or +1: to the tab beside the current one."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step to the next tab, in sight or not."""
        by = _STEPS.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(by)

    def width_of(self, index: int) -> int:
        """Return the pixels that a tab takes, hidden or not."""
        return self.tabSizeHint(index).width()


class MoreTabs(QToolButton):
    """Hides what does not fit and offers it as a menu."""

    def __init__(self, tabs: QTabWidget, bar: TabBar) -> None:
        super().__init__(tabs)
        self._tabs, self._bar = tabs, bar
        self.setProperty("flat", True)
        self.setProperty("more", True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        QTabWidget.setTabOrder(bar, self)
        self.hide()
        bar.stepped.connect(self._step)
        tabs.currentChanged.connect(self.fit)
        follow_language(self._say)

    def _say(self) -> None:
        self.setText(translate("Views", "More ▾"))
        self.setAccessibleName(translate("Views", "More tabs"))
        self.setToolTip(translate("Views", "More tabs"))
        self.setAccessibleDescription(
            translate("Views", "Opens a menu of the tabs that have no room")
        )

    def fit(self, _index: int = 0) -> None:
        """Show as many tabs as there is room for."""
        count = self._tabs.count()
        current = self._tabs.currentIndex()
        if current < 0:
            return
        widths = [self._bar.width_of(index) for index in range(count)]
        # Qt puts scroll buttons where the last pixel is taken.
        room = self._tabs.width() - 2
        shown = fitting(widths, current, room, self.sizeHint().width())
        for index in range(count):
            if self._tabs.isTabVisible(index) != (index in shown):
                self._tabs.setTabVisible(index, index in shown)
        left = sum(widths[index] for index in shown)
        self.setGeometry(left, self._bar.y(), self.sizeHint().width(), self._bar.height())
        self.setVisible(len(shown) < count)

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for index in range(self._tabs.count()):
            if not self._tabs.isTabVisible(index):
                action = menu.addAction(self._tabs.tabText(index))
                action.triggered.connect(partial(self._tabs.setCurrentIndex, index))

    def _step(self, by: int) -> None:
        index = self._tabs.currentIndex() + by
        if 0 <= index < self._tabs.count():
            self._tabs.setCurrentIndex(index)

"""Offers the compare view: its verb, its page, and a way in for other parts of the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.gui.app import Workbench
    from workbench.gui.compare.shown import Shown
    from workbench.gui.main_window import MainWindow
    from workbench.library.presets import Kind, Preset

PAGE: Final = "compare"


class Compare(QObject):
    """The compare view of one window; its page is made when it is first shown."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._shown: Shown | None = None
        window = bench.window
        window.add_page(PAGE, self._make)
        window.actions_by_id.bind({"compare.open": self.open})
        window.add_tool("compare.open")

    @property
    def shown(self) -> Shown:
        """What the page compares."""
        from workbench.gui.compare.shown import Shown

        if self._shown is None:
            self._shown = Shown(self._bench.session, self)
        return self._shown

    def open(self) -> None:
        """Compare the scenarios that are picked, or all."""
        self.shown.show_picked()
        self._bench.window.show_page(PAGE)

    def open_presets(self, kind: Kind, presets: Sequence[Preset[Any]]) -> None:
        """Compare models or GPUs side by side, the first of them the baseline."""
        self.shown.show_presets("models" if kind == "models" else "gpus", presets)
        self._bench.window.show_page(PAGE)

    def _make(self) -> QWidget:
        from workbench.gui.compare.page import ComparePage

        window = self._bench.window
        page = ComparePage(
            self._bench.session, self.shown, self._bench.jobs, window.measure, window.pages
        )
        page.leaving.connect(self._leave)
        return page

    def _leave(self) -> None:
        self._bench.window.show_page("plan")


def attach(bench: Workbench) -> None:
    """Offer the compare view."""
    Compare(bench)


def open_presets(window: MainWindow, kind: Kind, presets: Sequence[Preset[Any]]) -> None:
    """Compare presets of one kind in the compare view of a window: models or GPUs."""
    found = window.findChild(Compare)
    if isinstance(found, Compare):
        found.open_presets(kind, presets)

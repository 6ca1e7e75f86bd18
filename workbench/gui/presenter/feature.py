"""F5: the slide over the whole screen, and back to what was there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.gui.app import Workbench

PAGE: Final = "presenter"


class Presenter(QObject):
    """Shows and leaves the slide; its page is made when it is first shown."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._session = bench.session
        self._window = bench.window
        self._before = bench.window.page
        self._state: Qt.WindowState | None = None
        bench.window.add_page(PAGE, self._make, with_strip=False, with_chrome=False)
        bench.window.actions_by_id.bind({"view.presenter": self.toggle})
        bench.window.page_changed.connect(self._follow_page)

    def toggle(self) -> None:
        """Present, or leave."""
        if self._window.page == PAGE:
            self.leave()
            return
        self._before = self._window.page
        self._window.show_page(PAGE)

    def leave(self) -> None:
        """Show the page from which presenting began."""
        self._window.show_page(self._before)

    def _follow_page(self, name: object) -> None:
        """Take the whole screen for the slide, and give it back however the slide was left."""
        window = self._window
        if name == PAGE:
            self._state = window.windowState()
            window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
        elif self._state is not None:
            window.setWindowState(self._state)
            self._state = None

    def _make(self) -> QWidget:
        from workbench.gui.presenter.page import PresenterPage

        page = PresenterPage(self._session, self._window.measure, self._window.pages)
        page.leaving.connect(self.leave)
        return page


def attach(bench: Workbench) -> None:
    """Offer presenter mode."""
    Presenter(bench)

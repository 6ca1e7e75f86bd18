"""F5: the slide over the whole screen, and back to what was there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from workbench.gui import paint_turn

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.gui.app import Workbench

PAGE: Final = "presenter"
_LONGEST_WAIT_MS: Final = 200
"""A desktop may leave the window as large as it was."""


class Presenter(QObject):
    """Shows and leaves the slide; its page is made when it is first shown."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._session = bench.session
        self._window = bench.window
        self._before = bench.window.page
        self._state: Qt.WindowState | None = None
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.timeout.connect(self._show_before)
        bench.window.installEventFilter(self)
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
        """Give the screen back, then show the page from which presenting began.

        That page is laid out once, at the size that the window then has.
        """
        if self._leaving.isActive():
            return
        slide = self._window.page_widget(PAGE)
        if slide is not None:
            # Out of sight it is not fitted to a size at which nobody looks at it.
            slide.hide()
        # Nor is the window seen without any page: the slide stays until the page is there.
        paint_turn.hold(self._window, self)
        self._leaving.start(_LONGEST_WAIT_MS)
        self._give_back_screen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass; the window has its size back."""
        if event.type() == QEvent.Type.Resize and self._leaving.isActive():
            # Not in here: the slide is laid out first.
            self._leaving.start(0)
        return False

    def _show_before(self) -> None:
        self._window.show_page(self._before)

    def _follow_page(self, name: object) -> None:
        """Take the whole screen for the slide, and give it back however the slide was left."""
        self._leaving.stop()
        paint_turn.release(self)
        if name == PAGE:
            self._state = self._window.windowState()
            self._window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
        else:
            self._give_back_screen()

    def _give_back_screen(self) -> None:
        if self._state is not None:
            self._window.setWindowState(self._state)
            self._state = None

    def _make(self) -> QWidget:
        from workbench.gui.presenter.page import PresenterPage

        page = PresenterPage(self._session, self._window.measure, self._window.pages)
        page.leaving.connect(self.leave)
        return page


def attach(bench: Workbench) -> None:
    """Offer presenter mode."""
    Presenter(bench)

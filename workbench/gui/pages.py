"""The pages of the middle: the plan's own, and those that features bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget

PLAN: Final = "plan"
"""The page with the editor, the bars and the tables."""


@dataclass(slots=True)
class Page:
    """A page, made when it is first shown."""

    make: Callable[[], QWidget]
    with_strip: bool = True
    with_chrome: bool = True
    """Menu bar and status bar."""
    widget: QWidget | None = None


class Pages(QStackedWidget):
    """Holds the pages by name and shows one of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, Page] = {}

    def minimumSizeHint(self) -> QSize:
        """Ask for the page in sight alone: what another one needs takes no room from the panels."""
        shown = self.currentWidget()
        return QSize(0, 0) if shown is None or shown.isHidden() else shown.minimumSizeHint()

    def sizeHint(self) -> QSize:
        """As the smallest size."""
        shown = self.currentWidget()
        return QSize(0, 0) if shown is None or shown.isHidden() else shown.sizeHint()

    def add(self, name: str, page: Page) -> None:
        """Offer a page."""
        self._pages[name] = page
        if page.widget is not None:
            self.addWidget(page.widget)

    def names(self) -> Iterator[str]:
        """Yield the names of all pages."""
        yield from self._pages

    def made(self, name: str) -> QWidget | None:
        """Return the widget of a page, None while it has not been shown."""
        return self._pages[name].widget

    def ready(self, name: str) -> tuple[Page, QWidget]:
        """Return a page with its widget, making it now if need be."""
        page = self._pages[name]
        if page.widget is None:
            page.widget = page.make()
            self.addWidget(page.widget)
        return page, page.widget

"""What charts painted from a display list share: they are laid out anew when their look changes.

A chart that is not seen waits: while a window is being made its width and style still change.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.charts.display import DisplayList

_LOOKS = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)


class DrawnChart(QWidget):
    """Keeps the display list that is painted; a subclass draws it in `_redraw`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list: DisplayList | None = None
        self._due = False
        """Whether it is laid out anew when it is next shown."""

    def _redraw(self) -> None:
        """Lay the chart out anew."""
        raise NotImplementedError

    def _redraw_when_seen(self) -> None:
        """Lay the chart out anew, now or when it is shown."""
        self._due = not self.isVisible()
        if self._due:
            self._list = None
            self.updateGeometry()
        else:
            self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out what has changed since it was last seen."""
        super().showEvent(event)
        if self._due:
            self._due = False
            self._redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the chart out for the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._redraw_when_seen()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and font."""
        super().changeEvent(event)
        if event.type() in _LOOKS and self._list is not None:
            self._redraw_when_seen()

"""What charts painted from a display list share: they are laid out anew when their look changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.charts.display import DisplayList

_LOOKS = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)


class DrawnChart(QWidget):
    """Keeps the display list that is painted; a subclass draws it in `_redraw`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._list: DisplayList | None = None

    def _redraw(self) -> None:
        """Lay the chart out anew."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the chart out for the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._redraw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and font."""
        super().changeEvent(event)
        if event.type() in _LOOKS and self._list is not None:
            self._redraw()

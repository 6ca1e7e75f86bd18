"""The bars of a slide: the same as in the window, as large as there is room."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from workbench.charts.display import Text
from workbench.export.raster import QtMeasure
from workbench.gui.bars_view import BarsView
from workbench.gui.paint_turn import Refresh
from workbench.gui.session import Session

_SMALLEST_PX: Final = 13.0
_NAMES: Final = ("row:name", "row:subtitle")
_NAME_STEP: Final = 0.03
_NAME_STEPS: Final = 6
"""Up to 15 % of the size."""


class LargeBars(BarsView):
    """Bars with a text size of their own."""

    def __init__(self, session: Session, measure: QtMeasure, parent: QWidget) -> None:
        self._text_px = _SMALLEST_PX
        super().__init__(session, measure, parent)

    @property
    def text_px(self) -> float:
        """Size of the text, from which the chart takes all others."""
        return self._text_px

    def set_text_px(self, pixels: float) -> None:
        """Draw everything in another size."""
        if pixels != self._text_px:
            self._text_px = pixels
            self._redraw()

    def _em(self) -> float:
        return self._text_px

    def refresh(self) -> None:
        """Draw the session's scenarios while they are looked at."""
        if self.isVisible() or self._list is None:
            super().refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()


def _is_cut(item: object) -> bool:
    return isinstance(item, Text) and item.text.endswith("…")


class SlideBars(QScrollArea):
    """Gives the bars the largest text at which all fit; many bars scroll."""

    def __init__(self, session: Session, measure: QtMeasure, parent: QWidget) -> None:
        super().__init__(parent)
        self.bars = LargeBars(session, measure, self)
        self._largest_px = _SMALLEST_PX
        self._fitting = False
        self._fitted: object = None
        # What makes room or takes it comes in several steps.
        self._soon = Refresh(self._fit, self)
        self.setWidget(self.bars)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.bars.installEventFilter(self)
        self.bars.cursor_moved.connect(self._keep_in_sight)

    def set_largest(self, pixels: float) -> None:
        """Say how large the text of a chart with few bars may become."""
        self._largest_px = max(pixels, _SMALLEST_PX)
        self._soon.ask_unseen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon.ask_unseen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._soon.ask_unseen()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Fit again when there are more bars, or fewer."""
        if watched is self.bars and event.type() == QEvent.Type.Resize and not self._fitting:
            self._soon.ask_unseen()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _fit(self) -> None:
        room = self.viewport().height()
        if not self.isVisible() or room <= 0 or self._fitted == self._measures():
            return
        self._fitting = True
        try:
            largest = self._largest_that_fits(room)
            self.bars.set_text_px(self._with_whole_names(largest))
        finally:
            self._fitting = False
        self._fitted = self._measures()

    def _largest_that_fits(self, room: int) -> float:
        """Search from the size there is: the height grows nearly as the size does."""
        low, high = _SMALLEST_PX, self._largest_px + 1
        pixels, height = self.bars.text_px, self.bars.display_list().height
        if pixels <= low and height > room:
            return low
        while high - low > 1:
            likely = pixels * room // height
            pixels = min(max(likely, low + 1), high - 1)
            height = self._high_at(pixels)
            low, high = (pixels, high) if height <= room else (low, pixels)
        return low

    def _with_whole_names(self, largest: float) -> float:
        """Give a little of the size where that keeps every name whole; more would cost too much."""
        sizes = [
            max(_SMALLEST_PX, largest * (1 - _NAME_STEP * step)) for step in range(_NAME_STEPS)
        ]
        # Each try lays the whole chart out: the ends first.
        if self._names_are_whole(largest) or not self._names_are_whole(sizes[-1]):
            return largest
        return sizes[bisect_left(sizes, True, lo=1, key=self._names_are_whole)]

    def _names_are_whole(self, pixels: float) -> bool:
        self.bars.set_text_px(pixels)
        items = self.bars.display_list().items
        return not any(item.role in _NAMES and _is_cut(item) for item in items)

    def _measures(self) -> object:
        """What the size was chosen for; each try lays the whole chart out."""
        bars = self.bars
        room = (self.viewport().height(), bars.width(), self._largest_px)
        return room, bars.text_px, bars.display_list().height

    def _high_at(self, pixels: float) -> float:
        self.bars.set_text_px(pixels)
        return self.bars.display_list().height

    def _keep_in_sight(self, box: object) -> None:
        if isinstance(box, QRect):
            line = round(self.bars.text_px)
            self.ensureVisible(box.center().x(), box.center().y(), line, box.height() + line)

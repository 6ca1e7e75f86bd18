"""What is seen of chips that do not all fit: whole ones, and an arrow where there are more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QToolButton, QWidget

from workbench.gui.language import follow_language
from workbench.gui.tr import translate


def last_from(first: int, widths: Sequence[int], gap: int, room: int) -> int:
    """Return the last of the chips from the first one on that are whole; at least one is shown."""
    last, taken = first, widths[first]
    while last + 1 < len(widths) and taken + gap + widths[last + 1] <= room:
        last += 1
        taken += gap + widths[last]
    return last


def chosen(wanted: int, first: int, widths: Sequence[int], gap: int, room: int) -> int:
    """Return the first chip to show, as near to the one before as the wanted one allows."""
    first = min(first, wanted)
    while last_from(first, widths, gap, room) < wanted:
        first += 1
    # No room is left empty at the end.
    while first and last_from(first - 1, widths, gap, room) == len(widths) - 1:
        first -= 1
    return first


class _Area(QScrollArea):
    """Scrolls from chip to chip, never to a part of one."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the window."""
        event.ignore()


class StripWindow(QWidget):
    """Chips side by side, in a row that it scrolls."""

    def __init__(self, row: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._widths: tuple[int, ...] = ()
        self._gap = 0
        self._room = 0
        self._first = self._last = 0
        self._at = 0
        self._build(row)
        follow_language(self._say)

    def _build(self, row: QWidget) -> None:
        self.area = _Area(self)
        self.area.setWidget(row)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The row has its width, and the area its range, only once both are laid out.
        self.area.horizontalScrollBar().rangeChanged.connect(self._scroll)
        self.before, self.after = (self._arrow(text, by) for text, by in (("‹", -1), ("›", 1)))
        self._parts = QHBoxLayout(self)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(self.fontMetrics().height() // 4)
        for part in (self.before, self.area, self.after):
            self._parts.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def _arrow(self, text: str, by: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setProperty("narrow", True)
        button.setFixedWidth(self.fontMetrics().height() * 3 // 2)
        # The arrow keys reach every chip.
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(partial(self._turn, by))
        button.hide()
        return button

    def _say(self) -> None:
        for button, said in (
            (self.before, translate("Strip", "Scenarios to the left")),
            (self.after, translate("Strip", "More scenarios")),
        ):
            button.setAccessibleName(said)
            button.setToolTip(said)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the arrows in step with the font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            for button in (self.before, self.after):
                button.setFixedWidth(self.fontMetrics().height() * 3 // 2)

    def fit(self, widths: Sequence[int], gap: int, room: int, wanted: int) -> None:
        """Show the chips, of these widths, in so many pixels, the wanted one among them."""
        self._widths, self._gap, self._room = tuple(widths), gap, room
        self.show_chip(wanted)

    def show_chip(self, wanted: int) -> None:
        """Bring a chip in sight, whole."""
        count = len(self._widths)
        if not count:
            self._first = self._last = self._at = 0
            self._place(0, crowded=False)
            return
        first = min(max(wanted, 0), count - 1)
        total = sum(self._widths) + self._gap * (count - 1)
        crowded, room = total > self._room, self._room
        if crowded:
            room -= 2 * (self.before.width() + self._parts.spacing())
        self._first = chosen(first, min(self._first, count - 1), self._widths, self._gap, room)
        self._last = last_from(self._first, self._widths, self._gap, room)
        seen = self._widths[self._first : self._last + 1]
        self._at = sum(self._widths[: self._first]) + self._gap * self._first
        self._place(sum(seen) + self._gap * (len(seen) - 1), crowded=crowded)

    def _place(self, width: int, *, crowded: bool) -> None:
        for button, more in (
            (self.before, self._first > 0),
            (self.after, self._last < len(self._widths) - 1),
        ):
            # Where either is shown both keep their place: a click moves neither.
            button.setVisible(crowded)
            button.setEnabled(more)
        self.area.setFixedWidth(width)
        self._scroll()

    def _scroll(self) -> None:
        self.area.horizontalScrollBar().setValue(self._at)

    def _turn(self, by: int) -> None:
        self.show_chip(self._last + 1 if by > 0 else self._first - 1)

"""A page of tables one below the other, each under a heading with a sentence of its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.gui.labels import Label, heading, muted
from workbench.gui.views.table import Cell, CopyTable
from workbench.gui.why import Why, set_why


class Block(QWidget):
    """Heading, table, remark; hidden as a whole where there is nothing to show."""

    def __init__(
        self,
        title: str,
        headings: Sequence[str],
        parent: QWidget | None = None,
        *,
        stretch: int = 0,
    ) -> None:
        """`say` changes the words; `headings` says how many there are."""
        super().__init__(parent)
        self.title = heading(title, self)
        self.table = CopyTable(title, headings, self, stretch=stretch)
        self.table.explains_clicks = True
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.remark: Label = muted("", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.fontMetrics().height() // 3)
        layout.addWidget(self.title)
        layout.addWidget(self.table)
        layout.addWidget(self.remark)

    def say(self, title: str, headings: Sequence[str]) -> None:
        """Name the block and its columns."""
        self.title.set_text(title)
        self.table.say(title, headings)

    def show_rows(
        self, rows: Sequence[Sequence[Cell]], remark: str = "", why: Why | None = None
    ) -> None:
        """Show rows at their full height, and a sentence below them with its own why."""
        self.setVisible(bool(rows))
        if not rows:
            return
        self.table.show_rows(rows)
        self._fit()
        self.remark.set_text(remark)
        set_why(self.remark, why)
        self.remark.setVisible(bool(remark))

    def _fit(self) -> None:
        height = self.table.height_of_all()
        if self.table.height() != height:
            self.table.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class Page(QScrollArea):
    """Blocks from top to bottom; scrolls where they are higher than the tab."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QWidget(self)
        em = self.fontMetrics().height()
        self.box = QVBoxLayout(self.body)
        self.box.setContentsMargins(em // 2, em // 2, em // 2, em // 2)
        self.box.setSpacing(em)
        self.setWidget(self.body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def add(self, widget: QWidget) -> None:
        """Add a block below the others."""
        self.box.addWidget(widget)

    def finish(self) -> None:
        """Leave what room is left at the bottom."""
        self.box.addStretch(1)

"""Shows an explanation: headline, exact value, formula, and the tree of inputs and sources."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui.labels import Badge, figure, muted
from workbench.gui.language import follow_language
from workbench.gui.panels.explanation import Explanation
from workbench.gui.panels.tree import RowTree
from workbench.gui.tr import translate


class ExplanationBody(QWidget):
    """The same content in the dock and in the popup."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        em = self.fontMetrics().height()
        self.headline = figure("", self, role="headline")
        self.badge = Badge("", self)
        self._line = line = QHBoxLayout()
        self.where = muted("", self)
        line.addWidget(self.where, 1)
        line.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        self.formula = muted("", self)
        self.band = muted("", self)
        self.tree = RowTree(self)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(em // 3)
        self.box.addWidget(self.headline)
        self.box.addLayout(line)
        for label in (self.formula, self.band):
            self.box.addWidget(label)
        self.box.addWidget(self.tree, 1)
        self.tree.header().sectionResized.connect(self._line_up)
        follow_language(self._say)

    def _say(self) -> None:
        self.tree.setAccessibleName(translate("Panels", "Formula, inputs and sources"))

    def show_explanation(self, said: Explanation) -> None:
        """Show what is said about a number."""
        self.headline.set_text(said.headline)
        self.badge.set_text(said.badge)
        for widget, text in (
            (self.where, said.where),
            (self.formula, said.formula),
            (self.band, said.band),
        ):
            widget.set_text(text)
            widget.setVisible(bool(text))
        self.badge.setVisible(bool(said.badge))
        self.badge.updateGeometry()
        self.tree.show_rows(said.rows, open_up_to=said.open_up_to)
        self._line_up()

    def _line_up(self) -> None:
        """Put the badge above those of the rows, which begin at one place."""
        tree, spare = self.tree, 0
        if tree.badge_room:
            beside = tree.width() - tree.viewport().geometry().right()
            spare = max(0, beside + tree.badge_room - tree.badge_width(self.badge.text()))
        margins = QMargins(0, 0, spare, 0)
        if margins != self._line.contentsMargins():
            self._line.setContentsMargins(margins)

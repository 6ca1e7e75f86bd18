"""The right dock: why a number is what it is, and below it what there is to point out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from workbench.gui.paint_turn import Refresh
from workbench.gui.session import Session
from workbench.gui.soon import Turn

if TYPE_CHECKING:
    from workbench.gui.panels.findings_panel import FindingsPanel
    from workbench.gui.panels.ledger_panel import LedgerPanel


class Reasons(QSplitter):
    """Keeps the place of both panels, which are made after the first paint or when asked.

    The answer is painted first: a window is there a tenth of a second sooner.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._session = session
        self._why: LedgerPanel | None = None
        self._findings: FindingsPanel | None = None
        self.setChildrenCollapsible(False)
        self._by_person = False
        """Whether somebody has shared the height."""
        # Rows and findings are not seen at the heights of what was there before.
        self._share = Refresh(self._share_height, self, Turn.WHY)
        self.splitterMoved.connect(self._keep)

    @property
    def why(self) -> LedgerPanel:
        """The panel "Why this number"."""
        return self.fill()[0]

    @property
    def findings(self) -> FindingsPanel:
        """The findings and assumptions."""
        return self.fill()[1]

    def steps(self) -> tuple[Callable[[], object], ...]:
        """What fills the places, in parts that are short enough for one turn of the loop each."""
        return (self._load, self._make_why, self.fill)

    def _load(self) -> None:
        from workbench.gui.panels import findings_panel, ledger_panel  # noqa: F401

    def _make_why(self) -> LedgerPanel:
        if self._why is None:
            from workbench.gui.panels.ledger_panel import LedgerPanel

            self._why = LedgerPanel(self._session, self)
            # Both come into sight together.
            self._why.hide()
        return self._why

    def fill(self) -> tuple[LedgerPanel, FindingsPanel]:
        """Make and show the panels, once."""
        why = self._make_why()
        if self._findings is None:
            from workbench.gui.panels.findings_panel import FindingsPanel

            self._findings = FindingsPanel(self._session, self)
            self.addWidget(why)
            self.addWidget(self._findings)
            why.show()
            self.setStretchFactor(0, 3)
            self.setStretchFactor(1, 2)
            self.setSizes([3_000, 2_000])
            why.tree.grown.connect(self._share.ask_unseen)
            self._share.ask_unseen()
        return why, self._findings

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another height anew."""
        super().resizeEvent(event)
        if self._findings is not None:
            self._share.ask_unseen()

    def _keep(self) -> None:
        self._by_person = True

    def _share_height(self) -> None:
        """Give the rows above what they take, up to their part; the findings have the rest."""
        if self._by_person or self._why is None or self._findings is None:
            return
        height = self.height() - self.handleWidth()
        tree = self._why.tree
        most, around = height * 3 // 5, self._why.height() - tree.viewport().height()
        above = min(around + tree.rows_height(most), most)
        if self.sizes()[0] != above:
            self.setSizes([above, height - above])

"""The tabs below the bars. Each page builds itself when it is first shown."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.views.blocks_view import BlocksView
from workbench.gui.views.capacity_view import CapacityView
from workbench.gui.views.defaults_view import DefaultsView
from workbench.gui.views.groups_view import GroupsView
from workbench.gui.views.ledger_view import LedgerView
from workbench.gui.views.lengths_view import LengthsView
from workbench.gui.views.scaling_view import ScalingView
from workbench.gui.views.upgrade_view import UpgradeView


class ExplorerTabs(QTabWidget):
    """Tables of the current scenario, one subject a tab."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(session)

    def _build(self, session: Session) -> None:
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.ledger = LedgerView(session, self)
        self.groups = GroupsView(session, self)
        self.capacity = CapacityView(session, self)
        self.lengths = LengthsView(session, self)
        self.blocks = BlocksView(session, self)
        self.scaling = ScalingView(session, self)
        self.defaults = DefaultsView(session, self)
        self.upgrade = UpgradeView(session, self)
        for view in (
            self.ledger,
            self.groups,
            self.capacity,
            self.lengths,
            self.blocks,
            self.scaling,
            self.defaults,
            self.upgrade,
        ):
            self.addTab(view, "")
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Views", "Explorer"))
        self.tabBar().setAccessibleName(translate("Views", "Explorer tabs"))
        self.tabBar().setAccessibleDescription(
            translate("Views", "Arrow keys or 1 to 8 change the tab")
        )
        for view, title in (
            (self.ledger, translate("Views", "Ledger")),
            (self.groups, translate("Views", "Groups")),
            (self.capacity, translate("Views", "Capacity")),
            (self.lengths, translate("Views", "Lengths")),
            (self.blocks, translate("Views", "Blocks")),
            (self.scaling, translate("Views", "Scaling")),
            (self.defaults, translate("Views", "Defaults")),
            (self.upgrade, translate("Views", "Upgrade")),
        ):
            self.setTabText(self.indexOf(view), title)

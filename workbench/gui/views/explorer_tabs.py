"""The tabs below the bars. Each page builds itself when it is first shown."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget

from workbench.gui.explore.heat_view import HeatView
from workbench.gui.language import follow_language
from workbench.gui.panels.assumed import assumptions
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.views.assumptions_view import AssumptionsView
from workbench.gui.views.blocks_view import BlocksView
from workbench.gui.views.capacity_view import CapacityView
from workbench.gui.views.defaults_view import DefaultsView
from workbench.gui.views.groups_view import GroupsView
from workbench.gui.views.ledger_view import LedgerView
from workbench.gui.views.lengths_view import LengthsView
from workbench.gui.views.scaling_view import ScalingView
from workbench.gui.views.upgrade_view import UpgradeView

_COUNT_MS: Final = 50


class ExplorerTabs(QTabWidget):
    """Views of the current scenario, one subject a tab; the heat map comes first."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._build(session)
        follow_language(self._say)
        # A number on a tab can wait until the rest of the window is right.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_COUNT_MS)
        self._soon.timeout.connect(self._count)
        for changed in (session.plan_changed, session.current_changed, session.preview_changed):
            changed.connect(self._recount)
        session.vary_wanted.connect(self._show_heat)

    def _build(self, session: Session) -> None:
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.heat = HeatView(session, self)
        self.lengths = LengthsView(session, self)
        self.ledger = LedgerView(session, self)
        self.assumptions = AssumptionsView(session, self)
        self.groups = GroupsView(session, self)
        self.capacity = CapacityView(session, self)
        self.blocks = BlocksView(session, self)
        self.scaling = ScalingView(session, self)
        self.defaults = DefaultsView(session, self)
        self.upgrade = UpgradeView(session, self)
        for view in (
            self.heat,
            self.lengths,
            self.ledger,
            self.assumptions,
            self.groups,
            self.capacity,
            self.blocks,
            self.scaling,
            self.defaults,
            self.upgrade,
        ):
            self.addTab(view, "")

    def _say(self) -> None:
        self.setAccessibleName(translate("Views", "Explorer"))
        bar = self.tabBar()
        bar.setAccessibleName(translate("Views", "Explorer tabs"))
        for button in bar.findChildren(QToolButton):
            # Qt names these two only once, in the language of the start.
            left = button.objectName() == "ScrollLeftButton"
            button.setAccessibleName(
                translate("Views", "Tabs to the left") if left else translate("Views", "More tabs")
            )
        bar.setAccessibleDescription(translate("Views", "Arrow keys or 1 to 9 change the tab"))
        for view, title in (
            (self.heat, translate("Views", "Heat map")),
            (self.lengths, translate("Views", "Lengths")),
            (self.ledger, translate("Views", "Ledger")),
            (self.assumptions, translate("Views", "Assumptions")),
            (self.groups, translate("Views", "Groups")),
            (self.capacity, translate("Views", "Capacity")),
            (self.blocks, translate("Views", "Blocks")),
            (self.scaling, translate("Views", "Scaling")),
            (self.defaults, translate("Views", "Defaults")),
            (self.upgrade, translate("Views", "Upgrade")),
        ):
            self._name(view, title)
        self._count()

    def _name(self, view: QWidget, title: str) -> None:
        place = self.indexOf(view)
        if self.tabText(place) != title:
            self.setTabText(place, title)

    def _recount(self, _: object = None) -> None:
        self._soon.start()

    def _count(self) -> None:
        """Say on the tab how much is assumed."""
        current_id = self._session.current_id
        title = translate("Views", "Assumptions")
        if current_id is not None:
            number = len(assumptions(self._session.ledger(current_id).worst_rank))
            title = translate("Views", "Assumptions {number}").format(number=number)
        self._name(self.assumptions, title)

    def _show_heat(self, _field: object) -> None:
        self.setCurrentWidget(self.heat)

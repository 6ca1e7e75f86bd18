"""The tabs below the bars. Each page builds itself when it is first shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget

from workbench.gui.explore.heat_view import HeatView
from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import translate
from workbench.gui.views.tab_bar import MoreTabs, TabBar
from workbench.gui.views.view import View


class _Later:
    """A view that is imported and made when its tab is first shown, or when it is asked for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, tabs: ExplorerTabs, owner: type) -> Any:
        return tabs.view(self._name)


class ExplorerTabs(QTabWidget):
    """Views of the current scenario, one subject a tab; the heat map comes first."""

    lengths = _Later()
    ledger = _Later()
    assumptions = _Later()
    groups = _Later()
    capacity = _Later()
    blocks = _Later()
    scaling = _Later()
    defaults = _Later()
    upgrade = _Later()
    engines = _Later()

    NAMES: Final = (
        "heat",
        "lengths",
        "ledger",
        "assumptions",
        "groups",
        "capacity",
        "blocks",
        "scaling",
        "defaults",
        "upgrade",
        "engines",
    )
    """The tabs from left to right."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._hints: tuple[QSize, QSize] | None = None
        self._build(session)
        follow_language(self._say)
        # A number on a tab can wait until the rest of the window is right.
        self._soon = Soon(self._count, self, Turn.COUNTS)
        for changed in (session.plan_changed, session.current_changed, session.preview_changed):
            changed.connect(self._recount)
        session.vary_wanted.connect(self._show_heat)

    def event(self, event: QEvent) -> bool:
        """Lay the tabs out anew only when a page asks for another room.

        Qt would paint all of them whenever a text inside changes.
        """
        if event.type() == QEvent.Type.LayoutRequest:
            hints = self.sizeHint(), self.minimumSizeHint()
            if hints == self._hints:
                return True
            self._hints = hints
            done = super().event(event)
            self.more.fit()
            return done
        return super().event(event)

    def _build(self, session: Session) -> None:
        self.setDocumentMode(True)
        bar = TabBar(self)
        self.setTabBar(bar)
        bar.setDrawBase(False)
        self.heat = HeatView(session, self)
        self._views: dict[str, View] = {"heat": self.heat}
        self._places: dict[str, QWidget] = {name: QWidget(self) for name in self.NAMES[1:]}
        for name in self.NAMES:
            self.addTab(self._views.get(name) or self._places[name], "")
        self.currentChanged.connect(self._show_view)
        self.more = MoreTabs(self, bar)

    def view(self, name: str) -> View:
        """Return the view of a tab, made if need be."""
        if name not in self._views:
            module = import_module(f"workbench.gui.views.{name}_view")
            made: View = getattr(module, f"{name.capitalize()}View")(self._session, self)
            self._views[name] = made
            self._put(name, made)
        return self._views[name]

    def _put(self, name: str, view: View) -> None:
        """Put a view where its place was kept."""
        index, shown = self.NAMES.index(name), self.currentIndex()
        was_blocked = self.blockSignals(True)
        self.insertTab(index, view, self.tabText(index))
        self.setCurrentIndex(shown)
        self.removeTab(index + 1)
        self.blockSignals(was_blocked)
        self._places.pop(name).deleteLater()
        self.more.fit()

    def _show_view(self, index: int) -> None:
        self.view(self.NAMES[index])

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
        for name, title in (
            ("heat", translate("Views", "Heat map")),
            ("lengths", translate("Views", "Lengths")),
            ("ledger", translate("Views", "Ledger")),
            ("assumptions", translate("Views", "Assumptions")),
            ("groups", translate("Views", "Groups")),
            ("capacity", translate("Views", "Capacity")),
            ("blocks", translate("Views", "Blocks")),
            ("scaling", translate("Views", "Scaling")),
            ("defaults", translate("Views", "Defaults")),
            ("upgrade", translate("Views", "Upgrade")),
            ("engines", translate("Views", "Engines")),
        ):
            self._name(name, title)
        self._count()

    def _name(self, name: str, title: str) -> None:
        place = self.NAMES.index(name)
        if self.tabText(place) != title:
            self.setTabText(place, title)
            self.more.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._soon.ask()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.more.fit()

    def _recount(self, _: object = None) -> None:
        if self.isVisible():
            self._soon.ask()

    def _count(self) -> None:
        """Say on the tab how much is assumed."""
        current_id = self._session.current_id
        title = translate("Views", "Assumptions")
        if current_id is not None:
            from workbench.gui.panels.assumed import assumptions

            number = len(assumptions(self._session.ledger(current_id).worst_rank))
            title = translate("Views", "Assumptions {number}").format(number=number)
        self._name("assumptions", title)

    def _show_heat(self, _field: object) -> None:
        self.setCurrentWidget(self.heat)

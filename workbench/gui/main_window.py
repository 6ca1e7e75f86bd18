"""The main window: strip above, editor left, answer in the middle, reasons right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QMainWindow,
    QSizePolicy,
    QTabBar,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.export.raster import QtMeasure
from workbench.gui import place, soon
from workbench.gui.actions import Actions
from workbench.gui.bars_card import BarsCard
from workbench.gui.docks import Dock
from workbench.gui.files import Files
from workbench.gui.focus import step
from workbench.gui.form import Form
from workbench.gui.labels import visible
from workbench.gui.language import follow_language, on_language
from workbench.gui.later import AfterPaint
from workbench.gui.message_bar import MessageBar
from workbench.gui.messages import Message
from workbench.gui.pages import PLAN, Page, Pages
from workbench.gui.paint_turn import PaintTurn
from workbench.gui.reasons import Reasons
from workbench.gui.session import Session
from workbench.gui.status_line import StatusLine
from workbench.gui.store import SettingsStore
from workbench.gui.strip import ScenarioStrip
from workbench.gui.tr import translate
from workbench.gui.verbs import Verbs
from workbench.gui.verdict_line import VerdictLine
from workbench.gui.views.explorer_tabs import ExplorerTabs

if TYPE_CHECKING:
    from workbench.gui.panels.scenario_panel import ScenarioPanel

# In heights of a line of text, about 16 pixels at the default font.
_LEFT_LINES = 21
_RIGHT_LINES = 21
_NARROW_LINES = 75
_DEFAULT_LINES = (90, 56)
_SMALLEST_LINES = (64, 43)
_COMPACT_LINES = 42
_CALM_LINES = 17
_TABLE_LINES = 15
"""What is below the bars has so much before they are thick, and before they are whole."""
_TITLES_LINES = 3
"""The window's title bar and a panel of the desktop."""
_TAB_KEYS = 9


class _Rest(QFrame):
    """Takes the height that is left; wrapped text inside must not claim more."""

    def hasHeightForWidth(self) -> bool:
        """Say no, whatever is inside."""
        return False


class MainWindow(QMainWindow):
    """Puts the parts together; what they do is in `Verbs`."""

    page_changed = Signal(object)
    """Name of the page now shown."""
    dropped = Signal(object)
    """Names of the local files that were dropped on the window, none for one from elsewhere."""

    def __init__(self, session: Session, files: Files, store: SettingsStore, verbs: Verbs) -> None:
        super().__init__()
        self._session = session
        self._files = files
        self._store = store
        self._narrow: bool | None = None
        self._closing = False
        self._docks_shown: list[QWidget] = []
        self.page = PLAN
        self.verbs = verbs
        self.measure = QtMeasure()
        self.paint_turn = PaintTurn(self)
        self._build()
        verbs.attach(self)
        session.state_changed.connect(self._show_title)
        session.message.connect(self.show_message)
        session.selection_changed.connect(self._raise_why)
        session.focus_field.connect(self._raise_editor)
        self._show_title()
        follow_language(self._say)
        on_language(self._show_title)
        self._restore_place()

    # Building

    def _build(self) -> None:
        self.setObjectName("main")
        self.setAcceptDrops(True)
        # Smaller than two columns of panels take: a narrow window shows them as one.
        self.setMinimumSize(self.minimumSizeHint())
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks)
        for area in (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea):
            self.setTabPosition(area, QTabWidget.TabPosition.North)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.actions_by_id = Actions(self)
        self._build_strip()
        self._build_centre()
        self._build_docks()
        self.status = StatusLine(self._session, self._files, self)
        self.setStatusBar(self.status)
        for index in range(min(self.tabs.count(), _TAB_KEYS)):
            shortcut = QShortcut(QKeySequence(str(index + 1)), self)
            shortcut.activated.connect(self._show_tab)
            shortcut.setProperty("tab", index)

    def _build_strip(self) -> None:
        bar = QToolBar(self)
        bar.setObjectName("strip")
        bar.setMovable(False)
        bar.setFloatable(False)
        self.strip = ScenarioStrip(self._session, bar)
        bar.addWidget(self.strip)
        self.undo_button = self._tool("↶", bar)
        self.redo_button = self._tool("↷", bar)
        self.language_button = self._tool("EN|中", bar)
        self.addToolBar(bar)
        self.strip_bar = bar

    def add_tool(self, action_id: str) -> QToolButton:
        """Put a button for an action at the right end of the strip."""
        button = QToolButton(self.strip_bar)
        button.setDefaultAction(self.actions_by_id[action_id])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.strip_bar.addWidget(button)
        return button

    def _say(self) -> None:
        self.strip_bar.setWindowTitle(translate("Window", "Scenarios"))
        self.undo_button.setAccessibleName(translate("Window", "Undo"))
        self.redo_button.setAccessibleName(translate("Window", "Redo"))
        self.left.set_title(translate("Window", "Scenario"))
        self.right.set_title(translate("Window", "Why this number"))
        self._name_panel_tabs()

    def _tool(self, symbol: str, bar: QToolBar) -> QToolButton:
        button = QToolButton(bar)
        button.setText(symbol)
        bar.addWidget(button)
        return button

    def _build_centre(self) -> None:
        em = self.fontMetrics().height()
        self.middle = QWidget(self)
        self.middle.setObjectName("centre")
        self.messages = MessageBar(self.middle)
        self.pages = Pages(self.middle)
        self.centre = QWidget(self.pages)
        self.verdict = VerdictLine(self._session, self.centre)
        self.bars_card = BarsCard(self._session, self.measure, self.centre)
        explorer = _Rest(self.centre)
        explorer.setProperty("card", True)
        # The bars take what they need first; the tables scroll in the rest.
        explorer.setMinimumHeight(em * 12)
        explorer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.tabs = ExplorerTabs(self._session, explorer)
        inner = QVBoxLayout(explorer)
        inner.setContentsMargins(em // 2, em // 2, em // 2, em // 2)
        inner.addWidget(self.tabs)
        layout = QVBoxLayout(self.centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em * 2 // 3)
        layout.addWidget(self.verdict)
        layout.addWidget(self.bars_card)
        layout.addWidget(explorer, 1)
        for part in (self.centre, self.verdict):
            part.installEventFilter(self)
        self.pages.add(PLAN, Page(lambda: self.centre, widget=self.centre))
        middle = QVBoxLayout(self.middle)
        middle.setContentsMargins(em * 2 // 3, em * 2 // 3, em * 2 // 3, em * 2 // 3)
        middle.setSpacing(em * 2 // 3)
        middle.addWidget(self.messages)
        middle.addWidget(self.pages, 1)
        self.setCentralWidget(self.middle)

    def _build_docks(self) -> None:
        self.form = Form(self._session, self)
        self.reasons = Reasons(self._session, self)
        line = self.fontMetrics().height()
        self.form.setMinimumWidth(_LEFT_LINES * line)
        self.reasons.setMinimumWidth(_RIGHT_LINES * line * 4 // 5)
        self.left = Dock("scenario", self.form, self)
        self.right = Dock("why", self.reasons, self)
        self.right.toggleViewAction().toggled.connect(self._fit_panels)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.left)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.right)
        self._later = AfterPaint(self.bars_card, *self.form.steps(), *self.reasons.steps())

    def settle(self) -> None:
        """Make now what otherwise follows the first paint, and do what follows an edit."""
        self._later.finish()
        soon.finish()

    @property
    def panel(self) -> ScenarioPanel:
        """The form of the current scenario."""
        return self.form.panel

    # Pages of the middle

    def add_page(
        self,
        name: str,
        make: Callable[[], QWidget],
        *,
        with_strip: bool = True,
        with_chrome: bool = True,
    ) -> None:
        """Offer a page that fills the middle; its widget is made when it is first shown."""
        self.pages.add(name, Page(make, with_strip, with_chrome))

    def show_page(self, name: str) -> None:
        """Show a page; the panels at the sides belong to the plan's page alone."""
        if name == self.page:
            return
        page, widget = self.pages.ready(name)
        docks = (self.left, self.right)
        if self.page == PLAN:
            self._docks_shown = [dock for dock in docks if not dock.isHidden()]
        # Out of sight, the old page is not laid out anew for each bar that comes or goes.
        _, old = self.pages.ready(self.page)
        old.hide()
        # Nor do the panels that come back make way for it.
        for around in (self.pages, self.middle):
            around.updateGeometry()
        self.page = name
        for dock in docks:
            dock.setVisible(name == PLAN and dock in self._docks_shown)
            dock.toggleViewAction().setEnabled(name == PLAN)
        self.strip_bar.setVisible(page.with_strip)
        self.menuBar().setVisible(page.with_chrome)
        self.status.setVisible(page.with_chrome)
        self.pages.setCurrentWidget(widget)
        self.page_changed.emit(name)
        widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def page_widget(self, name: str) -> QWidget | None:
        """Return the widget of a page, None while it has not been shown."""
        return self.pages.made(name)

    def panes(self) -> tuple[QWidget, ...]:
        """Return what F6 walks through, in reading order."""
        shown = self.pages.made(self.page)
        if self.page != PLAN and shown is not None:
            return (self.strip, shown)
        return (self.strip, self.panel, self.bars_card, self.tabs, self.right)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab from pane to pane in the order of F6; messages and verdict first in the middle."""
        _, first, *rest = self.panes()
        middle = (self.messages, self.verdict)
        panes = (self.strip_bar, first, *middle, *rest, self.status, self.menuBar())
        return step(panes, self.focusWidget(), forward=forward) or super().focusNextPrevChild(
            forward
        )

    # Place and size

    def sizeHint(self) -> QSize:
        """The size of a first start."""
        return self._lines(*_DEFAULT_LINES)

    def minimumSizeHint(self) -> QSize:
        """The smallest size that shows everything."""
        return self._lines(*_SMALLEST_LINES)

    def _lines(self, across: int, down: int) -> QSize:
        line = self.fontMetrics().height()
        return QSize(across * line, down * line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give a narrow window one column of panels instead of two."""
        super().resizeEvent(event)
        self._fit_panels()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the tables nearly half of the middle, however many bars there are."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            self._share_height()
        return super().eventFilter(watched, event)

    def _share_height(self) -> None:
        """Give the bars what they need as long as a table keeps its heading and six rows."""
        em, height = self.fontMetrics().height(), self.centre.height()
        self.bars_card.set_compact(height < em * _COMPACT_LINES)
        gap = em * 2 // 3
        taken = self.verdict.height() + 2 * gap
        calm, most = (height - taken - em * lines for lines in (_CALM_LINES, _TABLE_LINES))
        share = height * 11 // 20
        self.bars_card.set_room(min(share, calm), max(1, min(share, most)))

    def _name_panel_tabs(self) -> None:
        """Name the tabs that Qt makes for panels in one column."""
        for tabs in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            tabs.setAccessibleName(translate("Window", "Panels"))
            tabs.setAccessibleDescription(translate("Window", "Arrow keys change the panel."))

    def _fit_panels(self, _shown: object = None) -> None:
        if self.right.isHidden():
            # Nothing to share the column with until it is shown again.
            self._narrow = None
            return
        narrow = self.width() < _NARROW_LINES * self.fontMetrics().height()
        if narrow == self._narrow:
            return
        together = self.right in self.tabifiedDockWidgets(self.left)
        self._narrow = narrow
        if self.left.isFloating() or self.right.isFloating():
            return
        if narrow and not together:
            self.tabifyDockWidget(self.left, self.right)
            self.left.raise_()
            self._size_docks()
            self._name_panel_tabs()
        elif not narrow and together:
            self.removeDockWidget(self.right)
            self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.right)
            self.right.show()
            self._size_docks()

    def _size_docks(self) -> None:
        line = self.fontMetrics().height()
        sizes = [_LEFT_LINES * line, _RIGHT_LINES * line]
        self.resizeDocks([self.left, self.right], sizes, Qt.Orientation.Horizontal)

    def _restore_place(self) -> None:
        geometry, state = place.unpacked(self._store.settings.geometry)
        titles = _TITLES_LINES * self.fontMetrics().height()
        room = self.screen().availableSize().shrunkBy(QMargins(0, titles, 0, 0))
        self.resize(self.sizeHint().boundedTo(room).expandedTo(self.minimumSizeHint()))
        if not self.restoreGeometry(geometry) or not self.restoreState(state):
            self._size_docks()

    def _keep_place(self) -> None:
        self.show_page(PLAN)
        self._store.change(geometry=place.packed(self.saveGeometry(), self.saveState()))

    # Following the session

    def _show_title(self) -> None:
        # Qt takes "[*]" for the place of the mark of unsaved changes.
        name = self._files.name.replace("[*]", "[*][*]")
        self.setWindowTitle(f"{visible(name)}[*] – KV Workbench")
        self.setWindowModified(self._session.dirty)

    def show_message(self, message: object) -> None:
        """Show a message, or clear its place when it says nothing."""
        if isinstance(message, Message):
            if message.code:
                self.messages.show_message(message)
            else:
                self.messages.clear_slot(message.slot)

    def _raise_why(self, _selection: object) -> None:
        hidden = self.right in self.tabifiedDockWidgets(self.left)
        if hidden and self._session.explained is not None:
            self.right.raise_()

    def _raise_editor(self, field: object) -> None:
        if self.left in self.tabifiedDockWidgets(self.right):
            self.left.raise_()

    def _show_tab(self) -> None:
        self.tabs.setCurrentIndex(int(self.sender().property("tab")))

    # Coming and going

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files; a chart that is dragged out of this window is none to open."""
        if event.mimeData().hasUrls() and event.source() is None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell which files were dropped."""
        event.acceptProposedAction()
        urls = event.mimeData().urls()
        self.dropped.emit([url.toLocalFile() for url in urls if url.isLocalFile()])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes; a save runs first, then the window closes."""
        if not self._closing and (self._session.dirty or self._session.saving):
            event.ignore()
            self._files.when_settled(self._close_now)
            return
        self._keep_place()
        event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        """Start with the keyboard on the strip, not in a field."""
        super().showEvent(event)
        if self.focusWidget() is None:
            self.strip.focus_current()

    def _close_now(self) -> None:
        self._closing = True
        # Not from inside a close event: Qt takes only one at a time.
        QTimer.singleShot(0, self.close)

    def changeEvent(self, event: QEvent) -> None:
        """Keep sizes in step with the font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._narrow = None

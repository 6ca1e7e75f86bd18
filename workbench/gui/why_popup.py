"""Where "why this number" is answered: in the dock of the plan's page, elsewhere in a popup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from workbench.gui.language import follow_language
from workbench.gui.pages import PLAN
from workbench.gui.tr import translate
from workbench.gui.why import Why, answer_in, ask, why_of

if TYPE_CHECKING:
    from workbench.gui.app import Workbench
    from workbench.gui.main_window import MainWindow
    from workbench.gui.panels.row_model import Row
    from workbench.gui.session import Session

_LINES_WIDE = 26
_LINES_HIGH = 20


def attach(bench: Workbench) -> None:
    """Answer everywhere in the window."""
    answers = Answers(bench.session, bench.window)
    bench.window.actions_by_id.bind({"view.why": answers.ask_here})


class Answers(QObject):
    """Shows what the session explains."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._popup: WhyPopup | None = None
        self._asked_at: QWidget | None = None
        answer_in(window, self.answer)
        session.selection_changed.connect(self._follow)
        window.page_changed.connect(self._close)

    @property
    def popup(self) -> WhyPopup | None:
        """The popup, once there was a need for one."""
        return self._popup

    def answer(self, why: Why, widget: QWidget) -> None:
        """Explain a number that was asked about at a widget."""
        self._asked_at = widget
        self._session.explain(why)
        self._asked_at = None
        if self._in_dock():
            self._window.right.show()
            self._window.right.raise_()

    def ask_here(self) -> None:
        """Ask about what has the keyboard, else about the whole card."""
        widget = QApplication.focusWidget() or self._window
        ask(widget, why_of(widget) or Why(self._session.current_id))

    def _in_dock(self) -> bool:
        return self._window.page == PLAN

    def _follow(self, _selection: object) -> None:
        why = self._session.explained
        if why is None:
            self._close()
        elif not self._in_dock():
            self._show(why)

    def _show(self, why: Why) -> None:
        if self._popup is None:
            self._popup = WhyPopup(self._session, self._window)
        at = self._asked_at or QApplication.focusWidget() or self._window
        self._popup.show_at(why, near(at))

    def _close(self, _page: object = None) -> None:
        if self._popup is not None:
            self._popup.hide()


def near(widget: QWidget) -> QRect:
    """Return the part of the screen that was pointed at, or where the widget lies."""
    area = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    pointed = QCursor.pos()
    return QRect(pointed, pointed) if area.contains(pointed) else area


class WhyPopup(QFrame):
    """The explanation beside the number; Esc or a click elsewhere closes it."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        from workbench.gui.panels.explanation_body import ExplanationBody

        super().__init__(parent, Qt.WindowType.Popup)
        self._session = session
        self.setProperty("card", True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        em = self.fontMetrics().height()
        self.body = ExplanationBody(self)
        self.body.tree.left.connect(self.hide)
        self.body.tree.row_clicked.connect(self._on_row)
        self.body.tree.row_entered.connect(self._on_row)
        box = QVBoxLayout(self)
        box.setContentsMargins(em, em * 2 // 3, em // 2, em // 2)
        box.addWidget(self.body)
        self.resize(em * _LINES_WIDE, em * _LINES_HIGH)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Panels", "Why this number"))

    def show_at(self, why: Why, place: QRect) -> None:
        """Explain a number whose place on the screen is known."""
        from workbench.gui.panels.explanation import explanation

        self.body.show_explanation(explanation(self._session, why))
        room = self.screen().availableGeometry()
        size = self.size()
        below = place.bottom() + 4
        top = below if below + size.height() <= room.bottom() else place.top() - size.height() - 4
        left = min(place.left(), room.right() - size.width())
        self.move(max(room.left(), left), max(room.top(), top))
        self.show()
        self._stay_on_screen()
        self.body.tree.setFocus(Qt.FocusReason.PopupFocusReason)

    def _stay_on_screen(self) -> None:
        """Come back from an edge: shown for the first time it may grow to what it holds."""
        room = self.screen().availableGeometry()
        left = min(self.x(), room.right() + 1 - self.width())
        top = min(self.y(), room.bottom() + 1 - self.height())
        self.move(max(room.left(), left), max(room.top(), top))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget the number, so that it can be asked about again."""
        super().hideEvent(event)
        self._session.explain(None)

    def _on_row(self, row: Row) -> None:
        if row.key is not None and self._session.explained is not None:
            why = self._session.explained
            self._session.select(why.scenario, why.rank, row.key)

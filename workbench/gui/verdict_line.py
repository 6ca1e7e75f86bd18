"""The answer first: one sentence with a symbol, a colour and the constraint that binds."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from workbench.gui.labels import Label, Role, theme_of
from workbench.gui.session import Session
from workbench.gui.strip import SYMBOLS, status_ink
from workbench.gui.tr import translate, words
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status

_ROLES: dict[Status, Role] = {Status.FITS: "success", Status.TIGHT: "warning"}


class VerdictLine(QFrame):
    """Verdict of the current scenario; its left edge has the colour too."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._status: Status | None = None
        self._build()
        session.plan_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.current_changed.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        self.setProperty("card", True)
        self.setAccessibleName(translate("Verdict", "Verdict"))
        self.answer = Label("", self, role="success", selectable=True)
        font = QFont(self.answer.font())
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.12)
        self.answer.setFont(font)
        self.reason = Label("", self, role="muted", selectable=True, elide=True)
        self.reason.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        em = self.fontMetrics().height()
        layout.setContentsMargins(em, em * 2 // 3, em, em * 2 // 3)
        layout.setSpacing(em * 3 // 4)
        layout.addWidget(self.answer)
        layout.addWidget(self.reason, 1)

    def refresh(self) -> None:
        """Show the verdict of the scenario that is looked at."""
        current = self._session.current_id
        if current is None:
            self._status = None
            self.answer.set_role("muted")
            self.answer.set_text(translate("Verdict", "No scenario: add one with +"))
            self.reason.set_text("")
            self.update()
            return
        ledger = self._session.ledger(current)
        status = ledger.verdict.status
        answer, _, reason = spec_words.verdict_text(ledger, words).partition(" · ")
        self._status = status
        self.answer.set_role(_ROLES.get(status, "danger"))
        self.answer.set_text(f"{SYMBOLS[status]} {answer}")
        self.reason.set_text(reason)
        self.setAccessibleDescription(f"{answer} · {reason}" if reason else answer)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card and its coloured edge."""
        super().paintEvent(event)
        if self._status is None:
            return
        em = self.fontMetrics().height()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QPainterPath()
        radius = em * 0.5
        card.addRoundedRect(QRectF(self.rect()), radius, radius)
        edge = QPainterPath()
        edge.addRect(QRectF(0, 0, em * 0.25, self.height()))
        painter.fillPath(card.intersected(edge), QColor(status_ink(theme_of(self), self._status)))
        painter.end()

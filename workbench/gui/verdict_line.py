"""The answer first: one sentence with a symbol, a colour and the constraint that binds."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.gui.chip import SYMBOLS, status_ink
from workbench.gui.labels import Label, Role, theme_of
from workbench.gui.session import Session
from workbench.gui.tr import translate, words
from workbench.gui.why import figure_why, set_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.units import group_digits, show_bytes

_ROLES: dict[Status, Role] = {Status.FITS: "success", Status.TIGHT: "warning"}


def doubt_text(ledger: Ledger) -> str:
    """Say that the fitted figures leave the verdict open; empty where they do not."""
    band = ledger.band
    if band is None or not band.straddles:
        return ""
    return translate(
        "Verdict",
        "Not certain: the fitted figures leave a pool of {low} to {high} per GPU, {few} to {many} "
        "requests, and the verdict differs between the two.",
    ).format(
        low=show_bytes(band.pool_low_bytes),
        high=show_bytes(band.pool_high_bytes),
        few=group_digits(band.most_requests_low),
        many=group_digits(band.most_requests_high),
    )


def range_text(ledger: Ledger) -> str:
    """The range of the most requests; empty where the fitted figures do not move it."""
    band = ledger.band
    if band is None or band.straddles or ledger.most_requests is None:
        return ""
    if ledger.verdict.status not in (Status.FITS, Status.TIGHT):
        # Of an engine that does not start there is nothing to count.
        return ""
    if band.most_requests_low == band.most_requests_high:
        return ""
    return translate("Verdict", "({few} to {many})").format(
        few=group_digits(band.most_requests_low), many=group_digits(band.most_requests_high)
    )


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
        self.answer = Label("", self, role="success", selectable=True, elide=True)
        self.answer.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        font = QFont(self.answer.font())
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.12)
        self.answer.setFont(font)
        self.reason = Label("", self, role="muted", selectable=True, elide=True)
        # The answer comes first; the reason has the room that is left.
        self.reason.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.doubt = Label("", self, role="warning", selectable=True, wrap=True)
        self.doubt.hide()
        em = self.fontMetrics().height()
        line = QHBoxLayout()
        line.setSpacing(em * 3 // 4)
        line.addWidget(self.answer)
        line.addWidget(self.reason, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(em, em * 2 // 3, em, em * 2 // 3)
        layout.setSpacing(em // 4)
        layout.addLayout(line)
        layout.addWidget(self.doubt)

    def refresh(self) -> None:
        """Show the verdict of the scenario that is looked at."""
        current = self._session.current_id
        if current is None:
            self._status = None
            self.answer.set_role("muted")
            self.answer.set_text(translate("Verdict", "No scenario: add one with +"))
            self.reason.set_text("")
            self.doubt.hide()
            self.update()
            return
        ledger = self._session.ledger(current)
        status = ledger.verdict.status
        answer, _, reason = spec_words.verdict_text(ledger, words).partition(" · ")
        self._status = status
        self.answer.set_role(_ROLES.get(status, "danger"))
        self.answer.set_text(f"{SYMBOLS[status]} {answer}")
        reason = " ".join(part for part in (reason, range_text(ledger)) if part)
        self.reason.set_text(reason)
        answered = "over" if ledger.worst_rank.over_bytes else "left"
        set_why(self.answer, figure_why(None, answered), by_click=True)
        set_why(self.reason, figure_why(None, "most_requests"), by_click=True)
        set_why(self.doubt, figure_why(None, "most_requests"), by_click=True)
        doubt = doubt_text(ledger)
        self.doubt.set_text(doubt)
        self.doubt.setVisible(bool(doubt))
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

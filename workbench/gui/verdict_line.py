"""The answer first: one sentence with a symbol, a colour and the constraint that binds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFont,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.charts.rows import SYMBOLS
from workbench.gui.chip import status_ink
from workbench.gui.figures import left_figure
from workbench.gui.fix_buttons import FixButtons, caption
from workbench.gui.fix_search import FixSearch, applied
from workbench.gui.labels import Label, Role, theme_of, visible
from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.tr import translate, words
from workbench.gui.why import Why, figure_why, set_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import group_digits, show_bytes

if TYPE_CHECKING:
    from workbench.core.fixes import Fixes, VerifiedFix

_ROLES: dict[Status, Role] = {Status.FITS: "success", Status.TIGHT: "warning"}
_NARROWEST_EMS: Final = 20
_SHORTEST_REASON_EMS: Final = 7


def doubt_text(ledger: Ledger) -> str:
    """Say that the fitted figures leave the verdict open; empty where they do not."""
    band = ledger.band
    if band is None or not band.straddles:
        return ""
    if band.pool_low_bytes == band.pool_high_bytes:
        return translate(
            "Verdict",
            "Not certain: beside the given pool of {pool} per GPU the fitted figures may take more "
            "than the card has.",
        ).format(pool=show_bytes(band.pool_low_bytes))
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


def verdict_whys(ledger: Ledger) -> tuple[Why, Why]:
    """What the answer asks: what is left; and its reason: how many fit, else what decides."""
    rank, binding = ledger.worst_rank, ledger.verdict.binding
    left = figure_why(None, left_figure(ledger))
    if ledger.verdict.status in (Status.FITS, Status.TIGHT):
        return left, figure_why(None, "most_requests")
    decided = any(entry.kind.value == binding for entry in rank.entries)
    return left, Why(None, binding) if decided else left


class VerdictLine(QFrame):
    """Verdict of the current scenario and what to try; its left edge has the colour too."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._dress: Status | None = None
        self._announced = ""
        self._reasons = ("", "")
        self._search = FixSearch(session.library, self)
        self._search.found.connect(self._offer)
        self._build()
        session.plan_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.current_changed.connect(self.refresh)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Verdict", "Verdict"))
        self.refresh()

    def _build(self) -> None:
        self.setProperty("card", True)
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
        self.no_fix = Label("", self, role="muted", selectable=True, wrap=True)
        self.no_fix.hide()
        self.fixes = FixButtons(self)
        self.fixes.looked_at.connect(self._hint)
        self.fixes.chosen.connect(self._apply)
        em = self.fontMetrics().height()
        self._line = QHBoxLayout()
        self._line.setSpacing(em * 3 // 4)
        self._line.addWidget(self.answer)
        self._line.addWidget(self.reason, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(em, em * 2 // 3, em, em * 2 // 3)
        self._column.setSpacing(em // 4)
        self._column.addLayout(self._line)
        self._column.addWidget(self.fixes)
        self._column.addWidget(self.doubt)
        self._column.addWidget(self.no_fix)

    def refresh(self) -> None:
        """Show the verdict of the scenario that is looked at."""
        current = self._session.current_id
        if current is None:
            self._show_nothing()
            return
        ledger = self._session.ledger(current)
        status = ledger.verdict.status
        answer, _, reason = spec_words.verdict_text(ledger, words).partition(" · ")
        self._dress = spec_words.shown_status(ledger)
        self.answer.set_role(_ROLES.get(self._dress, "danger"))
        self.answer.set_text(f"{SYMBOLS[ledger.verdict.shown]} {answer}")
        reason = " ".join(part for part in (reason, range_text(ledger)) if part)
        decides = status is Status.DOES_NOT_FIT
        self._reasons = (reason, spec_words.decided_text(ledger, words) if decides else reason)
        doubt = doubt_text(ledger)
        self.doubt.set_text(doubt)
        self.doubt.setVisible(bool(doubt))
        self._explain(ledger)
        self._look_for_fixes(self._session.shown(current), status)
        said = f"{answer} · {reason}" if reason else answer
        self.setAccessibleDescription(said)
        self._announce(said)
        self._arrange()
        self.update()

    def _show_nothing(self) -> None:
        self._dress = None
        self._search.stop()
        self.answer.set_role("muted")
        self.answer.set_text(translate("Verdict", "No scenario: add one with +"))
        self._reasons = ("", "")
        self.reason.set_text("")
        self.doubt.hide()
        self.no_fix.hide()
        self.fixes.offer(())
        for label in (self.answer, self.reason, self.doubt, self.no_fix):
            set_why(label, None)
        self.setAccessibleDescription("")
        self.update()

    def _explain(self, ledger: Ledger) -> None:
        """Give each number its why: what is left, what decides, how many fit."""
        left, reason = verdict_whys(ledger)
        set_why(self.answer, left, by_click=True)
        set_why(self.reason, reason, by_click=True)
        set_why(self.doubt, figure_why(None, "most_requests"), by_click=True)
        set_why(self.no_fix, left, by_click=True)

    def _announce(self, said: str) -> None:
        """Tell a screen reader of a new verdict, once nothing is being tried any more."""
        if self._session.preview is not None or said == self._announced:
            return
        first, self._announced = not self._announced, said
        if QAccessible.isActive() and not first:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    # What to try

    def _look_for_fixes(self, scenario: Scenario, status: Status) -> None:
        if status is Status.FITS:
            self._search.stop()
            self._put(None)
            return
        known = self._search.look(scenario, is_preview=self._session.preview is not None)
        if known is not None:
            self._put(known)

    def _offer(self, found: object) -> None:
        """Show what was found."""
        self._put(cast("Fixes", found))
        self._arrange()

    def _put(self, fixes: Fixes | None) -> None:
        """Say what helps, or why nothing does; nothing for None."""
        offered = () if fixes is None else fixes.fixes
        if not offered and any(button.hasFocus() for button in self.fixes.buttons):
            # The keyboard stays with the answer when its button goes.
            self.answer.setFocus(Qt.FocusReason.OtherFocusReason)
        self.fixes.offer(offered)
        reason = ""
        if fixes is not None and fixes.reason is not None:
            reason = spec_words.fill(words(spec_words.NO_FIX[fixes.reason]), fixes.params)
        self.no_fix.set_text(reason)
        self.no_fix.setVisible(bool(reason))

    def _hint(self, looked_at: object) -> None:
        """Show what a fix would make of the bar."""
        fix, scenario = cast("VerifiedFix | None", looked_at), self._shown()
        if fix is not None and scenario is not None:
            self._session.set_ghost(applied(fix.scenario, scenario))
        else:
            self._session.set_ghost(None)

    def _apply(self, chosen: object) -> None:
        fix, scenario = cast("VerifiedFix | None", chosen), self._shown()
        if fix is not None and scenario is not None:
            changed = applied(fix.scenario, scenario)
            self._session.replace_scenario(changed, "apply_fix", name=caption(fix))

    def _shown(self) -> Scenario | None:
        current = self._session.current_id
        return None if current is None else self._session.shown(current)

    # Where things stand

    def _arrange(self) -> None:
        """Put the fixes at the end of the line where they fit, else below it."""
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        gap = self._line.spacing()
        beside = room - self.answer.sizeHint().width() - gap
        wanted = self.fixes.wanted_width()
        full, brief = self._reasons
        advance = self.reason.fontMetrics().horizontalAdvance
        # The reason stays in sight: where it has no room beside the fixes they go below.
        said = advance(visible(brief) + " ") + gap if brief and self.fixes.fixes else 0
        in_line = wanted + said <= beside
        holder = self._line if in_line else self._column
        if holder.indexOf(self.fixes) < 0:
            if in_line:
                self._column.removeWidget(self.fixes)
                self._line.addWidget(self.fixes)
            else:
                self._line.removeWidget(self.fixes)
                self._column.insertWidget(1, self.fixes)
        self.fixes.fit(beside if in_line else room, to_the_right=in_line)
        left = beside - wanted - gap if in_line and self.fixes.fixes else beside
        fits = full == brief or advance(visible(full) + " ") <= left
        self.reason.set_text(full if fits else brief)
        # A few letters of a reason say nothing: it goes first where room is short.
        shortest = self.fontMetrics().height() * _SHORTEST_REASON_EMS
        self.reason.setVisible(left >= shortest or left >= self.reason.sizeHint().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the place for the fixes anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        """The fixes never widen the window."""
        em = self.fontMetrics().height()
        return QSize(em * _NARROWEST_EMS, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card and its coloured edge."""
        super().paintEvent(event)
        if self._dress is None:
            return
        em = self.fontMetrics().height()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QPainterPath()
        radius = em * 0.5
        card.addRoundedRect(QRectF(self.rect()), radius, radius)
        edge = QPainterPath()
        edge.addRect(QRectF(0, 0, em * 0.25, self.height()))
        painter.fillPath(card.intersected(edge), QColor(status_ink(theme_of(self), self._dress)))
        painter.end()

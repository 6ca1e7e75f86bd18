"""The dock below: findings as cards, what is assumed, what is not modelled."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import Final

from pydantic import ValidationError
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.core.explain.asked import counted
from workbench.gui.fields.wording import sentence
from workbench.gui.fix_buttons import HintButton
from workbench.gui.labels import Label, Role, heading, muted, theme_of
from workbench.gui.language import follow_language, on_language
from workbench.gui.messages import Message
from workbench.gui.panels.assumed import Assumption, assumptions
from workbench.gui.panels.scrolling import scrolled
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import labelled, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.why import Why, ask_hint, field_why, set_why
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Finding, Fix, Severity

_SYMBOLS: Final[dict[Severity, tuple[str, Role]]] = {
    "error": ("✖", "danger"),
    "warning": ("▲", "warning"),
    "info": ("i", "accent"),
}
_fixes = count(1)
_ORDER: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}


class FindingCard(QFrame):
    """A finding: symbol, sentence, and a button where a fix exists."""

    entered = Signal(object)
    """Id of the field to change."""
    fixed = Signal(object)
    """The `Fix` to apply."""
    looked_at = Signal(object)
    """The `Fix` whose button is looked at, or None."""

    def __init__(self, finding: Finding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.finding = finding
        self._pressed = False
        self._build()
        self.show_finding(finding)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self._mark = Label("", self, role="danger")
        font = self._mark.font()
        font.setBold(True)
        self._mark.setFont(font)
        self.text = Label("", self, wrap=True)
        self.fix_button = HintButton(self)
        self.fix_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.fix_button.clicked.connect(self._on_fix)
        self.fix_button.hinted.connect(self._on_hint)
        right = QVBoxLayout()
        right.setSpacing(em // 3)
        right.addWidget(self.text)
        right.addWidget(self.fix_button, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout(self)
        row.setContentsMargins(em // 2, em // 2, em // 2, em // 2)
        row.setSpacing(em // 2)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(right, 1)

    @property
    def full_text(self) -> str:
        """The sentence, as it is copied."""
        return self.text.full_text

    def show_finding(self, finding: Finding) -> None:
        """Show another finding in this card."""
        self.finding = finding
        text, severity = words.finding_text(finding, words_tr), _severity(finding.severity)
        symbol, role = _SYMBOLS[finding.severity]
        self._mark.set_role(role)
        self._mark.set_text(symbol)
        self._mark.setAccessibleName(severity)
        self._mark.setToolTip(severity)
        self.text.set_text(text)
        self.setAccessibleName(labelled(severity, text))
        leads = finding.field is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if leads else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)
        goes = translate("Panels", "Enter goes to the field, Ctrl+C copies")
        self.setAccessibleDescription(goes if leads else ask_hint())
        self._show_fix(words.fix_text(finding, words_tr))
        field_id = finding.field
        why = Why(None) if field_id is None else field_why(None, field_id)
        set_why(self, why)
        set_why(self.fix_button, why)

    def _show_fix(self, change: str) -> None:
        if self.fix_button.text() != change:
            self.fix_button.setText(change)
        name = translate("Panels", "Apply: {change}").format(change=change)
        self.fix_button.setAccessibleName(name)
        self.fix_button.setVisible(bool(change))

    def _on_fix(self) -> None:
        self.fixed.emit(self.finding.fix)

    def _on_hint(self, looked_at: object) -> None:
        self.looked_at.emit(self.finding.fix if looked_at else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed and self.rect().contains(event.position().toPoint()):
            self._enter()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._enter()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """Put the sentence on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.full_text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(translate("Panels", "Copy")).triggered.connect(self.copy)
        menu.popup(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.button() == Qt.MouseButton.LeftButton

    def _enter(self) -> None:
        if self.finding.field is not None:
            self.entered.emit(self.finding.field)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1))
        painter.setBrush(QColor(theme.surface))
        radius = self.fontMetrics().height() * 0.45
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()


def _severity(severity: Severity) -> str:
    return {
        "error": translate("Panels", "error"),
        "warning": translate("Panels", "warning"),
        "info": translate("Panels", "note"),
    }[severity]


class FindingsPanel(QWidget):
    """Findings, assumptions and holes of the current scenario."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: object = None
        self.cards: list[FindingCard] = []
        self.assumed: list[Label] = []
        self.missing: list[Label] = []
        self._build()
        self._soon = Soon(self._refresh, self, Turn.FINDINGS)
        session.plan_changed.connect(self._soon.ask)
        session.preview_changed.connect(self._soon.ask)
        session.current_changed.connect(self._refresh)
        self._refresh()
        follow_language(self._say)
        on_language(self._say_again)

    def _say(self) -> None:
        self.setAccessibleName(translate("Panels", "Findings"))
        self.none.set_text(translate("Panels", "Nothing to point out."))

    def _say_again(self) -> None:
        self._shown = None
        self._refresh()

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self._body = QWidget(self)
        self.title = heading("", self._body, selectable=True)
        self._card_box = QVBoxLayout()
        self._card_box.setSpacing(em // 2)
        self.none = muted("", self._body)
        self.assumed_title = heading("", self._body, selectable=True)
        self._assumed_box = QVBoxLayout()
        self._assumed_box.setSpacing(em // 4)
        self.missing_title = heading("", self._body)
        self._missing_box = QVBoxLayout()
        self._missing_box.setSpacing(em // 4)
        box = QVBoxLayout(self._body)
        box.setContentsMargins(em, em * 2 // 3, em * 2 // 3, em)
        box.setSpacing(em // 2)
        box.addWidget(self.title)
        box.addLayout(self._card_box)
        box.addWidget(self.none)
        box.addWidget(self.assumed_title)
        box.addLayout(self._assumed_box)
        box.addWidget(self.missing_title)
        box.addLayout(self._missing_box)
        box.addStretch(1)
        self.area = scrolled(self._body, self)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.addWidget(self.area)
        self.area.verticalScrollBar().rangeChanged.connect(self._end_at_a_line)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 38, super().sizeHint().height())

    def _end_at_a_line(self) -> None:
        """What scrolls is cut below a line, not through it, as long as nobody has scrolled."""
        height, beyond = self.height(), 0
        if self._body.height() > height:
            ends = [end for label in self._body.findChildren(Label) for end in self._ends(label)]
            last = max((end for end in ends if end <= height), default=height)
            # A gap larger than this is no end of a line but one between cards.
            beyond = height - last if height - last < 2 * self.fontMetrics().height() else 0
        self._outer.setContentsMargins(0, 0, 0, beyond)

    def _ends(self, label: Label) -> list[int]:
        """Return where the lines of a label end, in pixels from the top of all."""
        if not label.isVisible():
            return []
        line, top = label.fontMetrics().lineSpacing(), label.mapTo(self._body, QPoint(0, 0)).y()
        return [top + line * (at + 1) for at in range(label.height() // line)]

    # Showing

    def _refresh(self, _: object = None) -> None:
        scenario_id = self._session.current_id
        ledger = None if scenario_id is None else self._session.ledger(scenario_id)
        findings = () if scenario_id is None else self._session.findings(scenario_id)
        ordered = tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))
        assumed = () if ledger is None else assumptions(ledger.worst_rank)
        missing = () if ledger is None else ledger.not_modelled
        # Fields of a finding may be unhashable mappings, so the sentences are compared.
        texts = tuple(
            (f.severity, words.finding_text(f, words_tr), f.field, f.fix) for f in ordered
        )
        shown = (texts, assumed, missing)
        if shown == self._shown:
            return
        self._shown = shown
        self._show_findings(ordered)
        self._show_assumed(assumed)
        self.missing_title.set_text(translate("Panels", "Not modelled"))
        self.missing_title.setVisible(bool(missing))
        lines = [words_tr(words.NOT_MODELLED.get(code, code)) for code in missing]
        self._show_lines(lines, self.missing, self._missing_box)

    def _show_findings(self, findings: tuple[Finding, ...]) -> None:
        number = len(findings)
        self.title.set_text(translate("Panels", "Findings {number}").format(number=number))
        set_why(self.title, Why(None, term=counted("findings", number)))
        for card, finding in zip(self.cards, findings, strict=False):
            card.show_finding(finding)
        for card in self.cards[number:]:
            self._card_box.removeWidget(card)
            card.hide()
            card.deleteLater()
        del self.cards[number:]
        for finding in findings[len(self.cards) :]:
            card = FindingCard(finding, self._body)
            card.entered.connect(self._session.focus_field)
            card.fixed.connect(self._apply)
            card.looked_at.connect(self._hint)
            self._card_box.addWidget(card)
            self.cards.append(card)
        self.none.setVisible(not findings)

    def _show_assumed(self, assumed: tuple[Assumption, ...]) -> None:
        number = len(assumed)
        self.assumed_title.set_text(translate("Panels", "Assumed {number}").format(number=number))
        self.assumed_title.setVisible(bool(assumed))
        set_why(self.assumed_title, Why(None, term=counted("assumed", number)))
        self._show_lines([item.text for item in assumed], self.assumed, self._assumed_box)
        for label, item in zip(self.assumed, assumed, strict=False):
            set_why(label, Why(None, item.entry))

    def _show_lines(self, lines: list[str], labels: list[Label], box: QVBoxLayout) -> None:
        """Show remarks one below the other; labels once made are used again."""
        while len(labels) < len(lines):
            label = muted("", self._body)
            box.addWidget(label)
            labels.append(label)
        for label, line in zip(labels, lines, strict=False):
            label.set_text(line)
            label.show()
        for label in labels[len(lines) :]:
            label.hide()

    # Verbs

    def _hint(self, fix: object) -> None:
        """Show in the bars what a fix would make of the scenario."""
        current, tried = self._session.current_id, None
        if isinstance(fix, Fix) and current is not None:
            with suppress(UserError, ValidationError):
                tried = FIELDS[fix.field].write(self._session.shown(current), fix.value)
        self._session.set_ghost(tried)

    def _apply(self, fix: Fix) -> None:
        self._soon.finish()
        if all(card.finding.fix != fix for card in self.cards):
            # It was offered by an answer that is no more.
            return
        try:
            # A key of its own: a fix is never folded into what was typed just before it.
            self._session.set_field(fix.field, fix.value, merge=("fix", next(_fixes)))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="fix"))
        except ValidationError as error:
            problem = UserError("quantity_refused", sentence=sentence(error, fix.field))
            self._session.tell(Message.of_error(problem, slot="fix"))

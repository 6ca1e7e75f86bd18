"""Up to three fixes as buttons: pointed at they show as an outline in the bars, a click applies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from workbench.charts.rows import SYMBOLS
from workbench.core.budget import ledger_of
from workbench.gui.labels import Label, plain_tip
from workbench.gui.language import on_language
from workbench.gui.tr import sentences, translate, words
from workbench.gui.why import Why, set_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status

if TYPE_CHECKING:
    from workbench.core.fixes import VerifiedFix

_NARROWEST_EMS: Final = 4
_SMALLER: Final = ("requests", "context", "lengths")
"""Fixes that ask for less of what other figures say the card could hold."""


def caption(fix: VerifiedFix) -> str:
    """Say what a fix changes, as short as it can be said."""
    return spec_words.fix_caption(fix.named, words)


def _told(fix: VerifiedFix) -> str:
    """Say it beside figures that use the headroom: as many requests, as long, leave it free."""
    text = caption(fix)
    counts = any(change.code in _SMALLER for change in fix.changes)
    if counts and fix.scenario.headroom_bytes and fix.status is Status.FITS:
        return translate("Verdict", "{change} with headroom").format(change=text)
    return text


class HintButton(QPushButton):
    """A button that tells when it is looked at, by pointer or keyboard."""

    hinted = Signal(object)
    """Whether it is looked at now."""

    def enterEvent(self, event: QEnterEvent) -> None:
        """Begin to be looked at."""
        super().enterEvent(event)
        self.hinted.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Be looked at no longer, unless the keyboard is here."""
        super().leaveEvent(event)
        self.hinted.emit(self.hasFocus())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin to be looked at."""
        super().focusInEvent(event)
        self.hinted.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Be looked at no longer, unless the pointer is here."""
        super().focusOutEvent(event)
        self.hinted.emit(self.underMouse())


class FixButton(HintButton):
    """One fix that was tried."""

    looked_at = Signal(object)
    """The fix, or None when it is no longer looked at."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.fix: VerifiedFix | None = None
        self._full = ""
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hinted.connect(self._tell)

    @property
    def full_text(self) -> str:
        """The caption before it was shortened."""
        return self._full

    def show_fix(self, fix: VerifiedFix) -> None:
        """Offer another fix."""
        self.fix = fix
        self.say()
        if self.isVisible() and (self.hasFocus() or self.underMouse()):
            self._tell(True)

    def say(self) -> None:
        """Say the fix in the language of the window."""
        fix = self.fix
        if fix is None:
            return
        from workbench.core.explain import figure

        text = _told(fix)
        ledger = ledger_of(fix.scenario)
        self._full = f"{text} {SYMBOLS[ledger.verdict.shown]}"
        self.setText(self._full)
        self.setAccessibleName(translate("Verdict", "Try: {change}").format(change=text))
        said = sentences(
            spec_words.fix_cost(fix.named, words), spec_words.verdict_text(ledger, words)
        )
        self.setAccessibleDescription(said)
        self.setToolTip(plain_tip(said))
        set_why(self, Why(None, term=figure(fix.scenario, ledger, "left")))

    def shorten(self, width: int) -> None:
        """Take no more than so many pixels."""
        self.setText(self._full)
        wanted = self.sizeHint().width()
        if wanted > width:
            room = width - (wanted - self.fontMetrics().horizontalAdvance(self._full))
            middle = Qt.TextElideMode.ElideMiddle
            self.setText(self.fontMetrics().elidedText(self._full, middle, room))

    def _tell(self, looked_at: object) -> None:
        self.looked_at.emit(self.fix if looked_at else None)


class FixButtons(QWidget):
    """The word "Try" and the buttons; hidden when there is nothing to try."""

    looked_at = Signal(object)
    """The fix that is pointed at, or None."""
    chosen = Signal(object)
    """The fix to apply."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fixes: tuple[VerifiedFix, ...] = ()
        em = self.fontMetrics().height()
        self.label = Label("", self, role="muted")
        self.buttons: list[FixButton] = []
        """As many as were ever offered at once."""
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(em * 3 // 4)
        row.addStretch(0)
        row.addWidget(self.label)
        row.addStretch(1)
        self.hide()
        self._say()
        on_language(self._say)

    def _say(self) -> None:
        self.label.set_text(translate("Verdict", "Try"))
        for button in self.buttons:
            button.say()

    def _add_button(self) -> None:
        button = FixButton(self)
        self._row.insertWidget(self._row.count() - 1, button)
        button.looked_at.connect(self.looked_at)
        button.clicked.connect(partial(self._choose, button))
        self.buttons.append(button)

    def _choose(self, button: FixButton, _checked: bool = False) -> None:
        self.chosen.emit(button.fix)

    @property
    def fixes(self) -> tuple[VerifiedFix, ...]:
        """What is offered now."""
        return self._fixes

    def offer(self, fixes: tuple[VerifiedFix, ...]) -> None:
        """Offer these fixes; nothing is shown without any."""
        if fixes == self._fixes:
            return
        self._fixes = fixes
        while len(self.buttons) < len(fixes):
            self._add_button()
        for button, fix in zip(self.buttons, fixes, strict=False):
            button.show_fix(fix)
        if not fixes:
            self.hide()

    def wanted_width(self) -> int:
        """Return the pixels that all of it takes in full."""
        for button in self.buttons:
            button.setText(button.full_text)
        widths = [button.sizeHint().width() for button in self._offered()]
        return self.label.sizeHint().width() + sum(widths) + self._gap() * len(widths)

    def fit(self, width: int, *, to_the_right: bool = False) -> None:
        """Show as many fixes as fit a width, the first one always; none is cut off."""
        self._row.setStretch(0, int(to_the_right))
        self._row.setStretch(self._row.count() - 1, int(not to_the_right))
        left = width - self.label.sizeHint().width()
        for number, button in enumerate(self.buttons):
            button.setText(button.full_text)
            shown = number < len(self._fixes)
            if shown and number == 0:
                button.shorten(left - self._gap())
            left -= button.sizeHint().width() + self._gap()
            button.setVisible(shown and (number == 0 or left >= 0))
        self.setVisible(bool(self._fixes))

    def _offered(self) -> list[FixButton]:
        return self.buttons[: len(self._fixes)]

    def _gap(self) -> int:
        return self._row.spacing()

    def minimumSizeHint(self) -> QSize:
        """No wider than a few letters: `fit` decides what is shown."""
        em = self.fontMetrics().height()
        return QSize(em * _NARROWEST_EMS, super().minimumSizeHint().height())

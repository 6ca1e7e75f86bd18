"""The right dock "Why this number": an entry with its formula, inputs and sources."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from workbench.gui.labels import heading
from workbench.gui.language import follow_language, on_language
from workbench.gui.paint_turn import Refresh
from workbench.gui.panels.explain import distinct_ranks, rank_text
from workbench.gui.panels.explanation import explanation, subject_of
from workbench.gui.panels.explanation_body import ExplanationBody
from workbench.gui.panels.row_model import Row
from workbench.gui.session import Session
from workbench.gui.soon import Turn
from workbench.gui.tr import translate
from workbench.gui.why import Why, set_why
from workbench.spec.ledger import Ledger, RankLedger


class LedgerPanel(QWidget):
    """Explains what is selected; without a selection the worst rank's whole stack."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._build()
        self._stale = False
        self._soon = Refresh(self._catch_up, self, Turn.WHY)
        session.plan_changed.connect(self._on_change)
        session.preview_changed.connect(self._on_change)
        session.current_changed.connect(self._on_other)
        session.selection_changed.connect(self._on_other)
        self._refresh()
        follow_language(self._say)
        on_language(self._on_other)

    def _say(self) -> None:
        self.setAccessibleName(translate("Panels", "Why this number"))
        self.title.set_text(translate("Panels", "Why this number"))
        self.back.setText(translate("Panels", "Whole card"))
        self.back.setAccessibleName(translate("Panels", "Show the whole card"))
        self.ranks.setAccessibleName(translate("Panels", "Rank"))
        self.ranks.view().setAccessibleName(translate("Panels", "Rank"))
        self.ranks.setAccessibleDescription(
            translate("Panels", "Ranks that hold different entries")
        )

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.title = heading("", self)
        self.back = QToolButton(self)
        self.back.setProperty("flat", True)
        self.back.clicked.connect(self._clear)
        top = QHBoxLayout()
        top.addWidget(self.title)
        top.addStretch(1)
        top.addWidget(self.back)
        self.body = ExplanationBody(self)
        self.ranks = QComboBox(self)
        self.ranks.activated.connect(self._choose_rank)
        self.tree = self.body.tree
        self.tree.row_clicked.connect(self._on_clicked)
        self.tree.row_entered.connect(self._on_entered)
        self.tree.left.connect(self._clear)
        box = QVBoxLayout(self)
        box.setContentsMargins(em, em * 2 // 3, em // 2, em // 2)
        box.setSpacing(em // 3)
        box.addLayout(top)
        box.addWidget(self.body, 1)
        self.body.box.insertWidget(self.body.box.indexOf(self.tree), self.ranks)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 38, super().sizeHint().height())

    # Showing

    def _on_change(self, _: object = None) -> None:
        """The answer is painted before what explains it."""
        self._stale = True
        if self.isVisible():
            self._soon.ask()

    def _on_other(self, _: object = None) -> None:
        """What explains another number is not seen beside this one."""
        self._stale = True
        if self.isVisible():
            self._soon.ask_unseen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        self._stale = False
        why = self._session.explained
        self.back.setVisible(why is not None)
        self.body.show_explanation(explanation(self._session, why))
        subject = subject_of(self._session, why)
        if subject is None or (why is not None and why.term is not None):
            self.ranks.hide()
        else:
            self._show_ranks(subject.ledger, subject.rank)

    def _show_ranks(self, ledger: Ledger, rank: RankLedger) -> None:
        kinds = distinct_ranks(ledger.ranks)
        self.ranks.setVisible(len(kinds) > 1)
        if len(kinds) <= 1:
            return
        texts = [rank_text(kind, ledger) for kind in kinds]
        if [self.ranks.itemText(i) for i in range(self.ranks.count())] != texts:
            self.ranks.clear()
            for kind, text in zip(kinds, texts, strict=True):
                self.ranks.addItem(text, kind.rank)
        set_why(self.ranks, Why(None, rank=rank.rank))
        at = next(i for i, kind in enumerate(kinds) if kind.entries == rank.entries)
        self.ranks.setCurrentIndex(at)

    # Verbs

    def _choose_rank(self, index: int) -> None:
        why = self._session.explained or Why(self._session.current_id)
        self._session.explain(replace(why, rank=int(self.ranks.itemData(index))))

    def _clear(self) -> None:
        self._session.explain(None)

    def _on_clicked(self, row: Row) -> None:
        if row.field is not None:
            self._session.focus_field.emit(row.field)

    def _on_entered(self, row: Row) -> None:
        """Enter on an entry explains it, on an input goes to its field."""
        # The row may be of the answer before: it is looked up in the one there is now.
        self._soon.finish()
        subject = subject_of(self._session, self._session.explained)
        if row.key is not None and subject is not None:
            self._session.select(subject.scenario_id, subject.rank.rank, row.key)
        else:
            self._on_clicked(row)

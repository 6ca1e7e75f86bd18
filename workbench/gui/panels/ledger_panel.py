"""The right dock "Why this number": an entry with its formula, inputs and sources."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from workbench.gui.labels import Badge, figure, heading, muted, visible
from workbench.gui.language import follow_language, on_language
from workbench.gui.panels import ledger_rows
from workbench.gui.panels.explain import (
    OUTSIDE,
    distinct_ranks,
    rank_of,
    rank_text,
    selected_entries,
)
from workbench.gui.panels.row_model import Row
from workbench.gui.panels.tree import RowTree
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.ledger import Entry, Ledger, RankLedger


class LedgerPanel(QWidget):
    """Explains what is selected; without a selection the worst rank's whole stack."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._build()
        session.plan_changed.connect(self._refresh)
        session.current_changed.connect(self._refresh)
        session.preview_changed.connect(self._refresh)
        session.selection_changed.connect(self._refresh)
        self._refresh()
        follow_language(self._say)
        on_language(self._refresh)

    def _say(self) -> None:
        self.setAccessibleName(translate("Panels", "Why this number"))
        self.title.set_text(translate("Panels", "Why this number"))
        self.back.setText(translate("Panels", "Whole card"))
        self.back.setAccessibleName(translate("Panels", "Show the whole card"))
        self.ranks.setAccessibleName(translate("Panels", "Rank"))
        self.ranks.setAccessibleDescription(
            translate("Panels", "Ranks that hold different entries")
        )
        self.tree.setAccessibleName(translate("Panels", "Formula, inputs and sources"))

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
        self.headline = figure("", self, role="headline")
        self.badge = Badge("", self)
        line = QHBoxLayout()
        self.where = muted("", self)
        line.addWidget(self.where, 1)
        line.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        self.formula = muted("", self)
        self.band = muted("", self)
        self.ranks = QComboBox(self)
        self.ranks.activated.connect(self._choose_rank)
        self.tree = RowTree(self)
        self.tree.row_clicked.connect(self._on_clicked)
        self.tree.row_entered.connect(self._on_entered)
        self.tree.left.connect(self._clear)
        box = QVBoxLayout(self)
        box.setContentsMargins(em, em * 2 // 3, em // 2, em // 2)
        box.setSpacing(em // 3)
        box.addLayout(top)
        box.addWidget(self.headline)
        box.addLayout(line)
        for label in (self.formula, self.band, self.ranks):
            box.addWidget(label)
        box.addWidget(self.tree, 1)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 38, super().sizeHint().height())

    # Showing

    def _subject(self) -> tuple[str, RankLedger, Ledger, str] | None:
        """Scenario id, rank, ledger and key of what is explained."""
        scenario_id, number, key = self._session.current_id, -1, ""
        if self._session.selection is not None:
            scenario_id, number, key = self._session.selection
        if scenario_id is None:
            return None
        ledger = self._session.ledger(scenario_id)
        rank = rank_of(ledger.ranks, number) or ledger.worst_rank
        return scenario_id, rank, ledger, key

    def _refresh(self, _: object = None) -> None:
        subject = self._subject()
        self.back.setVisible(self._session.selection is not None)
        if subject is None:
            self._show_head(translate("Panels", "No scenario"), "", "", "", "")
            self.ranks.hide()
            self.tree.show_rows(())
            return
        scenario_id, rank, ledger, key = subject
        entries = selected_entries(rank, key)
        if len(entries) == 1:
            self._show_entry(entries[0], scenario_id, rank, ledger)
        elif entries:
            self._show_kind(key, entries, scenario_id, rank, ledger)
        elif key in ("headroom", "free"):
            self._show_rest(key, scenario_id, rank, ledger)
        else:
            self._show_stack(scenario_id, rank, ledger)
        self._show_ranks(ledger, rank)

    def _show_head(self, headline: str, badge: str, where: str, formula: str, band: str) -> None:
        self.headline.set_text(headline)
        self.badge.set_text(badge)
        for widget, text in (
            (self.where, where),
            (self.formula, formula),
            (self.band, band),
        ):
            widget.set_text(text)
            widget.setVisible(bool(text))
        self.badge.setVisible(bool(badge))
        self.badge.updateGeometry()

    def _where(self, scenario_id: str, size_bytes: int, rank: RankLedger, ledger: Ledger) -> str:
        exact = ledger_rows.exact_bytes(size_bytes)
        share = units.show_share(size_bytes / rank.total_bytes, 1) if rank.total_bytes else ""
        text = translate("Panels", "{bytes}, {share} of the card").format(bytes=exact, share=share)
        if scenario_id != self._session.current_id:
            name = visible(ledger.scenario.name)
            text += " · " + translate("Panels", "in {scenario}").format(scenario=name)
        return text

    def _show_entry(self, entry: Entry, scenario_id: str, rank: RankLedger, ledger: Ledger) -> None:
        name, size = ledger_rows.entry_name(entry), units.show_bytes(entry.bytes)
        formula = visible(words.formula_text(entry.formula, translate=words_tr))
        self._show_head(
            f"{name} {size}",
            ledger_rows.badge_of(entry.evidence),
            self._where(scenario_id, entry.bytes, rank, ledger),
            f"= {formula}",
            ledger_rows.band_text(entry),
        )
        rows = tuple(
            row for row in ledger_rows.entry_parts(entry) if row.name != self.band.full_text
        )
        self.tree.show_rows(rows)

    def _show_kind(
        self,
        key: str,
        entries: tuple[Entry, ...],
        scenario_id: str,
        rank: RankLedger,
        ledger: Ledger,
    ) -> None:
        size = sum(entry.bytes for entry in entries)
        name = ledger_rows.kind_name(key.removeprefix(OUTSIDE))
        names = " + ".join(ledger_rows.entry_name(entry) for entry in entries)
        where = self._where(scenario_id, size, rank, ledger)
        self._show_head(f"{name} {units.show_bytes(size)}", "", where, f"= {names}", "")
        self.tree.show_rows(tuple(ledger_rows.entry_row(entry) for entry in entries))

    def _show_rest(self, key: str, scenario_id: str, rank: RankLedger, ledger: Ledger) -> None:
        size = rank.headroom_bytes if key == "headroom" else rank.free_bytes
        where = self._where(scenario_id, size, rank, ledger)
        how = {
            "headroom": translate("Panels", "kept of what the entries leave"),
            "free": translate("Panels", "card total less entries and headroom"),
        }[key]
        headline = f"{ledger_rows.kind_name(key)} {units.show_bytes(size)}"
        self._show_head(headline, "", where, f"= {how}", "")
        self.tree.show_rows(ledger_rows.stack_rows(rank))

    def _show_stack(self, scenario_id: str, rank: RankLedger, ledger: Ledger) -> None:
        used = rank.charged_bytes
        total = units.show_bytes(rank.total_bytes)
        headline = translate("Panels", "{used} of {total}").format(
            used=units.show_bytes(used), total=total
        )
        where = self._where(scenario_id, used, rank, ledger)
        how = translate("Panels", "Entries + headroom + free = card total")
        self._show_head(headline, "", where, how, "")
        self.tree.show_rows(ledger_rows.stack_rows(rank, ledger.not_modelled), open_up_to=0)

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
        at = next(i for i, kind in enumerate(kinds) if kind.entries == rank.entries)
        self.ranks.setCurrentIndex(at)

    # Verbs

    def _choose_rank(self, index: int) -> None:
        subject = self._subject()
        if subject is not None:
            self._session.select(subject[0], int(self.ranks.itemData(index)), subject[3])

    def _clear(self) -> None:
        self._session.select(None)

    def _on_clicked(self, row: Row) -> None:
        if row.field is not None:
            self._session.focus_field.emit(row.field)

    def _on_entered(self, row: Row) -> None:
        """Enter on an entry explains it, on an input goes to its field."""
        subject = self._subject()
        if row.key is not None and subject is not None:
            self._session.select(subject[0], subject[1].rank, row.key)
        else:
            self._on_clicked(row)

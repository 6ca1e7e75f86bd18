"""Tab "Ledger": every entry of one rank of the current scenario, the worst unless chosen."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.labels import Label, muted, visible
from workbench.gui.panels.explain import distinct_ranks, rank_of, rank_text
from workbench.gui.panels.ledger_rows import (
    badge_of,
    band_text,
    entry_name,
    formula_text,
    headroom_name,
    kind_name,
)
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.table import Cell, CopyTable, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, set_why
from workbench.spec import units, words
from workbench.spec.ledger import Entry, Ledger, RankLedger

_COLUMNS = 6


class LedgerView(View):
    """All entries with bytes, band, evidence and budget; formula and source of one below."""

    def _build(self) -> None:
        self._entries: tuple[Entry, ...] = ()
        self._missing: tuple[str, ...] = ()
        self._rank = 0
        self.head = QWidget(self)
        self.ranks_name = name = Label("", self.head, role="muted")
        self.ranks = ChoiceBox(self.head)
        self.ranks.setMinimumContentsLength(28)
        name.setBuddy(self.ranks)
        self.ranks.chosen.connect(self._choose_rank)
        top = QHBoxLayout(self.head)
        em = self.fontMetrics().height()
        top.setContentsMargins(em // 2, em // 3, 0, 0)
        top.addWidget(name)
        top.addWidget(self.ranks)
        top.addStretch(1)
        self.table = CopyTable("", ("",) * _COLUMNS, self, stretch=0)
        self.table.explains_clicks = True
        self.table.selectionModel().currentChanged.connect(self._show_detail)
        self.detail = muted("", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.detail)
        # In line with the texts of the table, and apart from its last row.
        self.detail.setContentsMargins(self.table.padding, self.table.padding // 2, 0, 0)

    def _say(self) -> None:
        self.ranks_name.set_text(translate("Views", "Ranks"))
        self.ranks.setAccessibleName(translate("Views", "Ranks"))
        self.ranks.setAccessibleDescription(
            translate("Views", "Ranks that hold different entries; the worst decides")
        )
        headings = (
            translate("Views", "Entry"),
            units.large_unit(),
            translate("Views", "Low to high"),
            translate("Views", "Evidence"),
            translate("Views", "Budget"),
            translate("Views", "Bytes"),
        )
        self.table.say(translate("Views", "Ledger"), headings)

    # Showing

    def _show(self) -> None:
        ledger = self.session.ledger(str(self.session.current_id))
        rank = self._shown_rank(ledger)
        self._rank = rank.rank
        set_why(self.ranks, Why(self.session.current_id, rank=rank.rank))
        self._entries, self._missing = rank.entries, ledger.not_modelled
        current, place = self.session.current_id, rank.rank
        reserves = self.session.shown(str(current)).reserves
        rows = [_entry_row(entry, Why(current, entry.label, place)) for entry in rank.entries]
        for name, key, size in (
            (headroom_name(rank, reserves), "figure:headroom", rank.headroom_bytes),
            (kind_name("free"), "figure:free", rank.free_bytes),
            (translate("Views", "Card total"), "figure:total", rank.total_bytes),
        ):
            rows.append(_line(name, size, Why(current, key, place)))
        rows += [_missing_row(code) for code in ledger.not_modelled]
        self.table.show_rows(rows)
        self._show_detail(self.table.currentIndex())

    def _shown_rank(self, ledger: Ledger) -> RankLedger:
        """The chosen kind of rank while the layout has it, else the worst."""
        kinds = distinct_ranks(ledger.ranks)
        worst = ledger.worst_rank
        texts = [(str(kind.rank), rank_text(kind, ledger)) for kind in kinds]
        box = self.ranks
        known = [(box.itemData(i), box.itemText(i)) for i in range(box.count())]
        chosen = box.currentData()
        layout_changed = [code for code, _ in known] != [code for code, _ in texts]
        if known != texts:
            box.set_choices(texts)
        self.head.setVisible(len(kinds) > 1)
        if chosen is None or layout_changed:
            chosen = next(str(kind.rank) for kind in kinds if kind.entries == worst.entries)
        box.show_choice(chosen)
        return rank_of(ledger.ranks, int(chosen)) or worst

    def _show_detail(self, index: QModelIndex) -> None:
        """Formula and source of the entry under the cursor."""
        entry, missing = self._entry(index), self._missing_code(index)
        if missing:
            text = words_tr(words.NOT_MODELLED[missing])
        elif entry is None:
            text = translate("Views", "Choose an entry to read its formula and source.")
        else:
            formula = formula_text(entry.formula)
            source = words.source_text(entry.source, words_tr)
            text = translate("Views", "{name} = {formula} · {source}").format(
                name=entry_name(entry), formula=formula, source=source
            )
        self.detail.set_text(visible(text))
        set_why(self.detail, self.table.asked_why())

    def _entry(self, index: QModelIndex) -> Entry | None:
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        return self._entries[index.row()]

    def _missing_code(self, index: QModelIndex) -> str:
        """What the row says is not modelled: these rows are the last ones."""
        if not index.isValid():
            return ""
        place = index.row() - (self.table.cells.rowCount() - len(self._missing))
        return self._missing[place] if 0 <= place < len(self._missing) else ""

    # Verbs

    def _choose_rank(self, _code: str) -> None:
        self._show()


def _entry_row(entry: Entry, why: Why) -> tuple[Cell, ...]:
    inside = translate("Views", "inside") if entry.in_budget else translate("Views", "outside")
    return (
        word(entry_name(entry), why=why),
        number(units.show_large(entry.bytes), why=why),
        number(_band(entry), band_text(entry), why),
        word(badge_of(entry.evidence)),
        word(inside),
        number(units.group_digits(entry.bytes), why=why),
    )


def _band(entry: Entry) -> str:
    """Low and high in the large unit; empty for exact arithmetic."""
    low, high = entry.low_bytes, entry.high_bytes
    if low is None and high is None:
        return ""
    ends = ["?" if end is None else units.show_large(end) for end in (low, high)]
    return translate("Views", "{low} to {high}").format(low=ends[0], high=ends[1])


def _line(name: str, size_bytes: int, why: Why) -> tuple[Cell, ...]:
    large = number(units.show_large(size_bytes), why=why)
    exact = number(units.group_digits(size_bytes), why=why)
    return (word(name), large, number(""), word(""), word(""), exact)


def _missing_row(code: str) -> tuple[Cell, ...]:
    """A line of its own for what the rule has no figure for: never a silent zero."""
    text = words_tr(words.NOT_MODELLED[code])
    name = re.split(r"[:：]", text, maxsplit=1)[0]
    said = word(translate("Views", "not modelled"), text)
    return (word(name, text), said, *(word("") for _ in range(_COLUMNS - 2)))

"""Tab "Ledger": every entry of the current scenario, rank by rank."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout

from workbench.gui.panels.explain import distinct_ranks
from workbench.gui.panels.ledger_rows import badge_of, band_text, entry_name, kind_name
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.table import Cell, CopyTable, number, word
from workbench.gui.views.view import View
from workbench.spec import units, words
from workbench.spec.ledger import Entry, RankLedger


class LedgerView(View):
    """All entries with bytes, evidence, formula and source."""

    def _build(self) -> None:
        headings = (
            translate("Views", "Rank"),
            translate("Views", "Entry"),
            translate("Views", "GiB"),
            translate("Views", "Bytes"),
            translate("Views", "Evidence"),
            translate("Views", "Formula"),
            translate("Views", "Source"),
        )
        self.table = CopyTable(translate("Views", "Ledger"), headings, self, stretch=6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table, 1)

    def _show(self) -> None:
        ledger = self.session.ledger(str(self.session.current_id))
        rows: list[tuple[Cell, ...]] = []
        for rank in distinct_ranks(ledger.ranks):
            alike = sum(other.entries == rank.entries for other in ledger.ranks)
            rows += _rank_rows(rank, alike)
        rows += [_missing_row(code) for code in ledger.not_modelled]
        self.table.show_rows(rows)


def _rank_rows(rank: RankLedger, alike: int) -> list[tuple[Cell, ...]]:
    name = str(rank.rank) if alike == 1 else f"{rank.rank} (×{alike})"
    where = translate("Views", "stage {stage}, {number} equal ranks").format(
        stage=rank.stage, number=alike
    )
    rows = [_entry_row(name, where, entry) for entry in rank.entries]
    rows.append(_rest_row(name, "headroom", rank.headroom_bytes))
    rows.append(_rest_row(name, "free", rank.free_bytes))
    total = translate("Views", "Card total")
    rows.append(_line(name, total, rank.total_bytes))
    return rows


def _entry_row(rank: str, where: str, entry: Entry) -> tuple[Cell, ...]:
    return (
        word(rank, where),
        word(entry_name(entry)),
        number(_gib(entry.bytes)),
        number(units.group_digits(entry.bytes)),
        word(badge_of(entry.evidence), band_text(entry)),
        word(words.formula_text(entry.formula, translate=words_tr)),
        word(words.source_text(entry.source, words_tr)),
    )


def _rest_row(rank: str, code: str, size_bytes: int) -> tuple[Cell, ...]:
    return _line(rank, kind_name(code), size_bytes)


def _line(rank: str, name: str, size_bytes: int) -> tuple[Cell, ...]:
    gib, exact = number(_gib(size_bytes)), number(units.group_digits(size_bytes))
    return (word(rank), word(name), gib, exact, word(""), word(""), word(""))


def _missing_row(code: str) -> tuple[Cell, ...]:
    """A line of its own for what the rule has no figure for: never a silent zero."""
    name, _, detail = words_tr(words.NOT_MODELLED[code]).partition(": ")
    said = word(translate("Views", "not modelled"))
    return (word(""), word(name), said, word(""), word(""), word(detail), word(""))


def _gib(size_bytes: int) -> str:
    """Always three decimals, so that the points of a column stand below each other."""
    text = units.show_in_unit(size_bytes, "GiB", 3)
    return text if "." in text else f"{text}.000"

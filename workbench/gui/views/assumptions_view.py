"""Tab "Assumptions": what the answer takes from rules of thumb and from fitted formulas."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QVBoxLayout

from workbench.core.explain.asked import counted
from workbench.gui.fields.wording import field_label
from workbench.gui.labels import muted
from workbench.gui.panels.assumed import Assumption, assumptions
from workbench.gui.panels.ledger_rows import badge_of
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.table import Cell, CopyTable, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, set_why
from workbench.spec import words
from workbench.spec.ledger import Evidence, RankLedger

_SHOWN: Final = (Evidence.ASSUMED, Evidence.FITTED)


def unsure(rank: RankLedger) -> tuple[Assumption, ...]:
    """Return what is assumed, then what is fitted."""
    return tuple(item for evidence in _SHOWN for item in assumptions(rank, evidence))


class AssumptionsView(View):
    """Value, evidence, range and source of each; Enter goes to the field that sets it."""

    def _build(self) -> None:
        self._items: tuple[Assumption, ...] = ()
        self.table = CopyTable("", ("",) * 6, self, stretch=5)
        self.table.activated.connect(self._enter)
        self.table.doubleClicked.connect(self._enter)
        self.remark = muted("", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.remark)
        self.remark.setContentsMargins(self.table.padding, self.table.padding // 2, 0, 0)

    def _say(self) -> None:
        self.table.setAccessibleName(translate("Views", "Assumptions"))
        self.table.setAccessibleDescription(
            translate("Views", "Arrow keys walk, Enter goes to the field, Ctrl+C copies cells")
        )
        self.table.cells.set_headings(
            (
                translate("Views", "Input or entry"),
                translate("Views", "Value"),
                translate("Views", "Evidence"),
                translate("Views", "Low to high"),
                translate("Views", "Set by"),
                translate("Views", "Source"),
            )
        )

    def _show(self) -> None:
        current = str(self.session.current_id)
        self._items = unsure(self.session.ledger(current).worst_rank)
        self.table.show_rows([_row(item, current) for item in self._items])
        assumed = sum(item.evidence is Evidence.ASSUMED for item in self._items)
        text = translate(
            "Views",
            "Assumed: {assumed}. Fitted: {fitted}. Everything else is given, measured or exact "
            "arithmetic. Enter or a double click goes to the field that sets a value.",
        )
        self.remark.set_text(text.format(assumed=assumed, fitted=len(self._items) - assumed))
        set_why(self.remark, Why(None, term=counted("assumed", assumed)))

    def _enter(self, index: QModelIndex) -> None:
        """Go to the field that sets the value, else explain the entry."""
        if not index.isValid() or index.row() >= len(self._items):
            return
        item = self._items[index.row()]
        if item.field is not None:
            self.session.focus_field.emit(item.field)
        else:
            self.session.select(self.session.current_id, 0, item.entry)


def _row(item: Assumption, scenario_id: str) -> tuple[Cell, ...]:
    why = Why(scenario_id, item.entry)
    return (
        word(item.name, why=why),
        number(item.value, why=why),
        word(badge_of(item.evidence)),
        word(item.band, why=why),
        word(field_label(item.field) if item.field else ""),
        word(words.source_text(item.source, words_tr), why=why),
    )

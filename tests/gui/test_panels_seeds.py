"""Rows of the founding notes, read off the panels and tabs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.gui import parts
from workbench.gui import soon
from workbench.gui.panels.findings_panel import FindingsPanel
from workbench.gui.panels.ledger_panel import LedgerPanel
from workbench.gui.panels.scenario_panel import ScenarioPanel
from workbench.gui.views.explorer_tabs import ExplorerTabs
from workbench.spec.engine import Amount
from workbench.spec.units import GIB


class Desk:
    def __init__(self, qtbot) -> None:
        self.session = parts.session()
        self.form = ScenarioPanel(self.session)
        self.ledger = LedgerPanel(self.session)
        self.findings = FindingsPanel(self.session)
        self.tabs = ExplorerTabs(self.session)
        self.window = parts.show(
            qtbot, self.session, self.form, self.ledger, self.findings, self.tabs
        )

    def set(self, **values) -> None:
        for name, value in values.items():
            self.session.set_field(name.replace("__", "."), value)
        # What explains the answer follows in the next turns.
        soon.finish()

    def explain(self, label: str) -> str:
        self.session.select(self.session.current_id, 0, label)
        return self.ledger.body.headline.full_text

    def rows(self) -> set[tuple[str, str]]:
        return {(row.name, row.value) for _index, row in self.ledger.tree.rows.walk()}

    def sentences(self) -> str:
        return " ".join(card.text.text() for card in self.findings.cards)

    def lengths(self) -> list[list[str]]:
        self.tabs.setCurrentWidget(self.tabs.lengths)
        parts.follow()
        return [[cell.text for cell in row] for row in self.tabs.lengths.table.table.cells.rows]


@pytest.fixture
def desk(qtbot):
    made = Desk(qtbot)
    yield made
    made.window.close()


def test_a7_context_and_concurrency_swapped_take_equal_bytes(desk):
    before = desk.explain("kv")
    desk.set(workload__context=16, workload__concurrency=8_192)
    assert desk.explain("kv") == before == "KV cache 16 GiB"


def test_a14_b2_attention_heads_for_kv_heads_are_named_with_the_factor(desk):
    assert "counting the 32 attention heads would overstate it 4 times" in desk.sentences()


def test_b3_a_thousand_tokens_are_125_mib(desk):
    desk.set(workload__context=1_000, workload__concurrency=1)
    assert desk.explain("kv") == "KV cache 125 MiB"
    assert "131,072,000 B" in desk.ledger.body.where.text()


def test_b4_b5_the_pool_in_tokens_and_requests_of_4000(desk):
    desk.set(
        engine__weights_bytes=16 * GIB,
        engine__activation_reserve=Amount(size_bytes=4 * GIB),
        engine__fragmentation_reserve=Amount(size_bytes=0),
        workload__context=4_000,
        workload__concurrency=None,
    )
    assert desk.lengths()[2][6] == "122"
    assert "491,520 tokens" in desk.tabs.lengths.pool.text()
    fields = {k: v for section in desk.form.sections for k, v in section.fields.items()}
    field = fields["workload.concurrency"]
    assert field.line.placeholderText() == "122 (the most)"


def test_b9_192_mib_are_whole_blocks(desk):
    desk.set(workload__context=1_536, workload__concurrency=1)
    assert desk.lengths()[2][1:6] == ["1,536", "96", "0", "0 %", "192 MiB"]


def test_b11_a_prefix_is_an_entry_counted_once(desk):
    desk.set(workload__prefix_tokens=4_096)
    assert desk.explain("prefix") == "Prefix cache 512 MiB"
    desk.set(workload__prefix_distinct=4)
    assert desk.explain("prefix") == "Prefix cache 2 GiB"
    assert ("distinct prefixes", "4") in desk.rows()


def test_b14_each_card_holds_its_share_of_the_kv_heads(desk):
    desk.session.set_current("b")
    desk.explain("kv")
    assert ("KV heads on a rank", "2") in desk.rows()
    desk.set(deployment__tp=16)
    assert ("KV heads on a rank", "1") in desk.rows()
    assert "each is kept 2 times" in desk.sentences()


def test_b15_weights_that_do_not_fit_have_a_way_out(desk):
    desk.session.set_current("b")
    desk.set(deployment__tp=1)
    card = desk.findings.cards[0]
    assert card.finding.severity == "error"
    assert "with TP" in card.text.text()
    assert card.fix_button.text().startswith("TP ")


def test_every_control_of_all_panels_has_a_name(desk):
    desk.set(workload__context=2**40)
    for index in range(desk.tabs.count()):
        desk.tabs.setCurrentIndex(index)
        for widget in desk.window.findChildren(QWidget):
            inner = widget.objectName().startswith("qt_") or widget.inherits("QScrollBar")
            if inner or widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.focusProxy():
                continue
            if not widget.isVisible():
                continue
            assert widget.accessibleName(), (widget, widget.parent())

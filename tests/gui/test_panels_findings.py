"""Findings: what is wrong in words, the way to the field, the fix as one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from tests.gui import parts
from workbench.gui import soon
from workbench.gui.labels import Label
from workbench.gui.panels.findings_panel import FindingsPanel
from workbench.spec.engine import Amount
from workbench.spec.scenario import Plan
from workbench.spec.workload import ConstantLength


@pytest.fixture
def made(qtbot):
    session = parts.session(parts.with_prefix(parts.llama("a", "A")))
    panel = FindingsPanel(session)
    window = parts.show(qtbot, session, panel, width=300)
    yield session, panel
    window.close()


def overfull(session):
    session.set_field("workload.context", 131_072)
    session.set_field("workload.concurrency", 8)
    soon.finish()


def test_each_finding_is_a_card_with_symbol_and_sentence(qtbot, made):
    session, panel = made
    overfull(session)
    findings = session.findings("a")
    assert panel.title.text() == f"Findings {len(findings)}"
    assert len(panel.cards) == len(findings) > 0
    symbols = [
        next(label.text() for label in card.findChildren(Label) if label is not card.text)
        for card in panel.cards
    ]
    assert symbols == sorted(symbols, key="✖▲i".index)
    assert symbols[0] == "✖"
    assert panel.cards[0].accessibleName().startswith("error: ")


def test_a_click_or_enter_goes_to_the_field(qtbot, made):
    session, panel = made
    overfull(session)
    fields = []
    session.focus_field.connect(fields.append)
    card = next(card for card in panel.cards if card.finding.field)
    qtbot.mouseClick(card.text, Qt.MouseButton.LeftButton)
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert fields == [card.finding.field] * 2


def test_a_fix_is_one_step_that_can_be_undone(qtbot, made):
    session, panel = made
    overfull(session)
    steps = session.undo_stack.count()
    card = next(card for card in panel.cards if card.finding.fix)
    fix = card.finding.fix
    assert card.fix_button.isVisible()
    qtbot.mouseClick(card.fix_button, Qt.MouseButton.LeftButton)
    assert session.undo_stack.count() == steps + 1
    assert session.ledger("a").verdict.status in ("fits", "tight")
    soon.finish()
    assert card not in panel.cards or card.finding.fix != fix
    session.undo()
    soon.finish()
    assert session.ledger("a").verdict.status == "does_not_fit"
    assert any(card.finding.fix == fix for card in panel.cards)


def test_a_fix_that_an_answer_no_longer_offers_is_not_applied(qtbot, made):
    session, panel = made
    overfull(session)
    button = next(card.fix_button for card in panel.cards if card.finding.fix)
    session.set_field("workload.context", 1_024)
    steps = session.undo_stack.count()
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.undo_stack.count() == steps
    assert not any(card.finding.fix for card in panel.cards)


def test_cards_stay_while_numbers_change(qtbot, made):
    session, panel = made
    overfull(session)
    before = list(panel.cards)
    text = before[0].text.text()
    session.set_field("workload.concurrency", 9)
    soon.finish()
    assert panel.cards == before
    assert panel.cards[0].text.text() != text


def test_what_is_assumed_is_counted_and_listed(qtbot, made):
    session, panel = made
    assert panel.assumed_title.text() == "Assumed 2"
    texts = [label.text() for label in panel.assumed if label.isVisible()]
    assert texts[0].startswith("Activations: reserve 6 %: 4.75 GiB, at least 2.38 GiB")
    session.set_field("engine.activation_reserve", Amount(size_bytes=2**30))
    soon.finish()
    assert panel.assumed_title.text() == "Assumed 1"
    session.set_field("engine.fragmentation_reserve", Amount(size_bytes=2**30))
    soon.finish()
    assert not panel.assumed_title.isVisible()


def test_a8_what_is_not_modelled_is_said_in_words(qtbot, made):
    session, panel = made
    texts = [label.text() for label in panel.missing if label.isVisible()]
    for part in ("CUDA graphs", "block tables", "alignment", "workspaces", "quantised KV"):
        assert any(part in text for text in texts), part
    session.set_field("engine.runtime_bytes", 2**30)
    soon.finish()
    texts = [label.text() for label in panel.missing if label.isVisible()]
    assert not any("CUDA graphs" in text for text in texts)


def test_a_preview_is_judged_too(qtbot, made):
    session, panel = made
    before = panel.title.text()
    session.preview_field("workload.concurrency", 4_000)
    soon.finish()
    assert panel.cards[0].finding.severity == "error"
    session.end_preview()
    soon.finish()
    assert panel.title.text() == before


def test_nothing_to_show_is_said(qtbot, made):
    session, panel = made
    session.open_plan(Plan())
    assert panel.title.text() == "Findings 0"
    assert panel.none.isVisible()


def test_everything_is_plain_and_can_be_copied(qtbot, made):
    session, panel = made
    scenario = session.current
    session.replace_scenario(
        scenario.with_(
            model=scenario.model.with_(name="<img src=x>"),
            workload=scenario.workload.with_(lengths=ConstantLength(tokens=500_000)),
        ),
        "choose_model",
    )
    for label in panel.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
    for label in [*panel.assumed, *panel.missing]:
        assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard


def test_a_sentence_is_copied_by_keys_and_its_menu(qtbot, made):
    session, panel = made
    overfull(session)
    card = next(card for card in panel.cards if card.finding.field is not None)
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == card.text.full_text
    before = session.undo_stack.count()
    with qtbot.assertNotEmitted(card.entered):
        qtbot.mouseClick(card, Qt.MouseButton.RightButton)
    assert session.undo_stack.count() == before

"""Quantity fields, by real keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QInputMethodEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from tests.gui import parts
from workbench.gui.panels.scenario_panel import ScenarioPanel
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.units import GIB

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def commit(line, text):
    """Enter a text as an input method does."""
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(line, event)


def shows_error(edit):
    return edit.error is not None and edit.error.isVisible()


class Form:
    """A shown scenario panel and shorthands."""

    def __init__(self, qtbot, *scenarios) -> None:
        self.qtbot = qtbot
        self.session = parts.session(*scenarios)
        self.panel = ScenarioPanel(self.session)
        self.window = parts.show(qtbot, self.session, self.panel)

    def edit(self, field_id):
        return next(s.fields[field_id] for s in self.panel.sections if field_id in s.fields)

    def focus(self, field_id):
        edit = self.edit(field_id)
        self.session.focus_field.emit(field_id)
        assert edit.line.hasFocus()
        return edit

    def replace(self, field_id, text):
        """Select all and type over it."""
        edit = self.focus(field_id)
        edit.line.selectAll()
        if text.isascii():
            self.qtbot.keyClicks(edit.line, text)
        else:
            # What no key has comes from an input method.
            commit(edit.line, text)
        if not text:
            self.qtbot.keyClick(edit.line, Qt.Key.Key_Delete)
        return edit

    def enter(self, field_id, text):
        edit = self.replace(field_id, text)
        self.qtbot.keyClick(edit.line, Qt.Key.Key_Return)
        return edit

    def value(self, field_id):
        return FIELDS[field_id].read(self.session.current)

    def press(self, field_id, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.qtbot.keyClick(self.focus(field_id).line, key, modifier)


@pytest.fixture
def form(qtbot):
    return Form(qtbot)


@pytest.mark.parametrize(
    ("field_id", "text", "value"),
    [
        ("workload.context", "128k", 131_072),
        ("workload.context", "131072", 131_072),
        ("workload.context", "131,072,000", 131_072_000),
        ("workload.context", "x2", 16_384),
        ("workload.context", "１２８k", 131_072),
        ("workload.context", "8001", 8_001),
        ("workload.concurrency", "1.5k", 1_500),
        ("workload.concurrency", "", None),
        ("gpu.device_total_bytes", "80GB", 80 * 10**9),
        ("gpu.device_total_bytes", "85520809984", 85_520_809_984),
        ("engine.activation_reserve", "10%", Amount(share=0.1)),
        ("engine.activation_reserve", "10％", Amount(share=0.1)),
        ("engine.activation_reserve", "4 GiB", Amount(size_bytes=4 * GIB)),
        ("reserves.headroom", "2GiB", Amount(size_bytes=2 * GIB)),
    ],
)
def test_what_is_typed_is_read_on_enter(form, field_id, text, value):
    edit = form.enter(field_id, text)
    assert form.value(field_id) == value
    assert not shows_error(edit)
    assert form.session.undo_stack.count() == 1
    # The field prints what was read in the form that it would read again.
    assert FIELDS[field_id].parse(edit.line.text()) == value


def test_leaving_the_field_commits_and_esc_restores(form):
    edit = form.replace("workload.context", "64k")
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Tab)
    assert form.value("workload.context") == 65_536
    edit = form.replace("workload.context", "12")
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Escape)
    assert edit.line.text() == "64k"
    assert form.value("workload.context") == 65_536
    assert form.session.preview is None
    assert form.session.undo_stack.count() == 1


def test_every_keystroke_that_parses_previews(form):
    edit = form.replace("workload.context", "16")
    assert form.session.preview.workload.lengths.tokens == 16
    form.qtbot.keyClicks(edit.line, "k")
    assert form.session.preview.workload.lengths.tokens == 16_384
    form.qtbot.keyClicks(edit.line, "?")
    assert form.session.preview is None
    assert form.value("workload.context") == 8_192
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Backspace)
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Return)
    assert form.value("workload.context") == 16_384
    assert form.session.undo_stack.count() == 1


def test_arrows_and_pages_step(form):
    for key, modifier, expected in (
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, 9_216),
        (Qt.Key.Key_Up, SHIFT, 19_456),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier, 18_432),
        (Qt.Key.Key_PageUp, Qt.KeyboardModifier.NoModifier, 36_864),
        (Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier, 18_432),
        (Qt.Key.Key_Down, SHIFT, 8_192),
    ):
        form.press("workload.context", key, modifier)
        assert form.value("workload.context") == expected


def test_steps_never_leave_what_is_accepted(form):
    form.enter("workload.concurrency", "1")
    form.press("workload.concurrency", Qt.Key.Key_Down)
    form.press("workload.concurrency", Qt.Key.Key_PageDown)
    assert form.value("workload.concurrency") == 1
    form.enter("workload.context", str(2**63 - 1))
    form.press("workload.context", Qt.Key.Key_Up)
    form.press("workload.context", Qt.Key.Key_PageUp)
    assert form.value("workload.context") == 2**63 - 1
    form.enter("reserves.headroom", "0.5%")
    form.press("reserves.headroom", Qt.Key.Key_Down)
    assert form.value("reserves.headroom") == Amount(share=0.0)


def test_a_burst_of_steps_is_one_undo_step(form):
    edit = form.focus("workload.context")
    for _ in range(5):
        form.qtbot.keyClick(edit.line, Qt.Key.Key_Up)
    assert form.session.undo_stack.count() == 1
    form.session.undo()
    assert edit.line.text() == "8k"


def test_a_step_from_an_empty_field_starts_at_what_it_stands_for(form):
    form.enter("workload.concurrency", "")
    edit = form.edit("workload.concurrency")
    assert edit.line.placeholderText() == "72 (the most)"
    form.press("workload.concurrency", Qt.Key.Key_Up)
    assert form.value("workload.concurrency") == 73


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("abc", "abc cannot be read: type tokens such as 128k or 131072."),
        ("12 GiB", "The unit GiB in 12 GiB is not known here"),
        ("-5", "-5 is below zero"),
        ("1,234", "1,234 can mean 1234 or 1.234"),
        ("0.5", "no whole number"),
        ("0", "Too small: at least 1 is accepted."),
        (str(2**63), "is too large"),
        ("9" * 60, "is too large"),
        ("<img src=x>", "<img src=x> cannot be read"),
        ("", "Type tokens such as 128k"),
    ],
)
def test_a_text_that_cannot_be_read_is_kept_with_a_sentence(form, text, words):
    edit = form.enter("workload.context", text)
    assert edit.line.text() == text
    assert shows_error(edit)
    assert words in edit.error.text()
    assert words in edit.line.accessibleDescription()
    assert form.value("workload.context") == 8_192
    assert form.session.undo_stack.count() == 0
    assert form.session.preview is None
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Escape)
    assert edit.line.text() == "8k"
    assert not shows_error(edit)


def test_an_unreadable_text_is_called_wrong_once_typing_pauses(form):
    edit = form.replace("workload.context", "12 Gi")
    assert not shows_error(edit)
    form.qtbot.waitUntil(lambda: shows_error(edit), timeout=3_000)
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Backspace)
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Backspace)
    assert not shows_error(edit)


def test_a_long_paste_is_cut_and_said_to_be(form):
    edit = form.focus("workload.context")
    edit.line.selectAll()
    QGuiApplication.clipboard().setText("9" * 40_000)
    form.qtbot.keyClick(edit.line, Qt.Key.Key_V, CONTROL)
    assert "32,767 characters and has been cut" in edit.error.text()
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Return)
    assert "At most 64 characters" in edit.error.text()
    assert len(edit.line.text()) == 32_767
    assert form.value("workload.context") == 8_192


def test_undo_in_an_untouched_field_is_the_windows(form):
    form.enter("workload.context", "16k")
    edit = form.focus("workload.context")
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Z, CONTROL)
    assert form.value("workload.context") == 8_192
    assert edit.line.text() == "8k"
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert form.value("workload.context") == 16_384


def test_undo_in_a_field_being_typed_takes_the_typing_back(form):
    form.enter("workload.context", "16k")
    edit = form.replace("workload.context", "64k")
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Z, CONTROL)
    assert form.value("workload.context") == 16_384
    assert edit.line.text() != "64k"
    assert form.session.undo_stack.count() == 1


def test_what_is_being_typed_survives_other_changes(form):
    edit = form.replace("workload.context", "48")
    form.session.set_field("workload.concurrency", 99)
    form.session.undo()
    assert edit.line.text() == "48"
    edit.line.setFocus()
    form.qtbot.keyClicks(edit.line, "k")
    form.session.set_field("workload.context", 4_096)
    assert edit.line.text() == "4k"


def test_composing_text_does_not_preview(form):
    edit = form.focus("workload.context")
    edit.line.selectAll()
    previews = []
    form.session.preview_changed.connect(previews.append)
    QApplication.sendEvent(edit.line, QInputMethodEvent("４", []))
    assert previews == []
    commit(edit.line, "４")
    assert form.session.preview.workload.lengths.tokens == 4
    form.qtbot.keyClick(edit.line, Qt.Key.Key_Escape)


def test_empty_means_the_presets_value_where_there_is_one(form):
    form.enter("model.layers", "64")
    edit = form.edit("model.layers")
    assert edit.line.dot.isVisible()
    form.enter("model.layers", "")
    assert form.value("model.layers") == 32
    assert not edit.line.dot.isVisible()


def test_the_dot_says_changed_and_takes_back(form):
    edit = form.enter("engine.block_tokens", "32")
    assert edit.line.dot.isVisible()
    form.qtbot.mouseClick(edit.line.dot, Qt.MouseButton.LeftButton)
    assert form.value("engine.block_tokens") == 16
    assert not edit.line.dot.isVisible()


def test_the_menu_copies_explains_and_resets(form):
    form.enter("engine.block_tokens", "32")
    edit = form.focus("engine.block_tokens")
    copy, explain, _, reset = edit.menu_actions(form.window)
    copy.trigger()
    assert QGuiApplication.clipboard().text() == "32"
    explain.trigger()
    assert form.session.selection == ("a", 0, "block_tails")
    assert reset.isEnabled()
    reset.trigger()
    assert form.value("engine.block_tokens") == 16


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_the_menu_opens_with_what_a_line_edit_has(form):
    edit = form.focus("workload.context")
    edit.line.customContextMenuRequested.emit(edit.line.rect().center())
    menu = QApplication.activePopupWidget()
    texts = [action.text() for action in menu.actions()]
    assert texts[:3] == ["Copy value", "Show formula", "Vary in the heat map"]
    assert texts[3] == "Reset to the preset"
    menu.close()


def test_placeholders_name_the_resolved_default(qtbot):
    form = Form(qtbot, parts.llama())
    assert form.edit("engine.max_model_len").line.placeholderText() == "131,072 (model)"
    assert form.edit("engine.max_num_seqs").line.placeholderText() == "256 (engine)"
    assert form.edit("engine.weights_bytes").line.placeholderText() == "from the model"
    assert form.edit("engine.runtime_bytes").line.placeholderText() == "not modelled"
    assert form.edit("workload.prefix_tokens").line.placeholderText() == "nothing shared"


def test_a_field_unlike_the_baselines_is_marked(form):
    form.session.set_current("b")
    assert form.edit("workload.context").differs
    assert not form.edit("engine.block_tokens").differs
    form.session.set_current("a")
    assert not form.edit("workload.context").differs


def test_absurd_numbers_in_every_field_give_a_verdict_or_a_sentence(form):
    for text in ("0", "1", str(2**63 - 1), str(2**63), "1e9", "∞", "9" * 64, "x99999999", "%"):
        for section in form.panel.sections:
            for field_id, edit in section.fields.items():
                if edit.isHidden():
                    continue
                form.enter(field_id, text)
                ledger = form.session.ledger("a")
                assert ledger.verdict.status
                form.qtbot.keyClick(edit.line, Qt.Key.Key_Escape)
                while form.session.undo_stack.canUndo():
                    form.session.undo()


def test_a_verb_of_the_window_takes_over_what_is_being_typed(form):
    seen = []
    save = QAction(form.window)
    save.setShortcut(QKeySequence("Ctrl+S"))
    save.triggered.connect(lambda: seen.append(form.value("workload.context")))
    form.window.addAction(save)
    edit = form.replace("workload.context", "24k")
    form.qtbot.keyClick(edit.line, Qt.Key.Key_S, CONTROL)
    assert seen == [24_576]
    assert edit.line.hasFocus()


def test_the_fields_own_menu_does_not_end_typing(form):
    edit = form.replace("workload.context", "24")
    edit.line.menu_open = True
    edit.line.clearFocus()
    assert form.session.undo_stack.count() == 0
    edit.line.menu_open = False
    edit.line.setFocus()
    edit.line.clearFocus()
    assert form.value("workload.context") == 24


def test_alt_and_a_letter_go_to_a_field(form):
    form.session.focus_field.emit("model.layers")
    for letter, field_id in (
        (Qt.Key.Key_C, "workload.context"),
        (Qt.Key.Key_N, "workload.concurrency"),
        (Qt.Key.Key_T, "deployment.tp"),
        (Qt.Key.Key_D, "reserves.headroom"),
    ):
        focus = QApplication.focusWidget()
        form.qtbot.keyClick(focus, letter, Qt.KeyboardModifier.AltModifier)
        assert form.edit(field_id).line.hasFocus()


def test_pending_text_can_be_committed_for_a_save(form):
    form.replace("workload.context", "24k")
    assert form.panel.commit_pending()
    assert form.value("workload.context") == 24_576
    form.replace("workload.context", "24q")
    assert not form.panel.commit_pending()
    assert form.value("workload.context") == 24_576


def test_a_number_too_long_for_its_field_shows_its_first_digits(form):
    line = form.edit("gpu.device_total_bytes").line
    assert line.text()
    assert not line.hasFocus()
    assert line.cursorPosition() == 0

"""The main window: what it shows, at every size and theme, for every reader."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QWidget,
)

from tests.gui.window_kit import Bench, click, key, opened_bench, put_away
from workbench.gui.app import example_plan, unusable_qt
from workbench.gui.labels import Label, ink, theme_of
from workbench.spec.fields import FIELDS

SIZES = ((1440, 900), (1024, 700))


@pytest.fixture
def shown(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        yield bench


def visible_widgets(window: QWidget) -> list[QWidget]:
    return [w for w in window.findChildren(QWidget) if w.isVisible() and w.isVisibleTo(window)]


def test_every_control_that_takes_the_keyboard_has_a_name(shown):
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in visible_widgets(shown.window)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
        and not (isinstance(widget, QLabel) and widget.text())
    ]
    assert nameless == []


def test_no_label_takes_markup(shown):
    labels = shown.window.findChildren(QLabel)
    assert labels
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


def test_a_name_like_markup_is_shown_as_it_is(shown):
    name = '<img src="x.png"> & [*] {0}'
    shown.session.rename(shown.session.current_id, name)
    assert name in shown.window.strip.chips()[0].accessibleName()
    shown.session.path = None
    QTest.qWait(5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_label_is_cut_at_either_size(shown, size, theme):
    shown.verbs.choose_theme(theme)
    shown.window.resize(*size)
    QTest.qWait(50)
    assert (shown.window.width(), shown.window.height()) == size
    cut = [
        (type(label.parentWidget()).__name__, label.text())
        for label in visible_widgets(shown.window)
        if isinstance(label, QLabel)
        and label.text()
        and not label.wordWrap()
        # An eliding label shortens its text and shows the whole in its tip.
        and not (isinstance(label, Label) and label.text() != label.full_text)
        and label.width() < label.fontMetrics().horizontalAdvance(label.text())
    ]
    assert cut == []
    shown.verbs.choose_theme("light")


def test_a_narrow_window_has_one_column_of_panels_and_a_wide_one_two(shown):
    window = shown.window
    window.resize(1024, 700)
    QTest.qWait(20)
    assert window.tabifiedDockWidgets(window.left) == [window.right]
    assert window.centre.width() > 600
    shown.session.select(shown.session.current_id, 0, "kv")
    QTest.qWait(20)
    assert not window.reasons.why.visibleRegion().isEmpty()
    shown.session.focus_field.emit("workload.context")
    QTest.qWait(20)
    assert not window.panel.visibleRegion().isEmpty()
    window.resize(1440, 900)
    QTest.qWait(20)
    assert window.tabifiedDockWidgets(window.left) == []
    assert not window.reasons.why.visibleRegion().isEmpty()


def test_place_and_size_are_remembered(qapp, tmp_path):
    with opened_bench(qapp, tmp_path) as bench:
        bench.window.right.hide()
        bench.window.resizeDocks([bench.window.left], [400], Qt.Orientation.Horizontal)
        QTest.qWait(20)
        width = bench.window.left.width()
    with opened_bench(qapp, tmp_path) as bench:
        QTest.qWait(20)
        # The screen of the second start may be smaller.
        assert bench.window.left.width() > width * 9 // 10
        assert bench.window.right.isHidden()
        assert not bench.window.left.isHidden()


def test_every_label_has_the_ink_of_its_role(shown):
    for theme in ("dark", "light"):
        shown.verbs.choose_theme(theme)
        shown.session.set_field("workload.concurrency", 4_000, merge=object())
        QTest.qWait(30)
        wrong = [
            (label.text(), label.role)
            for label in visible_widgets(shown.window)
            if isinstance(label, Label)
            and label.palette().color(label.foregroundRole()) != ink(label, label.role)
        ]
        assert wrong == []
        assert theme_of(shown.window).name == theme
        shown.trigger("edit.undo")


def test_themes_switch_live_and_are_remembered(shown):
    verdict = shown.window.verdict.answer
    light = verdict.palette().color(verdict.foregroundRole()).name()
    shown.trigger("view.theme.dark")
    QTest.qWait(20)
    dark = verdict.palette().color(verdict.foregroundRole()).name()
    assert dark != light
    assert shown.store.settings.theme == "dark"
    picture = shown.window.grab().toImage()
    assert picture.pixelColor(5, 5).lightness() < 60
    shown.trigger("view.theme.light")
    QTest.qWait(20)
    assert verdict.palette().color(verdict.foregroundRole()).name() == light
    assert shown.window.grab().toImage().pixelColor(5, 5).lightness() > 200


def test_the_verdict_is_said_by_symbol_word_and_description(bench):
    verdict = bench.window.verdict
    assert verdict.answer.full_text.startswith("✔ Fits: ")
    bench.session.set_field("workload.concurrency", 64)
    assert verdict.answer.full_text.startswith("✖ Over by ")
    assert "KV cache" in verdict.reason.full_text
    assert verdict.accessibleDescription().startswith("Over by ")
    bench.session.preview_field("workload.concurrency", 1)
    assert verdict.answer.full_text.startswith("✔ Fits: ")
    bench.session.end_preview()
    assert verdict.answer.full_text.startswith("✖ Over by ")


def test_figures_have_their_names(bench):
    texts = [
        label.full_text
        for label in bench.window.bars_card.figures.findChildren(Label)
        if label.full_text
    ]
    pairs = dict(zip(texts[::2], texts[1::2], strict=True))
    assert pairs["engine log at 128k"].endswith("×")
    assert pairs["KV per token"] == "128 KiB"
    assert pairs["KV total"] == "16 GiB"
    assert pairs["tokens per MiB"] == "8"
    assert "at 1 % overflow risk" in pairs
    assert "steady state P95" in pairs


def test_undo_and_redo_by_keys_buttons_and_menu_words(bench):
    window, session = bench.window, bench.session
    assert not window.undo_button.isEnabled()
    session.set_field("workload.context", 4_096)
    assert bench.window.actions_by_id["edit.undo"].text() == "&Undo: set context to 4k"
    click(window.undo_button)
    assert session.current.workload.lengths.tokens == 32_768
    assert window.redo_button.isEnabled()
    click(window.redo_button)
    assert session.current.workload.lengths.tokens == 4_096
    key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    key(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert session.current.workload.lengths.tokens == 4_096


def test_f6_walks_the_panes_and_ctrl_l_goes_to_the_first_field(bench):
    window = bench.window
    window.strip.focus_current()
    seen = []
    for _ in range(5):
        key(window.focusWidget(), Qt.Key.Key_F6)
        seen.append(next(p for p in window.panes() if p.isAncestorOf(window.focusWidget())))
    assert seen == [*window.panes()[1:], window.panes()[0]]
    key(window.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert window.panes()[-1].isAncestorOf(window.focusWidget())
    key(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.panel.sections[0].choices["model.preset"].box


def test_digits_choose_tabs_except_in_a_text_field(bench):
    window = bench.window
    window.strip.focus_current()
    key(window.focusWidget(), Qt.Key.Key_2)
    assert window.tabs.currentIndex() == 1
    edit = next(e for e in window.panel.findChildren(QLineEdit) if e.isVisible() and e.isEnabled())
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "3")
    assert window.tabs.currentIndex() == 1
    assert edit.text() == "3"
    key(edit, Qt.Key.Key_Escape)


def test_page_keys_step_through_scenarios(bench):
    control = Qt.KeyboardModifier.ControlModifier
    key(bench.window, Qt.Key.Key_PageDown, control)
    assert bench.session.current_id == "b"
    key(bench.window, Qt.Key.Key_PageUp, control)
    key(bench.window, Qt.Key.Key_PageUp, control)
    assert bench.session.current_id == "c"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("action", ["help.shortcuts", "help.about"])
def test_help_sheets(bench, action):
    bench.trigger(action)
    (dialog,) = [d for d in bench.window.findChildren(QDialog) if d.isVisible()]
    labels = dialog.findChildren(QLabel)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    key(dialog, Qt.Key.Key_Escape)
    QTest.qWait(5)
    assert not [d for d in bench.window.findChildren(QDialog) if d.isVisible()]


def test_menus_hold_only_what_works(bench):
    window = bench.window
    titles = [menu.title() for menu in window.menuBar().findChildren(QMenu)]
    assert {"&File", "&Edit", "&Scenario", "&View", "&Help"} <= set(titles)
    bound = {
        action.objectName()
        for action in (window.actions_by_id[name] for name in window.actions_by_id.ids())
        if action.receivers("2triggered(bool)")
    }
    assert bound == set(window.actions_by_id.ids())


def test_messages_replace_close_and_stay_few(bench):
    from workbench.gui.messages import Message

    bar = bench.window.messages
    for number in range(10):
        bench.session.tell(Message("info", "chart_saved", {"path": str(number)}))
    assert len(bar.messages()) == 4
    bench.session.tell(Message("info", "chart_copied", slot="chart"))
    bench.session.tell(Message("info", "chart_copied", slot="chart"))
    assert [m.code for m in bar.messages()].count("chart_copied") == 1
    QTest.qWait(5)
    closers = [b for b in bar.findChildren(QAbstractButton) if b.text() == "×" and b.isVisible()]
    for closer in closers:
        click(closer)
    assert not bar.isVisible()


def test_a_field_edit_reaches_every_view_and_merges_while_dragged(bench):
    drag = object()
    for tokens in (40_000, 50_000, 60_000):
        bench.session.set_field("workload.context", tokens, merge=drag)
    assert bench.session.undo_stack.count() == 1
    assert FIELDS["workload.context"].read(bench.session.current) == 60_000
    bench.trigger("edit.undo")
    assert FIELDS["workload.context"].read(bench.session.current) == 32_768


def test_the_known_bad_binding_is_named(monkeypatch):
    assert unusable_qt() == ""
    monkeypatch.setattr("PySide6.__version__", "6.12.0")
    monkeypatch.setattr("sys.version_info", (3, 11, 7))
    assert "6.12.0" in unusable_qt()
    monkeypatch.setattr("sys.version_info", (3, 12, 0))
    assert unusable_qt() == ""


def test_each_new_plan_has_a_scenario_of_its_own(bench):
    """Text refused in one plan must not stand in the next one's field."""
    bench.trigger("file.new")
    first = bench.session.current_id
    bench.session.mark_saved(bench.session.plan)
    bench.trigger("file.new")
    assert bench.session.current_id != first


def test_a_first_start_fits_its_screen(qapp, tmp_path):
    made = Bench(qapp, tmp_path)
    room, least = made.window.screen().availableSize(), made.window.minimumSizeHint()
    assert made.window.width() <= max(room.width(), least.width())
    assert made.window.height() <= max(room.height(), least.height())
    put_away(made)


def test_panels_in_one_column_have_named_tabs(shown):
    shown.window.resize(shown.window.minimumSizeHint())
    QTest.qWait(10)
    bars = [bar for bar in shown.window.findChildren(QTabBar) if bar.parent() is shown.window]
    assert bars
    assert all(bar.accessibleName() for bar in bars if bar.isVisible())

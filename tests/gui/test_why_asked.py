"""The ways to ask why: click, Ctrl+click, keys, menu; in the dock and in a popup."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from tests.gui.window_kit import click, key, opened_bench
from workbench.core.explain.asked import counted
from workbench.gui.app import example_plan
from workbench.gui.labels import Label
from workbench.gui.why import Why, field_why, figure_why, set_why, why_of
from workbench.gui.why_popup import Answers

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def shown(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        yield bench


def body(bench):
    bench.window.settle()
    return bench.window.reasons.why.body


def figures(bench):
    return [value for _, value in bench.window.bars_card.figures._cells]


def menu_of(widget: QWidget, at: QPoint | None = None) -> QMenu:
    QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=at or widget.rect().center())
    from PySide6.QtGui import QContextMenuEvent

    place = at or widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_a_click_on_a_figure_shows_how_it_comes_about(shown):
    shown.session.set_current(shown.session.plan.scenarios[1].id)
    click(figures(shown)[0])
    said = body(shown)
    assert said.headline.full_text.startswith("engine log")
    assert said.formula.full_text.startswith("= ")
    assert next(row.name for _, row in said.tree.rows.walk()) == "blocks of the pool"


def test_a_figure_follows_the_scenario(shown):
    click(figures(shown)[1])
    before = body(shown).headline.full_text
    shown.session.set_field("workload.context", 4096)
    shown.window.settle()
    after = body(shown).headline.full_text
    assert before != after
    assert after.endswith(figures(shown)[1].full_text)


def test_selecting_a_text_asks_nothing(shown):
    label = figures(shown)[3]
    shown.session.explain(None)
    middle = label.rect().center().y()
    QTest.mousePress(label, LEFT, pos=QPoint(1, middle))
    QTest.mouseMove(label, QPoint(label.width() - 2, middle))
    QTest.mouseRelease(label, LEFT, pos=QPoint(label.width() - 2, middle))
    assert label.selectedText()
    assert shown.session.explained is None


def test_arrows_walk_the_figures_and_enter_asks(shown):
    first, second, *_ = figures(shown)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    key(first, Qt.Key.Key_Right)
    assert shown.window.focusWidget() is second
    key(second, Qt.Key.Key_Return)
    assert shown.session.explained == figure_why(shown.session.current_id, "steady")
    key(second, Qt.Key.Key_Left)
    assert shown.window.focusWidget() is first


def test_control_click_and_the_verb_ask_at_a_label(shown):
    label = shown.window.verdict.reason
    QTest.mouseClick(label, LEFT, CONTROL)
    assert shown.session.explained == why_of(label)
    assert body(shown).headline.full_text.startswith("most requests")
    field = shown.window.panel.sections[0].fields["model.layers"].line
    field.setFocus()
    key(field, Qt.Key.Key_Return, ALT)
    assert shown.session.explained == field_why(None, "model.layers")
    assert "preset" in body(shown).tree.rows.walk().__next__()[1].name


def test_without_a_number_the_verb_explains_the_whole_card(shown):
    shown.window.strip.focus_current()
    shown.trigger("view.why")
    assert shown.session.explained == Why(shown.session.current_id)


def test_the_menu_of_a_label_asks_and_copies(shown):
    label = figures(shown)[2]
    menu = menu_of(label)
    why, copy = menu.actions()
    assert why.text() == "Why this number"
    copy.trigger()
    assert QGuiApplication.clipboard().text() == label.full_text
    why.trigger()
    menu.close()
    assert shown.session.explained == why_of(label)


def test_a_click_on_a_number_of_a_table_shows_its_formula_until_the_plan_changes(shown):
    tabs = shown.window.tabs
    names = [tabs.tabText(index) for index in range(tabs.count())]
    tabs.setCurrentIndex(names.index("Scaling"))
    QTest.qWait(20)
    table = tabs.currentWidget().table.table
    index = table.cells.index(0, 3)
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())
    assert body(shown).headline.full_text.startswith("expected ratio")
    assert table.currentIndex() == index
    shown.session.set_field("workload.context", 4096)
    # The number was true of the plan as it was.
    assert shown.session.explained is None


def test_an_input_of_an_explanation_leads_to_its_field(shown):
    shown.session.explain(figure_why(None, "gpus"))
    tree = body(shown).tree
    index = next(i for i, row in tree.rows.walk() if row.field == "deployment.pp")
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())
    assert shown.window.focusWidget().property("why_field") == "deployment.pp"


def test_asking_opens_a_closed_dock(shown):
    shown.window.right.close()
    QTest.mouseClick(shown.window.verdict.answer, LEFT, CONTROL)
    assert shown.window.right.isVisible()


def test_a_hint_says_how_to_ask(shown):
    label = shown.window.verdict.answer
    assert "Alt+Enter" in label.accessibleDescription()


@pytest.fixture
def off_the_plan(shown):
    """A page of the middle with a number of its own, as the compare page has."""
    page = QWidget()
    number = Label("+3", page, selectable=True)
    set_why(number, Why(None, term=counted("findings", 3)))
    number.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    QVBoxLayout(page).addWidget(number)
    shown.window.add_page("trial", lambda: page)
    shown.window.show_page("trial")
    answers = shown.window.findChild(Answers)
    yield shown, number, answers
    shown.window.show_page("plan")


def test_off_the_plan_a_popup_explains_and_esc_closes_it(off_the_plan):
    bench, number, answers = off_the_plan
    QTest.mouseClick(number, LEFT, CONTROL)
    popup = answers.popup
    assert popup.isVisible()
    assert popup.body.headline.full_text == "findings 3"
    assert not bench.window.right.isVisible()
    key(popup.body.tree, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert bench.session.explained is None
    # The same number can be asked about again, by keys too.
    number.setFocus()
    bench.trigger("view.why")
    assert popup.isVisible()
    popup.hide()


def test_the_popup_goes_with_its_page(off_the_plan):
    bench, number, answers = off_the_plan
    QTest.mouseClick(number, LEFT, CONTROL)
    bench.window.show_page("plan")
    assert not answers.popup.isVisible()


def test_the_popup_stays_on_the_screen(off_the_plan):
    _, number, answers = off_the_plan
    QTest.mouseClick(number, LEFT, CONTROL)
    room = answers.popup.screen().availableGeometry()
    assert room.contains(answers.popup.geometry())
    answers.popup.hide()

"""The heat map by real clicks and keys: read, try, take, choose, copy."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTranslator
from PySide6.QtGui import QAccessible, QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui import parts
from tests.gui.explore_kit import CONTROL, NONE, SHIFT, Map, ready
from tests.gui.window_kit import opened_bench, wait_until
from workbench.charts.map_text import cell_text, map_table
from workbench.charts.shades import shades
from workbench.core.budget import budget
from workbench.core.surface import INVALID
from workbench.gui.labels import theme_of
from workbench.gui.language import say_again
from workbench.gui.tr import chart_label, step_text
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan
from workbench.spec.units import show_bytes
from workbench.spec.workload import QuantilePoint, QuantileTable

CONTEXT, CONCURRENCY = "workload.context", "workload.concurrency"


@pytest.fixture
def heat(qapp, tmp_path):
    plan = Plan(scenarios=(parts.ledger_lab(), parts.llama()), baseline="a")
    with opened_bench(qapp, tmp_path, plan) as bench:
        bench.session.set_current("b")
        yield Map(bench)


def ledger_with(heat, context, concurrency):
    scenario = FIELDS[CONTEXT].write(heat.session.current, context)
    return budget(FIELDS[CONCURRENCY].write(scenario, concurrency))


# Reading


def test_requests_left_to_the_engine_have_a_row_of_their_own(qapp, tmp_path):
    plan = Plan(scenarios=(parts.vllm("a"),), baseline="a")
    with opened_bench(qapp, tmp_path, plan) as bench:
        model = Map(bench).body.model
        held = budget(plan.scenarios[0]).concurrency
        assert model.values_at(model.cell_of_current()) == (8_192, held)


def test_the_read_out_says_what_the_ledger_of_that_cell_says(heat):
    readout = heat.body.readout
    for context, concurrency in ((8_192, 16), (32_768, 64), (131_072, 2)):
        heat.hover(context, concurrency)
        ledger = ledger_with(heat, context, concurrency)
        worst = ledger.worst_rank
        over = worst.over_bytes
        size = show_bytes(over or worst.free_bytes, decimals=1)
        assert readout.result.full_text == f"{size} {'over' if over else 'free'}"
        assert readout.result.role == ("danger" if over else "success")
        assert readout.head.full_text == "under the cursor"
    assert readout.values.full_text == "128k × 2"
    assert readout.names.full_text == "context × concurrency"
    most = heat.body.model.surface.exact[heat.cell(131_072, 2)[0]]
    assert readout.frontier.full_text == f"{most} requests"
    assert readout.frontier_head.full_text == "frontier at 128k, no headroom left"


def test_without_a_pointer_the_scenario_itself_is_read_out(heat):
    readout = heat.body.readout
    assert readout.head.full_text == "this scenario"
    assert readout.values.full_text == "32k × 4"
    free = heat.session.ledger("b").worst_rank.free_bytes
    assert readout.result.full_text == f"{show_bytes(free, decimals=1)} free"


def test_figures_of_the_read_out_can_be_asked_why(heat):
    from workbench.gui.why import why_of

    heat.hover(32_768, 64)
    wait_until(lambda: why_of(heat.body.readout.result) is not None)
    over = ledger_with(heat, 32_768, 64).worst_rank.over_bytes
    QTest.qWait(250)
    why = why_of(heat.body.readout.result)
    assert (why.term.symbol, why.term.value) == ("over_bytes", over)
    assert why_of(heat.body.readout.used).term.symbol == "used_bytes"


def test_what_does_not_start_holds_no_requests(heat):
    readout = heat.body.readout
    wait_until(lambda: not readout.held.isHidden())
    beyond = FIELDS[CONTEXT].write(heat.session.current, 1 << 20)
    heat.session.open_plan(heat.session.plan.replacing(beyond))
    heat.session.set_current(beyond.id)
    wait_until(lambda: readout.result.full_text == "engine refuses to start")
    assert readout.held.isHidden()
    assert not readout.used.isHidden()


def test_the_plot_shows_the_colours_of_the_exported_picture(heat):
    model = heat.body.model
    for measure in ("used", "free", "held"):
        model.choose_measure(measure)
        colours = shades(model.surface, measure, theme_of(heat.chart), chart_label)
        pixels = heat.chart.plot.image.image
        assert pixels.shape == (*model.surface.status.shape, 4)
        for x, y in np.ndindex(model.surface.status.shape):
            fill = colours.steps[int(colours.cells[x, y])].fill
            assert QColor(*(int(c) for c in pixels[x, y])).name().upper() == fill
        picture = heat.body.picture()
        drawn = {
            item.role: item.fill for item in picture.with_role("cell:") if hasattr(item, "fill")
        }
        assert drawn == {
            f"cell:{x}:{y}": colours.steps[int(colours.cells[x, y])].fill
            for x, y in np.ndindex(model.surface.status.shape)
        }


def test_a_cell_is_where_it_is_painted(heat):
    model = heat.body.model
    image = heat.chart.grab().toImage()
    colours = shades(model.surface, "used", theme_of(heat.chart), chart_label)
    scale = image.devicePixelRatio()
    for x, y in np.ndindex(model.surface.status.shape):
        step = colours.steps[int(colours.cells[x, y])]
        if step.hatched is None and not any(
            (round(mark.x), round(mark.y)) == (x, y) for mark in model.marks
        ):
            at = heat.chart.area_of((x, y)).center()
            seen = image.pixelColor(int(at.x() * scale), int(at.y() * scale))
            assert seen.name().upper() == step.fill, (x, y)


def test_marks_stand_at_the_current_scenario_and_at_the_baseline(heat):
    marks = {mark.scenario: mark for mark in heat.body.model.marks}
    surface = heat.body.model.surface
    assert (marks["b"].symbol, marks["a"].symbol) == ("◆", "☆")
    assert (marks["b"].x, marks["b"].y) == heat.cell(32_768, 4)
    assert (marks["a"].x, marks["a"].y) == (surface.x.index(8_192), surface.y.index(16))


def test_only_scenarios_that_differ_in_these_two_inputs_are_marked(heat):
    session = heat.session
    like = session.duplicate("b")
    session.set_field(CONTEXT, 65_536)
    other = session.duplicate("b")
    session.set_field("deployment.tp", 8)
    session.set_current("b")
    heat.settle()
    marks = {mark.scenario: mark.symbol for mark in heat.body.model.marks}
    assert marks[like] == "●"
    assert other not in marks


# Trying


def test_a_click_tries_a_cell_everywhere_without_a_step(heat):
    before = heat.session.plan
    heat.click(8_192, 16)
    assert heat.shown_value(CONTEXT) == 8_192
    assert heat.shown_value(CONCURRENCY) == 16
    assert heat.session.plan is before
    assert heat.session.undo_stack.count() == 0
    assert heat.body.readout.head.full_text == "being tried"
    heat.settle()
    # The map is still that of the scenario, its mark where the plan has it.
    assert [m.symbol for m in heat.body.model.marks if m.scenario == "b"] == ["◆"]
    assert heat.body.model.cell_of_current() == heat.cell(32_768, 4)
    heat.click(4_096, 16)
    assert heat.shown_value(CONTEXT) == 4_096


@pytest.mark.parametrize("how", ["escape", "elsewhere", "focus", "tab", "scenario"])
def test_trying_ends_when_it_is_left(heat, how):
    heat.click(8_192, 16)
    assert heat.session.preview is not None
    window = heat.bench.window
    if how == "escape":
        heat.key(Qt.Key.Key_Escape)
    elif how == "elsewhere":
        QTest.mouseClick(window.verdict, Qt.MouseButton.LeftButton, NONE, QPoint(2, 2))
    elif how == "focus":
        window.bars_card.bars.setFocus()
    elif how == "tab":
        window.tabs.setCurrentIndex(2)
    else:
        heat.session.set_current("a")
    assert heat.session.preview is None
    heat.settle()
    assert heat.body.model.tried is None
    assert heat.session.undo_stack.count() == 0


def test_a_click_in_the_read_out_does_not_end_it(heat):
    heat.click(8_192, 16)
    QTest.mouseClick(heat.body.readout, Qt.MouseButton.LeftButton, NONE, QPoint(2, 2))
    assert heat.session.preview is not None


def test_a_cell_stays_the_one_that_is_tried_when_a_row_above_or_below_goes(heat):
    heat.session.set_field(CONCURRENCY, None)
    heat.settle()
    before = heat.body.model.surface.y.values
    up = before[-1]
    heat.click(8_192, up)
    heat.settle()
    assert heat.body.model.surface.y.values != before, "the row of the most has gone"
    assert heat.body.model.values_at(heat.body.model.tried) == (8_192, up)
    assert heat.shown_value(CONCURRENCY) == up


def test_typing_elsewhere_takes_the_preview_over(heat):
    heat.click(8_192, 16)
    heat.session.preview_field(CONTEXT, 65_536)
    heat.settle()
    assert heat.body.model.tried is None
    heat.body.hide()
    assert heat.shown_value(CONTEXT) == 65_536, "leaving the map ends only what it began"


# Taking


def test_a_double_click_takes_a_cell_as_one_step(heat):
    before = heat.session.plan
    heat.double_click(8_192, 16)
    assert (heat.value(CONTEXT), heat.value(CONCURRENCY)) == (8_192, 16)
    assert heat.session.preview is None
    assert heat.session.undo_stack.count() == 1
    assert step_text(heat.session.undo_step) == "set context to 8k and concurrency to 16"
    heat.session.undo()
    assert heat.session.plan == before


def test_a_double_click_takes_the_cell_of_its_first_click(heat):
    left = Qt.MouseButton.LeftButton
    for under_the_second in (heat.body.as_table, heat.chart):
        heat.click(8_192, 16)
        # What the trial shows above the map moves it before the second click.
        at = heat.middle(16_384, 4) if under_the_second is heat.chart else QPoint(4, 4)
        QTest.mouseDClick(under_the_second, left, NONE, at)
        assert (heat.value(CONTEXT), heat.value(CONCURRENCY)) == (8_192, 16)
        heat.session.undo()
        heat.settle()
    before = heat.session.plan
    heat.click(8_192, 16)
    QTest.mouseClick(heat.body.readout, left)
    QTest.mouseDClick(heat.body.readout, left)
    assert heat.session.plan == before, "a double click beside the map is none on a cell"


def test_all_selected_scenarios_take_it_in_one_step(heat):
    heat.session.pick(["a", "b"])
    heat.double_click(4_096, 32)
    for scenario in heat.session.plan.scenarios:
        assert FIELDS[CONTEXT].read(scenario) == 4_096
        assert FIELDS[CONCURRENCY].read(scenario) == 32
    assert heat.session.undo_stack.count() == 1
    assert step_text(heat.session.undo_step).endswith("in 2 scenarios")


def test_a_copy_is_named_after_the_cell(heat):
    copy = heat.session.duplicate("b")
    heat.settle()
    heat.double_click(8_192, 16)
    assert heat.session.plan.scenario(copy).name == "Llama · 8k × 16"


# Keys


def test_the_keyboard_walks_reads_tries_and_takes(heat):
    heat.chart.setFocus(Qt.FocusReason.TabFocusReason)
    assert heat.chart.cursor_place == heat.cell(32_768, 4)
    heat.key(Qt.Key.Key_Left)
    heat.key(Qt.Key.Key_Up)
    assert heat.body.readout.values.full_text == "16k × 8"
    assert heat.chart.accessibleDescription().startswith("16k × 8, ")
    heat.key(Qt.Key.Key_Return)
    assert heat.shown_value(CONTEXT) == 16_384
    assert heat.value(CONTEXT) == 32_768
    heat.key(Qt.Key.Key_Return)
    assert (heat.value(CONTEXT), heat.value(CONCURRENCY)) == (16_384, 8)
    assert heat.session.undo_stack.count() == 1


def test_control_enter_takes_at_once(heat):
    heat.chart.setFocus()
    heat.key(Qt.Key.Key_Down)
    heat.key(Qt.Key.Key_Return, CONTROL)
    assert heat.value(CONCURRENCY) == 2
    assert heat.session.undo_stack.count() == 1


def test_shift_goes_ten_times_as_far_and_home_and_end_to_the_edges(heat):
    heat.chart.setFocus()
    heat.key(Qt.Key.Key_Up, SHIFT)
    surface = heat.body.model.surface
    assert surface.y.values[heat.chart.cursor_place[1]] == 32, "nearest to 40"
    heat.key(Qt.Key.Key_Left, SHIFT)
    assert surface.x.values[heat.chart.cursor_place[0]] == 4_096
    heat.key(Qt.Key.Key_Home)
    assert heat.chart.cursor_place[0] == 0
    heat.key(Qt.Key.Key_Left)
    assert heat.chart.cursor_place[0] == 0
    heat.key(Qt.Key.Key_End)
    assert heat.chart.cursor_place[0] == len(surface.x.values) - 1
    heat.key(Qt.Key.Key_PageDown)
    assert heat.chart.cursor_place[1] == 0
    heat.body.model.choose(across="engine.activation_reserve")
    heat.chart.cursor_place = (0, 0)
    heat.key(Qt.Key.Key_Right, SHIFT)
    assert heat.chart.cursor_place[0] == 10


def test_escape_without_a_trial_is_left_to_the_window(heat):
    heat.chart.setFocus()
    seen = []

    class Watcher(QWidget):
        def keyPressEvent(self, event):
            seen.append(event.key())

    watcher = Watcher(heat.bench.window)
    old = heat.chart.parentWidget()
    heat.chart.setParent(watcher)
    heat.key(Qt.Key.Key_Escape)
    heat.chart.setParent(old)
    watcher.deleteLater()
    assert seen == [Qt.Key.Key_Escape]


# Choosing


def choose(box, code):
    box.setCurrentIndex(box.findData(code))
    box.activated.emit(box.currentIndex())


def test_any_two_fields_that_apply_can_be_chosen(heat):
    body = heat.body
    offered = [body.across.itemData(i) for i in range(body.across.count())]
    assert offered == [f.id for f in FIELDS.values() if f.applies(heat.session.current)]
    choose(body.across, "deployment.tp")
    heat.settle()
    assert body.model.pair == ("deployment.tp", CONCURRENCY)
    choose(body.up, "engine.activation_reserve")
    heat.settle()
    surface = body.model.surface
    assert (surface.x.field, surface.y.field) == ("deployment.tp", "engine.activation_reserve")
    assert heat.chart.accessibleName() == "Heat map of TP and activations"


def test_a_field_on_the_other_axis_changes_places(heat):
    choose(heat.body.across, CONCURRENCY)
    heat.settle()
    assert heat.body.model.pair == (CONCURRENCY, CONTEXT)
    assert heat.body.up.currentData() == CONTEXT


def test_fields_that_no_longer_apply_give_way(heat):
    choose(heat.body.across, "engine.activation_reserve")
    heat.settle()
    heat.session.choose_engine("vllm", "0.19.1")
    heat.settle()
    assert heat.body.model.pair == (CONTEXT, CONCURRENCY)
    offered = [heat.body.across.itemData(i) for i in range(heat.body.across.count())]
    assert "engine.max_num_batched_tokens" in offered
    assert "engine.activation_reserve" not in offered


def test_a_slow_map_fills_in_turns_of_the_event_loop(heat):
    heat.session.choose_engine("vllm", "0.19.1")
    heat.settle()
    model = heat.body.model
    model.choose(across="engine.gpu_memory_utilization")
    model.choose(up="engine.cpu_offload_bytes")
    assert not model.surface.done
    shown = []
    model.changed.connect(lambda: shown.append(int((model.surface.status >= 0).sum())))
    wait_until(lambda: not model.busy, 30)
    assert model.surface.done
    assert shown
    assert shown == sorted(shown)
    # An edit in the middle starts anew and ends with the answer to the newest question.
    heat.session.set_field("deployment.tp", 8)
    heat.settle()
    assert model.surface.scenario.deployment.tp == 8
    assert model.surface.done


def test_nothing_is_worked_out_while_nobody_looks(heat):
    heat.bench.window.tabs.setCurrentIndex(2)
    surface = heat.body.model.surface
    heat.session.set_field("deployment.tp", 8)
    QTest.qWait(50)
    assert heat.body.model.surface is surface
    heat.bench.window.tabs.setCurrentIndex(0)
    heat.settle()
    assert heat.body.model.surface is not surface


def test_an_edit_of_the_varied_inputs_alone_works_nothing_out_anew(heat):
    surface = heat.body.model.surface
    heat.session.set_field(CONTEXT, 16_384)
    heat.settle()
    assert heat.body.model.surface is surface
    assert heat.body.model.cell_of_current() == heat.cell(16_384, 4)
    heat.session.set_field(CONTEXT, 20_000)
    heat.settle()
    assert 20_000 in heat.body.model.surface.x.values


def test_a_cell_that_no_scenario_can_have_is_said_and_not_taken(heat):
    session = heat.session
    lengths = QuantileTable(
        points=tuple(QuantilePoint(q=q, tokens=n) for q, n in ((0.5, 2_000), (1.0, 9_000)))
    )
    scenario = session.current
    workload = scenario.workload.with_(lengths=lengths)
    session.replace_scenario(scenario.with_(workload=workload), "set_lengths")
    heat.settle()
    assert heat.body.model.pair == ("workload.p95", CONCURRENCY)
    heat.body.model.choose(across="workload.p50", up="workload.p95")
    heat.settle()
    surface = heat.body.model.surface
    place = tuple(int(n) for n in np.argwhere(surface.status == INVALID)[0])
    steps = session.undo_stack.count()
    heat.chart.setFocus()
    heat.chart.cursor_place = place
    heat.key(Qt.Key.Key_Return)
    assert "must rise" in heat.body.readout.result.full_text
    heat.key(Qt.Key.Key_Return, CONTROL)
    assert session.undo_stack.count() == steps
    assert session.preview is None


def test_lengths_of_a_trace_leave_other_inputs_to_vary(heat):
    heat.session.choose_workload(parts.library().workload("sharegpt-8k"))
    heat.settle()
    assert heat.body.model.pair == ("deployment.tp", CONCURRENCY)
    assert heat.body.model.surface.done


def test_vary_in_the_heat_map_from_a_field(heat):
    window = heat.bench.window
    window.tabs.setCurrentIndex(2)
    edit = next(
        s.fields["deployment.tp"] for s in window.panel.sections if "deployment.tp" in s.fields
    )
    menu = edit.menu_actions(window)
    next(action for action in menu if action.text() == "Vary in the heat map").trigger()
    assert window.tabs.currentWidget() is window.tabs.heat
    heat.settle()
    assert heat.body.model.pair == ("deployment.tp", CONCURRENCY)
    heat.session.vary_wanted.emit(CONCURRENCY)
    assert heat.body.model.pair == ("deployment.tp", CONCURRENCY)


# Table and copies


def test_the_table_shows_the_same_figures(heat):
    heat.body.as_table.click()
    table = heat.body.table
    assert table.isVisible()
    surface = heat.body.model.surface
    header, lines = map_table(surface, "context", "concurrency", "used", chart_label)
    assert table.cells.headings == header
    assert [tuple(cell.text for cell in row) for row in table.cells.rows] == list(lines)
    assert lines[0][1] == cell_text(surface, 0, len(surface.y.values) - 1, "used")
    choose(heat.body.across, "deployment.tp")
    heat.settle()
    assert heat.body.table.cells.headings[0] == "concurrency \\ TP"
    heat.session.set_field(CONTEXT, 131_072)
    heat.settle()
    surface = heat.body.model.surface
    assert heat.body.table.cells.rows[-1][1].text == map_table(surface, "", "", "used")[1][-1][1]
    heat.body.as_table.click()
    assert heat.chart.isVisible()


def test_copy_takes_picture_and_table(heat):
    heat.chart.setFocus()
    heat.key(Qt.Key.Key_C, CONTROL)
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    lines = data.text().splitlines()
    assert lines[0].split("\t")[0] == "concurrency \\ context"
    assert lines[-1].startswith("largest that fits\t")
    assert "chart_copied" in heat.bench.messages()
    image = QGuiApplication.clipboard().image()
    assert image.width() > 1_000


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_the_menu_copies_and_shows_the_table(heat):
    heat.chart.menu_wanted.emit(heat.chart.mapToGlobal(QPoint(40, 40)))
    menu = QApplication.activePopupWidget()
    texts = {action.text(): action for action in menu.actions()}
    texts["Copy the table"].trigger()
    assert QGuiApplication.clipboard().text().startswith("concurrency \\ context\t")
    texts["Show as a table"].trigger()
    assert heat.body.table.isVisible()
    menu.close()


# For everybody


def test_the_map_is_a_named_chart_and_nothing_inside_takes_the_keyboard(heat):
    face = QAccessible.queryAccessibleInterface(heat.chart)
    assert face.role() == QAccessible.Role.Chart
    assert face.text(QAccessible.Text.Name) == "Heat map of context and concurrency"
    assert "cells fit" in face.text(QAccessible.Text.Description)
    for widget in heat.body.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.inherits("QScrollBar"):
            continue
        if not widget.isVisibleTo(heat.body):
            continue
        assert widget.accessibleName(), widget
        inside = widget is not heat.chart and heat.chart.isAncestorOf(widget)
        assert not inside, f"{widget} takes the keyboard from the chart"


def test_the_ring_is_seen_while_the_keyboard_is_there(heat):
    def ring() -> str:
        area = heat.chart.plot.geometry()
        return heat.chart.grab().toImage().pixelColor(area.left() - 1, area.center().y()).name()

    heat.bench.window.bars_card.bars.setFocus()
    before = ring()
    heat.chart.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring() != before
    assert ring().upper() == theme_of(heat.chart).accent


def test_a_theme_recolours_the_map(heat):
    before = heat.chart.plot.image.image.copy()
    heat.bench.verbs.choose_theme("dark")
    QApplication.processEvents()
    heat.settle()
    after = heat.chart.plot.image.image
    assert not np.array_equal(before, after)
    colours = shades(heat.body.model.surface, "used", theme_of(heat.chart), chart_label)
    assert QColor(*(int(c) for c in after[0, 0])).name().upper() == (
        colours.steps[int(colours.cells[0, 0])].fill
    )
    heat.bench.verbs.choose_theme("light")


class Marked(QTranslator):
    """Every text of the map between brackets."""

    def translate(self, context, text, disambiguation=None, n=-1):
        return f"[{text}]" if context in ("Explore", "Charts") else ""

    def isEmpty(self):
        return False


def test_every_word_follows_the_language(heat, qapp):
    translator = Marked()
    qapp.installTranslator(translator)
    try:
        say_again()
        heat.settle()
        body = heat.body
        assert body.across_name.full_text == "[across]"
        assert body.as_table.text() == "[Table]"
        assert body.value.currentText() == "[used / usable]"
        assert body.readout.head.full_text == "[this scenario]"
        assert body.readout.hint.full_text.startswith("[")
        assert heat.chart.accessibleName().startswith("[Heat map of")
        legend = body.legend.display_list(400)
        assert "[largest that fits]" in [getattr(item, "text", "") for item in legend.items]
        body.as_table.click()
        assert body.table.cells.rows[-1][0].text == "[largest that fits]"
    finally:
        qapp.removeTranslator(translator)
        say_again()


def test_names_are_shown_as_they_are_written(heat):
    heat.session.rename("b", "<b>&amp;</b>")
    heat.settle()
    assert [m.name for m in heat.body.model.marks if m.scenario == "b"] == ["<b>&amp;</b>"]
    picture = heat.body.picture()
    assert any("<b>&amp;</b>" in getattr(item, "text", "") for item in picture.items)


def test_the_map_survives_plans_without_scenarios(heat):
    heat.session.delete("a", "b")
    heat.settle()
    heat.chart.setFocus()
    heat.key(Qt.Key.Key_Right)
    heat.key(Qt.Key.Key_Return)
    heat.session.undo()
    heat.settle()
    assert heat.body.model.cell_of_current() is not None


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_the_map_has_room_at_both_sizes(heat, size):
    heat.bench.window.resize(*size)
    QTest.qWait(50)
    plot, line = heat.chart.plot, heat.chart.fontMetrics().height()
    rows = len(heat.body.model.surface.y.values)
    assert plot.height() >= rows * line / 2
    readout = heat.body.readout
    assert readout.hint.geometry().bottom() <= readout.height()
    # In a low window it is a line.
    assert heat.body.legend.isVisible()
    assert (heat.body.legend.height() < 2 * line) == (size[1] == 700)


def test_two_maps_share_one_import(qtbot):
    first = parts.Tabs(qtbot, parts.llama())
    second = parts.Tabs(qtbot, parts.ledger_lab())
    for made in (first, second):
        assert ready(made.tabs.heat) is made.tabs.heat.body
    for made in (first, second):
        made.window.close()


def test_focus_lost_to_a_popup_is_not_leaving(heat):
    from PySide6.QtGui import QFocusEvent

    heat.click(8_192, 16)
    QApplication.sendEvent(
        heat.chart, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason)
    )
    assert heat.session.preview is not None

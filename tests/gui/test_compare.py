"""The compare view: scenarios side by side, by clicks and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.gui.compare_kit import (
    caught_up,
    cell,
    choose,
    click_cell,
    keys,
    line,
    opened,
    point_of,
    settled,
    texts,
)
from tests.gui.number_walk import faults
from tests.gui.sample import FP8_KV, plan, scenario
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.core.budget import budget
from workbench.core.compare import compare
from workbench.core.fixes import fixes_of
from workbench.core.solve import max_concurrency
from workbench.gui.app import example_plan
from workbench.gui.compare.cells import Look
from workbench.gui.compare.lines import Lines
from workbench.gui.fix_buttons import FixButton
from workbench.gui.language import say_again
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import EntryKind
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.units import GIB

CONTROL = Qt.KeyboardModifier.ControlModifier


def different() -> Plan:
    """A, B with FP8 KV and twice the requests, C with a context that does not fit."""
    made = plan("A", "B", "C")
    _, b, c = made.scenarios
    b = b.with_(precision=b.precision.with_(kv=FP8_KV))
    b = FIELDS["workload.concurrency"].write(b, 8)
    c = FIELDS["workload.context"].write(c, 131_072)
    c = FIELDS["workload.concurrency"].write(c, 6)
    return made.replacing(b).replacing(c)


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, different()) as made:
        yield made


@pytest.fixture
def page(bench):
    return opened(bench)


def test_the_button_opens_the_page_and_escape_returns(bench):
    window = bench.window
    button = next(
        b
        for b in window.strip_bar.findChildren(QWidget)
        if getattr(b, "defaultAction", None)
        and b.defaultAction() is window.actions_by_id["compare.open"]
    )
    click(button)
    page = settled(bench)
    assert window.page == "compare"
    assert page.isVisible()
    assert window.left.isHidden()
    assert page.table.hasFocus()
    key(page.table, Qt.Key.Key_Escape)
    assert window.page == "plan"
    assert not window.left.isHidden()
    key(window, Qt.Key.Key_2, CONTROL)
    assert window.page == "compare"
    key(page.table, Qt.Key.Key_1, CONTROL)
    assert window.page == "plan"
    key(window, Qt.Key.Key_2, CONTROL)
    for box in (page.head.unit, page.head.only, page.head.copy, page.fall.view):
        box.setFocus()
        key(box, Qt.Key.Key_Escape)
        assert window.page == "plan"
        window.show_page("compare")


def test_what_leaves_the_weights_out_says_so(qapp):
    lines = Lines(compare(example_plan().scenarios[:2], 0, budget, answers=False), Look())
    verdicts, bars = lines.verdicts()
    for line_ in (verdicts, bars):
        assert [one.text.endswith(", without weights") for one in line_.cells] == [True, False]
    assert [one.value[0].role for one in verdicts.cells] == ["warning", "success"]


def test_columns_say_verdict_answers_and_memory_of_the_core(bench, page):
    a, b, c = bench.session.plan.scenarios
    assert page.table.headings() == ["★ A", "B", "C"]
    left = [budget(one).worst_rank.left_bytes / GIB for one in (a, b, c)]
    assert texts(page, "verdict") == [
        f"✔ {left[0]:.1f} GiB free",
        f"✔ {left[1]:.1f} GiB free",
        f"✖ {-left[2]:.1f} GiB over",
    ]
    most = [max_concurrency(s, budget).answer for s in (a, b, c)]
    assert texts(page, "largest_concurrency") == [
        f"{most[0]}",
        f"{most[1]} ×{most[1] / most[0]:.1f}",
        f"{most[2]} −{most[0] - most[2]}",
    ]
    assert cell(page, "largest_context", 2).text.endswith("asked 128k")
    kv = [budget(s).worst_rank.kind_bytes(EntryKind.KV) for s in (a, b, c)]
    assert kv == [16 * GIB, 16 * GIB, 96 * GIB]
    assert texts(page, "memory:kv") == ["16.00", "16.00 =", "96.00 +80.00"]
    assert line(page, "memory:kv").part == "kv"
    assert [piece.role for piece in cell(page, "memory:kv", 2).diff] == ["danger"]
    used = budget(c).worst_rank.charged_bytes / GIB
    assert cell(page, "total", 2).text == f"{used:.2f} / 80.00"
    assert cell(page, "gpus_to_fit", 2).text == "2 (+1)"


def test_answers_say_whether_the_headroom_is_kept(qapp):
    """A director reads the numbers of the plan's page: 16 with headroom, 17 without, 49k."""
    fit, over = example_plan().scenarios[1:]
    over = FIELDS["workload.context"].write(over, 131_072)
    most, held, longest = Lines(compare((fit, over), 0, budget), Look()).answers.lines()
    assert most.name.endswith("headroom kept")
    assert held.name.endswith("no headroom left")
    assert longest.name.endswith("headroom kept")
    found = max_concurrency(over, budget).answer
    assert most.cells[1].value_text == str(found)
    assert held.cells[1].value_text == str(budget(over).capacity.steady_state.p95)
    assert int(held.cells[1].value_text) > found
    parent = QWidget()
    button = FixButton(parent)
    offered = []
    for fix in fixes_of(over, budget).fixes:
        button.show_fix(fix)
        offered.append(button.full_text)
    told = longest.cells[1].value_text
    assert offered[:2] == [
        f"{found} requests with headroom ✔",
        f"context ≤ {told} with headroom ✔",
    ]
    assert longest.cells[1].diff_text == "asked 128k"
    bare = FIELDS["reserves.headroom"].write(over, Amount(size_bytes=0))
    lines = Lines(compare((bare, bare), 0, budget), Look()).answers.lines()
    assert [one.key for one in lines] == ["largest_concurrency", "largest_context"]
    assert not any("headroom" in one.name for one in lines)


def test_only_differences_hides_what_is_the_same(page):
    shown = [k for k in keys(page) if k.startswith("input:")]
    assert shown == ["input:precision.kv", "input:workload.context", "input:workload.concurrency"]
    assert texts(page, "input:workload.context") == ["32k", "32k", "128k ≠ ×4"]
    assert texts(page, "input:workload.concurrency") == ["4", "8 ≠ ×2", "6 ≠ ×1.5"]
    assert [one.tinted for one in line(page, "input:precision.kv").cells] == [False, True, False]
    click(page.head.only, QPoint(8, page.head.only.height() // 2))
    caught_up(page)
    every = [k for k in keys(page) if k.startswith("input:")]
    assert len(every) > 20
    assert "input:model.layers" in every
    assert texts(page, "input:model.layers") == ["32", "32", "32"]
    key(page.head.only, Qt.Key.Key_Space)
    caught_up(page)
    assert [k for k in keys(page) if k.startswith("input:")] == shown


def test_another_baseline_is_one_step_and_undo_takes_it_back(bench, page):
    choose(page.head.baseline, "★ B")
    settled(bench)
    assert bench.session.plan.baseline == "b"
    assert page.table.headings() == ["★ B", "A", "C"]
    assert texts(page, "input:workload.concurrency") == ["8", "4 ≠ ÷2", "6 ≠ ÷1.3"]
    assert page.fall.title.full_text.endswith("★ B →")
    key(page.table, Qt.Key.Key_Z, CONTROL)
    settled(bench)
    assert bench.session.plan.baseline == "a"
    assert page.table.headings() == ["★ A", "B", "C"]
    assert bench.session.undo_step is None


def test_units_and_totals_are_those_of_the_table(bench, page):
    bench.session.set_current("c")
    bench.session.set_field("deployment.tp", 2)
    page = settled(bench)
    per_gpu = budget(bench.session.plan.scenario("c")).ranks
    assert len(per_gpu) == 2
    size = per_gpu[0].kind_bytes(EntryKind.KV)
    assert cell(page, "memory:kv", 2).value_text == f"{size / GIB:.2f}"
    choose(page.head.per, "total")
    caught_up(page)
    both = sum(rank.kind_bytes(EntryKind.KV) for rank in per_gpu)
    assert cell(page, "memory:kv", 2).value_text == f"{both / GIB:.2f}"
    assert line(page, "memory").full_name == "Memory in total, GiB"
    choose(page.head.unit, "bytes")
    caught_up(page)
    assert cell(page, "memory:kv", 2).value_text == f"{both:,}"
    choose(page.head.unit, "GB")
    caught_up(page)
    assert cell(page, "memory:kv", 2).value_text == f"{both / 10**9:.2f}"
    choose(page.head.unit, "MiB")
    caught_up(page)
    assert cell(page, "memory:kv", 2).value_text == f"{both / 2**20:,.2f}"
    # The whole thing again in the waterfall: it ends at the total shown.
    choose(page.fall.target, "C")
    settled(bench)
    choose(page.fall.figure, "memory used")
    chart = page.fall.chart
    assert chart is not None
    total = page._comparison.columns[2].used_bytes("all")
    assert chart.end == total == sum(rank.charged_bytes for rank in per_gpu)


@pytest.mark.parametrize("figure", ["largest concurrency", "memory used"])
def test_the_steps_sum_to_the_figures_of_the_table(bench, page, figure):
    choose(page.fall.target, "C")
    settled(bench)
    choose(page.fall.figure, figure)
    chart = page.fall.chart
    assert chart is not None
    assert [step.name for step in chart.steps] == ["context 32k → 128k", "concurrency 4 → 6"]
    column = page._comparison.columns[2]
    if figure == "memory used":
        assert chart.end == column.used_bytes("gpu")
        assert chart.start == page._comparison.columns[0].used_bytes("gpu")
    else:
        assert chart.end == column.largest_concurrency.answer
        assert f"{chart.end}" == cell(page, "largest_concurrency", 2).value_text
    assert chart.start + sum(step.delta for step in chart.steps) == chart.end


def test_the_waterfall_reads_by_pointer_and_keyboard_and_as_a_table(bench, page):
    view, said = page.fall.view, page.fall.line
    hit = next(r for r in view.display_list().hits if r.key.part == "step:0")
    middle = QPoint(round(hit.box.x + 20), round(hit.box.y + hit.box.height / 2))
    QTest.mouseMove(view, middle)
    wait_until(lambda: said.full_text.startswith("KV format bf16 → fp8: "))
    hovered = said.full_text
    QTest.mouseMove(bench.window, QPoint(3, 3))
    view.setFocus(Qt.FocusReason.TabFocusReason)
    key(view, Qt.Key.Key_Down)
    assert said.full_text.startswith("A: ")
    key(view, Qt.Key.Key_Down)
    assert said.full_text == hovered == view.accessibleDescription()
    key(view, Qt.Key.Key_Return)
    explained = bench.session.explained
    assert explained is not None
    assert explained.term.value == page.fall.chart.steps[0].delta
    bench.window.activateWindow()
    click(page.fall.as_table)
    assert page.fall.table.isVisible()
    assert page.fall.table.verticalScrollBar().maximum() == 0
    rows = [[one.text for one in row] for row in page.fall.table.cells.rows]
    assert rows[0][0] == "A"
    assert rows[1][0] == "KV format bf16 → fp8"
    assert rows[-1][2] == f"{page.fall.chart.end} requests"


def test_edits_undo_and_previews_are_followed(bench, page):
    bench.session.set_current("b")
    bench.session.preview_field("workload.context", 65_536)
    settled(bench)
    assert texts(page, "input:workload.context") == ["32k", "64k ≠ ×2", "128k ≠ ×4"]
    bench.session.end_preview()
    settled(bench)
    assert texts(page, "input:workload.context") == ["32k", "32k", "128k ≠ ×4"]
    bench.session.set_field("workload.context", 16_384)
    settled(bench)
    assert texts(page, "input:workload.context") == ["32k", "16k ≠ ÷2", "128k ≠ ×4"]
    before = texts(page, "largest_concurrency")
    key(page.table, Qt.Key.Key_Z, CONTROL)
    settled(bench)
    assert texts(page, "input:workload.context") == ["32k", "32k", "128k ≠ ×4"]
    assert texts(page, "largest_concurrency") != before
    bench.session.delete("c")
    settled(bench)
    assert page.table.headings() == ["★ A", "B"]
    bench.session.delete("b")
    settled(bench)
    assert page.table.headings() == ["★ A"]
    assert page.fall.isHidden()
    bench.session.delete("a")
    settled(bench)
    assert (page.table.headings(), keys(page)) == ([], [])


def test_picked_scenarios_are_the_columns_and_columns_come_and_go(bench):
    bench.session.pick(("c",))
    bench.session.set_current("c")
    bench.session.pick(("a", "c"))
    page = opened(bench)
    assert page.table.headings() == ["★ A", "C"]
    menu = page.head.menu
    menu.aboutToShow.emit()
    ticks = {action.text(): action for action in menu.actions()}
    assert [ticks[name].isChecked() for name in "ABC"] == [True, False, True]
    assert not ticks["A"].isEnabled()
    ticks["B"].trigger()
    settled(bench)
    assert page.table.headings() == ["★ A", "B", "C"]
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == "C").trigger()
    settled(bench)
    assert page.table.headings() == ["★ A", "B"]


def menu_of(page, at: QPoint) -> QMenu:
    page.table.customContextMenuRequested.emit(at)
    return next(m for m in page.table.findChildren(QMenu) if m.isVisible())


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_of_a_cell_asks_removes_and_adds(bench, page):
    menu = menu_of(page, point_of(page, "gpus_to_fit", 2))
    names = {action.text(): action for action in menu.actions()}
    assert {"Why this number", "Copy", "Compare with this one", "Remove this column"} <= set(names)
    names["Make it a scenario"].trigger()
    menu.close()
    settled(bench)
    added = bench.session.current
    assert added.name == "C · TP 2"
    assert budget(added).verdict.status.value == "fits"
    assert "C · TP 2" in page.table.headings()
    bench.trigger("edit.undo")
    settled(bench)
    menu = menu_of(page, point_of(page, "memory:kv", 1))
    names = {action.text(): action for action in menu.actions()}
    names["Remove this column"].trigger()
    menu.close()
    settled(bench)
    assert page.table.headings() == ["★ A", "C"]


def test_every_number_says_why(bench, page):
    """A value asks the ledger, a difference is explained by its two values."""
    click_cell(page, point_of(page, "memory:kv", 2, right=120), CONTROL)
    explained = bench.session.explained
    assert (explained.scenario, explained.key) == ("c", "kv")
    click_cell(page, point_of(page, "memory:kv", 2, right=14), CONTROL)
    term = bench.session.explained.term
    assert term.value == 80 * GIB
    assert [one.value for one in term.formula.terms] == [96 * GIB, 16 * GIB]
    bench.session.explain(None)
    key(page.table, Qt.Key.Key_Return)
    assert bench.session.explained.key == "kv"
    key(page.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bench.session.explained.term.value == 80 * GIB
    for only, figure in ((True, "largest concurrency"), (False, "memory used")):
        page.head.only.setChecked(only)
        choose(page.fall.figure, figure)
        settled(bench)
        page.fall.view.setFocus()
        key(page.fall.view, Qt.Key.Key_End)
        assert faults(bench.session, page, ("A", "B", "C")) == []
    click(page.fall.as_table)
    assert faults(bench.session, page) == []


def test_a_part_of_a_bar_is_explained_and_told(bench, page):
    row = keys(page).index("bar")
    index = page.table.lines.index(row, 2)
    rect = page.table.visualRect(index)
    bar = page.table.fonts.bar_rect(rect)
    made = page.table.fonts.bar(cell(page, "bar", 2).bar, bar)
    hit = next(region for region in made.hits if region.key.part == "kv")
    at = bar.topLeft() + QPoint(round(hit.box.x + 4), round(hit.box.y + 4))
    assert page.table.hit(index, at) == hit.key
    click_cell(page, at, CONTROL)
    assert bench.session.explained.key == "kv"
    assert page.table.part_words(hit.key).startswith("C, KV cache: 96 GiB (103,079,215,104 B)")


def test_copy_puts_table_and_charts_on_the_clipboard(bench, page):
    click(page.head.copy)
    data = QApplication.clipboard().mimeData()
    lines = [one.split("\t") for one in data.text().splitlines()]
    assert lines[0] == ["", "★ A", "B", "Δ", "C", "Δ"]
    assert ["KV cache", "16.00", "16.00", "=", "96.00", "+80.00"] in lines
    assert ["Memory per GPU, GiB"] in lines
    assert len(lines) == len(keys(page)) + 1
    image = QApplication.clipboard().image()
    picture = page.picture()
    assert (image.width(), image.height()) == (2 * round(picture.width), 2 * round(picture.height))
    roles = {item.role for item in picture.items}
    assert {"row:name", "limit", "bar:step", "bar:answer"} <= roles
    assert bench.messages() == ["comparison_copied"]


def test_cells_are_copied_like_a_spreadsheet(page):
    rows = keys(page)
    first = page.table.lines.index(rows.index("memory:kv"), 0)
    page.table.setCurrentIndex(first)
    page.table.setFocus()
    key(page.table, Qt.Key.Key_C, CONTROL)
    assert QApplication.clipboard().text() == "16.00"
    key(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    key(page.table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    key(page.table, Qt.Key.Key_C, CONTROL)
    copied = [one.split("\t") for one in QApplication.clipboard().text().splitlines()]
    assert copied[0] == ["", "★ A", "B", "Δ"]
    assert copied[1] == ["KV cache", "16.00", "16.00", "="]
    assert copied[2][0] == "total / engine may use"


def test_the_keyboard_walks_over_headings_and_keeps_its_place(bench, page):
    rows = keys(page)
    page.table.setFocus()
    page.table.setCurrentIndex(page.table.lines.index(rows.index("largest_context"), 1))
    key(page.table, Qt.Key.Key_Down)
    assert page.table.currentIndex().row() == rows.index("inputs") + 1
    bench.session.set_current("b")
    bench.session.set_field("workload.context", 65_536)
    page.head.only.setChecked(False)
    settled(bench)
    index = page.table.currentIndex()
    assert keys(page)[index.row()] == "input:precision.kv"
    assert index.column() == 1


def test_tab_walks_the_page_in_reading_order(bench, page):
    page.head.subject.setFocus()
    head, fall = page.head, page.fall
    order = [head.subject, head.baseline, head.only, head.unit, head.per, head.columns]
    order += [head.copy, head.export]
    order += [page.table, fall.target, fall.figure, fall.as_table, fall.view]
    for widget in order:
        assert bench.window.focusWidget() is widget
        key(widget, Qt.Key.Key_Tab)
    key(page.table, Qt.Key.Key_F6)
    assert bench.window.strip.isAncestorOf(bench.window.focusWidget())
    key(bench.window.focusWidget(), Qt.Key.Key_F6)
    assert page.isAncestorOf(bench.window.focusWidget())


def test_everything_has_a_name(page):
    controls = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    nameless = [
        widget
        for widget in controls
        if not (widget.accessibleName() or getattr(widget, "text", str)())
        or not (widget.accessibleDescription() or getattr(widget, "full_text", ""))
    ]
    assert len(controls) >= 12
    assert nameless == []
    index = page.table.lines.index(keys(page).index("memory:kv"), 2)
    told = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == "C, KV cache: 96.00 +80.00"


def test_words_are_said_again_and_the_choices_stay(bench, page):
    choose(page.head.unit, "GB")
    choose(page.fall.figure, "memory used")
    bench.language.choose("zh_CN")
    settled(bench)
    try:
        assert page.head.title.full_text != "Compare"
        assert page.head.unit.currentText() == "GB"
        assert page.fall.figure.currentData() == "bytes"
        assert line(page, "verdict").name != "verdict"
    finally:
        bench.language.choose("en")
    assert page.head.title.full_text == "Compare"
    say_again()


class _Painted(QObject):
    """Notes the first line's name whenever the table is painted."""

    def __init__(self, page):
        super().__init__(page)
        self.seen: list[str] = []
        self._page = page
        page.table.viewport().installEventFilter(self)

    def eventFilter(self, _watched, event):
        if event.type() == QEvent.Type.Paint:
            self.seen.append(line(self._page, "verdict").name)
        return False


@pytest.mark.parametrize("meanwhile", ["compare", "plan"])
def test_the_page_is_not_seen_as_it_was(bench, page, meanwhile):
    before = line(page, "verdict").name
    wait_until(lambda: not bench.window.paint_turn.waits)
    bench.window.show_page(meanwhile)
    painted = _Painted(page)
    bench.language.choose("zh_CN")
    bench.window.show_page("compare")
    try:
        wait_until(lambda: bool(painted.seen))
        assert before not in painted.seen
    finally:
        bench.language.choose("en")


def named(number: int) -> Scenario:
    made = scenario(f"s{number}", f"Scenario {number} with a long name")
    made = FIELDS["workload.context"].write(made, 4_096 * (number + 1))
    made = FIELDS["workload.concurrency"].write(made, 4 + number)
    return FIELDS["reserves.headroom"].write(made, Amount(size_bytes=number * GIB))


@pytest.mark.parametrize("count", [6, 20])
def test_many_columns_scroll_beside_their_names_in_a_small_window(qapp, tmp_path, count):
    scenarios = tuple(named(number) for number in range(count))
    made = Plan(scenarios=scenarios, baseline="s0")
    with opened_bench(qapp, tmp_path, made) as bench:
        bench.window.resize(1024, 700)
        page = opened(bench)
        table = page.table
        assert bench.window.width() == 1024
        assert len(table.headings()) == count
        metrics = QFontMetrics(table.fonts.head)
        for column, heading in enumerate(table.headings()):
            room = table.horizontalHeader().sectionSize(column) - 2 * table.fonts.padding
            assert metrics.horizontalAdvance(heading) <= room
        widths = {table.horizontalHeader().sectionSize(column) for column in range(count)}
        assert len(widths) == 1
        names = table.verticalHeader()
        table.setCurrentIndex(table.lines.index(keys(page).index("memory:kv"), count - 1))
        table.scrollTo(table.currentIndex())
        assert table.horizontalScrollBar().value() > 0
        assert names.isVisible()
        assert names.x() <= table.frameWidth() + 2
        for one in table.lines.lines:
            assert table.fonts.name_width(one) <= names.width()
        head = page.head
        for control in (
            head.subject,
            head.baseline,
            head.unit,
            head.per,
            head.columns,
            head.export,
        ):
            assert control.geometry().right() <= head.width()
        # The window is too low for both parts: the one that is looked at has all of the room.
        assert (page.tabs.isVisible(), page.fall.isVisible()) == (True, False)
        assert table.height() > table.fontMetrics().height() * 20
        page.tabs.setFocus()
        key(page.tabs, Qt.Key.Key_Right)
        assert (table.isVisible(), page.fall.isVisible()) == (False, True)
        assert page.fall.chart_scroll.verticalScrollBar().maximum() == 0
        assert page.picture().height > page.fall.view.height()
        bench.window.resize(1440, 900)
        wait_until(table.isVisible)
        assert (page.tabs.isVisible(), page.fall.isVisible()) == (False, True)


def test_what_is_cut_at_the_edge_is_left_out(bench, page):
    """A table ends with whole lines and columns, wherever it is scrolled to."""
    table = page.table
    page.head.only.setChecked(False)
    settled(bench)
    view, theme = table.viewport(), table.fonts.theme
    for top in (0, 3, 4):
        table.verticalScrollBar().setValue(top)
        rows = [row for row in range(len(keys(page))) if not table.is_cut(row)]
        assert table.rowViewportPosition(top) == 0
        assert rows[-1] > top + 5
        end = table.rowViewportPosition(rows[-1]) + table.rowHeight(rows[-1])
        for part in (view, table.verticalHeader().viewport()):
            image = part.grab().toImage()
            below = {
                image.pixelColor(x, y).name()
                for x in range(0, image.width(), 3)
                for y in range(end, image.height())
            }
            assert below <= {theme.surface.lower()}

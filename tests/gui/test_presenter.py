"""Presenter mode: a large slide that is live, and nothing asked on the way out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from tests.gui import parts
from tests.gui.window_kit import Bench, key, let_paint, opened_bench, wait_until
from workbench.export.raster import QtMeasure
from workbench.gui.app import example_plan
from workbench.gui.presenter import slide_bars
from workbench.gui.presenter.page import LEAST_POINTS, PresenterPage
from workbench.gui.tr import chart_label
from workbench.gui.why import why_of
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan
from workbench.spec.units import GIB

SIZES = ((1024, 700), (1440, 900), (1920, 1080))


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as made:
        yield made


def presented(bench: Bench, size: tuple[int, int] | None = None) -> PresenterPage:
    key(bench.window, Qt.Key.Key_F5)
    QTest.qWait(20)
    assert bench.window.isFullScreen()
    if size is not None:
        bench.window.resize(*size)
    QTest.qWait(50)
    let_paint(bench)
    page = bench.window.page_widget("presenter")
    assert isinstance(page, PresenterPage)
    assert page.isVisible()
    return page


@pytest.mark.parametrize("leave", [Qt.Key.Key_Escape, Qt.Key.Key_F5])
def test_it_takes_the_screen_and_gives_everything_back(bench, leave):
    window = bench.window
    shown = {
        part: part.isVisible()
        for part in (window.menuBar(), window.status, window.strip_bar, window.left, window.right)
    }
    size = window.size()
    page = presented(bench)
    assert not any(part.isVisible() for part in shown)
    key(page, leave)
    wait_until(lambda: window.page == "plan")
    assert not window.isFullScreen()
    assert window.size() == size
    assert {part: part.isVisible() for part in shown} == shown
    assert bench.answers.asked == []


def test_no_name_is_cut_where_a_little_less_size_keeps_it_whole(qtbot, monkeypatch):
    session = parts.session(parts.with_prefix(parts.llama()))
    bars = slide_bars.SlideBars(session, QtMeasure(), None)
    bars.set_largest(18.0)
    window = parts.show(qtbot, session, bars, width=1_000, height=500)

    def cut() -> list[str]:
        items = bars.bars.display_list().with_role("row:subtitle")
        return [item.text for item in items if item.text.endswith("…")]

    size = bars.bars.text_px
    assert cut() == []
    monkeypatch.setattr(slide_bars, "_NAME_STEPS", 1)
    bars.set_largest(18.1)
    assert cut()
    assert 0.85 * bars.bars.text_px < size < bars.bars.text_px
    window.close()


def test_a_maximised_window_is_maximised_again(bench):
    bench.window.showMaximized()
    QTest.qWait(20)
    presented(bench)
    key(bench.window, Qt.Key.Key_F5)
    QTest.qWait(20)
    assert bench.window.isMaximized()
    assert not bench.window.isFullScreen()
    bench.window.showNormal()


def test_it_returns_to_the_page_from_which_it_began(bench):
    bench.trigger("compare.open")
    page = presented(bench)
    key(page, Qt.Key.Key_Escape)
    wait_until(lambda: bench.window.page == "compare")


def test_closing_while_presenting_keeps_the_place_of_the_window(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        presented(bench)
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        assert not bench.window.isFullScreen()
        assert bench.window.left.isVisible()


def test_arrows_and_pages_change_the_scenario_and_stop_at_the_ends(bench):
    page = presented(bench)
    ids = [scenario.id for scenario in bench.session.plan.scenarios]
    for which, expected in (
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_PageUp, 1),
    ):
        key(page, which)
        assert bench.session.current_id == ids[expected]
        let_paint(bench)
        assert page.place.full_text == f"{expected + 1} / {len(ids)}"
        assert page.name.full_text == bench.session.current.name


def test_it_says_what_the_window_says(bench):
    page = presented(bench)
    # The first scenario's model has no weights on record: the answer says so wherever it stands.
    assert page.answer.full_text == bench.window.verdict.answer.full_text
    assert page.answer.full_text.endswith(f", {chart_label('without.weights')}")
    figures = bench.window.bars_card.figures
    assert [value.full_text for value, _ in page.figures] == [
        value.full_text for _, value in figures._cells[:3]
    ]
    main, slide = bench.window.bars_card.bars, page.bars.bars
    assert [hit.key for hit in main.display_list().hits] == [
        hit.key for hit in slide.display_list().hits
    ]


@pytest.mark.parametrize("size", SIZES)
def test_the_slide_is_wide_its_figures_large_and_nothing_is_cut(bench, size):
    for scenario in bench.session.plan.scenarios:
        bench.session.set_current(scenario.id)
    page = presented(bench, size)
    slide = page.slide.geometry()
    assert slide.width() / slide.height() == pytest.approx(16 / 9, rel=0.01)
    assert page.rect().contains(slide)
    assert abs(slide.center().x() - page.rect().center().x()) <= 1
    assert max(slide.width() / page.width(), slide.height() / page.height()) > 0.99
    least = LEAST_POINTS * page.logicalDpiY() / 72
    for label in (page.answer, *(value for value, _ in page.figures)):
        assert label.font().pixelSize() >= least
    for label in page.findChildren(QLabel):
        if label.isVisible() and label.text():
            assert page.slide.rect().contains(
                label.mapTo(page.slide, label.rect().bottomRight())
            ), label.text()
            assert label.height() >= label.fontMetrics().height(), label.text()
            assert "…" not in label.text()
    bars = page.bars
    assert bars.bars.display_list().height <= bars.viewport().height()
    assert bars.bars.text_px >= 13
    assert bars.bars.display_list().width <= bars.viewport().width() + 1


@pytest.mark.parametrize("size", SIZES[:2])
def test_the_longest_answer_is_whole(bench, size):
    plan = bench.session.plan
    tight = FIELDS["reserves.headroom"].write(plan.scenarios[-1], Amount(size_bytes=60 * GIB))
    bench.session.open_plan(plan.replacing(tight))
    bench.session.set_current(tight.id)
    answer = presented(bench, size).answer
    assert answer.text() == answer.full_text == bench.window.verdict.answer.full_text
    assert answer.height() >= answer.heightForWidth(answer.width())
    assert answer.font().pixelSize() >= LEAST_POINTS * answer.logicalDpiY() / 72


def test_many_bars_scroll_and_the_current_one_is_in_sight(bench):
    plan = bench.session.plan
    many = tuple(
        plan.scenarios[0].with_(id=f"s{number}", name=f"Scenario {number}") for number in range(20)
    )
    bench.session.open_plan(Plan(scenarios=many, baseline="s0"))
    page = presented(bench, (1024, 700))
    bench.session.set_current("s19")
    QTest.qWait(50)
    bars = page.bars.bars
    box = next(hit.box for hit in bars.display_list().hits if hit.key.scenario == "s19")
    top = bars.mapTo(page.bars.viewport(), bars.rect().topLeft()).y() + box.y
    assert 0 <= top <= page.bars.viewport().height() - box.height


def test_the_scenario_chosen_on_a_slide_is_in_sight_when_the_slide_is_left(bench):
    first = bench.session.plan.scenarios[0]
    many = tuple(first.with_(id=f"s{number}", name=f"Scenario {number}") for number in range(30))
    bench.session.open_plan(Plan(scenarios=many, baseline="s0"))
    page = presented(bench)
    bench.session.set_current("s29")
    key(page, Qt.Key.Key_Escape)
    bars, area = bench.window.bars_card.bars, bench.window.bars_card.area
    box = next(hit.box for hit in bars.display_list().hits if hit.key.scenario == "s29")

    def is_in_sight() -> bool:
        top = bars.mapTo(area.viewport(), bars.rect().topLeft()).y() + box.y
        return bars.isVisible() and 0 <= top <= area.viewport().height() - box.height

    wait_until(is_in_sight)


def test_fields_are_live_and_each_edit_is_one_step(bench):
    page = presented(bench)
    line = page.fields.fields["workload.context"].line
    before = page.answer.full_text, page.bars.bars.display_list().summary
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "120k")
    assert page.bars.bars.display_list().summary != before[1]
    assert not bench.session.dirty
    key(line, Qt.Key.Key_Return)
    assert FIELDS["workload.context"].read(bench.session.current) == 120 * 1024
    assert bench.session.undo_stack.count() == 1
    slider = page.fields.fields["workload.concurrency"].slider
    slider.setFocus()
    key(slider, Qt.Key.Key_Right)
    assert bench.session.undo_stack.count() == 2
    for _ in range(2):
        bench.trigger("edit.undo")
    let_paint(bench)
    assert (page.answer.full_text, page.bars.bars.display_list().summary) == before
    assert bench.session.plan == example_plan()


def test_escape_in_a_field_forgets_what_was_typed_then_leaves(bench):
    page = presented(bench)
    line = page.fields.fields["deployment.tp"].line
    line.setFocus()
    QTest.keyClicks(line, "99")
    key(line, Qt.Key.Key_Escape)
    assert bench.window.page == "presenter"
    key(line, Qt.Key.Key_Escape)
    wait_until(lambda: bench.window.page == "plan")
    assert bench.session.undo_stack.count() == 0


def test_every_figure_has_a_why(bench):
    page = presented(bench)
    for value, name in page.figures:
        asked = value.full_text[:1].isdigit()
        assert (why_of(value) is not None) == asked
        assert (why_of(name) is not None) == asked


def test_an_empty_plan_has_a_slide_too(bench):
    bench.session.delete(*[scenario.id for scenario in bench.session.plan.scenarios])
    page = presented(bench)
    assert page.answer.full_text
    assert not page.fields.isVisible()
    key(page, Qt.Key.Key_Right)
    key(page, Qt.Key.Key_Escape)
    wait_until(lambda: bench.window.page == "plan")


def test_the_window_is_not_seen_without_a_page(bench):
    page = presented(bench)
    key(page, Qt.Key.Key_Escape)
    assert bench.window.page == "presenter"
    assert bench.window.paint_turn.is_held
    wait_until(lambda: bench.window.page == "plan")
    wait_until(lambda: not bench.window.paint_turn.is_held)

"""A small window shows everything, or that there is more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from tests.gui.test_language import mixed_plan, settle
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.gui.app import example_plan
from workbench.gui.labels import Label
from workbench.gui.strip_window import StripWindow, chosen
from workbench.gui.views.tab_bar import fitting
from workbench.spec.fields import FIELDS

SMALLEST = (1024, 700)


@pytest.fixture
def bench(qapp, tmp_path):
    plan = example_plan()
    last = FIELDS["workload.context"].write(plan.scenarios[-1], 131_072)
    with opened_bench(qapp, tmp_path, plan.replacing(last)) as made:
        made.window.resize(*SMALLEST)
        made.session.set_current(last.id)
        wait_until(lambda: made.window.tabs.heat.body is not None)
        settle()
        yield made


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_three_bars_are_never_cut(bench, language):
    bench.verbs.choose_language(language)
    area = bench.window.bars_card.area
    for plan in (bench.session.plan, mixed_plan()):
        bench.session.open_plan(plan)
        for scenario in plan.scenarios:
            bench.session.set_current(scenario.id)
            settle(1)
            wait_until(lambda: area.verticalScrollBar().maximum() == 0)
            assert area.widget().height() <= area.viewport().height()
    assert (bench.window.width(), bench.window.height()) == SMALLEST


def test_bars_are_as_thick_as_there_is_room_for(bench):
    bars = bench.window.bars_card.bars
    bench.window.resize(1440, 900)
    settle(2)
    calm = bars.display_list().hits[0].box.height
    for _ in range(6):
        bench.trigger("scenario.duplicate")
    settle(2)
    assert bars.display_list().hits[0].box.height < calm
    for _ in range(6):
        bench.trigger("edit.undo")
    settle(2)
    assert bars.display_list().hits[0].box.height == calm


def test_no_tab_is_cut_and_those_without_room_are_in_a_menu(bench):
    tabs, more = bench.window.tabs, bench.window.tabs.more
    bar, count = tabs.tabBar(), tabs.count()
    seen = []
    for index in range(count):
        assert tabs.currentIndex() == index
        assert tabs.isTabVisible(index)
        shown = [at for at in range(count) if tabs.isTabVisible(at)]
        assert all(bar.rect().contains(bar.tabRect(at)) for at in shown)
        assert not any(b.isVisible() for b in bar.findChildren(QToolButton))
        assert more.isVisible()
        assert more.geometry().right() < tabs.width()
        more.menu().aboutToShow.emit()
        titles = {action.text() for action in more.menu().actions()}
        assert titles == {tabs.tabText(at) for at in range(count) if at not in shown}
        seen += titles
        key(bar, Qt.Key.Key_Right)
    assert len(set(seen)) > 1
    more.menu().actions()[0].trigger()
    assert tabs.tabText(tabs.currentIndex()) == more.menu().actions()[0].text()


def test_tabs_that_all_fit_need_no_menu():
    assert fitting((10, 20, 30), 0, 60, 15) == {0, 1, 2}
    assert fitting((10, 20, 30), 0, 59, 15) == {0, 1}
    assert fitting((10, 20, 30), 2, 59, 15) == {0, 2}
    assert fitting((10, 20, 30), 2, 5, 15) == {2}


def test_chips_that_do_not_fit_show_whole_ones_and_arrows(bench):
    strip = bench.window.strip
    arrows = strip.findChildren(StripWindow)[0]
    assert not arrows.before.isVisible()
    for _ in range(6):
        bench.trigger("scenario.duplicate")
    ids = [chip.scenario_id for chip in strip.chips()]
    for current in (ids[0], ids[5], ids[-1], ids[3]):
        bench.session.set_current(current)
        settle(2)
        regions = {chip.scenario_id: chip.visibleRegion().boundingRect() for chip in strip.chips()}
        whole = [i for i in ids if regions[i] == strip.chip(i).rect()]
        assert [i for i in ids if not regions[i].isEmpty()] == whole
        assert current in whole
        assert arrows.before.isEnabled() == (whole[0] != ids[0])
        assert arrows.after.isEnabled() == (whole[-1] != ids[-1])
        assert strip.add_button.geometry().right() <= strip.width()
    click(arrows.after)
    assert strip.chip(ids[ids.index(whole[-1]) + 1]).visibleRegion().boundingRect().width() > 20


def test_the_chips_in_sight_follow_the_wanted_one_as_little_as_they_can():
    widths = (10, 10, 10, 10)
    assert chosen(0, 0, widths, 2, 22) == 0
    assert chosen(2, 0, widths, 2, 22) == 1
    assert chosen(1, 2, widths, 2, 22) == 1
    assert chosen(3, 3, widths, 2, 34) == 1
    assert chosen(1, 0, (10, 50, 10), 2, 22) == 1


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_small_window_still_says_what_decides_and_what_a_click_does(bench, language):
    bench.verbs.choose_language(language)
    verdict, body = bench.window.verdict, bench.window.tabs.heat.body
    wait_until(lambda: verdict.fixes.isVisible() and body.model.surface is not None)
    settle(2)
    assert verdict.reason.isVisible()
    assert verdict.reason.text() == verdict.reason.full_text
    assert "KV" in verdict.reason.text()
    for part in (body.legend, body.readout.hint, body.readout.frontier):
        assert part.isVisible()
        assert part.visibleRegion().boundingRect() == part.rect()
    assert verdict.fixes.buttons[0].text().startswith("16 ")
    assert ("headroom" if language == "en" else "余量") in verdict.fixes.buttons[0].text()


def test_findings_have_the_room_that_the_rows_above_leave(bench):
    bench.window.resize(1440, 900)
    reasons = bench.window.reasons
    settle(2)
    tree = reasons.why.tree
    wait_until(lambda: tree.viewport().height() == tree.rows_height(tree.height()))
    findings = reasons.findings
    end, line = findings.area.viewport().height(), findings.fontMetrics().lineSpacing()
    assert findings._body.height() > end
    ends = [at for label in findings._body.findChildren(Label) for at in findings._ends(label)]
    assert not [at for at in ends if at - line < end < at]
    before = reasons.sizes()[0]
    tree.setExpanded(tree.rows.index(0, 0), True)
    wait_until(lambda: reasons.sizes()[0] > before)


def test_panels_keep_their_width_and_can_be_widened_after_another_page(bench):
    window = bench.window
    panels = [window.left, window.right]

    def widths():
        QApplication.processEvents()
        return [panel.width() for panel in panels]

    window.resize(window.sizeHint())
    before = widths()
    bench.trigger("compare.open")
    settle()
    bench.trigger("view.plan")
    assert widths() == before
    wider = [width + 20 for width in before]
    window.resizeDocks(panels, wider, Qt.Orientation.Horizontal)
    assert widths() == wider

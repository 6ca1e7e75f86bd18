"""A small window shows everything, or that there is more."""

from __future__ import annotations

import pytest

from tests.gui.test_language import mixed_plan, settle
from tests.gui.window_kit import opened_bench
from workbench.gui.app import example_plan
from workbench.spec.fields import FIELDS

SMALLEST = (1024, 700)


@pytest.fixture
def bench(qapp, tmp_path):
    plan = example_plan()
    last = FIELDS["workload.context"].write(plan.scenarios[-1], 131_072)
    with opened_bench(qapp, tmp_path, plan.replacing(last)) as made:
        made.window.resize(*SMALLEST)
        made.session.set_current(last.id)
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
            settle(2)
            assert area.verticalScrollBar().maximum() == 0
            assert area.widget().height() <= area.viewport().height()
    assert (bench.window.width(), bench.window.height()) == SMALLEST


def test_bars_are_as_thick_as_there_is_room_for(bench):
    bars = bench.window.bars_card.bars
    calm = bars.display_list().hits[0].box.height
    for _ in range(4):
        bench.trigger("scenario.duplicate")
    settle(2)
    assert bars.display_list().hits[0].box.height < calm
    for _ in range(4):
        bench.trigger("edit.undo")
    settle(2)
    assert bars.display_list().hits[0].box.height == calm

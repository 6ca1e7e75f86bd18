"""Pictures below each other: nothing is lost, nothing overlaps."""

from __future__ import annotations

from tests.charts.samples import CASES
from tests.charts.test_bars import area, chart, inside
from tests.charts.test_waterfall import MEMORY, draw
from workbench.charts.display import Box
from workbench.charts.joined import below_each_other


def test_the_second_picture_begins_below_the_first():
    bars, steps = chart(*CASES["over"]), draw(MEMORY)
    made = below_each_other((bars, steps), gap=7.0)
    assert made.width == max(bars.width, steps.width)
    assert made.height == bars.height + 7.0 + steps.height
    assert made.items[: len(bars.items)] == bars.items
    lower = made.items[len(bars.items) :]
    assert len(lower) == len(steps.items)
    for before, after in zip(steps.items, lower, strict=True):
        assert area(after).y == area(before).y + bars.height + 7.0
        assert area(after).height == area(before).height
        assert inside(area(after), Box(0, 0, made.width, made.height))
    assert made.summary == f"{bars.summary}\n{steps.summary}"
    hatched = below_each_other((steps, bars))
    moved = hatched.with_role("over:kv")
    assert {item.box.y for item in moved} == {
        item.box.y + steps.height for item in bars.with_role("over:kv")
    }


def test_no_pictures_make_an_empty_one():
    made = below_each_other(())
    assert (made.items, made.hits, made.summary) == ((), (), "")

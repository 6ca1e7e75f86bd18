from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.charts.display import (
    BOLD,
    Box,
    DisplayList,
    HitKey,
    HitRegion,
    Line,
    Rect,
    Text,
    hatch,
)
from workbench.charts.text import FixedMeasure

sides = st.floats(0, 300)


@given(st.floats(-100, 100), st.floats(-100, 100), sides, sides, st.booleans())
def test_hatch_lines_lie_inside_their_box_thickness_included(
    x: float, y: float, width: float, height: float, falling: bool
):
    box, thickness = Box(x, y, width, height), 2.0
    made = hatch(box, "#B3261E", pitch=8, line_width=thickness, falling=falling)
    assert made.box == box
    reach = thickness / 2 * math.sqrt(0.5) - 1e-6
    for x1, y1, x2, y2 in made.lines:
        assert abs(x2 - x1) == pytest.approx(abs(y2 - y1), abs=1e-6)
        assert ((x2 - x1) * (y2 - y1) >= 0) is falling or x1 == x2
        assert box.x + reach <= x1 <= x2 <= box.right - reach
        assert box.y + reach <= min(y1, y2) <= max(y1, y2) <= box.bottom - reach


def test_hatch_covers_its_box_evenly():
    made = hatch(Box(0, 0, 100, 30), "#000000", pitch=8, line_width=2)
    distances = {round(b[2] + b[3] - a[2] - a[3], 6) for a, b in pairwise(made.lines)}
    assert distances == {8}
    assert len(made.lines) == 16


def test_boxes_that_touch_do_not_overlap():
    box = Box(0, 0, 10, 10)
    assert not box.overlaps(Box(10, 0, 5, 5))
    assert box.overlaps(Box(9.5, 9.5, 5, 5))
    assert box.contains(0, 0)
    assert not box.contains(10, 0)


def test_text_box_follows_its_anchor():
    measure = FixedMeasure()
    width = measure.width("80", 10, bold=True)
    for anchor, left in (("start", 50), ("middle", 50 - width / 2), ("end", 50 - width)):
        box = Text(50, 20, "80", 10, "#000000", BOLD, anchor).box(measure)
        assert box.x == pytest.approx(left)
        assert box.y + box.height / 2 == 20


def test_line_box():
    assert Line(5, 8, 1, 2, "#000000").box == Box(1, 2, 4, 6)


def test_hits_answer_by_point():
    key = HitKey("a", 0, "kv")
    made = DisplayList(20, 20, "#FFFFFF", (), (HitRegion(Box(5, 5, 5, 5), key),))
    assert made.hit(6, 6) == key
    assert made.hit(10, 6) is None


def test_json_is_rounded_and_leaves_out_defaults():
    rect = Rect(1 / 3, 2, 3.0, 4.005, fill="#FFFFFF", role="segment:kv")
    text = Text(1, 2, '缓存 "A"', 11, "#000000")
    made = DisplayList(10.0, 20.5, "#FFFFFF", (rect, text), (), "one\ntwo")
    read = json.loads(made.to_json())
    assert read["items"] == [
        {
            "item": "rect",
            "x": 0.33,
            "y": 2,
            "width": 3,
            "height": 4.0,
            "fill": "#FFFFFF",
            "role": "segment:kv",
        },
        {"item": "text", "x": 1, "y": 2, "text": '缓存 "A"', "size": 11, "ink": "#000000"},
    ]
    assert (read["width"], read["height"], read["summary"]) == (10, 20.5, "one\ntwo")
    assert "缓存" in made.to_json()
    assert made.with_role("segment") == (rect,)

"""The waterfall: its bars are the steps, end to end, and its table adds up."""

from __future__ import annotations

import os
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.charts.samples import CHINESE
from tests.charts.test_bars import area, inside
from workbench.charts.display import Box, DisplayList, Rect, Text
from workbench.charts.labels import english
from workbench.charts.palette import DARK, LIGHT, THEMES
from workbench.charts.text import FixedMeasure
from workbench.charts.waterfall import Step, Waterfall, describe, waterfall, waterfall_table
from workbench.spec.units import GIB, MIB

FOLDER = Path(__file__).parents[1] / "golden" / "charts"
MEASURE = FixedMeasure()
REQUESTS = Waterfall("b", "A", 15, (Step("KV format bf16 → fp8", 15),), "B", "requests")
MEMORY = Waterfall(
    "c",
    "A · Baseline",
    64 * GIB,
    (
        Step("context 32k → 128k", 95 * GIB),
        Step("concurrency 12 → 6", -63 * GIB),
        Step("KV format bf16 → fp8", -24 * GIB - 300 * MIB),
        Step("headroom 2 GiB → 4 GiB", 0),
        Step("block size 16 → 32", 40 * MIB),
    ),
    "C · 128k context",
    "bytes",
)
CASES = {"requests": REQUESTS, "memory": MEMORY}


def draw(chart: Waterfall, width: float = 760, **options: object) -> DisplayList:
    options = {"theme": LIGHT, "measure": MEASURE} | options
    return waterfall(chart, width=width, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("case", "theme", "language"),
    [
        ("requests", "light", "en"),
        ("memory", "light", "en"),
        ("memory", "dark", "en"),
        ("memory", "light", "zh"),
    ],
)
def test_display_list_is_the_golden_one(case: str, theme: str, language: str):
    chinese = CHINESE | {"count.requests": "{number} 个请求"}
    made = draw(
        CASES[case],
        theme=THEMES[theme],
        labels=english if language == "en" else chinese.__getitem__,
        title="What moved the answer: A → B" if language == "en" else "是什么改变了答案：A → B",
    ).to_json()
    golden = FOLDER / f"waterfall-{case}-{theme}-{language}.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(made, encoding="utf-8", newline="\n")
    assert made == golden.read_text(encoding="utf-8")


def test_long_names_stand_in_full_on_two_lines():
    long = "KV format BF16 / FP16 → FP8 E4M3 or E5M2, per tensor scale"
    chart = Waterfall("b", "A", 15, (Step(long, -1), Step("TP 1 → 2", 2)), "B", "requests")
    made = draw(chart, name_lines=2, stretch=1.5)
    check(made)
    names = [item.text for item in made.with_role("name:step") if isinstance(item, Text)]
    assert " ".join(names[:2]) == long
    figures = [item.text for item in made.with_role("figure:step") if isinstance(item, Text)]
    assert figures == ["−1 request", "+2 requests"]
    bars = [item.height for item in made.with_role("bar:") if isinstance(item, Rect)]
    assert len(set(bars)) == 1
    joints = [item.box for item in made.with_role("joint")]
    rects = [item.box for item in made.with_role("bar:")]
    for joint, above, below in zip(joints, rects, rects[1:], strict=False):
        assert (joint.y, joint.bottom) == (above.bottom, below.y)


def check(made: DisplayList) -> None:
    """Nothing leaves the picture, and no text touches another."""
    canvas = Box(0, 0, made.width, made.height)
    assert all(inside(area(item), canvas) for item in made.items)
    words = [area(item) for item in made.items if isinstance(item, Text) and item.text]
    assert not any(one.overlaps(other) for one, other in combinations(words, 2))


def bars(made: DisplayList) -> list[Rect]:
    return [item for item in made.with_role("bar:") if isinstance(item, Rect)]


def figures(made: DisplayList) -> list[str]:
    return [item.text for item in made.with_role("figure:") if isinstance(item, Text)]


def test_each_bar_begins_where_the_one_before_ended():
    start, context, concurrency, fmt, nothing, block, end = bars(draw(MEMORY))
    assert start.x == end.x
    assert context.x == start.box.right
    assert concurrency.box.right == context.box.right
    assert fmt.box.right == concurrency.x
    assert nothing.width == 1.0
    assert block.width == 2.0
    per_byte = start.width / (64 * GIB)
    assert context.width == pytest.approx(95 * GIB * per_byte, abs=1.0)


def test_signs_stand_in_text_and_colour():
    shown = [
        (item.text, item.ink)
        for item in draw(MEMORY).with_role("figure:step")
        if isinstance(item, Text)
    ]
    assert shown == [
        ("+95.00 GiB", LIGHT.danger),
        ("−63.00 GiB", LIGHT.success),
        ("−24.29 GiB", LIGHT.success),
        ("=", LIGHT.muted),
        ("+0.04 GiB", LIGHT.danger),
    ]
    (more,) = draw(REQUESTS, theme=DARK).with_role("figure:step")
    assert isinstance(more, Text)
    assert (more.text, more.ink) == ("+15 requests", DARK.success)


def test_every_line_answers_and_says_what_it_is():
    made = draw(MEMORY)
    parts = [hit.key.part for hit in made.hits]
    assert parts == ["start", *(f"step:{n}" for n in range(5)), "end"]
    assert all(one.box.bottom == other.box.y for one, other in pairwise(made.hits))
    assert describe(MEMORY, "step:1") == (
        "concurrency 12 → 6: −63.00 GiB (−67,645,734,912 B) → 96.00 GiB"
    )
    assert describe(MEMORY, "start") == "A · Baseline: 64.00 GiB (68,719,476,736 B)"
    assert describe(MEMORY, "step:3") == "headroom 2 GiB → 4 GiB: = → 71.71 GiB"
    assert describe(REQUESTS, "end") == "B: 30 requests"
    assert describe(REQUESTS, "step:9") == ""


def test_the_table_adds_up_to_the_last_byte():
    header, lines = waterfall_table(MEMORY)
    assert header == ("Step", "Change", "Result", "Bytes")
    sizes = [int(line[-1].replace(",", "").replace("−", "-")) for line in lines]
    assert sum(sizes[:-1]) == sizes[-1] == MEMORY.end
    assert lines[1][:3] == ("context 32k → 128k", "+95.00 GiB", "159.00 GiB")
    header, lines = waterfall_table(REQUESTS)
    assert header == ("Step", "Change", "Result")
    assert lines[-1] == ("B", "", "30 requests")


def test_nothing_differs():
    made = draw(Waterfall("b", "A", 7, (), "B", "requests"))
    check(made)
    one, other = bars(made)
    assert one.width == other.width
    check(draw(Waterfall("b", "A", 0, (), "B", "bytes")))


names = st.text(max_size=20) | st.sampled_from(("x" * 5_000, "128k 上下文", "<b>&amp;"))


@given(
    st.integers(0, 2**63),
    st.lists(st.tuples(names, st.integers(-(2**62), 2**62) | st.integers(-3, 3)), max_size=8),
    st.sampled_from(("bytes", "requests")),
    st.floats(1, 3_000),
)
@settings(max_examples=60)
def test_any_steps_are_drawn_whole(start, steps, quantity, width):
    made_steps = tuple(Step(name, delta) for name, delta in steps)
    chart = Waterfall("b", "A", start, made_steps, "B", quantity)
    made = draw(chart, width=width)
    check(made)
    assert len(figures(made)) == len(steps) + 2

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.charts.samples import (
    BASELINE,
    CASES,
    CHINESE,
    EMPTY,
    FAR_OVER,
    HUGE,
    HYBRID,
    LAB,
    MONSTER,
    OVER,
    REFUSED,
    SMALL,
    TENSOR_PARALLEL,
    TIGHT,
    TRIED,
    ledger,
    row,
)
from tests.charts.strategies import rows
from tests.charts.test_stack import ORDER
from workbench.charts.bars import stacked_bars
from workbench.charts.display import Box, DisplayList, Line, Rect, Text
from workbench.charts.palette import DARK, LIGHT
from workbench.charts.row_items import Drawn
from workbench.charts.rows import Row
from workbench.charts.text import FixedMeasure
from workbench.spec.ledger import Status

MEASURE = FixedMeasure()


def chart(*chosen: Row, width: float = 760, **options: object) -> DisplayList:
    options = {"theme": LIGHT, "measure": MEASURE} | options
    return stacked_bars(chosen, width=width, **options)  # type: ignore[arg-type]


def texts(made: DisplayList, role: str) -> list[str]:
    return [item.text for item in made.with_role(role) if isinstance(item, Text)]


def area(item: object) -> Box:
    """Return what an item paints, thickness of lines included."""
    if isinstance(item, Text):
        return item.box(MEASURE)
    if isinstance(item, Line):
        half, box = item.width / 2, item.box
        return Box(box.x - half, box.y, box.width + item.width, box.height)
    return item.box  # type: ignore[attr-defined, no-any-return]


def inside(box: Box, outer: Box) -> bool:
    slack = 1e-6
    return (
        box.x >= outer.x - slack
        and box.y >= outer.y - slack
        and box.right <= outer.right + slack
        and box.bottom <= outer.bottom + slack
    )


def check(made: DisplayList) -> None:
    """Check what holds for every chart."""
    canvas = Box(0, 0, made.width, made.height)
    assert all(inside(area(item), canvas) for item in made.items)
    words = [(item, area(item)) for item in made.items if isinstance(item, Text) and item.text]
    for (one, one_box), (other, other_box) in combinations(words, 2):
        shrunk = Box(one_box.x, one_box.y, one_box.width - 1e-6, one_box.height - 1e-6)
        assert not shrunk.overlaps(other_box), (one, other)
    limits = [area(item) for item in made.with_role("limit") if isinstance(item, Line)]
    for limit in limits:
        assert not any(limit.overlaps(box) for _, box in words)
    check_hits(made)
    assert made.to_json() == made.to_json()


def check_hits(made: DisplayList) -> None:
    """Regions stand edge to edge, in stack order, as high as the bar."""
    for _, group in groupby(made.hits, key=lambda hit: hit.key[:2]):
        hits = list(group)
        for one, other in pairwise(hits):
            assert one.box.right == other.box.x
            assert (one.box.y, one.box.height) == (other.box.y, other.box.height)
        parts = [hit.key.part for hit in hits]
        assert parts == sorted(set(parts), key=ORDER.index)
        assert all(hit.box.width >= 1 for hit in hits)
    for one, other in combinations(made.hits, 2):
        assert not one.box.overlaps(other.box)


@settings(max_examples=40)
@given(
    rows(),
    st.sampled_from((1, 320, 760, 1920)),
    st.sampled_from((9.0, 13.0, 24.0)),
    st.sampled_from(("", "Memory per GPU", "x" * 10_000)),
    st.sampled_from(("auto", "GiB", "GB")),
    st.sampled_from((None, 0.0, 40.0)),
)
def test_any_rows_make_an_orderly_chart(chosen, width, text_px, title, unit, padding):
    made = chart(*chosen, width=width, text_px=text_px, title=title, unit=unit, padding=padding)
    assert made.width >= width
    check(made)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("labels", [None, CHINESE.__getitem__], ids=["en", "zh"])
def test_named_cases(name: str, labels: object):
    options = {} if labels is None else {"labels": labels}
    check(chart(*CASES[name], title="Memory per GPU", **options))


def test_a_hundred_rows():
    chosen = [row(f"Row {i}", ledger(80, 70 + i % 3, weights=20, kv=i)) for i in range(100)]
    made = chart(*chosen)
    check_hits(made)
    assert len(texts(made, "row:name")) == 100
    assert len(texts(made, "limit:label")) == 100


def test_every_named_entry_of_the_tensor_parallel_example_shows():
    made = chart(LAB, TENSOR_PARALLEL)
    for kind in ("weights", "activations", "fragmentation", "prefix", "kv"):
        (drawn,) = (hit for hit in made.hits if hit.key == (TENSOR_PARALLEL.scenario, 0, kind))
        assert drawn.box.width >= 10
        assert any(item.fill == LIGHT.fill(kind) for item in made.with_role(f"segment:{kind}"))
    assert texts(made, "label:weights") == ["15.0", "13.8"]
    assert texts(made, "legend:") == [
        "Weights",
        "Activations",
        "Fragmentation",
        "Prefix cache",
        "KV cache",
        "Headroom",
        "Free",
    ]


def test_numbers_stand_inside_their_segment_or_not_at_all():
    for made in (chart(*CASES["over"]), chart(*CASES["budgets"], width=300)):
        for item in made.with_role("label:"):
            part = item.role.removeprefix("label:")
            drawn = made.with_role(f"segment:{part}") + made.with_role(f"over:{part}")
            assert any(inside(area(item), area(segment)) for segment in drawn)


def test_in_large_text_a_number_is_smaller_rather_than_missing():
    made = chart(
        row("One", ledger(80, 80, weights=60, activations=4, kv=10)), text_px=24, width=1200
    )
    sizes = {item.role: item.size for item in made.with_role("label:")}
    assert sizes["label:weights"] == 24
    assert 12 <= sizes["label:activations"] < 20


def test_gaps_keep_segments_apart():
    made = chart(BASELINE)
    drawn = [item for item in made.with_role("segment:") if isinstance(item, Rect)]
    gaps = [b.x - a.box.right for a, b in pairwise(drawn)]
    assert min(gaps) >= 1
    assert max(gaps) <= 3
    assert min(item.width for item in drawn) >= 1


def test_equal_limits_share_one_line_and_one_label():
    made = chart(BASELINE, TIGHT, OVER)
    assert texts(made, "limit:label") == ["engine may use 71.3 of 79.2 GiB"]
    (line,) = (item for item in made.with_role("limit") if isinstance(item, Line))
    bars = [hit.box for hit in made.hits]
    assert line.y1 < min(box.y for box in bars)
    assert line.y2 > max(box.bottom for box in bars)


def test_different_limits_have_a_line_each_at_their_own_place():
    made = chart(LAB, HYBRID, FAR_OVER, REFUSED)
    assert texts(made, "limit:label") == [
        "card 80 GiB",
        "engine may use 126.9 of 141 GiB",
        "engine may use 71.3 of 79.2 GiB",
        "engine may use 21.6 of 24 GiB",
    ]
    lines = [item for item in made.with_role("limit") if isinstance(item, Line)]
    assert len({line.x1 for line in lines}) == 4
    for line, chosen in zip(lines, (LAB, HYBRID, FAR_OVER, REFUSED), strict=True):
        own = [hit.box for hit in made.hits if hit.key.scenario == chosen.scenario]
        others = [hit.box for hit in made.hits if hit.key.scenario != chosen.scenario]
        assert all(line.y1 < box.y and box.bottom < line.y2 for box in own)
        assert not any(area(line).overlaps(box) for box in others)


def test_what_is_over_grows_past_the_line_hatched():
    made = chart(BASELINE, OVER)
    limit = next(item for item in made.with_role("limit") if isinstance(item, Line))
    over = [item for item in made.with_role("over:")]
    assert {type(item).__name__ for item in over} == {"Rect", "Hatch"}
    assert all(area(item).x > limit.x1 for item in over)
    assert all(item.ink == LIGHT.danger for item in over if hasattr(item, "ink"))
    kv = next(hit for hit in made.hits if hit.key == (OVER.scenario, 0, "kv"))
    assert kv.box.x < limit.x1 < kv.box.right
    # Each piece has its own figure; they add up to the whole.
    assert texts(made, "label:kv") == ["26.2", "33.0 of 58.1", "25.1"]
    # What was not asked for is no room beyond the card.
    assert [hit.key.part for hit in made.hits if hit.key.scenario == OVER.scenario][-1] == "kv"
    result = [item for item in made.with_role("result") if item.ink == LIGHT.danger]
    assert [item.text for item in result] == ["25.1 GiB", "over"]
    assert all(item.bold for item in result)


def test_over_by_ten_thousand_cards_still_shows_the_line():
    made = chart(MONSTER, LAB)
    lines = [item for item in made.with_role("limit") if isinstance(item, Line)]
    assert len(lines) == 2
    assert all(line.width >= 2 and line.x1 > 0 for line in lines)
    assert "799,931 GiB" in texts(made, "result")
    (weights,) = (hit for hit in made.hits if hit.key.part == "weights" and hit.box.width > 100)
    assert weights.box.right <= made.width


def test_what_was_not_requested_is_an_empty_outline_right_of_the_line():
    made = chart(HYBRID)
    limit = next(item for item in made.with_role("limit") if isinstance(item, Line))
    (outline,) = made.with_role("segment:unrequested")
    assert isinstance(outline, Rect)
    assert (outline.fill, outline.stroke) == (LIGHT.surface, LIGHT.muted)
    graphs = made.with_role("segment:outside:runtime")[0]
    assert limit.x1 < area(graphs).x < outline.x
    assert graphs.fill == LIGHT.fill(next(iter(HYBRID.ledger.entries)).kind.RUNTIME)  # type: ignore[union-attr]


def test_outlines_tell_free_from_headroom_and_state_from_kv():
    made = chart(HYBRID)
    assert [item.dash for item in made.with_role("segment:free")] == ["dashed"]
    assert [item.dash for item in made.with_role("segment:headroom")] == ["dotted"]
    kinds = [type(item).__name__ for item in made.with_role("segment:state")]
    assert kinds == ["Rect", "Hatch"]
    assert [type(item).__name__ for item in made.with_role("segment:kv")] == ["Rect"]


def test_ghost_is_a_thin_bar_below():
    made = chart(HYBRID)
    bar = made.hits[0].box
    ghost = [area(item) for item in made.with_role("ghost:")]
    assert all(box.y >= bar.bottom and box.height < bar.height / 4 for box in ghost)


def test_what_is_tried_is_a_dashed_outline_above_with_its_result():
    plain, made = chart(BASELINE, OVER), chart(BASELINE, TRIED)
    bar = next(hit.box for hit in made.hits if hit.key.scenario == TRIED.scenario)
    outlines = [item for item in made.with_role("tried:") if isinstance(item, Rect)]
    assert [item.role for item in outlines] == [
        f"tried:{part}"
        for part in ("weights", "runtime", "activations", "fragmentation", "prefix", "kv", "free")
    ]
    assert all(item.dash == "dashed" and item.box.bottom <= bar.y for item in outlines)
    assert texts(made, "tried:result") == ["→ 4.0 GiB free"]
    assert texts(made, "result") == texts(plain, "result")
    # Looking at a change moves no other row, no axis and no part across.
    assert made.height == plain.height
    assert [hit.key for hit in made.hits] == [hit.key for hit in plain.hits]
    assert [hit.box.x for hit in made.hits] == [hit.box.x for hit in plain.hits]
    assert made.hits[0].box == plain.hits[0].box


def test_a_change_of_the_limit_is_drawn_as_its_own_line():
    wider = ledger(79.19, 75.2, kv=58.13, weights=32.9)
    made = chart(row("C", OVER.ledger, OVER.status, tried=wider, tried_status=OVER.status))
    (line,) = made.with_role("tried:limit")
    limit = next(item for item in made.with_role("limit") if isinstance(item, Line))
    assert isinstance(line, Line)
    assert line.x1 > limit.x1
    over = [item for item in made.with_role("tried:kv") if isinstance(item, Rect)]
    assert [item.stroke for item in over] == [LIGHT.danger]
    assert not chart(TRIED).with_role("tried:limit")


def test_results_say_what_counts():
    made = chart(BASELINE, TIGHT, OVER, REFUSED)
    words = texts(made, "result")
    assert words == [
        "6.8 GiB",
        "free",
        "0.5 GiB",
        "left, tight",
        "25.1 GiB",
        "over",
        "does not start",
    ]
    other = row("X", ledger(80, kv=20), Status.DOES_NOT_FIT)
    assert texts(chart(other), "result") == ["does not fit"]


def test_an_answer_without_weights_says_so():
    made = chart(row("X", ledger(80, kv=20), without_weights=True))
    assert texts(made, "result") == ["60.0 GiB", "free", "without weights"]
    inks = {item.ink for item in made.with_role("result") if isinstance(item, Text)}
    assert inks == {LIGHT.warning}
    assert made.summary == "X: 60.0 GiB free, without weights (card 80 GiB)"
    over = row("X", ledger(80, kv=90), Status.DOES_NOT_FIT, without_weights=True)
    assert not chart(over).with_role("result:doubt")


def test_an_answer_near_the_limit_says_so():
    made = chart(row("X", ledger(80, kv=79), near_limit=True))
    assert texts(made, "result") == ["1.0 GiB", "free", "near the limit"]
    inks = {item.ink for item in made.with_role("result") if isinstance(item, Text)}
    assert inks == {LIGHT.warning}
    both = chart(row("X", ledger(80, kv=79), near_limit=True, without_weights=True))
    assert texts(both, "result:doubt") == ["near the limit · without weights"]


def test_a_stretched_chart_has_thicker_bars_and_the_same_text():
    plain, made = chart(LAB, OVER), chart(LAB, OVER, stretch=1.6)
    check(made)
    assert made.hits[0].box.height > 1.5 * plain.hits[0].box.height
    assert [(item.text, item.size) for item in made.items if isinstance(item, Text)] == [
        (item.text, item.size) for item in plain.items if isinstance(item, Text)
    ]


def test_baseline_and_selection_are_marked_by_more_than_colour():
    made = chart(BASELINE, OVER)
    assert texts(made, "row:star") == ["★"]
    ground, mark = made.with_role("selected")
    assert area(mark).x == area(ground).x
    assert made.items[0] is ground


def test_names_are_elided_and_stay_plain():
    long = row("x" * 10_000, ledger(80, kv=20), subtitle="<img src=x>\n&amp;")
    (name,) = texts(chart(long), "row:name")
    assert name.endswith("…")
    assert len(name) < 60
    assert texts(chart(long), "row:subtitle") == ["<img src=x> &amp;"]


def test_axis_suits_the_sizes():
    shown = texts(chart(BASELINE, OVER), "axis")
    assert shown == [*map(str, range(0, 100, 10)), "GiB"]
    assert texts(chart(SMALL), "axis")[-1] == "MiB"
    assert texts(chart(HUGE), "axis")[-1] == "TiB"
    assert texts(chart(EMPTY), "axis")[0] == "0"
    assert texts(chart(LAB, unit="GB"), "axis")[-1] == "GB"


def test_axis_can_be_kept_still():
    one = chart(LAB, axis_at_least_bytes=200 * 2**30)
    other = chart(TENSOR_PARALLEL, axis_at_least_bytes=200 * 2**30)
    assert texts(one, "axis") == texts(other, "axis")


def test_legend_wraps_by_measured_widths_and_stands_beside_the_title_when_it_fits():
    wide = chart(*CASES["over"], width=1600, title="Memory per GPU")
    narrow = chart(*CASES["over"], width=420, title="Memory per GPU")
    assert (
        len(
            {
                item.y
                for item in wide.items
                if item.role.startswith(("legend", "title")) and isinstance(item, Text)
            }
        )
        == 1
    )
    lines = {item.y for item in narrow.with_role("legend:") if isinstance(item, Text)}
    assert len(lines) > 2
    assert not chart(LAB, legend=False).with_role("legend")


def test_a_legend_of_two_lines_stands_beside_the_title_and_costs_one():
    one, two = (chart(*CASES["over"], width=width, title="Memory per GPU") for width in (1600, 760))
    (title,) = two.with_role("title")[:1]
    lines = sorted({item.y for item in two.with_role("legend:") if isinstance(item, Text)})
    assert len(lines) == 2
    assert lines[0] == title.y
    assert two.height - one.height == pytest.approx(lines[1] - lines[0], abs=1)
    check(two)


def test_legend_lines_are_about_equally_long():
    long = {code: "x" * 200 for code in ("weights", "over")}
    for labels in (CHINESE, CHINESE | long):
        made = chart(*CASES["over"], width=420, labels=labels.__getitem__)
        lines = [item.y for item in made.with_role("legend:") if isinstance(item, Text)]
        assert lines == sorted(lines)
        check(made)
    made = chart(*CASES["over"])
    lines = [item.y for item in made.with_role("legend:") if isinstance(item, Text)]
    assert abs(lines.count(lines[0]) - lines.count(lines[-1])) <= 2


@given(rows().filter(bool), st.data())
@settings(max_examples=40)
def test_rows_drawn_before_are_lent_only_where_nothing_differs(chosen, data):
    memory = Drawn()
    for _ in range(3):
        places = data.draw(st.lists(st.sampled_from(range(len(chosen))), min_size=1, max_size=5))
        shown = [chosen[place] for place in places]
        how = {"width": data.draw(st.sampled_from((500, 760))), "text_px": 13.0}
        how["theme"] = data.draw(st.sampled_from((LIGHT, DARK)))
        how["unit"] = data.draw(st.sampled_from(("auto", "GB")))
        made = stacked_bars(shown, measure=MEASURE, drawn_before=memory, **how)
        assert made == stacked_bars(shown, measure=MEASURE, **how)


def test_in_steps_a_name_a_little_longer_moves_no_bar():
    names = ("Lab · context 17k", "Lab · context 17920")
    one, other = (chart(replace(LAB, name=name), in_steps=True) for name in names)
    assert one.hits == other.hits
    assert one.with_role("row:name") != other.with_role("row:name")


def test_no_rows_are_no_chart():
    made = chart(title="Memory per GPU")
    assert [item.role for item in made.items] == ["title", "title:unit"]
    assert made.hits == ()
    assert made.height < 60


def test_both_themes_differ_in_colour_only():
    light, dark = (chart(*CASES["over"], theme=theme) for theme in (LIGHT, DARK))
    assert dark.background == DARK.surface
    assert [area(item) for item in light.items] == [area(item) for item in dark.items]
    assert light.hits == dark.hits

"""What figures on a page must hold: none is cut, ways add up, marks stay apart, all is counted."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest

from tests.export import plans
from workbench.charts.display import DisplayList, Line, Rect, Text
from workbench.charts.scale import fixed
from workbench.charts.text import ELLIPSIS, FixedMeasure
from workbench.charts.waterfall import Step, Waterfall
from workbench.export.options import LOOKS, PICTURES, RATIOS, Look, Options, Ratio, What
from workbench.export.pictures import picture, title_of
from workbench.export.subject import Subject
from workbench.export.ways import shortened
from workbench.spec.ledger import EntryKind, Status
from workbench.spec.scenario import Plan
from workbench.spec.units import show_bytes

MEASURE = FixedMeasure()
SIZE = re.compile(r"^[−<]*[\d,]+\.\d\d( \(.*|…)?$")
"""A size in the unit of its column with its difference, or what is left of one that was cut."""


def texts(page: DisplayList, role: str = "") -> list[Text]:
    return [item for item in page.with_role(role) if isinstance(item, Text)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("name", ["chinese", "many"])
def test_a_comparison_cuts_no_figure_and_counts_what_it_leaves_out(name: str, ratio: Ratio) -> None:
    subject = plans.chinese() if name == "chinese" else plans.many(50)
    page = picture(subject, Options(what="compare", ratio=ratio), MEASURE)
    cells = [text.text for text in texts(page, "table:cell")]
    sizes = [text for text in cells if SIZE.match(text)]
    assert len(sizes) > 20
    assert not [text for text in sizes if text.endswith(ELLIPSIS)]
    # Every scenario has a bar that is as long for the same bytes as those beside it.
    limits = [line.x1 for line in page.with_role("limit") if isinstance(line, Line)]
    shown = len(limits)
    heads = {text.text for text in texts(page, "table:head")}
    assert ELLIPSIS not in "".join(heads)
    assert min(text.size for text in texts(page)) >= 12
    said = " ".join(text.text for text in texts(page, "page:footnote"))
    missing = len(subject.plan.scenarios) - shown
    assert missing == 0 or f"Scenarios not shown: {missing}" in said


def test_a_comparison_shows_the_ledger_and_its_differences() -> None:
    subject = plans.example()
    cells = {text.text for text in texts(picture(subject, Options(what="compare"), MEASURE))}
    base, *others = (ledger.worst_rank for ledger in subject.ledgers)
    assert fixed(base.charged_bytes, "GiB") in cells
    for other in others:
        assert fixed(other.charged_bytes, "GiB") in cells
        more = other.free_bytes - base.free_bytes
        assert f"{fixed(other.free_bytes, 'GiB')} ({fixed(more, 'GiB', plus='+')})" in cells
    # Tokens in one form, so that they compare, and in that of the window: whole k, rounded down.
    assert {"36k", "13k", "49k"} <= cells
    # A model without weights says what its answer lacks.
    assert "✔ Fits, without weights" in cells


def test_a_comparison_says_what_is_taken_beside_the_budget() -> None:
    subject = plans.chinese()
    cells = [
        text.text
        for text in texts(picture(subject, Options(what="compare"), MEASURE), "table:cell")
    ]
    first = cells.index("Outside the budget") + 1
    shown = cells[first : first + len(subject.ledgers)]
    for ledger, cell in zip(subject.ledgers, shown, strict=True):
        entries = ledger.worst_rank.entries
        beside = sum(
            one.bytes
            for one in entries
            if not one.in_budget and one.kind is not EntryKind.UNREQUESTED
        )
        assert cell == (fixed(beside, "GiB") if beside else "–")
    at = cells.index("Taken of the card") + 1
    taken = [column.taken_bytes("gpu") for column in subject.comparison.columns]
    assert cells[at : at + len(taken)] == [fixed(size, "GiB") for size in taken]
    # A part that is wholly there is not said to be none.
    assert cells[cells.index("Activations") + len(subject.ledgers)] == "outside"
    # Names of inputs need no headings.
    assert {"Model", "GPU"} <= set(cells)
    assert not {"preset", "profile"} & set(cells)


def test_a_shortened_way_ends_where_the_whole_one_does() -> None:
    deltas = (5, 0, -3, 0, 100, 1, -40, 0, 2)
    steps = tuple(Step(f"step {n}", delta) for n, delta in enumerate(deltas))
    way = Waterfall("s", "before", 7, steps, "after", "requests")
    for most in range(2, len(deltas) + 2):
        short = shortened(way, most)
        assert short.end == way.end
        assert len(short.steps) == min(most, len(deltas))
    assert [step.delta for step in shortened(way, 4).steps] == [5, 100, -40, 0]
    assert shortened(way, 4).steps[-1].name == "… (+6)"


@pytest.mark.parametrize("ratio", RATIOS)
def test_long_ways_stay_on_their_page(ratio: Ratio) -> None:
    subject = plans.chinese()
    lengths = []
    for scenario in subject.plan.scenarios[1:]:
        way = subject.way_to(scenario)
        lengths.append(len(way.steps))
        page = picture(
            subject, Options(what="waterfall", ratio=ratio, scenario=scenario.id), MEASURE
        )
        if ratio != "free":
            assert page.height == 720
        for item in page.items:
            assert item.box(MEASURE).bottom <= page.height if isinstance(item, Text) else True
        said = [text.text for text in texts(page)]
        for level in (way.start, way.end):
            assert sum(show_bytes(level.used_bytes) in text for text in said) >= 1
    assert max(lengths) > 4


def test_a_mark_is_named_where_there_is_room() -> None:
    page = picture(plans.chinese(), Options(what="heatmap"), MEASURE)
    names = [text.text for text in texts(page, "mark:") if text.role.endswith(":name")]
    assert names == ["基线方案", "长上下文一百二十八千"]


@pytest.mark.parametrize("ratio", RATIOS)
def test_names_of_marks_lie_on_no_other_mark(ratio: Ratio) -> None:
    page = picture(plans.many(50), Options(what="heatmap", ratio=ratio), MEASURE)
    marks = texts(page, "mark:")
    names = [text for text in marks if text.role.endswith(":name")]
    for one, other in combinations(marks, 2):
        if (one in names or other in names) and one.role != other.role.removesuffix(":name"):
            assert not one.box(MEASURE).overlaps(other.box(MEASURE)), (one, other)
    symbols = {text.role for text in marks if text not in names}
    said = " ".join(text.text for text in texts(page, "page:footnote"))
    assert f"Scenarios not shown: {50 - len(symbols)}" in said


@pytest.mark.parametrize(("what", "look"), list(product(PICTURES, LOOKS)))
def test_a_look_moves_nothing(what: What, look: Look) -> None:
    page = picture(plans.example(), Options(what=what, look=look), MEASURE)
    light = picture(plans.example(), Options(what=what), MEASURE)
    assert [(item.x, item.y, item.text) for item in texts(page)] == [
        (item.x, item.y, item.text) for item in texts(light)
    ]
    grounds = {"dark": "#1E2126"}
    assert page.background == grounds.get(look, "#FFFFFF")


def test_what_is_filled_keeps_its_colour_on_any_ground() -> None:
    for what in PICTURES:
        clear = picture(plans.chinese(), Options(what=what, look="transparent"), MEASURE)
        light = picture(plans.chinese(), Options(what=what), MEASURE)
        fills = {item.fill for item in light.items if isinstance(item, Rect)} - {None, "#FFFFFF"}
        assert fills == {item.fill for item in clear.items if isinstance(item, Rect)} - {
            None,
            "#FFFFFF",
        }
        empty = [item for item in clear.items if isinstance(item, Rect) and item.fill == "#FFFFFF"]
        assert all(item.role == "plate" for item in empty)
        for line, rect in product(clear.with_role("grid"), clear.with_role("segment:free")):
            if isinstance(line, Line) and isinstance(rect, Rect) and rect.width > 2:
                inside = rect.x < line.x1 < rect.x + rect.width
                assert not (inside and line.y1 < rect.y + rect.height and rect.y < line.y2)


def test_a_title_begins_with_a_capital_where_the_plan_has_no_name() -> None:
    plan = plans.example().plan
    bare = Subject(plan.with_(title=""))
    for what in PICTURES:
        assert title_of(bare, Options(what=what))[0].isupper()
    assert title_of(Subject(plan), Options(what="heatmap")) == (
        "Example: context by concurrency, Ledger lab"
    )


def test_an_answer_that_the_engine_refuses_is_still_a_page() -> None:
    base, second, *_ = plans.chinese().plan.scenarios
    none = second.with_(gpu=second.gpu.with_(device_total_bytes=2**31))
    subject = Subject(Plan(scenarios=(base, none), baseline=base.id))
    assert subject.ledgers[1].verdict.status in (Status.REFUSES, Status.DOES_NOT_FIT)
    for what, which in product(PICTURES, (base, none)):
        page = picture(subject, Options(what=what, scenario=which.id), MEASURE)
        assert page.height == 720
        assert len(page.items) > 2

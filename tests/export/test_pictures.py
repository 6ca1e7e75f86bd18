"""A plan's pictures: nothing overlaps or leaves the page, whatever the plan, look and ratio."""

from __future__ import annotations

from functools import cache, partial

import pytest

from tests.export import plans
from workbench.charts.display import DisplayList, Text
from workbench.charts.page import FOOTNOTE_PX, Sheet, fitted, wrapped
from workbench.charts.palette import GREY, LIGHT, contrast
from workbench.charts.text import FixedMeasure
from workbench.core.budget import budget
from workbench.export.options import LOOKS, PICTURES, RATIOS, Cancelled, Language, Options, What
from workbench.export.pictures import (
    MOST_WATERFALLS,
    deck_pictures,
    footnote_of,
    nothing_to_show,
    picture,
    title_of,
)
from workbench.export.subject import Subject
from workbench.spec.errors import UserError
from workbench.spec.ledger import EntryKind
from workbench.spec.scenario import Plan
from workbench.spec.units import GIB

MEASURE = FixedMeasure()
SUBJECTS = {
    "example": plans.example,
    "chinese": plans.chinese,
    "many": partial(plans.many, 50),
    "hostile": partial(plans.named, "\u202e=1+1 <b>&" + "长" * 9_000),
}


@cache
def subject_of(name: str) -> Subject:
    return SUBJECTS[name]()


@cache
def made(name: str, options: Options) -> DisplayList:
    return picture(subject_of(name), options, MEASURE)


def texts(page: DisplayList) -> list[Text]:
    return [item for item in page.items if isinstance(item, Text)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("what", PICTURES)
@pytest.mark.parametrize("name", SUBJECTS)
def test_no_text_overlaps_another_or_leaves_the_page(name: str, what: What, ratio: str) -> None:
    page = made(name, Options(what=what, ratio=ratio))  # type: ignore[arg-type]
    if ratio != "free":
        assert (page.width, page.height) == ((1280, 720) if ratio == "16:9" else (960, 720))
    boxes = [(item.box(MEASURE), item) for item in texts(page)]
    for box, item in boxes:
        assert box.x >= 0, item
        assert box.right <= page.width, item
        assert box.y >= 0, item
        assert box.bottom <= page.height, item
    # The marks of a map stand on its cells, and names of marks beside each other.
    ordered = sorted(
        ((box, item) for box, item in boxes if "mark" not in item.role), key=lambda b: b[0].y
    )
    for at, (box, item) in enumerate(ordered):
        for other, second in ordered[at + 1 :]:
            if other.y >= box.bottom:
                break
            inner = min(box.bottom, other.bottom) - max(box.y, other.y)
            # Lines of text may touch by what no letter reaches.
            assert not (box.overlaps(other) and inner > 0.45 * box.height), (item, second)


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_shows_the_same_words(look: str) -> None:
    for what in PICTURES:
        page = made("example", Options(what=what, look=look))  # type: ignore[arg-type]
        light = made("example", Options(what=what))
        assert [item.text for item in texts(page)] == [item.text for item in texts(light)]


def test_grey_has_no_colour_and_every_fill_can_be_told() -> None:
    page = made("chinese", Options(look="grey"))
    for item in page.items:
        for name in ("fill", "stroke", "ink"):
            colour = getattr(item, name, None)
            if colour:
                assert colour[1:3] == colour[3:5] == colour[5:7], item
    assert GREY.patterned
    assert len(set(GREY.fills)) == len(GREY.fills)
    for kind in GREY.segments:
        assert contrast(GREY.fill(kind), GREY.ink(kind)) >= 4.5


def test_transparent_leaves_no_ground_behind_what_is_empty() -> None:
    page = made("chinese", Options(look="transparent"))
    filled = [item for item in page.items if getattr(item, "stroke", None) and item.fill]  # type: ignore[union-attr]
    assert not [item for item in filled if item.fill == page.background]  # type: ignore[union-attr]


def test_bars_show_the_ledger_in_the_colours_of_the_window() -> None:
    subject = plans.chinese()
    page = made("chinese", Options())
    said = [item.text for item in texts(page)]
    for scenario, ledger in subject.answered:
        rank = budget(scenario).worst_rank
        assert ledger.worst_rank == rank
        assert any(scenario.name in text for text in said)
        left = rank.free_bytes if rank.left_bytes >= 0 else rank.over_bytes
        assert any(text.startswith(f"{left / GIB:,.1f}") for text in said), scenario.name
    fills = {getattr(item, "fill", None) for item in page.items}
    for kind in (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS, EntryKind.KV):
        assert LIGHT.fill(kind) in fills


def test_a_page_says_its_answer_below_its_title_and_fills_its_height() -> None:
    for what in PICTURES:
        page = made("example", Options(what=what))
        said = " ".join(item.text for item in texts(page) if item.role == "page:subtitle")
        ledger = subject_of("example").ledgers[0]
        assert "Llama-3.1-8B" in said or str(ledger.most_requests) in said
        untitled = made("example", Options(what=what, title=""))
        assert not untitled.with_role("page:subtitle")
        drawn = [item for item in page.items if not item.role.startswith("page:")]
        boxes = [item.box(MEASURE) if isinstance(item, Text) else item.box for item in drawn]
        used = max(box.bottom for box in boxes) - min(box.y for box in boxes)
        assert used > 0.6 * page.height, what
    bars = made("example", Options())
    assert "1 of them without weights" in " ".join(item.text for item in texts(bars))
    assert min(item.size for item in texts(bars)) >= 12


def test_cards_that_are_named_by_what_they_are_are_translated() -> None:
    spoken = Language(words=lambda text: text.replace("80 GiB card", "80 GiB 卡"), code="zh-CN")
    page = made("chinese", Options(language=spoken))
    below = {item.text for item in texts(page) if item.role == "row:subtitle"}
    assert "Llama-3.1-70B · 4 × 80 GiB 卡" in below
    assert "Llama-3.1-8B · H100 SXM 80GB" in below


def test_what_is_left_out_is_said() -> None:
    many = made("many", Options())
    shown = sum(item.role.startswith("name") for item in texts(many))
    assert any("not shown" in item.text for item in texts(many)), shown
    compared = made("many", Options(what="compare"))
    assert any("not shown" in item.text for item in texts(compared))
    assert not any("not shown" in item.text for item in texts(made("example", Options())))


def test_a_plan_of_one_scenario_says_that_there_is_nothing_to_compare() -> None:
    one = plans.example().only(["ledger-lab"])
    for what in ("compare", "waterfall"):
        page = picture(one, Options(what=what), MEASURE)  # type: ignore[arg-type]
        assert any("one scenario" in item.text for item in texts(page))
        assert nothing_to_show(one, Options(what=what)) == "one_scenario"  # type: ignore[arg-type]
        assert not nothing_to_show(plans.example(), Options(what=what))  # type: ignore[arg-type]
    itself = Options(what="waterfall", scenario="ledger-lab")
    assert any("choose that one" in item.text for item in texts(made("example", itself)))


def test_without_scenarios_there_is_no_picture() -> None:
    for what in PICTURES:
        with pytest.raises(UserError, match="nothing_to_export"):
            picture(Subject(Plan()), Options(what=what), MEASURE)
    with pytest.raises(UserError, match="nothing_to_export"):
        deck_pictures(Subject(Plan()), Options(what="deck"), MEASURE)


def test_a_deck_has_a_page_for_each_picture() -> None:
    told: list[tuple[int, int]] = []
    pages = deck_pictures(
        plans.chinese(), Options(what="deck"), MEASURE, lambda *step: told.append(step)
    )
    assert len(pages) == 1 + 1 + 5 + 1
    assert told[0] == (0, 8)
    assert told[-1] == (8, 8)
    many = subject_of("many")
    assert len(deck_pictures(many, Options(what="deck"), MEASURE)) == 2 + MOST_WATERFALLS + 1


def test_it_can_be_cancelled() -> None:
    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        deck_pictures(plans.example(), Options(what="deck"), MEASURE, cancel)


def test_title_and_footnote_say_which_plan_and_how_sure() -> None:
    subject = plans.chinese()
    assert title_of(subject, Options()).startswith("第三季度容量规划")
    assert title_of(subject, Options(title="Mine")) == "Mine"
    assert title_of(subject, Options(title="")) == ""
    note = footnote_of(subject, Options(date="2026-11-30"))
    for piece in ("2026-11-30", "第三季度.kvw", "vLLM 0.33.0", "SGLang 0.5.23"):
        assert piece in note
    assert "Assumed values: 7, in 6 of 6 scenarios" in note
    assert "2026" not in footnote_of(subject, Options())
    assert footnote_of(subject, Options(footnote=False)) == ""


def test_words_are_wrapped_at_spaces_and_between_wide_characters() -> None:
    text = "one two three " + "容量规划" * 20
    lines = wrapped(text, 200, MEASURE, FOOTNOTE_PX, 50)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(MEASURE.width(line, FOOTNOTE_PX) <= 200 for line in lines)
    short = wrapped(text, 200, MEASURE, FOOTNOTE_PX, 2)
    assert len(short) == 2
    assert short[-1].endswith("…")


def test_the_largest_text_that_fits_is_taken() -> None:
    sheet = Sheet(1280, 720, LIGHT, MEASURE, "Title", "Footnote")

    def draw(width: float, height: float, size: float) -> DisplayList:
        return DisplayList(width, size * 30, "#FFFFFF", ())

    found = fitted(draw, sheet)
    assert found is not None
    assert found.height == 18.0 * 30 or found.height + 30 > (sheet.inner_height or 0)
    assert fitted(lambda w, h, s: DisplayList(w, s * 300, "#FFFFFF", ()), sheet) is None

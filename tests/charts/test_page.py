"""Pages: what stands where, texts that are cut, sizes that fit; tables; grounds let through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.charts.clearing import cleared
from workbench.charts.display import Box, DisplayList, Line, Rect, Text
from workbench.charts.page import (
    FOOTNOTE_PX,
    MARGIN,
    SIZES,
    Sheet,
    fitted,
    outdented,
    page,
    sentence_picture,
    wrapped,
)
from workbench.charts.palette import LIGHT
from workbench.charts.table_list import Field, Lane, table_list
from workbench.charts.text import ELLIPSIS, FixedMeasure, elide

MEASURE = FixedMeasure()
SHEET = Sheet(1280, 720, LIGHT, MEASURE, "Title", "Footnote")
NAME = "a name that tells what changes to what"


def blank(width: float, height: float) -> DisplayList:
    return DisplayList(width, height, "#FFFFFF", ())


def named(name_width: float, lines: int = 1):
    """A picture with a name that has so much room, and lines of text below each other."""

    def draw(width: float, height: float, size: float) -> DisplayList:
        text = elide(NAME, name_width, MEASURE, size)
        return replace(blank(width, lines * size), items=(Text(0, 9, text, size, "#000000"),))

    return draw


def texts(made: DisplayList) -> list[Text]:
    return [item for item in made.items if isinstance(item, Text)]


def boxes(made: DisplayList) -> list[Box]:
    return [text.box(MEASURE) for text in texts(made)]


# --- pages --------------------------------------------------------------------------------------


def test_title_picture_and_footnote_stand_below_each_other_within_the_margins():
    height = SHEET.inner_height
    assert height is not None
    picture = replace(blank(SHEET.inner_width, height), items=(Rect(0, 0, 9, height, "#123456"),))
    made = page(picture, SHEET)
    assert (made.width, made.height) == (1280, 720)
    rect = next(item for item in made.items if isinstance(item, Rect))
    title, footnote = boxes(made)
    assert title.bottom <= rect.y
    assert rect.y + rect.height <= footnote.y
    assert footnote.bottom < 720
    assert title.x == rect.x == footnote.x == MARGIN
    assert made.summary == "Title\nFootnote"


def test_a_page_without_a_height_is_as_high_as_its_picture_in_whole_points():
    sheet = replace(SHEET, height=None)
    made = page(blank(600, 333.3), sheet)
    assert made.height >= 333.3 + sheet.top + sheet.foot
    assert made.height - 333.3 - sheet.top - sheet.foot < 4
    assert made.height % 4 == 0


def test_a_wide_picture_widens_its_page():
    assert page(blank(1500, 100), SHEET).width == 1500 + 2 * MARGIN


def test_a_long_title_is_cut_and_a_long_footnote_wrapped_to_three_lines():
    made = page(blank(100, 100), replace(SHEET, title="长 title " * 90, footnote="word " * 900))
    title, *notes = texts(made)
    assert title.text.endswith(ELLIPSIS)
    assert len(notes) == 3
    assert [note.text.endswith(ELLIPSIS) for note in notes] == [False, False, True]
    assert all(box.right <= 1280 - MARGIN and box.bottom <= 720 for box in boxes(made))


def test_without_title_and_footnote_the_picture_has_their_room():
    bare = replace(SHEET, title="", footnote="")
    assert bare.inner_height > SHEET.inner_height + 60  # type: ignore[operator]
    assert texts(page(blank(10, 10), bare)) == []


def test_a_sentence_takes_the_place_of_a_picture():
    made = page(sentence_picture("Nothing to draw, and why. " * 20, SHEET), SHEET)
    lines = made.with_role("sentence")
    assert len(lines) > 1
    assert all(box.right <= 1280 - MARGIN for box in boxes(made))


def test_no_word_is_lost_in_wrapping():
    lines = wrapped("one two  three 长上下文 four", 60, MEASURE, FOOTNOTE_PX, 20)
    assert "".join(lines).replace(" ", "") == "onetwothree长上下文four"
    for text in ("https://" + "x" * 3_000, "word " * 700, "长" * 3_000, "", "W"):
        lines = wrapped(text, 500, MEASURE, FOOTNOTE_PX, 5_000)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(MEASURE.width(line, FOOTNOTE_PX) <= 500 for line in lines)
    # A name wider than a line is cut after a hyphen.
    name = ("Llama-3.1-", "Instruct")
    width = max(MEASURE.width(piece, FOOTNOTE_PX) for piece in name) + 1
    assert wrapped("".join(name), width, MEASURE, FOOTNOTE_PX, 9) == name
    assert wrapped("WW", 1.0, MEASURE, FOOTNOTE_PX, 9) == ("", "")


# --- the size of text ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_size_that_fits_is_found(size: float):
    height = SHEET.inner_height
    assert height is not None
    made = fitted(lambda w, h, px: blank(w, px * height / size), SHEET)
    assert made is not None
    assert made.height == pytest.approx(height)


def test_what_fits_at_no_size_is_not_drawn():
    assert fitted(lambda w, h, px: blank(w, 9_000), SHEET) is None
    assert fitted(lambda w, h, px: blank(w * 2, 9), SHEET) is None
    assert fitted(lambda w, h, px: blank(w * 2, 9), replace(SHEET, height=None)) is None


def test_text_is_smaller_where_that_keeps_a_name_whole():
    room = MEASURE.width(NAME, 16.0)
    made = fitted(named(room), SHEET)
    assert made is not None
    assert texts(made)[0].text == NAME
    assert texts(made)[0].size == 16.0


def test_text_stays_large_where_a_name_would_be_cut_anyway():
    made = fitted(named(MEASURE.width(NAME, 5.0)), SHEET)
    assert made is not None
    assert texts(made)[0].size == SIZES[0]


def test_a_page_as_high_as_it_takes_has_text_of_a_common_size():
    made = fitted(named(5_000.0, lines=900), replace(SHEET, height=None))
    assert made is not None
    assert texts(made)[0].size == 15.0


def test_a_margin_is_taken_off():
    made = outdented(
        replace(blank(120, 80), items=(Text(12, 30, "a", 10, "#000000"),)), 10.0, 5.0, 3.0
    )
    assert (made.width, made.height) == (100, 72)
    assert (texts(made)[0].x, texts(made)[0].y) == (2, 25)


# --- tables -------------------------------------------------------------------------------------


def table(width: float, *rows: tuple[Field, ...], part: str = "") -> DisplayList:
    columns = ("", *(f"Scenario {n}" for n in range(1, len(rows[0]))))
    lanes = [Lane(row, part) for row in rows]
    return table_list(columns, lanes, width=width, theme=LIGHT, measure=MEASURE)


def figures(*values: str) -> tuple[Field, ...]:
    return tuple(Field(value, to_the_right=True, whole=True) for value in values)


@pytest.mark.parametrize("width", [900.0, 500.0, 300.0, 80.0])
def test_figures_are_never_cut_and_columns_never_touch(width: float):
    made = table(
        width,
        (Field("KV cache"), *figures("16.00 GiB", "32.00 GiB (+16 GiB)", "1 B")),
        (Field("A long name of an input"), *figures("0 B", "−1 GiB", "114,688.25 MiB (+1 KiB)")),
        part="kv",
    )
    said = [text.text for text in texts(made)]
    assert {"32.00 GiB (+16 GiB)", "114,688.25 MiB (+1 KiB)", "1 B", "−1 GiB"} <= set(said)
    assert made.width >= width
    assert made.width == width or width < 650
    found = boxes(made)
    for at, box in enumerate(found):
        assert box.x >= -0.01
        assert box.right <= made.width + 0.01
        assert not any(box.overlaps(other) for other in found[at + 1 :])


def test_words_are_cut_before_figures():
    made = table(
        330.0,
        (Field("Name"), *figures("16.00 GiB", "17.00 GiB")),
        (Field("Model"), Field("Words " * 20, to_the_right=True), Field("b", to_the_right=True)),
    )
    assert made.width == 330
    said = [text.text for text in texts(made)]
    assert {"16.00 GiB", "17.00 GiB"} <= set(said)
    assert any(text.startswith("Wo") and text.endswith(ELLIPSIS) for text in said)


def test_a_heading_stands_alone_and_figures_stand_under_each_other():
    rows = ((Field("a"), *figures("1", "22")), (Field("b"), *figures("333", "4")))
    lanes = [Lane((Field("Heading"),)), *map(Lane, rows)]
    made = table_list(("", "x", "y"), lanes, width=400, theme=LIGHT, measure=MEASURE)
    assert [text.text for text in made.with_role("table:heading")] == ["Heading"]  # type: ignore[union-attr]
    ends = {text.text: text.x for text in texts(made) if text.anchor == "end"}
    assert ends["1"] == ends["333"] == ends["x"]
    assert ends["22"] == ends["4"] == ends["y"] == 400


# --- grounds let through ------------------------------------------------------------------------


def test_empty_areas_lose_their_ground_and_grid_lines_still_end_there():
    white, ink = "#FFFFFF", "#445566"
    items = (
        Line(50, 0, 50, 100, ink, role="grid"),
        Line(95, 0, 95, 100, ink, role="grid"),
        Line(50, 0, 50, 100, ink, role="limit"),
        Rect(40, 10, 30, 20, white, ink, role="segment:free"),
        Rect(40, 60, 30, 20, white, role="segment:over"),
        Rect(40, 40, 30, 10, "#123456", role="segment:kv"),
        Rect(42, 61, 5, 5, white, role="plate"),
    )
    made = cleared(DisplayList(100, 100, white, items))
    rects = {item.role: item for item in made.items if isinstance(item, Rect)}
    assert set(rects) == {"segment:free", "segment:kv", "plate"}
    assert rects["segment:free"].fill is None
    assert rects["segment:free"].stroke == ink
    grid = [(item.x1, item.y1, item.y2) for item in made.with_role("grid")]  # type: ignore[union-attr]
    assert grid == [(50, 0, 10), (50, 30, 60), (50, 80, 100), (95, 0, 100)]
    assert len(made.with_role("limit")) == 1

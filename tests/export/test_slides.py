"""A plan as slides: native charts with the ledger's numbers, opened again by other programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from tests.export import plans
from tests.export.decks import (
    book_of,
    charts_of,
    deck_of,
    expected_parts,
    opened,
    slide_showing,
    squeezed,
    title_of,
)
from tests.export.packages import check_package
from tests.export.second_program import office, pdf_pages, pdf_pictures, pdf_text
from workbench.charts.palette import DARK, GREY, LIGHT, Theme
from workbench.charts.parts import kind_of
from workbench.charts.scale import number as number_text
from workbench.charts.text import FixedMeasure
from workbench.core.budget import budget
from workbench.export.ledger_json import ledger_json
from workbench.export.options import Cancelled, Options
from workbench.export.slides.deck import deck_bytes
from workbench.export.subject import Subject
from workbench.spec.errors import UserError
from workbench.spec.ledger import EntryKind
from workbench.spec.scenario import Plan
from workbench.spec.units import GIB, show_bytes
from workbench.spec.words import KINDS

HOSTILE = (
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(1)",
    "http://example.com/x",
    "<b>&amp;</b> \"'",
    "\u202edesrever \u2066x",
    "😀" * 30,
    "长" * 10_000,
)


@pytest.mark.parametrize("make", [plans.example, plans.chinese])
def test_the_workbook_behind_the_chart_holds_the_ledger(make: Callable[[], Subject]) -> None:
    subject = make()
    chart = charts_of(deck_of(make, Options()))[0]
    book = book_of(chart)
    exact, shown = book["Bytes"], book["Sheet1"]
    names = [cell.value for cell in exact[1][1:]]
    assert [series.name for series in chart.plots[0].series] == names
    assert [cell.value for cell in shown[1][1:]] == names
    for row, scenario in enumerate(subject.plan.scenarios, 2):
        parts = expected_parts(ledger_json(budget(scenario)))
        assert scenario.name in exact.cell(row, 1).value
        held = [int(cell.value) for cell in exact[row][1:]]
        assert sum(held) == sum(parts.values())
        assert sorted(size for size in held if size) == sorted(s for s in parts.values() if s)
        for at, series in enumerate(chart.plots[0].series):
            value = series.values[row - 2]
            # A sheet keeps 16 digits of a number.
            assert shown.cell(row, at + 2).value == pytest.approx(value, rel=1e-15)
            # What is over takes the memory that was not asked for: pictures have no box for it.
            covered = names[at] == KINDS["unrequested"] and parts["free"] < 0
            assert value * GIB == (0 if covered else max(0, held[at]))


def test_edit_data_finds_what_the_chart_names() -> None:
    for chart in charts_of(deck_of(plans.chinese, Options())):
        book = book_of(chart)
        for reference in chart._chartSpace.iter("{*}f"):
            sheet, _, area = reference.text.partition("!")
            cells = book[sheet.strip("'")][area.replace("$", "")]
            flat = [cells] if not isinstance(cells, tuple) else [c for (c,) in cells]
            cached = [v.text for v in reference.getparent().iter("{*}v")]
            assert len(flat) == len(cached)
            for cell, text in zip(flat, cached, strict=True):
                if isinstance(cell.value, str):
                    # Beside a bar a long name is broken and shorter, in the workbook it is whole.
                    for piece in squeezed(text.removeprefix("★ ")).split("→"):
                        assert piece.rstrip("…") in squeezed(cell.value)
                else:
                    assert float(text) == pytest.approx(cell.value, abs=1e-9)


@pytest.mark.parametrize(
    ("look", "theme"), [("light", LIGHT), ("dark", DARK), ("grey", GREY)], ids=lambda v: str(v)[:5]
)
def test_series_have_the_colours_of_the_window(look: Any, theme: Theme) -> None:
    chart = charts_of(deck_of(plans.chinese, Options(look=look)))[0]
    words = {series.name: series for series in chart.plots[0].series}
    for kind in (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS, EntryKind.KV):
        from workbench.charts.labels import english

        fill = words[english(kind.value)].format.fill
        colour = fill.back_color.rgb if theme.patterned and fill.type == 2 else fill.fore_color.rgb
        assert f"#{colour}" == theme.fill(kind)
    assert kind_of("free") is None


def test_the_limit_stands_where_the_axis_has_it() -> None:
    subject = plans.chinese()
    slide = opened(deck_of(plans.chinese, Options())).slides[1]
    frame = next(shape for shape in slide.shapes if shape.has_chart)
    axis = frame.chart.value_axis
    area = frame.chart._chartSpace.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    left = float(area.find("{*}x").get("val"))
    width = float(area.find("{*}w").get("val"))
    lines = [shape for shape in slide.shapes if re.fullmatch(r"limit \d+", shape.name)]
    limits = dict.fromkeys(ledger.worst_rank.budget_bytes for ledger in subject.ledgers)
    assert len(lines) == len(limits)
    for line, limit in zip(lines, limits, strict=True):
        share = ((line.left - frame.left) / frame.width - left) / width
        assert share * axis.maximum_scale == pytest.approx(limit / GIB, abs=0.05)


def test_every_slide_keeps_its_shapes_inside() -> None:
    for make, options in (
        (plans.chinese, Options()),
        (plans.chinese, Options(ratio="4:3", look="dark")),
        (partial(plans.many, 13), Options()),
        (partial(plans.named, HOSTILE[-1]), Options(title=HOSTILE[-1])),
    ):
        deck = opened(deck_of(make, options))
        for number, slide in enumerate(deck.slides, 1):
            for shape in slide.shapes:
                right, bottom = shape.left + shape.width, shape.top + shape.height
                where = f"slide {number}: {shape.name}"
                assert shape.left >= 0, where
                assert shape.top >= 0, where
                assert right <= deck.slide_width + 9_525, where
                assert bottom <= deck.slide_height + 9_525, where


def boxes_of(slide: Any, *names: str) -> list[tuple[str, int, int, int, int]]:
    """Edges of the shapes whose name begins as one of these."""
    return [
        (one.name, one.left, one.top, one.left + one.width, one.top + one.height)
        for one in slide.shapes
        if one.name.startswith(names)
    ]


@pytest.mark.parametrize("ratio", ["16:9", "4:3"])
def test_what_stands_around_the_bars_does_not_collide(ratio: Any) -> None:
    for make in (plans.chinese, plans.example, partial(plans.many, 13)):
        for slide in list(opened(deck_of(make, Options(ratio=ratio))).slides)[1:4]:
            boxes = boxes_of(slide, "limit", "result")
            for at, (name, left, top, right, bottom) in enumerate(boxes):
                for other, left2, top2, right2, bottom2 in boxes[at + 1 :]:
                    beside = right <= left2 or right2 <= left
                    above = bottom <= top2 or bottom2 <= top
                    assert beside or above, f"{name} lies on {other}"


@pytest.mark.parametrize("ratio", ["16:9", "4:3"])
def test_no_text_is_wider_than_its_place(ratio: Any) -> None:
    measure = FixedMeasure()
    for make in (plans.chinese, partial(plans.named, HOSTILE[-1])):
        for slide in opened(deck_of(make, Options(ratio=ratio))).slides:
            for shape in slide.shapes:
                if shape.has_table:
                    table = shape.table
                    sizes = {int(run.get("sz")) for run in shape._element.iter("{*}rPr")}
                    assert min(sizes) >= 1_000, title_of(slide)
                    for row in table.rows:
                        for cell, column in zip(row.cells, table.columns, strict=True):
                            if not cell.is_merge_origin and not cell.is_spanned:
                                assert text_width(cell, measure) <= column.width / 12_700 - 9
                elif shape.has_text_frame and shape.name.startswith(("TextBox", "result")):
                    lines = len(shape.text_frame.paragraphs)
                    assert text_width(shape, measure) <= shape.width / 12_700 + 1
                    sizes = [
                        one.font.size.pt for p in shape.text_frame.paragraphs for one in p.runs
                    ]
                    assert lines * max(sizes) * 1.15 <= shape.height / 12_700 + 1, shape.name


def text_width(holder: Any, measure: FixedMeasure) -> float:
    """Width of the longest paragraph of a box or a cell, in points."""
    runs = [run for one in holder.text_frame.paragraphs for run in one.runs]
    return max(
        (measure.width(run.text, run.font.size.pt, bool(run.font.bold)) for run in runs), default=0
    )


def test_what_is_over_is_hatched_as_in_pictures() -> None:
    slide = opened(deck_of(plans.chinese, Options())).slides[1]
    ((name, *_),) = boxes_of(slide, "over")
    assert name == "over 3"
    group = next(shape for shape in slide.shapes if shape.name == name)
    hatch, *_ = (one for one in group._element.iter("{*}path"))
    assert len(hatch.findall("{*}moveTo")) > 5
    texts = [one.text_frame.text for one in group.shapes if one.has_text_frame]
    assert [text for text in texts if text] == ["85.3", f"34.7 of {number_text(120 * GIB, 'GiB')}"]
    cut = next(one for one in group.shapes if one.name == "over:kv")
    assert cut.left == pytest.approx(boxes_of(slide, "limit 1")[0][1], abs=7_000)
    assert boxes_of(slide, "legend over")
    assert not boxes_of(opened(deck_of(plans.example, Options())).slides[1], "over", "legend over")


def test_assumptions_tell_their_bands() -> None:
    slide = slide_showing(deck_of(plans.chinese, Options()), "What is assumed")
    notes = slide.notes_slide.notes_text_frame.text
    banded = [
        entry
        for ledger in plans.chinese().ledgers
        for entry in ledger.worst_rank.entries
        if entry.low_bytes is not None and entry.high_bytes is not None
    ]
    assert len(banded) > 3
    for entry in banded:
        low, high = show_bytes(entry.low_bytes or 0), show_bytes(entry.high_bytes or 0)
        assert f"{low} – {high} ({entry.evidence.value})" in notes


def test_the_theme_names_a_typeface_for_chinese() -> None:
    parts = check_package(deck_of(plans.chinese, Options()))
    themes = [part for name, part in parts.items() if name.startswith("ppt/theme/theme1")]
    assert themes
    assert all(b'<a:ea typeface="Microsoft YaHei"/>' in part for part in themes)


def test_notes_tell_formula_evidence_and_source() -> None:
    slide = opened(deck_of(plans.example, Options())).slides[1]
    notes = slide.notes_slide.notes_text_frame.text
    for scenario in plans.example().plan.scenarios:
        assert scenario.name in notes
    for piece in ("17,179,869,184", "computed", "assumed", "Source:"):
        assert piece in notes


def test_the_deck_has_a_slide_for_each_part() -> None:
    data = deck_of(plans.chinese, Options())
    assert title_of(opened(data).slides[0]) == "第三季度容量规划"
    kickers = "Memory", "Compared", "Inputs that", "From", "Models", "GPUs", "What is assumed"
    for kicker in kickers:
        assert slide_showing(data, kicker)


def test_every_slide_with_bars_has_the_figures_in_its_notes() -> None:
    for slide in opened(deck_of(plans.chinese, Options())).slides:
        if any(shape.name.startswith("legend") for shape in slide.shapes):
            assert "Source:" in slide.notes_slide.notes_text_frame.text


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_texts_of_people_stay_texts(text: str) -> None:
    data = deck_bytes(plans.named(text), Options(title=text))
    parts = check_package(data)
    for chart in charts_of(data):
        for sheet in book_of(chart):
            for row in sheet.iter_rows():
                assert all(cell.data_type in "sn" for cell in row if cell.value is not None)
                assert all(cell.hyperlink is None for row in sheet.iter_rows() for cell in row)
    joined = b"".join(part for name, part in parts.items() if name.endswith((".xml", ".rels")))
    assert b"hlinkClick" not in joined
    assert "\u202e".encode() not in joined


def test_the_same_plan_gives_the_same_bytes() -> None:
    made = [deck_of(plans.chinese, Options()), deck_bytes(plans.chinese(), Options())]
    assert made[0] == made[1]
    assert b"2026" not in check_package(made[0])["docProps/core.xml"]


def test_a_plan_without_scenarios_has_no_deck() -> None:
    with pytest.raises(UserError, match="nothing_to_export"):
        deck_bytes(Subject(Plan()), Options())


def test_it_can_be_cancelled_between_slides() -> None:
    told: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> None:
        told.append((done, total))
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        deck_bytes(plans.example(), Options(), None, cancel)
    assert [done for done, _ in told] == [0, 1, 2]


def test_libreoffice_shows_every_name_and_number(tmp_path: Path) -> None:
    decks = {
        "example": (plans.example, Options()),
        "chinese": (plans.chinese, Options()),
        "dark": (plans.chinese, Options(look="dark", ratio="4:3")),
    }
    files = []
    for name, (make, options) in decks.items():
        path = tmp_path / f"{name}.pptx"
        path.write_bytes(deck_of(make, options))
        files.append(path)
    for pdf, (make, _), path in zip(
        office(files, "pdf", tmp_path / "pdf"), decks.values(), files, strict=True
    ):
        assert pdf_pages(pdf) == len(Presentation(str(path)).slides)
        text = squeezed(pdf_text(pdf))
        for scenario, ledger in make().answered:
            assert squeezed(scenario.name) in text
            left = abs(ledger.worst_rank.left_bytes - ledger.worst_rank.headroom_bytes)
            if ledger.verdict.status.value == "fits":
                assert f"{left / GIB:.1f}GiBfree" in text
    for name in ("example", "chinese"):
        bars = pdf_pictures(tmp_path / "pdf" / f"{name}.pdf", tmp_path / "png", 96)[1]
        _shows(bars, LIGHT)
        _axis_stands_where_we_think(bars, deck_of(*decks[name]))


def _shows(picture: Path, theme: Theme) -> None:
    """Assert that the fills of a theme are on a picture of a slide."""
    from PySide6.QtGui import QColor, QImage

    image = QImage(str(picture))
    seen = {
        image.pixel(x, y) & 0xFFFFFF
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }
    for kind in (EntryKind.WEIGHTS, EntryKind.KV):
        assert QColor(theme.fill(kind)).rgb() & 0xFFFFFF in seen, kind


def _axis_stands_where_we_think(picture: Path, data: bytes) -> None:
    """Assert that the lines of the axis are where our limit lines take them to be."""
    from PySide6.QtGui import QColor, QImage

    deck = opened(data)
    frame = next(shape for shape in deck.slides[1].shapes if shape.has_chart)
    area = frame.chart._chartSpace.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    x, y, width, height = (float(area.find(f"{{*}}{one}").get("val")) for one in "xywh")
    image = QImage(str(picture))
    scale = image.width() / deck.slide_width
    row = round((frame.top + frame.height * (y + height * 0.015)) * scale)
    grid = QColor(LIGHT.line).rgb() & 0xFFFFFF
    seen = [at for at in range(image.width()) if image.pixel(at, row) & 0xFFFFFF == grid]
    axis = frame.chart.value_axis
    steps = round(axis.maximum_scale / axis.major_unit)
    found = 0
    for step in range(1, steps + 1):
        wanted = (frame.left + frame.width * (x + width * step / steps)) * scale
        found += any(abs(at - wanted) <= 1.5 for at in seen)
    # A text or a limit may stand on one of them.
    assert found >= steps - 2 >= 2

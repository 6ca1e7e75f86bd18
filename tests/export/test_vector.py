"""SVG and PDF: the list's numbers, words and colours, read again by other programs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QColor, QImage

from tests.export import plans
from tests.export.second_program import (
    pdf_fonts,
    pdf_pages,
    pdf_pictures,
    pdf_text,
    svg_picture,
)
from workbench.charts.display import DisplayList, Line, Rect, Text
from workbench.export.options import PICTURES, Options, What
from workbench.export.pictures import deck_pictures, picture
from workbench.export.raster import QtMeasure, png_bytes
from workbench.export.vector import pdf_bytes, svg_bytes
from workbench.spec.errors import UserError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def measure(qapp: object) -> QtMeasure:
    return QtMeasure()


def made(what: What, measure: QtMeasure) -> DisplayList:
    return picture(plans.chinese(), Options(what=what), measure)


def squeezed(text: str) -> str:
    """What two readers of a text agree on: no spaces, one form for each character."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def said(page: DisplayList) -> list[str]:
    return [item.text for item in page.items if isinstance(item, Text) and item.text.strip()]


@pytest.mark.parametrize("what", PICTURES)
def test_an_svg_says_and_shows_what_the_list_does(
    what: What, measure: QtMeasure, tmp_path: Path
) -> None:
    page = made(what, measure)
    data = svg_bytes(page, measure)
    root = ElementTree.fromstring(data)
    assert root.get("viewBox") == f"0 0 {page.width:g} {page.height:g}"
    written = [element.text for element in root.iter(f"{SVG}text")]
    assert Counter(written) == Counter(
        item.text for item in page.items if isinstance(item, Text) and item.text.strip()
    )
    rects = [item for item in page.items if isinstance(item, Rect)]
    drawn = list(root.iter(f"{SVG}rect"))[1:]  # the first is the ground
    assert [element.get("fill") for element in drawn] == [rect.fill or "none" for rect in rects]
    for element, rect in zip(drawn, rects, strict=True):
        inset = rect.stroke_width if rect.stroke else 0.0
        assert float(element.get("width", "")) == pytest.approx(
            max(0.0, rect.width - inset), abs=0.006
        )
    lines = [item for item in page.items if isinstance(item, Line)]
    assert len(list(root.iter(f"{SVG}line"))) == len(lines)
    path = tmp_path / "picture.svg"
    path.write_bytes(data)
    _shows(svg_picture(path, tmp_path / "picture.png"), page)


def test_a_pdf_holds_its_fonts_and_every_text(measure: QtMeasure, tmp_path: Path) -> None:
    pages = deck_pictures(plans.chinese(), Options(what="deck"), measure)
    path = tmp_path / "deck.pdf"
    path.write_bytes(pdf_bytes(pages, measure))
    assert pdf_pages(path) == len(pages)
    fonts = pdf_fonts(path)
    assert fonts
    for font in fonts:
        embedded = font[-5]
        assert embedded == "yes", font
    text = squeezed(pdf_text(path))
    for page in pages:
        for one in said(page):
            assert squeezed(one) in text, one
    pictures = pdf_pictures(path, tmp_path, dpi=72)
    for picture_path, page in zip(pictures, pages, strict=True):
        _shows(picture_path, page)


def _shows(path: Path, page: DisplayList) -> None:
    """Assert that the middle of every large rectangle has its colour, by another renderer."""
    image = QImage(str(path))
    scale = image.width() / page.width
    assert image.height() == pytest.approx(page.height * scale, abs=2)
    covered = [item for item in page.items if not isinstance(item, Rect) or item.fill]
    checked = 0
    for at, item in enumerate(covered):
        if not isinstance(item, Rect) or item.width < 12 or item.height < 12:
            continue
        x, y = item.x + 4.0, item.y + 4.0
        later = covered[at + 1 :]
        if any(
            other.box.contains(x, y) for other in later if not isinstance(other, Line | Text)
        ) or any(isinstance(other, Line) and abs(other.x1 - x) < 4 for other in later):
            continue
        seen = QColor(image.pixel(int(x * scale), int(y * scale)))
        wanted = QColor(item.fill or page.background)
        apart = max(
            abs(one - other)
            for one, other in zip(seen.getRgb()[:3], wanted.getRgb()[:3], strict=True)
        )
        assert apart <= 3, (item, seen.name())
        checked += 1
    assert checked


def test_names_of_people_are_text_alone(measure: QtMeasure) -> None:
    page = picture(
        plans.named("</text><script>alert(1)</script>&amp;\u202e"), Options(title="<&>\"'"), measure
    )
    root = ElementTree.fromstring(svg_bytes(page, measure))
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "desc", "rect", "line", "path", "text")
    }
    assert any("<script>" in (element.text or "") for element in root.iter(f"{SVG}text"))


def test_nothing_in_them_changes_from_run_to_run(measure: QtMeasure) -> None:
    page = made("bars", measure)
    for write in (svg_bytes, lambda one, by: pdf_bytes([one], by), png_bytes_of):
        assert write(page, measure) == write(page, QtMeasure())
    data = pdf_bytes([page], measure)
    dates = {*re.findall(rb"D:\d+", data), *re.findall(rb"Date=.\d{4}-\d\d-\d\d", data)}
    assert dates == {b"D:20000101000000", b'Date="2000-01-01'}


def png_bytes_of(page: DisplayList, measure: QtMeasure) -> bytes:
    return png_bytes(page, 2.0, measure)


def test_transparent_files_have_no_ground(measure: QtMeasure) -> None:
    page = picture(plans.example(), Options(look="transparent"), measure)
    image = QImage.fromData(png_bytes(page, 1.0, measure, transparent=True))
    assert image.pixelColor(2, 2).alpha() == 0
    assert QImage.fromData(png_bytes(page, 1.0, measure)).pixelColor(2, 2).alpha() == 255
    grounds = [
        element
        for element in ElementTree.fromstring(svg_bytes(page, measure, transparent=True)).iter(
            f"{SVG}rect"
        )
        if element.get("width") == f"{page.width:g}"
    ]
    assert not grounds


def test_a_page_larger_than_a_pdf_allows_is_refused(measure: QtMeasure) -> None:
    with pytest.raises(UserError, match="picture_too_large"):
        pdf_bytes([DisplayList(20_000.0, 100.0, "#FFFFFF", ())], measure)

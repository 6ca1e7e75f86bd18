"""Screen, PNG, SVG, PDF, slide, workbook and record agree on every number and colour."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest
from pptx import Presentation
from PySide6.QtGui import QImage

from tests.export import plans
from tests.export.second_program import pdf_text
from workbench.charts.bars import stacked_bars
from workbench.charts.display import Rect, Text
from workbench.charts.palette import LIGHT
from workbench.charts.parts import kind_of
from workbench.charts.rows import chart_unit, result_text
from workbench.core.compare import parts_of
from workbench.export.formats import FORMATS, Job
from workbench.export.options import Options, silent
from workbench.export.raster import QtMeasure
from workbench.export.subject import Subject
from workbench.spec.ledger import EntryKind
from workbench.spec.units import GIB, group_digits

MAKERS = {"example": plans.example, "chinese": plans.chinese}


@pytest.fixture(scope="module", params=MAKERS)
def subject(request: pytest.FixtureRequest) -> Subject:
    make: Callable[[], Subject] = MAKERS[request.param]
    return make()


@pytest.fixture(scope="module")
def files(subject: Subject, qapp: object) -> dict[str, bytes]:
    """Every format, of what it holds first."""
    return {
        name: form.make(Job(subject, Options(what=form.whats[0]), QtMeasure()), silent)
        for name, form in FORMATS.items()
    }


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def results(subject: Subject) -> list[str]:
    """What stands right of each bar: a size of the ledger, with its word."""
    unit = chart_unit(subject.rows, "auto")
    from workbench.charts.labels import english

    return [result_text(row, unit, english) for row in subject.rows]


def numbers_in_bars(subject: Subject) -> set[str]:
    """The numbers that the window writes into its bars."""
    drawn = stacked_bars(subject.rows, width=1200, theme=LIGHT, measure=QtMeasure(), text_px=15)
    return {
        item.text for item in drawn.items if isinstance(item, Text) and item.role.startswith("seg")
    }


def colours_of_bars(subject: Subject) -> set[str]:
    drawn = stacked_bars(subject.rows, width=1200, theme=LIGHT, measure=QtMeasure(), text_px=15)
    return {item.fill for item in drawn.items if isinstance(item, Rect) and item.fill}


def test_svg_and_pdf_say_what_the_window_says(
    subject: Subject, files: dict[str, bytes], tmp_path: Path
) -> None:
    root = ElementTree.fromstring(files["svg"])
    svg = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    pdf = tmp_path / "bars.pdf"
    pdf.write_bytes(files["pdf"])
    printed = squeezed(pdf_text(pdf))
    for result in results(subject):
        # The size is bold and stands in a text of its own.
        for piece in (result.rpartition(" ")[0], result):
            if any(piece in text for text in svg):
                break
        else:
            pytest.fail(f"{result} is not in the SVG")
        assert squeezed(result) in printed
    for number in numbers_in_bars(subject):
        assert any(number == text for text in svg) or number in printed


def test_all_pictures_have_the_colours_of_the_window(
    subject: Subject, files: dict[str, bytes]
) -> None:
    wanted = colours_of_bars(subject)
    root = ElementTree.fromstring(files["svg"])
    svg = {rect.get("fill") for rect in root.iter("{http://www.w3.org/2000/svg}rect")}
    assert wanted <= svg
    image = QImage.fromData(files["png"])
    seen = {
        f"#{image.pixel(x, y) & 0xFFFFFF:06X}"
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 4)
    }
    kinds = {
        LIGHT.fill(kind)
        for ledger in subject.ledgers
        for entry in ledger.worst_rank.entries
        if (kind := entry.kind) is not EntryKind.UNREQUESTED
        and entry.bytes > GIB
        and entry.in_budget
    }
    assert kinds <= seen
    chart = _chart(files["pptx"])
    slide = {
        f"#{series.format.fill.fore_color.rgb}"
        for series in chart.plots[0].series
        if series.format.fill.type == 1
    }
    assert kinds <= slide


def _chart(data: bytes) -> Any:
    slides = Presentation(io.BytesIO(data)).slides
    return next(shape.chart for slide in slides for shape in slide.shapes if shape.has_chart)


def test_slide_workbook_record_and_json_hold_the_same_bytes(
    subject: Subject, files: dict[str, bytes]
) -> None:
    told = json.loads(files["json"])["scenarios"]
    record = files["md"].decode("utf-8")
    book = openpyxl.load_workbook(io.BytesIO(files["xlsx"]), data_only=True)
    held = {
        cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, int | float)
    }
    csv = files["csv"].decode("utf-8-sig")
    chart = _chart(files["pptx"])
    exact = openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob))["Bytes"]
    for number, (ledger, public) in enumerate(zip(subject.ledgers, told, strict=True)):
        parts = parts_of(ledger.worst_rank)
        slide = [cell.value for cell in exact[number + 2][1:]]
        assert sorted(int(size) for size in slide if size) == sorted(s for s in parts.values() if s)
        for rank in public["ranks"]:
            for entry in rank["entries"]:
                size = entry["bytes"]
                assert size in held, entry["label"]
                assert f"{size}" in csv
                assert group_digits(size) in record, entry["label"]
    assert kind_of("kv") is EntryKind.KV

"""Decks of the plans that tests export, made once, and what stands on their slides."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import openpyxl
from pptx import Presentation

from workbench.export.options import Options
from workbench.export.slides.deck import deck_bytes
from workbench.export.subject import Subject


@cache
def deck_of(make: Callable[[], Subject], options: Options) -> bytes:
    """Return a deck, made once for all tests that look at it."""
    return deck_bytes(make(), options)


def opened(data: bytes) -> Any:
    return Presentation(io.BytesIO(data))


def charts_of(data: bytes) -> list[Any]:
    slides = opened(data).slides
    return [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]


def texts_of(slide: Any) -> str:
    found = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    for shape in slide.shapes:
        if shape.has_table:
            found += [cell.text for row in shape.table.rows for cell in row.cells]
    return "\n".join(found)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def slide_showing(data: bytes, kicker: str) -> Any:
    """The first slide that says in small that it shows something."""
    for slide in opened(data).slides:
        for shape in slide.shapes:
            if shape.name == "TextBox kicker" and shape.text_frame.text.startswith(kicker):
                return slide
    raise AssertionError(f"no slide shows {kicker}")


def title_of(slide: Any) -> str:
    return str(slide.shapes.title.text_frame.text)


def book_of(chart: Any) -> Any:
    return openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob))


def expected_parts(ledger: dict[str, Any]) -> dict[str, int]:
    """Bytes by part of the deciding rank, told from the public JSON alone."""
    ranks = [rank for rank in ledger["ranks"] if rank["place"] == "card"]
    rank = min(ranks, key=lambda r: (r["headroom_bytes"] + r["free_bytes"], r["rank"]))
    found: dict[str, int] = {}
    for entry in rank["entries"]:
        beside = not entry["in_budget"] and entry["kind"] != "unrequested"
        part = f"outside:{entry['kind']}" if beside else entry["kind"]
        found[part] = found.get(part, 0) + entry["bytes"]
    return found | {"headroom": rank["headroom_bytes"], "free": rank["free_bytes"]}

"""Display lists as vector files: SVG with real text, PDF with its fonts inside.

Both hold the geometry of the list as it is, unmoved by any raster. Neither holds a time or a random
number: the same list and fonts give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QRectF,
    QSizeF,
    QUuid,
)
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter

from workbench.charts.display import Dash, DisplayList, Hatch, Item, Line, Rect, Text
from workbench.export.options import Progress, silent
from workbench.export.raster import QtMeasure, paint
from workbench.export.safe_text import safe_line
from workbench.spec.errors import UserError

_DASHES: Final[dict[Dash, tuple[float, float]]] = {"dashed": (4.0, 3.0), "dotted": (1.0, 2.0)}
"""In thicknesses of the line, as `raster` has them."""
_DPI: Final = 96
_POINTS_PER_UNIT: Final = 72 / _DPI
_MOST_UNITS: Final = 14_000.0
"""A PDF page is at most 14,400 points wide and high."""
_DATES: Final = (
    (rb"\(D:\d{14}(Z|[-+]\d\d'\d\d')\)", rb"(D:20000101000000\1)"),
    (rb'Date="[-\d]{10}T[:\d]{8}([-+]\d\d:\d\d)"', rb'Date="2000-01-01T00:00:00\1"'),
)
"""How Qt writes the time of making, and the same at equal length, so that all offsets hold.

The zone stays, whose length differs: whoever makes files to be compared sets TZ to UTC before.
"""


# --- SVG ----------------------------------------------------------------------------------------


def svg_bytes(
    display_list: DisplayList, measure: QtMeasure | None = None, *, transparent: bool = False
) -> bytes:
    """Return the list as an SVG of the same size, texts as texts and patterns as lines."""
    measure = measure or QtMeasure()
    width, height = _number(display_list.width), _number(display_list.height)
    families = ", ".join(_family(name) for name in measure.families)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family={quoteattr(families)}>',
    ]
    if display_list.summary:
        lines.append(f"<desc>{escape(safe_line(display_list.summary))}</desc>")
    if not transparent:
        ground = Rect(0, 0, display_list.width, display_list.height, display_list.background)
        lines.append(_rect(ground))
    lines += _elements(display_list.items, measure)
    lines.append("</svg>\n")
    return "\n".join(lines).encode("utf-8")


def _family(name: str) -> str:
    return name if name == "sans-serif" else f"'{name}'"


def _elements(items: Iterable[Item], measure: QtMeasure) -> Iterator[str]:
    for item in items:
        if isinstance(item, Rect):
            yield _rect(item)
        elif isinstance(item, Line):
            yield _line(item)
        elif isinstance(item, Hatch):
            yield _hatch(item)
        elif item.text.strip():
            yield _text(item, measure)


def _rect(rect: Rect) -> str:
    inset = rect.stroke_width / 2 if rect.stroke else 0.0
    parts = {
        "x": _number(rect.x + inset),
        "y": _number(rect.y + inset),
        "width": _number(max(0.0, rect.width - 2 * inset)),
        "height": _number(max(0.0, rect.height - 2 * inset)),
        "fill": rect.fill or "none",
    }
    if rect.radius:
        parts["rx"] = _number(rect.radius)
    if rect.stroke:
        parts |= _stroke(rect.stroke, rect.stroke_width, rect.dash)
    return _element("rect", parts)


def _line(line: Line) -> str:
    ends = {name: _number(getattr(line, name)) for name in ("x1", "y1", "x2", "y2")}
    return _element("line", ends | _stroke(line.ink, line.width, line.dash))


def _hatch(item: Hatch) -> str:
    way = "".join(
        f"M{_number(x1)} {_number(y1)}L{_number(x2)} {_number(y2)}" for x1, y1, x2, y2 in item.lines
    )
    return _element("path", {"d": way, "fill": "none"} | _stroke(item.ink, item.line_width))


def _text(item: Text, measure: QtMeasure) -> str:
    _, metrics = measure.font(item.size, item.bold)
    parts = {
        "x": _number(item.x),
        "y": _number(item.y + metrics.capHeight() / 2),
        "font-size": _number(max(1, round(item.size))),
        "fill": item.ink,
        "xml:space": "preserve",
    }
    if item.bold:
        parts["font-weight"] = "bold"
    if item.anchor != "start":
        parts["text-anchor"] = item.anchor
    if item.tabular:
        parts["style"] = "font-variant-numeric:tabular-nums"
    return _element("text", parts, safe_line(item.text))


def _stroke(ink: str, width: float, dash: Dash = "solid") -> dict[str, str]:
    parts = {"stroke": ink, "stroke-width": _number(width)}
    if dash in _DASHES:
        parts["stroke-dasharray"] = " ".join(_number(part * width) for part in _DASHES[dash])
    return parts


def _element(name: str, parts: dict[str, str], text: str = "") -> str:
    inside = "".join(f" {key}={quoteattr(value)}" for key, value in parts.items())
    return f"<{name}{inside}>{escape(text)}</{name}>" if text else f"<{name}{inside}/>"


def _number(value: float) -> str:
    """Return a length to a hundredth of a unit, without zeros at its end."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


# --- PDF ----------------------------------------------------------------------------------------


def pdf_bytes(
    pages: Sequence[DisplayList],
    measure: QtMeasure | None = None,
    *,
    title: str = "",
    transparent: bool = False,
    attached: Mapping[str, bytes] | None = None,
    progress: Progress = silent,
) -> bytes:
    """Return a PDF with a page a list, each as large as it is; texts can be selected and found.

    `attached` are JSON files that it carries, by name.
    Raises `UserError` for a page that is larger than a PDF allows.
    """
    measure = measure or QtMeasure()
    for page in pages:
        if max(page.width, page.height) > _MOST_UNITS:
            width, height = round(page.width), round(page.height)
            raise UserError("picture_too_large", width=width, height=height, limit=_MOST_UNITS)
    # Fonts would be written in the order of a hash table, another one in every process.
    QHashSeed.setDeterministicGlobalSeed()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setCreator("KV Workbench")
    writer.setTitle(safe_line(title, 200))
    writer.setResolution(_DPI)
    writer.setDocumentId(QUuid("{00000000-0000-0000-0000-000000000001}"))
    for name, content in (attached or {}).items():
        writer.addFileAttachment(name, QByteArray(content), "application/json")
    _set_page(writer, pages[0])
    painter = QPainter(writer)
    try:
        for number, page in enumerate(pages):
            progress(number, len(pages))
            if number:
                _set_page(writer, page)
                writer.newPage()
            if not transparent:
                area = QRectF(0, 0, page.width, page.height)
                painter.fillRect(area, QColor(page.background))
            paint(page, painter, measure)
    finally:
        # A paper that is still painted on must not be thrown away.
        painter.end()
        buffer.close()
    progress(len(pages), len(pages))
    return _undated(bytes(data.data()))


def _set_page(writer: QPdfWriter, page: DisplayList) -> None:
    size = QSizeF(page.width * _POINTS_PER_UNIT, page.height * _POINTS_PER_UNIT)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    writer.setPageLayout(
        QPageLayout(
            QPageSize(size, QPageSize.Unit.Point, "", exact),
            QPageLayout.Orientation.Portrait,
            QMarginsF(0, 0, 0, 0),
        )
    )


def _undated(data: bytes) -> bytes:
    """Return a PDF whose dates are always the same."""
    for written, fixed in _DATES:
        data = re.sub(written, fixed, data)
    return data

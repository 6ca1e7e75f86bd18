"""A chart as it leaves the window, by the clipboard or by a drag: picture, vectors, figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from workbench.charts.display import DisplayList
from workbench.export.raster import QtMeasure, render_image

SVG: Final = "image/svg+xml"
_FIGURE: Final = re.compile(r"=|[+-]?[\d.,]+( ?[A-Za-z%]+)?")
"""What begins like a formula and is none: a difference, and the sign of "no difference"."""
PICTURE_SCALE: Final = 2.0
"""Device pixels a unit of a picture on the clipboard."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """A chart and the same figures as lines of tab-separated cells."""

    picture: DisplayList
    text: str
    name: str = "chart"
    """Stem of the file that a drag makes of it."""


def chart_mime(leaving: Leaving, measure: QtMeasure | None = None) -> QMimeData:
    """Return a chart for the clipboard: an opaque picture at twice the size, SVG and a table.

    Each program takes what it can use: a picture for mail, vectors for drawings, cells for sheets.
    Raises `UserError` when the picture would be too large.
    """
    from workbench.export.vector import svg_bytes

    fonts = measure or QtMeasure()
    made = QMimeData()
    # The system's clipboard offers an image as PNG, encoded when somebody asks for it.
    made.setImageData(render_image(leaving.picture, PICTURE_SCALE, fonts))
    made.setData(SVG, svg_bytes(leaving.picture, fonts))
    made.setText(leaving.text)
    return made


def copy_cells(text: str) -> None:
    """Put lines of cells on the clipboard; pasted into a spreadsheet none becomes a formula."""
    QGuiApplication.clipboard().setText(guarded_tsv(text))


def guarded_tsv(text: str) -> str:
    """Return lines of cells of which none is a formula for a spreadsheet; figures stay."""
    from workbench.export.delimited import guarded

    def cell(words: str) -> str:
        return words if _FIGURE.fullmatch(words) else str(guarded(words))

    return "\n".join("\t".join(map(cell, line.split("\t"))) for line in text.split("\n"))


def tsv_of(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return words as lines of cells, the same way as every table leaves the program."""
    from workbench.export.delimited import tsv_text
    from workbench.export.table import Cell, Row, Table

    rows = tuple(Row(tuple(map(Cell, line))) for line in lines)
    return tsv_text(Table("chart", "", tuple(header), rows))

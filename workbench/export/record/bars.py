"""The bars of a record, the same on printed pages and in a Word document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList
from workbench.charts.palette import GREY, LIGHT, Theme
from workbench.charts.rows import Row
from workbench.charts.text import TextMeasure
from workbench.export.options import Options

SMALL_PX: Final = 11.0


def paper_theme(options: Options) -> Theme:
    """Return the colours of a record: paper is light, or grey where that was chosen."""
    return GREY if options.look == "grey" else LIGHT


def record_bars(
    rows: Sequence[Row], options: Options, measure: TextMeasure, width: float
) -> DisplayList:
    """Draw the bars of some scenarios, as wide as the text of a page."""
    return stacked_bars(
        rows,
        width=width,
        theme=paper_theme(options),
        measure=measure,
        unit=options.unit,
        labels=options.language.labels,
        text_px=SMALL_PX,
        padding=0.0,
    )

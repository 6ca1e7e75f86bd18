"""What stands around the bars of a native chart: limit lines, what is over, results, legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Emu, Pt

from workbench.charts.rows import Row, limit_text, result_text
from workbench.charts.scale import UNIT_BYTES
from workbench.charts.text import FixedMeasure
from workbench.core.compare import OUTSIDE
from workbench.export.options import Language
from workbench.export.slides.native import GAP_SHARE, Inner, Place, paint_part, rgb
from workbench.export.slides.paper import Paper
from workbench.export.slides.stack_data import ChartData, Series
from workbench.export.wording import part_name
from workbench.spec.ledger import Status

RESULTS_EMU: Final = int(Pt(126))
"""Width of the results right of the bars."""
LIMIT_PT: Final = 14.0
"""Height of the text above a limit line."""
LEGEND_EMS: Final = 1.6
_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700
_SWATCH_PT: Final = 30.0
_LIMIT_TEXT_PT: Final = 10.0
_LEAST_TEXT_PT: Final = 7.5
_LINE_EMS: Final = 1.2
_OVERSHOOT_PT: Final = 3.0


@dataclass(frozen=True, slots=True)
class Marked:
    """Bars that stand on a slide, and how they are told about."""

    paper: Paper
    slide: Any
    rows: Sequence[Row]
    data: ChartData
    place: Place
    """Of the chart."""
    inner: Inner
    text_pt: float
    language: Language

    @property
    def lane(self) -> float:
        """Height of the lane of a bar, in EMU."""
        return self.place.height * self.inner.height / len(self.rows)

    def x(self, size_bytes: int) -> int:
        """Return where a size stands on the slide."""
        unit_bytes = UNIT_BYTES[self.data.unit]  # type: ignore[index]
        return self.inner.left(self.place, size_bytes / unit_bytes / self.data.axis_end)

    def bar(self, first: int, last: int) -> tuple[int, int]:
        """Return the upper edge of a bar and the lower edge of another."""
        gap = self.lane * GAP_SHARE / 2
        top = self.inner.top(self.place, first, len(self.rows)) + gap
        bottom = self.inner.top(self.place, last + 1, len(self.rows)) - gap
        return int(top), int(bottom)


def add_marks(marked: Marked) -> None:
    """Put everything around the bars."""
    _overs(marked)
    _limits(marked)
    _results(marked)


def _limits(marked: Marked) -> None:
    """Draw a line where the engine's memory ends, one for neighbours with the same limit."""
    gap_pt = marked.lane * GAP_SHARE / _EMU_PER_PT
    overshoot = int(min(_OVERSHOOT_PT, max(0.0, (gap_pt - 12) / 2)) * _EMU_PER_PT)
    at = 0
    for (limit, _), run in groupby(
        marked.rows, key=lambda row: (row.ledger.budget_bytes, row.ledger.total_bytes)
    ):
        same = list(run)
        top, bottom = marked.bar(at, at + len(same) - 1)
        x = marked.x(limit)
        _line(marked, x, top - overshoot, bottom + overshoot).name = f"limit {at + 1}"
        text = limit_text(same[0].ledger, marked.data.unit, marked.language.labels)  # type: ignore[arg-type]
        room_pt = gap_pt - 2 * overshoot / _EMU_PER_PT if at else LIMIT_PT
        size = min(_LIMIT_TEXT_PT, room_pt / _LINE_EMS)
        at += len(same)
        if size >= _LEAST_TEXT_PT:
            first = at == len(same)
            above = top - overshoot - (int(Pt(1.5)) if first else 0)
            _limit_text(marked, x, above, text, size).name = f"limit text {at}"


def _line(marked: Marked, x: int, top: int, bottom: int) -> Any:
    line = marked.slide.shapes.add_connector(
        MSO_CONNECTOR.STRAIGHT, Emu(x), Emu(top), Emu(x), Emu(bottom)
    )
    line.line.width = Pt(2.25)
    line.line.color.rgb = rgb(marked.paper.theme.text)
    _without_style(line)
    return line


def _without_style(shape: Any) -> None:
    """Take away the style that a shape is made with: it throws a shadow."""
    for style in shape._element.findall("{*}style"):
        shape._element.remove(style)


def _limit_text(marked: Marked, x: int, bottom: int, text: str, size: float) -> Any:
    """Write a limit centred above its line, but within the chart."""
    height = int(size * _LINE_EMS * _EMU_PER_PT)
    half = int((_MEASURE.width(text, size) / 2 + 6) * _EMU_PER_PT)
    place = marked.place
    left = max(place.x, min(x - half, place.x + place.width + RESULTS_EMU - 2 * half))
    box = Place(left, bottom - height, 2 * half, height)
    return marked.paper.text(marked.slide, box, [text], size, align="ctr")


def _overs(marked: Marked) -> None:
    """Frame the part of a bar that goes beyond the budget."""
    for number, row in enumerate(marked.rows):
        ledger = row.ledger
        if not ledger.over_bytes:
            continue
        top, bottom = marked.bar(number, number)
        left = marked.x(max(0, ledger.budget_bytes))
        right = marked.x(max(0, ledger.budget_bytes) + ledger.over_bytes)
        frame = marked.slide.shapes.add_shape(
            MSO_SHAPE.RECTANGLE, Emu(left), Emu(top), Emu(max(1, right - left)), Emu(bottom - top)
        )
        _without_style(frame)
        frame.fill.background()
        frame.line.color.rgb = rgb(marked.paper.theme.danger)
        frame.line.width = Pt(2.25)
        frame.name = f"over {number + 1}"


def _results(marked: Marked) -> None:
    """Write what is left, or over, right of each bar."""
    theme = marked.paper.theme
    inks = {Status.FITS: theme.success, Status.TIGHT: theme.warning}
    for number, row in enumerate(marked.rows):
        top = marked.inner.top(marked.place, number, len(marked.rows))
        text = result_text(row, marked.data.unit, marked.language.labels)  # type: ignore[arg-type]
        size = marked.text_pt
        while size > 8 and _MEASURE.width(text, size, bold=True) > RESULTS_EMU / _EMU_PER_PT - 2:
            size -= 1
        # As narrow as the text: a limit may be written beside it.
        width = int((_MEASURE.width(text, size, bold=True) + 2) * _EMU_PER_PT)
        height = int(size * _LINE_EMS * _EMU_PER_PT)
        right = marked.place.x + marked.place.width + RESULTS_EMU
        box = Place(right - width, top + int(marked.lane - height) // 2, width, height)
        ink = inks.get(row.status, theme.danger)
        marked.paper.text(
            marked.slide, box, [text], size, bold=True, ink=ink, align="r"
        ).name = f"result {number + 1}"


# Legend -------------------------------------------------------------------------------------------


def legend_lines(data: ChartData, width_pt: float, text_pt: float) -> list[list[Series]]:
    """Share the parts over as many lines as they need; a part beside the budget has no own."""
    size = max(9.0, text_pt - 1)
    lines: list[list[Series]] = [[]]
    used = 0.0
    known: set[str] = set()
    for series in data.series:
        code = series.code.removeprefix(OUTSIDE)
        if code in known:
            continue
        known.add(code)
        need = _MEASURE.width(series.name, size) + _SWATCH_PT
        if used + need > width_pt and lines[-1]:
            lines.append([])
            used = 0.0
        lines[-1].append(series)
        used += need
    return lines


def add_legend(
    paper: Paper, slide: Any, data: ChartData, place: Place, language: Language, text_pt: float
) -> None:
    """Write the legend ourselves: office programs break a native one wherever they like."""
    size = max(9.0, text_pt - 1)
    step = int(text_pt * LEGEND_EMS * _EMU_PER_PT)
    paint = paint_part(paper.theme)
    for number, line in enumerate(legend_lines(data, place.width / _EMU_PER_PT, text_pt)):
        x = place.x
        for series in line:
            code = series.code.removeprefix(OUTSIDE)
            side = int(size * 0.85 * _EMU_PER_PT)
            y = place.y + number * step
            swatch = slide.shapes.add_shape(
                MSO_SHAPE.RECTANGLE, Emu(x), Emu(y + (step - side) // 2), Emu(side), Emu(side)
            )
            _without_style(swatch)
            swatch.name = f"legend {code}"
            paint(swatch, Series(code, "", ()))
            name = part_name(code, language)
            width = int((_MEASURE.width(name, size) + 6) * _EMU_PER_PT)
            paper.text(slide, Place(x + int(side * 1.4), y, width, step), [name], size)
            x += int((_MEASURE.width(series.name, size) + _SWATCH_PT) * _EMU_PER_PT)

"""What stands around the bars of a native chart: limit lines, what is over, results, legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Emu, Pt

from workbench.charts.display import Box, Item
from workbench.charts.labels import filled
from workbench.charts.parts import OVER, Style, number_items, over_items
from workbench.charts.rows import Row, doubt_text, limit_text, result_text
from workbench.charts.scale import UNIT_BYTES
from workbench.charts.scale import number as number_text
from workbench.charts.stack import Part, drawn, past
from workbench.core.compare import OUTSIDE
from workbench.export.options import Language
from workbench.export.slides.drawing import add_drawing
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
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
_MEASURE: Final = SlideMeasure()
_SWATCH_PT: Final = 30.0
_LIMIT_TEXT_PT: Final = 11.0
_LEAST_TEXT_PT: Final = 8.0
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
    gap_pt = marked.lane * GAP_SHARE / EMU_PER_PT
    overshoot = int(min(_OVERSHOOT_PT, max(0.0, (gap_pt - 12) / 2)) * EMU_PER_PT)
    at = 0
    for (limit, _), run in groupby(
        marked.rows, key=lambda row: (row.ledger.budget_bytes, row.ledger.total_bytes)
    ):
        same = list(run)
        top, bottom = marked.bar(at, at + len(same) - 1)
        x = marked.x(limit)
        _line(marked, x, top - overshoot, bottom + overshoot).name = f"limit {at + 1}"
        text = limit_text(same[0].ledger, marked.data.unit, marked.language.labels)  # type: ignore[arg-type]
        room_pt = gap_pt - 2 * overshoot / EMU_PER_PT if at else LIMIT_PT
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
    height = int(size * _LINE_EMS * EMU_PER_PT)
    half = int((_MEASURE.width(text, size) / 2 + 6) * EMU_PER_PT)
    place = marked.place
    left = max(place.x, min(x - half, place.x + place.width + RESULTS_EMU - 2 * half))
    box = Place(left, bottom - height, 2 * half, height)
    return marked.paper.text(marked.slide, box, [text], size, align="ctr")


def _overs(marked: Marked) -> None:
    """Cover what goes beyond the budget as pictures draw it: hatched, either piece numbered."""
    style = Style(marked.paper.theme, _MEASURE, marked.data.unit, marked.text_pt)  # type: ignore[arg-type]
    for number, row in enumerate(marked.rows):
        limit = max(0, row.ledger.budget_bytes)
        shown = drawn(row.ledger)
        over = past(shown, limit)
        top, bottom = (edge / EMU_PER_PT for edge in marked.bar(number, number))
        items: list[Item] = []
        end = 0
        for part in shown.inside:
            start, end = end, end + part.bytes
            if part.name not in over:
                continue
            left, cut, right = (marked.x(at) / EMU_PER_PT for at in (start, max(start, limit), end))
            box = Box(cut, top, right - cut, bottom - top)
            items += over_items(box, style, f"over:{part.name}")
            text = number_text(over[part.name], style.unit)
            items += number_items(text, part.name, box, style, past_limit=True)
            box = Box(left, top, cut - left, bottom - top)
            items += _inside_number(part, part.bytes - over[part.name], box, style, marked)
        if items:
            add_drawing(marked.slide, items, f"over {number + 1}")


def _inside_number(
    part: Part, inside_bytes: int, box: Box, style: Style, marked: Marked
) -> list[Item]:
    """Write how much of a part that the limit cuts lies within it: "34.7 of 120", or "34.7"."""
    if not inside_bytes:
        return []
    text = number_text(inside_bytes, style.unit)
    total = number_text(part.bytes, style.unit)
    both = filled(marked.language.labels("part.inside"), number=text, total=total)
    return number_items(both, part.name, box, style, past_limit=False) or number_items(
        text, part.name, box, style, past_limit=False
    )


def _results(marked: Marked) -> None:
    """Write what is left, or over, right of each bar, and below it what the answer leaves out."""
    theme = marked.paper.theme
    inks = {Status.FITS: theme.success, Status.TIGHT: theme.warning}
    for number, row in enumerate(marked.rows):
        top = marked.inner.top(marked.place, number, len(marked.rows))
        text = result_text(row, marked.data.unit, marked.language.labels)  # type: ignore[arg-type]
        doubt = doubt_text(row, marked.language.labels)
        size = marked.text_pt
        while size > 9 and _MEASURE.width(text, size, bold=True) > RESULTS_EMU / EMU_PER_PT - 2:
            size -= 1
        height = int(size * _LINE_EMS * EMU_PER_PT)
        middle = top + int(marked.lane / 2) - (height // 2 if doubt else 0)
        ink = theme.warning if doubt else inks.get(row.status, theme.danger)
        _result(marked, text, middle, size, ink, f"result {number + 1}", bold=True)
        if doubt:
            small = max(9.0, size - 2)
            _result(marked, doubt, middle + height, small, ink, f"result {number + 1} doubt")


def _result(
    marked: Marked,
    text: str,
    middle: int,
    size: float,
    ink: str,
    name: str,
    *,
    bold: bool = False,
) -> None:
    """Write a text that is as narrow as can be: a limit may be written beside it."""
    width = int((_MEASURE.width(text, size, bold=bold) + 2) * EMU_PER_PT)
    height = int(size * _LINE_EMS * EMU_PER_PT)
    right = marked.place.x + marked.place.width + RESULTS_EMU
    box = Place(right - width, middle - height // 2, width, height)
    made = marked.paper.text(marked.slide, box, [text], size, bold=bold, ink=ink, align="r")
    made.name = name


# Legend -------------------------------------------------------------------------------------------


def legend_of(rows: Sequence[Row], data: ChartData, language: Language) -> tuple[Series, ...]:
    """Return what the legend names: each part once, a part beside the budget has no own."""
    known: dict[str, Series] = {}
    for series in data.series:
        code = series.code.removeprefix(OUTSIDE)
        known.setdefault(code, Series(code, part_name(code, language), ()))
    if any(drawn(row.ledger).inside_bytes > row.ledger.budget_bytes for row in rows):
        known[OVER] = Series(OVER, language.labels(OVER), ())
    return tuple(known.values())


def legend_lines(
    legend: Sequence[Series], width_pt: float, text_pt: float
) -> list[list[tuple[Series, float]]]:
    """Share the parts over as many lines as they need; each with how far from the left it is."""
    size = legend_pt(text_pt)
    lines: list[list[tuple[Series, float]]] = [[]]
    used = 0.0
    for series in legend:
        need = _MEASURE.width(series.name, size) + _SWATCH_PT
        if used + need > width_pt and lines[-1]:
            lines.append([])
            used = 0.0
        lines[-1].append((series, used))
        used += need
    return lines


def legend_pt(text_pt: float) -> float:
    """Return the size of the texts of a legend."""
    return max(10.0, text_pt - 1)


def add_legend(
    paper: Paper, slide: Any, legend: Sequence[Series], place: Place, text_pt: float
) -> None:
    """Write the legend ourselves: office programs break a native one wherever they like."""
    size = legend_pt(text_pt)
    step = int(text_pt * LEGEND_EMS * EMU_PER_PT)
    paint = paint_part(paper.theme)
    side = int(size * 0.85 * EMU_PER_PT)
    for number, line in enumerate(legend_lines(legend, place.width / EMU_PER_PT, text_pt)):
        y = place.y + number * step
        for series, along in line:
            x = place.x + int(along * EMU_PER_PT)
            corner = x, y + (step - side) // 2
            if series.code == OVER:
                _over_swatch(paper, slide, Place(*corner, side, side), size)
            else:
                swatch = slide.shapes.add_shape(
                    MSO_SHAPE.RECTANGLE, *(Emu(one) for one in (*corner, side, side))
                )
                _without_style(swatch)
                swatch.name = f"legend {series.code}"
                paint(swatch, series)
            width = int((_MEASURE.width(series.name, size) + 6) * EMU_PER_PT)
            paper.text(slide, Place(x + int(side * 1.4), y, width, step), [series.name], size)


def _over_swatch(paper: Paper, slide: Any, place: Place, size: float) -> None:
    style = Style(paper.theme, _MEASURE, "GiB", size)
    box = Box(0, 0, place.width / EMU_PER_PT, place.height / EMU_PER_PT)
    items = over_items(box, style, OVER)
    add_drawing(slide, items, f"legend {OVER}", x=place.x, y=place.y)

"""Slides with the bars of scenarios as a native chart: limit line, results, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.util import Emu, Inches, Pt

from workbench.charts.rows import Row, chart_unit, limit_text, result_text
from workbench.charts.scale import UNIT_BYTES
from workbench.charts.text import FixedMeasure, elide
from workbench.core.compare import OUTSIDE
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.slides.native import (
    Inner,
    Look,
    Place,
    add_chart,
    ink_of_part,
    paint_part,
    rgb,
    room_for,
)
from workbench.export.slides.paper import Paper
from workbench.export.slides.stack_data import ChartData, Series, stack_data
from workbench.export.subject import Subject
from workbench.export.wording import part_name
from workbench.spec import units, words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_TITLES, SLIDE_WORDS

MOST_BARS: Final = 10
"""On one slide; more would be too thin for their numbers."""
_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700
_RESULTS: Final = int(Inches(1.75))
_LIMIT_PT: Final = 14.0
_LEGEND_EMS: Final = 1.6
_SWATCH_PT: Final = 30.0
_GAP_SHARE: Final = 0.31
"""Part of a category's lane that lies between two bars."""
_NOTED_CHARACTERS: Final = 60_000

Part = Callable[[], None]


def bar_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes a slide for every ten scenarios, all on one axis."""
    rows = subject.rows
    chunks = [rows[at : at + MOST_BARS] for at in range(0, len(rows), MOST_BARS)]
    say = options.language.words
    for number, chunk in enumerate(chunks, 1):
        title = say(SLIDE_TITLES["bars"])
        if len(chunks) > 1:
            filled = {"number": number, "count": len(chunks)}
            title = words.fill(say(SLIDE_TITLES["bars_page"]), filled)
        start = (number - 1) * MOST_BARS
        answered = subject.answered[start : start + MOST_BARS]

        def make(
            title: str = title,
            chunk: Sequence[Row] = chunk,
            answered: Sequence[tuple[Scenario, Ledger]] = answered,
        ) -> None:
            slide = paper.slide(title, figure_notes(answered, options))
            add_bars(paper, slide, chunk, paper.area, options, all_rows=rows)

        yield make


def add_bars(
    paper: Paper,
    slide: Any,
    rows: Sequence[Row],
    area: Place,
    options: Options,
    *,
    all_rows: Sequence[Row] = (),
) -> ChartData:
    """Put a chart with limit lines and results on a slide; return what it holds.

    `all_rows` share the axis, so that bars of several slides compare.
    """
    unit = chart_unit(all_rows or rows, options.unit)
    data = stack_data(rows, unit, options.language)
    if all_rows:
        whole = stack_data(all_rows, unit, options.language)
        data = replace(data, axis_end=whole.axis_end, axis_step=whole.axis_step)
    text_pt = 14.0 if len(rows) <= 5 else 12.0 if len(rows) <= 8 else 11.0
    place = Place(area.x, area.y, area.width - _RESULTS, area.height)
    inner = _inner(data, place, text_pt)
    shown = ChartData(
        tuple(_category(row, place, inner, text_pt) for row in rows),
        data.series,
        data.unit,
        data.axis_end,
        data.axis_step,
    )
    look = Look(
        paper.theme,
        text_pt,
        paint_part(paper.theme),
        ink_of_part(paper.theme),
        room_for(data, place, inner, text_pt),
    )
    add_chart(slide, shown, place, inner, look)
    _legend(paper, slide, data, Place(area.x, area.y, area.width, 0), options, text_pt)
    _limits(paper, slide, rows, data, place, inner, options)
    _results(paper, slide, rows, unit, place, inner, options, text_pt)
    return shown


def _inner(data: ChartData, place: Place, text_pt: float) -> Inner:
    """Leave room for names at the left, the legend above, the axis below."""
    width_pt, height_pt = place.width / _EMU_PER_PT, place.height / _EMU_PER_PT
    longest = max(_MEASURE.width(name, text_pt) for name in data.categories)
    left = min(0.3, (longest + 18) / width_pt)
    lines = len(_legend_lines(data, (place.width + _RESULTS) / _EMU_PER_PT, text_pt))
    top = (lines * text_pt * _LEGEND_EMS + _LIMIT_PT + 4) / height_pt
    below = text_pt * 2.4 / height_pt
    return Inner(left, top, 0.98 - left, 1 - top - below)


def _legend_lines(data: ChartData, width_pt: float, text_pt: float) -> list[list[Series]]:
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


def _legend(
    paper: Paper, slide: Any, data: ChartData, place: Place, options: Options, text_pt: float
) -> None:
    """Write the legend ourselves: office programs break a native one wherever they like."""
    size = max(9.0, text_pt - 1)
    step = int(text_pt * _LEGEND_EMS * _EMU_PER_PT)
    paint = paint_part(paper.theme)
    for number, line in enumerate(_legend_lines(data, place.width / _EMU_PER_PT, text_pt)):
        x = place.x
        for series in line:
            code = series.code.removeprefix(OUTSIDE)
            side = int(size * 0.85 * _EMU_PER_PT)
            y = place.y + number * step
            swatch = slide.shapes.add_shape(
                MSO_SHAPE.RECTANGLE, Emu(x), Emu(y + (step - side) // 2), Emu(side), Emu(side)
            )
            swatch.shadow.inherit = False
            swatch.name = f"legend {code}"
            paint(swatch, Series(code, "", ()))
            name = part_name(code, options.language)
            width = int((_MEASURE.width(name, size) + 6) * _EMU_PER_PT)
            text = Place(x + int(side * 1.4), y, width, step)
            paper.text(slide, text, [name], size)
            x += int((_MEASURE.width(series.name, size) + _SWATCH_PT) * _EMU_PER_PT)


def _category(row: Row, place: Place, inner: Inner, text_pt: float) -> str:
    """Return the name as it stands beside its bar; the whole one is in the notes."""
    room = place.width * inner.x / _EMU_PER_PT - 12
    star = "★ " if row.is_baseline else ""
    return elide(star + safe_line(row.name, 200), room, _MEASURE, text_pt)


def _limits(
    paper: Paper,
    slide: Any,
    rows: Sequence[Row],
    data: ChartData,
    place: Place,
    inner: Inner,
    options: Options,
) -> None:
    """Draw a line where the engine's memory ends, one for neighbours with the same limit."""
    unit_bytes = UNIT_BYTES[data.unit]  # type: ignore[index]
    at = 0
    for (limit, _), run in groupby(
        rows, key=lambda r: (r.ledger.budget_bytes, r.ledger.total_bytes)
    ):
        same = list(run)
        x = inner.left(place, limit / unit_bytes / data.axis_end)
        top = inner.top(place, at, len(rows))
        bottom = inner.top(place, at + len(same), len(rows))
        line = slide.shapes.add_connector(
            MSO_CONNECTOR.STRAIGHT, Emu(x), Emu(top), Emu(x), Emu(bottom)
        )
        line.line.width = Pt(2.25)
        line.line.color.rgb = rgb(paper.theme.text)
        line.name = f"limit {at + 1}"
        text = limit_text(same[0].ledger, data.unit, options.language.labels)  # type: ignore[arg-type]
        at += len(same)
        height = int(Pt(_LIMIT_PT))
        lane = place.height * inner.height / len(rows)
        if at > len(same) and lane * _GAP_SHARE < height:
            continue  # between two bars this thin there is no room for a text
        half = int((_MEASURE.width(text, 10.0) / 2 + 6) * _EMU_PER_PT)
        left = min(max(x - half, place.x), place.x + place.width - 2 * half)
        first = at == len(same)
        y = top - height if first else top - height // 2
        paper.text(
            slide, Place(left, y, 2 * half, height), [text], 10.0, align=PP_ALIGN.CENTER
        ).name = f"limit text {at}"


def _limit_of(row: Row) -> tuple[int, int]:
    return row.ledger.budget_bytes, row.ledger.total_bytes


def _results(
    paper: Paper,
    slide: Any,
    rows: Sequence[Row],
    unit: units.ByteUnit,
    place: Place,
    inner: Inner,
    options: Options,
    text_pt: float,
) -> None:
    """Write what is left, or over, right of each bar."""
    theme = paper.theme
    inks = {Status.FITS: theme.success, Status.TIGHT: theme.warning}
    for number, row in enumerate(rows):
        top = inner.top(place, number, len(rows))
        height = inner.top(place, number + 1, len(rows)) - top
        text = result_text(row, unit, options.language.labels)
        box = Place(place.x + place.width, top, _RESULTS, height)
        size = text_pt
        while size > 9 and _MEASURE.width(text, size, bold=True) > _RESULTS / _EMU_PER_PT:
            size -= 1
        ink = inks.get(row.status, theme.danger)
        paper.text(
            slide, box, [text], size, bold=True, ink=ink, align=PP_ALIGN.RIGHT
        ).name = f"result {number + 1}"


def figure_notes(answered: Sequence[tuple[Scenario, Ledger]], options: Options) -> Iterator[str]:
    """Tell where every figure of the bars comes from: formula with numbers, evidence, source."""
    say = options.language.words
    room = _NOTED_CHARACTERS
    for scenario, ledger in answered:
        lines = [f"{safe_line(scenario.name, 200)}: {words.verdict_text(ledger, say)}"]
        for entry in ledger.worst_rank.entries:
            facts = {
                "name": words.entry_text(entry, say),
                "size": units.show_bytes(entry.bytes, options.unit),
                "bytes": units.group_digits(entry.bytes),
                "evidence": say(words.EVIDENCE[entry.evidence.value]),
                "formula": words.formula_text(entry.formula, translate=say),
                "source": words.source_text(entry.source, say),
            }
            lines.append(say(SLIDE_WORDS["figure"]).format_map(facts))
        text = "\n".join(lines)
        room -= len(text)
        if room < 0:
            return
        yield text
        yield ""

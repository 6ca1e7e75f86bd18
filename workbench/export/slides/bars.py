"""Slides with the bars of scenarios as a native chart: limit line, results, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final

from workbench.charts.page import wrapped
from workbench.charts.rows import STAR, Row, chart_unit, sentence
from workbench.charts.scale import UNIT_BYTES
from workbench.export.found import Found
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.slides.bar_marks import (
    LEGEND_EMS,
    LIMIT_PT,
    RESULTS_EMU,
    Marked,
    add_legend,
    add_marks,
    legend_lines,
    legend_of,
)
from workbench.export.slides.drawing import describe
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import (
    GAP_SHARE,
    Inner,
    Look,
    Place,
    add_chart,
    axis_pt,
    ink_of_part,
    paint_part,
    room_for,
)
from workbench.export.slides.paper import Paper
from workbench.export.slides.stack_data import ChartData, Series, stack_data
from workbench.export.subject import Subject
from workbench.spec import units, words
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_KICKERS, SLIDE_TITLES, SLIDE_WORDS

MOST_BARS: Final = 10
"""On one slide; more would be too thin for their numbers."""
_MEASURE: Final = SlideMeasure()
_TEXT_SIZES: Final = (14.0, 12.0, 11.0, 10.0, 9.0)
_AXIS_SHARE: Final = 0.65
_NAME_SHARE: Final = 0.27
_TEXT_EMS: Final = 1.15
"""Height of a number of a bar, with what keeps it off the edges."""
_NOTED_CHARACTERS: Final = 60_000

Part = Callable[[], None]


def bar_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes a slide for every ten scenarios, all on one axis."""
    rows, answered = subject.rows, subject.answered
    numbered = titles(Found(options.language).fitting(answered), options)
    for start in range(0, len(rows), MOST_BARS):
        chunk = slice(start, start + MOST_BARS)
        yield partial(_bar_slide, paper, rows, chunk, answered[chunk], options, numbered)


def _bar_slide(
    paper: Paper,
    rows: Sequence[Row],
    chunk: slice,
    answered: Sequence[tuple[Scenario, Ledger]],
    options: Options,
    numbered: Iterator[str],
) -> None:
    kicker = options.language.words(SLIDE_KICKERS["bars"])
    slide = paper.slide(next(numbered), figure_notes(answered, options), kicker)
    add_bars(paper, slide, rows[chunk], paper.area, options, all_rows=rows)


def titles(title: str, options: Options) -> Iterator[str]:
    """Return the titles of a slide and of those that go on with it."""
    yield title
    template = options.language.words(SLIDE_TITLES["page"])
    for number in count(2):
        yield words.fill(template, {"title": title, "number": number})


def add_bars(
    paper: Paper,
    slide: Any,
    rows: Sequence[Row],
    area: Place,
    options: Options,
    *,
    all_rows: Sequence[Row] = (),
) -> None:
    """Put a chart with limit lines and results on a slide.

    `all_rows` share the axis, so that bars of several slides compare.
    """
    unit = chart_unit(all_rows or rows, options.unit)
    place = Place(area.x, area.y, area.width - RESULTS_EMU, area.height)
    length_pt = place.width * _AXIS_SHARE / EMU_PER_PT
    data = stack_data(rows, unit, options.language, length_pt)
    if all_rows:
        whole = stack_data(all_rows, unit, options.language, length_pt)
        data = replace(data, axis_end=whole.axis_end, axis_step=whole.axis_step)
    legend = legend_of(rows, data, options.language)
    text_pt, inner = _size(rows, data, legend, place)
    names = (_category(row, place, inner, text_pt, len(rows)) for row in rows)
    named = replace(data, categories=tuple(names))
    limits = [row.ledger.budget_bytes / UNIT_BYTES[unit] for row in rows]
    look = Look(
        paper.theme,
        text_pt,
        paint_part(paper.theme),
        ink_of_part(paper.theme),
        room_for(data, place, inner, text_pt, limits),
    )
    chart = add_chart(slide, named, place, inner, look)
    labels = options.language.labels
    describe(chart, " · ".join(safe_line(sentence(row, unit, labels), 300) for row in rows))
    add_legend(paper, slide, legend, Place(area.x, area.y, area.width, 0), text_pt)
    add_marks(Marked(paper, slide, rows, data, place, inner, text_pt, options.language))


def _size(
    rows: Sequence[Row], data: ChartData, legend: Sequence[Series], place: Place
) -> tuple[float, Inner]:
    """Return the largest text that stands within its bar, and where the bars are then."""
    most = 14.0 if len(rows) <= 6 else 12.0
    sizes = [size for size in _TEXT_SIZES if size <= most]
    for size in sizes:
        inner = _inner(rows, data, legend, place, size)
        bar_pt = place.height * inner.height / len(rows) * (1 - GAP_SHARE) / EMU_PER_PT
        if size * _TEXT_EMS <= bar_pt:
            break
    return size, inner


def _inner(
    rows: Sequence[Row],
    data: ChartData,
    legend: Sequence[Series],
    place: Place,
    text_pt: float,
) -> Inner:
    """Leave room for names at the left, the legend above, the axis below and its last number."""
    width_pt, height_pt = place.width / EMU_PER_PT, place.height / EMU_PER_PT
    longest = max(_MEASURE.width(_full_name(row), text_pt) for row in rows)
    left = min(_NAME_SHARE, (longest + 18) / width_pt)
    lines = len(legend_lines(legend, (place.width + RESULTS_EMU) / EMU_PER_PT, text_pt))
    top = (lines * text_pt * LEGEND_EMS + LIMIT_PT + 4) / height_pt
    below = text_pt * 2.4 / height_pt
    # A number that stood out of the chart would make LibreOffice shrink all of it.
    mark = f"{data.axis_end:,.0f} {data.unit}"
    right = max(12.0, _MEASURE.width(mark, axis_pt(text_pt)) / 2 + 4) / width_pt
    return Inner(left, top, 1 - right - left, 1 - top - below)


def _full_name(row: Row) -> str:
    star = f"{STAR} " if row.is_baseline else ""
    return star + safe_line(row.name, 200)


def _category(row: Row, place: Place, inner: Inner, text_pt: float, count: int) -> str:
    """Return the name as it stands beside its bar, in two lines where its lane has them.

    The whole one is in the workbook and in the notes.
    """
    room = place.width * inner.x / EMU_PER_PT - 12
    lane_pt = place.height * inner.height / count / EMU_PER_PT
    most = 2 if lane_pt >= 2.4 * text_pt else 1
    return "\n".join(wrapped(_full_name(row), room, _MEASURE, text_pt, most))


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

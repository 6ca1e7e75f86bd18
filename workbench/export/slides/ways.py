"""Slides that show what moved the answer from the baseline to a scenario: two waterfalls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from pptx.util import Pt

from workbench.charts.page import wrapped
from workbench.charts.palette import Theme, ink_on
from workbench.charts.waterfall import Quantity, Waterfall, amount_text, chart_unit, signed_text
from workbench.core.waterfall import Waterfall as Way
from workbench.export.found import Found, name_of
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.short_names import step_lines
from workbench.export.slides.drawing import describe
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import Inner, Look, Place, add_chart, rgb
from workbench.export.slides.paper import Paper
from workbench.export.slides.stack_data import ChartData, Series
from workbench.export.slides.way_data import ANSWER, BASE, BETTER, WORSE, way_data
from workbench.export.steps import QUANTITIES, chart_of
from workbench.export.subject import Subject
from workbench.export.ways import shortened
from workbench.export.wording import step_name
from workbench.spec import words
from workbench.spec.scenario import Scenario
from workbench.spec.words.pictures import PICTURE_NOTES
from workbench.spec.words.slides import SLIDE_KICKERS, SLIDE_WORDS

_MEASURE: Final = SlideMeasure()
_MOST_STEPS: Final = 14
_MOST_TOGETHER: Final = 5
"""Steps of a way whose two charts share a slide."""
_HEAD_PT: Final = 16.0
_SIZES: Final = (16.0, 14.0, 13.0, 12.0, 11.0, 10.0)
_NAME_SHARE: Final = 0.32
_AXIS_SHARE: Final = 0.54
_TITLES: Final[dict[Quantity, str]] = {"requests": "concurrency", "bytes": "memory"}


def way_slides(paper: Paper, subject: Subject, scenario: Scenario, options: Options) -> None:
    """Add one slide with both waterfalls, or one for each; a way without steps has none."""
    way = subject.way_to(scenario)
    if not way.steps:
        return
    found = Found(options.language)
    base = subject.plan.scenarios[subject.baseline]
    names = {"before": name_of(base), "after": name_of(scenario)}
    kicker = words.fill(options.language.words(SLIDE_KICKERS["way"]), names)
    together = len(way.steps) <= _MOST_TOGETHER
    area = paper.area
    height = area.height // 2 if together else area.height
    for number, quantity in enumerate(QUANTITIES):
        if not number or not together:
            title = found.way(subject, scenario, of_memory=quantity == "bytes")
            slide = paper.slide(title, _notes(way, options), kicker)
        top = area.y + (number * height if together else 0)
        place = Place(area.x, top, area.width, height - int(Pt(6)))
        _add(paper, slide, way, quantity, place, options)


def _add(
    paper: Paper, slide: Any, way: Way, quantity: Quantity, place: Place, options: Options
) -> None:
    say = options.language.words
    chart = shortened(chart_of(way, quantity, options.language), _MOST_STEPS)
    names = {code: say(SLIDE_WORDS[code]) for code in (BASE, ANSWER, BETTER, WORSE)}
    data = way_data(chart, options.unit, names, place.width * _AXIS_SHARE / EMU_PER_PT)
    head = int(Pt(_HEAD_PT * 1.5))
    box = Place(place.x, place.y, place.width, head)
    title = say(PICTURE_NOTES[_TITLES[quantity]])
    paper.text(slide, box, [title], _HEAD_PT, bold=True)
    below = Place(place.x, place.y + head, place.width, place.height - head)
    texts = _texts(chart, options)
    text_pt = _text_pt(below, len(texts))
    figures = max(_MEASURE.width(text, text_pt, bold=True) for text in texts)
    width = 0.98 - _NAME_SHARE - (figures + 14) * EMU_PER_PT / below.width
    inner = Inner(_NAME_SHARE, 0.02, width, 0.98 - _below_pt(text_pt) * EMU_PER_PT / below.height)
    room = below.width * inner.x / EMU_PER_PT - 12
    lane_pt = below.height * inner.height / len(texts) / EMU_PER_PT
    lines = 2 if lane_pt >= 2.35 * text_pt else 1
    shown = replace(data, categories=tuple(_names(chart, way, options, room, text_pt, lines)))
    theme = paper.theme
    look = Look(theme, text_pt, _paint(theme), _ink(theme), _nothing)
    made = add_chart(slide, shown, below, inner, look)
    said = zip(data.categories, texts, strict=True)
    describe(made, " · ".join(f"{name}: {text}" for name, text in said))
    _figures(paper, slide, chart, data, below, inner, options, text_pt)


def _text_pt(place: Place, count: int) -> float:
    """Return the largest text of which two lines stand in a lane, else one."""
    for size in _SIZES:
        lane = (place.height / EMU_PER_PT - _below_pt(size)) * 0.98 / count
        if lane >= 2.35 * size or (size <= 14 and lane >= 1.3 * size):
            return size
    return _SIZES[-1]


def _below_pt(text_pt: float) -> float:
    """Return the room for the numbers of the axis."""
    return text_pt * 2.2


def _names(
    chart: Waterfall, way: Way, options: Options, room: float, text_pt: float, lines: int
) -> Iterator[str]:
    """Return what stands left of each bar, shorter where the whole has no room."""
    known = {safe_line(step_name(one, options.language), 200): one for one in way.steps}
    for name in (chart.start_name, *(step.name for step in chart.steps), chart.end_name):
        step = known.get(name)
        if step is None:
            yield "\n".join(wrapped(name, room, _MEASURE, text_pt, lines))
        else:
            made = step_lines(step, options.language, room, _MEASURE, text_pt, lines)
            yield "\n".join(made)


def _nothing(series: Series, index: int) -> None:
    return None


def _paint(theme: Theme) -> Any:
    fills = {ANSWER: theme.muted, BETTER: theme.success, WORSE: theme.danger}

    def paint(form: Any, series: Series) -> None:
        form.line.fill.background()
        if series.code == BASE:
            form.fill.background()
            return
        form.fill.solid()
        form.fill.fore_color.rgb = rgb(fills[series.code])

    return paint


def _ink(theme: Theme) -> Any:
    return lambda series: ink_on(theme.muted)


def _figures(
    paper: Paper,
    slide: Any,
    chart: Waterfall,
    data: ChartData,
    place: Place,
    inner: Inner,
    options: Options,
    text_pt: float,
) -> None:
    """Write each answer and each change right of its bar."""
    theme = paper.theme
    base, answer, better, worse = data.series
    texts = _texts(chart, options)
    for at, text in enumerate(texts):
        end = base.values[at] + answer.values[at] + better.values[at] + worse.values[at]
        top = inner.top(place, at, len(texts))
        height = inner.top(place, at + 1, len(texts)) - top
        x = inner.left(place, end / data.axis_end) + int(Pt(5))
        ink = theme.text
        if 0 < at < len(texts) - 1:
            ink = theme.success if better.values[at] else theme.danger
            ink = ink if chart.steps[at - 1].delta else theme.muted
        box = Place(
            x, top, int((_MEASURE.width(text, text_pt, bold=True) + 8) * EMU_PER_PT), height
        )
        paper.text(slide, box, [text], text_pt, bold=True, ink=ink)


def _texts(chart: Waterfall, options: Options) -> list[str]:
    """Return the answer that stands first, each change, and the answer that stands last."""
    unit, labels = chart_unit(chart, options.unit), options.language.labels
    return [
        amount_text(chart.start, chart.quantity, unit, labels),
        *(signed_text(step.delta, chart.quantity, unit, labels) for step in chart.steps),
        amount_text(chart.end, chart.quantity, unit, labels),
    ]


def _notes(way: Way, options: Options) -> Iterator[str]:
    """Tell every step with both figures."""
    charts = [chart_of(way, quantity, options.language) for quantity in QUANTITIES]
    for chart in charts:
        names = (chart.start_name, *(step.name for step in chart.steps), chart.end_name)
        for name, text in zip(names, _texts(chart, options), strict=True):
            yield f"{name}: {text}"
        yield ""

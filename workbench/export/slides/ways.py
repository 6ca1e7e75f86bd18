"""A slide that shows what moved the answer from the baseline to a scenario: two waterfalls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pptx.util import Pt

from workbench.charts.palette import Theme, ink_on
from workbench.charts.text import FixedMeasure, elide
from workbench.charts.waterfall import Waterfall, amount_text, chart_unit, signed_text
from workbench.core.waterfall import Waterfall as Way
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.slides.native import Inner, Look, Place, add_chart, rgb
from workbench.export.slides.paper import Paper
from workbench.export.slides.stack_data import ChartData, Series
from workbench.export.slides.way_data import ANSWER, BASE, BETTER, WORSE, way_data
from workbench.export.subject import Subject
from workbench.export.ways import QUANTITIES, chart_of, shortened
from workbench.spec import words
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_TITLES, SLIDE_WORDS

_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700
_MOST_STEPS: Final = 14


def way_slide(paper: Paper, subject: Subject, scenario: Scenario, options: Options) -> None:
    """Add the slide; a way without steps has none."""
    way = subject.way_to(scenario)
    if not way.steps:
        return
    say = options.language.words
    base = subject.plan.scenarios[subject.baseline]
    names = {"before": safe_line(base.name, 60), "after": safe_line(scenario.name, 60)}
    slide = paper.slide(words.fill(say(SLIDE_TITLES["way"]), names), _notes(way, options))
    area = paper.area
    half = area.height // 2
    for number, quantity in enumerate(QUANTITIES):
        chart = shortened(chart_of(way, quantity, options), _MOST_STEPS)
        place = Place(area.x, area.y + number * half, area.width, half - int(Pt(6)))
        title = "requests" if quantity == "requests" else "memory"
        _add(paper, slide, chart, place, say(SLIDE_WORDS[title]), options)


def _add(
    paper: Paper, slide: Any, chart: Waterfall, place: Place, title: str, options: Options
) -> None:
    say = options.language.words
    names = {code: say(SLIDE_WORDS[code]) for code in (BASE, ANSWER, BETTER, WORSE)}
    data = way_data(chart, options.unit, names)
    head = int(Pt(22))
    paper.text(slide, Place(place.x, place.y, place.width, head), [title], 14.0, bold=True)
    below = Place(place.x, place.y + head, place.width, place.height - head)
    text_pt = 12.0 if len(data.categories) <= 6 else 10.0 if len(data.categories) <= 10 else 9.0
    figures = max(_MEASURE.width(text, text_pt, bold=True) for text in _texts(chart, options))
    width = 0.64 - (figures + 14) * _EMU_PER_PT / below.width
    inner = Inner(0.34, 0.02, width, 0.98 - text_pt * 2.2 * _EMU_PER_PT / below.height)
    room = below.width * inner.x / _EMU_PER_PT - 10
    shown = ChartData(
        tuple(elide(name, room, _MEASURE, text_pt) for name in data.categories),
        data.series,
        data.unit,
        data.axis_end,
        data.axis_step,
    )
    theme = paper.theme
    look = Look(theme, text_pt, _paint(theme), _ink(theme), _nothing)
    add_chart(slide, shown, below, inner, look)
    _figures(paper, slide, chart, data, below, inner, options, text_pt)


def _nothing(series: Series, index: int) -> str:
    return ""


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
            x, top, int((_MEASURE.width(text, text_pt, bold=True) + 8) * _EMU_PER_PT), height
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
    charts = [chart_of(way, quantity, options) for quantity in QUANTITIES]
    for chart in charts:
        names = (chart.start_name, *(step.name for step in chart.steps), chart.end_name)
        for name, text in zip(names, _texts(chart, options), strict=True):
            yield f"{name}: {text}"
        yield ""

"""What leads from one scenario to another, as a page with two waterfalls."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from workbench.charts.display import DisplayList
from workbench.charts.joined import below_each_other
from workbench.charts.page import SIZES, Sheet, fitted, page
from workbench.charts.parts import Style
from workbench.charts.text import ELLIPSIS, TextMeasure
from workbench.charts.waterfall import Quantity, Step, Waterfall, lane_height, waterfall
from workbench.core.waterfall import Waterfall as Way
from workbench.export.found import Found
from workbench.export.frame import chosen_scenario, sheet_for
from workbench.export.options import Options, Progress
from workbench.export.steps import QUANTITIES, chart_of
from workbench.export.subject import Subject
from workbench.spec.words.pictures import PICTURE_NOTES

CHARTS_GAP_EMS: Final = 1.2
_FEWEST_STEPS: Final = 3
_NAME_SHARE: Final = 0.42
"""Names of steps say what changes to what: on paper they may take so much of the width."""
_NAME_LINES: Final = 2
_THICKEST: Final = 1.7
"""A page with few steps has thicker bars, up to so many times what their text asks for."""
_TITLES: Final[dict[Quantity, str]] = {"requests": "concurrency", "bytes": "memory"}


def waterfall_page(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    """Draw what leads from the baseline to the scenario chosen."""
    progress(0, 2)
    scenario = chosen_scenario(subject, options)
    way = subject.way_to(scenario)
    progress(1, 2)
    found = Found(options.language).way(subject, scenario)
    sheet = sheet_for(subject, options, measure, found=found)
    fewest = min(_FEWEST_STEPS, len(way.steps))
    for most in range(len(way.steps), fewest - 1, -1):
        made = fitted(partial(_draw_ways, way, options, sheet, most), sheet)
        if made is not None:
            return page(made, sheet)
    made = _draw_ways(way, options, sheet, fewest, sheet.inner_width, 0.0, SIZES[-1])
    return page(made, sheet)


def _draw_ways(
    way: Way, options: Options, sheet: Sheet, most: int, width: float, height: float, size: float
) -> DisplayList:
    """What moves the requests that fit, and below it what moves the memory."""
    ways = [shortened(chart_of(way, quantity, options.language), most) for quantity in QUANTITIES]

    def drawn(stretch: float = 1.0) -> DisplayList:
        charts = [
            waterfall(
                chart,
                width=width,
                theme=sheet.theme,
                measure=sheet.measure,
                unit=options.unit,
                labels=options.language.labels,
                text_px=size,
                title=options.language.words(PICTURE_NOTES[_TITLES[chart.quantity]]),
                padding=0.0,
                name_share=_NAME_SHARE,
                name_lines=_NAME_LINES,
                stretch=stretch,
            )
            for chart in ways
        ]
        return below_each_other(charts, gap=size * CHARTS_GAP_EMS)

    made = drawn()
    if sheet.height is None or made.height >= height:
        return made
    lanes = sum(len(chart.steps) + 2 for chart in ways)
    thin = lane_height(Style(sheet.theme, sheet.measure, "auto", size)) * lanes
    # Less a pixel a lane: each is a whole number of them.
    spare = height - made.height - lanes
    return drawn(max(1.0, min(_THICKEST, 1 + spare / thin)))


def shortened(chart: Waterfall, most: int) -> Waterfall:
    """Keep the steps that move most; one more at the end takes in all others, so the sum holds."""
    if len(chart.steps) <= most:
        return chart
    ranked = sorted(range(len(chart.steps)), key=lambda at: -abs(chart.steps[at].delta))
    kept = sorted(ranked[: most - 1])
    rest = [step.delta for at, step in enumerate(chart.steps) if at not in set(kept)]
    joined = Step(f"{ELLIPSIS} (+{len(rest)})", sum(rest))
    return replace(chart, steps=(*(chart.steps[at] for at in kept), joined))

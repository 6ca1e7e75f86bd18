"""A plan's pictures as pages: bars, comparison, waterfall, heat map; and all of them as a deck."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from workbench.charts.clearing import cleared
from workbench.charts.display import DisplayList
from workbench.charts.heatmap import Names, heat_map
from workbench.charts.page import fitted, outdented, page
from workbench.charts.text import TextMeasure
from workbench.export.bars_page import bars_page
from workbench.export.compared import compare_page
from workbench.export.found import Found
from workbench.export.frame import (
    chosen_scenario,
    counted,
    footnote_of,
    sentence_page,
    sheet_for,
    theme_for,
    title_of,
)
from workbench.export.heat import MOST_MARKS, has_map, map_marks, surface_of
from workbench.export.options import Options, Progress, silent
from workbench.export.subject import Subject
from workbench.export.ways import waterfall_page
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.words.pictures import PICTURE_NOTES

__all__ = [
    "MOST_WATERFALLS",
    "chosen_scenario",
    "deck_pictures",
    "footnote_of",
    "nothing_to_show",
    "picture",
    "sheet_for",
    "theme_for",
    "title_of",
]

MOST_WATERFALLS: Final = 6
"""In a deck; more changes than these nobody looks through."""
_MAP_SHARE: Final = 0.5
"""Height of a map by its width, where the page does not set it."""
_LARGEST_MAP_PX: Final = 15.0
_ABOVE_EMS: Final = 0.5
_BELOW_EMS: Final = 0.6
"""What is cut off the margins that `heat_map` leaves above and below."""


def nothing_to_show(subject: Subject, options: Options) -> str:
    """Return the code in `PICTURE_NOTES` of why a picture is a sentence; empty for a picture."""
    other, base = chosen_scenario(subject, options), subject.plan.scenarios[subject.baseline]
    if options.what == "heatmap":
        return "" if has_map(other) else "no_map"
    if options.what not in ("compare", "waterfall"):
        return ""
    if len(subject.plan.scenarios) < 2:
        return "one_scenario"
    if options.what == "compare":
        return ""
    if other is base:
        return "baseline_itself"
    return "" if subject.way_to(other).steps else "same_answer"


def picture(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress = silent
) -> DisplayList:
    """Return a page with the picture that was asked for; raises `UserError` without a scenario."""
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    missing = nothing_to_show(subject, options)
    if missing:
        return sentence_page(subject, options, measure, missing)
    makers = {"compare": compare_page, "waterfall": waterfall_page, "heatmap": _heat_map}
    made = makers.get(options.what, bars_page)(subject, options, measure, progress)
    return cleared(made) if options.look == "transparent" else made


def deck_pictures(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress = silent
) -> tuple[DisplayList, ...]:
    """Return a page a picture: bars, comparison, what leads to each other scenario, a map."""
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    base = subject.plan.scenarios[subject.baseline]
    others = [scenario for scenario in subject.plan.scenarios if scenario is not base]
    # A title that was typed is that of the first page; the others say what they show.
    later = replace(options, title=None)
    asked = [replace(options, what="bars")]
    if others:
        asked.append(replace(later, what="compare"))
        asked += [
            replace(later, what="waterfall", scenario=one.id) for one in others[:MOST_WATERFALLS]
        ]
    asked.append(replace(later, what="heatmap", scenario=base.id))
    pages: list[DisplayList] = []

    def inner(done: int, total: int) -> None:
        # A long page can be cancelled too; what is done is counted in pages.
        progress(len(pages), len(asked))

    for one in asked:
        progress(len(pages), len(asked))
        pages.append(picture(subject, one, measure, inner))
    progress(len(asked), len(asked))
    return tuple(pages)


def _heat_map(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    base = chosen_scenario(subject, options)
    surface = surface_of(subject, base, lambda: progress(0, 1))
    assert surface is not None  # `nothing_to_show` has looked
    marks = map_marks(subject, base, surface)
    found = Found(options.language).up_to(base, subject.ledger_of(base))
    looked_at = min(MOST_MARKS, len(subject.plan.scenarios))
    notes = (
        counted("unlike", looked_at - len(marks), options),
        counted("more", len(subject.plan.scenarios) - looked_at, options),
    )
    sheet = sheet_for(subject, options, measure, *notes, found=found)
    say = options.language.words
    names = Names(
        say(words.FIELDS[surface.x.field]),
        say(words.FIELDS[surface.y.field]),
        say(PICTURE_NOTES["share"]),
    )

    def draw(width: float, height: float, size: float) -> DisplayList:
        if sheet.height is None:
            height = width * _MAP_SHARE
        size = min(size, _LARGEST_MAP_PX)
        made = heat_map(
            surface,
            names=names,
            width=width + 2 * size,
            height=height + size * (_ABOVE_EMS + _BELOW_EMS),
            theme=sheet.theme,
            measure=measure,
            marks=marks,
            labels=options.language.labels,
            unit=options.unit,
            text_px=size,
        )
        return outdented(made, size, size * _ABOVE_EMS, size * _BELOW_EMS)

    made = fitted(draw, sheet)
    return page(made or draw(sheet.inner_width, sheet.inner_height or 0.0, 10.0), sheet)

"""A plan's pictures as pages: bars, comparison, waterfall, heat map; and all of them as a deck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from workbench import __version__
from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList, Rect
from workbench.charts.heatmap import Names, heat_map
from workbench.charts.joined import below_each_other
from workbench.charts.page import SIZES, Sheet, fitted, page, sentence_picture
from workbench.charts.palette import DARK, GREY, LIGHT, Theme
from workbench.charts.rows import Row
from workbench.charts.table_list import Field, Lane, table_list
from workbench.charts.text import TextMeasure
from workbench.charts.waterfall import Quantity, Step, Waterfall, waterfall
from workbench.core.waterfall import Waterfall as Way
from workbench.export.answer_rows import answer_rows
from workbench.export.heat import marks_of, surface_of
from workbench.export.options import Options, Progress, What, silent
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Row as TableRow
from workbench.export.tables import inputs_table, memory_table
from workbench.export.wording import step_name
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Evidence
from workbench.spec.scenario import Scenario
from workbench.spec.words.pictures import PICTURE_NOTES, PICTURE_TITLES
from workbench.spec.words.tables import TABLE_TITLES

MOST_WATERFALLS: Final = 6
"""In a deck; more changes than these nobody looks through."""
_SIZES: Final = {"16:9": (1280.0, 720.0), "4:3": (960.0, 720.0), "free": (1280.0, None)}
_NAME_CHARACTERS: Final = 120
_MOST_COLUMNS: Final = 12
_CHARTS_GAP_EMS: Final = 1.2
_SMALLEST_TABLE_PX: Final = 9.0
_SHORT: Final = ("verdict", "largest_concurrency", "largest_context")
"""The answers that a comparison begins with, as `answer_rows` calls them."""


# --- how a page looks and what stands around its picture ----------------------------------------


def theme_for(options: Options) -> Theme:
    """Return the colours of a look."""
    themes = {"dark": DARK, "grey": GREY}
    return themes.get(options.look, LIGHT)


def title_of(subject: Subject, options: Options) -> str:
    """Return the title of a picture: the one that was typed, else what it shows of which plan."""
    if options.title is not None:
        return safe_line(options.title, 400)
    say = options.language.words
    shown = words.fill(say(PICTURE_TITLES[_titled(options.what)]), _title_words(subject, options))
    name = safe_line(subject.plan.title, _NAME_CHARACTERS)
    if not name:
        return shown
    return words.fill(say(PICTURE_TITLES["titled"]), {"title": name, "subject": shown})


def _titled(what: What) -> str:
    return what if what in PICTURE_TITLES else "bars"


def _title_words(subject: Subject, options: Options) -> dict[str, object]:
    base = subject.plan.scenarios[subject.baseline]
    other = chosen_scenario(subject, options)
    say = options.language.words
    name = base if options.what == "compare" else other
    return {
        "name": safe_line(name.name, _NAME_CHARACTERS),
        "before": safe_line(base.name, _NAME_CHARACTERS),
        "after": safe_line(other.name, _NAME_CHARACTERS),
        "x": say(words.FIELDS["workload.context"]),
        "y": say(words.FIELDS["workload.concurrency"]),
    }


def chosen_scenario(subject: Subject, options: Options) -> Scenario:
    """Return the scenario that a waterfall leads to or a map varies."""
    scenarios = subject.plan.scenarios
    if not scenarios:
        raise UserError("nothing_to_export")
    for scenario in scenarios:
        if scenario.id == options.scenario:
            return scenario
    base = scenarios[subject.baseline]
    if options.what == "heatmap":
        return base
    return next((scenario for scenario in scenarios if scenario is not base), base)


def footnote_of(subject: Subject, options: Options) -> str:
    """Return what stands below: date, file, engines, how many figures are not exact."""
    if not options.footnote:
        return ""
    say = options.language.words
    engines = {
        safe_line(f"{ledger.scenario.engine} {ledger.scenario.release}".strip(), 80): None
        for ledger in subject.ledgers
    }
    notes = [options.date]
    if subject.file_name:
        notes.append(
            words.fill(say(PICTURE_NOTES["file"]), {"name": safe_line(subject.file_name, 120)})
        )
    notes += [
        words.fill(say(PICTURE_NOTES["engines"]), {"names": ", ".join(engines)}),
        words.fill(say(PICTURE_NOTES["assumed"]), {"count": assumed_count(subject)}),
        words.fill(say(PICTURE_NOTES["program"]), {"version": __version__}),
    ]
    return " · ".join(safe_line(note) for note in notes if note)


def assumed_count(subject: Subject) -> int:
    """Return how many kinds of figure rest on a rule of thumb or a fit."""
    rows = subject.quick_comparison.assumptions
    return sum(row.evidence in (Evidence.ASSUMED, Evidence.FITTED) for row in rows)


def sheet_for(subject: Subject, options: Options, measure: TextMeasure, *notes: str) -> Sheet:
    """Return the paper of a picture; `notes` join its footnote."""
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    width, height = _SIZES[options.ratio]
    below = " · ".join(note for note in (*notes, footnote_of(subject, options)) if note)
    return Sheet(width, height, theme_for(options), measure, title_of(subject, options), below)


# --- pictures -----------------------------------------------------------------------------------


def picture(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress = silent
) -> DisplayList:
    """Return a page with the picture that was asked for; raises `UserError` without a scenario."""
    makers = {"compare": _compare, "waterfall": _waterfall, "heatmap": _heat_map}
    made = makers.get(options.what, _bars)(subject, options, measure, progress)
    return _cleared(made) if options.look == "transparent" else made


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
    pages = []
    for number, one in enumerate(asked):
        progress(number, len(asked))
        pages.append(picture(subject, one, measure))
    progress(len(asked), len(asked))
    return tuple(pages)


def _bars(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    made, left_out = _most_rows(subject.rows, subject, options, measure)
    sheet = sheet_for(subject, options, measure, _left_out(left_out, options))
    return page(made, sheet)


def _left_out(count: int, options: Options) -> str:
    if not count:
        return ""
    return words.fill(options.language.words(PICTURE_NOTES["more"]), {"count": count})


def _most_rows(
    rows: Sequence[Row], subject: Subject, options: Options, measure: TextMeasure
) -> tuple[DisplayList, int]:
    """Draw as many bars as a page holds; return how many do not fit."""
    low, high = 1, len(rows)
    found = None
    count = high
    while low <= high:
        note = _left_out(len(rows) - count, options)
        sheet = sheet_for(subject, options, measure, note)
        drawn = fitted(partial(_draw_bars, rows[:count], options, sheet), sheet)
        if drawn is not None:
            found, low = (drawn, len(rows) - count), count + 1
        else:
            high = count - 1
        count = (low + high + 1) // 2
    if found is None:
        sheet = sheet_for(subject, options, measure)
        found = _draw_bars(rows[:1], options, sheet, sheet.inner_width, 0.0, 10.0), len(rows) - 1
    return found


def _draw_bars(
    rows: Sequence[Row], options: Options, sheet: Sheet, width: float, height: float, size: float
) -> DisplayList:
    return stacked_bars(
        rows,
        width=width,
        theme=sheet.theme,
        measure=sheet.measure,
        unit=options.unit,
        labels=options.language.labels,
        text_px=size,
        padding=0.0,
    )


def _compare(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    scenarios = subject.plan.scenarios
    if len(scenarios) < 2:
        return _sentence(subject, options, measure, "one_scenario")
    others = [scenario for scenario in scenarios if scenario.id != subject.plan.baseline]
    most = min(len(others), _MOST_COLUMNS - 1)
    # Rather fewer inputs than fewer scenarios; rather one scenario more than every input.
    for count in range(most, 0, -1):
        shown = _first(subject, others[:count])
        inputs = len(_input_rows(shown, options))
        for rows in sorted({inputs, inputs * 2 // 3, inputs // 3, 0}, reverse=True):
            notes = _left_out(len(others) - count, options), _unsaid(inputs - rows, options)
            sheet = sheet_for(subject, options, measure, *notes)
            draw = partial(_draw_comparison, shown, options, sheet, rows)
            made = fitted(draw, sheet)
            if made is not None:
                return page(made, sheet)
    return page(draw(sheet.inner_width, 0.0, SIZES[-1]), sheet)


def _unsaid(count: int, options: Options) -> str:
    if not count:
        return ""
    return words.fill(options.language.words(PICTURE_NOTES["inputs"]), {"count": count})


def _first(subject: Subject, others: Sequence[Scenario]) -> Subject:
    """Return the baseline and some others, in the order of the plan."""
    kept = {scenario.id for scenario in others} | {subject.plan.scenarios[subject.baseline].id}
    ids = [scenario.id for scenario in subject.plan.scenarios]
    if kept == set(ids):
        return subject
    return subject.only([one for one in ids if one in kept])


def _draw_comparison(
    subject: Subject,
    options: Options,
    sheet: Sheet,
    inputs: int,
    width: float,
    height: float,
    size: float,
) -> DisplayList:
    """Bars on one axis, below them answers, memory and the first of the inputs that differ."""
    bars = _draw_bars(subject.rows, options, sheet, width, height, size)
    memory = memory_table(subject, options)
    lanes = _lanes(row for code, row in answer_rows(subject, options) if code in _SHORT)
    lanes += [Lane((Field(memory.title),)), *_lanes(memory.rows)]
    if inputs:
        lanes.append(Lane((Field(options.language.words(TABLE_TITLES["inputs"])),)))
        lanes += _lanes(_input_rows(subject, options)[:inputs])
    below = table_list(
        ("", *memory.columns[1:]),
        lanes,
        width=width,
        theme=sheet.theme,
        measure=sheet.measure,
        text_px=max(_SMALLEST_TABLE_PX, size * 0.86),
    )
    return below_each_other((bars, below), gap=size * _CHARTS_GAP_EMS)


def _input_rows(subject: Subject, options: Options) -> list[TableRow]:
    """The inputs that differ, without the headings between them."""
    rows = inputs_table(subject, options, only_differences=True).rows
    return [row for row in rows if not row.is_heading]


def _lanes(rows: Iterable[TableRow]) -> list[Lane]:
    """Return rows of a table as lines to draw."""
    return [
        Lane(
            tuple(Field(cell.text, cell.look, at > 0) for at, cell in enumerate(row.cells)),
            row.part,
        )
        for row in rows
    ]


def _waterfall(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    other = chosen_scenario(subject, options)
    if other is subject.plan.scenarios[subject.baseline]:
        return _sentence(subject, options, measure, "one_scenario")
    progress(0, 2)
    way = subject.way_to(other)
    progress(1, 2)
    sheet = sheet_for(subject, options, measure)
    if not way.steps:
        return _sentence(subject, options, measure, "same_answer")
    draw = partial(_draw_ways, way, options, sheet)
    made = fitted(draw, sheet)
    return page(made or draw(sheet.inner_width, 0.0, 9.0), sheet)


def _draw_ways(
    way: Way, options: Options, sheet: Sheet, width: float, height: float, size: float
) -> DisplayList:
    """What moves the requests that fit, and below it what moves the memory."""
    charts = [
        waterfall(
            chart_of(way, quantity, options),
            width=width,
            theme=sheet.theme,
            measure=sheet.measure,
            unit=options.unit,
            labels=options.language.labels,
            text_px=size,
            title=options.language.words(PICTURE_NOTES[title]),
            padding=0.0,
        )
        for quantity, title in _WAYS
    ]
    return below_each_other(charts, gap=size * _CHARTS_GAP_EMS)


_WAYS: Final[tuple[tuple[Quantity, str], ...]] = (("requests", "concurrency"), ("bytes", "memory"))


def chart_of(way: Way, quantity: Quantity, options: Options) -> Waterfall:
    """Return the chart of what moves one figure on the way between two scenarios."""
    steps = tuple(
        Step(
            safe_line(step_name(step, options.language), 200),
            step.concurrency_delta if quantity == "requests" else step.used_delta_bytes,
        )
        for step in way.steps
    )
    start = way.start.concurrency if quantity == "requests" else way.start.used_bytes
    return Waterfall(
        scenario=way.end.scenario.id,
        start_name=safe_line(way.start.scenario.name, 200),
        start=start,
        steps=steps,
        end_name=safe_line(way.end.scenario.name, 200),
        quantity=quantity,
    )


def _heat_map(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> DisplayList:
    base = chosen_scenario(subject, options)
    surface = surface_of(subject, base, lambda: progress(0, 1))
    if surface is None:
        return _sentence(subject, options, measure, "no_map")
    sheet = sheet_for(subject, options, measure)
    say = options.language.words
    names = Names(say(words.FIELDS[surface.x.field]), say(words.FIELDS[surface.y.field]))
    height = sheet.inner_height or sheet.inner_width * 0.5
    for size in (18.0, 16.0, 14.0, 12.0, 10.0):
        made = heat_map(
            surface,
            names=names,
            width=sheet.inner_width,
            height=height,
            theme=sheet.theme,
            measure=measure,
            marks=marks_of(subject, base, surface),
            labels=options.language.labels,
            unit=options.unit,
            text_px=size,
        )
        if made.height <= height and made.width <= sheet.inner_width:
            break
    return page(made, sheet)


def _sentence(subject: Subject, options: Options, measure: TextMeasure, code: str) -> DisplayList:
    sheet = sheet_for(subject, options, measure)
    return page(sentence_picture(options.language.words(PICTURE_NOTES[code]), sheet), sheet)


def _cleared(made: DisplayList) -> DisplayList:
    """Return a picture whose empty areas let what lies behind them through."""
    items = tuple(
        replace(item, fill=None)
        if isinstance(item, Rect) and item.fill == made.background and item.stroke
        else item
        for item in made.items
    )
    return replace(made, items=items)

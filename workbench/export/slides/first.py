"""The first slide: the answer in a few sentences, and every scenario with its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.charts.labels import filled
from workbench.charts.page import wrapped
from workbench.charts.rows import STAR, chart_unit, result_template
from workbench.charts.rows import Row as Bar
from workbench.charts.scale import sized_fixed
from workbench.export.cells import MISSING, number_cell
from workbench.export.found import Found, cards_text, marked_verdict
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.slides.grid import (
    BROKEN_PT,
    Grid,
    fitted,
    in_one_piece,
    laid_out,
    limited,
    rows_within,
)
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import Place
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.units import ByteUnit
from workbench.spec.words.slides import SLIDE_WORDS
from workbench.spec.words.tables import TABLE_COLUMNS, TABLE_HEADINGS, TABLE_ROWS

_SENTENCE_PT: Final = 20.0
_LINE_EMS: Final = 1.25
_CALM_LINES: Final = 3
_GAP_PT: Final = 12.0
_CALM: Final = ("scenario", "setup", "tokens", "held", "most", "answer")
"""What the table tells of a few scenarios, in large type and lines below each other."""
_DENSE: Final = (
    ("scenario", "model", "gpu", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "most", "left", "verdict"),
    ("scenario", "verdict"),
)
"""Of many, a line each; what it does with less room."""
_MEASURE: Final = SlideMeasure()


def title_slide(paper: Paper, subject: Subject, options: Options, title: str) -> None:
    """Add the slide; what its table has no room for is counted in it, and in the notes."""
    found = Found(options.language)
    answered = subject.answered
    verdicts = [found.verdict(*one) for one in answered]
    notes = [subject.plan.notes] if subject.plan.notes else []
    slide = paper.slide(title, [*verdicts, *notes])
    said = [found.fitting(answered)]
    if len(answered) > 1:
        said.append(f"{STAR} {verdicts[subject.baseline]}")
    area = paper.frame.area
    top = area.y
    for number, text in enumerate(said):
        bold = not number
        room = area.width / EMU_PER_PT - 2
        lines = wrapped(text, room, _MEASURE, _SENTENCE_PT, 3, bold=bold)
        height = int(len(lines) * _SENTENCE_PT * _LINE_EMS * EMU_PER_PT)
        box = Place(area.x, top, area.width, height)
        paper.text(slide, box, lines, _SENTENCE_PT, bold=bold).name = "TextBox answer"
        top += height + int(_GAP_PT * EMU_PER_PT) // 2
    top += int(_GAP_PT * EMU_PER_PT) // 2
    below = Place(area.x, top, area.width, area.y + area.height - top)
    paper.table(slide, _summary(subject, options, below), below)


def summary_table(subject: Subject, options: Options, codes: Sequence[str]) -> Table:
    """Return each scenario with what it is made of, what it holds, what is left, its verdict."""
    say = options.language.words
    heads = {
        "scenario": TABLE_COLUMNS["scenario"],
        **{code: TABLE_HEADINGS[code] for code in ("model", "gpu")},
        **{code: SLIDE_WORDS[code] for code in ("tokens", "held", "most", "left")},
        **dict.fromkeys(("verdict", "answer"), TABLE_ROWS["verdict"]),
    }
    names = {code: say(name) for code, name in heads.items()}
    names["setup"] = f"{names['model']} · {names['gpu']}"
    unit = chart_unit(subject.rows, options.unit)
    rows = []
    for bar, (scenario, ledger) in zip(subject.rows, subject.answered, strict=True):
        made = _cells(bar, scenario, ledger, options, unit)
        rows.append(Row(tuple(made[code] for code in codes)))
    return Table("summary", "", tuple(names[code] for code in codes), tuple(rows))


def _cells(
    bar: Bar, scenario: Scenario, ledger: Ledger, options: Options, unit: ByteUnit
) -> dict[str, Cell]:
    star = f"{STAR} " if bar.is_baseline else ""
    tokens = None if ledger.request is None else ledger.request.tokens
    code, size = result_template(bar)
    left = filled(options.language.labels(code), size=sized_fixed(size, unit))
    verdict = marked_verdict(ledger, options.language)
    model, gpu = safe_line(scenario.model.name, 80), cards_text(scenario, options.language)
    return {
        "scenario": Cell(star + safe_line(scenario.name, 80), look="strong"),
        "model": Cell(model),
        "gpu": Cell(gpu),
        "setup": Cell(f"{model} · {gpu}"),
        "tokens": MISSING if tokens is None else number_cell(tokens, "tokens"),
        "held": number_cell(ledger.concurrency * ledger.scenario.replicas),
        "most": number_cell(ledger.most_requests, look="strong"),
        "left": Cell(left, size, "bytes"),
        "verdict": verdict,
        "answer": Cell(f"{verdict.text} · {left}", look=verdict.look),
    }


def _summary(subject: Subject, options: Options, place: Place) -> Grid:
    """Lay out a few scenarios in large type, of more a line each, as many as have room."""
    calm = fitted(summary_table(subject, options, _CALM), place, most_lines=_CALM_LINES)
    if in_one_piece(calm, place) and calm.size_pt >= BROKEN_PT:
        return calm
    for codes in _DENSE:
        made = fitted(summary_table(subject, options, codes), place, most_lines=1)
        if in_one_piece(made, place):
            return made
        made = laid_out(made.table, place.width / EMU_PER_PT, BROKEN_PT, 1)
        if not made.cut:
            break
    table = limited(made.table, rows_within(made, place))
    return laid_out(table, place.width / EMU_PER_PT, BROKEN_PT, 1)

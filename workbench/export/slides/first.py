"""The first slide: the answer in a few sentences, and every scenario with its figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from workbench.charts.labels import filled
from workbench.charts.page import wrapped
from workbench.charts.rows import STAR, cards_of, result_template
from workbench.charts.rows import Row as Bar
from workbench.charts.text import FixedMeasure
from workbench.export.cells import MISSING, number_cell
from workbench.export.options import Options
from workbench.export.safe_text import safe_line
from workbench.export.slides.found import Found, verdict_cell
from workbench.export.slides.grid import Grid, fitted, in_one_piece, laid_out, limited, rows_within
from workbench.export.slides.native import Place
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.spec import units
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_WORDS
from workbench.spec.words.tables import TABLE_COLUMNS, TABLE_HEADINGS, TABLE_ROWS

_SENTENCE_PT: Final = 20.0
_LINE_EMS: Final = 1.25
_GAP_PT: Final = 12.0
_CALM_PT: Final = 14.0
"""A column is rather left out than the text made smaller."""
_COLUMNS: Final = (
    ("scenario", "model", "gpu", "engine", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "model", "gpu", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "gpu", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "tokens", "held", "most", "left", "verdict"),
    ("scenario", "most", "left", "verdict"),
)
"""What the table tells, and what it does with less room."""
_MEASURE: Final = FixedMeasure()
_EMU_PER_PT: Final = 12_700


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
    area = paper.area
    lines = [
        line
        for text in said
        for line in wrapped(text, area.width / _EMU_PER_PT - 2, _MEASURE, _SENTENCE_PT, 2)
    ]
    height = int(len(lines) * _SENTENCE_PT * _LINE_EMS * _EMU_PER_PT)
    box = Place(area.x, area.y, area.width, height)
    paper.text(slide, box, lines, _SENTENCE_PT).name = "TextBox answer"
    top = area.y + height + int(_GAP_PT * _EMU_PER_PT)
    below = Place(area.x, top, area.width, area.y + area.height - top)
    paper.table(slide, _summary(summary_table(subject, options), below), below)


def summary_table(subject: Subject, options: Options) -> Table:
    """Return each scenario with what it is made of, what it holds, what is left, its verdict."""
    say = options.language.words
    names = {
        "scenario": TABLE_COLUMNS["scenario"],
        **{code: TABLE_HEADINGS[code] for code in ("model", "gpu", "engine")},
        **{code: SLIDE_WORDS[code] for code in ("tokens", "held", "most", "left")},
        "verdict": TABLE_ROWS["verdict"],
    }
    rows = []
    for bar, (scenario, ledger) in zip(subject.rows, subject.answered, strict=True):
        made = _cells(bar, scenario, ledger, options)
        rows.append(Row(tuple(made[code] for code in _COLUMNS[0])))
    columns = tuple(say(names[code]) for code in _COLUMNS[0])
    return Table("summary", "", columns, tuple(rows))


def _cells(bar: Bar, scenario: Scenario, ledger: Ledger, options: Options) -> dict[str, Cell]:
    star = f"{STAR} " if bar.is_baseline else ""
    engine = f"{ledger.scenario.engine} {ledger.scenario.release}".strip()
    tokens = None if ledger.request is None else ledger.request.tokens
    code, size = result_template(bar)
    left = filled(options.language.labels(code), size=units.show_bytes(size, options.unit))
    verdict = verdict_cell(bar, options.language)
    return {
        "scenario": Cell(star + safe_line(scenario.name, 80), look="strong"),
        "model": Cell(safe_line(scenario.model.name, 80)),
        "gpu": Cell(safe_line(cards_of(scenario), 80)),
        "engine": Cell(safe_line(engine, 80)),
        "tokens": MISSING if tokens is None else number_cell(tokens, "tokens"),
        "held": number_cell(ledger.concurrency * ledger.scenario.replicas),
        "most": number_cell(ledger.most_requests, look="strong"),
        "left": Cell(left, size, "bytes"),
        "verdict": verdict,
    }


def _summary(whole: Table, place: Place) -> Grid:
    """Lay out as many columns as a readable size has room for, and as many rows."""
    best: Grid | None = None
    for codes in _COLUMNS:
        kept = [_COLUMNS[0].index(code) for code in codes]
        table = replace(
            whole,
            columns=tuple(whole.columns[at] for at in kept),
            rows=tuple(Row(tuple(row.cells[at] for at in kept)) for row in whole.rows),
        )
        made = fitted(table, place)
        if not in_one_piece(made, place):
            made = _first_rows(made, place)
        if best is None or (made.cut, -made.size_pt) < (best.cut, -best.size_pt):
            best = made
        if best.size_pt >= _CALM_PT and not best.cut:
            break
    assert best is not None
    return best


def _first_rows(grid: Grid, place: Place) -> Grid:
    """Keep as many rows as there is room for, and a last one that counts the others."""
    room = rows_within(grid, place)
    table = limited(grid.table, room)
    return laid_out(table, place.width / _EMU_PER_PT, grid.size_pt, grid.most_lines)

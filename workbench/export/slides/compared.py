"""Slides that compare: bars side by side over a table of differences; inputs; presets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final

from pptx.util import Inches, Pt

from workbench.core.compare_presets import compare_presets
from workbench.export.answer_rows import answer_rows
from workbench.export.options import Options
from workbench.export.preset_words import path_text, preset_value
from workbench.export.safe_text import safe_line
from workbench.export.slides.bars import add_bars, figure_notes
from workbench.export.slides.grid import least_height, rows_that_fit, table_pages, table_size
from workbench.export.slides.native import Place
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import inputs_table, memory_table, rows_of_budget
from workbench.spec import words
from workbench.spec.words.slides import SLIDE_TITLES, SLIDE_WORDS

MOST_COLUMNS: Final = 5
"""Scenarios beside the baseline on one slide."""
_MOST_SLIDES: Final = 4
"""Of a comparison; with more scenarios a table of all of them is what a workbook is for."""
_MOST_NARROW: Final = 3
_WIDE: Final = int(Inches(9.5))
"""Of the room for a table of that many columns."""
_MOST_PRESETS: Final = 4
_MOST_PAGES: Final = 4
"""Of a comparison of presets."""
_SHORT: Final = ("verdict", "largest_concurrency", "largest_context")
_GROUPS: Final = ("facts",)

Part = Callable[[], None]


def compare_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes a slide for every few scenarios compared with the baseline."""
    say = options.language.words
    base = subject.plan.scenarios[subject.baseline]
    others = [one.id for one in subject.plan.scenarios if one.id != base.id]
    columns = MOST_COLUMNS if paper.area.width >= _WIDE else _MOST_NARROW
    chunks = [others[at : at + columns] for at in range(0, len(others), columns)]
    left_out = sum(map(len, chunks[_MOST_SLIDES:]))
    name = {"name": safe_line(base.name, 60)}
    compared, inputs = (
        titles(words.fill(say(SLIDE_TITLES[code]), name), options) for code in ("compare", "inputs")
    )
    for chunk in chunks[:_MOST_SLIDES]:
        wanted = {base.id, *chunk}
        shown = subject.only([one.id for one in subject.plan.scenarios if one.id in wanted])
        notes = []
        if left_out and chunk is chunks[_MOST_SLIDES - 1]:
            notes = [words.fill(say(SLIDE_WORDS["left_out"]), {"count": left_out})]
        yield partial(_compare_slide, paper, shown, options, compared, notes)
        yield partial(_input_slides, paper, shown, options, inputs)


def _compare_slide(
    paper: Paper,
    shown: Subject,
    options: Options,
    numbered_titles: Iterator[str],
    notes: Sequence[str],
) -> None:
    noted = [*notes, *figure_notes(shown.answered, options)]
    slide = paper.slide(next(numbered_titles), noted)
    area = paper.area
    table = _short_table(shown, options)
    gap = int(Pt(8))
    # The chart gives way, within reason, to a table that would not stay in one piece.
    left = 1 - (least_height(table) + gap) / area.height
    high = min(0.48, 0.24 + 0.045 * len(shown.plan.scenarios), max(0.3, left))
    chart = Place(area.x, area.y, area.width, int(area.height * high))
    add_bars(paper, slide, shown.rows, chart, options)
    below = Place(
        area.x, chart.y + chart.height + gap, area.width, area.height - chart.height - gap
    )
    size = table_size(table, below)
    first, *more = table_pages(table, below, size)
    paper.table(slide, first, below, size)
    for page in more:
        paper.table(paper.slide(next(numbered_titles), noted), page, area, size)


def _short_table(subject: Subject, options: Options) -> Table:
    """Answers and memory with the differences to the baseline."""
    memory = memory_table(subject, options)
    rows = [row for code, row in answer_rows(subject, options) if code in _SHORT]
    return Table("compare", "", ("", *memory.columns[1:]), (*rows, *rows_of_budget(memory)))


def _input_slides(
    paper: Paper, shown: Subject, options: Options, numbered_titles: Iterator[str]
) -> None:
    table = inputs_table(shown, options, only_differences=True)
    if table.rows:
        paper.table_slides(table, table_size(table, paper.area), numbered_titles)


# Presets


def preset_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes a slide for the models and one for the cards, where they differ."""
    for code, attribute in (("models", "model"), ("gpus", "gpu")):
        presets: list[Any] = []
        base = subject.plan.scenarios[subject.baseline]
        for scenario in (base, *subject.plan.scenarios):
            preset = getattr(scenario, attribute)
            if preset not in presets:
                presets.append(preset)
        if len(presets) > 1:
            yield partial(_preset_slide, paper, code, presets[:_MOST_PRESETS], options)


def _preset_slide(paper: Paper, code: str, presets: Sequence[Any], options: Options) -> None:
    table = preset_table(presets, options)
    if not table.rows:
        return
    size = table_size(table, paper.area)
    most = _MOST_PAGES * rows_that_fit(paper.area, size) - 1
    if len(table.rows) > most:
        rest = Row((Cell(f"… (+{len(table.rows) - most})", look="muted"),))
        table = replace(table, rows=(*table.rows[:most], rest))
    named = [safe_line(preset.name) for preset in presets]
    title = options.language.words(SLIDE_TITLES[code])
    paper.table_slides(table, size, titles(title, options), named)


def preset_table(presets: Sequence[Any], options: Options) -> Table:
    """List the fields in which presets differ, those that say who they are left out."""
    say = options.language.words
    rows = []
    for row in compare_presets(presets):
        if row.group not in _GROUPS or not row.differs:
            continue
        cells = [
            Cell(
                preset_value(row.path, cell.value, say) if cell.applies else "–",
                look="strong" if cell.differs else "plain",
            )
            for cell in row.cells
        ]
        rows.append(Row((Cell(path_text(row.path, say)), *cells)))
    names = (safe_line(preset.name, 80) for preset in presets)
    return Table("presets", "", (say(SLIDE_WORDS["field"]), *names), tuple(rows))


def titles(title: str, options: Options) -> Iterator[str]:
    """Return the titles of a slide and of those that go on with it."""
    yield title
    template = options.language.words(SLIDE_TITLES["page"])
    for number in count(2):
        yield words.fill(template, {"title": title, "number": number})

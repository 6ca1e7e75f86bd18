"""Slides that compare: bars side by side over a table of differences; inputs; presets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from pptx.util import Pt

from workbench.core.compare import OUTSIDE
from workbench.core.compare_presets import compare_presets
from workbench.export.answer_rows import answer_rows
from workbench.export.options import Options
from workbench.export.preset_words import path_text, preset_value
from workbench.export.safe_text import safe_line
from workbench.export.slides.bars import add_bars
from workbench.export.slides.native import Place
from workbench.export.slides.paper import Paper, table_size
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import inputs_table, memory_table
from workbench.spec import words
from workbench.spec.words.slides import SLIDE_TITLES, SLIDE_WORDS

MOST_COLUMNS: Final = 5
"""Scenarios beside the baseline on one slide."""
_MOST_SLIDES: Final = 4
"""Of a comparison; with more scenarios a table of all of them is what a workbook is for."""
_MOST_PRESETS: Final = 4
_SHORT: Final = ("verdict", "largest_concurrency", "largest_context")
_GROUPS: Final = ("facts",)

Part = Callable[[], None]


def compare_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes a slide for every five scenarios compared with the baseline."""
    base = subject.plan.scenarios[subject.baseline]
    others = [one.id for one in subject.plan.scenarios if one.id != base.id]
    chunks = [others[at : at + MOST_COLUMNS] for at in range(0, len(others), MOST_COLUMNS)]
    left_out = sum(map(len, chunks[_MOST_SLIDES:]))
    for number, chunk in enumerate(chunks[:_MOST_SLIDES], 1):
        last = number == min(len(chunks), _MOST_SLIDES)
        yield partial(
            _compare_slide, paper, subject, chunk, options, number, left_out if last else 0
        )


def _compare_slide(
    paper: Paper,
    subject: Subject,
    others: Sequence[str],
    options: Options,
    number: int,
    left_out: int,
) -> None:
    base = subject.plan.scenarios[subject.baseline]
    wanted = {base.id, *others}
    shown = subject.only([one.id for one in subject.plan.scenarios if one.id in wanted])
    say = options.language.words
    name = {"name": safe_line(base.name, 60)}
    title = numbered(words.fill(say(SLIDE_TITLES["compare"]), name), number, options)
    notes = [words.fill(say(SLIDE_WORDS["left_out"]), {"count": left_out})] if left_out else []
    slide = paper.slide(title, notes)
    area = paper.area
    table = _short_table(shown, options)
    high = min(0.46, 0.2 + 0.045 * len(shown.plan.scenarios))
    chart = Place(area.x, area.y, area.width, int(area.height * high))
    add_bars(paper, slide, shown.rows, chart, options)
    gap = int(Pt(8))
    below = Place(
        area.x, chart.y + chart.height + gap, area.width, area.height - chart.height - gap
    )
    size = table_size(table, below)
    pages = paper.table_pages(table, below, size)
    paper.table(slide, pages[0], below, size)
    for following, more in enumerate(pages[1:], 2):
        paper.table(paper.slide(numbered(title, following, options)), more, area, size)
    _input_slides(paper, shown, options, number)


def _short_table(subject: Subject, options: Options) -> Table:
    """Answers and memory with the differences to the baseline."""
    memory = memory_table(subject, options)
    rows = [row for code, row in answer_rows(subject, options) if code in _SHORT]
    # What lies beside the budget is in the bars and in the workbook; it moves no verdict.
    kept = [row for row in memory.rows if not row.part.startswith((OUTSIDE, "unrequested"))]
    return Table("compare", "", ("", *memory.columns[1:]), (*rows, *kept))


def _input_slides(paper: Paper, subject: Subject, options: Options, number: int) -> None:
    table = inputs_table(subject, options, only_differences=True)
    if not table.rows:
        return
    base = subject.plan.scenarios[subject.baseline]
    name = {"name": safe_line(base.name, 60)}
    title = numbered(
        words.fill(options.language.words(SLIDE_TITLES["inputs"]), name), number, options
    )
    size = table_size(table, paper.area)
    for page in paper.table_pages(table, paper.area, size):
        paper.table(paper.slide(title), page, paper.area, size)


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
    title = options.language.words(SLIDE_TITLES[code])
    size = table_size(table, paper.area)
    for number, page in enumerate(paper.table_pages(table, paper.area, size)[:3], 1):
        paper.table(paper.slide(numbered(title, number, options)), page, paper.area, size)


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


def numbered(title: str, number: int, options: Options) -> str:
    """Return the title of a slide that goes on with another."""
    if number == 1:
        return title
    template = options.language.words(SLIDE_TITLES["page"])
    return words.fill(template, {"title": title, "number": number})

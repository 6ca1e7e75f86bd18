"""Slides that compare: bars side by side over a table of differences; inputs; presets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pptx.util import Inches, Pt

from workbench.core.compare_presets import compare_presets
from workbench.export.answer_rows import answer_rows
from workbench.export.found import Found, marked_verdict, name_of
from workbench.export.memory_rows import memory_rows
from workbench.export.options import Options
from workbench.export.preset_words import path_text, preset_value
from workbench.export.safe_text import safe_line
from workbench.export.slides.bars import add_bars, figure_notes, titles
from workbench.export.slides.grid import (
    fitted,
    in_one_piece,
    limited,
)
from workbench.export.slides.measure import EMU_PER_PT
from workbench.export.slides.native import Place
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import inputs_table, scenario_names
from workbench.export.wording import NONE
from workbench.spec import words
from workbench.spec.words.slides import SLIDE_KICKERS, SLIDE_WORDS

MOST_COLUMNS: Final = 5
"""Scenarios beside the baseline on one slide."""
_MOST_SLIDES: Final = 4
"""Of a comparison; with more scenarios a table of all of them is what a workbook is for."""
_MOST_NARROW: Final = 3
_WIDE: Final = int(Inches(9.5))
"""Of the room for a table of that many columns."""
_MOST_PRESETS: Final = 4
_MOST_FACTS: Final = 60
"""Of a comparison of presets."""
_SHORT: Final = ("verdict", "largest_concurrency", "largest_context")
_GROUPS: Final = ("facts",)
_GAP: Final = int(Pt(10))
_BELOW_PT: Final = 14.0
"""As large as a table below bars may be."""

Part = Callable[[], None]


def compare_slides(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes slides for every few scenarios compared with the baseline."""
    base = subject.plan.scenarios[subject.baseline]
    others = [one.id for one in subject.plan.scenarios if one.id != base.id]
    columns = MOST_COLUMNS if paper.area.width >= _WIDE else _MOST_NARROW
    chunks = [others[at : at + columns] for at in range(0, len(others), columns)]
    left_out = sum(map(len, chunks[_MOST_SLIDES:]))
    for chunk in chunks[:_MOST_SLIDES]:
        wanted = {base.id, *chunk}
        shown = subject.only([one.id for one in subject.plan.scenarios if one.id in wanted])
        notes = []
        if left_out and chunk is chunks[_MOST_SLIDES - 1]:
            template = options.language.words(SLIDE_WORDS["left_out"])
            notes = [words.fill(template, {"count": left_out})]
        yield partial(_compare_slides, paper, shown, options, notes)
        yield partial(_input_slides, paper, shown, options)


def _compare_slides(paper: Paper, shown: Subject, options: Options, notes: Sequence[str]) -> None:
    """Add bars over answers and memory; where both have no room, memory goes on below nothing."""
    found = Found(options.language)
    noted = [*notes, *figure_notes(shown.answered, options)]
    kicker = _kicker("compare", shown, options)
    area = paper.area
    answers, memory = _answers(shown, options), _memory(shown, options)
    least = int(area.height * min(0.5, 0.2 + 0.045 * len(shown.plan.scenarios)))
    most = int(area.height * 0.62)
    whole = replace(answers, rows=(*answers.rows, *memory.rows))
    room = Place(area.x, 0, area.width, area.height - least - _GAP)
    grid = fitted(whole, room, largest_pt=_BELOW_PT, most_lines=1)
    split = not in_one_piece(grid, room)
    if split:
        grid = fitted(answers, room, largest_pt=_BELOW_PT)
    rest = area.height - int(grid.height_pt * EMU_PER_PT) - _GAP
    chart = Place(area.x, area.y, area.width, max(least, min(most, rest)))
    slide = paper.slide(found.most(shown), noted, kicker)
    add_bars(paper, slide, shown.rows, chart, options)
    top = chart.y + chart.height + _GAP
    paper.table(slide, grid, Place(area.x, top, area.width, area.y + area.height - top))
    if split:
        numbered = titles(found.least_memory(shown), options)
        paper.table_slides(fitted(memory, area), numbered, noted, kicker)


def _kicker(code: str, shown: Subject, options: Options) -> str:
    base = shown.plan.scenarios[shown.baseline]
    return words.fill(options.language.words(SLIDE_KICKERS[code]), {"name": name_of(base)})


def _answers(subject: Subject, options: Options) -> Table:
    """Verdicts with their marks, and what each scenario could hold at most."""
    rows = []
    for code, row in answer_rows(subject, options):
        if code == "verdict":
            cells = (marked_verdict(one, options.language) for one in subject.ledgers)
            rows.append(Row((row.cells[0], *cells)))
        elif code in _SHORT:
            rows.append(row)
    return Table("compare", "", ("", *scenario_names(subject, options.language)), tuple(rows))


def _memory(subject: Subject, options: Options) -> Table:
    """What each part takes, with the difference to the baseline."""
    columns = ("", *scenario_names(subject, options.language))
    return Table("memory", "", columns, tuple(memory_rows(subject, options)))


def _input_slides(paper: Paper, shown: Subject, options: Options) -> None:
    table = inputs_table(shown, options, only_differences=True)
    count = sum(not row.is_heading for row in table.rows)
    if not count:
        return
    name = name_of(shown.plan.scenarios[shown.baseline])
    code = "inputs_one" if count == 1 else "inputs"
    title = Found(options.language).title(code, count=count, name=name)
    kicker = _kicker("inputs", shown, options)
    paper.table_slides(fitted(table, paper.area), titles(title, options), (), kicker)


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
    names = [safe_line(preset.name, 60) for preset in presets]
    params = {"names": ", ".join(names), "count": len(table.rows)}
    title = Found(options.language).title(code, **params)
    noted = [safe_line(preset.name) for preset in presets]
    kicker = options.language.words(SLIDE_KICKERS[code])
    grid = fitted(limited(table, _MOST_FACTS), paper.area)
    paper.table_slides(grid, titles(title, options), noted, kicker)


def preset_table(presets: Sequence[Any], options: Options) -> Table:
    """List the fields in which presets differ, those that say who they are left out."""
    say = options.language.words
    rows = []
    for row in compare_presets(presets):
        if row.group not in _GROUPS or not row.differs:
            continue
        cells = [
            Cell(
                (preset_value(row.path, cell.value, say) if cell.applies else "") or NONE,
                look="strong" if cell.differs else "plain",
            )
            for cell in row.cells
        ]
        rows.append(Row((Cell(path_text(row.path, say)), *cells)))
    names = (safe_line(preset.name, 80) for preset in presets)
    return Table("presets", "", (say(SLIDE_WORDS["field"]), *names), tuple(rows))

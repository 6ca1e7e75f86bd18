"""The deck: title, bars, comparison, what moved the answer, presets, assumptions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from workbench.export.options import Options, Progress, silent
from workbench.export.package_zip import fixed
from workbench.export.pictures import MOST_WATERFALLS, footnote_of, theme_for
from workbench.export.safe_text import safe_line
from workbench.export.slides.bars import bar_slides
from workbench.export.slides.compared import compare_slides, numbered, preset_slides
from workbench.export.slides.paper import Paper, table_size
from workbench.export.slides.ways import way_slide
from workbench.export.subject import Subject
from workbench.export.tables import assumptions_table
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.words.slides import SLIDE_TITLES

_NEVER: Final = datetime(2000, 1, 1)
_SIZES: Final = {"16:9": (12_192_000, 6_858_000), "4:3": (9_144_000, 6_858_000)}
"""In EMU: 13.333 × 7.5 and 10 × 7.5 inches."""

Part = Callable[[], None]


def deck_bytes(
    subject: Subject,
    options: Options,
    template: Path | None = None,
    progress: Progress = silent,
) -> bytes:
    """Return a presentation; with a template its slides stay and ours follow them.

    Raises `UserError` for a plan without scenarios and for a template that is none.
    """
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    presentation = _presentation(options, template)
    paper = Paper(
        presentation,
        theme_for(options),
        footnote_of(subject, options),
        own=template is None,
        clear=options.look == "transparent",
    )
    parts = list(_parts(paper, subject, options))
    for number, part in enumerate(parts):
        progress(number, len(parts) + 1)
        part()
    progress(len(parts), len(parts) + 1)
    _name(presentation, subject, options)
    buffer = io.BytesIO()
    presentation.save(buffer)
    return fixed(buffer.getvalue())


def _presentation(options: Options, template: Path | None) -> Any:
    if template is not None:
        from workbench.export.slides.template import open_template

        return open_template(template)
    from pptx import Presentation

    made = Presentation()
    made.slide_width, made.slide_height = _SIZES.get(options.ratio, _SIZES["16:9"])
    return made


def _name(presentation: Any, subject: Subject, options: Options) -> None:
    """Say who made it, without a time."""
    facts = presentation.core_properties
    facts.title = deck_title(subject, options)[:250]
    facts.author = facts.last_modified_by = "KV Workbench"
    facts.created = facts.modified = _NEVER
    facts.revision = 1


def _parts(paper: Paper, subject: Subject, options: Options) -> Iterator[Part]:
    """Return what makes the slides, a part at a time."""
    base = subject.plan.scenarios[subject.baseline]
    others = [scenario for scenario in subject.plan.scenarios if scenario is not base]
    yield lambda: _title_slide(paper, subject, options)
    yield from bar_slides(paper, subject, options)
    if others:
        yield from compare_slides(paper, subject, options)
        for scenario in others[:MOST_WATERFALLS]:
            yield partial(way_slide, paper, subject, scenario, options)
        yield from preset_slides(paper, subject, options)
    yield lambda: _assumptions(paper, subject, options)


def deck_title(subject: Subject, options: Options) -> str:
    """Return the title of the whole: as typed, the plan's own, or what it is."""
    if options.title:
        return safe_line(options.title, 400)
    plan_title = safe_line(subject.plan.title, 400)
    return plan_title or options.language.words(SLIDE_TITLES["plan"])


def _title_slide(paper: Paper, subject: Subject, options: Options) -> None:
    notes = [subject.plan.notes] if subject.plan.notes else []
    slide = paper.slide(deck_title(subject, options), notes)
    say = options.language.words
    area = paper.area
    lines = [
        f"{safe_line(scenario.name, 60)}: {words.verdict_text(ledger, say)}"
        for scenario, ledger in subject.answered
    ]
    paper.list_lines(slide, lines, area)


def _assumptions(paper: Paper, subject: Subject, options: Options) -> None:
    whole = assumptions_table(_few(subject), options)
    if not whole.rows:
        return
    title = options.language.words(SLIDE_TITLES["assumptions"])
    place = paper.area
    size = table_size(whole, place)
    for number, table in enumerate(paper.table_pages(whole, place, size), 1):
        slide = paper.slide(numbered(title, number, options))
        paper.table(slide, table, place, size)


def _few(subject: Subject, most: int = 6) -> Subject:
    """Return the baseline and the first others: columns that a slide has room for."""
    base = subject.plan.scenarios[subject.baseline].id
    ids = [scenario.id for scenario in subject.plan.scenarios]
    if len(ids) <= most:
        return subject
    kept: Sequence[str] = [base, *[one for one in ids if one != base][: most - 1]]
    return subject.only([one for one in ids if one in kept])

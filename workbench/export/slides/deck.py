"""The deck: answer, bars, findings, comparison, what moved it, presets, map, assumptions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from pptx.opc.constants import RELATIONSHIP_TYPE as RT

from workbench.charts.palette import DARK, LIGHT
from workbench.charts.rows import chart_unit
from workbench.export.options import Options, Progress, silent
from workbench.export.package_zip import fixed
from workbench.export.pictures import MOST_WATERFALLS, footnote_of, theme_for
from workbench.export.safe_text import safe_line
from workbench.export.slides.bars import bar_slides, titles
from workbench.export.slides.compared import compare_slides, preset_slides
from workbench.export.slides.first import title_slide
from workbench.export.slides.frame import frame_of, has_dark_ground
from workbench.export.slides.grid import fitted
from workbench.export.slides.heat import map_slide
from workbench.export.slides.lints import finding_slides
from workbench.export.slides.paper import Paper
from workbench.export.slides.ways import way_slides
from workbench.export.subject import Subject
from workbench.export.table import Row, Table
from workbench.export.tables import assumptions_table
from workbench.export.wording import assumed_note
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.words.slides import SLIDE_KICKERS, SLIDE_TITLES
from workbench.spec.words.tables import TABLE_COLUMNS, TABLE_HEADINGS

_NEVER: Final = datetime(2000, 1, 1)
_SIZES: Final = {"16:9": (12_192_000, 6_858_000), "4:3": (9_144_000, 6_858_000)}
"""In EMU: 13.333 × 7.5 and 10 × 7.5 inches."""

_NO_EAST_ASIAN: Final = b'<a:ea typeface=""/>'
_EAST_ASIAN: Final = b'<a:ea typeface="Microsoft YaHei"/>'

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
    own = template is None
    frame = frame_of(presentation, own=own)
    theme = theme_for(options)
    if not own and options.look != "grey":
        theme = DARK if has_dark_ground(frame.layout) else LIGHT
    footnote = footnote_of(subject, options)
    clear = options.look == "transparent"
    paper = Paper(presentation, theme, footnote, frame, own, clear)
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
    _name_east_asian_font(made)
    return made


def _name_east_asian_font(presentation: Any) -> None:
    """Name a typeface for Chinese in the theme of our own master, which leaves it open."""
    for relation in presentation.slide_master.part.rels.values():
        if relation.reltype == RT.THEME:
            part = relation.target_part
            part._blob = part.blob.replace(_NO_EAST_ASIAN, _EAST_ASIAN)


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
    yield lambda: title_slide(paper, subject, options, deck_title(subject, options))
    yield from bar_slides(paper, subject, options)
    yield lambda: finding_slides(paper, subject, options)
    if others:
        yield from compare_slides(paper, subject, options)
        for scenario in others[:MOST_WATERFALLS]:
            yield partial(way_slides, paper, subject, scenario, options)
        yield from preset_slides(paper, subject, options)
    yield lambda: map_slide(paper, subject, options)
    yield lambda: _assumptions(paper, subject, options)


def deck_title(subject: Subject, options: Options) -> str:
    """Return the title of the whole: as typed, the plan's own, or what it is."""
    if options.title:
        return safe_line(options.title, 400)
    plan_title = safe_line(subject.plan.title, 400)
    return plan_title or options.language.words(SLIDE_TITLES["plan"])


def _assumptions(paper: Paper, subject: Subject, options: Options) -> None:
    """List what is assumed or fitted, and apart from it what is left to the engine."""
    few, say = _few(subject), options.language.words
    one_unit = replace(options, unit=chart_unit(few.rows, options.unit))
    table = assumptions_table(few, one_unit, ("entry", "term"))
    if table.rows:
        numbered = titles(assumed_note(subject, options.language), options)
        noted, kicker = list(band_notes(few, options)), say(SLIDE_KICKERS["assumptions"])
        paper.table_slides(fitted(table, paper.area), numbered, noted, kicker)
    table = _settings(assumptions_table(few, one_unit, ("default",)), options)
    if table.rows:
        title = words.fill(say(SLIDE_TITLES["defaults"]), {"count": len(table.rows)})
        kicker = say(TABLE_HEADINGS["default"])
        paper.table_slides(fitted(table, paper.area), titles(title, options), (), kicker)


def _settings(defaults: Table, options: Options) -> Table:
    """Return defaults as settings: what they are, and how sure, is said by the title."""
    rows = (row for row in defaults.rows if not row.is_heading)
    told = tuple(Row((row.cells[0], *row.cells[2:])) for row in rows)
    first = options.language.words(TABLE_COLUMNS["input"])
    return replace(defaults, columns=(first, *defaults.columns[2:]), rows=told)


def band_notes(subject: Subject, options: Options) -> Iterator[str]:
    """Tell between which sizes each entry lies that is not known better."""
    say = options.language.words
    for scenario, ledger in subject.answered:
        for entry in ledger.worst_rank.entries:
            if entry.low_bytes is None or entry.high_bytes is None:
                continue
            low, high = (
                units.show_bytes(size, options.unit) for size in (entry.low_bytes, entry.high_bytes)
            )
            evidence = say(words.EVIDENCE[entry.evidence.value])
            name = f"{safe_line(scenario.name, 200)}: {words.entry_text(entry, say)}"
            yield f"{name}: {low} – {high} ({evidence})"


def _few(subject: Subject, most: int = 6) -> Subject:
    """Return the baseline and the first others: columns that a slide has room for."""
    base = subject.plan.scenarios[subject.baseline].id
    ids = [scenario.id for scenario in subject.plan.scenarios]
    if len(ids) <= most:
        return subject
    kept: Sequence[str] = [base, *[one for one in ids if one != base][: most - 1]]
    return subject.only([one for one in ids if one in kept])

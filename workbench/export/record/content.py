"""Builds the capacity record of a plan, once for all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from workbench import __version__
from workbench.charts.rows import Row as Bar
from workbench.charts.text import plain
from workbench.core.evidence import figure_evidence
from workbench.export.answer_rows import verdict_cell
from workbench.export.cells import number_cell
from workbench.export.frame import footnote_of
from workbench.export.ledger_rows import LEDGER_COLUMNS, ledger_rows, rank_groups, size_unit
from workbench.export.options import Options, Progress, silent
from workbench.export.record.document import (
    Bars,
    Block,
    Document,
    Grid,
    Heading,
    Listing,
    Paragraph,
)
from workbench.export.record.items import (
    NAME_CHARACTERS,
    Says,
    assumption_rows,
    capacity_rows,
    item_rows,
    weakest,
)
from workbench.export.safe_text import safe_line, safe_lines
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import findings_table, inputs_table
from workbench.export.wording import assumed_note
from workbench.spec import units, words
from workbench.spec.base import fingerprint
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.words.record import (
    RECORD_COLUMNS,
    RECORD_ITEMS,
    RECORD_NOTES,
    RECORD_TITLES,
    RECORD_VALUES,
)
from workbench.spec.words.tables import TABLE_COLUMNS

_MOST_BARS: Final = 12
_MOST_NOTE_LINES: Final = 40
_ITEM_SHARES: Final = (0.32, 0.56, 0.12)
_FIGURE_SHARES: Final = (0.52, 0.36, 0.12)
"""Names are longer than figures: each stands in a line."""


def record_document(subject: Subject, options: Options, progress: Progress = silent) -> Document:
    """Return the record of a plan.

    Raises `UserError` for a plan without scenarios.
    """
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    says = Says(options.language, options.unit)
    blocks: list[Block] = list(_head(subject, options, says))
    order = sorted(range(len(subject.ledgers)), key=lambda at: (at != subject.baseline, at))
    for done, at in enumerate(order):
        progress(done, len(order))
        scenario, ledger = subject.answered[at]
        blocks += _scenario(subject, scenario, ledger, options, says)
    progress(len(order), len(order))
    return Document(
        record_title(subject, options),
        tuple(blocks),
        footnote_of(subject, options),
        options.language.code,
    )


def record_title(subject: Subject, options: Options) -> str:
    """Return the title: the one that was typed, else that of the plan."""
    if options.title is not None:
        return safe_line(options.title, 400)
    name, say = safe_line(subject.plan.title, NAME_CHARACTERS), options.language.words
    if not name:
        return say(RECORD_TITLES["record"])
    return words.fill(say(RECORD_TITLES["titled"]), {"title": name})


def _head(subject: Subject, options: Options, says: Says) -> Iterator[Block]:
    say = options.language.words
    yield Paragraph(say(RECORD_NOTES["intro"]))
    facts = [
        ("file", safe_line(subject.file_name, NAME_CHARACTERS)),
        ("date", safe_line(options.date, 40)),
        ("program", says.value("program", version=__version__)),
        ("fingerprint", fingerprint(subject.plan)),
        ("scenarios", str(len(subject.plan.scenarios))),
    ]
    rows = [
        Row((Cell(say(RECORD_ITEMS[code]), look="strong"), Cell(text)), code)
        for code, text in facts
        if text
    ]
    columns = (say(RECORD_COLUMNS["item"]), say(RECORD_COLUMNS["value"]))
    yield Grid(Table("facts", "", columns, tuple(rows)), (0.33, 0.67))
    yield Paragraph(say(RECORD_NOTES["embedded"]), "muted")
    yield from _notes(subject.plan.notes)
    yield Heading(2, say(RECORD_TITLES["summary"]))
    shown = zip(subject.plan.scenarios, subject.rows[:_MOST_BARS], strict=False)
    bars = tuple(_bar(scenario, row, says) for scenario, row in shown)
    missing = len(subject.rows) - len(bars)
    yield Bars(bars, words.fill(say(RECORD_NOTES["no_bar"]), {"count": missing}) if missing else "")
    yield _summary(subject, options, says)


def _bar(scenario: Scenario, row: Bar, says: Says) -> Bar:
    """Return a bar whose cards are called as everywhere else in the record."""
    card = plain(scenario.gpu.short_name)
    return replace(row, subtitle=row.subtitle.removesuffix(card) + says.name(card))


def _notes(text: str) -> Iterator[Block]:
    for line in safe_lines(text.strip())[:_MOST_NOTE_LINES]:
        if line.strip():
            yield Paragraph(line, "muted")


def _summary(subject: Subject, options: Options, says: Says) -> Grid:
    """Return a line a scenario: verdict, most requests, what is free, how sure that is."""
    say = options.language.words
    rows = []
    for scenario, ledger in subject.answered:
        rank = ledger.worst_rank
        cells = (
            Cell(_name(subject, scenario, says), look="strong"),
            verdict_cell(ledger, options.language),
            number_cell(ledger.most_requests),
            says.rounded(rank.free_bytes),
            Cell(say(words.EVIDENCE[weakest(rank).value]), look="muted"),
        )
        rows.append(Row(cells))
    names = ("scenario", "verdict", "most", "free", "weakest")
    table = Table("answers", "", tuple(say(RECORD_COLUMNS[c]) for c in names), tuple(rows))
    return Grid(table, (0.3, 0.21, 0.15, 0.16, 0.18))


def _name(subject: Subject, scenario: Scenario, says: Says) -> str:
    is_baseline = scenario is subject.plan.scenarios[subject.baseline]
    template = RECORD_TITLES["baseline" if is_baseline else "scenario"]
    return words.fill(
        says.language.words(template), {"name": safe_line(scenario.name, NAME_CHARACTERS)}
    )


def _scenario(
    subject: Subject, scenario: Scenario, ledger: Ledger, options: Options, says: Says
) -> Iterator[Block]:
    say = options.language.words
    yield Heading(1, _name(subject, scenario, says))
    verdict = safe_line(words.verdict_text(ledger, options.language.words))
    decided = words.decided_text(ledger, say)
    yield Paragraph(verdict if decided in verdict else f"{verdict} · {decided}", "strong")
    yield from _notes(scenario.notes)
    for code, rows, shares in (
        ("items", tuple(item_rows(scenario, ledger, says)), _ITEM_SHARES),
        ("capacity", tuple(capacity_rows(scenario, ledger, says)), _FIGURE_SHARES),
    ):
        yield Heading(2, say(RECORD_TITLES[code]))
        columns = tuple(say(RECORD_COLUMNS[c]) for c in ("item", "value", "evidence"))
        yield Grid(Table(code, say(RECORD_TITLES[code]), columns, rows), shares)
    yield from _ledger(scenario, ledger, options)
    alone = subject.only([scenario.id])
    yield Heading(2, say(RECORD_TITLES["inputs"]))
    inputs = inputs_table(alone, options)
    columns = (inputs.columns[0], say(RECORD_COLUMNS["value"]))
    rows = tuple(_exactly(row, says) for row in inputs.rows)
    yield Grid(Table("inputs", inputs.title, columns, rows), (0.45, 0.55))
    yield from _remarks(alone, ledger, options, says)


def _exactly(row: Row, says: Says) -> Row:
    """Return an input whose bytes are told exactly and in a large unit, whichever it was."""
    cells = tuple(
        says.size(cell.value)
        if isinstance(cell.value, int) and cell.text == units.format_bytes(cell.value)
        else cell
        for cell in row.cells
    )
    return replace(row, cells=cells)


def _ledger(scenario: Scenario, ledger: Ledger, options: Options) -> Iterator[Block]:
    """Return the sizes of every rank, and below them how each was reached."""
    say = options.language.words
    rows = tuple(ledger_rows(scenario, ledger, options))
    names = [say(TABLE_COLUMNS[code]) for code in LEDGER_COLUMNS]
    names.insert(2, size_unit(options.unit))
    sizes = tuple(_sizes(rows, scenario, ledger, options))
    yield Heading(2, say(RECORD_TITLES["ledger"]))
    yield Grid(
        Table("ledger", say(RECORD_TITLES["ledger"]), tuple(names[:6]), sizes),
        (0.28, 0.18, 0.1, 0.12, 0.16, 0.16),
    )
    yield Heading(3, say(RECORD_TITLES["formulas"]))
    reached = tuple(_reached(rows))
    columns = (names[0], names[6], names[7], names[8])
    table = Table("formulas", say(RECORD_TITLES["formulas"]), columns, reached)
    yield Grid(table, (0.2, 0.27, 0.31, 0.22))


def _sizes(
    rows: Sequence[Row], scenario: Scenario, ledger: Ledger, options: Options
) -> Iterator[Row]:
    """Return the columns of sizes; what is kept, free and in all is told how sure it is, too."""
    say = options.language.words
    groups = iter(rank_groups(ledger))
    for row in rows:
        if row.is_heading:
            rank = next(groups)[0]
            yield row
            continue
        cells = row.cells[:6]
        if not cells[3].text:
            sure = figure_evidence(scenario, ledger, row.part or "total", rank.rank)
            look = cells[0].look
            cells = (*cells[:3], Cell(say(words.EVIDENCE[sure.value]), look=look), *cells[4:])
        yield Row(cells, row.part)


def _reached(rows: Sequence[Row]) -> Iterator[Row]:
    """Return entries with formula, numbers and source, under the ranks that they belong to."""
    for row in rows:
        if row.is_heading:
            yield row
        elif row.cells[6].text:
            yield Row((row.cells[0], *row.cells[6:9]), row.part)


def _remarks(subject: Subject, ledger: Ledger, options: Options, says: Says) -> Iterator[Block]:
    """Return findings, what is not modelled, what is assumed, of one scenario."""
    say = options.language.words
    none = Paragraph(say(RECORD_VALUES["none"]), "muted")
    yield Heading(2, say(RECORD_TITLES["findings"]))
    found = findings_table(subject, options)
    if found.rows:
        rows = tuple(Row(row.cells[1:]) for row in found.rows)
        yield Grid(Table("findings", found.title, found.columns[1:], rows), (0.14, 0.62, 0.24))
    else:
        yield none
    yield Heading(2, say(RECORD_TITLES["not_modelled"]))
    missing = tuple(safe_line(say(words.NOT_MODELLED[code])) for code in ledger.not_modelled)
    yield Listing(missing) if missing else none
    yield Heading(2, say(RECORD_TITLES["assumptions"]))
    yield Paragraph(assumed_note(subject, options.language), "muted", is_kept=True)
    rows = tuple(assumption_rows(ledger, says))
    if rows:
        columns = tuple(say(RECORD_COLUMNS[c]) for c in ("item", "value", "band", "evidence"))
        table = Table("assumptions", say(RECORD_TITLES["assumptions"]), columns, rows)
        yield Grid(table, (0.31, 0.2, 0.35, 0.14))

"""Exact numbers as lines of text: CSV for files, TSV for the clipboard."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

from workbench.core.compare import Cell as Compared
from workbench.core.compare import InputRow
from workbench.core.evidence import figure_evidence, input_evidence
from workbench.export.answer_rows import answer_rows
from workbench.export.compare_json import plain
from workbench.export.ledger_json import plain_number
from workbench.export.ledger_rows import rank_groups
from workbench.export.options import Options, Progress, silent
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import amount_of
from workbench.export.wording import QUANTITIES, assumption_name, input_name, part_name
from workbench.spec import words
from workbench.spec.engine import Amount
from workbench.spec.ledger import Ledger, RankLedger, Term
from workbench.spec.scenario import Scenario
from workbench.spec.words.tables import TABLE_ROWS

COLUMNS: Final = ("scenario", "section", "rank", "row", "name", "unit", "evidence", "value")
_FORMULA_STARTS: Final = tuple("=+-@\t\r\n＝＋－＠")
"""What a spreadsheet would take for a formula at the start of a text, full width included."""
_INNER_FORMULA: Final = re.compile(rf"(;\s*)(?=[{re.escape(''.join(_FORMULA_STARTS))}])")
"""Where half of Europe's spreadsheets, which part fields at semicolons, would see one begin."""
_BOM: Final = "\ufeff"
"""Without it Excel takes the text for one of an old code page."""
Line = tuple[object, ...]


def guarded(value: object) -> object:
    """Return a text that a spreadsheet cannot take for a formula; numbers stay numbers."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value


def csv_bytes(subject: Subject, options: Options, progress: Progress = silent) -> bytes:
    """Return a line a figure: whose, which, its unit, how sure it is, and its exact value."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    count = len(subject.plan.scenarios)
    subject.work_out(lambda done: progress(done, 2 * count))
    answers = list(answer_rows(subject, options))
    for number, (scenario, ledger) in enumerate(subject.answered):
        name = safe_line(scenario.name)
        for line in _lines(subject, options, number, answers):
            writer.writerow([_field(value) for value in (name, *line)])
        for line in _ledger_lines(scenario, ledger, options):
            writer.writerow([_field(value) for value in (name, *line)])
        progress(count + number + 1, 2 * count)
    return (_BOM + text.getvalue()).encode("utf-8")


def tsv_text(table: Table) -> str:
    """Return a table for the clipboard: what a spreadsheet takes apart into cells.

    Numbers are exact and without marks; a heading stands alone in its line.
    """
    lines = [[str(guarded(safe_line(text))) for text in table.columns]]
    for row in table.rows:
        lines.append([_clip(cell) for cell in row.cells])
    return "".join("\t".join(line) + "\n" for line in lines)


def _clip(cell: Cell) -> str:
    if cell.value is not None:
        return str(cell.value)
    return str(guarded(safe_line(cell.text)))


def _field(value: object) -> object:
    """A number as it is, any other value as one guarded line."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return guarded(_INNER_FORMULA.sub(r"\1'", safe_line(str(value))))
    return repr(value)


# Lines of one scenario, without its name


def _lines(
    subject: Subject, options: Options, number: int, answers: list[tuple[str, Row]]
) -> Iterator[Line]:
    language, made = options.language, subject.quick_comparison
    scenario, ledger = subject.answered[number]
    yield from _answer_lines(scenario, ledger, number, answers)
    for code in ledger.not_modelled:
        yield "answer", "", "not_modelled", language.words(TABLE_ROWS["not_modelled"]), "", "", code
    for row in made.inputs:
        yield from _input_lines(ledger, row, row.cells[number], options)
    for memory in made.memory:
        size = memory.per_gpu[number].value
        if size is not None:
            name = part_name(memory.part, language)
            yield "memory", "", memory.part, name, "bytes", "", size
    for assumed in made.assumptions:
        item = assumed.items[number]
        if isinstance(item, Term):
            name = assumption_name(assumed.kind, assumed.code, language)
            value = item.value if isinstance(item.value, str) else plain_number(item.value)
            yield "assumed", "", item.symbol, name, item.unit, item.evidence.value, value


def _answer_lines(
    scenario: Scenario, ledger: Ledger, number: int, answers: list[tuple[str, Row]]
) -> Iterator[Line]:
    codes = {"verdict": ledger.verdict.status.value, "binding": ledger.verdict.binding}
    for code, row in answers:
        if not row.is_heading:
            cell = row.cells[number + 1]
            value = codes.get(code, cell.value)
            if value is None and code == "reason":
                value = cell.text
            unit = cell.unit if isinstance(value, int | float) else ""
            sure = figure_evidence(scenario, ledger, code).value if unit else ""
            yield "answer", "", code, row.cells[0].text, unit, sure, value


def _input_lines(ledger: Ledger, row: InputRow, cell: Compared, options: Options) -> Iterator[Line]:
    """An input as typed, or as the engine takes it where it is left open."""
    left_open = cell.value is None
    value = amount_of(cell.default, row.kind) if left_open else cell.value
    if value in (None, "", ()):
        return
    unit = row.kind if row.kind in QUANTITIES else ""
    if isinstance(value, Amount):
        unit, value = ("bytes", value.size_bytes) if value.share is None else ("share", value.share)
    section = "default" if left_open else "input"
    name, evidence = input_name(row.id, options.language), input_evidence(ledger, row.id).value
    yield section, "", row.id, name, unit, evidence, plain(value)


def _ledger_lines(scenario: Scenario, ledger: Ledger, options: Options) -> Iterator[Line]:
    say = options.language.words
    for group in rank_groups(ledger):
        ranks = " ".join(str(rank.rank) for rank in group)
        for code, name, size, evidence in _entries(group[0], options):
            yield "ledger", ranks, code, name, "bytes", evidence, size
        for code, name, size in _rank_figures(group[0], options):
            evidence = figure_evidence(scenario, ledger, code, group[0].rank).value
            yield "ledger", ranks, code, name, "bytes", evidence, size
    for finding in ledger.findings:
        text = words.finding_text(finding, say)
        yield "finding", "", finding.code, finding.field or "", "", finding.severity, text


def _entries(rank: RankLedger, options: Options) -> Iterator[tuple[str, str, int, str]]:
    """Entries of a rank with their bands: code, name, bytes, evidence."""
    language = options.language
    for entry in rank.entries:
        name, evidence = words.entry_text(entry, language.words), entry.evidence.value
        yield entry.label, name, entry.bytes, evidence
        for end, size in (("low", entry.low_bytes), ("high", entry.high_bytes)):
            if size is not None:
                yield f"{entry.label}.{end}", name, size, evidence


def _rank_figures(rank: RankLedger, options: Options) -> Iterator[tuple[str, str, int]]:
    """What entries leave of a rank, and what there is of it: code, name, bytes."""
    language = options.language
    for part, size in (("headroom", rank.headroom_bytes), ("free", rank.free_bytes)):
        yield part, part_name(part, language), size
    yield "budget", language.words(TABLE_ROWS["budget"]), rank.budget_bytes
    yield "total", language.words(TABLE_ROWS["card"]), rank.total_bytes

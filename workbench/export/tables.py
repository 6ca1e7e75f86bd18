"""Tables of a plan's answers, the same in sheets, slides, documents and files of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from workbench.core.compare import AssumptionRow, InputRow, MemoryRow
from workbench.core.compare import Cell as Compared
from workbench.core.inputs import BY_ID, PARTS, InputKind
from workbench.export.answer_rows import answer_rows
from workbench.export.cells import MISSING, bytes_cell, heading, number_cell
from workbench.export.ledger_rows import LEDGER_COLUMNS, ledger_rows, size_unit
from workbench.export.options import Language, Options
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, CellUnit, Row, Table
from workbench.export.wording import (
    QUANTITIES,
    assumption_name,
    assumption_text,
    factor_text,
    input_name,
    input_text,
    part_name,
    signed_bytes,
    step_name,
)
from workbench.spec import units, words
from workbench.spec.engine import Amount
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.words.tables import (
    TABLE_COLUMNS,
    TABLE_HEADINGS,
    TABLE_ROWS,
    TABLE_TITLES,
    TABLE_WORDS,
)

_UNITS: Final[dict[InputKind, CellUnit]] = {
    "tokens": "tokens",
    "count": "count",
    "bytes": "bytes",
    "share": "share",
    "number": "ratio",
}
_NAME_CHARACTERS: Final = 200


def scenario_names(subject: Subject, language: Language) -> tuple[str, ...]:
    """Names of the scenarios as columns have them; the baseline has a star."""
    marked = language.words(TABLE_WORDS["baseline"])
    return tuple(
        words.fill(marked, {"name": _name(scenario)})
        if number == subject.baseline
        else _name(scenario)
        for number, scenario in enumerate(subject.plan.scenarios)
    )


def _name(scenario: Scenario) -> str:
    return safe_line(scenario.name, _NAME_CHARACTERS)


def _table(
    code: str, columns: Sequence[str], rows: Sequence[Row] | Iterator[Row], language: Language
) -> Table:
    return Table(code, language.words(TABLE_TITLES[code]), tuple(columns), tuple(rows))


def _column(code: str, language: Language) -> str:
    return language.words(TABLE_COLUMNS[code])


# Answers


def answers_table(subject: Subject, options: Options) -> Table:
    """Answer each scenario in a column: verdict, what decides, what it could hold, cards."""
    language = options.language
    columns = (_column("figure", language), *scenario_names(subject, language))
    rows = (row for _, row in answer_rows(subject, options))
    return _table("answers", columns, rows, language)


# Memory


def memory_table(subject: Subject, options: Options, *, with_deltas: bool = True) -> Table:
    """List the parts of each scenario's bar; texts may have the difference to the baseline."""
    language, unit = options.language, options.unit
    made = subject.quick_comparison

    def rows() -> Iterator[Row]:
        for row in made.memory:
            cells = (_size(cell, options, with_deltas) for cell in row.per_gpu)
            yield Row((Cell(part_name(row.part, language)), *cells), row.part)
        for code in ("used", "budget"):
            sizes = (
                column.used_bytes("gpu") if code == "used" else column.budget_bytes("gpu")
                for column in made.columns
            )
            cells = (bytes_cell(size, unit, "strong") for size in sizes)
            yield Row((Cell(language.words(TABLE_ROWS[code]), look="strong"), *cells))

    columns = (_column("part", language), *scenario_names(subject, language))
    return _table("memory", columns, rows(), language)


def _size(cell: Compared, options: Options, with_delta: bool) -> Cell:
    shown = bytes_cell(cell.value if isinstance(cell.value, int) else None, options.unit)
    if not with_delta or cell.delta is None:
        return shown
    delta = signed_bytes(int(cell.delta), options.unit)
    template = options.language.words(TABLE_WORDS["delta"])
    text = words.fill(template, {"size": shown.text, "delta": delta})
    return Cell(text, shown.value, shown.unit, shown.look)


def deltas_table(subject: Subject, options: Options) -> Table:
    """What each part of each other scenario differs by from the baseline."""
    language, made = options.language, subject.quick_comparison
    others = [number for number in range(len(made.columns)) if number != made.baseline]

    def cell(row: MemoryRow, number: int) -> Cell:
        delta = int(row.per_gpu[number].delta or 0)
        look: CellLook = "plain" if delta else "muted"
        return Cell(signed_bytes(delta, options.unit), delta, "bytes", look)

    names = scenario_names(subject, language)
    columns = (_column("part", language), *(names[number] for number in others))
    rows = (
        Row(
            (Cell(part_name(row.part, language)), *(cell(row, number) for number in others)),
            row.part,
        )
        for row in made.memory
    )
    return _table("deltas", columns, rows, language)


# Inputs


def inputs_table(subject: Subject, options: Options, *, only_differences: bool = False) -> Table:
    """List the inputs of every scenario in form order, by part."""
    language = options.language
    columns = (_column("input", language), *scenario_names(subject, language))
    rows = (row for _, row in input_rows(subject, options, only_differences=only_differences))
    return _table("inputs", columns, rows, language)


def input_rows(
    subject: Subject, options: Options, *, only_differences: bool = False
) -> Iterator[tuple[InputRow | None, Row]]:
    """Rows with the input that each holds, under headings that hold none."""
    language, made = options.language, subject.quick_comparison
    shown = made.inputs_that_differ if only_differences else made.inputs
    for part in PARTS:
        of_part = [row for row in shown if row.part == part and _is_told(row)]
        if of_part:
            yield None, heading(language.words(TABLE_HEADINGS[part]))
        for row in of_part:
            cells = (input_cell(row, cell, language) for cell in row.cells)
            yield row, Row((Cell(input_name(row.id, language)), *cells))


def _is_told(row: InputRow) -> bool:
    """Whether any scenario says something there."""
    return any(cell.value not in (None, "", ()) or cell.default is not None for cell in row.cells)


def input_cell(row: InputRow, cell: Compared, language: Language) -> Cell:
    """Show the input of one scenario; one that differs from the baseline's stands out."""
    value = amount_of(cell.default, row.kind) if cell.value is None else cell.value
    text = safe_line(value_text(value, row.kind, language))
    look: CellLook = "strong" if cell.differs else "plain"
    if not text:
        return replace(MISSING, look="strong") if cell.differs else MISSING
    number, unit = _number(value, row.kind)
    if cell.value is None:
        filled = words.fill(language.words(TABLE_WORDS["default"]), {"value": text})
        return Cell(filled, number, unit, look if cell.differs else "muted")
    if cell.factor is not None:
        template = language.words(TABLE_WORDS["changed"])
        text = words.fill(template, {"value": text, "factor": factor_text(cell.factor)})
    return Cell(text, number, unit, look)


def amount_of(value: object, kind: InputKind) -> object:
    """A default as the field has it: the engine's own share or bytes are an amount."""
    if kind != "amount" or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return Amount(share=value) if isinstance(value, float) else Amount(size_bytes=value)


def value_text(value: object, kind: InputKind, language: Language) -> str:
    """A value of an input in words; empty for none."""
    if isinstance(value, Amount) and value.share is not None:
        share = units.format_share(value.share)
        return words.fill(language.words(TABLE_WORDS["of_card"]), {"share": share})
    return input_text(value, kind, language)


def _number(value: object, kind: InputKind) -> tuple[int | float | None, CellUnit]:
    if isinstance(value, Amount):
        share = value.share
        return (value.size_bytes, "bytes") if share is None else (share, "share")
    if kind in QUANTITIES and isinstance(value, int | float) and not isinstance(value, bool):
        return value, _UNITS.get(kind, "count")
    return None, "text"


# Assumptions, findings, the way from the baseline


def assumptions_table(
    subject: Subject, options: Options, kinds: Sequence[str] = ("entry", "term", "default")
) -> Table:
    """List what is assumed, fitted, or left to the engine, by scenario."""
    language = options.language

    def rows() -> Iterator[Row]:
        kind = ""
        told = subject.quick_comparison.told_assumptions
        shown = (row for row in told if row.kind in kinds)
        for row in sorted(shown, key=lambda row: kinds.index(row.kind)):
            if row.kind != kind:
                kind = row.kind
                yield heading(language.words(TABLE_HEADINGS[kind]))
            name = Cell(assumption_name(row.kind, row.code, language))
            sure = TABLE_WORDS["default_word"]
            if row.kind != "default":
                sure = words.EVIDENCE[row.evidence.value]
            evidence = Cell(language.words(sure))
            cells = (_assumed(row, item, options) for item in row.items)
            yield Row((name, evidence, *cells))

    columns = (
        *(_column(code, language) for code in ("assumption", "evidence")),
        *scenario_names(subject, language),
    )
    return _table("assumptions", columns, rows(), language)


def _assumed(row: AssumptionRow, item: object, options: Options) -> Cell:
    field = BY_ID.get(row.code)
    if isinstance(item, bool) or (field is not None and row.kind == "default"):
        kind = "flag" if field is None else field.kind
        text = value_text(amount_of(item, kind), kind, options.language)
    else:
        text = assumption_text(item, options.unit, options.language)
    return Cell(safe_line(text)) if text else MISSING


def findings_table(subject: Subject, options: Options) -> Table:
    """List the findings of each scenario, with the field to change."""
    language = options.language

    def rows() -> Iterator[Row]:
        for scenario, ledger in subject.answered:
            for finding in ledger.findings:
                look: CellLook = "bad" if finding.severity == "error" else "plain"
                field = "" if finding.field is None else input_name(finding.field, language)
                yield Row(
                    (
                        Cell(_name(scenario)),
                        Cell(language.words(TABLE_WORDS[finding.severity]), look=look),
                        Cell(safe_line(words.finding_text(finding, language.words))),
                        Cell(field) if field else MISSING,
                    )
                )

    columns = tuple(_column(c, language) for c in ("scenario", "severity", "finding", "field"))
    return _table("findings", columns, rows(), language)


def _signed(number: int) -> str:
    return f"{units.MINUS if number < 0 else '+' if number else ''}{abs(number):,}"


def waterfall_table(subject: Subject, scenario: Scenario, options: Options) -> Table:
    """List what each change moves on the way from the baseline to a scenario."""
    language, unit = options.language, options.unit
    way, base = subject.way_to(scenario), subject.plan.scenarios[subject.baseline]

    def end(code: str, name: str, used: int, requests: int) -> Row:
        text = words.fill(language.words(TABLE_ROWS[code]), {"name": name})
        sizes = bytes_cell(used, unit, "strong"), number_cell(requests, look="strong")
        return Row((Cell(text, look="strong"), MISSING, sizes[0], MISSING, sizes[1]))

    def rows() -> Iterator[Row]:
        yield end("start", _name(base), way.start.used_bytes, way.start.concurrency)
        for step in way.steps:
            moved, held = step.used_delta_bytes, step.concurrency_delta
            yield Row(
                (
                    Cell(safe_line(step_name(step, language))),
                    Cell(signed_bytes(moved, unit), moved, "bytes"),
                    bytes_cell(step.after.used_bytes, unit),
                    Cell(_signed(held), held, "count"),
                    number_cell(step.after.concurrency),
                )
            )
        yield end("end", _name(scenario), way.end.used_bytes, way.end.concurrency)

    codes = ("change", "used_delta", "used", "concurrency_delta", "concurrency")
    return _table("waterfall", [_column(code, language) for code in codes], rows(), language)


def ledger_table(scenario: Scenario, ledger: Ledger, options: Options) -> Table:
    """List every entry of every rank, alike ranks once, with its formula and its source."""
    language = options.language
    columns = [_column(code, language) for code in LEDGER_COLUMNS]
    columns.insert(2, size_unit(options.unit))
    return _table("ledger", columns, ledger_rows(scenario, ledger, options), language)

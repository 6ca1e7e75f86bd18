"""Answers to every scenario as rows: verdict, what decides, what it could hold, pool, cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from workbench.core.compare import Column
from workbench.core.solve import Answer, told_context
from workbench.export.cells import MISSING, bytes_cell, heading, number_cell
from workbench.export.ledger_json import plain_number
from workbench.export.options import Language, Options
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, Row
from workbench.spec import units, words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.units import ByteUnit
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_ROWS

VERDICT_LOOKS: Final[dict[Status, CellLook]] = {
    Status.FITS: "good",
    Status.TIGHT: "strong",
    Status.DOES_NOT_FIT: "bad",
    Status.REFUSES: "bad",
}
STEADY: Final = ("mean", "p50", "p95", "p99", "max")
Read = Callable[[Column], Cell]


def verdict_cell(ledger: Ledger, language: Language) -> Cell:
    """The verdict in a word; one that leaves something out is not in the colour of a clear yes."""
    look = VERDICT_LOOKS[words.shown_status(ledger)]
    word = words.status_text(ledger.verdict, language.words)
    return Cell(words.doubted(word, ledger, language.words), look=look)


def answer_rows(subject: Subject, options: Options) -> Iterator[tuple[str, Row]]:
    """Rows with the code of the figure that each holds, under headings that have none."""
    language, unit = options.language, options.unit
    made = subject.comparison.columns
    for title, reads in (
        ("answer", _verdict_rows(language, unit)),
        ("capacity", _capacity_rows()),
        ("whole_pool", _whole_pool_rows()),
        ("pool", _pool_rows(unit)),
        ("cards", _card_rows()),
    ):
        told = [(code, tuple(map(read, made))) for code, read in reads]
        told = [
            (code, cells)
            for code, cells in told
            if code in _ALWAYS or any(cell != MISSING for cell in cells)
        ]
        if told:
            yield "", heading(language.words(TABLE_HEADINGS[title]))
        for code, cells in told:
            yield code, Row((Cell(language.words(TABLE_ROWS[code])), *cells))


_ALWAYS: Final = ("largest_concurrency", "largest_context", "gpus_to_fit")


def _verdict_rows(language: Language, unit: ByteUnit) -> tuple[tuple[str, Read], ...]:
    def verdict(column: Column) -> Cell:
        return verdict_cell(column.ledger, language)

    def reason(column: Column) -> Cell:
        return Cell(safe_line(words.verdict_text(column.ledger, language.words)))

    def binding(column: Column) -> Cell:
        return Cell(language.words(words.BINDING[column.ledger.verdict.binding]))

    def left(column: Column) -> Cell:
        size = column.left_bytes("gpu")
        return bytes_cell(size, unit, "bad" if size < 0 else "plain")

    return (
        ("verdict", verdict),
        ("reason", reason),
        ("binding", binding),
        ("used", lambda column: bytes_cell(column.used_bytes("gpu"), unit)),
        ("budget", lambda column: bytes_cell(column.budget_bytes("gpu"), unit)),
        ("left", left),
    )


def _capacity_rows() -> tuple[tuple[str, Read], ...]:
    def target(column: Column) -> Cell:
        found = column.ledger.capacity.target
        if found is None:
            return MISSING
        return number_cell(found.concurrency, look="good" if found.met else "bad")

    return (
        ("target", target),
        ("largest_concurrency", lambda column: _answer(column.largest_concurrency)),
        ("largest_context", lambda column: _answer(column.largest_context)),
        ("most_requests", lambda column: number_cell(column.ledger.most_requests)),
    )


def _whole_pool_rows() -> tuple[tuple[str, Read], ...]:
    def steady(name: str) -> Read:
        def read(column: Column) -> Cell:
            found = column.ledger.capacity.steady_state
            return MISSING if found is None else number_cell(getattr(found, name))

        return read

    def engine_log(column: Column) -> Cell:
        found = column.ledger.capacity.engine_log
        return MISSING if found is None else number_cell(found.concurrency, "ratio")

    def at_risk(column: Column) -> Cell:
        found = column.ledger.capacity.at_risk
        return MISSING if found is None else number_cell(found.concurrency)

    return (
        *((f"steady_{name}", steady(name)) for name in STEADY),
        ("engine_log", engine_log),
        ("at_risk", at_risk),
    )


def _answer(answer: Answer) -> Cell:
    if answer.answer is None or answer.goal != "context":
        return number_cell(answer.answer, "count", "strong")
    told = units.show_tokens(told_context(answer.answer))
    return Cell(told, answer.answer, "tokens", "strong")


def _pool_rows(unit: ByteUnit) -> tuple[tuple[str, Read], ...]:
    def size(column: Column) -> Cell:
        pool = column.ledger.pool
        return MISSING if pool is None else bytes_cell(pool.bytes, unit)

    def blocks(column: Column) -> Cell:
        pool = column.ledger.pool
        return MISSING if pool is None else number_cell(pool.blocks, "blocks")

    def tokens(column: Column) -> Cell:
        pool = column.ledger.pool
        return MISSING if pool is None else number_cell(pool.tokens, "tokens")

    def per_token(column: Column) -> Cell:
        pool = column.ledger.pool
        value = None if pool is None else plain_number(pool.kv_bytes_per_token)
        return MISSING if value is None else Cell(f"{units.show_number(value)} B", value, "bytes")

    return (
        ("pool_bytes", size),
        ("pool_blocks", blocks),
        ("pool_tokens", tokens),
        ("kv_bytes_per_token", per_token),
    )


def _card_rows() -> tuple[tuple[str, Read], ...]:
    return (
        ("gpus", lambda column: number_cell(column.gpus)),
        ("gpus_to_fit", lambda column: number_cell(column.gpus_to_fit)),
    )

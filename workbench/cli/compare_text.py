"""A comparison as text for a terminal, in stable English, and as lines of exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

from pydantic import BaseModel
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workbench.core.compare import Cell, Column, Comparison, InputRow, MemoryRow
from workbench.core.solve import Answer, told_context
from workbench.core.waterfall import Waterfall
from workbench.export.compare_json import plain
from workbench.export.delimited import guarded
from workbench.export.wording import QUANTITIES, factor_text, input_name, input_text, part_name
from workbench.spec import units, words
from workbench.spec.engine import Amount
from workbench.spec.ledger import Status

_STYLES = {Status.FITS: "green", Status.TIGHT: "yellow"}
_SYMBOLS = {Status.FITS: "✔", Status.TIGHT: "▲"}


def print_comparison(
    console: Console,
    made: Comparison,
    ways: tuple[Waterfall | None, ...],
    *,
    everything: bool = False,
) -> None:
    """Print a column a scenario, then what moved the answer from the baseline to each."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    for column in made.columns:
        star = "★ " if column.is_baseline else ""
        name = words.visible(f"{star}{column.scenario.name}")
        table.add_column(Text(name), justify="right", overflow="fold")
    table.add_row("verdict", *map(_verdict, made.columns))
    for name, read in _ANSWERS:
        table.add_row(name, *(_answer(read(column)) for column in made.columns))
    table.add_section()
    rows = made.inputs if everything else made.inputs_that_differ
    for row in rows:
        table.add_row(input_name(row.id), *(_input(row, cell) for cell in row.cells))
    table.add_section()
    for memory in made.memory:
        table.add_row(part_name(memory.part), *map(_size, memory.per_gpu))
    table.add_row("used / engine may use, per GPU", *map(_used, made.columns))
    table.add_section()
    table.add_row("GPUs", *(str(column.gpus) for column in made.columns))
    to_fit = ("–" if c.gpus_to_fit is None else str(c.gpus_to_fit) for c in made.columns)
    table.add_row("GPUs to fit", *to_fit)
    console.print(table)
    for column, way in zip(made.columns, ways, strict=True):
        if way is not None:
            _print_way(console, made.columns[made.baseline], column, way)


_Read = Callable[[Column], Answer]
_ANSWERS: tuple[tuple[str, _Read], ...] = (
    ("largest concurrency", attrgetter("largest_concurrency")),
    ("largest context at its concurrency", attrgetter("largest_context")),
)
_TP: tuple[str, _Read] = ("smallest TP", attrgetter("smallest_tp"))


def _verdict(column: Column) -> Text:
    status, rank = column.ledger.verdict.status, column.ledger.worst_rank
    if rank.over_bytes:
        said = f"{units.show_bytes(rank.over_bytes)} over"
    elif status is Status.FITS:
        said = f"{units.show_bytes(max(0, rank.free_bytes))} free"
    else:
        said = f"{units.show_bytes(max(0, rank.left_bytes))} left"
    ledger = column.ledger
    verdict = words.doubted(f"{words.status_text(ledger.verdict)}, {said}", ledger)
    text = f"{_SYMBOLS.get(ledger.verdict.shown, '✖')} {verdict}"
    return Text(text, style=_STYLES.get(words.shown_status(ledger), "red"))


def _answer(answer: Answer) -> str:
    if answer.answer is None:
        return "–"
    if answer.goal == "context":
        return units.format_tokens(told_context(answer.answer))
    return units.group_digits(answer.answer)


def _input(row: InputRow, cell: Cell) -> str:
    text = input_text(cell.value, row.kind)
    if not text and cell.default is not None:
        text = f"default {input_text(cell.default, row.kind)}"
    marks = [text or "–"]
    if cell.differs:
        marks.append("≠")
    if cell.factor is not None:
        marks.append(factor_text(cell.factor))
    return " ".join(marks)


def _size(cell: Cell) -> str:
    if not isinstance(cell.value, int):
        return "–" if cell.delta is None else f"– {_delta(int(cell.delta))}"
    text = _signed_bytes(cell.value, plus="")
    return text if cell.delta is None else f"{text} {_delta(int(cell.delta))}"


def _delta(size_bytes: int) -> str:
    return f"({_signed_bytes(size_bytes, plus='+')})"


def _signed_bytes(size_bytes: int, *, plus: str) -> str:
    return f"{'-' if size_bytes < 0 else plus}{units.show_bytes(abs(size_bytes))}"


def _used(column: Column) -> str:
    used, budget = column.used_bytes("gpu"), column.budget_bytes("gpu")
    return f"{units.show_bytes(used)} / {units.show_bytes(budget)}"


def _print_way(console: Console, base: Column, column: Column, way: Waterfall) -> None:
    """What each change moved, memory on the deciding GPU and requests that fit."""
    names = f"{base.scenario.name} → {column.scenario.name}"
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, title=Text(words.visible(names)), title_justify="left"
    )
    for heading in ("change", "used per GPU", "largest concurrency"):
        table.add_column(heading, justify="left" if heading == "change" else "right")
    for step in way.steps:
        names = ", ".join(input_name(name) for name in step.inputs)
        moved = f"{step.concurrency_delta:+,}" if step.concurrency_delta else "="
        grown = step.used_delta_bytes
        table.add_row(names, _signed_bytes(grown, plus="+") if grown else "=", moved)
    used = way.end.used_bytes - way.start.used_bytes
    requests = way.end.concurrency - way.start.concurrency
    table.add_row("together", _signed_bytes(used, plus="+"), f"{requests:+,}", style="bold")
    console.print(table)


# Exact numbers


def csv_lines(made: Comparison) -> Iterator[list[object]]:
    """A header, then a line a figure: section, name, unit, and the value of each scenario."""
    yield ["section", "row", "unit", *(guarded(c.scenario.name) for c in made.columns)]
    yield ["answer", "status", "", *(c.ledger.verdict.status.value for c in made.columns)]
    yield ["answer", "binding", "", *(c.ledger.verdict.binding for c in made.columns)]
    yield ["answer", "left", "bytes", *(c.left_bytes("gpu") for c in made.columns)]
    for name, read in (*_ANSWERS, _TP):
        unit = "tokens" if "context" in name else "count"
        yield ["answer", name, unit, *(read(c).answer for c in made.columns)]
    yield ["answer", "GPUs", "count", *(c.gpus for c in made.columns)]
    yield ["answer", "GPUs to fit", "count", *(c.gpus_to_fit for c in made.columns)]
    for row in made.inputs:
        unit = row.kind if row.kind in QUANTITIES else ""
        yield ["input", row.id, unit, *(guarded(_raw(cell.value)) for cell in row.cells)]
    for memory in made.memory:
        yield from _memory_lines(memory)
    yield ["per gpu", "used", "bytes", *(c.used_bytes("gpu") for c in made.columns)]
    yield ["per gpu", "engine may use", "bytes", *(c.budget_bytes("gpu") for c in made.columns)]


def _memory_lines(row: MemoryRow) -> Iterator[list[object]]:
    for section, cells in (("per gpu", row.per_gpu), ("all gpus", row.total)):
        yield [section, row.part, "bytes", *(cell.value for cell in cells)]


def _raw(value: object) -> object:
    """An amount as its bytes or its share; other parts as JSON has them."""
    if isinstance(value, Amount):
        return value.size_bytes if value.share is None else f"{value.share:g} of the card"
    if isinstance(value, BaseModel | tuple):
        return str(plain(value))
    return value

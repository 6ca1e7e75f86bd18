"""The sheet of a scenario: entries of every rank, figures, and the inputs that they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from workbench.export.ledger_rows import group_name, printed_formula, size_unit, unit_bytes
from workbench.export.options import Options
from workbench.export.sheets.expression import EXACT, live
from workbench.export.sheets.model import Block, Model, Node, is_fixed
from workbench.export.sheets.pen import (
    EVIDENCE,
    HEADING,
    INPUT,
    MUTED,
    NUMBERS,
    SIZE,
    TITLE,
    TOTAL,
    Look,
    Pen,
)
from workbench.export.sheets.swatch import swatch
from workbench.export.wording import part_name
from workbench.spec import units, words
from workbench.spec.ledger import Number, Term
from workbench.spec.words.tables import (
    SHEET_NOTES,
    TABLE_COLUMNS,
    TABLE_HEADINGS,
    TABLE_ROWS,
    TABLE_WORDS,
)

HEADER_ROW: Final = 3
_VALUE: Final = 2
_SIZE, _SHARE, _EVIDENCE, _LOW, _HIGH, _SOURCE, _FORMULA, _NUMBERS, _NOTE = range(3, 12)
_WIDTHS: Final = (2, 36, 20, 10, 10, 12, 16, 16, 28, 52, 52, 24)
"""Figures fill one printed page across, how they are reached the next."""
_WRAPPED: Final[Look] = {"text_wrap": True}
Link = Callable[[Term], str | None]
"""Returns the cell of the sheet of inputs that holds a term's value."""


@dataclass(frozen=True, slots=True)
class _Total:
    block: Block


_Line = str | Node | _Total
"""A heading, a figure, or the sum of a block."""


class LedgerSheet:
    """Lays a model out, then writes it."""

    def __init__(self, model: Model, options: Options) -> None:
        self.model = model
        self.options = options
        self._say = options.language.words
        self._lines: list[_Line] = []
        self._sums: dict[int, str] = {}
        """Cells of the sums, by block."""
        self._lay_out()

    def _lay_out(self) -> None:
        model, language = self.model, self.options.language
        for block in model.blocks:
            self._add(group_name(block.group, model.ledger, language))
            for node in (*block.entries, *block.rest):
                self._add(node)
            self._add(_Total(block))
        self._add(self._say(TABLE_HEADINGS["figures"]))
        for node in model.figures.values():
            if not node.cell:
                self._add(node)
        if model.others:
            self._add(self._say(TABLE_HEADINGS["terms"]))
        for node in model.others:
            self._add(node)

    def _add(self, line: _Line) -> None:
        row = HEADER_ROW + 1 + len(self._lines)
        self._lines.append(line)
        if isinstance(line, Node):
            line.cell = _cell(row)
        elif isinstance(line, _Total):
            self._sums[id(line.block)] = _cell(row)

    def write(self, pen: Pen, title: str, subtitle: str, link: Link) -> None:
        """Write every cell."""
        for column, width in enumerate(_WIDTHS):
            pen.width(column, column, width)
        pen.text(0, 1, title, **TITLE)
        pen.text(1, 1, subtitle, **MUTED)
        pen.text(2, 1, self._say(SHEET_NOTES["intro"]), **MUTED)
        pen.header(HEADER_ROW, self._columns(), (_VALUE, _SIZE, _SHARE, _LOW, _HIGH))
        for number, line in enumerate(self._lines):
            row = HEADER_ROW + 1 + number
            if isinstance(line, str):
                pen.text(row, 1, line, **HEADING)
            elif isinstance(line, _Total):
                self._total(pen, row, line.block)
            else:
                self._node(pen, row, line, link)
        pen.finish(HEADER_ROW, 2)

    def _columns(self) -> tuple[str, ...]:
        codes = (
            *("entry", "bytes", "", "share", "evidence", "low", "high"),
            *("source", "formula", "numbers", "note"),
        )
        texts = [self._say(TABLE_COLUMNS[code]) if code else "" for code in codes]
        texts[2] = size_unit(self.options.unit)
        return ("", *texts)

    def _node(self, pen: Pen, row: int, node: Node, link: Link) -> None:
        block = self._block_of(node)
        look: Look = {}
        if node.part:
            swatch(pen, row, 0, node.part)
        pen.text(row, 1, self._name(node), **_WRAPPED, indent=1)
        notes = self._value(pen, row, node, link, look)
        if node.term.unit == "bytes" and not isinstance(node.value, str):
            self._size(pen, row, node.value)
        elif node.term.unit in _COUNTED:
            pen.text(row, _SIZE, self._say(TABLE_WORDS[node.term.unit]), indent=1, **MUTED)
        if block is not None and not isinstance(node.value, str):
            self._share(pen, row, node.value, block)
        self._told(pen, row, node)
        if notes:
            pen.text(row, _NOTE, " · ".join(notes), **MUTED, **_WRAPPED)

    def _name(self, node: Node) -> str:
        language = self.options.language
        if node.entry is not None:
            return words.entry_text(node.entry, self._say)
        if node.part:
            return part_name(node.part, language)
        return words.term_text(node.term, self._say)

    def _value(self, pen: Pen, row: int, node: Node, link: Link, look: Look) -> list[str]:
        """Write the figure, live where it can be; return what is to be said of it."""
        value, notes = node.value, []
        if isinstance(value, str):
            pen.text(row, _VALUE, value, align="right")
            return []
        form = "0.######%" if node.term.unit == "share" else _form(value, node.term.unit)
        formula = formula_of(node) or (None if node.needs else link(node.term))
        if formula is not None:
            pen.formula(row, _VALUE, formula, value, form, **look)
        elif node.needs or is_fixed(node):
            pen.number(row, _VALUE, value, form, **look)
            notes.append(self._say(SHEET_NOTES["fixed"]))
        else:
            pen.number(row, _VALUE, value, form, **look, **INPUT)
        if isinstance(value, int) and abs(value) >= EXACT:
            exact = units.group_digits(value)
            notes.append(words.fill(self._say(SHEET_NOTES["exact"]), {"value": exact}))
        return notes

    def _size(self, pen: Pen, row: int, value: Number, **look: Any) -> None:
        large = unit_bytes(size_unit(self.options.unit))
        size = float(value) / large
        pen.formula(row, _SIZE, f"{_cell(row)}/{large}", size, SIZE, **look)

    def _share(self, pen: Pen, row: int, value: Number, block: Block, **look: Any) -> None:
        whole = sum_bytes(block)
        if whole > 0:
            formula = f"{_cell(row)}/{self._sums[id(block)]}"
            pen.formula(row, _SHARE, formula, float(value) / whole, "0.0%", **look)

    def _total(self, pen: Pen, row: int, block: Block) -> None:
        pen.text(row, 1, self._say(TABLE_ROWS["total"]), **TOTAL)
        lines = [*block.entries, *block.rest]
        pen.formula(
            row, _VALUE, f"SUM({lines[0].cell}:{lines[-1].cell})", sum_bytes(block), **TOTAL
        )
        self._size(pen, row, sum_bytes(block), **TOTAL)
        self._share(pen, row, sum_bytes(block), block, **TOTAL)

    def _told(self, pen: Pen, row: int, node: Node) -> None:
        """Say how sure a figure is, within what limits, by which formula, from where."""
        term, entry = node.term, node.entry
        evidence = term.evidence.value
        pen.text(
            row,
            _EVIDENCE,
            self._say(words.EVIDENCE[evidence]),
            indent=1,
            bg_color=EVIDENCE[evidence],
        )
        if entry is not None:
            for column, size in ((_LOW, entry.low_bytes), (_HIGH, entry.high_bytes)):
                if size is not None:
                    pen.number(row, column, size, **MUTED)
        if node.formula is not None:
            names = words.formula_text(node.formula, filled=False, translate=self._say)
            numbers = words.formula_text(node.formula, translate=self._say)
            pen.text(row, _FORMULA, printed_formula(names), **_WRAPPED)
            pen.text(row, _NUMBERS, printed_formula(numbers), **_WRAPPED, **MUTED)
        pen.text(row, _SOURCE, words.source_text(term.source, self._say), **_WRAPPED, indent=1)

    def _block_of(self, node: Node) -> Block | None:
        return next((b for b in self.model.blocks if node in (*b.entries, *b.rest)), None)


_COUNTED: Final = ("tokens", "blocks")


def sum_bytes(block: Block) -> int:
    """Entries, headroom and free of a block together."""
    return sum(int(str(node.value)) for node in (*block.entries, *block.rest))


def formula_of(node: Node) -> str | None:
    """Return the formula that gives a node's figure from its cells; None where none does."""
    if node.formula is None or not node.needs or isinstance(node.value, str):
        return None
    values: dict[str, Number] = {}
    for symbol, other in node.needs.items():
        if isinstance(other.value, str):
            return None
        values[symbol] = other.value
    cells = {symbol: other.cell for symbol, other in node.needs.items()}
    return live(node.formula.expression, values, cells.__getitem__, node.value)


def _form(value: Number, unit: str) -> str:
    if isinstance(value, int) or float(value).is_integer():
        return NUMBERS["count"]
    return "#,##0.00####" if unit != "share" else NUMBERS["share"]


def _cell(row: int) -> str:
    return f"$C${row + 1}"

"""Formulas of the ledger as formulas of a spreadsheet, and what a spreadsheet would make of them.

A spreadsheet counts in doubles. So each formula is also worked out here in doubles, the same
operations in the same order: only one that gives the ledger's own figure is written as live.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from workbench.spec.ledger import Number

_TOKEN: Final = re.compile(
    r"\s*(?:([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)|\{([^{}]+)\}|(max|min)|([-+−×÷⌊⌋⌈⌉(),]))"
)
_CLOSING: Final = {"⌊": "⌋", "⌈": "⌉", "(": ")"}
_SIGNS: Final = {"+": "+", "-": "-", "−": "-", "×": "*", "÷": "/"}
_DECIMALS: Final = 3
"""Before ⌊⌋ and ⌈⌉, so that 28.999999999999996 counts as the 29 that 0.29 × 100 is."""
MOST_CHARACTERS: Final = 8_000
"""Of a formula; a spreadsheet takes 8,192."""
EXACT: Final = 2**53
"""Whole numbers beyond are not exact in a double."""


class NotPlain(Exception):
    """An expression that no spreadsheet formula says."""


@dataclass(frozen=True, slots=True)
class Node:
    """An operation over others: a sign, a function, "⌊", "⌈"; a number or a symbol has none."""

    kind: str
    parts: tuple[Node, ...] = ()
    number: Fraction = Fraction(0)
    symbol: str = ""


@lru_cache(maxsize=1024)
def read(expression: str) -> Node:
    """Read an expression; raise `NotPlain` where it holds what is not known."""
    reader = _Reader(expression)
    node = reader.sum()
    if reader.tokens:
        raise NotPlain(expression)
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[Node | str] = []
        self.text, at = text.rstrip(), 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise NotPlain(text)
            number, symbol, function, mark = match.groups()
            if number:
                self.tokens.append(Node("number", number=Fraction(number.replace(",", ""))))
            elif symbol:
                self.tokens.append(Node("symbol", symbol=symbol))
            else:
                self.tokens.append(function or mark)
            at = match.end()

    def _next_is(self, *marks: str) -> str | None:
        if self.tokens and self.tokens[0] in marks:
            return str(self.tokens.pop(0))
        return None

    def _expect(self, mark: str) -> None:
        if self._next_is(mark) is None:
            raise NotPlain(self.text)

    def sum(self) -> Node:
        node = self._product()
        while sign := self._next_is("+", "-", "−"):
            node = Node(_SIGNS[sign], (node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._factor()
        while sign := self._next_is("×", "÷"):
            node = Node(_SIGNS[sign], (node, self._factor()))
        return node

    def _factor(self) -> Node:
        if function := self._next_is("max", "min"):
            self._expect("(")
            parts = [self.sum()]
            while self._next_is(","):
                parts.append(self.sum())
            self._expect(")")
            return Node(function, tuple(parts))
        if opening := self._next_is("⌊", "⌈", "("):
            node = self.sum()
            self._expect(_CLOSING[opening])
            return node if opening == "(" else Node(opening, (node,))
        if not self.tokens or isinstance(self.tokens[0], str):
            raise NotPlain(self.text)
        token = self.tokens.pop(0)
        assert isinstance(token, Node)
        return token


def symbols(node: Node) -> set[str]:
    """Every symbol of an expression."""
    return {node.symbol} - {""} | {s for part in node.parts for s in symbols(part)}


# As a spreadsheet writes it

_BINDS: Final = {"+": 1, "-": 1, "*": 2, "/": 2}


def written(node: Node, cell_of: Callable[[str], str], *, rounded: bool) -> str:
    """Write the formula without its "="; `cell_of` names the cell of a symbol."""

    def say(one: Node) -> str:
        return written(one, cell_of, rounded=rounded)

    if node.kind == "symbol":
        return cell_of(node.symbol)
    if node.kind == "number":
        return _digits(node.number)
    if node.kind in ("max", "min"):
        return f"{node.kind.upper()}({','.join(map(say, node.parts))})"
    if node.kind in ("⌊", "⌈"):
        inner = say(node.parts[0])
        if rounded:
            inner = f"ROUND({inner},{_DECIMALS})"
        return f"INT({inner})" if node.kind == "⌊" else f"(-INT(-({inner})))"
    left, right = node.parts
    mine = _BINDS[node.kind]
    one, two = say(left), say(right)
    if _BINDS.get(left.kind, 3) < mine:
        one = f"({one})"
    if _BINDS.get(right.kind, 3) <= mine and (node.kind in "-/" or right.kind != node.kind):
        two = f"({two})"
    elif right.kind == node.kind:
        # The order of operations of doubles is kept.
        two = f"({two})"
    return f"{one}{node.kind}{two}"


def _digits(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else repr(float(number))


# As a spreadsheet counts


def counted(node: Node, values: Mapping[str, Number], *, rounded: bool) -> float:
    """Work out an expression in doubles; raise `NotPlain` where that gives no number."""
    try:
        value = _counted(node, values, rounded)
    except (ArithmeticError, ValueError) as error:
        raise NotPlain(node.kind) from error
    if not math.isfinite(value):
        raise NotPlain(node.kind)
    return value


def _counted(node: Node, values: Mapping[str, Number], rounded: bool) -> float:
    if node.kind == "symbol":
        return float(values[node.symbol])
    if node.kind == "number":
        return float(node.number)
    parts = [_counted(part, values, rounded) for part in node.parts]
    match node.kind:
        case "max":
            return max(parts)
        case "min":
            return min(parts)
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] - parts[1]
        case "*":
            return parts[0] * parts[1]
        case "/":
            return parts[0] / parts[1]
    value = math.floor(parts[0] * 1000 + 0.5) / 1000 if rounded else parts[0]
    return float(math.floor(value) if node.kind == "⌊" else math.ceil(value))


def live(
    expression: str, values: Mapping[str, Number], cell_of: Callable[[str], str], wanted: Number
) -> str | None:
    """Return the formula that gives `wanted`; None where no plain one does."""
    try:
        node = read(expression)
        whole = all(float(value).is_integer() for value in values.values())
        for rounded in (False, True) if whole else (True, False):
            if _same(counted(node, values, rounded=rounded), wanted):
                formula = written(node, cell_of, rounded=rounded)
                return formula if len(formula) <= MOST_CHARACTERS else None
    except (NotPlain, KeyError, OverflowError):
        return None
    return None


def _same(value: float, wanted: Number) -> bool:
    if isinstance(wanted, int):
        return abs(wanted) < EXACT and value == wanted
    return math.isclose(value, float(wanted), rel_tol=1e-12, abs_tol=1e-12)

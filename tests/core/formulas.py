"""A tiny reader of the ledger's formulas: what a person with a pocket calculator would get."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from workbench.spec.ledger import Formula, Term

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:,[0-9]{3})*)|\{([^{}]+)\}|(max|min)|([-+−×÷⌊⌋⌈⌉(),]))")
_CLOSING = {"⌊": "⌋", "⌈": "⌉", "(": ")"}


def value_of(term: Term) -> Fraction:
    """A term's number as the decimal that is shown for it."""
    if isinstance(term.value, float):
        return Fraction(repr(term.value))
    assert isinstance(term.value, int | Fraction), f"{term.symbol} is no number: {term.value!r}"
    return Fraction(term.value)


def evaluate(formula: Formula) -> Fraction:
    """The value of an expression over its terms."""
    symbols = [term.symbol for term in formula.terms]
    assert len(set(symbols)) == len(symbols), f"a symbol stands for two terms: {symbols}"
    return _Reader(formula).whole()


def computed_terms(formula: Formula) -> Iterator[Term]:
    """Every term that carries a formula, the terms of that formula too."""
    for term in formula.terms:
        if term.formula is not None:
            yield term
            yield from computed_terms(term.formula)


def all_terms(formula: Formula) -> Iterator[Term]:
    for term in formula.terms:
        yield term
        if term.formula is not None:
            yield from all_terms(term.formula)


class _Reader:
    def __init__(self, formula: Formula) -> None:
        self.values = {term.symbol: value_of(term) for term in formula.terms}
        self.tokens: list[Fraction | str] = []
        text, at = formula.expression, 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            assert match, f"cannot read {text[at:]!r} of {text!r}"
            number, symbol, function, mark = match.groups()
            if number:
                self.tokens.append(Fraction(number.replace(",", "")))
            elif symbol:
                self.tokens.append(self.values[symbol])
            else:
                self.tokens.append(function or mark)
            at = match.end()

    def whole(self) -> Fraction:
        value = self._sum()
        assert not self.tokens, f"left over: {self.tokens}"
        return value

    def _next_is(self, *marks: str) -> str | None:
        if self.tokens and self.tokens[0] in marks:
            return str(self.tokens.pop(0))
        return None

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._next_is("+", "-", "−"):
            value += self._product() if sign == "+" else -self._product()
        return value

    def _product(self) -> Fraction:
        value = self._factor()
        while sign := self._next_is("×", "÷"):
            value = value * self._factor() if sign == "×" else value / self._factor()
        return value

    def _factor(self) -> Fraction:
        if function := self._next_is("max", "min"):
            assert self._next_is("(")
            values = [self._sum()]
            while self._next_is(","):
                values.append(self._sum())
            assert self._next_is(")")
            return max(values) if function == "max" else min(values)
        if opening := self._next_is("⌊", "⌈", "("):
            value = self._sum()
            assert self._next_is(_CLOSING[opening]), f"{opening} is not closed"
            if opening == "⌊":
                return Fraction(value.__floor__())
            return Fraction(value.__ceil__()) if opening == "⌈" else value
        token = self.tokens.pop(0)
        assert isinstance(token, Fraction), f"{token} where a number should stand"
        return token

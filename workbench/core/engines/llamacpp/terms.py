"""Inputs of llama.cpp's formulas."""

from __future__ import annotations

from typing import Final

from workbench.spec.ledger import Evidence, Formula, Number, Source, Term, Unit

RULE: Final = Source("llamacpp_rule")


def given(symbol: str, value: Number, field: str, unit: Unit) -> Term:
    """A figure of the model or a flag."""
    return Term(symbol, value, unit, Evidence.GIVEN, Source("typed"), field)


def ruled(symbol: str, value: Number, unit: Unit = "count", field: str | None = None) -> Term:
    """A figure that follows from the engine's own rule."""
    return Term(symbol, value, unit, Evidence.COMPUTED, RULE, field)


def computed(
    symbol: str, value: int, expression: str, *terms: Term, field: str | None = None
) -> Term:
    """Bytes with the formula that gives them."""
    formula = Formula(expression, terms)
    return Term(symbol, value, "bytes", Evidence.COMPUTED, RULE, field, formula)


def summed(terms: tuple[Term, ...]) -> Formula:
    """The sum of terms."""
    return Formula(" + ".join(f"{{{term.symbol}}}" for term in terms) or "0", terms)

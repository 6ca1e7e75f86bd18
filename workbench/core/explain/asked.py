"""What a figure is looked up in, and how one is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.engines.explained import Explained, explained_of
from workbench.core.sheet import Sheet, sheet_of
from workbench.spec.ledger import Evidence, Formula, Ledger, Number, RankLedger, Source, Term, Unit
from workbench.spec.scenario import Scenario

BLOCKS: Final = Source("block_rule")
LEDGER: Final = Source("ledger")
TYPED: Final = Source("typed")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a figure is looked up in."""

    scenario: Scenario
    ledger: Ledger
    rank: RankLedger

    @property
    def sheet(self) -> Sheet:
        """The scenario's formula sheet."""
        return sheet_of(self.scenario)

    @property
    def explained(self) -> Explained:
        """The terms of the engine's rule."""
        return explained_of(self.scenario)


def computed(
    symbol: str,
    value: Number,
    unit: Unit,
    expression: str,
    *terms: Term,
    source: Source = LEDGER,
    field: str | None = None,
) -> Term:
    """Make a computed figure from its expression."""
    return Term(
        symbol, value, unit, Evidence.COMPUTED, source, field, Formula(expression, tuple(terms))
    )


def counted(symbol: str, number: int) -> Term:
    """A number of things that stand beside it, one by one."""
    return Term(symbol, number, "count", Evidence.COMPUTED, Source("counted"))


def sum_of(terms: tuple[Term, ...]) -> str:
    """Write terms as a sum."""
    return " + ".join(f"{{{term.symbol}}}" for term in terms) or "0"


def less(first: str, terms: tuple[Term, ...]) -> str:
    """Write a difference."""
    return " - ".join([f"{{{first}}}", *(f"{{{term.symbol}}}" for term in terms)])

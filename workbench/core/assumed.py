"""What ledgers take from rules of thumb and from fits: the one list that every count is of.

An entry counts once: the rates inside its formula are part of it. An input counts by itself where
its entry is surer than it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.spec.ledger import Entry, Evidence, Formula, Ledger, RankLedger, Term

Key = tuple[str, str]
"""("entry", its label) or ("term", its symbol)."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """An entry, or one input of an entry, that is assumed or fitted."""

    entry: Entry
    term: Term | None = None
    """The input; None for the entry itself."""

    @property
    def key(self) -> Key:
        """What it is called, whatever its value."""
        if self.term is None:
            return ("entry", self.entry.label)
        return ("term", self.term.symbol)


def unsure(rank: RankLedger, evidence: Evidence = Evidence.ASSUMED) -> tuple[Unsure, ...]:
    """Return what a rank takes from one evidence, each once."""
    # Such an entry inside another's formula is there already.
    told = {f"{entry.label}_bytes" for entry in rank.entries if entry.evidence is evidence}
    found: dict[tuple[object, ...], Unsure] = {}
    for entry in rank.entries:
        if entry.evidence is evidence:
            found["entry", entry.label] = Unsure(entry)
            continue
        for term in terms_of(entry.formula, evidence):
            if term.symbol not in told:
                # An input of several entries is one.
                key = ("term", term.symbol, term.value, term.field)
                found.setdefault(key, Unsure(entry, term))
    return tuple(found.values())


def terms_of(formula: Formula, evidence: Evidence) -> Iterator[Term]:
    """Return the inputs of an evidence, however deep; what one of them comes from is part of it."""
    for term in formula.terms:
        if term.evidence is evidence:
            yield term
        elif term.formula is not None:
            yield from terms_of(term.formula, evidence)


@dataclass(frozen=True, slots=True)
class UnsureCount:
    """How much of a plan is assumed or fitted."""

    assumed: int
    """Different entries and inputs, by name, over all scenarios."""
    fitted: int
    scenarios: int
    """How many scenarios take any of it."""


def count_unsure(ledgers: Iterable[Ledger]) -> UnsureCount:
    """Count what the deciding ranks of answers take from rules of thumb and from fits."""
    assumed: set[Key] = set()
    fitted: set[Key] = set()
    scenarios = 0
    for ledger in ledgers:
        one, two = (
            {item.key for item in unsure(ledger.worst_rank, evidence)}
            for evidence in (Evidence.ASSUMED, Evidence.FITTED)
        )
        assumed |= one
        fitted |= two
        scenarios += bool(one or two)
    return UnsureCount(len(assumed), len(fitted - assumed), scenarios)

"""What a ledger takes from a rule of thumb, as a list."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.gui.labels import visible
from workbench.gui.panels.ledger_rows import band_text, entry_name, term_value
from workbench.gui.tr import labelled, listed
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.ledger import Evidence, Formula, RankLedger, Term


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumed entry or input, in words."""

    text: str
    field: str | None = None
    entry: str = ""
    """The entry that it belongs to."""


def assumptions(rank: RankLedger) -> tuple[Assumption, ...]:
    """Return assumed entries, then assumed inputs of other entries, each once."""
    found: list[Assumption] = []
    told = {f"{entry.label}_bytes" for entry in rank.entries if entry.evidence is Evidence.ASSUMED}
    for entry in rank.entries:
        # An assumed entry inside another's formula has its own line already.
        terms = [term for term in _assumed_terms(entry.formula) if term.symbol not in told]
        if entry.evidence is Evidence.ASSUMED:
            said = listed((units.show_bytes(entry.bytes), band_text(entry)))
            field = terms[0].field if terms else None
            found.append(Assumption(labelled(entry_name(entry), said), field, entry.label))
        else:
            found.extend(
                Assumption(
                    f"{visible(words.term_text(term, words_tr))} {term_value(term)}",
                    term.field,
                    entry.label,
                )
                for term in terms
            )
    # An input of several entries is one assumption.
    return tuple({(item.text, item.field): item for item in reversed(found)}.values())[::-1]


def _assumed_terms(formula: Formula) -> list[Term]:
    found: list[Term] = []
    for term in formula.terms:
        if term.evidence is Evidence.ASSUMED:
            found.append(term)
        elif term.formula is not None:
            found.extend(_assumed_terms(term.formula))
    return found

"""What a ledger takes from a rule of thumb, as a list."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.gui.labels import visible
from workbench.gui.panels.ledger_rows import band_text, entry_name, term_value
from workbench.gui.tr import labelled, translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.ledger import Evidence, Formula, RankLedger, Source, Term


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumed or fitted entry or input, in words."""

    name: str
    value: str
    evidence: Evidence
    source: Source
    band: str = ""
    field: str | None = None
    entry: str = ""
    """The entry that it belongs to."""
    is_entry: bool = False

    @property
    def text(self) -> str:
        """The whole in a line."""
        if self.is_entry:
            return labelled(self.name, _with_band(self.value, self.band))
        return f"{self.name} {self.value}"


def _with_band(value: str, band: str) -> str:
    if not band:
        return value
    return translate("Panels", "{size}, {band}").format(size=value, band=band)


def assumptions(rank: RankLedger, evidence: Evidence = Evidence.ASSUMED) -> tuple[Assumption, ...]:
    """Return entries of an evidence, then such inputs of other entries, each once."""
    found: list[Assumption] = []
    told = {f"{entry.label}_bytes" for entry in rank.entries if entry.evidence is evidence}
    for entry in rank.entries:
        # Such an entry inside another's formula has its own line already.
        terms = [t for t in _terms_of(entry.formula, evidence) if t.symbol not in told]
        if entry.evidence is evidence:
            found.append(
                Assumption(
                    entry_name(entry),
                    units.show_bytes(entry.bytes),
                    evidence,
                    entry.source,
                    band_text(entry),
                    terms[0].field if terms else None,
                    entry.label,
                    is_entry=True,
                )
            )
        else:
            found.extend(_of_term(term, entry.label) for term in terms)
    # An input of several entries is one assumption.
    return tuple({(item.text, item.field): item for item in reversed(found)}.values())[::-1]


def _of_term(term: Term, entry: str) -> Assumption:
    name = visible(words.term_text(term, words_tr))
    return Assumption(name, term_value(term), term.evidence, term.source, "", term.field, entry)


def _terms_of(formula: Formula, evidence: Evidence) -> list[Term]:
    found: list[Term] = []
    for term in formula.terms:
        if term.evidence is evidence:
            found.append(term)
        elif term.formula is not None:
            found.extend(_terms_of(term.formula, evidence))
    return found

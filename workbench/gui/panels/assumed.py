"""What a ledger takes from a rule of thumb, as a list."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.assumed import Unsure, terms_of, unsure
from workbench.gui.labels import visible
from workbench.gui.panels.ledger_rows import band_text, entry_name, term_value
from workbench.gui.tr import labelled, translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.ledger import Evidence, RankLedger, Source


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
    """Return what a rank takes from one evidence, in words: the list that exports count."""
    return tuple(_worded(item, evidence) for item in unsure(rank, evidence))


def _worded(item: Unsure, evidence: Evidence) -> Assumption:
    entry, term = item.entry, item.term
    if term is not None:
        name = visible(words.term_text(term, words_tr))
        return Assumption(
            name, term_value(term), evidence, term.source, "", term.field, entry.label
        )
    field = next((inner.field for inner in terms_of(entry.formula, evidence)), None)
    return Assumption(
        entry_name(entry),
        units.show_bytes(entry.bytes),
        evidence,
        entry.source,
        band_text(entry),
        field,
        entry.label,
        is_entry=True,
    )

"""Verdicts in words; an answer that looks well says what it leaves out."""

from __future__ import annotations

from typing import Final

from workbench.export.options import Language
from workbench.spec import words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.words.tables import TABLE_WORDS

_ENGLISH: Final = Language()
_BETWEEN: Final = " · "


def verdict_word(ledger: Ledger, language: Language = _ENGLISH) -> str:
    """The verdict in a word; one that leaves something out says so: "Fits, without weights"."""
    word = language.words(words.STATUS[ledger.verdict.status.value])
    return _doubted(word, ledger, language)


def verdict_sentence(ledger: Ledger, language: Language = _ENGLISH) -> str:
    """The verdict in a sentence; one that leaves something out says so with what is left."""
    first, *rest = words.verdict_text(ledger, language.words).split(_BETWEEN)
    return _BETWEEN.join((_doubted(first, ledger, language), *rest))


def _doubted(text: str, ledger: Ledger, language: Language) -> str:
    if not is_doubted(ledger):
        return text
    params = {"verdict": text, "doubt": language.labels("without.weights")}
    return words.fill(language.words(TABLE_WORDS["doubted"]), params)


def is_doubted(ledger: Ledger) -> bool:
    """Whether an answer that looks well leaves the weights out."""
    well = ledger.verdict.status in (Status.FITS, Status.TIGHT)
    return well and "weights" in ledger.not_modelled

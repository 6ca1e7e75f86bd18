"""A rank's ledger as rows of a tree: total, entries, their inputs, where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from workbench.gui.labels import visible
from workbench.gui.panels.row_model import Row
from workbench.gui.tr import listed, translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.deployment import Reserves
from workbench.spec.ledger import Entry, Evidence, Formula, RankLedger, Source, Term
from workbench.spec.units import MINUS

_JOINED = "\u00a0"


def badge_of(evidence: Evidence) -> str:
    """Return the word of an evidence."""
    return words_tr(words.EVIDENCE[evidence.value])


def entry_name(entry: Entry) -> str:
    """Return the name of an entry."""
    return words.entry_text(entry, words_tr)


def kind_name(code: str) -> str:
    """Return the name of a kind of entry, of the headroom or of what is free."""
    return words_tr(words.KINDS.get(code, code))


def exact_bytes(size_bytes: int) -> str:
    """Return bytes in full."""
    return f"{units.group_digits(size_bytes)} B"


def band_text(entry: Entry) -> str:
    """Return low and high of an entry that is no exact arithmetic, empty without them."""
    low, high = entry.low_bytes, entry.high_bytes
    if low is None and high is None:
        return ""
    if high is None:
        return translate("Panels", "at least {low}, high end not known").format(
            low=units.show_bytes(low or 0)
        )
    if low is None:
        return translate("Panels", "at most {high}").format(high=units.show_bytes(high))
    return translate("Panels", "from {low} to {high}").format(
        low=units.show_bytes(low), high=units.show_bytes(high)
    )


def formula_text(formula: Formula) -> str:
    """Print a formula with its numbers, as it is read: with a minus, not a hyphen."""
    text = words.formula_text(formula, translate=words_tr)
    return visible(text.replace(" - ", f" {MINUS} "))


def headroom_name(rank: RankLedger, reserves: Reserves) -> str:
    """Return the name of the headroom, with what was asked for where less is left of it."""
    asked_bytes = reserves.asked_bytes(rank.total_bytes, rank.place)
    if asked_bytes <= rank.headroom_bytes:
        return kind_name("headroom")
    return translate("Panels", "{name}, asked: {size}").format(
        name=kind_name("headroom"), size=units.show_bytes(asked_bytes)
    )


def stack_rows(
    rank: RankLedger, reserves: Reserves, not_modelled: Sequence[str] = ()
) -> tuple[Row, ...]:
    """Return the rank's whole stack, its total, and what has no line."""
    rows = [entry_row(entry) for entry in rank.entries]
    headroom = _plain_row("headroom", rank.headroom_bytes)
    rows.append(replace(headroom, name=headroom_name(rank, reserves)))
    rows.append(_plain_row("free", rank.free_bytes))
    total = rank.total_bytes
    rows.append(
        Row(
            translate("Panels", "Card total"),
            units.show_bytes(total),
            exact=exact_bytes(total),
            tip=translate("Panels", "Entries + headroom + free = total"),
            field="gpu.device_total_bytes",
            strong=True,
        )
    )
    if not_modelled:
        rows.append(not_modelled_row(not_modelled))
    return tuple(rows)


def not_modelled_row(codes: Sequence[str]) -> Row:
    """Return what no line stands for, in words."""
    children = tuple(
        Row(words_tr(words.NOT_MODELLED.get(code, code)), quiet=True) for code in codes
    )
    name = translate("Panels", "Not modelled: {number}").format(number=len(codes))
    return Row(name, quiet=True, children=children)


def _plain_row(code: str, size_bytes: int) -> Row:
    shown = units.show_bytes(size_bytes).replace("-", MINUS)
    return Row(kind_name(code), shown, exact=exact_bytes(size_bytes), key=code)


def entry_row(entry: Entry) -> Row:
    """Return an entry with its formula's inputs below."""
    name = entry_name(entry)
    if name.endswith(" %"):
        # A share is not torn from what it is a share for at the end of a line.
        name = _JOINED.join(name.rsplit(" ", 2))
    if not entry.in_budget:
        name = translate("Panels", "{name}, outside").format(name=name)
    return Row(
        name,
        units.show_bytes(entry.bytes),
        badge_of(entry.evidence),
        exact=exact_bytes(entry.bytes),
        tip=_entry_tip(entry),
        key=entry.label,
        children=partial(entry_parts, entry),
    )


def _entry_tip(entry: Entry) -> str:
    parts = [band_text(entry)]
    if not entry.in_budget:
        parts.append(translate("Panels", "outside the engine's budget"))
    return listed(parts)


def entry_parts(entry: Entry) -> tuple[Row, ...]:
    """Return the formula's inputs, the band and the source of an entry."""
    rows = [_term_row(term) for term in entry.formula.terms]
    band = band_text(entry)
    if band:
        rows.append(Row(band, quiet=True))
    rows.append(source_row(entry.source))
    return tuple(rows)


def _term_row(term: Term) -> Row:
    tip = ""
    if term.formula is not None:
        tip = formula_text(term.formula)
    return Row(
        visible(words.term_text(term, words_tr)),
        term_value(term),
        badge_of(term.evidence),
        exact=words.value_text(term.value, term.unit),
        tip=tip,
        field=term.field,
        children=partial(term_parts, term),
    )


def term_parts(term: Term) -> tuple[Row, ...]:
    """Return the formula that a term came from with its own inputs, and its source."""
    rows: list[Row] = []
    if term.formula is not None:
        formula = formula_text(term.formula)
        if len(term.formula.terms) > 1:
            rows.append(Row(f"= {formula}", quiet=True))
        rows += [_term_row(inner) for inner in term.formula.terms]
    rows.append(source_row(term.source))
    return tuple(rows)


def term_value(term: Term) -> str:
    """Return a term's value as it reads best; its exact figure stands in the tool tip."""
    if term.unit == "bytes" and not isinstance(term.value, str):
        return units.show_bytes(int(term.value))
    return visible(words.value_text(term.value, term.unit))


def source_row(source: Source) -> Row:
    """Return where a figure comes from."""
    text = visible(words.source_text(source, words_tr))
    return Row(translate("Panels", "source: {text}").format(text=text), quiet=True)

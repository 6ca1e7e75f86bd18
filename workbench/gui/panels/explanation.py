"""What is said about a number: its value, its formula with the numbers in it, inputs, sources."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from workbench.core.budget import ledger_of
from workbench.gui.fields.origin import pristine_of
from workbench.gui.fields.wording import field_help, field_label
from workbench.gui.labels import visible
from workbench.gui.panels import ledger_rows
from workbench.gui.panels.explain import OUTSIDE, rank_of, selected_entries, uses
from workbench.gui.panels.row_model import Row
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.why import FIELD, FIGURE, Pair, Why
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Entry, Ledger, RankLedger, Term
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of what is said, from the top."""

    headline: str
    where: str = ""
    formula: str = ""
    band: str = ""
    badge: str = ""
    rows: tuple[Row, ...] = ()
    open_up_to: int = 12
    """Rows with at most so many parts are shown open."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A scenario as it is shown, and the rank that is looked at."""

    scenario_id: str
    scenario: Scenario
    ledger: Ledger
    rank: RankLedger
    at: str = ""
    """The values that a cell of a map has instead of the scenario's own."""


def subject_of(session: Session, why: Why | None) -> Subject | None:
    """Return what a number belongs to: its scenario, else the one that is looked at.

    None for a cell of a map that the scenario cannot have any more.
    """
    scenario_id = session.current_id if why is None or why.scenario is None else why.scenario
    if scenario_id is None:
        return None
    if why is not None and why.at is not None:
        return _subject_at(session.shown(scenario_id), why.at)
    ledger = session.ledger(scenario_id)
    number = -1 if why is None else why.rank
    rank = rank_of(ledger.ranks, number) or ledger.worst_rank
    return Subject(scenario_id, session.shown(scenario_id), ledger, rank)


def _subject_at(scenario: Scenario, at: Pair) -> Subject | None:
    # The map's modules are read when somebody asks: the window starts sooner.
    from workbench.charts.map_text import value_text
    from workbench.core.surface import with_pair

    (x, x_value), (y, y_value) = at
    try:
        scenario = with_pair(scenario, x, x_value, y, y_value)
    except (UserError, ValidationError):
        return None
    ledger = ledger_of(scenario)
    values = " × ".join(value_text(field, value) for field, value in at)
    return Subject(scenario.id, scenario, ledger, ledger.worst_rank, values)


def explanation(session: Session, why: Why | None) -> Explanation:
    """Explain a number; without one the whole card of the rank that decides."""
    if why is not None and why.term is not None:
        return _of_term(why.term, "")
    subject = subject_of(session, why)
    if subject is None:
        return Explanation(translate("Panels", "No scenario"))
    where = _of_other(session, subject) + (f" · {subject.at}" if subject.at else "")
    key = "" if why is None else why.key
    if key.startswith(FIGURE):
        return _of_figure(subject, key.removeprefix(FIGURE), where)
    if key.startswith(FIELD):
        first, *others = key.removeprefix(FIELD).split(",")
        if others:
            return _of_fields(session, subject, (first, *others), where)
        return _of_field(session, subject, first, where)
    entries = selected_entries(subject.rank, key)
    if len(entries) == 1:
        return _of_entry(entries[0], subject, where)
    if entries:
        return _of_kind(key, entries, subject, where)
    if key in ("headroom", "free"):
        return _of_rest(session, subject, key, where)
    return _of_stack(subject, where)


def _of_other(session: Session, subject: Subject) -> str:
    """Name the scenario where it is not the one that is looked at."""
    if subject.scenario_id == session.current_id:
        return ""
    name = visible(subject.ledger.scenario.name)
    return " · " + translate("Panels", "in {scenario}").format(scenario=name)


def _bytes_where(size_bytes: int, subject: Subject, other: str) -> str:
    exact, total = ledger_rows.exact_bytes(size_bytes), subject.rank.total_bytes
    share = units.show_share(size_bytes / total, 1) if total else ""
    text = translate("Panels", "{bytes}, {share} of the card").format(bytes=exact, share=share)
    return text + other


# Entries


def _of_entry(entry: Entry, subject: Subject, other: str) -> Explanation:
    name, size = ledger_rows.entry_name(entry), units.show_bytes(entry.bytes)
    formula = ledger_rows.formula_text(entry.formula)
    band = ledger_rows.band_text(entry)
    return Explanation(
        f"{name} {size}",
        _bytes_where(entry.bytes, subject, other),
        f"= {formula}",
        band,
        ledger_rows.badge_of(entry.evidence),
        tuple(row for row in ledger_rows.entry_parts(entry) if row.name != band),
    )


def _of_kind(key: str, entries: tuple[Entry, ...], subject: Subject, other: str) -> Explanation:
    size = sum(entry.bytes for entry in entries)
    name = ledger_rows.kind_name(key.removeprefix(OUTSIDE))
    names = " + ".join(ledger_rows.entry_name(entry) for entry in entries)
    return Explanation(
        f"{name} {units.show_bytes(size)}",
        _bytes_where(size, subject, other),
        f"= {names}",
        rows=tuple(ledger_rows.entry_row(entry) for entry in entries),
    )


def _of_rest(session: Session, subject: Subject, key: str, other: str) -> Explanation:
    rank = subject.rank
    size = rank.headroom_bytes if key == "headroom" else rank.free_bytes
    how = {
        "headroom": translate("Panels", "kept of what the entries leave"),
        "free": translate("Panels", "card total less entries and headroom"),
    }[key]
    return Explanation(
        f"{ledger_rows.kind_name(key)} {units.show_bytes(size)}",
        _bytes_where(size, subject, other),
        f"= {how}",
        rows=ledger_rows.stack_rows(rank, subject.scenario.reserves),
    )


def _of_stack(subject: Subject, other: str) -> Explanation:
    rank = subject.rank
    used = rank.charged_bytes
    headline = translate("Panels", "{used} of {total}").format(
        used=units.show_bytes(used), total=units.show_bytes(rank.total_bytes)
    )
    return Explanation(
        headline,
        _bytes_where(used, subject, other),
        translate("Panels", "Entries + headroom + free = card total"),
        rows=ledger_rows.stack_rows(rank, subject.scenario.reserves, subject.ledger.not_modelled),
        open_up_to=0,
    )


# Figures and fields


def _of_figure(subject: Subject, name: str, other: str) -> Explanation:
    # The terms of an engine are read when somebody asks: the window starts sooner.
    from workbench.core.explain import figure

    term = figure(subject.scenario, subject.ledger, name, subject.rank.rank)
    if term is None:
        return _of_stack(subject, other)
    return _of_term(term, other)


def _of_term(term: Term, other: str) -> Explanation:
    name = visible(words.term_text(term, words_tr))
    formula, rows = "", list(ledger_rows.term_parts(term))
    if term.formula is not None:
        formula = "= " + ledger_rows.formula_text(term.formula)
        rows = [row for row in rows if row.name != formula]
    if term.field is not None:
        rows.append(_set_by(term.field))
    return Explanation(
        f"{name} {ledger_rows.term_value(term)}",
        visible(words.value_text(term.value, term.unit)) + other,
        formula,
        badge=ledger_rows.badge_of(term.evidence),
        rows=tuple(rows),
    )


def _set_by(field_id: str) -> Row:
    name = translate("Panels", "set by: {field}").format(field=field_label(field_id))
    return Row(name, tip=field_help(field_id), field=field_id)


def _field_term(session: Session, subject: Subject, field_id: str) -> Term:
    from workbench.core.explain.fields import field_term

    scenario = subject.scenario
    pristine = pristine_of(field_id.partition(".")[0], scenario, session.library)
    return field_term(scenario, subject.ledger, field_id, pristine)


def _of_fields(
    session: Session, subject: Subject, field_ids: tuple[str, ...], other: str
) -> Explanation:
    """Each field with its value and where that comes from."""
    terms = [_field_term(session, subject, field_id) for field_id in field_ids]
    rows = tuple(
        Row(
            field_label(term.symbol),
            ledger_rows.term_value(term),
            ledger_rows.badge_of(term.evidence),
            field=term.field,
            children=(ledger_rows.source_row(term.source),),
        )
        for term in terms
    )
    headline = translate("Panels", "{number} fields").format(number=len(rows))
    return Explanation(headline, visible(subject.ledger.scenario.name) + other, rows=rows)


def _of_field(session: Session, subject: Subject, field_id: str, other: str) -> Explanation:
    from workbench.core.explain.fields import source_texts

    term = _field_term(session, subject, field_id)
    rows = [ledger_rows.source_row(term.source)]
    if term.source.code != "typed":
        texts = source_texts(subject.scenario, field_id)
        rows += [Row(visible(text), quiet=True) for text in texts]
    rows.append(_set_by(field_id))
    used = tuple(
        ledger_rows.entry_row(entry)
        for entry in subject.rank.entries
        if uses(entry.formula, field_id)
    )
    if used:
        name = translate("Panels", "Used by: {number}").format(number=len(used))
        rows.append(Row(name, quiet=True, children=used))
    return Explanation(
        f"{field_label(field_id)} {ledger_rows.term_value(term)}",
        visible(words.value_text(term.value, term.unit)) + other,
        field_help(field_id),
        badge=ledger_rows.badge_of(term.evidence),
        rows=tuple(rows),
    )

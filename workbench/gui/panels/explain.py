"""Finding entries of a ledger: by what was selected in a bar, by the field they depend on."""

from __future__ import annotations

from workbench.gui.tr import translate
from workbench.spec.ledger import Entry, Formula, Ledger, RankLedger

OUTSIDE = "outside:"


def entry_using(rank: RankLedger, field_id: str) -> Entry | None:
    """Return the largest entry of a rank whose formula takes a field, however deep."""
    found = [entry for entry in rank.entries if uses(entry.formula, field_id)]
    return max(found, key=lambda entry: entry.bytes, default=None)


def uses(formula: Formula, field_id: str) -> bool:
    """Whether a formula, or one inside it, takes a field."""
    return any(
        term.field == field_id or (term.formula is not None and uses(term.formula, field_id))
        for term in formula.terms
    )


def selected_entries(rank: RankLedger, key: str) -> tuple[Entry, ...]:
    """Return the entries behind a key: one entry's label, or the kind a bar's part shows."""
    one = tuple(entry for entry in rank.entries if entry.label == key)
    kind = key.removeprefix(OUTSIDE)
    in_budget = not key.startswith(OUTSIDE)
    parts = tuple(
        entry
        for entry in rank.entries
        if entry.kind.value == kind and (entry.in_budget is in_budget or kind == "unrequested")
    )
    # A part of a bar may hold several entries, one of which has the part's own name.
    return parts if len(parts) > 1 and kind == key else one or parts


def rank_of(ranks: tuple[RankLedger, ...], number: int) -> RankLedger | None:
    """Return the rank with a number, None where the layout no longer has it."""
    return next((rank for rank in ranks if rank.rank == number), None)


def distinct_ranks(ranks: tuple[RankLedger, ...]) -> tuple[RankLedger, ...]:
    """Return one rank of each kind: the first of those with equal entries."""
    found: list[RankLedger] = []
    for rank in ranks:
        # Ranks of a stage share their entries, so most comparisons end at once.
        if not any(rank.entries == other.entries for other in found):
            found.append(rank)
    return tuple(found)


def rank_text(rank: RankLedger, ledger: Ledger) -> str:
    """Name the ranks that hold the same entries as one of them; the worst are marked."""
    if rank.place == "host":
        return translate("Panels", "host memory")
    alike = [other.rank for other in ledger.ranks if other.entries == rank.entries]
    text = translate("Panels", "stage {stage}, ranks {ranks}")
    if len(alike) == 1:
        text = translate("Panels", "stage {stage}, rank {ranks}")
    text = text.format(stage=rank.stage, ranks=spans(alike))
    if ledger.worst_rank.rank in alike:
        text += ", " + translate("Panels", "decides")
    return text


def spans(numbers: list[int]) -> str:
    """Write 0, 1, 2, 5 as "0–2, 5"."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in spans)

"""How far answers move, in words: the same on the command line and in the window."""

from __future__ import annotations

from collections.abc import Callable

from workbench.library.preset_diff import Difference
from workbench.library.stale import Figures, Move, Stale
from workbench.spec import words
from workbench.spec.units import show_number
from workbench.spec.words.record import MOVES
from workbench.spec.words.stale import STALE

_MOST_FIELDS = 6
_LONGEST_VALUE = 40


def _same(text: str) -> str:
    return text


def stale_text(stale: Stale, translate: Callable[[str], str] = _same) -> str:
    """Say what of a preset has changed."""
    if stale.gone:
        return words.fill(translate(MOVES["gone"]), {"reference": stale.reference})
    # The reference tells the revision; it counts up with every change.
    changed = [_change_text(change) for change in stale.changes]
    changed = changed or [field for field in stale.fields if field != "rev"] or list(stale.fields)
    fields = ", ".join(changed[:_MOST_FIELDS])
    if len(changed) > _MOST_FIELDS:
        fields += ", …"
    params = {"reference": stale.reference, "fields": fields}
    template = STALE["rules"] if stale.part == "engine" else MOVES["changed"]
    return words.fill(translate(template), params)


def _change_text(change: Difference) -> str:
    values = (change.before, change.after)
    if any(value is None or isinstance(value, tuple) for value in values):
        return words.visible(change.path)
    before, after = (_value_text(value) for value in values)
    return words.visible(f"{change.path} {before} → {after}")


def _value_text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return show_number(value)
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def figures_text(
    before: Figures, after: Figures | None, translate: Callable[[str], str] = _same
) -> str:
    """Say what of an answer moves: verdict, requests, what is left."""
    if after is None:
        return translate(STALE["invalid"])

    def said(code: str, **params: object) -> str:
        return words.fill(translate(MOVES[code]), params)

    parts = []
    if before.status is not after.status:
        names = (translate(words.STATUS[one.status.value]) for one in (before, after))
        parts.append(said("status", **dict(zip(("before", "after"), names, strict=True))))
    if before.most_requests != after.most_requests:
        parts.append(said("most_requests", before=before.most_requests, after=after.most_requests))
    if before.left_bytes != after.left_bytes:
        parts.append(said("left", before_bytes=before.left_bytes, after_bytes=after.left_bytes))
    return ", ".join(parts) or said("same")


def move_text(move: Move, translate: Callable[[str], str] = _same) -> str:
    """Say what changes and what moves with it."""
    one = len(move.stale) == 1
    what = stale_text(move.stale[0], translate) if one else translate(MOVES["all"])
    moved = figures_text(move.before, move.after, translate)
    return words.fill(translate(MOVES["moves"]), {"what": what, "moves": moved})

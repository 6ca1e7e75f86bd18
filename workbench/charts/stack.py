"""A rank's ledger as the parts of one bar, and how wide each part is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from workbench.charts.scale import Scale, whole
from workbench.spec.ledger import STACK_ORDER, Entry, EntryKind, RankLedger

HEADROOM: Final = "headroom"
FREE: Final = "free"
OUTSIDE: Final = "outside:"
_BESIDE: Final[Mapping[str, EntryKind]] = {
    **{OUTSIDE + kind.value: kind for kind in STACK_ORDER},
    EntryKind.UNREQUESTED.value: EntryKind.UNREQUESTED,
}
NARROWEST: Final = 2.0
"""Pixels that the smallest part takes with its gap; larger parts give them up."""


@dataclass(frozen=True, slots=True)
class Part:
    """One segment: a kind's entries on one side of the limit, the headroom, or what is free."""

    name: str
    """A kind, "headroom", "free", or "outside:" and a kind."""
    kind: EntryKind | None
    bytes: int
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """A rank's parts in drawing order."""

    inside: tuple[Part, ...]
    """What counts against the budget; over it when it does not fit."""
    outside: tuple[Part, ...]
    """What lies on the card beside the budget, drawn after it."""

    @property
    def inside_bytes(self) -> int:
        """Length of the first group."""
        return sum(part.bytes for part in self.inside)

    @property
    def extent_bytes(self) -> int:
        """Length of the whole bar: the card, and by how much it is exceeded."""
        return self.inside_bytes + sum(part.bytes for part in self.outside)


@dataclass(frozen=True, slots=True)
class Cell:
    """A part and its place on the axis, on whole pixels."""

    part: Part
    left: float
    right: float

    @property
    def width(self) -> float:
        """Pixels it takes with the gap that follows."""
        return self.right - self.left


def stack(ledger: RankLedger) -> Stack:
    """Return the parts of a rank; entries of one kind are one part, empty kinds are none."""
    found: dict[str, list[Entry]] = {}
    for entry in ledger.entries:
        beside = not entry.in_budget and entry.kind is not EntryKind.UNREQUESTED
        name = OUTSIDE + entry.kind.value if beside else entry.kind.value
        found.setdefault(name, []).append(entry)
    inside = [_part(kind.value, kind, found) for kind in STACK_ORDER if kind.value in found]
    inside.append(Part(HEADROOM, None, ledger.headroom_bytes))
    inside.append(Part(FREE, None, ledger.free_bytes))
    outside = [_part(name, kind, found) for name, kind in _BESIDE.items() if name in found]
    return Stack(_present(inside), _present(outside))


def drawn(ledger: RankLedger) -> Stack:
    """Return the parts that a bar shows: all, but past a full budget nothing is left unasked.

    What lies over takes the memory that the engine did not ask for; a box for that beyond the end
    of the card would say that there is more.
    """
    parts = stack(ledger)
    if not ledger.over_bytes:
        return parts
    asked = tuple(part for part in parts.outside if part.kind is not EntryKind.UNREQUESTED)
    return Stack(parts.inside, asked)


def past(parts: Stack, budget_bytes: int) -> dict[str, int]:
    """Return how many bytes of each part lie over the budget; parts within it are left out."""
    found: dict[str, int] = {}
    along = 0
    for part in parts.inside:
        along += part.bytes
        if along > budget_bytes:
            found[part.name] = min(part.bytes, along - budget_bytes)
    return found


def _part(name: str, kind: EntryKind, found: Mapping[str, list[Entry]]) -> Part:
    entries = found[name]
    return Part(name, kind, sum(entry.bytes for entry in entries), tuple(entries))


def _present(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.bytes > 0)


def place(parts: Stack, scale: Scale) -> tuple[Cell, ...]:
    """Place the parts on the axis, edge to edge.

    The bar as a whole, and the end of its first group, stand where the axis says, to half a
    pixel. Within a group no part is narrower than `NARROWEST` while there is room.
    """
    middle = scale.at(parts.inside_bytes)
    end = scale.at(parts.extent_bytes)
    inside = _place_group(parts.inside, scale, scale.at(0), middle)
    return inside + _place_group(parts.outside, scale, middle, end)


def _place_group(
    group: Sequence[Part], scale: Scale, left: float, right: float
) -> tuple[Cell, ...]:
    widths = _at_least([scale.length(part.bytes) for part in group], right - left)
    edges, along = [left], left
    for width in widths[:-1]:
        along += width
        edges.append(min(whole(along), right))
    edges.append(right)
    return tuple(
        Cell(part, before, after)
        for part, before, after in zip(group, edges, edges[1:], strict=False)
    )


def _at_least(widths: list[float], room: float) -> list[float]:
    """Widen narrow parts to the minimum and take it from what the others have above it."""
    if not widths:
        return []
    smallest = min(NARROWEST, room / len(widths))
    missing = fsum(max(0.0, smallest - width) for width in widths)
    spare = fsum(max(0.0, width - smallest) for width in widths)
    share = min(1.0, missing / spare) if spare else 0.0
    return [
        smallest if width <= smallest else width - (width - smallest) * share for width in widths
    ]

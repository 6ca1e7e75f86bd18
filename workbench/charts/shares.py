"""Sharing a width among columns that would like more than there is."""

from __future__ import annotations

from collections.abc import Sequence


def shrunk(needs: Sequence[float], room: float) -> list[float]:
    """Cut the widest columns to one width at which all fit; narrower ones keep what they need."""
    left, count = room, len(needs)
    most = room / count
    for need in sorted(needs):
        most = left / count
        if need > most:
            break
        left, count = left - need, count - 1
    return [min(need, most) for need in needs]

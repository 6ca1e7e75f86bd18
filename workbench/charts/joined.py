"""Several pictures as one: below each other, for a clipboard or a file that takes one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.charts.display import DisplayList, Hatch, Item, Line


def below_each_other(lists: Sequence[DisplayList], gap: float = 0.0) -> DisplayList:
    """Put display lists below each other, their left edges in line; hit regions are dropped."""
    items: list[Item] = []
    y = 0.0
    for number, made in enumerate(lists):
        y += gap if number else 0.0
        items += [_lower(item, y) for item in made.items]
        y += made.height
    return DisplayList(
        max((made.width for made in lists), default=1.0),
        max(y, 1.0),
        lists[0].background if lists else "#FFFFFF",
        tuple(items),
        (),
        "\n".join(made.summary for made in lists if made.summary),
    )


def _lower(item: Item, by: float) -> Item:
    if isinstance(item, Line):
        return replace(item, y1=item.y1 + by, y2=item.y2 + by)
    if isinstance(item, Hatch):
        lines = tuple((x1, y1 + by, x2, y2 + by) for x1, y1, x2, y2 in item.lines)
        return replace(item, y=item.y + by, lines=lines)
    return replace(item, y=item.y + by)

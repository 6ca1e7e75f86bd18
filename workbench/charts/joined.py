"""Several pictures as one, each moved to its place: for a page, a clipboard, a file."""

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
        items += moved(made.items, 0.0, y)
        y += made.height
    return DisplayList(
        max((made.width for made in lists), default=1.0),
        max(y, 1.0),
        lists[0].background if lists else "#FFFFFF",
        tuple(items),
        (),
        "\n".join(made.summary for made in lists if made.summary),
    )


def moved(items: Sequence[Item], right: float, down: float) -> list[Item]:
    """Return items at another place."""
    return [_moved(item, right, down) for item in items]


def _moved(item: Item, right: float, down: float) -> Item:
    if isinstance(item, Line):
        return replace(
            item, x1=item.x1 + right, y1=item.y1 + down, x2=item.x2 + right, y2=item.y2 + down
        )
    if isinstance(item, Hatch):
        lines = tuple(
            (x1 + right, y1 + down, x2 + right, y2 + down) for x1, y1, x2, y2 in item.lines
        )
        return replace(item, x=item.x + right, y=item.y + down, lines=lines)
    return replace(item, x=item.x + right, y=item.y + down)

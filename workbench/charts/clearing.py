"""A picture without its ground: what is empty lets through what lies behind the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from workbench.charts.display import Box, DisplayList, Item, Line, Rect

_KEPT: Final = "plate"
"""Digits on stripes need their ground."""


def cleared(made: DisplayList) -> DisplayList:
    """Return a picture whose empty areas are transparent; grid lines still end at them."""
    ground = made.background
    rects = [item for item in made.items if isinstance(item, Rect)]
    empty = [rect.box for rect in rects if _is_ground(rect, ground)]
    items: list[Item] = []
    for item in made.items:
        if isinstance(item, Rect) and _is_ground(item, ground):
            if item.stroke:
                items.append(replace(item, fill=None))
        elif isinstance(item, Line) and item.role == "grid":
            items += _cut(item, empty)
        else:
            items.append(item)
    return replace(made, items=tuple(items))


def _is_ground(rect: Rect, background: str) -> bool:
    return rect.fill == background and rect.role != _KEPT


def _cut(line: Line, boxes: Sequence[Box]) -> Iterator[Line]:
    """Yield the pieces of an upright line that lie in none of the boxes, from top to bottom."""
    y = line.y1
    over = [box for box in boxes if box.x <= line.x1 <= box.right and box.y < line.y2]
    for box in sorted(over, key=lambda one: one.y):
        if box.bottom <= y:
            continue
        if box.y > y:
            yield replace(line, y1=y, y2=box.y)
        y = box.bottom
    if y < line.y2:
        yield replace(line, y1=y)

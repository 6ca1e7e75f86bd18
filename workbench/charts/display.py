"""The display list: everything a picture holds, in drawing order, with exact geometry.

One unit is one device-independent pixel. Screen, PNG, SVG, PDF and slides are all made from
the same list, so nothing relies on clipping, on a brush pattern or on a device's text size.
Colours are "#RRGGBB"; texts are plain, never markup.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, NamedTuple

from workbench.charts.text import TextMeasure

Dash = Literal["solid", "dashed", "dotted"]
Anchor = Literal["start", "middle", "end"]
REGULAR: Final = 400
BOLD: Final = 700
_DECIMALS: Final = 2


class Box(NamedTuple):
    """An area: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def overlaps(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside; the left and upper edges belong to the box."""
        return self.x <= x < self.right and self.y <= y < self.bottom


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled or outlined rectangle; the outline lies inside the edges."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0
    dash: Dash = "solid"
    radius: float = 0.0
    role: str = ""

    @property
    def box(self) -> Box:
        """The area it covers."""
        return Box(self.x, self.y, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line with flat ends."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: str
    width: float = 1.0
    dash: Dash = "solid"
    role: str = ""

    @property
    def box(self) -> Box:
        """The area between its ends, without its thickness."""
        return Box(
            min(self.x1, self.x2),
            min(self.y1, self.y2),
            abs(self.x2 - self.x1),
            abs(self.y2 - self.y1),
        )


@dataclass(frozen=True, slots=True)
class Text:
    """One line of plain text; `y` is the middle of its capital letters and digits."""

    x: float
    y: float
    text: str
    size: float
    ink: str
    weight: int = REGULAR
    anchor: Anchor = "start"
    tabular: bool = False
    """Digits all of one width, for figures that stand under each other."""
    role: str = ""

    @property
    def bold(self) -> bool:
        """Whether it is set in the bold face."""
        return self.weight >= 600

    def box(self, measure: TextMeasure) -> Box:
        """Return the area that the line takes."""
        width, height = measure.width(self.text, self.size, self.bold), measure.height(self.size)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return Box(self.x - width * shift, self.y - height / 2, width, height)


@dataclass(frozen=True, slots=True)
class Hatch:
    """Parallel lines at 45°, each already cut to the rectangle it fills."""

    x: float
    y: float
    width: float
    height: float
    ink: str
    line_width: float
    lines: tuple[tuple[float, float, float, float], ...]
    """x1, y1, x2, y2 of each line."""
    role: str = ""

    @property
    def box(self) -> Box:
        """The area it fills."""
        return Box(self.x, self.y, self.width, self.height)


Item = Rect | Line | Text | Hatch


class Span(NamedTuple):
    """A band across a picture: from its upper to its lower edge."""

    top: float
    bottom: float


def reach(item: Item) -> tuple[float, float]:
    """Return the edges of the band that an item paints in, a little more rather than less."""
    # Plain numbers: they are asked of all items in every edit.
    if isinstance(item, Text):
        return item.y - item.size, item.y + item.size
    if isinstance(item, Line):
        return min(item.y1, item.y2) - item.width, max(item.y1, item.y2) + item.width
    return item.y - 1, item.y + item.height + 1


def items_in(items: Sequence[Item], within: Span) -> list[Item]:
    """Return the items that paint in a band."""
    found = []
    for item in items:
        top, bottom = reach(item)
        if top < within.bottom and within.top < bottom:
            found.append(item)
    return found


class HitKey(NamedTuple):
    """What a place in a chart belongs to."""

    scenario: str
    rank: int
    part: str


@dataclass(frozen=True, slots=True)
class HitRegion:
    """An area that answers to pointer and keyboard."""

    box: Box
    key: HitKey


@dataclass(frozen=True, slots=True)
class DisplayList:
    """A whole picture: items in drawing order, hit regions, and what it says in words."""

    width: float
    height: float
    background: str
    items: tuple[Item, ...]
    hits: tuple[HitRegion, ...] = ()
    summary: str = ""

    def hit(self, x: float, y: float) -> HitKey | None:
        """Return the key of the region at a point."""
        return next((region.key for region in self.hits if region.box.contains(x, y)), None)

    def difference(self, other: DisplayList) -> Span | None:
        """Return the band in which two pictures of one size differ, None where they are equal."""
        known = set(map(id, other.items))
        mine = [item for item in self.items if id(item) not in known]
        known = set(map(id, self.items))
        others = [item for item in other.items if id(item) not in known]
        # Most are the very same objects; the rest may still be equal.
        alike = set(mine) & set(others)
        bands = [reach(item) for item in (*mine, *others) if item not in alike]
        if not bands:
            return None
        return Span(min(top for top, _ in bands), max(bottom for _, bottom in bands))

    def with_role(self, prefix: str) -> tuple[Item, ...]:
        """Return the items whose role starts with a prefix."""
        return tuple(item for item in self.items if item.role.startswith(prefix))

    def to_json(self) -> str:
        """Return the list as JSON, the same on every machine: rounded, sorted, one item a line."""
        head = {
            "width": _rounded(self.width),
            "height": _rounded(self.height),
            "background": self.background,
            "summary": self.summary,
        }
        parts = [f" {_dumps(name)}: {_dumps(value)}" for name, value in head.items()]
        items = ",\n".join(f"  {_dumps(_item_dict(item))}" for item in self.items)
        hits = ",\n".join(f"  {_dumps([*map(_rounded, hit.box), *hit.key])}" for hit in self.hits)
        parts += [f' "items": [\n{items}\n ]', f' "hits": [\n{hits}\n ]']
        return "{\n" + ",\n".join(parts) + "\n}\n"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _rounded(value: float) -> float | int:
    number = round(float(value), _DECIMALS)
    return int(number) if number == int(number) else number


def _item_dict(item: Item) -> dict[str, object]:
    """Return the item's fields that differ from their defaults, numbers rounded."""
    found: dict[str, object] = {"item": type(item).__name__.lower()}
    for field in fields(item):
        value = getattr(item, field.name)
        if value == field.default:
            continue
        if field.name == "lines":
            value = [[_rounded(number) for number in line] for line in value]
        elif isinstance(value, float):
            value = _rounded(value)
        found[field.name] = value
    return found


def hatch(
    box: Box,
    ink: str,
    *,
    pitch: float,
    line_width: float,
    falling: bool = False,
    role: str = "",
) -> Hatch:
    """Fill a box with lines at 45° that end exactly on its edges.

    `pitch` is the distance from line to line along the edge; `falling` lines run from upper
    left to lower right. Lines of neighbouring boxes do not continue each other.
    """
    # A line with flat ends reaches past its end by this much, along either edge.
    inset = line_width / 2 * 0.5**0.5
    x, y, width, height = (
        box.x + inset,
        box.y + inset,
        box.width - 2 * inset,
        box.height - 2 * inset,
    )
    lines = []
    if width > 0 and height > 0:
        count = int((width + height) // pitch) + 1
        for number in range(count):
            # The line x + y = along, in coordinates of the inner box.
            along = (number + 0.5) * pitch
            if along >= width + height:
                break
            left, right = max(0.0, along - height), min(width, along)
            low, high = along - left, along - right
            if falling:
                low, high = height - low, height - high
            lines.append((x + left, y + low, x + right, y + high))
    return Hatch(*box, ink, line_width, tuple(lines), role)

"""How each part of a bar looks, in the bar itself and in the legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.charts.display import BOLD, Box, Dash, Hatch, Item, Rect, Text, hatch
from workbench.charts.palette import Theme
from workbench.charts.patterns import is_patterned, pattern
from workbench.charts.stack import FREE, HEADROOM, OUTSIDE
from workbench.charts.text import TextMeasure
from workbench.spec.ledger import EntryKind
from workbench.spec.units import ByteUnit

HAIRLINE: Final = 1.0
_NUMBER_SHARES: Final = (0.7, 0.55)
_LEAST_NUMBER_PX: Final = 12.0
GAP: Final = 1.5
OVER: Final = "over"
_UNREQUESTED: Final = EntryKind.UNREQUESTED.value
_KINDS: Final = {kind.value: kind for kind in EntryKind}
_DASHES: Final[dict[str, Dash]] = {FREE: "dashed", HEADROOM: "dotted"}
PART_ORDER: Final = (
    *(kind.value for kind in EntryKind if kind is not EntryKind.UNREQUESTED),
    HEADROOM,
    FREE,
    _UNREQUESTED,
    OVER,
)


@dataclass(frozen=True, slots=True)
class Style:
    """What every function that draws needs: colours, measure, unit and the text size in pixels."""

    theme: Theme
    measure: TextMeasure
    unit: ByteUnit
    em: float
    stretch: float = 1.0
    """How much thicker bars are than their text asks for: a page has room to fill."""

    @property
    def small(self) -> float:
        """Size of secondary text."""
        return max(1.0, round(self.em * 0.86))

    @property
    def number_sizes(self) -> tuple[tuple[float, float], ...]:
        """Sizes of the number in a part, each with the room beside it, the largest first.

        Small and close to the edge rather than none.
        """
        calm = ((self.em, self.em * 0.4), (self.small, self.small * 0.25))
        if self.small < _LEAST_NUMBER_PX:
            return calm
        smaller = (max(_LEAST_NUMBER_PX, round(self.em * share)) for share in _NUMBER_SHARES)
        return (*calm, *((size, size * 0.12) for size in smaller))

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of a text."""
        return self.measure.width(text, size, bold)

    def line(self, size: float) -> float:
        """Return the height of a line."""
        return self.measure.height(size)


def kind_of(part: str) -> EntryKind | None:
    """Return the kind whose colour a part has, None for headroom, free and over."""
    name = part.removeprefix(OUTSIDE)
    return _KINDS.get(name)


def part_items(part: str, box: Box, style: Style, role: str) -> list[Item]:
    """Draw one part into a box."""
    theme = style.theme
    if part == OVER:
        return over_items(box, style, role)
    kind = kind_of(part)
    if kind is None or kind is EntryKind.UNREQUESTED:
        # The ground covers grid lines: what is empty must look empty.
        dash = _DASHES.get(part, "solid")
        return [Rect(*box, theme.surface, theme.muted, HAIRLINE, dash, role=role)]
    items: list[Item] = [Rect(*box, fill=theme.fill(kind), role=role)]
    if kind is EntryKind.STATE:
        items.append(_stripes(box, theme.surface, style, role, thickness=0.1))
    lines = pattern(kind, box, theme, style.em, role)
    return items if lines is None else [*items, lines]


def over_items(box: Box, style: Style, role: str) -> list[Item]:
    """Draw what lies past the limit: hatched and outlined in the danger colour."""
    danger = style.theme.danger
    return [
        Rect(*box, fill=style.theme.surface, role=role),
        _stripes(box, danger, style, role, thickness=0.19, falling=True),
        Rect(*box, stroke=danger, stroke_width=HAIRLINE, role=role),
    ]


def _stripes(
    box: Box, ink: str, style: Style, role: str, *, thickness: float, falling: bool = False
) -> Hatch:
    # In the legend the box is small: closer stripes, so that it still looks hatched.
    pitch = min(style.em * 0.62, max(box.height * 0.5, 1.0))
    line_width = min(style.em * thickness, pitch / 2)
    return hatch(box, ink, pitch=pitch, line_width=line_width, falling=falling, role=role)


def number_items(text: str, part: str, box: Box, style: Style, *, past_limit: bool) -> list[Item]:
    """Write a part's number into its box, smaller where that is narrow, else nothing."""
    for size, padding in style.number_sizes:
        width, height = style.width(text, size, bold=True), style.line(size)
        if width + 2 * padding <= box.width and height <= box.height:
            break
    else:
        return []
    kind, theme = kind_of(part), style.theme
    if past_limit or kind is None or kind is EntryKind.UNREQUESTED:
        ink, fill = theme.muted, theme.surface
    else:
        ink, fill = theme.ink(kind), theme.fill(kind)
    if past_limit:
        ink = theme.danger
    middle_x, middle_y = box.x + box.width / 2, box.y + box.height / 2
    items: list[Item] = []
    if past_limit or kind is EntryKind.STATE or is_patterned(kind, theme):
        # Digits on stripes are hard to read: give them a plate of the ground colour.
        plate = width + 2 * padding
        items.append(
            Rect(middle_x - plate / 2, middle_y - height / 2, plate, height, fill, role="plate")
        )
    items.append(
        Text(
            middle_x,
            middle_y,
            text,
            size,
            ink,
            weight=BOLD,
            anchor="middle",
            tabular=True,
            role=f"label:{part}",
        )
    )
    return items

"""The three themes: colours proven to stay apart for every kind of colour vision.

Hex values and how they were checked: the six fills differ by at least 18 ΔE′ (CAM02-UCS) in all
pairs under normal vision, protanopia, deuteranopia and tritanopia, and by at least 3:1 in
contrast from surface and page. A test repeats the check.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from workbench.spec.ledger import EntryKind

BLACK: Final = "#000000"
WHITE: Final = "#FFFFFF"
FILLED_KINDS: Final = (
    EntryKind.WEIGHTS,
    EntryKind.RUNTIME,
    EntryKind.ACTIVATIONS,
    EntryKind.FRAGMENTATION,
    EntryKind.PREFIX,
    EntryKind.KV,
)


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of one appearance, all "#RRGGBB"; only their role has a name."""

    name: Literal["light", "dark", "contrast", "grey"]
    page: str
    """Behind the panels."""
    surface: str
    """Panels, charts and exported pictures."""
    sunken: str
    """Fields and other places that lie in a surface."""
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    success: str
    warning: str
    danger: str
    fills: tuple[str, str, str, str, str, str]
    """In the order of `FILLED_KINDS`."""
    patterned: bool = False
    """Each fill has a pattern of its own too, for grey print and for eyes that need it."""

    def with_patterns(self) -> Theme:
        """Return the theme with a pattern in every fill."""
        return self if self.patterned else replace(self, patterned=True)

    @property
    def segments(self) -> Mapping[EntryKind, str]:
        """Fill of each kind; `state` shares the KV fill and is told apart by its hatch."""
        return MappingProxyType({kind: self.fills[place] for kind, place in _PLACES.items()})

    def fill(self, kind: EntryKind) -> str:
        """Return the fill of a kind; `unrequested` is an empty outline on the surface."""
        place = _PLACES.get(kind)
        return self.surface if place is None else self.fills[place]

    def ink(self, kind: EntryKind) -> str:
        """Return black or white, whichever stands out more on the kind's fill."""
        return ink_on(self.fill(kind))


_PLACES: Final[Mapping[EntryKind, int]] = {
    **{kind: place for place, kind in enumerate(FILLED_KINDS)},
    EntryKind.STATE: FILLED_KINDS.index(EntryKind.KV),
}

LIGHT: Final = Theme(
    name="light",
    page="#F6F7F9",
    surface="#FFFFFF",
    sunken="#F6F7F9",
    line="#DDE1E7",
    text="#1B1F24",
    muted="#57606A",
    accent="#0B5CAD",
    on_accent="#FFFFFF",
    success="#1A7F4B",
    warning="#8F5200",
    danger="#B3261E",
    fills=("#242A7D", "#65627E", "#C2701A", "#723630", "#AC77DB", "#149F7E"),
)

DARK: Final = Theme(
    name="dark",
    page="#16181C",
    surface="#1E2126",
    sunken="#16181C",
    line="#31363E",
    text="#E6E8EB",
    muted="#A0A7B0",
    accent="#7CB7FF",
    on_accent="#10141A",
    success="#5ED49A",
    warning="#F8B74C",
    danger="#FF7A70",
    fills=("#5A68CA", "#9693AF", "#F8B74C", "#C96870", "#CFC7FF", "#2DEBB9"),
)

CONTRAST: Final = Theme(
    name="contrast",
    page="#000000",
    surface="#000000",
    sunken="#000000",
    line="#8E959F",
    text="#FFFFFF",
    muted="#D0D4DA",
    accent="#5CC8FF",
    on_accent="#000000",
    success="#6BE5A8",
    warning="#FFC857",
    danger="#FF8A80",
    fills=("#6A5FFF", "#917D8E", "#F3B806", "#CE4D32", "#CABDFF", "#52FEC8"),
    patterned=True,
)

GREY: Final = Theme(
    name="grey",
    page="#FFFFFF",
    surface="#FFFFFF",
    sunken="#F2F2F2",
    line="#D5D5D5",
    text="#141414",
    muted="#555555",
    accent="#333333",
    on_accent="#FFFFFF",
    success="#707070",
    warning="#333333",
    danger="#111111",
    fills=("#3A3A3A", "#8A8A8A", "#C4C4C4", "#6B6B6B", "#E4E4E4", "#ABABAB"),
    patterned=True,
)
"""For printing without colour: neighbours in a bar differ in lightness, and each has a pattern."""

THEMES: Final[Mapping[str, Theme]] = MappingProxyType(
    {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}
)


@functools.cache
def theme_on(ground: str, *, patterned: bool = False) -> Theme:
    """Return the theme that has a colour as one of its grounds, else the nearest in lightness."""
    found = next(
        (theme for theme in THEMES.values() if ground in (theme.surface, theme.page, theme.sunken)),
        LIGHT if luminance(ground) > 0.18 else DARK,
    )
    return found.with_patterns() if patterned else found


@functools.cache
def luminance(colour: str) -> float:
    """Return the relative luminance of "#RRGGBB", 0 to 1 (WCAG 2)."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16)) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(fill: str) -> str:
    """Return black or white, whichever has more contrast on the fill."""
    return max((WHITE, BLACK), key=lambda ink: contrast(ink, fill))


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour between two, `share` of the way to the other."""
    channels = (
        round(int(one[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)

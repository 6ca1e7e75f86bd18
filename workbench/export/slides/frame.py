"""Where title, content and footnote stand: ours, or where a template's own layout has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches

from workbench.charts.palette import ink_on
from workbench.export.slides.measure import EMU_PER_PT
from workbench.export.slides.native import Place
from workbench.export.slides.paragraph import A

_P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_MARGIN: Final = int(Inches(0.5))
_TITLE_TOP: Final = int(Inches(0.32))
_TITLE_HEIGHT: Final = int(Inches(0.75))
_TITLE_PT: Final = 28.0
_FOOT_HEIGHT: Final = int(Inches(0.42))
_GAP: Final = int(Inches(0.1))
_TITLES: Final = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_FOOTERS: Final = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)


@dataclass(frozen=True, slots=True)
class Frame:
    """The layout of our slides."""

    layout: Any
    title: Place
    title_pt: float
    """As large as a title may be."""
    area: Place
    """What a chart or a table may take: below the title, above the footnote."""
    foot: Place
    own: bool
    """Whether the title is put where we want it; a layout's own stays where it is."""


def frame_of(presentation: Any, *, own: bool) -> Frame:
    """Return where things stand on slides that are added to a presentation."""
    layout = title_only(presentation)
    width, height = int(presentation.slide_width), int(presentation.slide_height)
    room = width - 2 * _MARGIN
    title = Place(_MARGIN, _TITLE_TOP, room, _TITLE_HEIGHT)
    foot = Place(_MARGIN, height - _FOOT_HEIGHT, room, _FOOT_HEIGHT - int(Inches(0.08)))
    title_pt, given = _TITLE_PT, None
    if not own:
        given = _title_of(layout, width, height)
        foot = _foot_of(layout, width, height) or foot
    if given is not None:
        title, title_pt = given, _title_size(layout, given)
    left, right = title.x, title.x + title.width
    top = title.y + title.height + _GAP
    area = Place(left, top, right - left, foot.y - _GAP - top)
    return Frame(layout, title, title_pt, area, foot, given is None)


def title_only(presentation: Any) -> Any:
    """Return the layout with a title and as little else as there is."""
    layouts = [layout for master in presentation.slide_masters for layout in master.slide_layouts]

    def others(layout: Any) -> tuple[bool, int]:
        kinds = [shape.placeholder_format.type for shape in layout.placeholders]
        titles = [kind for kind in kinds if kind in _TITLES]
        return not titles, sum(kind not in _FOOTERS for kind in kinds) - len(titles)

    return min(layouts, key=others)


def is_title(shape: Any) -> bool:
    """Whether a placeholder is that of the title."""
    return shape.placeholder_format.type in _TITLES


def _title_of(layout: Any, width: int, height: int) -> Place | None:
    """Return the place of a layout's title; None where content would have no room below it."""
    for shape in layout.placeholders:
        if is_title(shape):
            place = _place_of(shape)
            if place is None:
                return None
            inside = place.x >= 0 and place.y >= 0 and place.x + place.width <= width
            low = place.y + place.height > height * 0.36
            if not inside or low or place.width < width * 0.6 or place.height < Inches(0.3):
                return None
            return place
    return None


def _foot_of(layout: Any, width: int, height: int) -> Place | None:
    """Return the band of date, footer and number of a layout, which our slides leave empty."""
    places = [_place_of(one) for one in layout.placeholders if _is_footer(one)]
    known = [one for one in places if one is not None and one.y > height * 0.8]
    if not known:
        return None
    left, top = min(one.x for one in known), min(one.y for one in known)
    right = max(one.x + one.width for one in known)
    bottom = max(one.y + one.height for one in known)
    inside = left >= 0 and right <= width and bottom <= height
    if not inside or right - left < width * 0.5 or bottom - top < Inches(0.2):
        return None
    return Place(left, top, right - left, bottom - top)


def _is_footer(shape: Any) -> bool:
    return shape.placeholder_format.type in _FOOTERS


def _place_of(shape: Any) -> Place | None:
    parts = shape.left, shape.top, shape.width, shape.height
    if any(part is None for part in parts):
        return None
    return Place(*map(int, parts))


def _title_size(layout: Any, place: Place) -> float:
    """Return the size of a master's titles, as far as its box has room for it."""
    found = layout.slide_master._element.find(
        f"{{{_P}}}txStyles/{{{_P}}}titleStyle/{{{A}}}lvl1pPr/{{{A}}}defRPr"
    )
    try:
        size = int(found.get("sz")) / 100
    except (AttributeError, TypeError, ValueError):
        size = _TITLE_PT
    return max(12.0, min(size, 44.0, place.height / EMU_PER_PT / 1.25))


# The ground ---------------------------------------------------------------------------------------


def has_dark_ground(layout: Any) -> bool:
    """Tell whether slides of a layout are dark, by its ground or else that of its master."""
    for sheet in (layout, layout.slide_master):
        ground = sheet._element.find(f"{{{_P}}}cSld/{{{_P}}}bg")
        if ground is not None:
            colour = _first_colour(ground, layout.slide_master)
            return colour is not None and ink_on(f"#{colour}").upper() == "#FFFFFF"
    return False


def _first_colour(ground: Any, master: Any) -> str | None:
    """Return the first colour of a ground as RRGGBB; None for a picture."""
    for element in ground.iter(f"{{{A}}}srgbClr", f"{{{A}}}schemeClr", f"{{{A}}}sysClr"):
        name = etree.QName(element).localname
        value = element.get("val", "")
        if name == "schemeClr":
            value = _scheme_colour(value, master)
        elif name == "sysClr":
            value = element.get("lastClr", "")
        if len(value) == 6 and all(digit in "0123456789abcdefABCDEF" for digit in value):
            return str(value)
        return None
    return None


def _scheme_colour(name: str, master: Any) -> str:
    """Look a name up in the map of a master and in the colours of its theme."""
    mapped = master._element.find(f"{{{_P}}}clrMap")
    name = name if mapped is None else mapped.get(name, name)
    for relation in master.part.rels.values():
        if relation.reltype.endswith("/theme") and not relation.is_external:
            return _theme_colour(relation.target_part.blob, name)
    return ""


def _theme_colour(theme: bytes, name: str) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    scheme = etree.fromstring(theme, parser).find(f"{{{A}}}themeElements/{{{A}}}clrScheme")
    held = None if scheme is None else scheme.find(f"{{{A}}}{name}")
    if held is None or not len(held):
        return ""
    return str(held[0].get("lastClr") or held[0].get("val") or "")

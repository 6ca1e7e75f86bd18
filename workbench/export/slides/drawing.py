"""Display lists as native shapes: what pictures show and no native chart can, in one group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from lxml import etree

from workbench.charts.display import Dash, Hatch, Item, Line, Rect, Text
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import Place
from workbench.export.slides.paragraph import A, Align, a, add_fill, add_paragraph

P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DASHES: Final[dict[Dash, str]] = {"dashed": "dash", "dotted": "sysDot"}
_ALIGNS: Final[dict[str, Align]] = {"start": "l", "middle": "ctr", "end": "r"}
_MEASURE: Final = SlideMeasure()


def add_drawing(
    slide: Any, items: Iterable[Item], name: str, *, x: int = 0, y: int = 0, said: str = ""
) -> Any:
    """Put items, whose unit is a point, on a slide as one group whose origin is at `x`, `y`.

    `said` is what a screen reader tells of it.
    """
    group = slide.shapes.add_group_shape()
    group.name = name
    describe(group, said)
    pen = _Pen(group._element, group.shape_id, x, y)
    for item in items:
        if isinstance(item, Rect):
            pen.rect(item)
        elif isinstance(item, Line):
            pen.line(item)
        elif isinstance(item, Hatch):
            pen.hatch(item)
        elif item.text:
            pen.text(item)
    pen.close()
    return group


def describe(shape: Any, said: str) -> None:
    """Say what a picture or a chart shows, for those who hear slides."""
    shape._element._nvXxPr.cNvPr.set("descr", said)


class _Pen:
    """Writes the shapes of one group: the library's way takes ten times as long."""

    def __init__(self, group: Any, shape_id: int, x: int, y: int) -> None:
        self._group, self._id = group, shape_id
        self._x, self._y = x, y
        self._places: list[Place] = []

    def rect(self, item: Rect) -> None:
        """Add a rectangle; its outline lies inside its edges, as in a picture."""
        inset = item.stroke_width / 2 if item.stroke else 0.0
        form = self._shape(
            item.role,
            item.x + inset,
            item.y + inset,
            item.width - 2 * inset,
            item.height - 2 * inset,
        )
        kind = "roundRect" if item.radius else "rect"
        values = a(a(form, "prstGeom", prst=kind), "avLst")
        if item.radius:
            share = min(
                50_000, int(item.radius / max(1e-6, min(item.width, item.height)) * 100_000)
            )
            etree.SubElement(values, f"{{{A}}}gd", {"name": "adj", "fmla": f"val {share}"})
        if item.fill:
            add_fill(form, item.fill)
        else:
            a(form, "noFill")
        _outline(form, item.stroke, item.stroke_width, item.dash)

    def line(self, item: Line) -> None:
        """Add a straight line."""
        form = self._shape(item.role, *item.box)
        if (item.x2 - item.x1) * (item.y2 - item.y1) < 0:
            form[0].set("flipV", "1")
        a(a(form, "prstGeom", prst="line"), "avLst")
        _outline(form, item.ink, item.width, item.dash)

    def hatch(self, item: Hatch) -> None:
        """Add parallel lines as one shape, with the exact geometry of a picture."""
        if not item.lines:
            return
        form = self._shape(item.role, *item.box)
        made = a(form, "custGeom")
        for part in ("avLst", "gdLst", "ahLst", "cxnLst"):
            a(made, part)
        a(made, "rect", l="0", t="0", r="r", b="b")
        place = self._places[-1]
        size = {"w": str(place.width), "h": str(place.height), "fill": "none"}
        path = a(a(made, "pathLst"), "path", **size)
        for x1, y1, x2, y2 in item.lines:
            for step, x, y in (("moveTo", x1, y1), ("lnTo", x2, y2)):
                across, down = _emu(x - item.x), _emu(y - item.y)
                a(a(path, step), "pt", x=str(across), y=str(down))
        a(form, "noFill")
        _outline(form, item.ink, item.line_width, "solid")

    def text(self, item: Text) -> None:
        """Add one line of text, centred on its `y`."""
        box = item.box(_MEASURE)
        form = self._shape(item.role, *box, text=True)
        a(a(form, "prstGeom", prst="rect"), "avLst")
        a(form, "noFill")
        body = etree.SubElement(form.getparent(), f"{{{P}}}txBody")
        insets = dict.fromkeys(("lIns", "tIns", "rIns", "bIns"), "0")
        a(body, "bodyPr", wrap="none", anchor="ctr", **insets)
        a(body, "lstStyle")
        align = _ALIGNS[item.anchor]
        add_paragraph(body, item.text, item.size, bold=item.bold, ink=item.ink, align=align)

    def close(self) -> None:
        """Tell the group which area its shapes take: its own coordinates are the slide's."""
        if not self._places:
            return
        left, top = min(one.x for one in self._places), min(one.y for one in self._places)
        right = max(one.x + one.width for one in self._places)
        bottom = max(one.y + one.height for one in self._places)
        form = self._group.grpSpPr
        for old in list(form):
            form.remove(old)
        held = a(form, "xfrm")
        for corner, size in (("off", "ext"), ("chOff", "chExt")):
            a(held, corner, x=str(left), y=str(top))
            a(held, size, cx=str(right - left), cy=str(bottom - top))

    def _shape(
        self, role: str, x: float, y: float, width: float, height: float, *, text: bool = False
    ) -> Any:
        """Add an empty shape and return its properties with the place filled in."""
        self._id += 1
        place = Place(
            self._x + _emu(x), self._y + _emu(y), max(0, _emu(width)), max(0, _emu(height))
        )
        self._places.append(place)
        made = etree.SubElement(self._group, f"{{{P}}}sp")
        head = etree.SubElement(made, f"{{{P}}}nvSpPr")
        names = {"id": str(self._id), "name": role or "shape"}
        etree.SubElement(head, f"{{{P}}}cNvPr", names)
        etree.SubElement(head, f"{{{P}}}cNvSpPr", {"txBox": "1"} if text else {})
        etree.SubElement(head, f"{{{P}}}nvPr")
        form = etree.SubElement(made, f"{{{P}}}spPr")
        held = a(form, "xfrm")
        a(held, "off", x=str(place.x), y=str(place.y))
        a(held, "ext", cx=str(place.width), cy=str(place.height))
        return form


def _outline(form: Any, ink: str | None, width: float, dash: Dash) -> None:
    line = a(form, "ln", w=str(_emu(width)))
    if ink is None:
        a(line, "noFill")
        return
    add_fill(line, ink)
    if dash in _DASHES:
        a(line, "prstDash", val=_DASHES[dash])


def _emu(points: float) -> int:
    return round(points * EMU_PER_PT)

"""The slides themselves: size, master, title, footnote, texts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Emu, Pt

from workbench.charts.page import wrapped
from workbench.charts.palette import Theme
from workbench.charts.text import ELLIPSIS, elide
from workbench.export.safe_text import safe_line, safe_lines
from workbench.export.slides.frame import Frame, is_title
from workbench.export.slides.grid import Grid, add_table, pages_of
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.native import Place, rgb
from workbench.export.slides.paragraph import Align, add_paragraph

_MEASURE: Final = SlideMeasure()
_TITLE_SIZES: Final = (36.0, 32.0, 28.0, 26.0, 24.0, 22.0, 20.0, 18.0, 16.0)
_ONE_LINE_PT: Final = 22.0
"""A title is rather broken than set in one line that is smaller."""
_LINE_EMS: Final = 1.2
_KICKER_PT: Final = 13.0
_FOOT_PT: Final = 10.0
_INSETS: Final = ("lIns", "tIns", "rIns", "bIns")


@dataclass(frozen=True, slots=True)
class Paper:
    """A presentation that slides are added to, and how they look."""

    presentation: Any
    theme: Theme
    footnote: str
    frame: Frame
    own: bool
    """Whether colours and ground are ours; a template keeps its own."""
    clear: bool = False
    """Whether the ground is left as it is."""

    @property
    def area(self) -> Place:
        """What a chart or a table may take: below title and kicker, above the footnote."""
        area = self.frame.area
        above = int(_KICKER_PT * 1.7 * EMU_PER_PT)
        return Place(area.x, area.y + above, area.width, area.height - above)

    def slide(self, title: str, notes: Iterable[str] = (), kicker: str = "") -> Any:
        """Add a slide with its title, what it shows in small, its footnote and speaker notes."""
        made = self.presentation.slides.add_slide(self.frame.layout)
        _drop_others(made)
        if self.own and not self.clear:
            made.background.fill.solid()
            made.background.fill.fore_color.rgb = rgb(self.theme.surface)
        self._title(made, title)
        if kicker:
            self._kicker(made, kicker)
        if self.footnote:
            self._foot(made)
        noted = list(notes)
        if noted:
            text = "\n".join(line for note in noted for line in safe_lines(note))
            made.notes_slide.notes_text_frame.text = text
        return made

    def _kicker(self, slide: Any, kicker: str) -> None:
        area = self.frame.area
        place = Place(area.x, area.y, area.width, int(_KICKER_PT * _LINE_EMS * EMU_PER_PT))
        text = elide(safe_line(kicker, 400), area.width / EMU_PER_PT, _MEASURE, _KICKER_PT)
        ink = self.theme.muted if self.own else ""
        self.text(slide, place, [text], _KICKER_PT, ink=ink).name = "TextBox kicker"

    def _foot(self, slide: Any) -> None:
        foot = self.frame.foot
        most = 2 if foot.height >= 2 * 1.2 * (_FOOT_PT - 1) * EMU_PER_PT else 1
        lines = wrapped(self.footnote, foot.width / EMU_PER_PT, _MEASURE, _FOOT_PT, most)
        size = _FOOT_PT if len(lines) == 1 else _FOOT_PT - 1
        self.text(slide, foot, lines, size, ink=self.theme.muted if self.own else "")

    def _title(self, slide: Any, title: str) -> None:
        shape, frame = slide.shapes.title, self.frame
        room = frame.title.width / EMU_PER_PT - (0 if frame.own else 16)
        clean = safe_line(title, 1_000)
        size, lines = _fitting_title(clean, room, frame.title_pt, frame.title.height / EMU_PER_PT)
        if shape is None:
            self.text(slide, frame.title, lines, size, bold=True)
            return
        held = shape.text_frame
        # One paragraph, and the program breaks it: a title is read aloud and listed as one line.
        held.text = " ".join(lines) if lines[-1].endswith(ELLIPSIS) else clean
        paragraph = held.paragraphs[0]
        if frame.own:
            place = frame.title
            shape.left, shape.top = Emu(place.x), Emu(place.y)
            shape.width, shape.height = Emu(place.width), Emu(place.height)
            held.word_wrap = True
            held.margin_left = held.margin_right = 0
            held.vertical_anchor = MSO_ANCHOR.MIDDLE
            paragraph.alignment = PP_ALIGN.LEFT
        if frame.own or size != frame.title_pt:
            paragraph.font.size = Pt(size)
        if self.own:
            paragraph.font.bold = True
            paragraph.font.color.rgb = rgb(self.theme.text)

    def text(
        self,
        slide: Any,
        place: Place,
        lines: Sequence[str],
        size_pt: float,
        *,
        bold: bool = False,
        ink: str = "",
        align: Align = "l",
    ) -> Any:
        """Write lines into a box of their own; without ink in the colour of texts."""
        box = slide.shapes.add_textbox(
            *(Emu(part) for part in (place.x, place.y, place.width, place.height))
        )
        body = box.text_frame._txBody
        form = body.bodyPr
        for old in list(form):
            form.remove(old)
        form.set("wrap", "square")
        form.set("anchor", "ctr")
        for inset in _INSETS:
            form.set(inset, "0")
        for old in list(body.p_lst):
            body.remove(old)
        colour = ink or (self.theme.text if self.own else "")
        for line in lines:
            add_paragraph(body, line, size_pt, bold=bold, ink=colour, align=align)
        return box

    def table(self, slide: Any, grid: Grid, place: Place) -> Any:
        """Put a native table on a slide."""
        return add_table(slide, grid, place, self.theme, ground=self.own)

    def table_slides(
        self,
        grid: Grid,
        titles: Iterable[str],
        notes: Sequence[str] = (),
        kicker: str = "",
        most: int = 100,
    ) -> None:
        """Put a table on as many slides as it takes, but no more than `most`."""
        pages = pages_of(grid, self.area)[:most]
        for page, title in zip(pages, titles, strict=False):
            self.table(self.slide(title, notes, kicker), page, self.area)


def _fitting_title(
    title: str, room_pt: float, largest_pt: float, height_pt: float
) -> tuple[float, tuple[str, ...]]:
    """Return a size and the lines of a title: one as large as may be, else two."""
    sizes = [largest_pt, *(size for size in _TITLE_SIZES if size < largest_pt)]
    tries = [(size, 1) for size in sizes if size >= _ONE_LINE_PT]
    two = [(size, 2) for size in sizes if height_pt * 1.05 >= 2 * size * _LINE_EMS]
    for size, most in (*tries, *(two or [(sizes[-1], 1)])):
        lines = wrapped(title[:600], room_pt * 0.98, _MEASURE, size, most, bold=True)
        if not lines[-1].endswith(ELLIPSIS) or title.endswith(ELLIPSIS):
            break
    return size, lines


def _drop_others(slide: Any) -> None:
    """Take away placeholders that would say "click to add text"."""
    for shape in list(slide.placeholders):
        if not is_title(shape):
            shape._element.getparent().remove(shape._element)

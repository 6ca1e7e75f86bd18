"""A page: a title and its answer above, one picture as large as it can be, a footnote below.

A page is 1280 or 960 units wide and 720 high, or as high as its picture takes. The picture is drawn
at the largest text size at which it fits; nothing is cut off or squeezed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from workbench.charts.display import BOLD, DisplayList, Item, Text
from workbench.charts.joined import moved
from workbench.charts.palette import Theme
from workbench.charts.text import ELLIPSIS, TextMeasure, elide, plain

MARGIN: Final = 40.0
TITLE_PX: Final = 28.0
SUBTITLE_PX: Final = 18.0
FOOTNOTE_PX: Final = 13.0
SIZES: Final = (24.0, 22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0, 13.0, 12.0)
"""Text sizes of a picture on a page, the largest first; the last is still legible on a slide."""
_CALM_PX: Final = 14.0
"""A text is made smaller than it could be, so that it is whole, down to this size."""
_ROUNDING: Final = 0.01
_CHUNK: Final = 400
"""Characters that `plain` takes at once."""
_MOST_FOOTNOTE_LINES: Final = 3
_CLOSING: Final = "、。，．：；！？）》】」』”’…"
_OPENING: Final = "（《【「『“‘"
_JOINING: Final = "-_/"
_MOST_SUBTITLE_LINES: Final = 2
_ABOVE_SHARE: Final = 0.25
"""Of the room that a picture leaves on its page, what stands above it."""
_GAP: Final = 18.0
_BELOW_TITLE: Final = 2.0

Draw = Callable[[float, float, float], DisplayList]
"""A picture for a width, a height it should not exceed, and a text size in pixels."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper: its size, what stands above and below, how it is written."""

    width: float
    height: float | None
    """None for as high as it takes."""
    theme: Theme
    measure: TextMeasure
    title: str = ""
    footnote: str = ""
    subtitle: str = ""
    """What the picture shows, in a sentence."""

    @property
    def inner_width(self) -> float:
        """What a picture may take from left to right."""
        return self.width - 2 * MARGIN

    @property
    def top(self) -> float:
        """Where a picture begins."""
        if not self.title:
            return MARGIN
        below = len(self.subtitle_lines) * self.measure.height(SUBTITLE_PX)
        return round(self.title_bottom + below + _GAP * 0.5)

    @property
    def title_bottom(self) -> float:
        """Where the title ends and what is said below it begins."""
        return MARGIN * 0.7 + self.measure.height(TITLE_PX) + _BELOW_TITLE

    @property
    def subtitle_lines(self) -> tuple[str, ...]:
        """The answer in lines; without a title there is none."""
        if not (self.title and self.subtitle):
            return ()
        return wrapped(
            self.subtitle, self.inner_width, self.measure, SUBTITLE_PX, _MOST_SUBTITLE_LINES
        )

    @property
    def footnote_lines(self) -> tuple[str, ...]:
        """The footnote in lines; what is more than three is elided."""
        if not self.footnote:
            return ()
        return wrapped(
            self.footnote, self.inner_width, self.measure, FOOTNOTE_PX, _MOST_FOOTNOTE_LINES
        )

    @property
    def foot(self) -> float:
        """What footnote and lower margin take."""
        lines = len(self.footnote_lines)
        return MARGIN * 0.7 + (lines * self.measure.height(FOOTNOTE_PX) + _GAP if lines else 0.0)

    @property
    def inner_height(self) -> float | None:
        """What a picture may take from top to bottom; None for as much as it needs."""
        return None if self.height is None else self.height - self.top - self.foot


def fitted(
    draw: Draw, sheet: Sheet, *, free_px: float = 15.0, least_px: float = SIZES[-1]
) -> DisplayList | None:
    """Draw at the largest text size that fits the sheet; None where none from `least_px` on does.

    Somewhat smaller where that spares words from being cut. A sheet without a height takes the
    picture at `free_px` at most.
    """
    height = sheet.inner_height
    most = SIZES[0] if height is not None else free_px
    sizes = tuple(size for size in SIZES if least_px <= size <= most)
    room = float("inf") if height is None else height
    found, place = None, len(sizes)
    first, last = 0, len(sizes) - 1
    # The smallest first: where not even that fits, one drawing has told so.
    at = last
    while first <= last:
        made = draw(sheet.inner_width, room, sizes[at])
        if _fits(made, sheet.inner_width, room):
            found, place, last = made, at, at - 1
        else:
            first = at + 1
        at = (first + last) // 2
    if found is None:
        return None
    return _with_fewer_cuts(found, draw, sheet, room, sizes[place + 1 :])


def _fits(made: DisplayList, width: float, height: float) -> bool:
    return made.width <= width + _ROUNDING and made.height <= height + _ROUNDING


def _with_fewer_cuts(
    found: DisplayList, draw: Draw, sheet: Sheet, room: float, smaller: Sequence[float]
) -> DisplayList:
    """Return the largest drawing with the fewest texts cut, down to a calm size of text."""
    least = _cuts(found)
    for size in smaller:
        if not least or size < _CALM_PX:
            break
        made = draw(sheet.inner_width, room, size)
        cuts = _cuts(made)
        if cuts < least and _fits(made, sheet.inner_width, room):
            found, least = made, cuts
    return found


def _cuts(made: DisplayList) -> int:
    """Return how many texts are cut at their end."""
    return sum(isinstance(item, Text) and item.text.endswith(ELLIPSIS) for item in made.items)


def outdented(
    made: DisplayList, margin: float, above: float = 0.0, below: float = 0.0
) -> DisplayList:
    """Return a picture without the margin that it has left and right, above and below."""
    width, height = made.width - 2 * margin, made.height - above - below
    return replace(
        made, width=width, height=height, items=tuple(moved(made.items, -margin, -above))
    )


def page(picture: DisplayList, sheet: Sheet) -> DisplayList:
    """Put a picture on a sheet, between its title and its footnote."""
    width = picture.width + 2 * MARGIN
    if width <= sheet.width + _ROUNDING:
        width = sheet.width
    height = sheet.height
    if height is None:
        # A whole number of points of a PDF: 4 units are 3 points.
        height = -(-(sheet.top + picture.height + sheet.foot) // 4) * 4
    left = MARGIN + (width - 2 * MARGIN - picture.width) / 2
    spare = max(0.0, height - sheet.top - sheet.foot - picture.height)
    top = sheet.top + round(spare * _ABOVE_SHARE)
    items: list[Item] = [*_title(sheet, width), *moved(picture.items, left, top)]
    items += _footnote(sheet, height)
    texts = (sheet.title, sheet.subtitle, picture.summary, sheet.footnote)
    said = "\n".join(text for text in texts if text)
    return DisplayList(width, height, sheet.theme.surface, tuple(items), (), said)


def _title(sheet: Sheet, width: float) -> list[Item]:
    if not sheet.title:
        return []
    text = elide(sheet.title, width - 2 * MARGIN, sheet.measure, TITLE_PX, bold=True)
    y = MARGIN * 0.7 + sheet.measure.height(TITLE_PX) / 2
    items: list[Item] = [Text(MARGIN, y, text, TITLE_PX, sheet.theme.text, BOLD, role="page:title")]
    step, ink = sheet.measure.height(SUBTITLE_PX), sheet.theme.muted
    items += [
        Text(
            MARGIN,
            sheet.title_bottom + step * (number + 0.5),
            line,
            SUBTITLE_PX,
            ink,
            role="page:subtitle",
        )
        for number, line in enumerate(sheet.subtitle_lines)
    ]
    return items


def _footnote(sheet: Sheet, height: float) -> list[Item]:
    lines = sheet.footnote_lines
    step = sheet.measure.height(FOOTNOTE_PX)
    first = height - MARGIN * 0.7 - step * (len(lines) - 0.5)
    ink = sheet.theme.muted
    return [
        Text(MARGIN, first + step * number, line, FOOTNOTE_PX, ink, role="page:footnote")
        for number, line in enumerate(lines)
    ]


def sentence_picture(text: str, sheet: Sheet, size: float = 20.0) -> DisplayList:
    """Return a sentence as a picture, where there is nothing to draw."""
    lines = wrapped(text, sheet.inner_width, sheet.measure, size, 12)
    step = sheet.measure.height(size)
    items = tuple(
        Text(0, step * (number + 0.5), line, size, sheet.theme.muted, role="sentence")
        for number, line in enumerate(lines)
    )
    return DisplayList(
        sheet.inner_width, step * len(lines), sheet.theme.surface, items, (), plain(text)
    )


def wrapped(
    text: str, width: float, measure: TextMeasure, size: float, most: int, *, bold: bool = False
) -> tuple[str, ...]:
    """Break a text into lines of a width, at spaces or between wide characters; at most `most`.

    What is more than that is elided; a word wider than a line goes on in the next.
    """
    words = [
        piece
        for word in _words(_whole(text))
        for piece in _pieces(word, width, measure, size, bold)
    ]
    lines: list[str] = []
    line = ""
    for at, word in enumerate(words):
        if not line or measure.width((line + word).rstrip(), size, bold) <= width:
            line += word
            continue
        if len(lines) + 1 == most:
            line += "".join(words[at:])
            break
        lines.append(line)
        line = word.lstrip()
    lines.append(line)
    return tuple(elide(one.rstrip(), width, measure, size, bold) for one in lines)


def _whole(text: str) -> str:
    """Return a text as one line that can be drawn, however long it is."""
    return "".join(plain(text[at : at + _CHUNK]) for at in range(0, len(text), _CHUNK))


def _pieces(
    word: str, width: float, measure: TextMeasure, size: float, bold: bool
) -> Iterator[str]:
    """Cut a word that is wider than a line into pieces that are not, after a hyphen if it has one.

    "Llama-3.1-" and "70B" can be read; "Llama-3.1-7" and "0B" cannot.
    """
    while measure.width(word.rstrip(), size, bold) > width:
        low, high = 1, min(len(word) - 1, _CHUNK)
        if high < 1:
            break
        while low < high:
            middle = (low + high + 1) // 2
            if measure.width(word[:middle], size, bold) <= width:
                low = middle
            else:
                high = middle - 1
        low = max(word.rfind(mark, 0, low) for mark in _JOINING) + 1 or low
        yield word[:low]
        word = word[low:]
    yield word


def _words(text: str) -> list[str]:
    """Split a text where a line may end: after a space and around a wide character.

    No line begins with what ends a clause or a bracket, and none ends with what opens one.
    """
    found = [""]
    for character in text:
        if character in _CLOSING and not found[-1] and len(found) > 1:
            found[-2] += character
            continue
        wide = "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"
        if wide and found[-1] and found[-1] not in _OPENING:
            found.append("")
        found[-1] += character
        if (wide and character not in _OPENING) or character == " ":
            found.append("")
    return [word for word in found if word]

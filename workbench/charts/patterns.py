"""A pattern for each kind of memory, so that bars can be told apart without any colour.

Patterns are lines and dots of exact geometry, like everything in a display list: they look the
same on screen, in every file and in an office program. None of them is at 45°, which means
recurrent state or what is over the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from workbench.charts.display import Box, Hatch
from workbench.charts.palette import Theme, mixed
from workbench.charts.scale import whole
from workbench.spec.ledger import EntryKind

Segment = tuple[float, float, float, float]
_STRENGTH: Final = 0.6
"""How far the ink of a pattern is from the fill towards black or white."""
_PITCH_EMS: Final = 0.55
_LOWEST_EMS: Final = 0.5
"""Lower boxes, such as a ghost bar, have no room for a pattern."""


def pattern(kind: EntryKind, box: Box, theme: Theme, em: float, role: str) -> Hatch | None:
    """Return the pattern of a kind in a box; None for a plain fill and in a box too low."""
    draw = _PATTERNS.get(kind)
    if draw is None or not theme.patterned or box.height < em * _LOWEST_EMS:
        return None
    thick = max(1.0, whole(em * 0.1))
    # In the legend the box is small: a closer pattern, so that more than one line shows.
    pitch = max(3 * thick, whole(min(em * _PITCH_EMS, box.height * 0.4)))
    ink = mixed(theme.fill(kind), theme.ink(kind), _STRENGTH)
    return Hatch(*box, ink, thick, tuple(draw(box, pitch, thick)), role)


def is_patterned(kind: EntryKind | None, theme: Theme) -> bool:
    """Whether digits on a kind's fill stand on a pattern."""
    return theme.patterned and kind in _PATTERNS


def _places(start: float, length: float, pitch: float, thick: float) -> Iterator[float]:
    """Middles of lines along an edge, on whole pixels, the first half a pitch from its end."""
    at = whole(start + pitch / 2) + thick / 2
    while at + thick / 2 <= start + length:
        yield at
        at += pitch


def _level(box: Box, pitch: float, thick: float) -> Iterator[Segment]:
    for y in _places(box.y, box.height, pitch, thick):
        yield box.x, y, box.right, y


def _upright(box: Box, pitch: float, thick: float) -> Iterator[Segment]:
    for x in _places(box.x, box.width, pitch, thick):
        yield x, box.y, x, box.bottom


def _grid(box: Box, pitch: float, thick: float) -> Iterator[Segment]:
    yield from _level(box, pitch, thick)
    yield from _upright(box, pitch, thick)


def _dots(box: Box, pitch: float, thick: float) -> Iterator[Segment]:
    """Squares, every second row moved by half a step."""
    for number, y in enumerate(_places(box.y, box.height - thick, pitch, thick)):
        shift = pitch if number % 2 else 0.0
        for x in _places(box.x + shift, box.width - shift, 2 * pitch, 2 * thick):
            # Two lines on each other, since all lines of a pattern are equally thick.
            for down in (y, y + thick):
                yield x - thick, down, x + thick, down


def _dashes(box: Box, pitch: float, thick: float) -> Iterator[Segment]:
    """Level dashes like bricks."""
    length = 1.5 * pitch
    for number, y in enumerate(_places(box.y, box.height, pitch, thick)):
        x = box.x + (pitch if number % 2 else 0.0)
        while x < box.right:
            yield x, y, min(x + length, box.right), y
            x += 2 * pitch


_PATTERNS: Final[Mapping[EntryKind, Callable[[Box, float, float], Iterator[Segment]]]] = {
    EntryKind.RUNTIME: _level,
    EntryKind.ACTIVATIONS: _upright,
    EntryKind.FRAGMENTATION: _grid,
    EntryKind.PREFIX: _dashes,
    EntryKind.KV: _dots,
}
"""The weights stay plain; state has its stripes."""

"""The colours of a heat map: a few steps that fit, darker towards the limit, and steps that do not.

Steps are told apart by lightness, what fits from what does not by hue, by hatching and by the
frontier, so that the map also reads in grey print and with any colour vision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.charts.labels import Labels, filled
from workbench.charts.palette import Theme, mixed
from workbench.charts.scale import UNIT_BYTES, resolve_unit
from workbench.charts.scale import number as size_number
from workbench.core.grid import NO_POOL, STATUSES
from workbench.core.surface import INVALID, PENDING, Surface
from workbench.spec.ledger import Status
from workbench.spec.units import ByteUnit, group_digits

Measure = Literal["used", "free", "held"]
"""Used over usable, free bytes, or requests held."""
MEASURES: Final[tuple[Measure, ...]] = ("used", "free", "held")

_FIT_DEPTHS: Final = (0.09, 0.22, 0.40, 0.62)
_OVER_DEPTHS: Final = (0.24, 0.46)
_USED_STEPS: Final = (0.5, 0.75, 0.9, 1.0)
_UNDER: Final = tuple(f"≤ {step * 100:.0f} %" for step in _USED_STEPS)
_FAR_OVER: Final = 1.25
_BEYOND: Final = ("≤ 125 %", "> 125 %")
_FREE_SHARES: Final = (0.5, 0.25, 0.1)
_HELD_STEPS: Final = len(_FIT_DEPTHS)
_REFUSES: Final = STATUSES.index(Status.REFUSES)


@dataclass(frozen=True, slots=True)
class Shade:
    """One step of the scale."""

    label: str
    fill: str
    hatched: str | None = None
    """Ink of its stripes, which stand for what does not fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Shades:
    """The steps of a map in the order of its legend, and the step of each cell."""

    steps: tuple[Shade, ...]
    cells: NDArray[np.int8]
    """Index into `steps`, -1 for a cell without an answer."""

    @property
    def told(self) -> tuple[Shade, ...]:
        """The steps of the legend: a step left out would seem to belong to the next one.

        Only what an engine refuses, the last, is no step of the scale: it is told where it occurs.
        """
        last = len(self.steps) - 1
        return self.steps if (self.cells == last).any() else self.steps[:last]


def shades(
    surface: Surface, measure: Measure, theme: Theme, labels: Labels, unit: ByteUnit = "auto"
) -> Shades:
    """Return the colour of every cell."""
    over_names = [filled(labels("map.over"))]
    if measure == "used":
        names, steps, over_names = [*_UNDER], _used(surface), [*_BEYOND]
    elif measure == "free":
        names, steps = _free(surface, unit)
    else:
        names, steps = _held(surface)
    far = surface.share > _FAR_OVER
    answered = (surface.status != PENDING) & (surface.status != INVALID)
    over = answered & ~surface.fits & (surface.status != _REFUSES)
    count = len(names)
    cells = np.where(surface.fits, steps, -1)
    cells = np.where(over, count + (far if len(over_names) > 1 else 0), cells)
    cells = np.where(surface.status == _REFUSES, count + len(over_names), cells)
    made = _made(tuple(names), tuple(over_names), filled(labels("map.refuses")), theme)
    return Shades(made, cells.astype(np.int8))


@lru_cache(maxsize=16)
def _made(
    names: tuple[str, ...], over_names: tuple[str, ...], refuses: str, theme: Theme
) -> tuple[Shade, ...]:
    """Return the steps of a scale in their colours: an edit seldom changes any."""
    depths = _FIT_DEPTHS[-len(names) :]
    fits = [
        Shade(name, mixed(theme.surface, theme.accent, depth))
        for name, depth in zip(names, depths, strict=True)
    ]
    overs = [
        _over(name, theme, depth) for name, depth in zip(over_names, _OVER_DEPTHS, strict=False)
    ]
    return (*fits, *overs, _refuses(theme, refuses))


def _over(name: str, theme: Theme, depth: float) -> Shade:
    fill = mixed(theme.surface, theme.danger, depth)
    return Shade(name, fill, mixed(fill, theme.danger, 0.28))


def _refuses(theme: Theme, name: str) -> Shade:
    fill = mixed(theme.surface, theme.muted, 0.12)
    return Shade(name, fill, mixed(fill, theme.muted, 0.45))


def _used(surface: Surface) -> NDArray[np.int64]:
    share = np.nan_to_num(surface.share, nan=0.0, posinf=np.inf)
    return np.searchsorted(_USED_STEPS, share).clip(0, len(_USED_STEPS) - 1)


_Steps = tuple[list[str], NDArray[np.int64]]
"""Names of the steps that fit, and the step of each cell."""


def _free(surface: Surface, unit: ByteUnit) -> _Steps:
    """Steps of round sizes, from much left to little."""
    most = int(surface.usable_bytes.max(initial=0))
    own = resolve_unit(unit, most)
    bounds = sorted({_round_size(int(most * share), own) for share in _FREE_SHARES}, reverse=True)
    names = [f"≥ {size_number(bound, own)} {own}" for bound in bounds]
    least = f"{size_number(bounds[-1], own)} {own}"
    names.append(f"< {least}")
    steps = np.zeros(surface.status.shape, dtype=np.int64)
    for bound in bounds:
        steps += surface.free_bytes < bound
    return names, steps


def _round_size(size_bytes: int, unit: ByteUnit) -> int:
    return _round(max(1, size_bytes // UNIT_BYTES[unit])) * UNIT_BYTES[unit]


def _held(surface: Surface) -> _Steps:
    """Steps of round numbers between the fewest and the most, evenly by ratio."""
    held = surface.held_requests[surface.fits & (surface.held_requests != NO_POOL)]
    if not held.size:
        return ["–"], np.zeros(surface.status.shape, dtype=np.int64)
    low, high = max(1, int(held.min())), max(1, int(held.max()))
    ratio = (high / low) ** (1 / _HELD_STEPS)
    bounds = sorted({_round(round(low * ratio**n)) for n in range(1, _HELD_STEPS)})
    names = [f"< {group_digits(bounds[0])}", *(f"≥ {group_digits(bound)}" for bound in bounds)]
    steps = np.zeros(surface.status.shape, dtype=np.int64)
    for bound in bounds:
        steps += surface.held_requests >= bound
    return names, steps


def _round(number: int) -> int:
    """Return 1, 2 or 5 times a power of ten, not above the number."""
    power: int = 10 ** (len(str(number)) - 1)
    return max(step for step in (1, 2, 5) if step * power <= number) * power

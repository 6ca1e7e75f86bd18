"""Why the figures of the map are what they are: each is one of its cell's own ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.charts.shades import Measure
from workbench.core.explain.rows import plain
from workbench.core.surface import INVALID, PENDING, Surface
from workbench.gui.explore.map_model import Place
from workbench.gui.why import FIELD, FIGURE, Why, field_why
from workbench.spec.engine import Amount
from workbench.spec.ledger import Source

_FIGURES: Final[dict[Measure, str]] = {"used": "used", "free": "free", "held": "steady"}


def cell_why(surface: Surface, place: Place, measure: Measure) -> Why | None:
    """Ask about the figure of a cell; None where it has none."""
    if surface.status[place] in (PENDING, INVALID):
        return None
    over = measure == "free" and surface.free_bytes[place] < 0
    return _at(surface, place, FIGURE + ("over" if over else _FIGURES[measure]))


def frontier_why(surface: Surface, column: int) -> Why:
    """Each value of the column was tried: the frontier is the last that fits."""
    most, field = surface.frontier(column), surface.y.field
    if most is None or isinstance(most, Amount):
        return field_why(None, field)
    return Why(None, term=plain("frontier", most, "count", Source("tried"), field))


def table_whys(surface: Surface, measure: Measure) -> Iterator[tuple[Why | None, ...]]:
    """The questions of `map_table`, cell by cell: the values of y, the figures, the frontier."""
    columns, rows = surface.status.shape
    for row in reversed(range(rows)):
        figures = (cell_why(surface, (column, row), measure) for column in range(columns))
        yield _at(surface, (0, row), FIELD + surface.y.field), *figures
    yield None, *(frontier_why(surface, column) for column in range(columns))


def _at(surface: Surface, place: Place, key: str) -> Why:
    x, y = surface.x, surface.y
    at = ((x.field, x.values[place[0]]), (y.field, y.values[place[1]]))
    return Why(surface.scenario.id, key, at=at)

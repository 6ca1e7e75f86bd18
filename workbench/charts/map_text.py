"""The words and figures of a heat map: values of its axes, cells, table and summary."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.charts.labels import Labels, english, filled
from workbench.charts.shades import Measure
from workbench.charts.text import plain
from workbench.core.axis import CONCURRENCY, Axis
from workbench.core.grid import NO_POOL, STATUSES
from workbench.core.surface import INVALID, PENDING, Surface
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS, Value
from workbench.spec.ledger import Status
from workbench.spec.units import ByteUnit, group_digits, show_bytes, show_share

DASH = "–"


def value_text(field_id: str, value: Value) -> str:
    """Show a value of an axis, short: sizes rounded, everything else as it is typed."""
    if isinstance(value, Amount) and value.size_bytes is not None:
        return show_bytes(value.size_bytes, decimals=1)
    field = FIELDS[field_id]
    if field.kind == "bytes":
        return show_bytes(int(str(value)), decimals=1)
    return field.format(value)


def axis_texts(axis: Axis) -> tuple[str, ...]:
    """Return the values of an axis as they are shown."""
    return tuple(value_text(axis.field, value) for value in axis.values)


def cell_text(
    surface: Surface,
    x: int,
    y: int,
    measure: Measure,
    labels: Labels = english,
    unit: ByteUnit = "auto",
) -> str:
    """Show the figure of a cell; a dash where there is none, words where the engine refuses."""
    status = int(surface.status[x, y])
    if status in (PENDING, INVALID):
        return DASH
    if STATUSES[status] is Status.REFUSES:
        return filled(labels("map.refuses"))
    if measure == "used":
        usable = int(surface.usable_bytes[x, y])
        return show_share(int(surface.used_bytes[x, y]) / usable, 0) if usable else DASH
    if measure == "free":
        return show_bytes(int(surface.free_bytes[x, y]), unit, 1)
    held = int(surface.held_requests[x, y])
    return DASH if held == NO_POOL else group_digits(held)


def frontier_text(surface: Surface, place: int) -> str:
    """Show the largest y that fits at a place on x, a dash where none does."""
    most = surface.frontier(place)
    if most is None:
        return DASH
    if surface.y.field == CONCURRENCY:
        return group_digits(int(str(most)))
    return value_text(surface.y.field, most)


def map_table(
    surface: Surface,
    x_name: str,
    y_name: str,
    measure: Measure,
    labels: Labels = english,
    unit: ByteUnit = "auto",
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the map as a table: a column a value of x, a line a value of y, largest first.

    The last line is the frontier.
    """
    texts = axis_texts(surface.x)
    header = (f"{plain(y_name)} \\ {plain(x_name)}", *texts)
    places = range(len(texts))
    y_texts = axis_texts(surface.y)
    lines = [
        (y_texts[y], *(cell_text(surface, x, y, measure, labels, unit) for x in places))
        for y in reversed(range(len(y_texts)))
    ]
    last = (filled(labels("map.frontier")), *(frontier_text(surface, x) for x in places))
    return header, (*lines, last)


def map_summary(surface: Surface, x_name: str, y_name: str, labels: Labels) -> str:
    """Return the map in words: how much of it fits, and the frontier value by value."""
    said = filled(
        labels("map.summary"),
        x=x_name,
        y=y_name,
        fitting=str(int(surface.fits.sum())),
        cells=str(surface.status.size),
    )
    return f"{said}\n{_frontier_summary(surface, labels, axis_texts(surface.x))}"


def _frontier_summary(surface: Surface, labels: Labels, texts: Sequence[str]) -> str:
    found = (f"{text}: {frontier_text(surface, place)}" for place, text in enumerate(texts))
    return f"{filled(labels('map.frontier'))}: {', '.join(found)}"

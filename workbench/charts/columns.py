"""One small bar a column: the same stack as in the large chart, all columns on one axis.

Without numbers and words: those stand in the rows below, in the table that the bars head.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.charts.bars import line_width
from workbench.charts.display import Box, DisplayList, HitKey, HitRegion, Item, Line
from workbench.charts.labels import Labels, english
from workbench.charts.palette import Theme
from workbench.charts.parts import Style
from workbench.charts.row_items import cell_items
from workbench.charts.rows import Row, chart_unit, sentence
from workbench.charts.scale import UNIT_BYTES, Scale, whole
from workbench.charts.stack import drawn, place
from workbench.charts.text import TextMeasure
from workbench.spec.ledger import RankLedger
from workbench.spec.units import ByteUnit

_LIMIT_EMS: Final = 0.3
"""How far the limit line reaches past the bar at either end."""


def axis_end_bytes(ledgers: Sequence[RankLedger]) -> int:
    """Return where the axis of all columns ends: no bar and no limit line reaches further."""
    longest = max(
        (max(drawn(ledger).extent_bytes, ledger.budget_bytes) for ledger in ledgers), default=0
    )
    return longest or UNIT_BYTES["GiB"]


def column_bar(
    row: Row,
    *,
    end_bytes: int,
    width: float,
    height: float,
    theme: Theme,
    measure: TextMeasure,
    unit: ByteUnit = "auto",
    labels: Labels = english,
    text_px: float = 13.0,
) -> DisplayList:
    """Draw one bar with its limit line into a column of a width and height in pixels.

    `end_bytes` is the end of the axis, the same for every column.
    """
    style = Style(theme, measure, chart_unit((row,), unit), max(1.0, text_px))
    thick = line_width(style)
    # Half of the limit line stands past its place.
    scale = Scale(0.0, max(1.0, width - thick), max(1, end_bytes))
    reach = whole(style.em * _LIMIT_EMS)
    lane = Box(0.0, reach, 0.0, max(1.0, height - 2 * reach))
    limit = scale.at(row.ledger.budget_bytes)
    items: list[Item] = []
    hits: list[HitRegion] = []
    for cell in place(drawn(row.ledger), scale):
        items += cell_items(cell, limit, lane, style)
        if cell.width > 0:
            key = HitKey(row.scenario, row.ledger.rank, cell.part.name)
            hits.append(HitRegion(Box(cell.left, lane.y, cell.width, lane.height), key))
    x = max(limit, thick / 2)
    items.append(Line(x, 0.0, x, height, theme.text, thick, role="limit"))
    said = sentence(row, style.unit, labels)
    return DisplayList(width, height, theme.surface, tuple(items), tuple(hits), said)

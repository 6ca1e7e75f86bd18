"""What a native bar chart holds: scenarios by parts of the bar, in one unit and in exact bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from workbench.charts.rows import Row, chart_unit
from workbench.charts.scale import UNIT_BYTES, ticks
from workbench.charts.stack import drawn
from workbench.core.compare import PART_ORDER, parts_of
from workbench.export.options import Language
from workbench.export.safe_text import safe_line
from workbench.export.wording import part_name
from workbench.spec.ledger import EntryKind
from workbench.spec.units import ByteUnit

SHEET: Final = "Sheet1"
"""The sheet that a chart's references name."""
_NEVER: Final = datetime(2000, 1, 1)
UNREQUESTED: Final = EntryKind.UNREQUESTED.value
_MOST_EXACT: Final = 2**53
_MARK_PT: Final = 52.0
"""Room for a number below an axis: where they are closer, LibreOffice turns them."""
_NAME_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class Series:
    """One column of numbers under a name."""

    code: str
    name: str
    values: tuple[float, ...]
    sizes: tuple[int, ...] = ()
    """The same in bytes, where they are bytes."""


@dataclass(frozen=True, slots=True)
class ChartData:
    """Categories and series of a chart."""

    categories: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str
    axis_end: float
    """Where the axis of values ends, in the unit."""
    axis_step: float
    """From mark to mark of the axis."""


def stack_data(
    rows: Sequence[Row], unit: ByteUnit, language: Language, length_pt: float
) -> ChartData:
    """Return the bars of scenarios: each part of each deciding rank, to the byte.

    `length_pt` is about how long their axis will be.

    Where the budget is exceeded what is free, or was not asked for, is drawn as nothing, as in
    pictures; exact sizes stay as they are.
    """
    own = chart_unit(rows, unit)
    scale = UNIT_BYTES[own]
    bars = [parts_of(row.ledger) for row in rows]
    found = []
    for part in PART_ORDER:
        if not any(part in bar for bar in bars):
            continue
        sizes = tuple(bar.get(part, 0) for bar in bars)
        lies_over = [part == UNREQUESTED and row.ledger.over_bytes for row in rows]
        shown = (0 if over else max(0, size) for size, over in zip(sizes, lies_over, strict=True))
        values = tuple(size / scale for size in shown)
        found.append(Series(part, part_name(part, language), values, sizes))
    ends = [drawn(row.ledger).extent_bytes for row in rows]
    limits = [row.ledger.budget_bytes for row in rows]
    longest = max((*ends, *limits), default=scale)
    return ChartData(
        tuple(safe_line(row.name, _NAME_CHARACTERS) for row in rows),
        tuple(found),
        own,
        *axis_of(longest, own, scale, length_pt),
    )


def axis_of(longest: int, unit: ByteUnit, scale: int, length_pt: float) -> tuple[float, float]:
    """Return the end of an axis, the next round value past the longest bar, and its step."""
    marks = ticks(longest, unit, max(4, min(10, int(length_pt / _MARK_PT))))
    step = marks[1] - marks[0] if len(marks) > 1 else max(1, longest)
    return -(-longest // step) * step / scale, step / scale


def workbook(data: ChartData) -> bytes:
    """Return the workbook behind a chart, as its references expect it: texts are never formulas."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(
        buffer,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    book.set_properties({"created": _NEVER})
    sheet = book.add_worksheet(SHEET)
    _fill(sheet, data, [series.values for series in data.series])
    if any(series.sizes for series in data.series):
        exact = book.add_worksheet("Bytes")
        _fill(exact, data, [series.sizes for series in data.series])
    book.close()
    return buffer.getvalue()


def _fill(sheet: Any, data: ChartData, columns: Sequence[Sequence[float | int]]) -> None:
    sheet.set_column(0, 0, 30)
    for row, name in enumerate(data.categories, 1):
        sheet.write_string(row, 0, name)
    for column, (series, values) in enumerate(zip(data.series, columns, strict=True), 1):
        sheet.write_string(0, column, series.name)
        for row, value in enumerate(values, 1):
            if abs(value) >= _MOST_EXACT:
                # A number of a sheet would lose its last digits.
                sheet.write_string(row, column, str(value))
            else:
                sheet.write_number(row, column, value)

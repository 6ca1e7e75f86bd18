"""What a native waterfall holds: a base that is not drawn, and on it answers and changes."""

from __future__ import annotations

from typing import Final

from workbench.charts.scale import UNIT_BYTES
from workbench.charts.waterfall import Waterfall, chart_unit
from workbench.export.safe_text import safe_line
from workbench.export.slides.stack_data import ChartData, Series, axis_of
from workbench.spec.units import ByteUnit

BASE: Final = "base"
ANSWER: Final = "answer"
BETTER: Final = "better"
WORSE: Final = "worse"


def way_data(
    chart: Waterfall, unit: ByteUnit, names: dict[str, str], length_pt: float
) -> ChartData:
    """Return start, steps and end as stacked columns; `names` has one for each code above.

    `length_pt` is about how long their axis will be.
    """
    is_bytes = chart.quantity == "bytes"
    own = chart_unit(chart, unit)
    scale = UNIT_BYTES[own] if is_bytes else 1
    levels = chart.levels
    lanes: list[tuple[str, int, int, str]] = [(chart.start_name, 0, chart.start, ANSWER)]
    for step, before in zip(chart.steps, levels, strict=False):
        after = before + step.delta
        better = (step.delta > 0) is not is_bytes
        low, high = sorted((before, after))
        lanes.append((step.name, low, high - low, BETTER if better else WORSE))
    lanes.append((chart.end_name, 0, chart.end, ANSWER))
    series = []
    for code in (BASE, ANSWER, BETTER, WORSE):
        sizes = tuple(
            low if code == BASE else size if code == kind else 0 for _, low, size, kind in lanes
        )
        values = tuple(size / scale if is_bytes else size for size in sizes)
        series.append(Series(code, names[code], values, sizes if is_bytes else ()))
    axis = axis_of(max((1, *levels)), own if is_bytes else "B", scale, length_pt)
    return ChartData(
        tuple(safe_line(name, 200) for name, *_ in lanes),
        tuple(series),
        own if is_bytes else "",
        *axis,
    )

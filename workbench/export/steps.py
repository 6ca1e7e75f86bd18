"""What leads from one scenario to another as a chart's steps, each named; of the window too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from workbench.charts.waterfall import Quantity, Step, Waterfall
from workbench.core.compare import Per
from workbench.core.waterfall import Level
from workbench.core.waterfall import Waterfall as Way
from workbench.export.options import Language
from workbench.export.safe_text import safe_line
from workbench.export.wording import step_name

QUANTITIES: Final[tuple[Quantity, ...]] = ("requests", "bytes")
_on_paper: Final = partial(safe_line, limit=200)


def chart_of(
    way: Way,
    quantity: Quantity,
    language: Language,
    *,
    per: Per = "gpu",
    shown: Callable[[str], str] = _on_paper,
) -> Waterfall:
    """Return the chart of what moves one figure on the way between two scenarios.

    `shown` makes names fit for where they stand.
    """

    def figure(level: Level) -> int:
        if quantity == "requests":
            return level.concurrency
        return level.used_bytes if per == "gpu" else level.total_used_bytes

    steps = (
        Step(shown(step_name(step, language)), figure(step.after) - figure(step.before))
        for step in way.steps
    )
    return Waterfall(
        scenario=way.end.scenario.id,
        start_name=shown(way.start.scenario.name),
        start=figure(way.start),
        steps=tuple(steps),
        end_name=shown(way.end.scenario.name),
        quantity=quantity,
    )

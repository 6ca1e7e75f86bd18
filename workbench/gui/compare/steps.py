"""The core's way from one scenario to another as a chart's steps, each named."""

from __future__ import annotations

from typing import Final, Literal

from workbench.charts.waterfall import Step, Waterfall
from workbench.core.compare import Per
from workbench.core.waterfall import Level
from workbench.core.waterfall import Step as CoreStep
from workbench.core.waterfall import Waterfall as CoreWaterfall
from workbench.export.options import Language
from workbench.export.wording import step_changes
from workbench.gui.labels import visible
from workbench.gui.tr import listed, translate, words

Measure = Literal["concurrency", "memory"]
MEASURES: Final[tuple[Measure, ...]] = ("concurrency", "memory")


def chart_of(found: CoreWaterfall, measure: Measure, per: Per) -> Waterfall:
    """Return the chart of what moved one figure."""
    steps = tuple(Step(step_name(step), step_delta(step, measure, per)) for step in found.steps)
    return Waterfall(
        scenario=found.end.scenario.id,
        start_name=visible(found.start.scenario.name),
        start=level_figure(found.start, measure, per),
        steps=steps,
        end_name=visible(found.end.scenario.name),
        quantity="requests" if measure == "concurrency" else "bytes",
    )


def level_figure(level: Level, measure: Measure, per: Per) -> int:
    """Return the figure of a state on the way."""
    if measure == "concurrency":
        return level.concurrency
    return level.used_bytes if per == "gpu" else level.total_used_bytes


def step_delta(step: CoreStep, measure: Measure, per: Per) -> int:
    """Return how far a step moves the figure."""
    if measure == "concurrency":
        return step.concurrency_delta
    return step.used_delta_bytes if per == "gpu" else step.total_used_delta_bytes


def step_name(step: CoreStep) -> str:
    """Name what a step changes: "KV format bf16 → fp8"."""
    named, more = step_changes(step, Language(words))
    text = visible(listed(named), limit=400)
    if more:
        text = translate("Compare", "{changes} and {count} more").format(changes=text, count=more)
    return text

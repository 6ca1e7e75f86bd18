"""Surfaces that the tests of heat maps share: real scenarios of the plain arithmetic."""

from __future__ import annotations

from functools import cache

from workbench.charts.map_legend import BASELINE_ELSEWHERE, CURRENT, Mark
from workbench.core.axis import CONCURRENCY, CONTEXT, axis_of
from workbench.core.surface import Surface, surface
from workbench.library.compose import new_scenario
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Deployment
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, QuantilePoint, QuantileTable, Workload

LIBRARY = Library(presets_dir())
PAIRS = {
    "requests": (CONTEXT, CONCURRENCY),
    "layouts": ("deployment.tp", CONTEXT),
    "lengths": ("workload.p50", "workload.p95"),
    "reserves": ("gpu.device_total_bytes", "reserves.headroom"),
}


@cache
def llama(tp: int = 4) -> Scenario:
    made = new_scenario(
        LIBRARY, "s", "128k context", LIBRARY.model("llama-3.1-70b"), LIBRARY.gpu("h100-sxm")
    )
    workload = Workload(lengths=ConstantLength(tokens=32_768), concurrency=6)
    return made.with_(deployment=Deployment(tp=tp), workload=workload)


@cache
def made(name: str, tp: int = 4) -> Surface:
    scenario = llama(tp)
    if name == "lengths":
        points = tuple(
            QuantilePoint(q=q, tokens=tokens)
            for q, tokens in ((0.5, 2_048), (0.95, 16_384), (1.0, 100_000))
        )
        workload = scenario.workload.with_(lengths=QuantileTable(points=points))
        scenario = scenario.with_(workload=workload)
    x, y = (axis_of(field, scenario) for field in PAIRS[name])
    return surface(scenario, x, y)


def marks(of: Surface) -> tuple[Mark, ...]:
    scenario = of.scenario
    places = [axis.position(FIELDS[axis.field].read(scenario)) for axis in (of.x, of.y)]
    if places[0] is None or places[1] is None:
        return ()
    return (
        Mark("s", scenario.name, CURRENT, places[0], places[1]),
        Mark("b", "Baseline", BASELINE_ELSEWHERE, 0.0, 1.5, differs=True),
    )

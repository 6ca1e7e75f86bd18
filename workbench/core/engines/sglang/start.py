"""One start of SGLang: all of a scenario that its memory depends on but the requests."""

from __future__ import annotations

from typing import NamedTuple

from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine


class Start(NamedTuple):
    """What one start of the engine is given."""

    model: ModelSpec
    precision: Precision
    deployment: Deployment
    gpu: GpuSpec
    engine: SglangEngine


def start_of(scenario: Scenario) -> Start:
    """Return the start of a scenario of SGLang."""
    engine = scenario.engine
    assert isinstance(engine, SglangEngine)
    return Start(scenario.model, scenario.precision, scenario.deployment, scenario.gpu, engine)

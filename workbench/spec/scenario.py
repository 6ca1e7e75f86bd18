"""A scenario is one complete question; a plan is an ordered list of them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.spec.base import Count, Frozen, Line, Slug, Text, Title, Within, fingerprint
from workbench.spec.deployment import Deployment, Prices, Reserves
from workbench.spec.engine import EngineProfile, PlainEngine
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.workload import Workload

MAX_SCENARIOS = 500
MAX_UNKNOWN = 1_000
"""Keys not known here that are kept of each scenario, and of the plan beside them."""

ScenarioId = Annotated[str, Within(pattern=r"^[a-z0-9-]{1,64}$")]
Fingerprint = Annotated[str, Within(pattern=r"^[0-9a-f]{16}$")]


class PresetRef(Frozen):
    """Which preset a copy was taken from, and what it was then."""

    namespace: Literal["builtin", "user"]
    id: Slug
    rev: Count = 1
    fingerprint: Fingerprint

    def __str__(self) -> str:
        """Print as in files and messages: "builtin:llama-3.1-8b@1"."""
        return f"{self.namespace}:{self.id}@{self.rev}"


class Unknown(Frozen):
    """A key of a file that this program does not know, kept and written back."""

    pointer: Line
    """JSON pointer to the key inside its scenario or plan."""
    json_text: Annotated[str, Within(max_length=16 * 2**20)]


class Scenario(Frozen):
    """Model, card, deployment, precision, engine, workload and reserves."""

    id: ScenarioId
    name: Title
    model: ModelSpec
    model_ref: PresetRef | None = None
    gpu: GpuSpec
    gpu_ref: PresetRef | None = None
    gpu_set_ref: PresetRef | None = None
    """The set of cards it was chosen as, if it was."""
    deployment: Deployment = Deployment()
    precision: Precision
    engine: EngineProfile = PlainEngine()
    workload: Workload
    workload_ref: PresetRef | None = None
    reserves: Reserves = Reserves()
    prices: Prices | None = None
    notes: Text = ""
    extra: tuple[Unknown, ...] = Field(default=(), max_length=MAX_UNKNOWN)

    @property
    def model_is_edited(self) -> bool:
        """Whether the embedded model differs from the preset it was copied from."""
        return self.model_ref is not None and fingerprint(self.model) != self.model_ref.fingerprint

    @property
    def gpu_is_edited(self) -> bool:
        """Whether the embedded card differs from the preset it was copied from."""
        return self.gpu_ref is not None and fingerprint(self.gpu) != self.gpu_ref.fingerprint

    @property
    def headroom_bytes(self) -> int:
        """What a person keeps free on each card."""
        return self.reserves.headroom.of(self.gpu.device_total_bytes)


class Plan(Frozen):
    """A saved document: scenarios in order, one of them the baseline."""

    scenarios: tuple[Scenario, ...] = Field(default=(), max_length=MAX_SCENARIOS)
    baseline: ScenarioId | None = None
    title: Line = ""
    notes: Text = ""
    extra: tuple[Unknown, ...] = Field(default=(), max_length=MAX_UNKNOWN)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        ids = [scenario.id for scenario in self.scenarios]
        if len(set(ids)) != len(ids):
            raise PydanticCustomError("scenario_ids_repeat", "two scenarios have the same id")
        if self.baseline is not None and self.baseline not in ids:
            raise PydanticCustomError(
                "baseline_unknown", "the baseline names no scenario of the plan"
            )
        if self.scenarios and self.baseline is None:
            raise PydanticCustomError("baseline_missing", "a plan with scenarios needs a baseline")
        return self

    def scenario(self, scenario_id: str) -> Scenario:
        """Return the scenario with this id; raises `KeyError`."""
        for scenario in self.scenarios:
            if scenario.id == scenario_id:
                return scenario
        raise KeyError(scenario_id)

    def replacing(self, scenario: Scenario) -> Self:
        """Return the plan with the scenario of the same id replaced."""
        return self.with_(
            scenarios=tuple(scenario if s.id == scenario.id else s for s in self.scenarios)
        )

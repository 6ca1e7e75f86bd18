"""How a model is spread over cards."""

from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.spec.base import Frozen, Rate, Share, Within
from workbench.spec.engine import Amount
from workbench.spec.ledger import Place

MAX_RANKS = 4096

Parallelism = Annotated[int, Within(ge=1, le=MAX_RANKS)]
Replicas = Annotated[int, Within(ge=1, le=1_000_000)]


class Deployment(Frozen):
    """Parallel sizes. A replica is tp × pp ranks; dp × replicas copies of it serve."""

    tp: Parallelism = 1
    pp: Parallelism = 1
    pp_partition: tuple[Annotated[int, Within(ge=1, le=10_000)], ...] | None = Field(
        default=None, max_length=MAX_RANKS
    )
    """Layers of each pipeline stage; None divides them as evenly as the engine does."""
    dp: Replicas = 1
    ep: Parallelism = 1
    dcp: Parallelism = 1
    """Ranks that split a request's context between them while decoding."""
    replicas: Replicas = 1
    nodes: Replicas = 1

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.tp * self.pp > MAX_RANKS:
            raise PydanticCustomError(
                "too_many_ranks",
                "a replica of {ranks} ranks (tp × pp), at most {limit} are accepted",
                {"ranks": self.tp * self.pp, "limit": MAX_RANKS},
            )
        if self.pp_partition is not None and len(self.pp_partition) != self.pp:
            raise PydanticCustomError(
                "partition_length",
                "the partition names {stages} stages, pp is {pp}",
                {"stages": len(self.pp_partition), "pp": self.pp},
            )
        return self

    @property
    def ranks(self) -> int:
        """Cards of one replica."""
        return self.tp * self.pp

    @property
    def copies(self) -> int:
        """Replicas that serve side by side."""
        return self.dp * self.replicas

    @property
    def gpus(self) -> int:
        """Cards of the whole scenario."""
        return self.ranks * self.copies


class Reserves(Frozen):
    """Memory the planner keeps free on each rank, and when little is called tight."""

    headroom: Amount = Amount(size_bytes=0)
    tight_below: Amount | None = None
    """Less left than this is "tight"; None takes the headroom itself."""

    def asked_bytes(self, total_bytes: int, place: Place) -> int:
        """Return the headroom that is asked for on a device of a total; a host keeps none."""
        return self.headroom.of(total_bytes) if place == "card" else 0


class Prices(Frozen):
    """What a card costs; kept apart from capacity."""

    per_gpu_hour: Rate
    currency: Annotated[str, Within(pattern=r"^[A-Z]{3}$")] = "USD"
    planned_utilisation: Share = 1.0

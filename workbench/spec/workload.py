"""What arrives: request lengths, how many at once, what they share."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.spec.base import (
    Count,
    Frozen,
    Line,
    Name,
    Rate,
    Share,
    Slug,
    Text,
    Title,
    Tokens,
    Within,
)

Sizing = Literal["mean", "p50", "p95", "p99", "max"]


class ConstantLength(Frozen):
    """Every request has the same length."""

    kind: Literal["constant"] = "constant"
    tokens: Tokens


class QuantilePoint(Frozen):
    """At most `tokens` tokens in a share `q` of the requests."""

    q: Share
    tokens: Tokens


def _check_points(points: tuple[QuantilePoint, ...]) -> None:
    for before, after in pairwise(points):
        if after.q <= before.q or after.tokens < before.tokens:
            raise PydanticCustomError(
                "quantiles_not_rising",
                "quantile points must rise: {q} with {tokens} tokens follows {previous_q} "
                "with {previous_tokens}",
                {
                    "q": after.q,
                    "tokens": after.tokens,
                    "previous_q": before.q,
                    "previous_tokens": before.tokens,
                },
            )
    if points[-1].q != 1.0:
        raise PydanticCustomError(
            "quantiles_need_the_longest", "the last quantile point must be q = 1, the longest"
        )


class QuantileTable(Frozen):
    """Lengths by quantile, from the shortest (q = 0) to the longest (q = 1).

    Between two points lengths are spread evenly over whole tokens.
    """

    kind: Literal["quantiles"] = "quantiles"
    points: tuple[QuantilePoint, ...] = Field(min_length=1, max_length=1_001)
    source: Text = ""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        _check_points(self.points)
        return self


class TraceSummary(Frozen):
    """Lengths measured in a trace, as its quantiles and its own mean."""

    kind: Literal["trace"] = "trace"
    requests: Count
    mean_tokens: Annotated[float, Within(ge=1, le=2.0**63)]
    points: tuple[QuantilePoint, ...] = Field(min_length=1, max_length=1_001)
    source: Text = ""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        _check_points(self.points)
        return self


LengthDistribution = Annotated[
    ConstantLength | QuantileTable | TraceSummary, Field(discriminator="kind")
]


class PrefixGroup(Frozen):
    """Requests that begin with one of a few shared prefixes."""

    name: Line = ""
    shared_tokens: Tokens
    distinct_prefixes: Annotated[int, Within(ge=1, le=2**40)] = 1
    request_share: Share = 1.0
    """Share of all requests that belong to the group."""


class Workload(Frozen):
    """Request lengths, target concurrency, prefix groups and arrivals."""

    lengths: LengthDistribution
    """Total length of a request at its end: prompt and output."""
    outputs: LengthDistribution | None = None
    """Output part of the length, where it is known."""
    concurrency: Count | None = None
    """Requests held at once; None asks for the largest number that fits."""
    sizing: Sizing = "p95"
    """Which length the ledger is drawn with."""
    prefix_groups: tuple[PrefixGroup, ...] = Field(default=(), max_length=100)
    risk_share: Share | None = None
    """Probability of overflowing the pool that is taken; None takes 1 %."""
    arrivals_per_s: Rate | None = None
    burstiness_cv: Rate | None = None
    """Coefficient of variation of the gaps between arrivals."""

    @model_validator(mode="after")
    def _shares_at_most_one(self) -> Self:
        # A tenth of a per mille of slack: shares are typed as rounded percentages.
        total = sum(group.request_share for group in self.prefix_groups)
        if total > 1.0001:
            raise PydanticCustomError(
                "prefix_shares_over_one",
                "prefix groups take {percent} % of the requests, at most 100 % are accepted",
                {"percent": round(total * 100, 2)},
            )
        return self


class WorkloadPreset(Frozen):
    """A named, sourced workload."""

    id: Slug
    rev: Count = 1
    name: Title
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    workload: Workload
    sources: tuple[Text, ...] = Field(default=(), max_length=20)
    checked: Text = ""

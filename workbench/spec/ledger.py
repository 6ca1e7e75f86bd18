"""The result: where the bytes of every rank go, what fits, and why.

These are values made by the core, not typed by people, so they are plain frozen dataclasses.
Texts are codes and parameters; the sentences stand in `spec.words`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal


class EntryKind(StrEnum):
    """Kinds of ledger line in stack order; the last lies outside the engine's budget."""

    WEIGHTS = "weights"
    RUNTIME = "runtime"
    ACTIVATIONS = "activations"
    STATE = "state"
    FRAGMENTATION = "fragmentation"
    PREFIX = "prefix"
    KV = "kv"
    UNREQUESTED = "unrequested"


STACK_ORDER: tuple[EntryKind, ...] = tuple(
    kind for kind in EntryKind if kind is not EntryKind.UNREQUESTED
)


class Evidence(StrEnum):
    """How sure a figure is."""

    GIVEN = "given"
    COMPUTED = "computed"
    FITTED = "fitted"
    ASSUMED = "assumed"
    MEASURED = "measured"


class Status(StrEnum):
    """The verdict."""

    FITS = "fits"
    TIGHT = "tight"
    DOES_NOT_FIT = "does_not_fit"
    REFUSES = "refuses"


Severity = Literal["info", "warning", "error"]
Place = Literal["card", "host"]
"""Where a rank has its memory."""
Unit = Literal["bytes", "tokens", "blocks", "share", "count", "ratio", "text"]
Number = int | float | Fraction
Params = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from: a code of `spec.words.SOURCES` and its detail."""

    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One input of a formula; a computed one carries the formula it came from."""

    symbol: str
    value: Number | str
    unit: Unit
    evidence: Evidence
    source: Source
    field: str | None = None
    """Id of the field of the scenario that sets it (`spec.fields`)."""
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression over named terms, written with `{symbol}` for each."""

    expression: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a rank's ledger."""

    kind: EntryKind
    label: str
    """A code of `spec.words.LABELS`, unique within the rank."""
    bytes: int
    evidence: Evidence
    formula: Formula
    source: Source
    low_bytes: int | None = None
    high_bytes: int | None = None
    in_budget: bool = True


@dataclass(frozen=True, slots=True)
class RankLedger:
    """Entries of one rank. Entries + headroom + free = total."""

    rank: int
    stage: int
    total_bytes: int
    budget_bytes: int
    entries: tuple[Entry, ...]
    headroom_bytes: int
    free_bytes: int
    place: Place = "card"
    """The host's rank has a total of its own and keeps no headroom."""

    @property
    def decides(self) -> bool:
        """Whether it can be the rank that decides: a card, or a host that has too little."""
        return self.place == "card" or self.left_bytes < 0

    def kind_bytes(self, kind: EntryKind) -> int:
        """Sum of the entries of a kind, 0 when there is none."""
        return sum(entry.bytes for entry in self.entries if entry.kind is kind)

    @property
    def cache_bytes(self) -> int:
        """Whole blocks in use: requests, their states, shared prefixes, tails of last blocks."""
        tails = sum(entry.bytes for entry in self.entries if entry.label == "block_tails")
        held = (EntryKind.KV, EntryKind.STATE, EntryKind.PREFIX)
        return sum(self.kind_bytes(kind) for kind in held) + tails

    @property
    def charged_bytes(self) -> int:
        """What the entries inside the budget take."""
        return sum(
            entry.bytes
            for entry in self.entries
            if entry.in_budget and entry.kind is not EntryKind.UNREQUESTED
        )

    @property
    def left_bytes(self) -> int:
        """Budget less charged entries; negative when it does not fit.

        What lives outside the budget and exceeds its place there is taken off too.
        """
        return self.headroom_bytes + self.free_bytes

    @property
    def over_bytes(self) -> int:
        """How far the entries exceed the budget, 0 when they fit."""
        return max(0, -self.left_bytes)


@dataclass(frozen=True, slots=True)
class Group:
    """Layers of like kind that share a block table."""

    kind: str
    layers: int
    block_tokens: int
    page_bytes: int
    blocks_per_request: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The KV memory of the deciding rank."""

    bytes: int
    blocks: int
    bytes_per_block: int
    block_tokens: int
    tokens: int
    kv_bytes_per_token: Number | None
    tokens_per_mib: Number | None
    groups: tuple[Group, ...]

    def bytes_of(self, tokens: int) -> int:
        """Bytes that one more run of `tokens` tokens adds, without whole blocks."""
        return int(tokens * (self.kv_bytes_per_token or 0))


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the ledger draws it."""

    tokens: int
    blocks: int
    shared_blocks: Fraction
    """Mean number of its blocks that it shares with others, over all requests."""
    tail_tokens: int
    """Slots of its last block that stay empty."""


@dataclass(frozen=True, slots=True)
class EngineLog:
    """What the engine itself would print at its longest request."""

    tokens_per_request: int
    concurrency: float


@dataclass(frozen=True, slots=True)
class SteadyState:
    """Requests of each length held at once, in the whole scenario."""

    mean: int
    p50: int
    p95: int
    p99: int
    max: int


@dataclass(frozen=True, slots=True)
class AtRisk:
    """Largest concurrency at which the pool overflows with at most this probability."""

    probability: float
    concurrency: int


@dataclass(frozen=True, slots=True)
class Target:
    """The concurrency asked for."""

    concurrency: int
    met: bool


@dataclass(frozen=True, slots=True)
class Capacity:
    """Three figures, named apart because people mix them up."""

    engine_log: EngineLog | None
    steady_state: SteadyState | None
    at_risk: AtRisk | None
    target: Target | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the engine would not start."""

    category: str
    suggested_max_model_len: int | None = None
    reason: str = ""
    """What says more than the category: a code, or the planner's own words."""
    params: Params = dataclasses.field(default_factory=dict)
    field: str | None = None
    """Id of the field that would have to change."""
    has_pages: bool = True
    """Whether the pool can be drawn all the same."""


@dataclass(frozen=True, slots=True)
class Band:
    """What the bands of fitted and assumed entries leave open, on the deciding rank."""

    pool_low_bytes: int
    pool_high_bytes: int
    most_requests_low: int
    most_requests_high: int
    """Requests of the drawn length in the whole scenario, at each end."""
    straddles: bool
    """Whether the verdict differs between the two ends."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Status with the constraint that binds."""

    status: Status
    binding: str
    shortfall_bytes: int | None = None
    refusal: Refusal | None = None
    near_limit: bool = False
    """It fits, but nobody keeps headroom and little is left: no pass."""

    @property
    def shown(self) -> Status:
        """The status whose symbol and colour it has."""
        return Status.TIGHT if self.near_limit else self.status


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one field that cures a finding."""

    field: str
    value: object


@dataclass(frozen=True, slots=True)
class Finding:
    """A lint: code, severity, parameters, the field to change, a fix where one exists."""

    code: str
    severity: Severity
    field: str | None = None
    params: Params = dataclasses.field(default_factory=dict)
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Echo:
    """The question as it was understood."""

    name: str
    model: str
    gpu: str
    gpus: int
    replicas: int
    engine: str
    release: str
    rules: str
    resolved: Mapping[str, object]
    defaulted: tuple[str, ...]
    origins: Mapping[str, Source] = dataclasses.field(default_factory=dict)
    """Where each defaulted value comes from, where that can be said more closely."""


@dataclass(frozen=True, slots=True)
class Admission:
    """One request of the drawn length on its way through the pool, in whole blocks."""

    prompt_tokens: int
    output_tokens: int
    """1 where the workload does not say how much of a request is output."""
    pool_blocks: int
    withheld_blocks: int
    """Given to nobody."""
    watermark_blocks: int
    """Kept free when a request joins others."""
    in_flight_tokens: int
    """Scheduled but not yet computed, at most."""
    needed_blocks: int
    """Free blocks that the prompt has to find to be admitted."""
    after_prompt_blocks: int
    at_end_blocks: int
    peak_blocks: int
    """Most that the request holds at any step."""
    admitted_together: int
    """Equal prompts that are admitted and computed together before one has to wait."""

    @property
    def growth_blocks(self) -> int:
        """What a request takes while it decodes and nobody has kept for it."""
        return max(0, self.at_end_blocks - self.after_prompt_blocks)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The whole answer to one scenario."""

    scenario: Echo
    verdict: Verdict
    ranks: tuple[RankLedger, ...]
    pool: Pool | None
    request: Request | None
    concurrency: int
    """Requests on one replica that the entries are drawn with."""
    most_requests: int | None
    """Most requests of the drawn length that leave the headroom free, in the whole scenario."""
    capacity: Capacity
    findings: tuple[Finding, ...]
    not_modelled: tuple[str, ...]
    band: Band | None = None
    """None where every figure of the budget is exact or given."""
    remarks: tuple[Finding, ...] = ()
    """What the engine's own rule says of its pool; they stand among the findings."""

    @property
    def worst_rank(self) -> RankLedger:
        """The rank that decides: the one with the least left."""
        deciding = (rank for rank in self.ranks if rank.decides)
        return min(deciding, key=lambda rank: (rank.left_bytes, rank.rank))

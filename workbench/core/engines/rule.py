"""What the formula sheet asks of an engine: its budget, its pages, its pool, its refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from workbench.core.load.demand import Demand
from workbench.core.memory.shares import Stage
from workbench.spec.ledger import (
    Admission,
    Entry,
    Finding,
    Formula,
    Group,
    Number,
    Refusal,
    Source,
)
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Resolved:
    """Flags of the engine with the defaults filled in."""

    max_model_len: int | None
    """None where neither a person nor the model names a longest request."""
    max_num_seqs: int
    values: Mapping[str, object]
    defaulted: tuple[str, ...]
    request_limit: int | None = None
    """Requests that the scheduler runs at once at most; None leaves it to the pool."""
    origins: Mapping[str, Source] = field(default_factory=dict)
    """Where each defaulted value comes from, where that can be said more closely."""


@dataclass(frozen=True, slots=True)
class StagePages:
    """KV of one stage: bytes a token and a block take on each of its ranks."""

    bytes_per_token: Number
    """What one more token adds once every window is full."""
    token_formula: Formula
    bytes_per_block: int
    block_tokens: int
    groups: tuple[Group, ...]
    """Layers that share a block table, the stage's share of each."""
    withheld_blocks: int = 0
    """Blocks of the pool that no request is given."""
    taken_at_start: int = 0
    """Blocks that are allocated whole at start, whoever holds them; 0 takes them as they come."""


NO_PAGES: Final = StagePages(0, Formula("0"), 0, 1, ())
"""Of a stage without KV, and where there is no plan."""


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """The pool that the engine makes of what its ranks have left."""

    blocks: int
    """Blocks of a rank, those that no request can use included."""
    usable_blocks: int
    """Blocks that the engine hands out: less what it withholds, whatever else a card must hold."""
    tokens: int
    """Tokens that the engine prints for the pool."""
    concurrency: float | None
    """Requests of max_model_len that the engine prints; None without a longest request."""
    max_model_len: int | None
    refusal: Refusal | None = None
    remarks: tuple[Finding, ...] = ()
    """What the engine does with the pool that a person should know: a length it cuts …"""


class EngineRule(Protocol):
    """One engine's arithmetic. Nothing here raises for a valid scenario."""

    def rules_name(self, scenario: Scenario) -> str:
        """Name the rules that are used for the release asked for."""

    def resolve(self, scenario: Scenario) -> Resolved:
        """Fill in what the person left to the engine."""

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """Cut the layers into pipeline stages as the engine does."""

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """Return what a rank of the stage may use, and what it spends whatever the requests."""

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """Return the KV pages of a stage; no groups for a stage without KV."""

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Return the blocks that requests of `tokens` tokens hold."""

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """Plan the pool from what each stage's ranks have left; None without any KV."""

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Return what `requests` requests hold on a rank, in whole blocks."""

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """Return why the engine would not start, as far as it does not hang on the pool."""

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """Follow one request through a pool of so many blocks; None where no scheduler is known."""

    def start_is_open(self, scenario: Scenario) -> bool:
        """Say whether the bands leave open that the engine starts at all."""

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """Name what a card also holds and no entry counts."""

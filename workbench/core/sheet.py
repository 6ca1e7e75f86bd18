"""What the stages of a scenario have for requests, and how many requests that holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt

from workbench.core.engines import rule_of
from workbench.core.engines.rule import EngineRule, PoolPlan, Resolved, StagePages
from workbench.core.load.demand import Demand
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import Stage
from workbench.spec.engine import given_pool
from workbench.spec.ledger import (
    AtRisk,
    Band,
    Capacity,
    EngineLog,
    Entry,
    Number,
    Pool,
    SteadyState,
    Target,
)
from workbench.spec.scenario import Scenario
from workbench.spec.units import MIB
from workbench.spec.workload import ConstantLength, Sizing

DEFAULT_RISK_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class StageBudget:
    """What one rank of a stage has for requests."""

    stage: Stage
    budget_bytes: int
    fixed: tuple[Entry, ...]
    pages: StagePages

    @property
    def left_bytes(self) -> int:
        """Budget less the fixed entries inside it; negative when they do not fit."""
        return self.budget_bytes - sum(entry.bytes for entry in self.fixed if entry.in_budget)

    @property
    def pool_bytes(self) -> int:
        """What is left for the pool, not below zero."""
        return max(0, self.left_bytes)

    @property
    def is_card(self) -> bool:
        """Whether its ranks are cards; the host's memory is its budget and keeps no headroom."""
        return self.stage.place == "card"

    def total_bytes(self, card_bytes: int) -> int:
        """Memory of a rank, where a card has so much."""
        return card_bytes if self.is_card else self.budget_bytes

    def beyond_bytes(self, card_bytes: int) -> int:
        """How far the budget exceeds the rank's memory, by the least that its entries may take.

        Only a pool given by hand makes a budget of more than there is.
        """
        charged = (entry for entry in self.fixed if entry.in_budget)
        spread = sum(
            entry.bytes - entry.low_bytes for entry in charged if entry.low_bytes is not None
        )
        return max(0, self.budget_bytes - spread - self.total_bytes(card_bytes))

    def outside_over_bytes(self, card_bytes: int) -> int:
        """How far what lives outside the budget exceeds the part of the card left to it."""
        outside = sum(entry.bytes for entry in self.fixed if not entry.in_budget)
        return max(0, outside - (self.total_bytes(card_bytes) - self.budget_bytes))

    def room_bytes(self, card_bytes: int) -> int:
        """What is left, less what lives outside the budget and does not fit there."""
        return self.left_bytes - self.outside_over_bytes(card_bytes)

    def room_blocks(self, card_bytes: int, kept_bytes: int = 0) -> int:
        """Blocks that requests can hold on a rank with `kept_bytes` of it left free.

        Those that the engine withholds from every request take their room too; a pool that is
        allocated whole has room as a whole or not at all.
        """
        room_bytes = self.room_bytes(card_bytes) - (kept_bytes if self.is_card else 0)
        blocks = max(0, room_bytes // self.pages.bytes_per_block - self.pages.withheld_blocks)
        whole = self.pages.taken_at_start
        return blocks // whole * whole if whole else blocks

    def spare_bytes(self, card_bytes: int, kept_bytes: int = 0) -> int:
        """What is left before any request, less what is kept and a pool allocated whole."""
        kept_bytes = kept_bytes if self.is_card else 0
        return self.room_bytes(card_bytes) - self.taken_bytes - kept_bytes

    @property
    def taken_bytes(self) -> int:
        """A pool that is allocated whole at start; 0 for one that takes what is left."""
        return self.pages.taken_at_start * self.pages.bytes_per_block


@dataclass(frozen=True, slots=True)
class Sheet:
    """A scenario with its rule and what its stages have; the rest is worked out from these."""

    scenario: Scenario
    rule: EngineRule
    resolved: Resolved
    stages: tuple[StageBudget, ...]
    _pools: dict[int, PoolPlan | None] = field(default_factory=dict, compare=False, repr=False)
    """Pools already planned, by what more the entries of each rank took."""
    _usable: dict[tuple[int, int], int | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Blocks already counted, by what was kept of each rank and what more its entries took."""

    # Pool and demand

    @property
    def overdrawn_bytes(self) -> int:
        """How far the pool's blocks exceed what a rank has left; only a given pool can."""
        return self._overdrawn_bytes(0)

    def _overdrawn_bytes(self, more_bytes: int) -> int:
        plan = self.pool(more_bytes)
        if plan is None:
            return 0
        card_bytes = self.scenario.gpu.device_total_bytes
        over = (
            plan.blocks * stage.pages.bytes_per_block
            + stage.beyond_bytes(card_bytes)
            - (stage.left_bytes - (more_bytes if stage.is_card else 0))
            for stage in self.stages
            if stage.pages.bytes_per_block
        )
        return max((0, *over))

    @property
    def headroom_bytes(self) -> int:
        """What a person keeps free on each rank."""
        return self.scenario.headroom_bytes

    @property
    def stages_with_kv(self) -> tuple[StageBudget, ...]:
        """Stages whose ranks hold blocks of requests."""
        return tuple(stage for stage in self.stages if stage.pages.bytes_per_block)

    def has_room(self, kept_bytes: int = 0, more_bytes: int = 0) -> bool:
        """Whether every rank has `kept_bytes` left before any request, and all of its pool."""
        card_bytes = self.scenario.gpu.device_total_bytes
        spare = all(
            stage.spare_bytes(card_bytes, kept_bytes) >= (more_bytes if stage.is_card else 0)
            for stage in self.stages
        )
        return spare and not self._overdrawn_bytes(more_bytes)

    def usable_blocks(self, kept_bytes: int = 0, more_bytes: int = 0) -> int | None:
        """Blocks that requests can hold with `kept_bytes` of each rank left free; None without KV.

        The fewer of what the engine hands out of its whole pool, and of what there is room for:
        it knows nothing of a headroom, and what its watermark keeps free is part of that.
        `more_bytes`: as for `pool`.
        """
        asked = kept_bytes, more_bytes
        if asked not in self._usable:
            plan = self.pool(more_bytes)
            total_bytes, lost_bytes = self.scenario.gpu.device_total_bytes, kept_bytes + more_bytes
            room = (stage.room_blocks(total_bytes, lost_bytes) for stage in self.stages_with_kv)
            self._usable[asked] = None if plan is None else min((plan.usable_blocks, *room))
        return self._usable[asked]

    def pool(self, more_bytes: int = 0) -> PoolPlan | None:
        """The engine's pool if the entries of each rank took so much more; None without KV."""
        if more_bytes not in self._pools:
            pages = tuple(stage.pages for stage in self.stages)
            available = tuple(stage.left_bytes - more_bytes for stage in self.stages)
            self._pools[more_bytes] = self.rule.pool(self.scenario, pages, available)
        return self._pools[more_bytes]

    def demand(self, sizing: Sizing) -> Demand:
        """Demand of requests of the mean, P50, P95, P99 or longest total length."""
        lengths = self.scenario.workload.lengths
        return self.rule.demand(self.scenario, sized_tokens(lengths, sizing))

    def most_requests(self, demand: Demand, more_bytes: int = 0) -> int:
        """Most requests on one replica that leave the headroom free and that the engine runs."""
        kept_bytes = self.headroom_bytes
        if not self.has_room(kept_bytes, more_bytes):
            return 0
        return self._runnable(demand, kept_bytes, more_bytes)

    def _runnable(self, demand: Demand, kept_bytes: int, more_bytes: int = 0) -> int:
        """Most requests that the engine runs and that leave so much on the ranks with KV."""
        blocks = self.usable_blocks(kept_bytes, more_bytes)
        if blocks is None:
            return self.resolved.max_num_seqs
        return self.at_most(demand.requests_in(blocks))

    def at_most(self, requests: int) -> int:
        """No more requests than the scheduler runs at once."""
        limit = self.resolved.request_limit
        return requests if limit is None else min(requests, limit)

    def drawn_requests(self, demand: Demand) -> int:
        """Requests on one replica that the ledger shows.

        The target, shared evenly over the replicas; without one the most that leave the headroom
        free on the ranks that hold them, else the most that fit at all, else one.
        """
        target = self.scenario.workload.concurrency
        if target is not None:
            return -(-target // self.scenario.deployment.copies)
        return self._runnable(demand, self.headroom_bytes) or self._runnable(demand, 0) or 1

    def band(self, demand: Demand) -> Band | None:
        """What the answer becomes when every fitted figure lies at an end of its band."""
        # The stage that decides is not always the one with the widest band: take the widest.
        more_bytes = max(_width(stage, "high") for stage in self.stages)
        less_bytes = max(_width(stage, "low") for stage in self.stages)
        if not more_bytes and not less_bytes:
            return None
        if self._takes_what_is_given:
            return self._band_beside_given(demand, more_bytes)
        low, high = self.pool(more_bytes), self.pool(-less_bytes)
        if low is None or high is None:
            return None
        copies = self.scenario.deployment.copies
        most = [
            copies * self.most_requests(demand, taken_bytes)
            for taken_bytes in (more_bytes, -less_bytes)
        ]
        target = self.scenario.workload.concurrency or 1
        good = [
            plan.refusal is None
            and self.has_room(0, taken_bytes)
            and copies * demand.requests_in(self.usable_blocks(0, taken_bytes) or 0) >= target
            for plan, taken_bytes in ((low, more_bytes), (high, -less_bytes))
        ]
        pool_bytes, taken_bytes = self.deciding_stage.pool_bytes, self.deciding_stage.taken_bytes
        # A pool that flags give is as large as they say, whatever stands beside it.
        return Band(
            pool_low_bytes=taken_bytes or max(0, pool_bytes - more_bytes),
            pool_high_bytes=taken_bytes or pool_bytes + less_bytes,
            most_requests_low=most[0],
            most_requests_high=most[1],
            straddles=good[0] != good[1] or self.rule.start_is_open(self.scenario),
        )

    @property
    def _takes_what_is_given(self) -> bool:
        """Whether the pool has a given size, whatever stands beside it."""
        given = given_pool(self.scenario.engine)
        left = (stage.left_bytes for stage in self.stages_with_kv)
        return given is not None and all(one == given.bytes for one in left)

    def _band_beside_given(self, demand: Demand, more_bytes: int) -> Band | None:
        """A given pool is as large as it is, and with it what it holds: only the card may end."""
        if self.pool() is None:
            return None
        card_bytes = self.scenario.gpu.device_total_bytes
        pool_bytes = self.deciding_stage.pool_bytes
        most = self.scenario.deployment.copies * self.most_requests(demand)
        beyond = any(
            stage.budget_bytes + more_bytes > stage.total_bytes(card_bytes)
            for stage in self.stages
            if stage.is_card
        )
        never = any(stage.beyond_bytes(card_bytes) for stage in self.stages)
        straddles = (beyond and not never) or self.rule.start_is_open(self.scenario)
        return Band(pool_bytes, pool_bytes, most, most, straddles) if straddles else None

    # Capacity

    @property
    def deciding_stage(self) -> StageBudget:
        """The stage whose memory holds the fewest blocks; the first where none has KV.

        The host decides nothing beside cards: it has what it needs.
        """
        with_kv = self.stages_with_kv or self.stages[:1]
        return min(
            [stage for stage in with_kv if stage.is_card] or with_kv,
            key=lambda stage: stage.pool_bytes // max(1, stage.pages.bytes_per_block),
        )

    def described_pool(self, plan: PoolPlan | None, demand: Demand) -> Pool | None:
        """The pool of the stage that decides."""
        stage = self.deciding_stage
        pages = stage.pages
        if not pages.bytes_per_block or plan is None:
            return None
        groups = pages.groups
        if len(groups) != len(demand.blocks_by_group):
            # Stages were grouped apart: requests are given the blocks of the first one's groups.
            groups = self.stages[0].pages.groups
        return Pool(
            bytes=stage.taken_bytes or stage.pool_bytes,
            blocks=plan.blocks,
            bytes_per_block=pages.bytes_per_block,
            block_tokens=pages.block_tokens,
            tokens=plan.tokens,
            kv_bytes_per_token=pages.bytes_per_token,
            tokens_per_mib=_whole_or_float(MIB, pages.bytes_per_token),
            groups=tuple(
                replace(group, blocks_per_request=blocks)
                for group, blocks in zip(groups, demand.blocks_by_group, strict=True)
            ),
        )

    def capacity(self, plan: PoolPlan | None) -> Capacity:
        """The three figures: engine log for one replica, the others for the whole scenario."""
        if plan is None:
            return Capacity(None, None, None, None)
        scenario, workload = self.scenario, self.scenario.workload
        copies, blocks = scenario.deployment.copies, self.usable_blocks() or 0
        known: dict[int, int] = {}

        def held(sizing: Sizing) -> int:
            tokens = sized_tokens(workload.lengths, sizing)
            if tokens not in known:
                demand = self.rule.demand(scenario, tokens)
                known[tokens] = copies * demand.requests_in(blocks)
            return known[tokens]

        steady = SteadyState(held("mean"), held("p50"), held("p95"), held("p99"), held("max"))
        engine_log = None
        if plan.max_model_len is not None and plan.concurrency is not None:
            engine_log = EngineLog(plan.max_model_len, plan.concurrency)
        at_risk = None
        if isinstance(workload.lengths, ConstantLength):
            # Requests of one constant length cannot overflow by chance: any stated risk holds.
            at_risk = AtRisk(_risk_share(scenario), steady.max)
        target, wanted = None, workload.concurrency
        if wanted is not None:
            runnable = copies * self.at_most(held(workload.sizing) // copies)
            target = Target(wanted, wanted <= runnable and not self.overdrawn_bytes)
        return Capacity(engine_log, steady, at_risk, target)


def sheet_of(scenario: Scenario) -> Sheet:
    """Return what the engine's rule says of a scenario before any request arrives."""
    rule = rule_of(scenario.engine)
    return Sheet(scenario, rule, rule.resolve(scenario), _stage_budgets(rule, scenario))


def _stage_budgets(rule: EngineRule, scenario: Scenario) -> tuple[StageBudget, ...]:
    """What each stage has; stages with equal layers in an equal place are worked out once."""
    known: dict[object, tuple[int, tuple[Entry, ...]]] = {}
    stages = []
    for stage in rule.stages(scenario):
        alike = (stage.runs, stage.is_first, stage.is_last, stage.place)
        if alike not in known:
            known[alike] = rule.stage_budget(scenario, stage)
        stages.append(StageBudget(stage, *known[alike], rule.pages(scenario, stage)))
    return tuple(stages)


def _width(stage: StageBudget, end: str) -> int:
    """How much more, or less, the entries of a rank take at the ends of their bands.

    Their errors are independent, so the bands add up as squares do. Entries with one end only
    are reserves, no measured figures, and do not count.
    """
    banded = [
        entry
        for entry in stage.fixed
        if entry.in_budget and entry.low_bytes is not None and entry.high_bytes is not None
    ]
    if end == "high":
        parts = [(entry.high_bytes or 0) - entry.bytes for entry in banded]
    else:
        parts = [entry.bytes - (entry.low_bytes or 0) for entry in banded]
    return round(sqrt(sum(part * part for part in parts)))


def _whole_or_float(dividend: int, divisor: Number) -> Number | None:
    if not divisor:
        return None
    whole, rest = divmod(dividend, divisor)
    return int(whole) if rest == 0 else float(dividend / divisor)


def _risk_share(scenario: Scenario) -> float:
    stated = scenario.workload.risk_share
    return DEFAULT_RISK_SHARE if stated is None else stated

"""Scenario to ledger: the product's formula sheet, read from top to bottom.

budget       = what the engine may use of the card
fixed        = weights + runtime + activations + fragmentation reserve       on each rank
pool         = budget − fixed, in whole blocks of all layers of a stage
demand       = blocks of the prefixes, once + own blocks of each request
entries      = fixed + prefix + tail of last blocks + kv
left         = budget − entries
headroom     = the part of what is left that the planner keeps
free         = the rest of what is left
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from workbench.core.engines import rule_of
from workbench.core.engines.rule import EngineRule, PoolPlan, Resolved, StagePages
from workbench.core.lint import findings_of
from workbench.core.load.demand import Demand
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import Stage
from workbench.core.verdict import verdict_of
from workbench.spec.ledger import (
    STACK_ORDER,
    AtRisk,
    Band,
    Capacity,
    Echo,
    EngineLog,
    Entry,
    EntryKind,
    Evidence,
    Formula,
    Ledger,
    Number,
    Pool,
    RankLedger,
    Request,
    Source,
    SteadyState,
    Target,
    Term,
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


@lru_cache(maxsize=512)
def budget(scenario: Scenario) -> Ledger:
    """Return the ledger of a scenario with its findings. Never raises for a valid scenario."""
    ledger = ledger_of(scenario)
    return replace(ledger, findings=findings_of(scenario, ledger, ledger_of))


@lru_cache(maxsize=512)
def ledger_of(scenario: Scenario) -> Ledger:
    """Return the ledger without findings: what lints and solvers ask many times."""
    rule = rule_of(scenario.engine)
    resolved = rule.resolve(scenario)
    question = _Question(scenario, rule, resolved, _stage_budgets(rule, scenario))
    refusal = rule.refusal(scenario)
    pool, capacity, most = None, Capacity(None, None, None, None), None
    demand, band = None, None
    requests = 0
    if refusal is None or refusal.has_pages:
        demand = question.demand(scenario.workload.sizing)
        plan = question.pool()
        if refusal is None and plan is not None:
            refusal = plan.refusal
        most = question.most_requests(demand)
        requests = question.drawn_requests(demand, most)
        pool = question.described_pool(plan, demand)
        band = question.band(demand)
        if refusal is None or refusal.category == "max_len_too_long":
            capacity = question.capacity(plan)
        else:
            most = None
    ranks = question.ranks(demand, requests)
    return Ledger(
        scenario=_echo(scenario, rule, resolved),
        verdict=verdict_of(scenario, ranks, refusal),
        ranks=ranks,
        pool=pool,
        request=None if demand is None else _request(demand),
        concurrency=requests,
        most_requests=None if most is None else most * scenario.deployment.copies,
        capacity=capacity,
        findings=(),
        not_modelled=rule.not_modelled(scenario),
        band=band,
    )


def _stage_budgets(rule: EngineRule, scenario: Scenario) -> tuple[StageBudget, ...]:
    """What each stage has; stages with equal layers in an equal place are worked out once."""
    known: dict[object, tuple[int, tuple[Entry, ...], StagePages]] = {}
    stages = []
    for stage in rule.stages(scenario):
        alike = (stage.runs, stage.is_first, stage.is_last)
        if alike not in known:
            known[alike] = (*rule.stage_budget(scenario, stage), rule.pages(scenario, stage))
        stages.append(StageBudget(stage, *known[alike]))
    return tuple(stages)


@dataclass(frozen=True, slots=True)
class _Question:
    """A scenario with its rule and what its stages have; the sheet is worked out from these."""

    scenario: Scenario
    rule: EngineRule
    resolved: Resolved
    stages: tuple[StageBudget, ...]

    # Pool and demand

    def pool(self, kept_bytes: int = 0) -> PoolPlan | None:
        """The pool of what is left, less `kept_bytes` on each rank; None without KV."""
        pages = tuple(stage.pages for stage in self.stages)
        available = tuple(stage.left_bytes - kept_bytes for stage in self.stages)
        return self.rule.pool(self.scenario, pages, available)

    def demand(self, sizing: Sizing) -> Demand:
        """Demand of requests of the mean, P50, P95, P99 or longest total length."""
        lengths = self.scenario.workload.lengths
        return self.rule.demand(self.scenario, sized_tokens(lengths, sizing))

    def most_requests(self, demand: Demand) -> int:
        """Most requests on one replica that leave the headroom free and that the engine runs."""
        scenario = self.scenario
        headroom_bytes = scenario.reserves.headroom.of(scenario.gpu.device_total_bytes)
        plan = self.pool(headroom_bytes)
        if plan is None:
            return self.resolved.max_num_seqs
        return self.at_most(demand.requests_in(plan.usable_blocks))

    def at_most(self, requests: int) -> int:
        """No more requests than the scheduler runs at once."""
        limit = self.resolved.request_limit
        return requests if limit is None else min(requests, limit)

    def drawn_requests(self, demand: Demand, most: int) -> int:
        """Requests on one replica that the ledger shows.

        The target, shared evenly over the replicas; without one the most that leave the headroom
        free, else the most that fit at all, else one.
        """
        target = self.scenario.workload.concurrency
        if target is not None:
            return -(-target // self.scenario.deployment.copies)
        plan = self.pool()
        usable_blocks = 0 if plan is None else plan.usable_blocks
        return most or self.at_most(demand.requests_in(usable_blocks)) or 1

    def band(self, demand: Demand) -> Band | None:
        """What the answer becomes when every fitted figure lies at an end of its band."""
        # The stage that decides is not always the one with the widest band: take the widest.
        more_bytes = max(_width(stage, "high") for stage in self.stages)
        less_bytes = max(_width(stage, "low") for stage in self.stages)
        if not more_bytes and not less_bytes:
            return None
        low, high = self.pool(more_bytes), self.pool(-less_bytes)
        if low is None or high is None:
            return None
        scenario = self.scenario
        headroom_bytes = scenario.reserves.headroom.of(scenario.gpu.device_total_bytes)
        copies = scenario.deployment.copies
        most = [
            0 if plan is None else copies * self.at_most(demand.requests_in(plan.usable_blocks))
            for plan in (
                self.pool(headroom_bytes + more_bytes),
                self.pool(headroom_bytes - less_bytes),
            )
        ]
        target = scenario.workload.concurrency or 1
        good = [
            plan.refusal is None and copies * demand.requests_in(plan.usable_blocks) >= target
            for plan in (low, high)
        ]
        pool_bytes = min(stage.pool_bytes for stage in self.stages)
        return Band(
            pool_low_bytes=max(0, pool_bytes - more_bytes),
            pool_high_bytes=pool_bytes + less_bytes,
            most_requests_low=most[0],
            most_requests_high=most[1],
            straddles=good[0] != good[1],
        )

    # Ranks

    def ranks(self, demand: Demand | None, requests: int) -> tuple[RankLedger, ...]:
        """Ledger of every rank of a replica: tp equal ranks for each stage."""
        scenario = self.scenario
        ranks: list[RankLedger] = []
        known: dict[tuple[int, int], tuple[Entry, ...]] = {}
        for stage in self.stages:
            alike = (id(stage.fixed), id(stage.pages))
            ordered = known.get(alike)
            if ordered is None:
                entries = stage.fixed
                if demand is not None and stage.pages.bytes_per_block:
                    entries += self.rule.request_entries(scenario, stage.pages, demand, requests)
                entries += _outside_budget(scenario, stage)
                ordered = tuple(sorted(entries, key=lambda entry: _ORDER[entry.kind]))
                known[alike] = ordered
            first = _rank(scenario, stage, ordered, stage.stage.index * scenario.deployment.tp)
            ranks.append(first)
            for offset in range(1, scenario.deployment.tp):
                ranks.append(
                    RankLedger(
                        first.rank + offset,
                        first.stage,
                        first.total_bytes,
                        first.budget_bytes,
                        first.entries,
                        first.headroom_bytes,
                        first.free_bytes,
                    )
                )
        return tuple(ranks)

    # Capacity

    def described_pool(self, plan: PoolPlan | None, demand: Demand) -> Pool | None:
        """The pool of the stage that decides."""
        with_kv = [stage for stage in self.stages if stage.pages.bytes_per_block]
        if not with_kv or plan is None:
            return None
        stage = min(
            with_kv,
            key=lambda stage: (
                stage.pool_bytes // stage.pages.bytes_per_block,
                stage.stage.index,
            ),
        )
        pages = stage.pages
        return Pool(
            bytes=stage.pool_bytes,
            blocks=plan.blocks,
            bytes_per_block=pages.bytes_per_block,
            block_tokens=pages.block_tokens,
            tokens=plan.tokens,
            kv_bytes_per_token=pages.bytes_per_token,
            tokens_per_mib=_whole_or_float(MIB, pages.bytes_per_token),
            groups=tuple(
                replace(group, blocks_per_request=blocks)
                for group, blocks in zip(pages.groups, demand.blocks_by_group, strict=True)
            ),
        )

    def capacity(self, plan: PoolPlan | None) -> Capacity:
        """The three figures: engine log for one replica, the others for the whole scenario."""
        if plan is None:
            return Capacity(None, None, None, None)
        scenario, workload = self.scenario, self.scenario.workload
        copies = scenario.deployment.copies
        known: dict[int, int] = {}

        def held(sizing: Sizing) -> int:
            tokens = sized_tokens(workload.lengths, sizing)
            if tokens not in known:
                demand = self.rule.demand(scenario, tokens)
                known[tokens] = copies * demand.requests_in(plan.usable_blocks)
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
            target = Target(wanted, wanted <= runnable)
        return Capacity(engine_log, steady, at_risk, target)


def _width(stage: StageBudget, end: str) -> int:
    """How much more, or less, the entries of a rank take when each lies at an end of its band.

    Entries with one end only are reserves, no measured figures, and do not count.
    """
    banded = [
        entry
        for entry in stage.fixed
        if entry.in_budget and entry.low_bytes is not None and entry.high_bytes is not None
    ]
    if end == "high":
        return sum((entry.high_bytes or 0) - entry.bytes for entry in banded)
    return sum(entry.bytes - (entry.low_bytes or 0) for entry in banded)


def _outside_budget(scenario: Scenario, stage: StageBudget) -> tuple[Entry, ...]:
    """The part of the card that the engine did not ask for, less what lives there."""
    total_bytes = scenario.gpu.device_total_bytes
    if stage.budget_bytes >= total_bytes:
        return ()
    guests = [entry for entry in stage.fixed if not entry.in_budget]
    size = max(0, total_bytes - stage.budget_bytes - sum(entry.bytes for entry in guests))
    terms = [
        Term(
            "device_total_bytes",
            total_bytes,
            "bytes",
            Evidence.GIVEN,
            Source("gpu"),
            "gpu.device_total_bytes",
        ),
        Term("budget_bytes", stage.budget_bytes, "bytes", Evidence.COMPUTED, Source("engine_rule")),
    ]
    terms += [
        Term(f"{entry.label}_bytes", entry.bytes, "bytes", entry.evidence, entry.source)
        for entry in guests
    ]
    difference = " - ".join(f"{{{term.symbol}}}" for term in terms)
    formula = Formula(f"max(0, {difference})", tuple(terms))
    return (
        Entry(
            EntryKind.UNREQUESTED,
            "unrequested",
            size,
            Evidence.COMPUTED,
            formula,
            Source("engine_rule"),
            in_budget=False,
        ),
    )


_ORDER = {kind: place for place, kind in enumerate((*STACK_ORDER, EntryKind.UNREQUESTED))}


def _rank(
    scenario: Scenario, stage: StageBudget, entries: tuple[Entry, ...], number: int
) -> RankLedger:
    total_bytes = scenario.gpu.device_total_bytes
    reserve_bytes = scenario.reserves.headroom.of(total_bytes)
    taken_bytes = sum(entry.bytes for entry in entries if entry.in_budget)
    left_bytes = stage.budget_bytes - taken_bytes
    headroom_bytes = max(0, min(reserve_bytes, left_bytes))
    # What lives outside the budget and does not fit there takes from what is free inside it.
    outside_bytes = sum(entry.bytes for entry in entries if not entry.in_budget)
    over_bytes = max(0, outside_bytes - (total_bytes - stage.budget_bytes))
    return RankLedger(
        rank=number,
        stage=stage.stage.index,
        total_bytes=total_bytes,
        budget_bytes=stage.budget_bytes,
        entries=entries,
        headroom_bytes=headroom_bytes,
        free_bytes=left_bytes - headroom_bytes - over_bytes,
    )


def _whole_or_float(dividend: int, divisor: Number) -> Number | None:
    if not divisor:
        return None
    whole, rest = divmod(dividend, divisor)
    return int(whole) if rest == 0 else float(dividend / divisor)


def _request(demand: Demand) -> Request:
    return Request(demand.tokens, demand.blocks, demand.shared_blocks, demand.tail_tokens)


def _risk_share(scenario: Scenario) -> float:
    stated = scenario.workload.risk_share
    return DEFAULT_RISK_SHARE if stated is None else stated


def _echo(scenario: Scenario, rule: EngineRule, resolved: Resolved) -> Echo:
    return Echo(
        name=scenario.name,
        model=scenario.model.id,
        gpu=scenario.gpu.id,
        gpus=scenario.deployment.gpus,
        replicas=scenario.deployment.copies,
        engine=scenario.engine.kind,
        release=scenario.engine.release,
        rules=rule.rules_name(scenario),
        resolved=resolved.values,
        defaulted=resolved.defaulted,
        origins=resolved.origins,
    )

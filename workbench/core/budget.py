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
from workbench.core.engines.plain import PlainRule, Resolved, StagePages
from workbench.core.lint import findings_of
from workbench.core.load.demand import Demand, demand_of
from workbench.core.load.lengths import blocks_of, sized_tokens
from workbench.core.memory.shares import Stage, parallelism_fault, stages_of
from workbench.core.request_entries import request_entries
from workbench.core.verdict import verdict_of
from workbench.spec.ledger import (
    STACK_ORDER,
    AtRisk,
    Capacity,
    Echo,
    EngineLog,
    Entry,
    EntryKind,
    Ledger,
    Number,
    Pool,
    RankLedger,
    Refusal,
    Request,
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
    def pool_bytes(self) -> int:
        """Budget less fixed entries, not below zero."""
        return max(0, self.budget_bytes - sum(entry.bytes for entry in self.fixed))

    def blocks(self, kept_bytes: int = 0) -> int | None:
        """Whole blocks of the pool, less `kept_bytes`; None for a stage without KV."""
        if not self.pages.bytes_per_block:
            return None
        return max(0, self.pool_bytes - kept_bytes) // self.pages.bytes_per_block


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
    unsupported = rule.unsupported(scenario)
    stages = _stage_budgets(rule, scenario)
    demand = _demand(scenario, scenario.workload.sizing)
    refusal = _refusal(scenario, resolved, unsupported)
    pool, capacity, most = None, Capacity(None, None, None, None), None
    if unsupported:
        # The pages would be wrong: show what is known and leave the pool out.
        requests = 0
        ranks = _ranks(scenario, stages, None, requests)
    else:
        most = _most_requests(scenario, resolved, stages, demand)
        requests = _drawn_requests(scenario, stages, demand, most)
        ranks = _ranks(scenario, stages, demand, requests)
        pool = _pool(scenario, stages, demand)
    if refusal is None or refusal.category == "max_len_too_long":
        capacity = _capacity(scenario, resolved, stages)
    else:
        most = None
    return Ledger(
        scenario=_echo(scenario, rule, resolved),
        verdict=verdict_of(scenario, ranks, refusal),
        ranks=ranks,
        pool=pool,
        request=None if unsupported else _request(demand),
        concurrency=requests,
        most_requests=None if most is None else most * scenario.deployment.copies,
        capacity=capacity,
        findings=(),
        not_modelled=rule.not_modelled(scenario),
    )


def _stages(scenario: Scenario) -> tuple[Stage, ...]:
    """Stages of the layout; an impossible one is drawn as a single stage and refused."""
    deployment = scenario.deployment
    if deployment.pp > scenario.model.layer_count:
        deployment = deployment.with_(pp=1, pp_partition=None)
    return stages_of(scenario.model, deployment)


def _stage_budgets(rule: PlainRule, scenario: Scenario) -> list[StageBudget]:
    """What each stage has; stages with equal layers in an equal place are worked out once."""
    budget_bytes = rule.budget_bytes(scenario.gpu.device_total_bytes)
    known: dict[object, tuple[tuple[Entry, ...], StagePages]] = {}
    stages = []
    for stage in _stages(scenario):
        alike = (stage.runs, stage.is_first, stage.is_last)
        if alike not in known:
            known[alike] = rule.fixed_entries(scenario, stage), rule.pages(scenario, stage)
        stages.append(StageBudget(stage, budget_bytes, *known[alike]))
    return stages


# Demand


def _demand(scenario: Scenario, sizing: Sizing) -> Demand:
    """Demand of requests of the mean, P50, P95, P99 or longest total length."""
    return _demand_of(scenario, sized_tokens(scenario.workload.lengths, sizing))


def _demand_of(scenario: Scenario, tokens: int) -> Demand:
    return demand_of(tokens, scenario.engine.block_tokens, scenario.workload.prefix_groups)


def _usable_blocks(stages: list[StageBudget], kept_bytes: int = 0) -> int | None:
    """Blocks of the pool: the stage with the fewest decides; None when no stage keeps KV."""
    counts = [count for stage in stages if (count := stage.blocks(kept_bytes)) is not None]
    return min(counts, default=None)


def _most_requests(
    scenario: Scenario, resolved: Resolved, stages: list[StageBudget], demand: Demand
) -> int:
    """Most requests on one replica that leave the headroom free and that the engine runs."""
    headroom_bytes = scenario.reserves.headroom.of(scenario.gpu.device_total_bytes)
    blocks = _usable_blocks(stages, headroom_bytes)
    if blocks is None:
        return resolved.max_num_seqs
    return _at_most(scenario, demand.requests_in(blocks))


def _at_most(scenario: Scenario, requests: int) -> int:
    """No more requests than a limit that a person has set lets run at once."""
    limit = scenario.engine.max_num_seqs
    return requests if limit is None else min(requests, limit)


def _drawn_requests(
    scenario: Scenario, stages: list[StageBudget], demand: Demand, most: int
) -> int:
    """Requests on one replica that the ledger shows.

    The target, shared evenly over the replicas; without one the most that leave the headroom
    free, else the most that fit at all, else one.
    """
    target = scenario.workload.concurrency
    if target is not None:
        return -(-target // scenario.deployment.copies)
    return most or _at_most(scenario, demand.requests_in(_usable_blocks(stages) or 0)) or 1


# Ranks


def _ranks(
    scenario: Scenario, stages: list[StageBudget], demand: Demand | None, requests: int
) -> tuple[RankLedger, ...]:
    """Ledger of every rank of a replica: tp equal ranks for each stage."""
    ranks: list[RankLedger] = []
    known: dict[int, tuple[Entry, ...]] = {}
    for stage in stages:
        ordered = known.get(id(stage.fixed))
        if ordered is None:
            entries = stage.fixed
            if demand is not None and stage.pages.bytes_per_token:
                entries += request_entries(scenario, stage.pages, demand, requests)
            ordered = tuple(sorted(entries, key=lambda entry: _ORDER[entry.kind]))
            known[id(stage.fixed)] = ordered
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


_ORDER = {kind: place for place, kind in enumerate((*STACK_ORDER, EntryKind.UNREQUESTED))}


def _rank(
    scenario: Scenario, stage: StageBudget, entries: tuple[Entry, ...], number: int
) -> RankLedger:
    total_bytes = scenario.gpu.device_total_bytes
    reserve_bytes = scenario.reserves.headroom.of(total_bytes)
    left_bytes = stage.budget_bytes - sum(entry.bytes for entry in entries)
    headroom_bytes = max(0, min(reserve_bytes, left_bytes))
    return RankLedger(
        rank=number,
        stage=stage.stage.index,
        total_bytes=total_bytes,
        budget_bytes=stage.budget_bytes,
        entries=entries,
        headroom_bytes=headroom_bytes,
        free_bytes=left_bytes - headroom_bytes,
    )


# Pool and capacity


def _pool(scenario: Scenario, stages: list[StageBudget], demand: Demand) -> Pool | None:
    """The pool of the stage that decides."""
    with_kv = [stage for stage in stages if stage.pages.bytes_per_block]
    if not with_kv:
        return None
    stage = min(with_kv, key=lambda stage: (stage.blocks() or 0, stage.stage.index))
    blocks = stage.blocks() or 0
    pages = stage.pages
    return Pool(
        bytes=stage.pool_bytes,
        blocks=blocks,
        bytes_per_block=pages.bytes_per_block,
        block_tokens=pages.block_tokens,
        tokens=blocks * pages.block_tokens,
        kv_bytes_per_token=pages.bytes_per_token,
        tokens_per_mib=_whole_or_float(MIB, pages.bytes_per_token),
        groups=tuple(replace(group, blocks_per_request=demand.blocks) for group in pages.groups),
    )


def _whole_or_float(dividend: int, divisor: int) -> Number:
    whole, rest = divmod(dividend, divisor)
    return whole if rest == 0 else dividend / divisor


def _request(demand: Demand) -> Request:
    return Request(demand.tokens, demand.blocks, demand.shared_blocks, demand.tail_tokens)


def _capacity(scenario: Scenario, resolved: Resolved, stages: list[StageBudget]) -> Capacity:
    """The three figures: engine log for one replica, the others for the whole scenario."""
    blocks = _usable_blocks(stages)
    if blocks is None:
        return Capacity(None, None, None, None)
    copies, workload = scenario.deployment.copies, scenario.workload
    known: dict[int, int] = {}

    def held(sizing: Sizing) -> int:
        tokens = sized_tokens(workload.lengths, sizing)
        if tokens not in known:
            known[tokens] = copies * _demand_of(scenario, tokens).requests_in(blocks)
        return known[tokens]

    steady = SteadyState(held("mean"), held("p50"), held("p95"), held("p99"), held("max"))
    engine_log = None
    if resolved.max_model_len is not None:
        longest_blocks = blocks_of(resolved.max_model_len, resolved.block_tokens)
        engine_log = EngineLog(resolved.max_model_len, blocks / longest_blocks)
    at_risk = None
    if isinstance(scenario.workload.lengths, ConstantLength):
        # Requests of one constant length cannot overflow by chance: any stated risk holds.
        at_risk = AtRisk(_risk_share(scenario), steady.max)
    target, wanted = None, scenario.workload.concurrency
    if wanted is not None:
        runnable = copies * _at_most(scenario, held(workload.sizing) // copies)
        target = Target(wanted, wanted <= runnable)
    return Capacity(engine_log, steady, at_risk, target)


def _risk_share(scenario: Scenario) -> float:
    stated = scenario.workload.risk_share
    return DEFAULT_RISK_SHARE if stated is None else stated


# Refusals


def _refusal(scenario: Scenario, resolved: Resolved, unsupported: str | None) -> Refusal | None:
    """Why the question has no valid answer: the first reason found."""
    if unsupported:
        return Refusal("unsupported")
    if parallelism_fault(scenario.model, scenario.deployment):
        return Refusal("bad_parallelism")
    longest = sized_tokens(scenario.workload.lengths, "max")
    if resolved.max_model_len is not None and longest > resolved.max_model_len:
        limit = scenario.model.max_position_tokens
        suggested = longest if limit is None or longest <= limit else None
        return Refusal("max_len_too_long", suggested)
    return None


def _echo(scenario: Scenario, rule: PlainRule, resolved: Resolved) -> Echo:
    return Echo(
        name=scenario.name,
        model=scenario.model.id,
        gpu=scenario.gpu.id,
        gpus=scenario.deployment.gpus,
        replicas=scenario.deployment.copies,
        engine=scenario.engine.kind,
        release=scenario.engine.release,
        rules=rule.rules_name,
        resolved=resolved.values,
        defaulted=resolved.defaulted,
    )

"""One start of SGLang, from the card to the tokens it prints: every figure of every stage.

    before    in use before the weights: context, communicators
    slack     (card − before) × (1 − fraction)                     outside the budget
    rest      card − slack − before − weights − multimodal cache
    pools     states and window pool of the rest, tokens of what is left

Source: SGLang `mem_cache/kv_cache_configurator.py:_profile_available_bytes` (0.5.23) and its older
forms; sglang.md §1. The engine subtracts in GiB as floats; here bytes are rounded down once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor

from workbench.core.engines.sglang.cells import Cell, NoCell, cell_of
from workbench.core.engines.sglang.defaults import Flags, flags_of_start, is_multimodal
from workbench.core.engines.sglang.pools import (
    Requests,
    Tokens,
    draft_margin,
    paged,
    requests_of,
    tokens_of,
    unasked_rows,
    window_pool_tokens,
)
from workbench.core.engines.sglang.start import Start, start_of
from workbench.core.engines.sglang.states import Slots, slot_bytes, slots_of, state_tp
from workbench.core.engines.sglang.weights import Loaded, loaded_of
from workbench.core.engines.vllm.estimate import Estimate, estimate, fitted
from workbench.core.engines.vllm.runtime import row_of, was_seen
from workbench.core.memory.shares import Stage, parallelism_fault, stages_of
from workbench.spec.deployment import Deployment
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine
from workbench.spec.units import MIB


@dataclass(frozen=True, slots=True)
class StagePlan:
    """What a rank of one stage has, up to its tokens."""

    stage: Stage
    cell: Cell
    """By which what is left is divided; without windows where their pool is apart."""
    before: Estimate
    weights: Loaded | None
    budget_bytes: int
    multimodal_bytes: int
    slots: Slots | None
    window_pool: tuple[int, int] | None
    """Tokens, and bytes of each, of a window pool sized by the number of requests."""
    rest_bytes: int
    """Left of the budget for states, windows and tokens."""
    left_bytes: int
    """Left of it for tokens."""

    @property
    def window_pool_bytes(self) -> int:
        """Bytes of a window pool of its own size."""
        return 0 if self.window_pool is None else self.window_pool[0] * self.window_pool[1]


@dataclass(frozen=True, slots=True)
class Plan:
    """One start: its stages and what they have together, on one group of ranks."""

    flags: Flags
    stages: tuple[StagePlan, ...]
    tokens: Tokens
    """The least of all stages, without what drafts add."""
    margin: int
    """Tokens that drafts add to the number that is printed."""
    state_requests: int | None
    """Requests that have slots for their states; None without recurrent layers."""
    requests: Requests

    @property
    def printed_tokens(self) -> int:
        """As printed ("max_total_num_tokens")."""
        return self.tokens.full + self.margin


def sglang_stages(model: ModelSpec, deployment: Deployment) -> tuple[Stage, ...]:
    """Cut the layers into pipeline stages: what does not divide goes to the last ones.

    An impossible layout is drawn as a single stage. Source: SGLang 0.5.23
    `distributed/utils.py:get_pp_indices`.
    """
    pp, partition, layers = deployment.pp, deployment.pp_partition, model.layer_count
    if pp > layers or (partition is not None and sum(partition) != layers):
        return stages_of(model, deployment.with_(pp=1, pp_partition=None))
    if partition is None:
        whole, rest = divmod(layers, pp)
        sizes = tuple(whole + (1 if index >= pp - rest else 0) for index in range(pp))
        deployment = deployment.with_(pp_partition=sizes)
    return stages_of(model, deployment)


def plan_of(scenario: Scenario) -> Plan | NoCell:
    """Plan the start of a scenario, or say what there is no rule for."""
    return plan_of_start(start_of(scenario))


@lru_cache(maxsize=64)
def plan_of_start(start: Start) -> Plan | NoCell:
    """Plan a start; looked up many times for each answer."""
    if parallelism_fault(start.model, start.deployment):
        return NoCell("the parallel layout is not possible")
    flags = flags_of_start(start)
    try:
        stages = _stage_plans(start, flags)
    except NoCell as fault:
        # It is remembered, and would keep the frames of whoever asked first, to the window.
        return fault.with_traceback(None)
    left = tuple(stage.left_bytes for stage in stages)
    return planned(start, flags, stages, left)


def planned(
    start: Start, flags: Flags, stages: tuple[StagePlan, ...], left_bytes: tuple[int, ...]
) -> Plan:
    """Plan the tokens and requests of stages that have so much left."""
    engine = start.engine
    pools = [
        tokens_of(stage.cell, left, engine, flags)
        for stage, left in zip(stages, left_bytes, strict=True)
        if stage.cell.charged
    ]
    full = min((pool.full for pool in pools), default=0)
    window = min((pool.window for pool in pools if pool.window is not None), default=None)
    fixed = [stage.window_pool[0] for stage in stages if stage.window_pool is not None]
    window = min(fixed) if fixed else window
    slots = [stage.slots for stage in stages if stage.slots is not None]
    state_requests = min((each.requests for each in slots), default=None)
    margin = 0
    if engine.rules.draft_margin and full:
        margin = draft_margin(flags, unasked_rows(engine.rules, flags, full))
        if engine.max_total_tokens is not None:
            margin = max(0, min(full + margin, engine.max_total_tokens) - full)
        margin = paged(full + margin, flags.block_tokens) - full
    return Plan(
        flags=flags,
        stages=stages,
        tokens=Tokens(full, window),
        margin=margin,
        state_requests=state_requests,
        requests=requests_of(engine.rules, flags, full + margin, state_requests),
    )


def _stage_plans(start: Start, flags: Flags) -> tuple[StagePlan, ...]:
    """Plan each stage; those with equal layers in an equal place are worked out once."""
    charged = _charged_slot(start, flags)
    known: dict[object, StagePlan] = {}
    plans = []
    for stage in sglang_stages(start.model, start.deployment):
        alike = (stage.runs, stage.is_first, stage.is_last)
        if alike not in known:
            known[alike] = _stage_plan(start, flags, stage, charged)
        plans.append(replace(known[alike], stage=stage))
    return tuple(plans)


def _stage_plan(start: Start, flags: Flags, stage: Stage, charged_slot: int) -> StagePlan:
    model, deployment, engine = start.model, start.deployment, start.engine
    total = start.gpu.device_total_bytes
    before = before_load(start)
    weights = _weights(start, flags, stage)
    cell = cell_of(model, stage, start.precision.kv, engine, flags, deployment.tp)
    cell, window_pool = _window_apart(engine, flags, cell)
    multimodal = engine.rules.multimodal_mib * MIB if is_multimodal(model) else 0
    spent = before.bytes + (0 if weights is None else weights.bytes) + multimodal
    budget = total - slack_bytes(total, before.bytes, flags.mem_fraction_static)
    given = engine.measured.pool_bytes
    rest = budget - spent
    slots = slots_of(engine, flags, max(0, rest), charged_slot)
    taken = 0 if slots is None else slots.spent_bytes
    if window_pool is not None:
        taken += window_pool[0] * window_pool[1]
    left = rest - taken
    if given is not None:
        # The pool as it was allocated, padding page included, makes the budget.
        left = max(0, given - floor(flags.block_tokens * cell.stored_bytes))
        rest, budget = left + taken, left + taken + spent
    return StagePlan(
        stage, cell, before, weights, budget, multimodal, slots, window_pool, rest, left
    )


def slack_bytes(total_bytes: int, before_bytes: int, fraction: float) -> int:
    """What the engine leaves to graphs, activations and tables: free before the load × (1 − f).

    Rounded up, so that what is left of the card is the whole bytes of the engine's float.
    """
    free = max(0, total_bytes - before_bytes)
    return free - max(0, floor(free - free * (1 - fraction)))


def _weights(start: Start, flags: Flags, stage: Stage) -> Loaded | None:
    measured = start.engine.weights_bytes
    if measured is None:
        return loaded_of(start, flags, stage)
    source = Source("log", start.engine.measured.source)
    field = "engine.measured_weights_bytes"
    term = Term("measured_weights_bytes", measured, "bytes", Evidence.MEASURED, source, field)
    return Loaded(measured, measured, measured, Formula("{measured_weights_bytes}", (term,)))


def before_load(start: Start) -> Estimate:
    """What is in use before the weights are loaded: measured, else a figure of the card's class."""
    engine, total = start.engine, start.gpu.device_total_bytes
    free = engine.measured.before_load_bytes
    if free is not None:
        source = Source("log", engine.measured.source)
        size = max(0, total - free)
        field = "engine.measured_before_load_bytes"
        terms = (
            Term("device_total_bytes", total, "bytes", Evidence.GIVEN, Source("gpu")),
            Term("measured_before_load_bytes", free, "bytes", Evidence.MEASURED, source, field),
        )
        formula = Formula("max(0, {device_total_bytes} - {measured_before_load_bytes})", terms)
        return Estimate(size, size, size, Evidence.MEASURED, formula, source)
    row = row_of(engine.rules.before_load, start.gpu, start.deployment)
    assert row is not None, "a release has at least one class of cards"
    spread = row.spread
    if not was_seen(start.gpu, spread):
        spread = spread.with_(evidence="assumed")
    term = fitted("used_before_start", row.size_bytes, spread, "bytes")
    return estimate(row.size_bytes, Formula("{used_before_start}", (term,)), spread)


def _window_apart(
    engine: SglangEngine, flags: Flags, cell: Cell
) -> tuple[Cell, tuple[int, int] | None]:
    """Without a radix cache and with a limit of requests the window pool is sized by them."""
    window, rules = cell.window, engine.rules
    if window is None or not window.full_layers or not rules.window_request_pool:
        return cell, None
    if flags.radix_cache or engine.max_num_seqs is None or flags.chunked_prefill_size <= 0:
        return cell, None
    tokens = window_pool_tokens(flags, window.tokens, rules.window_eviction_tokens)
    full = window.full_bytes
    kept = tuple(part for part in cell.kept if not part.reach_tokens)
    alone = Cell(full, full, kept, cell.draft_bytes, None, window.full_layers)
    return alone, (tokens, window.window_bytes)


def _charged_slot(start: Start, flags: Flags) -> int:
    """What a state slot is charged with: that of the stage with most, before 0.5.2x of all."""
    tp = state_tp(start.deployment.tp, flags)
    stages = sglang_stages(start.model, start.deployment)
    sizes = [slot_bytes(each, start.engine, tp) for each in stages]
    if start.engine.rules.state_rule == "padding_slot":
        return max(sizes)
    return sum(sizes)

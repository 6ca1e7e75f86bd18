"""SGLang's rule for the formula sheet: budget, pages, pool and refusals of one release.

    budget = card − free before the weights × (1 − fraction)
    tokens = what weights and states leave of it ÷ cell, in whole pages; the least of all stages
Source: sglang.md §1, §3, §4; every difference between releases is a switch of `SglangRules`.
"""

from __future__ import annotations

from math import floor

from workbench.core.engines.foreign import foreign_format
from workbench.core.engines.rule import NO_PAGES, PoolPlan, Resolved, StagePages
from workbench.core.engines.sglang.cells import Kept, NoCell
from workbench.core.engines.sglang.defaults import Flags, flags_of, origin
from workbench.core.engines.sglang.fixed import fixed_entries
from workbench.core.engines.sglang.held import demand_of_plan, held_entries
from workbench.core.engines.sglang.plan import Plan, StagePlan, plan_of, planned, sglang_stages
from workbench.core.engines.sglang.pools import window_too_small
from workbench.core.engines.sglang.start import start_of
from workbench.core.load.demand import Demand
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import Stage, parallelism_fault, undivided_width
from workbench.spec.ledger import (
    Admission,
    Entry,
    Evidence,
    Formula,
    Group,
    Refusal,
    Source,
    Term,
)
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine


class SglangRule:
    """Budget and pages of the release that a scenario asks for."""

    def rules_name(self, scenario: Scenario) -> str:
        """The release whose rules are followed."""
        return _engine(scenario).rules.read_release

    def resolve(self, scenario: Scenario) -> Resolved:
        """Every flag that moves memory, with the release's defaults."""
        engine, flags = _engine(scenario), flags_of(scenario)
        plan = plan_of(scenario)
        running = 1
        if isinstance(plan, Plan):
            running = plan.requests.running * flags.dp_attention
        elif flags.max_num_seqs is not None:
            running = flags.max_num_seqs
        values: dict[str, object] = {
            "quantization": scenario.precision.weights.id,
            "kv_cache_dtype": scenario.precision.kv.id,
            "mem_fraction_static": flags.mem_fraction_static,
            "max_model_len": flags.max_model_len,
            "max_num_seqs": max(1, running),
            "block_size": flags.block_tokens,
            "chunked_prefill_size": flags.chunked_prefill_size,
            "max_prefill_tokens": flags.max_prefill_tokens,
            "cuda_graph_max_bs": flags.graph_max_bs,
            "disable_radix_cache": not flags.radix_cache,
            "swa_full_tokens_ratio": flags.swa_full_tokens_ratio,
            "mamba_full_memory_ratio": flags.mamba_full_memory_ratio,
        }
        if flags.attention_backend is not None:
            values["attention_backend"] = flags.attention_backend
        defaulted = tuple(flag for flag in flags.defaulted if flag in values)
        return Resolved(
            flags.max_model_len,
            max(1, running),
            values,
            defaulted,
            request_limit=running,
            origins={flag: origin(flags, flag, engine) for flag in defaulted},
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """The engine's own partition; an impossible layout is drawn as a single stage."""
        return sglang_stages(scenario.model, scenario.deployment)

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """The card less the slack; what has no cell still has weights, drawn on the whole card."""
        plan = plan_of(scenario)
        if not isinstance(plan, Plan):
            return scenario.gpu.device_total_bytes, ()
        found = plan.stages[stage.index]
        return found.budget_bytes, fixed_entries(scenario, stage)

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """Pages of the token pools on a stage."""
        plan = plan_of(scenario)
        if not isinstance(plan, Plan):
            return NO_PAGES
        return _stage_pages(scenario, plan, plan.stages[stage.index])

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Pages of a request of `tokens` tokens."""
        plan = plan_of(scenario)
        assert isinstance(plan, Plan), "a scenario without pages has no demand"
        return demand_of_plan(scenario, plan, _engine(scenario).rules, tokens)

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """The engine's own plan: tokens, what it prints, and why it would refuse."""
        plan = plan_of(scenario)
        if not isinstance(plan, Plan) or not any(stage.bytes_per_block for stage in pages):
            return None
        plan = planned(start_of(scenario), plan.flags, plan.stages, available_bytes)
        tokens, length = plan.printed_tokens, plan.flags.max_model_len
        blocks = plan.tokens.full // plan.flags.block_tokens
        # A request longer than the pool is turned away, not the start: the pool is then its limit.
        longest = max(1, min(length, tokens))
        return PoolPlan(
            blocks=blocks,
            usable_blocks=blocks,
            tokens=tokens,
            concurrency=tokens / longest,
            max_model_len=longest,
            refusal=_pool_refusal(scenario, plan, available_bytes),
        )

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Whole pages of the token pools."""
        plan = plan_of(scenario)
        assert isinstance(plan, Plan), "a scenario without pages has no entries"
        stage = next(s for s in plan.stages if _stage_pages(scenario, plan, s) == pages)
        return held_entries(scenario, pages, stage.cell.kept, demand, requests)

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What the engine refuses before it looks at its memory."""
        engine, flags, deployment = _engine(scenario), flags_of(scenario), scenario.deployment
        if deployment.tp % flags.dp_attention:
            return Refusal(
                "bad_parallelism",
                reason="attention_not_divided",
                params={"tp": deployment.tp, "groups": flags.dp_attention},
                field="engine.dp_attention",
                has_pages=False,
            )
        field = parallelism_fault(scenario.model, deployment)
        if field is not None:
            return Refusal("bad_parallelism", field=field, has_pages=False)
        foreign = foreign_format(scenario)
        if foreign is not None:
            return foreign
        undivided = undivided_width(scenario.model, deployment.tp)
        if undivided is not None:
            return Refusal(
                "bad_parallelism",
                reason="width_not_divided",
                params={"tensor": undivided[0], "width": undivided[1], "tp": deployment.tp},
                field="deployment.tp",
                has_pages=False,
            )
        if deployment.dcp > 1:
            return _unsupported("decode context parallelism", "deployment.dcp")
        plan = plan_of(scenario)
        if isinstance(plan, NoCell):
            return _unsupported(plan.reason, None)
        return _chunk_fault(flags) or _length_fault(scenario, engine, flags)

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """Its scheduler admits by an estimate of what is still to come; not followed yet."""
        return None

    def start_is_open(self, scenario: Scenario) -> bool:
        """Whether the bands leave a budget at one end and none at the other."""
        plan = plan_of(scenario)
        if not isinstance(plan, Plan):
            return False
        for stage in plan.stages:
            weights = stage.weights
            widest = stage.before.high_bytes - stage.before.bytes
            narrowest = stage.before.bytes - stage.before.low_bytes
            if weights is not None:
                widest += weights.high_bytes - weights.bytes
                narrowest += weights.bytes - weights.low_bytes
            if stage.rest_bytes - widest <= 0 < stage.rest_bytes + narrowest:
                return True
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What a real process also holds and no entry counts."""
        engine, flags = _engine(scenario), flags_of(scenario)
        missing = []
        if not scenario.model.has_weights and engine.weights_bytes is None:
            missing.append("weights")
        if scenario.model.hidden_size is None or scenario.model.vocab_size is None:
            missing.append("activations")
        if flags.prefill_graph_tokens:
            missing.append("prefill_graphs")
        if flags.drafts and scenario.model.draft is None:
            missing.append("draft")
        return (*missing, "adapters", "workspaces", "kv_quantisation_error", "speed")


RULE = SglangRule()


def _engine(scenario: Scenario) -> SglangEngine:
    assert isinstance(scenario.engine, SglangEngine)
    return scenario.engine


# Pages


def _stage_pages(scenario: Scenario, plan: Plan, stage: StagePlan) -> StagePages:
    cell, page = stage.cell, plan.flags.block_tokens
    growing = tuple(part for part in cell.kept if not part.reach_tokens)
    per_token, formula = _per_token(scenario, growing)
    return StagePages(
        bytes_per_token=per_token,
        token_formula=formula,
        # Where the cell is a float, whole bytes of a page are a little less.
        bytes_per_block=floor(page * cell.charged),
        block_tokens=page,
        groups=tuple(
            Group(part.kind, part.layers, page, part.layer_bytes * page, 0) for part in cell.kept
        ),
    )


def _per_token(scenario: Scenario, growing: tuple[Kept, ...]) -> tuple[int, Formula]:
    """What one more token adds once every window is full."""
    terms: list[Term] = []
    parts: list[str] = []
    for number, part in enumerate(growing, start=1):
        suffix = "" if len(growing) == 1 else f"_{number}"
        parts.append(f"{{layers{suffix}}} × {{layer_token_bytes{suffix}}}")
        model = Source("model", scenario.model.id)
        kv = Source("kv_format", scenario.precision.kv.id)
        count = Term(f"layers{suffix}", part.layers, "count", Evidence.GIVEN, model, "model.layers")
        each = Term(
            f"layer_token_bytes{suffix}",
            part.layer_bytes,
            "bytes",
            Evidence.COMPUTED,
            kv,
            "precision.kv",
        )
        terms += [count, each]
    total = sum(part.layers * part.layer_bytes for part in growing)
    return total, Formula(" + ".join(parts) or "0", tuple(terms))


# Refusals


def _unsupported(reason: str, field: str | None) -> Refusal:
    return Refusal("unsupported", reason=reason, field=field, has_pages=False)


def _chunk_fault(flags: Flags) -> Refusal | None:
    """A chunk of no whole pages is refused at start."""
    chunk, page = flags.chunked_prefill_size, flags.block_tokens
    if chunk <= 0 or chunk % page == 0:
        return None
    return Refusal(
        "unsupported",
        reason="chunk_not_whole_pages",
        params={"chunk_tokens": chunk, "page_tokens": page},
        field="engine.chunked_prefill_size",
    )


def _length_fault(scenario: Scenario, engine: SglangEngine, flags: Flags) -> Refusal | None:
    """A context beyond the model's, or a request beyond the context."""
    derived = flags.derived_max_model_len
    if flags.max_model_len > derived and scenario.model.max_position_tokens is not None:
        return Refusal(
            "max_len_too_long",
            derived,
            reason="length_beyond_derived",
            params={"max_model_len_tokens": flags.max_model_len, "limit_tokens": derived},
            field="engine.max_model_len",
        )
    longest = sized_tokens(scenario.workload.lengths, "max")
    if longest > flags.max_model_len:
        return Refusal("max_len_too_long", longest if longest <= derived else None)
    return None


def _pool_refusal(
    scenario: Scenario, plan: Plan, available_bytes: tuple[int, ...]
) -> Refusal | None:
    """What the engine finds when it divides its memory, in its own order (sglang.md §1)."""
    engine = _engine(scenario)
    taken = [
        stage.left_bytes - left for stage, left in zip(plan.stages, available_bytes, strict=True)
    ]
    for stage, more in zip(plan.stages, taken, strict=True):
        rest = stage.rest_bytes - more
        if stage.slots is not None and stage.slots.count <= 0 < rest:
            return _no_states(stage)
        if rest <= 0 and engine.measured.pool_bytes is None:
            return _nothing_left(scenario, plan, stage, rest)
    if plan.tokens.full <= 0:
        return Refusal("no_memory", reason="no_room_for_a_block")
    cells = [stage.cell for stage in plan.stages if stage.cell.window is not None]
    page = plan.flags.block_tokens
    if cells and window_too_small(engine.rules, cells[0], plan.tokens, page):
        window = cells[0].window
        return Refusal(
            "no_memory",
            reason="window_pool_too_small",
            params={
                "pool_tokens": plan.tokens.window or 0,
                "needed_tokens": (window.tokens if window else 0) + page,
            },
            field="engine.swa_full_tokens_ratio",
        )
    if plan.requests.running <= 0:
        if plan.state_requests is not None and plan.state_requests <= 0:
            return _no_states(next(s for s in plan.stages if s.slots is not None))
        # Half of one token, or a limit of requests below the groups of ranks.
        return Refusal("no_memory", reason="no_room_for_a_block", field="engine.max_num_seqs")
    return None


def _nothing_left(scenario: Scenario, plan: Plan, stage: StagePlan, rest: int) -> Refusal:
    """Weights leave nothing of the static part; the engine names the least fraction that would."""
    free = scenario.gpu.device_total_bytes - stage.before.bytes
    # rest = after − free × (1 − f), so after ÷ free = rest ÷ free + 1 − f.
    fraction = plan.flags.mem_fraction_static
    least = fraction - rest / free if free > 0 else 1.0
    return Refusal(
        "no_memory",
        reason="static_part_too_small",
        params={"fraction_share": fraction, "least_share": min(1.0, least)},
        field="engine.mem_fraction_static",
    )


def _no_states(stage: StagePlan) -> Refusal:
    slots = stage.slots
    assert slots is not None, "only states can be too few"
    return Refusal(
        "no_memory",
        reason="too_few_state_slots",
        params={"slots": max(0, slots.count), "each": slots.per_request},
        field="engine.mamba_full_memory_ratio",
    )

"""vLLM's rule for the formula sheet: budget, pages, pool and refusals of one release.

    requested = total × utilisation
    pool      = requested − weights − runtime − activations − graph estimate, in whole blocks
Source: vllm.md §1, §2, §6, §7, §12; every difference between releases is a switch of `VllmRules`.
"""

from __future__ import annotations

from functools import lru_cache

from workbench.core.engines.foreign import foreign_format
from workbench.core.engines.rule import NO_PAGES, PoolPlan, Resolved, StagePages
from workbench.core.engines.vllm.admission import admission
from workbench.core.engines.vllm.cache import Cache, cache_of, demand_of_cache
from workbench.core.engines.vllm.defaults import Flags, flags_of, has_state, origin
from workbench.core.engines.vllm.fixed import fixed_entries, requested_bytes
from workbench.core.engines.vllm.held_entries import held_entries
from workbench.core.engines.vllm.inputs import PlanRefusal
from workbench.core.engines.vllm.plan import (
    KvPlan,
    Prepared,
    plan,
    state_block_limit,
    usable_blocks,
)
from workbench.core.load.demand import Demand
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import (
    Stage,
    parallelism_fault,
    undivided_width,
    vllm_stages,
)
from workbench.spec.deployment import Deployment
from workbench.spec.engine import given_pool
from workbench.spec.ledger import Admission, Entry, Refusal, Source
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine


class VllmRule:
    """Budget and pages of the release that a scenario asks for."""

    def rules_name(self, scenario: Scenario) -> str:
        """The release whose rules are followed."""
        return _engine(scenario).rules.read_release

    def resolve(self, scenario: Scenario) -> Resolved:
        """Every flag that moves memory, with the release's defaults."""
        engine, flags = _engine(scenario), flags_of(scenario)
        cache = self._cache(scenario)
        block = cache.prepared.block_tokens if isinstance(cache, Cache) else None
        weights, kv = scenario.precision.weights, scenario.precision.kv
        values: dict[str, object] = {
            "quantization": weights.id,
            "kv_cache_dtype": kv.id,
            "gpu_memory_utilization": flags.gpu_memory_utilization,
            "max_model_len": flags.max_model_len,
            "max_num_batched_tokens": flags.max_num_batched_tokens,
            "max_num_seqs": flags.max_num_seqs,
            "block_size": block or engine.block_tokens or engine.rules.default_block_tokens,
            "enable_prefix_caching": flags.enable_prefix_caching,
            "enable_chunked_prefill": flags.enable_chunked_prefill,
            "enforce_eager": flags.enforce_eager,
            "async_scheduling": flags.async_scheduling,
            "second_generation_runner": flags.second_generation_runner,
            "hybrid_kv_cache_manager": flags.hybrid_kv_cache_manager,
            "watermark": flags.watermark,
        }
        defaulted = flags.defaulted
        if engine.block_tokens is None:
            defaulted += ("block_size",)
        return Resolved(
            flags.max_model_len,
            flags.max_num_seqs,
            values,
            defaulted,
            request_limit=flags.max_num_seqs,
            origins={
                **{flag: origin(flags, flag, engine) for flag in defaulted},
                **_format_origins(scenario),
            },
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """The engine's own partition; an impossible layout is drawn as a single stage."""
        return vllm_stages(scenario.model, _possible(scenario))

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """What the engine asks for; a pool of a given size makes its own budget."""
        engine, flags = _engine(scenario), flags_of(scenario)
        fixed = fixed_entries(scenario, flags, stage)
        given = given_pool(engine)
        if given is not None:
            return given.bytes + sum(entry.bytes for entry in fixed if entry.in_budget), fixed
        return requested_bytes(scenario.gpu.device_total_bytes, flags, engine.rules), fixed

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """The stage's share of the groups."""
        cache = self._cache(scenario)
        return cache.stages[stage.index].pages if isinstance(cache, Cache) else NO_PAGES

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Blocks of all groups that a request of `tokens` tokens keeps."""
        cache = self._cache(scenario)
        assert isinstance(cache, Cache), "a scenario without pages has no demand"
        return demand_of_cache(cache, scenario, tokens)

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """The engine's own plan: blocks, what it prints, and why it would refuse."""
        cache = self._cache(scenario)
        if not isinstance(cache, Cache) or not cache.prepared.groups:
            return None
        prepared, flags = cache.prepared, flags_of(scenario)
        planned = plan(prepared, available_bytes)
        if isinstance(planned, KvPlan):
            # A number given by hand may be more than there is memory for: the engine believes it.
            return PoolPlan(
                blocks=planned.num_blocks,
                usable_blocks=usable_blocks(prepared, planned.num_blocks, flags.watermark),
                tokens=planned.kv_tokens,
                concurrency=planned.max_concurrency,
                max_model_len=planned.effective_max_model_len,
                refusal=_too_few_states(prepared, planned.num_blocks, flags),
            )
        sizes = zip(available_bytes, prepared.bytes_per_block, strict=True)
        blocks = min((max(0, free) // size for free, size in sizes if size), default=0)
        tokens = blocks * prepared.reported_block_tokens
        return PoolPlan(
            blocks=blocks,
            usable_blocks=usable_blocks(prepared, blocks, flags.watermark),
            tokens=tokens if len(prepared.groups) == 1 else 0,
            concurrency=None,
            max_model_len=flags.max_model_len,
            refusal=_refusal_of(planned, flags),
        )

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Whole blocks of the shared pool."""
        cache = self._cache(scenario)
        assert isinstance(cache, Cache), "a scenario without pages has no entries"
        stage = next(stage for stage in cache.stages if stage.pages is pages)
        return held_entries(scenario, cache, stage, demand, requests)

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What the engine refuses before it looks at the pool, in its own order."""
        engine, flags = _engine(scenario), flags_of(scenario)
        field = parallelism_fault(scenario.model, scenario.deployment) or _context_fault(scenario)
        if field is not None:
            return Refusal("bad_parallelism", field=field, has_pages=False)
        foreign = foreign_format(scenario)
        if foreign is not None:
            return foreign
        undivided = undivided_width(scenario.model, scenario.deployment.tp)
        if undivided is not None:
            params = {"tensor": undivided[0], "width": undivided[1]}
            return Refusal(
                "bad_parallelism",
                reason="width_not_divided",
                params={**params, "tp": scenario.deployment.tp},
                field="deployment.tp",
                has_pages=False,
            )
        planned = self._cache(scenario)
        if isinstance(planned, PlanRefusal):
            return Refusal(planned.category, reason=planned.reason, has_pages=False)
        return (
            _flags_fault(flags)
            or _length_fault(scenario, engine, flags)
            or _gate(scenario, engine, flags)
        )

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """The scheduler of §7."""
        return admission(scenario, blocks, prompt_tokens, output_tokens)

    def start_is_open(self, scenario: Scenario) -> bool:
        """Whether the band of what is in use before the start reaches across the gate."""
        engine, flags = _engine(scenario), flags_of(scenario)
        if not engine.rules.free_gate:
            return False
        total = scenario.gpu.device_total_bytes
        room = total - requested_bytes(total, flags, engine.rules)
        for entry in fixed_entries(scenario, flags, self._first(scenario)):
            if entry.label == "before_start" and entry.low_bytes is not None:
                return entry.low_bytes <= room < (entry.high_bytes or entry.bytes)
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What a real process also holds and no entry counts."""
        engine, flags = _engine(scenario), flags_of(scenario)
        missing = []
        if not scenario.model.has_weights and engine.measured.weights_bytes is None:
            missing.append("weights")
        labels = {entry.label for entry in fixed_entries(scenario, flags, self._first(scenario))}
        if "activations" not in labels:
            missing.append("activations")
        if "cuda_graphs" not in labels and not flags.enforce_eager:
            missing.append("cuda_graphs")
        if engine.rules.core == "v0" and has_state(scenario.model):
            missing.append("recurrent_state")
        if engine.speculative_tokens and scenario.model.draft is None:
            missing.append("draft")
        return (*missing, "adapters", "workspaces", "kv_quantisation_error", "speed")

    def _first(self, scenario: Scenario) -> Stage:
        return self.stages(scenario)[0]

    def _cache(self, scenario: Scenario) -> Cache | PlanRefusal:
        return _planned(scenario)


@lru_cache(maxsize=64)
def _planned(scenario: Scenario) -> Cache | PlanRefusal:
    """The cache of a scenario; looked up many times for each answer."""
    if parallelism_fault(scenario.model, scenario.deployment):
        return PlanRefusal("unsupported", "the parallel layout is not possible")
    return cache_of(scenario, flags_of(scenario))


RULE = VllmRule()


def _engine(scenario: Scenario) -> VllmEngine:
    assert isinstance(scenario.engine, VllmEngine)
    return scenario.engine


def _format_origins(scenario: Scenario) -> dict[str, Source]:
    """Say where a weight format comes from that nobody had to type: the published checkpoint."""
    shipped = scenario.model.shipped_format
    if shipped is None or scenario.precision.weights.id != shipped:
        return {}
    return {"quantization": Source("shipped_format", scenario.model.id)}


def _possible(scenario: Scenario) -> Deployment:
    deployment = scenario.deployment
    partition = deployment.pp_partition
    layers = scenario.model.layer_count
    if deployment.pp > layers or (partition is not None and sum(partition) != layers):
        return deployment.with_(pp=1, pp_partition=None)
    return deployment


# Refusals


def _context_fault(scenario: Scenario) -> str | None:
    """Decode context parallelism divides TP, and copies of KV heads where there are heads."""
    tp, dcp = scenario.deployment.tp, scenario.deployment.dcp
    if dcp == 1:
        return None
    if tp % dcp:
        return "deployment.dcp"
    for run in scenario.model.layers:
        kv_heads = getattr(run.mixer, "kv_heads", None)
        if kv_heads is not None and dcp > tp // kv_heads:
            return "deployment.dcp"
    return None


def _flags_fault(flags: Flags) -> Refusal | None:
    tokens = flags.max_num_batched_tokens
    if not flags.enable_chunked_prefill and tokens < flags.max_model_len:
        return Refusal(
            "unsupported",
            reason="batch_below_length",
            params={"batch_tokens": tokens, "limit_tokens": flags.max_model_len},
            field="engine.max_num_batched_tokens",
        )
    if tokens < flags.max_num_seqs:
        return Refusal(
            "unsupported",
            reason="batch_below_sequences",
            params={"batch_tokens": tokens, "sequences": flags.max_num_seqs},
            field="engine.max_num_batched_tokens",
        )
    return None


def _length_fault(scenario: Scenario, engine: VllmEngine, flags: Flags) -> Refusal | None:
    """A longest length beyond the model's, or a request beyond the longest length."""
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


def _gate(scenario: Scenario, engine: VllmEngine, flags: Flags) -> Refusal | None:
    """Start is refused when less memory is free than is asked for (request_memory)."""
    if not engine.rules.free_gate:
        return None
    total = scenario.gpu.device_total_bytes
    requested = requested_bytes(total, flags, engine.rules)
    stage = vllm_stages(scenario.model, _possible(scenario))[0]
    used = sum(
        entry.bytes
        for entry in fixed_entries(scenario, flags, stage)
        if entry.label == "before_start"
    )
    if total - used >= requested:
        return None
    return Refusal(
        "free_memory_below_request",
        params={"used_bytes": used, "free_bytes": total - used, "requested_bytes": requested},
        field="engine.gpu_memory_utilization",
    )


def _too_few_states(prepared: Prepared, blocks: int, flags: Flags) -> Refusal | None:
    """A hybrid needs a state block for every sequence it may run (vllm.md §0, §12)."""
    limit = state_block_limit(prepared, blocks)
    if limit is None or flags.max_num_seqs <= limit:
        return None
    if prepared.inputs.rules.state_blocks not in ("mode", "mode_and_checkpoint"):
        # No older release is known to check it.
        return None
    return Refusal(
        "no_memory",
        reason="too_few_state_blocks",
        params={"blocks": blocks, "sequences": flags.max_num_seqs},
        field="engine.max_num_seqs",
    )


def _refusal_of(planned: PlanRefusal, flags: Flags) -> Refusal:
    """The planner's refusal in the ledger's words."""
    length = planned.max_model_len or flags.max_model_len
    params: dict[str, object] = {"max_model_len_tokens": length}
    if planned.needed_bytes is not None:
        params["needed_bytes"] = planned.needed_bytes
    if planned.available_bytes is not None:
        params["available_bytes"] = max(0, planned.available_bytes)
    reason = {"no_memory": "no_room_for_a_block", "max_len_too_long": "longest_does_not_fit"}
    return Refusal(
        planned.category,
        planned.suggested_max_model_len,
        reason=reason.get(planned.category, planned.reason),
        params=params,
        field="engine.max_model_len" if planned.category == "max_len_too_long" else None,
    )

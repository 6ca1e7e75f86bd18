"""TensorRT-LLM's rule for the formula sheet: budget, pages, pool and refusals of one release.

    budget = weights + activations + outside torch + blocks of the pool
    pool   = ⌊(card − weights − activations − outside torch) × fraction⌋, in blocks
Source: tensorrt-llm.md; every difference between releases is a switch of `TrtllmRules`.
"""

from __future__ import annotations

from workbench.core.engines.rule import NO_PAGES, PoolPlan, Resolved, StagePages
from workbench.core.engines.trtllm.admission import admission
from workbench.core.engines.trtllm.cache import (
    Cache,
    cache_of,
    demand_of_cache,
    possible_stages,
    stage_cache,
)
from workbench.core.engines.trtllm.defaults import engine_of, flags_of, origin
from workbench.core.engines.trtllm.fixed import fixed_entries
from workbench.core.engines.trtllm.held_entries import held_entries
from workbench.core.engines.trtllm.pool import plan_of, pool_bytes
from workbench.core.engines.trtllm.refusals import refusal
from workbench.core.load.demand import Demand
from workbench.core.memory.shares import Stage
from workbench.spec.formats import Precision
from workbench.spec.ledger import Admission, Entry, Refusal
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario


class TrtllmRule:
    """Budget, pages, pool and refusals of the release that a scenario asks for."""

    def rules_name(self, scenario: Scenario) -> str:
        """The release whose rules are followed."""
        return engine_of(scenario).rules.read_release

    def resolve(self, scenario: Scenario) -> Resolved:
        """Every flag that moves memory, with the release's defaults."""
        engine, flags = engine_of(scenario), flags_of(scenario)
        values: dict[str, object] = {
            **_formats(scenario.precision),
            "backend": flags.backend,
            "free_gpu_memory_fraction": flags.free_gpu_memory_fraction,
            "max_model_len": flags.max_model_len,
            "max_num_seqs": flags.max_num_seqs,
            "max_num_batched_tokens": flags.max_num_batched_tokens,
            "block_size": flags.block_tokens,
            "enable_prefix_caching": flags.enable_prefix_caching,
            "enable_chunked_prefill": flags.enable_chunked_prefill,
            "capacity_scheduler_policy": flags.capacity_scheduler_policy,
        }
        defaulted = tuple(_shown(name) for name in flags.defaulted)
        return Resolved(
            flags.max_model_len,
            flags.max_num_seqs,
            values,
            defaulted,
            request_limit=flags.max_num_seqs * flags.attention_ranks,
            origins={
                _shown(name): origin(name, engine, scenario.model) for name in flags.defaulted
            },
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """Layers as evenly as they go; an impossible layout is drawn as a single stage."""
        return possible_stages(scenario)

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """What is spent before the pool, and the pool; the slack beyond it is not asked for."""
        fixed = fixed_entries(scenario, stage)
        total_bytes, spent = scenario.gpu.device_total_bytes, sum(entry.bytes for entry in fixed)
        cache = stage_cache(scenario, stage)
        pool = 0 if cache is None else pool_bytes(scenario, cache, fixed)
        return total_bytes if pool is None else min(total_bytes, spent + pool), fixed

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """All layers of a stage share one block table."""
        cache = stage_cache(scenario, stage)
        return NO_PAGES if cache is None else cache.pages

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Blocks of a request, those that are kept for its output included."""
        cache = cache_of(scenario)
        assert isinstance(cache, Cache), "a scenario without pages has no demand"
        return demand_of_cache(cache, scenario, tokens)

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """The rank with the fewest blocks decides."""
        cache = cache_of(scenario)
        return plan_of(scenario, cache, available_bytes) if isinstance(cache, Cache) else None

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Whole blocks of the pool."""
        cache = cache_of(scenario)
        assert isinstance(cache, Cache), "a scenario without pages has no entries"
        stage = next(stage for stage in cache.stages if stage.pages is pages)
        return held_entries(scenario, stage, demand, requests)

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What the engine refuses before it looks at the pool."""
        return refusal(scenario)

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """The capacity scheduler of §6."""
        return admission(scenario, blocks, prompt_tokens, output_tokens)

    def start_is_open(self, scenario: Scenario) -> bool:
        """The engine starts with whatever pool is left."""
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What a real process also holds and no entry counts."""
        engine, model = engine_of(scenario), scenario.model
        missing = []
        if not model.has_weights and engine.measured.weights_bytes is None:
            missing.append("weights")
        labels = {entry.label for entry in fixed_entries(scenario, possible_stages(scenario)[0])}
        if "activations" not in labels:
            missing.append("activations")
        if engine.speculative_tokens and model.draft is None:
            missing.append("draft")
        if engine.rules.later_reserves and _has_reserve(model):
            missing.append("trtllm_reserves")
        return (*missing, "adapters", "workspaces", "kv_quantisation_error", "speed")


RULE = TrtllmRule()


def _shown(name: str) -> str:
    """The name a flag has among the resolved ones."""
    return "block_size" if name == "block_tokens" else name


def _formats(precision: Precision) -> dict[str, object]:
    return {"quantization": precision.weights.id, "kv_cache_dtype": precision.kv.id}


def _has_reserve(model: ModelSpec) -> bool:
    """Whether later releases keep a workspace back: latent context or a multimodal encoder."""
    latent = any(run.mixer.kind == "latent" for run in model.layers)
    return latent or model.vision is not None or model.audio is not None

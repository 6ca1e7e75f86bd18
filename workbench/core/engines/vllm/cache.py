"""A scenario's cache under vLLM: the planner's question, the pages of each stage, the demand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from workbench.core.engines.rule import StagePages
from workbench.core.engines.vllm.defaults import Flags, block_tokens_asked, kernels_of
from workbench.core.engines.vllm.groups import Group as PlannedGroup
from workbench.core.engines.vllm.hold import blocks_at
from workbench.core.engines.vllm.inputs import PlanInputs, PlanRefusal
from workbench.core.engines.vllm.layers import (
    KvLayer,
    NoKv,
    StateKv,
    StateTypes,
    UnknownLayer,
    layer_positions,
    model_layers,
)
from workbench.core.engines.vllm.needs import BlockNeed
from workbench.core.engines.vllm.pages import Page, state_bytes, token_bytes
from workbench.core.engines.vllm.plan import Prepared, prepare, withheld_blocks
from workbench.core.load.demand import Demand, demand_over
from workbench.core.memory.shares import vllm_stages
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.ledger import Evidence, Formula, Group, Number, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine

_ELEMENT_BYTES = {"fp32": 4, "float32": 4}


@dataclass(frozen=True, slots=True)
class StoredKind:
    """Layers of one stage that keep the same tokens of a request."""

    kind: str
    """The kind of page, "full", "sliding" …"""
    reach_tokens: int
    layers: int
    layer_bytes: int
    """Bytes of a token in one layer; of the whole state for recurrent layers."""
    need: BlockNeed | None = None
    """Blocks, and so states, of a request in each recurrent layer; None for attention."""

    def stored_tokens(self, tokens: int, batch_tokens: int, shards: int) -> int:
        """Tokens of a resting request of `tokens` tokens that these layers keep on a rank."""
        match self.kind:
            case "sliding":
                return min(tokens, self.reach_tokens)
            case "chunked":
                return tokens - (tokens - 1) // self.reach_tokens * self.reach_tokens
            case "cross":
                return batch_tokens
            case _:
                return -(-tokens // shards)


@dataclass(frozen=True, slots=True)
class StageCache:
    """What a stage's ranks keep of a request."""

    pages: StagePages
    stored: tuple[StoredKind, ...]


@dataclass(frozen=True, slots=True)
class Cache:
    """A scenario's plan up to the memory it gets, with what each stage stores."""

    prepared: Prepared
    stages: tuple[StageCache, ...]


def cache_of(scenario: Scenario, flags: Flags) -> Cache | PlanRefusal:
    """Plan the cache of a scenario, or say why the engine cannot."""
    engine = scenario.engine
    assert isinstance(engine, VllmEngine)
    return _cache(
        scenario.model, scenario.precision, scenario.deployment, scenario.gpu, engine, flags
    )


@lru_cache(maxsize=128)
def _cache(
    model: ModelSpec,
    precision: Precision,
    deployment: Deployment,
    gpu: GpuSpec,
    engine: VllmEngine,
    flags: Flags,
) -> Cache | PlanRefusal:
    try:
        inputs = plan_inputs(model, precision, deployment, gpu, engine, flags)
    except UnknownLayer as unknown:
        return PlanRefusal("unsupported", f"layers of kind {unknown.kind}")
    prepared = prepare(inputs)
    if isinstance(prepared, PlanRefusal):
        return prepared
    if any(prepared.bytes_per_block) and not all(prepared.bytes_per_block):
        # Releases that group each stage alone would serve the whole model from one block.
        return PlanRefusal("unsupported", "a pipeline stage without any cache")
    if any(len(groups) > len(prepared.groups) for groups in prepared.stage_groups):
        # They hand out blocks for the groups of the first stage; more on another get none.
        return PlanRefusal("unsupported", "pipeline stages with different groups")
    stages = tuple(
        _stage_cache(prepared, index, model.id, precision.kv.id)
        for index in range(len(inputs.stages))
    )
    return Cache(prepared, stages)


def plan_inputs(
    model: ModelSpec,
    precision: Precision,
    deployment: Deployment,
    gpu: GpuSpec,
    engine: VllmEngine,
    flags: Flags,
) -> PlanInputs:
    """Return the planner's question. Raises `UnknownLayer` for a kind without a rule."""
    model_bytes = _ELEMENT_BYTES.get(precision.activation_dtype, 2)
    types = state_types(engine, model_bytes)
    layers, stages = _layers_and_stages(
        model, deployment, types, engine.speculative_tokens > 0, precision.kv.edge_layers_left or 0
    )
    return PlanInputs(
        rules=engine.rules,
        layers=layers,
        stages=stages,
        kv=precision.kv,
        max_model_len=flags.max_model_len,
        max_num_batched_tokens=flags.max_num_batched_tokens,
        max_num_seqs=flags.max_num_seqs,
        fit_max_model_len=engine.fit_max_model_len,
        model_element_bytes=model_bytes,
        tp=deployment.tp,
        dcp=deployment.dcp,
        kernels=kernels_of(engine, model, gpu),
        block_tokens=block_tokens_asked(engine, model, gpu),
        override_blocks=engine.num_gpu_blocks_override,
        prefix_caching=flags.enable_prefix_caching,
        hybrid_manager=flags.hybrid_kv_cache_manager,
        layout=engine.kv_layout or "LBNHC",
        async_scheduling=flags.async_scheduling,
        second_generation_runner=flags.second_generation_runner,
        speculative_tokens=engine.speculative_tokens,
    )


def state_types(engine: VllmEngine, model_bytes: int) -> StateTypes:
    """Element types of recurrent states: the model's, unless a flag names another."""
    if engine.mamba_state_dtype is None:
        return StateTypes(model_bytes, model_bytes)
    return StateTypes(model_bytes, _ELEMENT_BYTES.get(engine.mamba_state_dtype, 2), forced=True)


@lru_cache(maxsize=128)
def _layers_and_stages(
    model: ModelSpec, deployment: Deployment, types: StateTypes, draft: bool, edge_layers: int
) -> tuple[tuple[tuple[KvLayer, int], ...], tuple[tuple[int, int], ...]]:
    """The planner's layers, and the entries of each pipeline stage; a draft is on the last."""
    layers = model_layers(model, types, draft=draft, edge_layers_left=edge_layers)
    positions = layer_positions(model, types)
    bounds, first = [], 0
    for stage in vllm_stages(model, deployment):
        last = first + stage.layer_count
        bounds.append((positions[first], positions[last]))
        first = last
    entries = sum(count for _, count in layers)
    bounds[-1] = (bounds[-1][0], entries)
    return layers, tuple(bounds)


# One stage


def _stage_cache(prepared: Prepared, index: int, model: str, kv_format: str) -> StageCache:
    first, last = prepared.inputs.stages[index]
    groups: list[Group] = []
    counted: dict[tuple[str, int, int, BlockNeed | None], int] = {}
    for group in prepared.stage_groups[index]:
        on_stage = 0
        for page, indices in group.members:
            here = sum(1 for entry in indices if first <= entry < last)
            on_stage += here
            if here:
                kind = _stored_kind(page, group, prepared)
                counted[kind] = counted.get(kind, 0) + here
        groups.append(Group(group.page.kind, on_stage, group.block_tokens, group.page_bytes, 0))
    stored = tuple(
        StoredKind(kind, reach, layers, layer_bytes, need)
        for (kind, reach, layer_bytes, need), layers in counted.items()
    )
    per_token, formula = _per_token(stored, prepared.inputs.dcp, model, kv_format)
    pages = StagePages(
        bytes_per_token=per_token,
        token_formula=formula,
        bytes_per_block=prepared.bytes_per_block[index],
        block_tokens=prepared.reported_block_tokens,
        groups=tuple(groups),
        withheld_blocks=withheld_blocks(prepared),
    )
    return StageCache(pages, stored)


def _stored_kind(
    page: Page, group: PlannedGroup, prepared: Prepared
) -> tuple[str, int, int, BlockNeed | None]:
    """Kind, reach, bytes of a token (or state) and need of states of one layer."""
    layer = page.layer
    assert not isinstance(layer, NoKv)
    if isinstance(layer, StateKv):
        return "state", 0, state_bytes(layer, prepared.inputs), group.need
    each = token_bytes(layer, prepared.inputs)
    reach = page.reach_tokens if page.kind in ("sliding", "chunked") else 0
    return page.kind, reach, each, None


def _per_token(
    stored: tuple[StoredKind, ...], shards: int, model: str, kv_format: str
) -> tuple[Number, Formula]:
    """What one more token adds once every window is full: full and latent layers only."""
    growing = [kind for kind in stored if kind.kind in ("full", "latent")]
    terms: list[Term] = []
    parts: list[str] = []
    for number, kind in enumerate(growing, start=1):
        suffix = "" if len(growing) == 1 else f"_{number}"
        parts.append(f"{{layers{suffix}}} × {{layer_token_bytes{suffix}}}")
        terms += stored_terms(kind, suffix, model, kv_format)
    total = sum(kind.layers * kind.layer_bytes for kind in growing)
    expression = " + ".join(parts) or "0"
    if shards == 1:
        return total, Formula(expression, tuple(terms))
    terms.append(Term("dcp", shards, "count", Evidence.GIVEN, Source("typed"), "deployment.dcp"))
    each = Fraction(total, shards)
    value: Number = int(each) if each.denominator == 1 else each
    return value, Formula(f"({expression}) ÷ {{dcp}}", tuple(terms))


def stored_terms(kind: StoredKind, suffix: str, model: str, kv_format: str) -> tuple[Term, Term]:
    """Number of layers and bytes of a token in one of them, as terms."""
    return (
        Term(
            f"layers{suffix}",
            kind.layers,
            "count",
            Evidence.GIVEN,
            Source("model", model),
            "model.layers",
        ),
        Term(
            f"layer_token_bytes{suffix}",
            kind.layer_bytes,
            "bytes",
            Evidence.COMPUTED,
            Source("kv_format", kv_format),
            "precision.kv",
        ),
    )


# Demand


def demand_of_cache(cache: Cache, scenario: Scenario, tokens: int) -> Demand:
    """Blocks that requests of `tokens` tokens hold at rest, and what is in flight beyond it.

    A request that decodes keeps the blocks of its window; while its prompt is processed it keeps
    up to a whole batch more (vllm.md §7, `hold.blocks_at`).
    """
    prepared = cache.prepared
    resting = tuple(
        min(blocks_at(group, prepared, tokens - 1, tokens), group.need.blocks(tokens))
        for group in prepared.groups
    )
    most = sum(group.need.blocks(tokens) for group in prepared.groups)
    full = [group for group in prepared.groups if group.page.is_full]
    slots = full[0].block_tokens * prepared.inputs.dcp if full else 0
    return demand_over(
        tokens,
        resting,
        shareable_block_tokens=tuple(
            group.block_tokens * prepared.inputs.dcp
            for group in full
            if prepared.inputs.caches_prefixes
        ),
        tail_tokens=-tokens % slots if slots else 0,
        in_flight_blocks=most - sum(resting),
        prefix_groups=scenario.workload.prefix_groups,
    )

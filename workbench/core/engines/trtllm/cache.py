"""A scenario's cache under TensorRT-LLM: windows and blocks of each stage, the demand.

One window: a block holds `tokens_per_block` tokens of every layer. Several windows: each has a
pool of its own, and all pools are in proportion to their windows. The ledger then counts in
blocks of the widest window, each with its part of the other pools, and a request takes as many as
the pool that it fills first asks for; rounding up may hold one request less than the engine does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.core.engines.rule import StagePages
from workbench.core.engines.trtllm.blocks import proportional_bytes, request_blocks
from workbench.core.engines.trtllm.cells import Cell, cells_of_stage, unplanned
from workbench.core.engines.trtllm.defaults import Flags, engine_of, flags_of
from workbench.core.load.demand import Demand, demand_over
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import Stage, stages_of
from workbench.spec.deployment import Deployment
from workbench.spec.formats import KvFormat
from workbench.spec.ledger import Evidence, Formula, Group, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.trtllm import TrtllmEngine


@dataclass(frozen=True, slots=True)
class Window:
    """Layers of a stage that keep the same last tokens of a request."""

    tokens: int
    """At most the longest request."""
    layers: int
    token_bytes: int
    """Bytes of a token in all of them, on a rank."""
    kind: str


@dataclass(frozen=True, slots=True)
class StageCache:
    """What a stage's ranks keep of a request; the widest window first."""

    pages: StagePages
    windows: tuple[Window, ...]

    @property
    def bytes_by_window(self) -> dict[int, int]:
        """Bytes per token of each window."""
        return {window.tokens: window.token_bytes for window in self.windows}

    @property
    def token_bytes(self) -> int:
        """Bytes of a token that every layer keeps."""
        return sum(window.token_bytes for window in self.windows)


@dataclass(frozen=True, slots=True)
class Cache:
    """The caches of all stages."""

    stages: tuple[StageCache, ...]

    @property
    def windows(self) -> tuple[int, ...]:
        """Windows that have pools, the widest first; the same on every stage with layers."""
        return next((tuple(s.bytes_by_window) for s in self.stages if s.windows), ())

    @property
    def token_bytes(self) -> int:
        """Bytes of a token on the rank of the heaviest stage."""
        return max(stage.token_bytes for stage in self.stages)


def possible_stages(scenario: Scenario) -> tuple[Stage, ...]:
    """Layers as evenly as they go, the rest to the first stages (`Mapping.pp_layers`).

    An impossible layout is drawn as a single stage.
    """
    return _possible_stages(scenario.model, scenario.deployment)


def _possible_stages(model: ModelSpec, deployment: Deployment) -> tuple[Stage, ...]:
    partition = deployment.pp_partition
    if deployment.pp > model.layer_count or (
        partition is not None and sum(partition) != model.layer_count
    ):
        deployment = deployment.with_(pp=1, pp_partition=None)
    return stages_of(model, deployment)


def cache_of(scenario: Scenario) -> Cache | str:
    """Plan the cache of a scenario, or name what there is no rule for."""
    return _cache(
        scenario.model,
        scenario.precision.kv,
        scenario.deployment,
        engine_of(scenario),
        flags_of(scenario),
    )


@lru_cache(maxsize=128)
def _cache(
    model: ModelSpec,
    kv_format: KvFormat,
    deployment: Deployment,
    engine: TrtllmEngine,
    flags: Flags,
) -> Cache | str:
    with_draft = engine.speculative_tokens > 0
    unknown = unplanned(model, with_draft=with_draft)
    if unknown is not None:
        return unknown
    tp = 1 if engine.enable_attention_dp else deployment.tp
    asked = _windows_asked(engine, flags)
    first, planned = 0, []
    for stage in _possible_stages(model, deployment):
        cells = cells_of_stage(model, stage, kv_format, tp, with_draft=with_draft)
        windows = _windows(cells, first, asked)
        first += len(cells)
        planned.append(StageCache(_pages(windows, flags, model.id, kv_format.id), windows))
    if len({tuple(s.bytes_by_window) for s in planned if s.windows}) > 1:
        return "pipeline stages with different windows"
    cache = Cache(tuple(planned))
    if len(cache.windows) > 1 and engine.kv_cache_max_tokens is not None:
        return "a number of tokens for pools of several windows"
    return cache


def _windows_asked(engine: TrtllmEngine, flags: Flags) -> tuple[int, ...]:
    """The windows that are repeated over the layers, none wider than the longest request."""
    asked = engine.max_attention_window or (flags.max_model_len,)
    capped = tuple(min(window, flags.max_model_len) for window in asked)
    return capped if engine.rules.window_pools else (max(capped),)


def _windows(cells: tuple[Cell, ...], first: int, asked: tuple[int, ...]) -> tuple[Window, ...]:
    layers: dict[int, list[Cell]] = {}
    for index, cell in enumerate(cells, start=first):
        layers.setdefault(asked[index % len(asked)], []).append(cell)
    return tuple(
        Window(tokens, len(here), sum(cell.bytes for cell in here), here[0].kind)
        for tokens, here in sorted(layers.items(), reverse=True)
    )


def _pages(windows: tuple[Window, ...], flags: Flags, model: str, kv_format: str) -> StagePages:
    block_tokens = flags.block_tokens
    if not windows:
        return StagePages(0, Formula("0"), 0, block_tokens, ())
    by_window = {window.tokens: window.token_bytes for window in windows}
    block_bytes = proportional_bytes(by_window, block_tokens)
    layers = sum(window.layers for window in windows)
    growing = [window for window in windows if window.tokens >= flags.max_model_len]
    kind = windows[0].kind if growing else "sliding"
    return StagePages(
        bytes_per_token=sum(window.token_bytes for window in growing),
        token_formula=_token_formula(growing, model, kv_format),
        bytes_per_block=block_bytes,
        block_tokens=block_tokens,
        groups=(Group(kind, layers, block_tokens, -(-block_bytes // layers), 0),),
    )


def _token_formula(windows: list[Window], model: str, kv_format: str) -> Formula:
    """Layers × bytes of a token in one of them; their mean where layers differ."""
    if not windows:
        return Formula("0")
    (window,) = windows
    each, rest = divmod(window.token_bytes, window.layers)
    source = Source("kv_format", kv_format)
    if rest:
        whole = Term("request_kv_bytes", window.token_bytes, "bytes", Evidence.COMPUTED, source)
        return Formula("{request_kv_bytes}", (whole,))
    layers = Term(
        "layers", window.layers, "count", Evidence.GIVEN, Source("model", model), "model.layers"
    )
    size = Term("layer_token_bytes", each, "bytes", Evidence.COMPUTED, source, "precision.kv")
    return Formula("{layers} × {layer_token_bytes}", (layers, size))


def stage_cache(scenario: Scenario, stage: Stage) -> StageCache | None:
    """Return the cache of one stage, None where the model is not planned."""
    cache = cache_of(scenario)
    return cache.stages[stage.index] if isinstance(cache, Cache) else None


# Demand


def output_tokens_of(scenario: Scenario) -> int:
    """Output part of a request of the drawn length; 0 where the workload does not say."""
    outputs = scenario.workload.outputs
    return 0 if outputs is None else sized_tokens(outputs, scenario.workload.sizing)


def kept_tokens(scenario: Scenario, tokens: int) -> int:
    """Tokens that a request of `tokens` tokens has blocks for when it is admitted.

    The default policy starts a request when all that it may ever need is free: its input and the
    `max_tokens` it asks for, which is the longest output unless the profile says otherwise, cut at
    the longest request. MAX_UTILIZATION keeps what is written (tensorrt-llm.md §6).
    """
    flags, outputs = flags_of(scenario), scenario.workload.outputs
    if flags.capacity_scheduler_policy == "max_utilization" or outputs is None:
        return tokens
    asked = engine_of(scenario).max_output_tokens or sized_tokens(outputs, "max")
    prompt = max(1, tokens - output_tokens_of(scenario))
    return max(tokens, min(prompt + asked, flags.max_model_len))


def demand_of_cache(cache: Cache, scenario: Scenario, tokens: int) -> Demand:
    """Blocks of a request of `tokens` tokens, those kept for its output included."""
    engine, flags = engine_of(scenario), flags_of(scenario)
    block_tokens, kept = flags.block_tokens, kept_tokens(scenario, tokens)
    output = min(kept - 1, output_tokens_of(scenario) + kept - tokens)
    widest = cache.windows[0] if cache.windows else flags.max_model_len
    blocks = 0
    for window in cache.windows:
        own = request_blocks(
            kept,
            window,
            block_tokens,
            sink_tokens=engine.sink_token_length,
            beams=engine.max_beam_width,
            output_tokens=output,
        )
        blocks = max(blocks, -(-own * widest // window))
    shareable = (block_tokens,) if flags.enable_prefix_caching and len(cache.windows) == 1 else ()
    return demand_over(
        tokens,
        (blocks,) if cache.windows else (),
        shareable_block_tokens=shareable if cache.windows else (),
        tail_tokens=max(0, blocks * block_tokens - tokens) if len(cache.windows) == 1 else 0,
        prefix_groups=scenario.workload.prefix_groups,
        ranks=flags.attention_ranks,
    )

"""What vLLM takes for the flags nobody gave, by release, card and model.

Sources: vLLM `config/model.py:_get_and_verify_max_len`, `engine/arg_utils.py:get_batch_defaults`
as read in 0.33.0, and their older forms; the values stand in `VllmRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.core.engines.vllm.inputs import ANY_16, KernelBlocks
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import (
    ChunkedAttention,
    LatentAttention,
    ParallelMixer,
    RecurrentState,
)
from workbench.spec.ledger import Source
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine
from workbench.spec.vllm_fits import Runner
from workbench.spec.vllm_rules import BatchTier, VllmRules

NO_LENGTH_TOKENS = 2048
"""Longest request of a model whose config names none."""

_NOT_MULTIPLIED = ("su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling")
_GB10_CAPABILITY = "12.1"


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one start, all filled in."""

    gpu_memory_utilization: float
    max_model_len: int
    derived_max_model_len: int
    """The longest the engine derives from the model's config."""
    max_num_batched_tokens: int
    max_num_seqs: int
    enable_prefix_caching: bool
    enable_chunked_prefill: bool
    enforce_eager: bool
    async_scheduling: bool
    second_generation_runner: bool
    hybrid_kv_cache_manager: bool
    watermark: float
    defaulted: tuple[str, ...]
    assumed: tuple[str, ...]
    """Defaulted flags whose default is not certain for the release."""

    @property
    def runner(self) -> Runner:
        """Generation of the model runner of a V1 core."""
        return "second" if self.second_generation_runner else "first"


_FROM_RULES = {
    "gpu_memory_utilization": ("default_utilization",),
    "enable_prefix_caching": ("prefix_caching",),
    "enable_chunked_prefill": ("chunked_prefill", "chunked_prefill_above_tokens"),
    "async_scheduling": ("async_scheduling",),
    "second_generation_runner": ("second_generation_runner",),
    "max_num_batched_tokens": ("batch_tiers",),
    "max_num_seqs": ("batch_tiers",),
    "hybrid_kv_cache_manager": ("hybrid_groups", "chunked_hybrid"),
    "watermark": ("watermark",),
}
"""The switches that each default comes from."""


@lru_cache(maxsize=64)
def flags_of(scenario: Scenario) -> Flags:
    """Return the flags of a scenario of vLLM with the release's defaults filled in."""
    engine = scenario.engine
    assert isinstance(engine, VllmEngine)
    return _flags(engine, scenario.model, scenario.gpu, scenario.deployment.pp)


@lru_cache(maxsize=512)
def _flags(engine: VllmEngine, model: ModelSpec, gpu: GpuSpec, pp: int) -> Flags:
    rules = engine.rules
    derived = derived_max_model_len(model, rules)
    length = engine.max_model_len or unasked_max_model_len(model, rules)
    chunked = engine.enable_chunked_prefill
    if chunked is None:
        above = rules.chunked_prefill_above_tokens
        chunked = rules.chunked_prefill or (above is not None and length > above)
    tokens, sequences = batch_limits(engine, gpu, length, chunked=chunked)
    second = _either(engine.second_generation_runner, rules.second_generation_runner)
    scheduled = rules.async_scheduling and (second or pp == 1)
    values = {
        "gpu_memory_utilization": engine.gpu_memory_utilization,
        "max_model_len": engine.max_model_len,
        "max_num_batched_tokens": engine.max_num_batched_tokens,
        "max_num_seqs": engine.max_num_seqs,
        "enable_prefix_caching": engine.enable_prefix_caching,
        "enable_chunked_prefill": engine.enable_chunked_prefill,
        "enforce_eager": engine.enforce_eager,
        "async_scheduling": engine.async_scheduling,
        "second_generation_runner": engine.second_generation_runner,
        "hybrid_kv_cache_manager": engine.hybrid_kv_cache_manager,
        "watermark": engine.watermark,
    }
    defaulted = tuple(name for name, value in values.items() if value is None)
    return Flags(
        gpu_memory_utilization=engine.gpu_memory_utilization or rules.default_utilization,
        max_model_len=length,
        derived_max_model_len=derived,
        max_num_batched_tokens=tokens,
        max_num_seqs=sequences,
        enable_prefix_caching=_either(
            engine.enable_prefix_caching,
            rules.prefix_caching_hybrid if has_state(model) else rules.prefix_caching,
        ),
        enable_chunked_prefill=chunked,
        enforce_eager=bool(engine.enforce_eager),
        async_scheduling=_either(engine.async_scheduling, scheduled),
        second_generation_runner=second,
        hybrid_kv_cache_manager=_either(
            engine.hybrid_kv_cache_manager,
            rules.hybrid_groups and _keeps_chunks_apart(engine, model),
        ),
        watermark=rules.watermark if engine.watermark is None else engine.watermark,
        defaulted=defaulted,
        assumed=tuple(
            name
            for name in defaulted
            if any(switch in rules.assumed for switch in _switches(name, model))
            or (name in _BY_TIER and _tier_is_open(rules, gpu))
        ),
    )


def _keeps_chunks_apart(engine: VllmEngine, model: ModelSpec) -> bool:
    """Chunked-local layers lose their groups by a switch, and beside a draft (§5 rule 1)."""
    if not has_chunks(model):
        return True
    return engine.rules.chunked_hybrid and not engine.speculative_tokens


_BY_TIER = ("max_num_batched_tokens", "max_num_seqs")


def _tier_is_open(rules: VllmRules, gpu: GpuSpec) -> bool:
    """Whether a card may have a tier of its own in a release between two that were read (§3.3)."""
    return rules.tier_open_bytes is not None and gpu.device_total_bytes >= rules.tier_open_bytes


def _switches(flag: str, model: ModelSpec) -> tuple[str, ...]:
    """The switches of the release that a flag's default comes from."""
    if flag == "enable_prefix_caching" and has_state(model):
        return ("prefix_caching_hybrid",)
    return _FROM_RULES.get(flag, ())


def _either(given: bool | None, default: bool) -> bool:
    return default if given is None else given


def origin(flags: Flags, flag: str, engine: VllmEngine) -> Source:
    """Where a defaulted flag's value comes from."""
    code = "engine_default_assumed" if flag in flags.assumed else "engine_default"
    release = f"vLLM {engine.release}"
    if engine.rules.read_release != engine.release:
        release += f" ({engine.rules.read_release})"
    return Source(code, release)


# Length


def derived_max_model_len(model: ModelSpec, rules: VllmRules) -> int:
    """Longest length that the engine derives from a model's config, in tokens."""
    positions = model.max_position_tokens
    if positions is None:
        return NO_LENGTH_TOKENS
    scaling = model.rope_scaling
    if scaling is None or "gemma3" in model.architecture.lower():
        return positions
    if scaling.kind == "yarn" and rules.yarn_from_original:
        original = scaling.original_max_position_tokens or positions
        return int(original * scaling.factor)
    if scaling.kind in _NOT_MULTIPLIED:
        return positions
    return int(positions * scaling.factor)


def unasked_max_model_len(model: ModelSpec, rules: VllmRules) -> int:
    """Longest length that the engine takes when nobody gives one, in tokens.

    LongRoPE models start with their original positions (config/model.py).
    """
    scaling = model.rope_scaling
    if scaling is not None and scaling.kind in ("longrope", "su"):
        original = scaling.original_max_position_tokens
        if original is not None:
            return original
    return derived_max_model_len(model, rules)


# Batch


def batch_limits(
    engine: VllmEngine, gpu: GpuSpec, max_model_len: int, *, chunked: bool
) -> tuple[int, int]:
    """Return max_num_batched_tokens and max_num_seqs, given or by the card's tier."""
    tier = batch_tier(engine.rules, gpu)
    offline = engine.usage == "offline"
    sequences = engine.max_num_seqs or (tier.offline_seqs if offline else tier.server_seqs)
    tokens = engine.max_num_batched_tokens
    if tokens is None:
        tokens = tier.offline_tokens if offline else tier.server_tokens
        if not chunked:
            tokens = max(tokens, max_model_len)
        tokens = min(tokens, sequences * max_model_len)
    if engine.max_num_seqs is None:
        sequences = min(sequences, tokens)
    return tokens, sequences


def batch_tier(rules: VllmRules, gpu: GpuSpec) -> BatchTier:
    """The first tier that a card reaches; the last one takes every card."""
    for tier in rules.batch_tiers:
        if gpu.device_total_bytes < tier.min_total_gib * GIB:
            continue
        if tier.not_a100 and "a100" in gpu.name.lower():
            continue
        if tier.not_gb10 and gpu.compute_capability == _GB10_CAPABILITY:
            continue
        return tier
    return rules.batch_tiers[-1]


# Kernels


_BLACKWELL = ("10.0", "10.3")
_HOPPER = "9.0"


def kernels_of(engine: VllmEngine, model: ModelSpec, gpu: GpuSpec) -> tuple[KernelBlocks, ...]:
    """Block sizes of the attention backend that the engine chooses for a card (vllm.md §3.6).

    Blackwell data-centre cards take FlashInfer first, all others a backend that takes any
    multiple of 16; a sparse indexer asks for 64. Source: vLLM 0.33.0 `platforms/cuda.py`.
    """
    if engine.attention_block_tokens:
        return (KernelBlocks(engine.attention_block_tokens),)
    if has_indexer(model):
        return (KernelBlocks((64,), multiples=True), KernelBlocks((64,)))
    if engine.rules.latent_block_rule == "kernel" and gpu.compute_capability in _BLACKWELL:
        return (KernelBlocks((32, 64) if has_latent(model) else (16, 32, 64)),)
    return (ANY_16,)


def block_tokens_asked(engine: VllmEngine, model: ModelSpec, gpu: GpuSpec) -> int | None:
    """The flag, or the block size that older releases force on latent models whatever it says."""
    rule = engine.rules.latent_block_rule
    if rule == "kernel" or not has_latent(model) or engine.attention_block_tokens:
        return engine.block_tokens
    if has_indexer(model):
        return 64
    if rule == "flashmla_64_cutlass_128" and gpu.compute_capability in _BLACKWELL:
        return 128
    if gpu.compute_capability == _HOPPER and (engine.block_tokens or 16) % 64:
        return 64
    return engine.block_tokens


def has_latent(model: ModelSpec) -> bool:
    """Whether some layer keeps a latent row."""
    return any(isinstance(run.mixer, LatentAttention) for run in model.layers)


def has_indexer(model: ModelSpec) -> bool:
    """Whether some layer keeps the keys of a sparse indexer."""
    return any(getattr(run.mixer, "indexer", None) is not None for run in model.layers)


def has_state(model: ModelSpec) -> bool:
    """Whether some layer keeps a recurrent state."""
    return any(isinstance(run.mixer, RecurrentState | ParallelMixer) for run in model.layers)


def has_chunks(model: ModelSpec) -> bool:
    """Whether some layer attends within chunks."""
    return any(isinstance(run.mixer, ChunkedAttention) for run in model.layers)

"""What llama.cpp takes for the flags nobody gave, by build, program, card and model.

Sources: llama.cpp `common/common.h`, `common/arg.cpp`, `tools/server/server.cpp`; ollama
`server/routes.go` and `llm/server.go` as read at fb307609. The values stand in `LlamacppRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from workbench.spec.formats import KvFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.ledger import Source
from workbench.spec.llamacpp import CacheType, LlamacppEngine
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB, MIB

NO_LENGTH_TOKENS: Final = 2048
"""Context of a model that names none."""
FIT_MARGIN_BYTES: Final = 1024 * MIB
FIT_CONTEXT_TOKENS: Final = 4096
_OLLAMA_TIERS: Final = ((47, 262_144), (23, 32_768), (0, 4096))
"""Total GiB of all cards, and the context ollama then takes for a request."""
_CACHE_TYPES: Final[dict[str, CacheType]] = {
    "bf16": "f16",  # 16 bits, however the scenario names them: the engine's own default is f16
    "fp32": "f32",
    "llamacpp-q8-0": "q8_0",
    "llamacpp-q5-1": "q5_1",
    "llamacpp-q5-0": "q5_0",
    "llamacpp-q4-1": "q4_1",
    "llamacpp-q4-0": "q4_0",
    "llamacpp-iq4-nl": "iq4_nl",
}


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one start, all filled in; context and layers before they are fitted."""

    context_tokens: int
    """`n_ctx` as asked for: cells of all slots together."""
    context_given: bool
    slots: int
    unified: bool
    """All slots share one pool of cells."""
    slot_limit_tokens: int | None
    """`--kv-unified-per-slot`."""
    batch_tokens: int
    micro_batch_tokens: int
    flash_attention: bool
    cache_type_k: CacheType | None
    """None for a KV format that the engine does not have."""
    cache_type_v: CacheType | None
    swa_full: bool
    kv_offload: bool
    split_mode: str
    gpu_layers: int | None
    """None: all that fit, else all."""
    cpu_moe_layers: int
    fit: bool
    fit_margin_bytes: int
    fit_context_tokens: int
    defaulted: tuple[str, ...]
    assumed: tuple[str, ...]
    """Defaulted flags whose default is not certain for the build."""


_FROM_RULES: Final = {
    "ctx_size": "default_context_tokens",
    "batch_size": "default_batch_tokens",
    "ubatch_size": "default_micro_batch_tokens",
    "parallel": "server_slots",
    "kv_unified": "unified_with_default_slots",
    "flash_attention": "default_flash_attention",
    "gpu_layers": "default_gpu_layers",
    "fit": "fit",
}
"""The switch that each default comes from."""
_FLAGS: Final = (
    *_FROM_RULES,
    "cache_type_k",
    "cache_type_v",
    "swa_full",
    "kv_offload",
    "split_mode",
    "cpu_moe_layers",
    "fit_margin_bytes",
    "fit_context_tokens",
)


def flags_of(scenario: Scenario) -> Flags:
    """Return the flags of a scenario of llama.cpp with the build's defaults filled in."""
    engine = scenario.engine
    assert isinstance(engine, LlamacppEngine)
    cards = scenario.deployment.ranks
    return flags_for(engine, scenario.model, scenario.gpu, cards, scenario.precision.kv)


@lru_cache(maxsize=256)
def flags_for(
    engine: LlamacppEngine, model: ModelSpec, gpu: GpuSpec, cards: int, kv: KvFormat
) -> Flags:
    """Return the flags of an engine for a model on so many cards."""
    rules = engine.rules
    slots = engine.parallel or (rules.server_slots if engine.program == "server" else 1)
    per_slot = engine.kv_unified_per_slot
    unified = _unified(engine, slots)
    defaulted = tuple(name for name in _FLAGS if getattr(engine, name) is None)
    layers = engine.gpu_layers
    if layers is None and rules.default_gpu_layers == "none" and engine.program != "ollama":
        layers = 0
    fit = rules.fit if engine.fit is None else engine.fit and rules.fit
    from_format = cache_type_of(kv)
    margin, shortest = engine.fit_margin_bytes, engine.fit_context_tokens
    return Flags(
        context_tokens=_context_tokens(engine, model, gpu, cards, slots),
        context_given=engine.ctx_size is not None
        or per_slot is not None
        or engine.program == "ollama",
        slots=slots,
        unified=unified,
        slot_limit_tokens=per_slot,
        batch_tokens=engine.batch_size or rules.default_batch_tokens,
        micro_batch_tokens=engine.ubatch_size or rules.default_micro_batch_tokens,
        flash_attention=rules.default_flash_attention == "auto"
        if engine.flash_attention is None
        else engine.flash_attention,
        cache_type_k=engine.cache_type_k or from_format,
        cache_type_v=engine.cache_type_v or from_format,
        swa_full=bool(engine.swa_full),
        kv_offload=engine.kv_offload is not False,
        split_mode=engine.split_mode or "layer",
        gpu_layers=layers,
        cpu_moe_layers=engine.cpu_moe_layers or 0,
        fit=fit,
        fit_margin_bytes=FIT_MARGIN_BYTES if margin is None else margin,
        fit_context_tokens=FIT_CONTEXT_TOKENS if shortest is None else shortest,
        defaulted=defaulted,
        assumed=tuple(name for name in defaulted if _FROM_RULES.get(name) in rules.assumed),
    )


def cache_type_of(kv: KvFormat) -> CacheType | None:
    """The cache type that a KV format stands for; None for one that the engine does not have."""
    return _CACHE_TYPES.get(kv.id)


def _unified(engine: LlamacppEngine, slots: int) -> bool:
    """Whether all slots share one pool of cells (server.cpp)."""
    if engine.rules.streams == "one" or slots == 1 or engine.kv_unified_per_slot is not None:
        return True
    if engine.kv_unified is not None:
        return engine.kv_unified
    return engine.parallel is None and engine.rules.unified_with_default_slots


def _context_tokens(
    engine: LlamacppEngine, model: ModelSpec, gpu: GpuSpec, cards: int, slots: int
) -> int:
    if engine.program == "ollama":
        # num_ctx is a request's; the server is started with it times the slots.
        return slots * (engine.ctx_size or ollama_context_tokens(engine, gpu, cards))
    if engine.ctx_size is not None:
        return engine.ctx_size
    if engine.kv_unified_per_slot is not None:
        return slots * engine.kv_unified_per_slot
    trained = model.max_position_tokens or NO_LENGTH_TOKENS
    return engine.rules.default_context_tokens or trained


def ollama_context_tokens(engine: LlamacppEngine, gpu: GpuSpec, cards: int) -> int:
    """Context of a request that ollama takes by the memory of all cards, in tokens."""
    overhead = engine.gpu_overhead_bytes or 0
    total = cards * max(0, gpu.device_total_bytes - overhead)
    return next(tokens for gib, tokens in _OLLAMA_TIERS if total >= gib * GIB)


def origin(flags: Flags, flag: str, engine: LlamacppEngine) -> Source:
    """Where a defaulted flag's value comes from."""
    if engine.program == "ollama" and flag in ("ctx_size", "parallel"):
        return Source("engine_default", "ollama fb307609")
    code = "engine_default_assumed" if flag in flags.assumed else "engine_default"
    release = f"llama.cpp {engine.release}"
    if engine.rules.read_release != engine.release:
        release += f" ({engine.rules.read_release})"
    return Source(code, release)

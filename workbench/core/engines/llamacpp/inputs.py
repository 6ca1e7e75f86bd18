"""What a start depends on, before context and layers are fitted to the cards."""

from __future__ import annotations

from typing import Final, NamedTuple

from workbench.core.engines.llamacpp.defaults import Flags, flags_for
from workbench.core.engines.llamacpp.model import (
    ModelCache,
    ModelWeights,
    Widths,
    model_cache,
    model_weights,
    widths_of,
)
from workbench.core.engines.llamacpp.placement import card_shares
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.llamacpp import CacheType, LlamacppEngine
from workbench.spec.model import ModelSpec
from workbench.spec.units import MIB

CONTEXT_BYTES: Final = 450 * MIB
CONTEXT_LOW_BYTES: Final = 300 * MIB
CONTEXT_HIGH_BYTES: Final = 600 * MIB
"""Driver context and libraries on a card, which the engine does not count (llama-cpp.md §6)."""


class Inputs(NamedTuple):
    """What a start depends on, without what fitting may still change."""

    model: ModelSpec
    engine: LlamacppEngine
    flags: Flags
    cache: ModelCache
    weights: ModelWeights
    widths: Widths | None
    shares: tuple[float, ...]
    card_bytes: int
    context_bytes: int
    """Driver context on a card."""
    vendor: str


def inputs_of(
    engine: LlamacppEngine,
    model: ModelSpec,
    precision: Precision,
    deployment: Deployment,
    gpu: GpuSpec,
) -> Inputs | str:
    """Gather what a start depends on; a text names what the engine has no rule for."""
    flags = flags_for(engine, model, gpu, deployment.ranks, precision.kv)
    key: CacheType = flags.cache_type_k or "f16"
    value: CacheType = flags.cache_type_v or "f16"
    cache = model_cache(
        model,
        engine.rules,
        key,
        value,
        flash=flags.flash_attention,
        swa_full=flags.swa_full,
    )
    if isinstance(cache, str):
        return cache
    shares = card_shares(
        deployment.ranks,
        flags.split_mode,
        engine.tensor_split,
        deployment.pp_partition,
    )
    given = engine.context_bytes
    return Inputs(
        model=model,
        engine=engine,
        flags=flags,
        cache=cache,
        weights=model_weights(model, precision, engine.weights_bytes),
        widths=widths_of(model, engine.rules),
        shares=shares,
        card_bytes=gpu.device_total_bytes,
        context_bytes=CONTEXT_BYTES if given is None else given,
        vendor=gpu.vendor.lower(),
    )

"""The geometry that llama.cpp's loader prints, as a model: layers, heads, windows, states.

Only what moves the cache and the buffers is there; the model has no weights but its output.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from workbench.intake.engine_logs import Fault, Unreadable
from workbench.spec.layers import (
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    RecurrentState,
    SlidingAttention,
    StateTensor,
)
from workbench.spec.model import LayerRun, MixtureOfExperts, ModelSpec, StageTensor

WINDOW_PERIODS: Final = {
    "gemma2": 2,
    "gemma3": 6,
    "gemma3n": 5,
    "gpt-oss": 2,
    "gpt_oss": 2,
    "llama4": 4,
    "cohere2": 4,
    "exaone4": 4,
    "olmo2": 4,
}
"""The last layer of each period keeps the whole context (llama.cpp `set_swa_pattern`)."""
ENCODERS: Final = (
    "bert",
    "nomic-bert",
    "nomic-bert-moe",
    "jina-bert-v2",
    "modern-bert",
    "t5encoder",
)
"""Without logits, and in newer builds without a cache."""
_ATTENTION_PERIODS: Final = {"qwen3next": 4, "qwen35": 4, "qwen35moe": 4}
"""The last layer of each period has attention, the others a state; heads are printed for all."""
_OTHER_CACHES: Final = ("deepseek32", "deepseek4", "glm-dsa")
"""Caches of their own beside the usual one."""
_OWN_CACHE_LAYERS: Final = {"gemma3n": 20}
"""Layers, from the first, that keep a cache of their own (`n_layer_kv_from_start`)."""
_RWKV_HEADS: Final = {"rwkv6": 64, "rwkv6qwen2": 128, "rwkv7": 64, "arwkv7": 128}
_TOKEN_SHIFTS: Final = {"rwkv6": 2, "rwkv6qwen2": 1, "rwkv7": 2, "arwkv7": 1}
_MAMBA_CONV: Final = 4
_MAMBA_STATE: Final = 16
_MOST_LAYERS: Final = 10_000
_WIDEST: Final = 2**30


def cache_is_known(meta: Mapping[str, Any]) -> bool:
    """Whether it is known which layers of an architecture keep a window, and what else is kept."""
    arch = str(meta.get("arch"))
    return arch not in _OTHER_CACHES and (not meta.get("n_swa") or arch in WINDOW_PERIODS)


def is_recurrent(meta: Mapping[str, Any]) -> bool:
    """Whether no layer keeps a cache that grows: its states are printed as the cache."""
    return str(meta.get("arch")) in (*_RWKV_HEADS, "mamba", "mamba2")


def model_of(meta: Mapping[str, Any] | None) -> ModelSpec | Fault:
    """Return the model of a printed geometry, or what of it is missing.

    Raises `Unreadable` for figures that no model has.
    """
    if not meta:
        return Fault("geometry_not_printed", "all")
    layers = _count(meta, "n_layer")
    if not layers or layers > _MOST_LAYERS:
        return Fault("geometry_not_printed", "n_layer")
    hidden, vocab = _count(meta, "n_embd"), _count(meta, "n_vocab")
    mixers = _recurrent(meta, hidden, layers) if is_recurrent(meta) else _attention(meta, layers)
    if isinstance(mixers, Fault):
        return mixers
    tensors: tuple[StageTensor, ...] = ()
    if hidden and vocab:
        tensors = (StageTensor(name="lm_head", shape=(vocab, hidden), shard="vocab", stage="last"),)
    return ModelSpec(
        id="log",
        name="log",
        architecture=str(meta.get("arch") or "")[:100],
        hidden_size=hidden or None,
        vocab_size=vocab or None,
        intermediate_size=_count(meta, "n_ff") or None,
        max_position_tokens=_count(meta, "n_ctx_train") or None,
        layers=_runs(mixers),
        tensors=tensors,
        moe=_experts(meta),
    )


def _experts(meta: Mapping[str, Any]) -> MixtureOfExperts | None:
    """The experts; sizes that are not printed stand as 1 and add nothing."""
    experts = _count(meta, "n_expert")
    if not experts:
        return None
    return MixtureOfExperts(
        experts=experts,
        experts_per_token=_count(meta, "n_expert_used") or 1,
        expert_intermediate_size=_count(meta, "n_ff_exp") or 1,
    )


def _runs(mixers: list[Mixer]) -> tuple[LayerRun, ...]:
    """Layers in order, equal neighbours together."""
    runs: list[tuple[Mixer, int]] = []
    for mixer in mixers:
        if runs and runs[-1][0] == mixer:
            runs[-1] = (mixer, runs[-1][1] + 1)
        else:
            runs.append((mixer, 1))
    return tuple(LayerRun(count=count, mixer=mixer) for mixer, count in runs)


def _attention(meta: Mapping[str, Any], layers: int) -> list[Mixer] | Fault:
    keys, values = (_by_layer(meta, f"n_embd_{name}_gqa", layers) for name in ("k", "v"))
    heads, kv_heads = _by_layer(meta, "n_head", layers), _by_layer(meta, "n_head_kv", layers)
    if keys is None or values is None or kv_heads is None:
        return Fault("geometry_not_printed", "n_embd_k_gqa")
    if heads is None:
        heads = kv_heads
    arch, window = str(meta.get("arch")), _count(meta, "n_swa")
    period = WINDOW_PERIODS.get(arch, 0) if window else 0
    own, every = _OWN_CACHE_LAYERS.get(arch, layers), _ATTENTION_PERIODS.get(arch, 1)
    found: list[Mixer] = []
    for layer in range(layers):
        key, value, groups = keys[layer], values[layer], kv_heads[layer]
        if not key or not groups or layer >= own or (layer + 1) % every:
            found.append(_without_cache(meta, arch))
        elif groups == 1 and key > value > 0:
            found.append(_latent(heads[layer], key, value))
        elif period and layer % period < period - 1:
            shape = _shape(heads[layer], groups, key, value)
            found.append(SlidingAttention(window_tokens=window, **shape))
        else:
            found.append(FullAttention(**_shape(heads[layer], groups, key, value)))
    return found


def _shape(heads: int, kv_heads: int, key: int, value: int) -> dict[str, Any]:
    if key % kv_heads or value % kv_heads or not value:
        raise Unreadable("model_meta.n_embd_k_gqa")
    return {
        "heads": max(heads, kv_heads),
        "kv_heads": kv_heads,
        "head_dim": key // kv_heads,
        "v_head_dim": value // kv_heads,
    }


def _latent(heads: int, key: int, value: int) -> LatentAttention:
    """One absorbed row: keys hold the rank and the rotary part, values the rank."""
    return LatentAttention(
        heads=max(1, heads),
        kv_lora_rank=value,
        qk_rope_head_dim=key - value,
        qk_nope_head_dim=128,
        v_head_dim=128,
    )


def _without_cache(meta: Mapping[str, Any], arch: str) -> Mixer:
    """A layer that keeps no cells: a short convolution, or nothing that is known."""
    hidden = _count(meta, "n_embd")
    if arch.startswith("lfm2") and hidden:
        return _state("conv", (hidden, 2))
    return NoMixer()


def _recurrent(meta: Mapping[str, Any], hidden: int, layers: int) -> list[Mixer] | Fault:
    """R and S of architectures without attention (`llama-hparams.cpp`)."""
    arch = str(meta.get("arch"))
    if not hidden:
        return Fault("geometry_not_printed", "n_embd")
    if arch in _RWKV_HEADS:
        head = _count(meta, "wkv_head_size") or _RWKV_HEADS[arch]
        shift = _count(meta, "token_shift_count") or _TOKEN_SHIFTS[arch]
        return [_state("linear", (hidden, shift), (hidden, head))] * layers
    inner = _count(meta, "ssm_d_inner") or 2 * hidden
    state = _count(meta, "ssm_d_state") or (_MAMBA_STATE if arch == "mamba" else 0)
    conv = _count(meta, "ssm_d_conv") or _MAMBA_CONV
    groups = _count(meta, "ssm_n_group") or (0 if arch == "mamba" else 1)
    if not state:
        return Fault("geometry_not_printed", "ssm_d_state")
    channels = inner + 2 * groups * state
    return [_state("mamba1", (channels, conv - 1), (inner, state))] * layers


def _state(variant: str, *shapes: tuple[int, int]) -> RecurrentState:
    tensors = tuple(
        StateTensor(name=name, shape=shape)
        for name, shape in zip(("conv", "state"), shapes, strict=False)
    )
    return RecurrentState.model_validate({"variant": variant, "tensors": tensors})


# Reading


def _by_layer(meta: Mapping[str, Any], name: str, layers: int) -> list[int] | None:
    """A figure of each layer: one for all, or a list, which may be printed as text."""
    value = meta.get(name)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise Unreadable(f"model_meta.{name}") from None
    if value is None:
        return None
    if isinstance(value, list):
        if len(value) != layers or not all(_is_count(item) for item in value):
            raise Unreadable(f"model_meta.{name}")
        return value
    if not _is_count(value):
        raise Unreadable(f"model_meta.{name}")
    return [value] * layers


def _count(meta: Mapping[str, Any], name: str) -> int:
    """A whole figure, 0 where it is not printed."""
    value = meta.get(name)
    if value is None:
        return 0
    if not _is_count(value):
        raise Unreadable(f"model_meta.{name}")
    return int(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _WIDEST

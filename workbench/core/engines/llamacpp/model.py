"""A model as the engine lays it out: what each layer keeps and weighs, added up by layer.

Sums over any range of layers are differences of two running sums: fitting asks for many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from workbench.core.engines.llamacpp.cells import LayerCache, layer_cache, row_bytes
from workbench.core.engines.llamacpp.weights import FileWeights, file_weights
from workbench.spec.formats import Precision
from workbench.spec.layers import LatentAttention, ParallelMixer, RecurrentState
from workbench.spec.llamacpp import CacheType, LlamacppRules
from workbench.spec.model import LayerRun, ModelSpec

Sums = tuple[int, ...]


def between(sums: Sums, first: int, last: int) -> int:
    """Sum of the layers from `first` up to, not including, `last`."""
    return sums[last] - sums[first]


@dataclass(frozen=True, slots=True)
class ModelCache:
    """Bytes that layers keep, as running sums over the layers."""

    token_sums: Sums
    """Of a cell, in layers that keep the whole context."""
    base_sums: Sums
    """Layers that keep the whole context."""
    windows: tuple[tuple[int, Sums, Sums], ...]
    """A window, then bytes of a cell and layers with it."""
    state_sums: Sums
    """Of a sequence."""
    kinds: tuple[LayerCache, ...]
    """What each kind of layer keeps, for the checks of a start."""
    largest_layer_cell: int
    """Bytes of a cell in the layer that keeps most."""


@lru_cache(maxsize=128)
def model_cache(
    model: ModelSpec,
    rules: LlamacppRules,
    key: CacheType,
    value: CacheType,
    *,
    flash: bool,
    swa_full: bool,
) -> ModelCache | str:
    """Add up what the layers keep; a text names a kind that the engine has no rule for."""
    kept: list[tuple[int, LayerCache]] = []
    for run in model.layers:
        found = layer_cache(run.mixer, rules)
        if isinstance(found, str):
            return found
        kept.append((run.count, found))
    widest = max((cache.value_elements for _, cache in kept), default=0)
    cells: list[int] = []
    windows: list[int | None] = []
    states: list[int] = []
    for count, cache in kept:
        values = cache.value_elements
        if values and not flash:
            # Transposed values of different widths all take the widest.
            values = widest
        size = row_bytes(key, cache.key_elements) + row_bytes(value, values)
        size += row_bytes(key, cache.indexer_elements)
        cells += [size] * count
        whole = swa_full or rules.window_cells == "context"
        windows += [None if whole or not cache.has_cells else cache.window_tokens] * count
        states += [4 * cache.state_elements] * count
    sizes = sorted({window for window in windows if window is not None})
    return ModelCache(
        token_sums=_sums(cells, windows, None),
        base_sums=_sums([int(size > 0) for size in cells], windows, None),
        windows=tuple(
            (window, _sums(cells, windows, window), _sums([1] * len(cells), windows, window))
            for window in sizes
        ),
        state_sums=tuple(accumulate(states, initial=0)),
        kinds=tuple({cache: None for _, cache in kept}),
        largest_layer_cell=max(cells, default=0),
    )


def _sums(sizes: list[int], windows: list[int | None], wanted: int | None) -> Sums:
    chosen = (size if window == wanted else 0 for size, window in zip(sizes, windows, strict=True))
    return tuple(accumulate(chosen, initial=0))


@dataclass(frozen=True, slots=True)
class ModelWeights:
    """Bytes of a model's parts, as running sums over the layers."""

    layer_sums: Sums
    """Without the routed experts."""
    expert_sums: Sums
    embedding: int
    output: int
    output_norm: int
    tied: bool
    largest_expert_stack: int
    is_known: bool
    """Whether the model or a person says how much it weighs."""


@lru_cache(maxsize=128)
def model_weights(model: ModelSpec, precision: Precision, given_bytes: int | None) -> ModelWeights:
    """Weigh the parts of a model; a given size is shared out as the parts weigh."""
    parts = None
    if model.has_weights:
        parts = file_weights(model, precision.weights, precision.left_alone or ())
    if given_bytes is not None:
        return _shared_out(parts, model.layer_count, given_bytes)
    if parts is None:
        nothing = (0,) * (model.layer_count + 1)
        return ModelWeights(nothing, nothing, 0, 0, 0, tied=False, largest_expert_stack=0,
                            is_known=False)  # fmt: skip
    return ModelWeights(
        tuple(accumulate(parts.layers, initial=0)),
        tuple(accumulate(parts.experts, initial=0)),
        parts.embedding,
        parts.output,
        parts.output_norm,
        tied=parts.tied,
        largest_expert_stack=parts.largest_expert_stack,
        is_known=True,
    )


def _shared_out(parts: FileWeights | None, layers: int, given_bytes: int) -> ModelWeights:
    """Share a file's size over its parts; layer by layer alike where the parts are not known."""
    if parts is None or not parts.file_bytes:
        sums = tuple(given_bytes * done // layers for done in range(layers + 1))
        nothing = (0,) * (layers + 1)
        return ModelWeights(sums, nothing, 0, 0, 0, tied=False, largest_expert_stack=0,
                            is_known=True)  # fmt: skip
    whole = parts.file_bytes

    def scaled(size: int) -> int:
        return given_bytes * size // whole

    layer_sums = tuple(scaled(done) for done in accumulate(parts.layers, initial=0))
    expert_sums = tuple(scaled(done) for done in accumulate(parts.experts, initial=0))
    output, norm = scaled(parts.output), scaled(parts.output_norm)
    rest = given_bytes - layer_sums[-1] - expert_sums[-1] - norm
    return ModelWeights(
        layer_sums,
        expert_sums,
        rest if parts.tied else rest - output,
        output,
        norm,
        tied=parts.tied,
        largest_expert_stack=scaled(parts.largest_expert_stack),
        is_known=True,
    )


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths that compute buffers depend on."""

    hidden: int
    vocab: int
    feed_forward: int
    """Elements of a token between the matrices of the widest layer."""
    has_experts: bool
    has_state: bool
    latent_row: int
    """Absorbed query and result of a head, where the latent row is what is cached."""
    latent_was_seen: bool


def widths_of(model: ModelSpec, rules: LlamacppRules) -> Widths | None:
    """Return a model's widths; None where it does not say how wide it is."""
    if model.hidden_size is None or model.vocab_size is None:
        return None
    feed_forward = 2 * (model.intermediate_size or 0)
    if model.moe is not None:
        chosen = model.moe.experts_per_token
        inner = model.moe.expert_intermediate_size
        feed_forward = max(feed_forward, chosen * (2 * inner + model.hidden_size))
    mixers = [run.mixer for run in model.layers]
    latent = (m for m in mixers if isinstance(m, LatentAttention) and rules.latent != "heads")
    latent_row = max((2 * m.kv_lora_rank + m.qk_rope_head_dim for m in latent), default=0)
    return Widths(
        model.hidden_size,
        model.vocab_size,
        feed_forward,
        has_experts=model.moe is not None,
        has_state=any(isinstance(mixer, RecurrentState | ParallelMixer) for mixer in mixers),
        latent_row=latent_row,
        latent_was_seen=latent_row > 0 and rules.latent == "keys_and_values",
    )


def heads_of(run: LayerRun) -> int:
    """Query heads of a layer."""
    mixer: Any = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
    heads = 0 if isinstance(mixer, RecurrentState) else getattr(mixer, "heads", 0)
    return int(heads or 0)

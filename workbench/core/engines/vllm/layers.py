"""What each layer keeps for a request, before tensor parallelism, as the planner sees it.

The planner knows five things: softmax attention over heads, a latent row, an index row beside
it, a recurrent state, and nothing. A model's mixers are turned into runs of these; a layer that
holds two of them (an indexer beside a latent row, a state beside attention) becomes two entries
in a row, as vLLM registers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Final, Literal

from workbench.spec.layers import (
    ChunkedAttention,
    CrossAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
)
from workbench.spec.model import LayerRun, ModelSpec
from workbench.spec.vllm_rules import StateFamily

Heads = Literal["full", "sliding", "chunked", "cross"]


@dataclass(frozen=True, slots=True)
class AttentionKv:
    """Keys and values of a softmax attention layer."""

    kind: Heads
    kv_heads: int
    k_dim: int
    v_dim: int
    reach_tokens: int = 0
    """Window of a sliding layer, chunk of a chunked one."""
    quantised: bool = True
    """False where the KV format leaves this layer in the model's own type."""


@dataclass(frozen=True, slots=True)
class LatentKv:
    """One latent row a token, the same on every rank."""

    latent: int
    rope: int


@dataclass(frozen=True, slots=True)
class IndexKv:
    """The key row a sparse indexer keeps beside a latent one."""

    index_dim: int


@dataclass(frozen=True, slots=True)
class StateKv:
    """A recurrent state: a convolution window and a state of fixed size."""

    family: StateFamily
    conv_rows: int
    """Kernel - 1; 0 where the layer has no convolution."""
    conv_channels: int
    """Channels that tensor parallelism divides, those of the groups left out."""
    groups: int
    group_channels: int
    """Channels of one group (Mamba-2's B and C)."""
    state_shape: tuple[int, ...]
    """The first axis is divided by tensor parallelism; empty where only a convolution is kept."""
    conv_element_bytes: int
    state_element_bytes: int
    checkpoint_blocks: int = 0
    """Blocks more that a request holds for a checkpoint of its prefill."""


@dataclass(frozen=True, slots=True)
class NoKv:
    """Feed-forward only, encoder-only, or reading the cache of another layer."""


KvLayer = AttentionKv | LatentKv | IndexKv | StateKv | NoKv
KvRun = tuple[KvLayer, int]
"""A layer and how many of it stand in a row."""

_FAMILIES: Final[dict[str, StateFamily]] = {
    "mamba1": "mamba1",
    "mamba2": "mamba2",
    "gdn": "gdn",
    "kda": "kda",
    "lightning": "linear",
    "linear": "linear",
    "conv": "conv",
}
_ELEMENT_BYTES: Final = {"fp32": 4, "float32": 4, "bf16": 2, "bfloat16": 2, "fp16": 2, "float16": 2}
_CHECKPOINTED: Final = ("mamba2",)


class UnknownLayer(ValueError):
    """A layer that the planner has no rule for, by the name of its kind."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class StateTypes:
    """Bytes of an element of recurrent states, as the engine resolves its flags (§4.2).

    The convolution takes `conv_bytes`. The state takes the type that the model itself names
    (Kimi's delta attention always float32, Qwen3.5 its configuration's), else `state_bytes`,
    which is `conv_bytes` unless a flag says otherwise.
    """

    conv_bytes: int = 2
    state_bytes: int = 2
    forced: bool = False
    """A flag names the state's type, so the model's own is not asked."""


def model_layers(
    model: ModelSpec,
    types: StateTypes,
    *,
    draft: bool = False,
    edge_layers_left: int = 0,
) -> tuple[KvRun, ...]:
    """Return the layers of a model in order, those of its draft module last if `draft`.

    `edge_layers_left` attention layers at either end stay unquantised, unless the model has
    recurrent layers. Raises `UnknownLayer` for a kind without a rule.
    """
    runs = _joined(_entries(model.layers, types))
    if edge_layers_left and not any(isinstance(layer, StateKv) for layer, _ in runs):
        runs = _edges_left(runs, edge_layers_left)
    if draft and model.draft is not None:
        runs = _joined((*runs, *_entries(model.draft.layers, types)))
    return runs


def layer_positions(model: ModelSpec, types: StateTypes) -> tuple[int, ...]:
    """Return, for each decoder layer and one more, the entry of `model_layers` it begins at.

    A pipeline stage that holds layers [a, b) holds the entries [positions[a], positions[b]).
    """
    positions = [0]
    for run in model.layers:
        size = sum(count for _, count in _parts(run.mixer, types))
        for _ in range(run.count):
            positions.append(positions[-1] + size)
    return tuple(positions)


def stage_entries(
    model: ModelSpec,
    types: StateTypes,
    stages: Iterable[tuple[int, int]],
    *,
    draft: bool = False,
) -> tuple[tuple[int, int], ...]:
    """Turn [first, last) decoder layers of each stage into entries; a draft is on the last."""
    positions = layer_positions(model, types)
    ranges = [(positions[first], positions[last]) for first, last in stages]
    if draft and model.draft is not None:
        more = sum(count for _, count in _entries(model.draft.layers, types))
        ranges[-1] = (ranges[-1][0], ranges[-1][1] + more)
    return tuple(ranges)


def _entries(runs: Iterable[LayerRun], types: StateTypes) -> Iterator[KvRun]:
    for run in runs:
        parts = _parts(run.mixer, types)
        if len(parts) == 1:
            yield parts[0][0], run.count
        else:
            for _ in range(run.count):
                yield from parts


def _parts(mixer: Mixer, types: StateTypes) -> tuple[KvRun, ...]:
    """Return the entries of one layer."""
    match mixer:
        case FullAttention():
            return ((_heads("full", mixer), 1),)
        case SlidingAttention():
            return ((_heads("sliding", mixer, mixer.window_tokens), 1),)
        case ChunkedAttention():
            return ((_heads("chunked", mixer, mixer.chunk_tokens), 1),)
        case CrossAttention():
            return ((_heads("cross", mixer), 1),)
        case LatentAttention():
            row = (LatentKv(mixer.kv_lora_rank, mixer.qk_rope_head_dim), 1)
            if mixer.indexer is None or mixer.indexer.shared_with_previous:
                return (row,)
            return (row, (IndexKv(mixer.indexer.head_dim), 1))
        case RecurrentState():
            return ((_state(mixer, types), 1),)
        case ParallelMixer():
            return (*_parts(mixer.state, types), *_parts(mixer.attention, types))
        case SharedCache() | NoMixer():
            return ((NoKv(), 1),)
        case _:
            raise UnknownLayer(mixer.kind)


def _heads(
    kind: Heads,
    mixer: FullAttention | SlidingAttention | ChunkedAttention | CrossAttention,
    reach_tokens: int = 0,
) -> AttentionKv:
    if mixer.indexer is not None:
        raise UnknownLayer(f"{kind} with an indexer")
    if mixer.values_are_keys:
        raise UnknownLayer(f"{kind} with one vector for key and value")
    return AttentionKv(kind, mixer.kv_heads, mixer.head_dim, mixer.value_dim, reach_tokens)


def _state(mixer: RecurrentState, types: StateTypes) -> StateKv:
    """Tell convolution from state by name; the rest of the convolution's width is its groups'."""
    family = _FAMILIES[mixer.variant]
    channels = rows = 0
    state_shape: tuple[int, ...] = ()
    state_bytes = types.state_bytes
    for tensor in mixer.tensors:
        axis = tensor.shard_axis or 0
        if tensor.name.startswith("conv"):
            channels += tensor.shape[axis]
            rows = prod(tensor.shape) // tensor.shape[axis]
        else:
            rest = tensor.shape[:axis] + tensor.shape[axis + 1 :]
            state_shape = (tensor.shape[axis], *rest)
            if tensor.dtype is not None and not (types.forced and family != "kda"):
                state_bytes = _ELEMENT_BYTES[tensor.dtype]
    groups, group_channels = 0, 0
    # A made-up layer may list its convolution alone.
    if family == "mamba2" and state_shape:
        groups = mixer.groups or 1
        group_channels = 2 * state_shape[-1]
    return StateKv(
        family=family,
        conv_rows=rows,
        conv_channels=channels - groups * group_channels,
        groups=groups,
        group_channels=group_channels,
        state_shape=state_shape,
        conv_element_bytes=types.conv_bytes,
        state_element_bytes=state_bytes,
        checkpoint_blocks=int(family in _CHECKPOINTED),
    )


def _joined(runs: Iterable[KvRun]) -> tuple[KvRun, ...]:
    """Join neighbours that are alike."""
    joined: list[KvRun] = []
    for layer, count in runs:
        if joined and joined[-1][0] == layer:
            joined[-1] = (layer, joined[-1][1] + count)
        else:
            joined.append((layer, count))
    return tuple(joined)


def _edges_left(runs: tuple[KvRun, ...], edge: int) -> tuple[KvRun, ...]:
    """Mark the first and last `edge` attention layers as unquantised."""
    layers = [layer for layer, count in runs for _ in range(count)]
    attention = [i for i, layer in enumerate(layers) if isinstance(layer, AttentionKv)]
    for index in {*attention[:edge], *attention[-edge:]}:
        layer = layers[index]
        assert isinstance(layer, AttentionKv)
        layers[index] = AttentionKv(
            layer.kind, layer.kv_heads, layer.k_dim, layer.v_dim, layer.reach_tokens, False
        )
    return _joined((layer, 1) for layer in layers)

"""The tensors that vLLM makes of a checkpoint's on one rank, each with its bytes.

Projections of one input are one tensor (q, k and v; gate and up; the latent down-projections);
the experts of a layer are one tensor for gate and up and one for down; every kind of scale is a
tensor of its own. Source: vLLM 0.33.0 `model_executor/layers/linear.py`, `fused_moe/layer.py`,
`layers/quantization/*` as vllm.md §8.1 and §8.3 restate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from workbench.core.memory.weights import (
    rank_shape,
    storage_of,
    stored_parts,
    unquantised_bits,
)
from workbench.spec.formats import Precision
from workbench.spec.layers import LatentAttention, Mixer, ParallelMixer
from workbench.spec.model import Tensor
from workbench.spec.weight_format import Kernel, Storage

VOCABULARY_MULTIPLE = 64
"""Rows of embedding and head are padded to this, whatever TP is; then they are divided."""
_FUSED = {
    "q_proj": "qkv_proj",
    "k_proj": "qkv_proj",
    "v_proj": "qkv_proj",
    "gate_proj": "gate_up_proj",
    "up_proj": "gate_up_proj",
    "q_a_proj": "fused_qkv_a_proj",
    "kv_a_proj_with_mqa": "fused_qkv_a_proj",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """How one rank shares a layer."""

    tp: int
    expert_tp: int
    """Ranks that divide the inner width of an expert."""
    expert_ranks: int
    """Ranks that divide the experts among them."""

    def experts(self, count: int) -> int:
        """Experts of the rank that holds most of `count`."""
        return -(-count // self.expert_ranks)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A tensor as it lies on a rank."""

    name: str
    kind: str
    bytes: int
    text: str
    """Numbers for the window: "6144 × 4096 · bf16"."""
    copies: int = 1
    """How many tensors of equal size these are; the experts of a layer are one."""


def loaded_tensors(
    tensors: Iterable[Tensor],
    precision: Precision,
    layout: Layout,
    mixer: Mixer | None = None,
    kernel: Kernel | None = None,
) -> tuple[Loaded, ...]:
    """The tensors of one layer, or of what stands outside the layers, on a rank."""
    found: list[Loaded] = []
    for name, members in _fused(_with_values(tensors, mixer), precision):
        found += _loaded(name, members, precision, layout, mixer, kernel)
    if isinstance(mixer, LatentAttention):
        found += _absorbed(mixer, precision, layout)
    return tuple(found)


def _with_values(tensors: Iterable[Tensor], mixer: Mixer | None) -> Iterator[Tensor]:
    """Give keys that serve as values too a second place in the fused projection.

    Gemma-4's full layers load `k_proj` into both; its start-up log shows the copy (58.99 GiB).
    """
    doubled = getattr(mixer, "keys_projected_as_values", None)
    for tensor in tensors:
        yield tensor
        if doubled and tensor.name.endswith(".k_proj"):
            yield tensor.with_(name=f"{tensor.name.removesuffix('.k_proj')}.v_proj")


def _fused(
    tensors: Iterable[Tensor], precision: Precision
) -> Iterator[tuple[str, tuple[Tensor, ...]]]:
    """Tensors that become one, under the name of the whole, in the order of the first of each."""
    groups: dict[tuple[str, int], list[Tensor]] = {}
    for tensor in tensors:
        storage = storage_of(tensor, precision.weights, precision.left_alone or ())
        # One format holds each storage, so that its id tells it from others.
        groups.setdefault((_fused_name(tensor.name), id(storage)), []).append(tensor)
    taken: set[str] = set()
    for (fused, _), members in groups.items():
        alone = len(members) == 1 or fused in taken
        if alone:
            for member in members:
                yield member.name, (member,)
        else:
            taken.add(fused)
            yield fused, tuple(members)


def _fused_name(name: str) -> str:
    stem, dot, last = name.removesuffix(".bias").rpartition(".")
    bias = ".bias" if name.endswith(".bias") else ""
    return f"{stem}{dot}{_FUSED.get(last, last)}{bias}"


def _loaded(
    name: str,
    members: tuple[Tensor, ...],
    precision: Precision,
    layout: Layout,
    mixer: Mixer | None,
    kernel: Kernel | None,
) -> Iterator[Loaded]:
    """One tensor with its scales, each a tensor of its own."""
    first, weight_format = members[0], precision.weights
    storage = storage_of(first, weight_format, precision.left_alone or ())
    shapes = [_shape(tensor, layout, mixer, kernel, storage) for tensor in members]
    copies = layout.experts(first.copies) if _is_expert(first) else first.copies
    apart = 1 if _is_expert(first) else copies
    kind = kind_of(first)
    rows = sum(prod(shape[:-1]) if len(shape) > 1 else shape[0] for shape in shapes)
    columns = shapes[0][-1] if len(shapes[0]) > 1 else 1
    of = f"{rows} × {columns}" if len(shapes[0]) > 1 else f"{rows}"
    text = of if copies == 1 else f"{copies} × {of}"
    if storage is None:
        bits = unquantised_bits(first, weight_format)
        size = copies * -(-rows * columns * bits // 8)
        yield Loaded(name, kind, size, f"{text} · {first.dtype or f'{bits} bit'}", apart)
        return
    parts: dict[str, int] = {}
    for tensor, shape in zip(members, shapes, strict=True):
        for part, size in _parts(tensor, storage, shape, layout, kernel).items():
            parts[part] = parts.get(part, 0) + copies * size
    yield Loaded(name, kind, parts.pop("elements"), f"{text} · {weight_format.id}", apart)
    for part, size in parts.items():
        if part != "index" or storage.index_loaded:
            yield Loaded(f"{name}.{part}", kind, size, weight_format.id, apart)


def _parts(
    tensor: Tensor,
    storage: Storage,
    shape: tuple[int, ...],
    layout: Layout,
    kernel: Kernel | None,
) -> dict[str, int]:
    """Elements and scales; in activation order the scales of all inputs stay on every rank."""
    rows, columns = prod(shape[:-1]), shape[-1]
    parts = stored_parts(storage, rows, columns)
    if storage.index_loaded and tensor.shard in ("row", "o_heads") and layout.tp > 1:
        whole = stored_parts(storage, rows, tensor.shape[-1])
        parts |= {part: whole[part] for part in ("group_scales", "group_zeros") if part in whole}
    if kernel is not None:
        if _is_expert(tensor) and kernel.column_multiple > 1:
            padded = -(-columns // kernel.column_multiple) * kernel.column_multiple
            parts["elements"] = stored_parts(storage, rows, padded)["elements"]
        if kernel.drops_zeros:
            parts.pop("group_zeros", None)
    return parts


def _shape(
    tensor: Tensor,
    layout: Layout,
    mixer: Mixer | None,
    kernel: Kernel | None,
    storage: Storage | None,
) -> tuple[int, ...]:
    """Shape on a rank: padded vocabulary, a share of an expert, what a kernel rounds up."""
    shape = tensor.shape
    if tensor.shard == "vocab":
        padded = -(-shape[0] // VOCABULARY_MULTIPLE) * VOCABULARY_MULTIPLE
        return (-(-padded // layout.tp), *shape[1:])
    if not _is_expert(tensor):
        return rank_shape(tensor, layout.tp, mixer)
    inner_last = tensor.name.removesuffix(".bias").endswith(("down_proj", "w2"))
    is_bias = len(shape) == 1
    sizes = list(shape)
    inner = None if is_bias and inner_last else len(sizes) - 1 if inner_last else 0
    if inner is not None:
        sizes[inner] = -(-sizes[inner] // layout.expert_tp)
    if kernel is not None and (storage is not None or is_bias):
        for axis, size in enumerate(sizes):
            multiple = kernel.intermediate_multiple if axis == inner else kernel.hidden_multiple
            sizes[axis] = -(-size // multiple) * multiple
    return tuple(sizes)


def _absorbed(
    mixer: LatentAttention, precision: Precision, layout: Layout
) -> tuple[Loaded, Loaded]:
    """The two 16-bit matrices that latent attention multiplies queries and outputs by.

    heads ÷ tp × latent × (nope + v) × 2 bytes, beside `kv_b_proj` itself, whatever its type.
    Source: vLLM `attention/mla`: `process_weights_after_loading`; DeepSeek-V2-Lite shows 29.43
    GiB, 29.41 with these copies and 29.30 without (vllm.md §0).
    """
    heads = -(-mixer.heads // layout.tp)
    bits = precision.weights.other_bits
    found = []
    for name, width in (("W_UK_T", mixer.qk_nope_head_dim), ("W_UV", mixer.v_head_dim)):
        size = heads * mixer.kv_lora_rank * width * bits // 8
        text = f"{heads} × {mixer.kv_lora_rank} × {width} · {bits} bit"
        found.append(Loaded(f"self_attn.{name}", "absorbed", size, text))
    return found[0], found[1]


def _is_expert(tensor: Tensor) -> bool:
    return tensor.shard in ("experts", "experts_whole")


def kind_of(tensor: Tensor) -> str:
    """The part of the model a tensor belongs to, for the table of parts."""
    if tensor.shard == "vocab":
        return "embeddings"
    if _is_expert(tensor):
        return "experts"
    if tensor.name.startswith(("mlp", "feed_forward")):
        return "feed_forward"
    if tensor.name.startswith(("self_attn", "linear_attn", "mixer", "conv", "cross_attn")):
        return "attention"
    return "other"


def attention_kind(mixer: Mixer) -> str:
    """The kind of attention in a layer; that beside a recurrent state counts too."""
    return mixer.attention.kind if isinstance(mixer, ParallelMixer) else mixer.kind

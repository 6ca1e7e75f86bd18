"""Bytes of a model as a GGUF file stores it: each layer, its experts, embedding, output.

Every tensor starts at a multiple of 32 bytes. Matrices take the block type of the file's
mixture, all that is no matrix 32 bits (llama.cpp `src/llama-quant.cpp`, `convert_hf_to_gguf.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from workbench.core.engines.llamacpp.gguf import BASE, Role, Shape, row_bytes, tensor_type
from workbench.core.memory.weights import tensor_bytes
from workbench.spec.model import ROUTED, LayerRun, ModelSpec, Tensor
from workbench.spec.weight_format import WeightFormat

_ALIGNMENT: Final = 32
_ROLES: Final = (
    ("qkv_proj", "qkv"),
    ("q_proj", "q"),
    ("k_proj", "k"),
    ("v_proj", "v"),
    ("o_proj", "o"),
    ("down_proj", "down"),
    ("gate_proj", "gate"),
    ("up_proj", "up"),
)
_WIDE: Final = {"fp32": "F32", "bf16": "BF16"}
_BITS_70B_LAYERS: Final = 80
_EMBEDDING: Final = "embed_tokens"
_OUTPUT: Final = "lm_head"


@dataclass(frozen=True, slots=True)
class FileWeights:
    """Bytes of the parts of a file that are placed apart."""

    layers: tuple[int, ...]
    """Each layer without its routed experts."""
    experts: tuple[int, ...]
    """Routed experts of each layer."""
    largest_expert_stack: int
    """The largest tensor of experts of one layer."""
    embedding: int
    """Kept on the host, the tensors that feed every layer among it."""
    output: int
    """The output matrix; a copy of the embedding where that serves as output."""
    output_norm: int
    tied: bool

    @property
    def file_bytes(self) -> int:
        """All tensors once."""
        output = 0 if self.tied else self.output
        parts = sum(self.layers) + sum(self.experts)
        return parts + self.embedding + output + self.output_norm


def file_type_of(weights: WeightFormat) -> str | None:
    """The file type that a weight format stands for; None where it is no GGUF type."""
    if weights.id in _WIDE:
        return _WIDE[weights.id]
    name = weights.id.removeprefix("gguf-").replace("-", "_").upper()
    return name if weights.id.startswith("gguf-") and name in BASE else None


@lru_cache(maxsize=64)
def file_weights(
    model: ModelSpec, weights: WeightFormat, left_alone: tuple[str, ...] = ()
) -> FileWeights:
    """Return the bytes of a model in a weight format.

    A GGUF format without a recipe of its own is counted by the format itself.
    """
    file = _File(model, weights, left_alone)
    layers: list[int] = []
    experts: list[int] = []
    largest = 0
    for run in model.layers:
        for _ in range(run.count):
            at = len(layers)
            sizes = [(tensor, file.size(tensor, at, run)) for tensor in run.tensors]
            routed = [size for tensor, size in sizes if tensor.shard in ROUTED]
            experts.append(sum(routed))
            layers.append(sum(size for _, size in sizes) - experts[-1])
            largest = max((largest, *routed))
    embedding = output = norm = 0
    tied = model.tied_embeddings
    for tensor in model.tensors:
        size = file.size(tensor, 0, None)
        if tensor.name.endswith(_OUTPUT):
            output += size
        elif tensor.stage == "last":
            norm += size
        else:
            embedding += size
            if tied and tensor.name.endswith(_EMBEDDING):
                output += size
    return FileWeights(
        tuple(layers), tuple(experts), largest, embedding, output, norm, tied=tied and output > 0
    )


class _File:
    """One file: its type, and the sizes already worked out."""

    def __init__(
        self, model: ModelSpec, weights: WeightFormat, left_alone: tuple[str, ...]
    ) -> None:
        self._weights = weights.for_model(has_experts=model.moe is not None)
        self._left_alone = left_alone
        self._type = file_type_of(weights)
        self._tied = model.tied_embeddings
        self._shape = _shape_of(model)
        self._known: dict[tuple[str, int, tuple[int, ...], int], int] = {}

    def size(self, tensor: Tensor, layer: int, run: LayerRun | None) -> int:
        """Bytes of all copies of a tensor; the experts of a layer stand in one."""
        if self._type is None:
            mixer = None if run is None else run.mixer
            return _aligned(tensor_bytes(tensor, self._weights, 1, mixer, self._left_alone))
        outside = run is None
        if not outside and not tensor.quantised:
            key = (tensor.name, 0, tensor.shape, tensor.copies)
        else:
            key = (tensor.name, layer, tensor.shape, tensor.copies)
        if key not in self._known:
            self._known[key] = self._sized(tensor, layer, outside=outside)
        return self._known[key]

    def _sized(self, tensor: Tensor, layer: int, *, outside: bool) -> int:
        row, rows = tensor.shape[-1], prod(tensor.shape[:-1])
        kind = "F32"
        if len(tensor.shape) > 1 and (tensor.quantised or outside):
            role = self._role(tensor, layer, outside=outside)
            assert self._type is not None
            kind = tensor_type(self._type, role, self._shape, row)
        each = rows * row_bytes(kind, row)
        if tensor.shard in ROUTED:
            return _aligned(each * tensor.copies)
        return _aligned(each) * tensor.copies

    def _role(self, tensor: Tensor, layer: int, *, outside: bool) -> Role:
        if outside:
            is_output = tensor.name.endswith(_OUTPUT)
            if is_output or (self._tied and tensor.name.endswith(_EMBEDDING)):
                return Role("output")
            return Role("embedding" if tensor.name.endswith(_EMBEDDING) else "")
        role = next((role for ending, role in _ROLES if tensor.name.endswith(ending)), "")
        return Role(role, layer, tensor.shard in ROUTED)


def _shape_of(model: ModelSpec) -> Shape:
    queries, is_70b = 1, False
    for run in model.layers:
        heads, kv_heads = getattr(run.mixer, "heads", None), getattr(run.mixer, "kv_heads", None)
        if heads and kv_heads:
            queries = heads // kv_heads
            is_70b = model.layer_count == _BITS_70B_LAYERS and queries > 1
            break
    experts = 0 if model.moe is None else model.moe.experts
    return Shape(model.layer_count, experts, queries, is_70b)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT

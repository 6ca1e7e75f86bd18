"""Which block type each tensor of a GGUF file takes, by the file's type.

A file type is a mixture: llama.cpp `src/llama-quant.cpp:llama_tensor_get_type` raises some
tensors by role and layer. Block sizes: `gguf` 0.19.0 constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BLOCKS: Final[dict[str, tuple[int, int]]] = {
    "F32": (1, 4),
    "F16": (1, 2),
    "BF16": (1, 2),
    "Q4_0": (32, 18),
    "Q4_1": (32, 20),
    "Q5_0": (32, 22),
    "Q5_1": (32, 24),
    "Q8_0": (32, 34),
    "Q2_K": (256, 84),
    "Q3_K": (256, 110),
    "Q4_K": (256, 144),
    "Q5_K": (256, 176),
    "Q6_K": (256, 210),
    "IQ1_S": (256, 50),
    "IQ1_M": (256, 56),
    "IQ2_XXS": (256, 66),
    "IQ2_XS": (256, 74),
    "IQ2_S": (256, 82),
    "IQ3_XXS": (256, 98),
    "IQ3_S": (256, 110),
    "IQ4_NL": (32, 18),
    "IQ4_XS": (256, 136),
    "TQ1_0": (256, 54),
    "TQ2_0": (256, 66),
    "MXFP4": (32, 17),
}
"""Elements of a block and its bytes."""

BASE: Final[dict[str, str]] = {
    **{name: name for name in ("F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0")},
    **{name: name for name in ("Q6_K", "IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ3_XXS")},
    **{name: name for name in ("IQ3_S", "IQ4_NL", "IQ4_XS", "TQ1_0", "TQ2_0")},
    "Q2_K": "Q2_K",
    "Q2_K_S": "Q2_K",
    "Q3_K_S": "Q3_K",
    "Q3_K_M": "Q3_K",
    "Q3_K_L": "Q3_K",
    "Q4_K_S": "Q4_K",
    "Q4_K_M": "Q4_K",
    "Q5_K_S": "Q5_K",
    "Q5_K_M": "Q5_K",
    "IQ2_S": "IQ2_XS",
    "IQ2_M": "IQ2_S",
    "IQ3_XS": "IQ3_S",
    "IQ3_M": "IQ3_S",
    "MXFP4_MOE": "Q8_0",
}
"""The type of most matrices of a file."""

_UNDIVIDED: Final[dict[str, str]] = {
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
    "Q2_K": "Q4_0",
    "Q3_K": "Q4_0",
    "TQ1_0": "Q4_0",
    "TQ2_0": "Q4_0",
}
"""What a row takes that is no multiple of 256; the IQ types take IQ4_NL."""
_LOWEST: Final = ("IQ2_XXS", "IQ2_XS", "IQ1_S", "IQ1_M", "IQ2_S", "IQ2_M")
_TWO: Final = ("IQ2_S", "IQ2_M")
_EIGHT_EXPERTS_OUTPUT: Final = (
    *("Q2_K", "IQ3_XS", "IQ3_XXS", "Q3_K_S", "Q3_K_M", "IQ4_NL"),
    *("Q4_K_S", "Q4_K_M", "IQ3_S", "IQ3_M", "IQ4_XS"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What the mixture depends on beside the tensor itself."""

    layers: int
    experts: int
    queries_per_kv: int
    """Query heads that share a KV head (GQA)."""
    is_70b: bool
    """80 layers of grouped queries: values are raised."""


@dataclass(frozen=True, slots=True)
class Role:
    """A matrix by what it does, in which layer."""

    name: str
    """"output", "embedding", "v", "k", "q", "o", "qkv", "down", "gate", "up" or ""."""
    layer: int = 0
    is_expert: bool = False


def tensor_type(file_type: str, role: Role, shape: Shape, row: int) -> str:
    """Return the block type of a matrix whose rows have `row` elements."""
    kind = _mixed(file_type, role, shape)
    block = BLOCKS[kind][0]
    if row % block == 0:
        return kind
    fallback = "IQ4_NL" if kind.startswith("IQ") else _UNDIVIDED.get(kind, "F16")
    return fallback if row % BLOCKS[fallback][0] == 0 else "F16"


def row_bytes(kind: str, row: int) -> int:
    """Bytes of a row of a matrix."""
    block, size = BLOCKS[kind]
    return -(-row // block) * size


def raised(layer: int, layers: int) -> bool:
    """Whether a layer is one of those that a mixture stores more finely (`use_more_bits`)."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def _mixed(file_type: str, role: Role, shape: Shape) -> str:
    base = BASE[file_type]
    if base in ("F32", "F16", "BF16"):
        return base
    if file_type == "MXFP4_MOE":
        return "MXFP4" if role.is_expert else "Q8_0"
    if role.name == "output":
        if base == "Q8_0":
            return base
        return "Q5_K" if file_type in (*_LOWEST, "IQ3_XXS") else "Q6_K"
    if role.name == "embedding":
        return _embedding(file_type, base)
    if file_type in _LOWEST:
        return _lowest(file_type, base, role, shape)
    rule = {"v": _values, "down": _down, "o": _attention_output}.get(role.name)
    if rule is not None:
        return rule(file_type, base, role, shape)
    if role.name in ("k", "q"):
        if role.name == "k" and shape.experts == 8:
            return "Q8_0"
        return {"IQ3_XS": "IQ3_XXS", "IQ3_XXS": "IQ2_S"}.get(file_type, base)
    if role.name == "qkv":
        raise_to = {"Q3_K_M": "Q4_K", "Q3_K_L": "Q4_K", "IQ3_M": "Q4_K"}
        return (raise_to | {"Q4_K_M": "Q5_K", "Q5_K_M": "Q6_K"}).get(file_type, base)
    middle = shape.layers // 8 <= role.layer < 7 * shape.layers // 8
    if role.name in ("gate", "up") and file_type == "IQ3_XS" and middle:
        return "IQ3_XXS"
    return base


def _embedding(file_type: str, base: str) -> str:
    if file_type in ("IQ2_XXS", "IQ2_XS", "IQ1_S", "IQ1_M"):
        return "Q2_K"
    if file_type in (*_TWO, "IQ3_XXS"):
        return "IQ3_S"
    return "Q4_K" if base in ("TQ1_0", "TQ2_0") else base


def _lowest(file_type: str, base: str, role: Role, shape: Shape) -> str:
    """The files of one and two bits."""
    finer = "IQ3_S" if file_type in _TWO else "Q2_K"
    if role.name == "v":
        return "Q4_K" if shape.queries_per_kv >= 4 or shape.experts >= 4 else finer
    if role.name == "k" and shape.experts == 8:
        return "Q4_K"
    if role.name == "down" and role.layer < shape.layers // 8:
        return finer
    if role.name == "o":
        if shape.experts == 8:
            return "Q5_K"
        return {"IQ1_S": "IQ2_XXS", "IQ1_M": "IQ2_XXS"}.get(
            file_type, "IQ3_S" if file_type in _TWO else base
        )
    return base


def _values(file_type: str, base: str, role: Role, shape: Shape) -> str:
    grouped, layer = shape.queries_per_kv >= 4, role.layer
    kind = base
    if file_type == "Q2_K":
        kind = "Q4_K" if grouped else "Q3_K"
    elif file_type == "IQ3_XXS":
        # Files of three bits and fewer are made with an importance matrix.
        kind = "Q4_K" if grouped else base
    elif (file_type in ("Q2_K_S", "IQ3_XS", "IQ3_S") and grouped) or file_type == "IQ3_M":
        kind = "Q4_K"
    elif file_type == "Q3_K_M":
        kind = "Q5_K" if layer < 2 else "Q4_K"
    elif file_type == "Q3_K_L" or (file_type in ("IQ4_NL", "IQ4_XS") and grouped):
        kind = "Q5_K"
    elif file_type in ("Q4_K_M", "Q5_K_M") and raised(layer, shape.layers):
        kind = "Q6_K"
    elif file_type == "Q4_K_S" and layer < 4:
        kind = "Q5_K"
    if shape.is_70b and kind in ("Q3_K", "Q4_K"):
        kind = "Q5_K"
    return "Q8_0" if shape.experts == 8 else kind


def _down(file_type: str, base: str, role: Role, shape: Shape) -> str:
    layer, eighth = role.layer, shape.layers // 8
    if file_type == "Q2_K":
        return "Q3_K"
    if file_type == "Q2_K_S":
        return "Q4_K" if layer < eighth else base
    if file_type == "Q3_K_M":
        return "Q5_K" if layer < shape.layers // 16 else "Q4_K"
    if file_type == "Q3_K_L":
        return "Q5_K"
    if file_type == "IQ3_M":
        more = shape.experts == 8 and raised(layer, shape.layers)
        return "Q4_K" if layer < eighth or more else base
    if file_type in ("Q4_K_M", "Q5_K_M"):
        return "Q6_K" if raised(layer, shape.layers) else base
    if file_type in ("Q4_K_S", "IQ4_NL", "IQ4_XS") and layer < eighth:
        return "Q5_K"
    return base


def _attention_output(file_type: str, base: str, role: Role, shape: Shape) -> str:
    if shape.experts == 8:
        return "Q5_K" if file_type in _EIGHT_EXPERTS_OUTPUT else base
    raise_to = {"Q2_K": "Q3_K", "IQ3_XXS": "IQ3_S", "Q3_K_M": "Q4_K"}
    return (raise_to | {"Q3_K_L": "Q5_K", "IQ3_M": "Q4_K"}).get(file_type, base)

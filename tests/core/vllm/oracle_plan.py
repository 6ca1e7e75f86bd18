"""A second planner of vLLM's KV cache, written from the specification alone.

It shares no line with the program: slow, plain arithmetic over the vocabulary of the recorded
cases (``inputs``, ``shape``, ``engine_version``, ``hold_inputs``), answering with the keys that
the vocabulary calls exact.  Section numbers are those of the engine's specification.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import lcm

DTYPE_BYTES = {"bfloat16": 2, "float16": 2, "half": 2, "float32": 4, "float": 4}
RELEASES = ("0.8.5", "0.10.2", "0.11.2", "0.19.1", "0.33.0")
HEADED = ("full", "sliding", "chunked", "cross")


class Refused(Exception):
    """Start-up stops with this category."""

    def __init__(self, category: str, suggested: int | None = None) -> None:
        super().__init__(category)
        self.category = category
        self.suggested = suggested


@dataclass(frozen=True)
class Layer:
    """One layer's description: everything that makes two layers equal (index apart)."""

    kind: str
    block: int
    page: int
    shape: tuple = ()
    window: int | None = None
    chunk: int | None = None
    extra: int = 0


def up(a: int, b: int) -> int:
    return -(-a // b)


def at_least(version: str, floor: str) -> bool:
    return RELEASES.index(version) >= RELEASES.index(floor)


# --- 3.6, 4.1, 4.2: sizes ---------------------------------------------------------------------


def smallest_kernel(sizes: str) -> int:
    if sizes.startswith("mult"):
        return int(sizes[4:])
    return min(int(s) for s in sizes.split(","))


def accepts(sizes: str, block: int) -> bool:
    if sizes.startswith("mult"):
        return block % int(sizes[4:]) == 0
    return str(block) in sizes.split(",")


def default_block(kernels: list[str]) -> int:
    """16 if every backend takes it, else the smallest least common multiple that all take."""
    if all(accepts(sizes, 16) for sizes in kernels):
        return 16
    listed = [[int(s) for s in sizes.removeprefix("mult").split(",")] for sizes in kernels]
    common = {lcm(*chosen) for chosen in product(*listed)}
    fitting = [size for size in common if all(accepts(sizes, size) for sizes in kernels)]
    if not fitting:
        raise Refused("unsupported")
    return min(fitting)


def backends(case: dict) -> list[str]:
    return case.get("more", {}).get("kernels") or [case["inputs"]["kernel_block_sizes"]]


def even(n: int) -> int:
    return n + n % 2


def head_bytes(dtype: str, model: str, k: int, v: int) -> int:
    """Bytes of one token of one head (4.1)."""
    if dtype == "auto":
        return (k + v) * DTYPE_BYTES[model]
    if dtype in DTYPE_BYTES:
        return (k + v) * DTYPE_BYTES[dtype]
    if dtype in ("fp8_per_token_head", "int8_per_token_head"):
        return k + v + 8
    if dtype == "int4_per_token_head":
        return k // 2 + v // 2 + 8
    if dtype.startswith("nvfp4"):
        return 2 * (k // 2 + k // 16)
    if dtype.startswith("turboquant"):
        bits_k, bits_v = {"k8v4": (8, 4), "4bit": (4, 4), "k3v4": (3, 4), "3bit": (3, 3)}[
            dtype.removeprefix("turboquant_").removesuffix("_nc")
        ]
        keys = k if bits_k == 8 else up(k * bits_k, 8) + 2
        return even(keys + up(k * bits_v, 8) + 4)
    if dtype == "ultraquant_4bit":
        return k + 2 * k // 32
    return k + v  # fp8 and int8 with per-tensor scales


def token_bytes(kind: dict, inputs: dict, version: str, packed: bool = True) -> int:
    """Bytes of one token in one layer on one rank."""
    dtype, model = inputs["kv_dtype"], inputs["model_dtype"]
    if kind["type"] == "mla_index":
        return kind["index_dim"] + 4 * (kind["index_dim"] // 128)
    if kind["type"] == "mla":
        width = kind["latent"] + kind["rope"]
        if dtype in ("fp8_ds_mla", "nvfp4_ds_mla"):
            return (656 if dtype == "fp8_ds_mla" else 352) if packed else width
        if dtype == "int4_per_token_head":
            return width // 2 + 8
        if dtype.endswith("per_token_head"):
            return width + 8
        return head_bytes(dtype, model, width, 0)
    heads, k, v = head_shape(kind, inputs, version)
    return heads * head_bytes(dtype, model, k, v)


def head_shape(kind: dict, inputs: dict, version: str) -> tuple[int, int, int]:
    heads = max(1, kind["kv_heads"] // inputs["tensor_parallel"])
    k = kind["head_dim"]
    v = kind.get("head_dim_v", k) if at_least(version, "0.19.1") else k
    return heads, k, v


def state_tensors(kind: dict, inputs: dict, version: str) -> list[tuple[int, ...]]:
    tp, spec = inputs["tensor_parallel"], inputs["speculative_tokens"]
    family, conv = kind["family"], kind.get("conv", 1) - 1
    wider = {"mamba2": "0.19.1", "gated_delta": "0.11.2", "short_conv": "0.33.0", "kda": "0.8.5"}
    if family in wider and at_least(version, wider[family]):
        conv += spec
    if family == "mamba1":
        inner = kind["intermediate"] // tp
        return [(conv, inner), (inner, kind["state"])]
    if family == "mamba2":
        groups = tp if kind["groups"] < tp else up(kind["groups"], tp) * tp
        width = (kind["intermediate"] + 2 * groups * kind["state"]) // tp
        return [(conv, width), (kind["heads"] // tp, kind["head_dim"], kind["state"])]
    if family == "gated_delta":
        keys, values = kind["k_heads"] * kind["k_dim"], kind["v_heads"] * kind["v_dim"]
        state = (kind["v_heads"] // tp, kind["v_dim"], kind["k_dim"])
        return [(conv, (2 * keys + values) // tp), state]
    if family == "kda":
        wide = kind["heads"] * kind["head_dim"] // tp
        state = (kind["heads"] // tp, kind["head_dim"], kind["head_dim"])
        if at_least(version, "0.33.0"):
            return [(conv, 3 * wide), state]
        return [(conv, wide), (conv, wide), (conv, wide), state]
    if family == "linear":
        return [(kind["heads"] // tp, kind["head_dim"], kind["head_dim"])]
    return [(conv, kind["intermediate"] // tp)]


def state_shape(kind: dict, inputs: dict, shape: dict, version: str) -> tuple[int, tuple]:
    tensors = state_tensors(kind, inputs, version)
    dtypes = list(shape["state_dtypes"])
    if kind["family"] == "kda" and len(tensors) == 4 and len(dtypes) == 2:
        dtypes = [dtypes[0]] * 3 + [dtypes[1]]
    total = 0
    for tensor, dtype in zip(tensors, dtypes, strict=False):
        size = DTYPE_BYTES[dtype]
        for side in tensor:
            size *= side
        total += size
    return total, (kind["family"], tuple(tensors), tuple(dtypes))


def aligned_states(version: str, inputs: dict) -> bool:
    """Whether states are cached in align mode (3.4: the default is on from 0.33 only)."""
    if inputs["prefix_caching"] is None:
        return at_least(version, "0.33.0")
    return bool(inputs["prefix_caching"])


def resolve_block(names: list[str], case: dict) -> tuple[int, int | None]:
    """The engine's block size and the padded state page (3.6, 4.3)."""
    inputs, version, kinds = case["inputs"], case["engine_version"], case["shape"]["layer_kinds"]
    kernels, more = backends(case), case.get("more", {})
    block = inputs["block_size_flag"]
    present = [kinds[n] for n in names]
    states = [k for k in present if k["type"] == "state"]
    attention = [k for k in present if k["type"] in HEADED or k["type"] == "mla"]
    if block is None:
        asked = kernels if at_least(version, "0.33.0") else []
        if version == "0.19.1" and not states:
            asked = kernels[:1]
        block = default_block(asked)
    if states and version == "0.8.5":
        raise Refused("unsupported")
    if not states or not attention:
        return block, None
    first = attention[0]
    name = next(n for n in names if kinds[n] is first)
    seen = unquantised(inputs) if name in more.get("unquantised", []) else inputs
    a = token_bytes(first, seen, version, packed=False)
    s, _ = state_shape(states[0], inputs, case["shape"], version)
    least = smallest_kernel(kernels[0])
    if at_least(version, "0.33.0"):
        k = max(least, block, 128 if first["type"] == "mla" else 1)
        m = lcm(*map(smallest_kernel, kernels))
        if aligned_states(version, inputs):
            k = lcm(k, more.get("checkpoint_alignment", 1))
    else:
        k, m = (16 if first["type"] != "mla" else 128 if least == 128 else 64), 1
    b = k * up(s, k * a)
    b = m * up(b, m)
    block = max(block, b)
    return block, block * a


def own_sliding_block(sizes: str, block: int) -> int:
    """4.4: the largest kernel size whose page fits the budget, else the smallest."""
    if sizes.startswith("mult"):
        n = int(sizes[4:])
        return max(n, block // n * n)
    fitting = [int(s) for s in sizes.split(",") if int(s) <= block]
    return max(fitting) if fitting else smallest_kernel(sizes)


def unquantised(inputs: dict) -> dict:
    return {**inputs, "kv_dtype": "auto"}


def align_to_left(
    names: list[str], left: list[str], block: int, state_page: int, case: dict
) -> tuple[int, int]:
    """4.5: the block, and the page that quantised and unquantised layers then share."""
    inputs, version, kinds = case["inputs"], case["engine_version"], case["shape"]["layer_kinds"]
    attention = {n for n in names if kinds[n]["type"] in HEADED}
    if not left or not attention - set(left):
        return block, 0
    wide = max(token_bytes(kinds[n], unquantised(inputs), version) for n in left)
    narrow = max(token_bytes(kinds[n], inputs, version) for n in attention - set(left))
    if wide <= narrow:
        return block, 0
    least = smallest_kernel(backends(case)[0])
    g = max(least, block)
    block = g * up(max(wide * least, state_page), g * narrow)
    return block, block * narrow


def build_layers(case: dict) -> tuple[dict[int, Layer], int]:
    inputs, version, shape = case["inputs"], case["engine_version"], case["shape"]
    names = [name for name, count in shape["layers_rle"] for _ in range(count)]
    block, padded = resolve_block(names, case)
    left = case.get("more", {}).get("unquantised", [])
    block, shared_page = align_to_left(names, left, block, padded or 0, case)
    layers: dict[int, Layer] = {}
    for index, name in enumerate(names):
        kind = shape["layer_kinds"][name]
        if kind["type"] in ("none", "shared"):
            continue
        if kind["type"] == "state":
            page, about = state_shape(kind, inputs, shape, version)
            tokens = block if aligned_states(version, inputs) else inputs["max_model_len"]
            extra = kind.get("checkpoint_blocks", 0) if at_least(version, "0.33.0") else 0
            page = max(page, padded or 0)
            layers[index] = Layer("state", tokens, page, about, extra=extra)
            continue
        tokens = block
        each = token_bytes(kind, unquantised(inputs) if name in left else inputs, version)
        if shared_page and name in left:
            tokens = own_sliding_block(backends(case)[0], shared_page // each)
        elif kind["type"] == "sliding" and at_least(version, "0.33.0"):
            tokens = own_sliding_block(backends(case)[0], block)
        about: tuple = ("mla",)
        if kind["type"] in HEADED:
            about = head_shape(kind, inputs, version)
        elif kind["type"] == "mla":
            about = ("mla", kind["latent"] + kind["rope"])
        page = max(tokens * each, shared_page)
        about = (*about, name in left)
        layers[index] = Layer(
            kind["type"], tokens, page, about, kind.get("window"), kind.get("chunk")
        )
    return layers, block


# --- 4.6: blocks of one request ---------------------------------------------------------------


def in_flight(case: dict) -> int:
    inputs = case["inputs"]
    t, pp = inputs["max_batched_tokens"], inputs["pipeline_parallel"]
    if not at_least(case["engine_version"], "0.33.0"):
        return t
    if inputs["async_scheduling"] and inputs["second_generation_runner"]:
        return (pp + 1) * t
    if inputs["async_scheduling"] and pp == 1:
        return 2 * t
    return pp * t


def blocks_of(layer: Layer, length: int, case: dict) -> int:
    inputs, version = case["inputs"], case["engine_version"]
    if layer.kind in ("full", "mla", "mla_index"):
        return up(up(length, inputs["decode_context_parallel"]), layer.block)
    if layer.kind == "sliding":
        if inputs["decode_context_parallel"] > 1:
            raise Refused("unsupported")
        reach = layer.window - 1 + case.get("more", {}).get("lookahead", 0)
        return up(min(reach + in_flight(case), length), layer.block) + 1
    if layer.kind == "chunked":
        return up(min(layer.chunk + in_flight(case), length), layer.block)
    if layer.kind == "cross":
        return up(inputs["max_batched_tokens"], layer.block)
    if version == "0.10.2":
        return 1
    if version == "0.11.2":
        return up(length, layer.block)
    spec = inputs["speculative_tokens"]
    return (2 + spec + layer.extra) if aligned_states(version, inputs) else (1 + spec)


# --- 5: groups --------------------------------------------------------------------------------


@dataclass
class Group:
    layers: dict[int, Layer]
    mixed: bool = False

    def one(self) -> Layer:
        return next(iter(self.layers.values()))

    def bytes_on(self, stage: tuple[int, int]) -> int:
        return sum(x.page for i, x in self.layers.items() if stage[0] <= i < stage[1])

    def blocks(self, length: int, case: dict) -> int:
        return max(blocks_of(x, length, case) for x in self.layers.values())


def windowless(layer: Layer) -> Layer:
    return replace(layer, window=None, chunk=None) if layer.kind == "full" else layer


def all_equal(layers: list[Layer]) -> bool:
    return len({windowless(x) for x in layers}) == 1


def same_type(layers: list[Layer]) -> bool:
    """Rule 4's test: one type, one block size, and what that type asks for."""
    if len({x.block for x in layers}) > 1:
        return False
    kinds = {x.kind for x in layers}
    if kinds <= {"full", "mla", "mla_index"}:
        return True
    if len(kinds) > 1:
        return False
    if kinds == {"sliding"}:
        return len({x.window for x in layers}) == 1
    if kinds == {"chunked"}:
        return len({x.chunk for x in layers}) == 1
    if kinds == {"state"}:
        return len({(x.page, x.extra) for x in layers}) == 1
    return True


def promote(layers: dict[int, Layer], version: str) -> dict[int, Layer]:
    kinds = {x.kind for x in layers.values()}
    full = {"full", "mla", "mla_index"}
    if kinds & full and kinds & {"sliding", "chunked"}:
        blocks = {x.block for x in layers.values() if x.kind in full}
        out = {}
        for index, x in layers.items():
            if x.kind in ("sliding", "chunked"):
                block = blocks.copy().pop() if len(blocks) == 1 else x.block
                page = x.page // x.block * block
                x = replace(x, kind="full", block=block, page=page)
            out[index] = x
        layers = out
    values = list(layers.values())
    uniform = all_equal(values) or (at_least(version, "0.11.2") and same_type(values))
    windows = {x.window for x in values if x.kind == "full" and x.window is not None}
    chunks = {x.chunk for x in values if x.kind == "full" and x.chunk is not None}
    if len(windows) > 1 or len(chunks) > 1 or (windows and chunks):
        uniform = False
    if not uniform:
        raise Refused("unsupported")
    return layers

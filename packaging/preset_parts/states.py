"""Recurrent layers of the facts: their state before tensor parallelism, and their tensors.

State shapes follow `spec/engines/vllm.md` §4.2: the convolution keeps kernel - 1 columns of its
channels; the state's type is given only where the model decides it, not the engine.
"""

from __future__ import annotations

from preset_parts.tensors import Json, known_keys, matrix, plain

from workbench.spec.layers import RecurrentState, StateTensor
from workbench.spec.model import Tensor

STATE_OF_THE_CONFIG = ("nemotron_h", "qwen3_5")
"""Model types whose configuration names the type of the state."""


def _conv(channels: int, kernel: int) -> StateTensor:
    return StateTensor(name="conv", shape=(channels, kernel - 1), shard_axis=0)


def _state(geometry: Json, model_type: str, *shape: int) -> StateTensor:
    fixed = geometry["kind"] == "kda" or model_type.startswith(STATE_OF_THE_CONFIG)
    dtype = {"float32": "fp32"}[geometry["state_dtype"]] if fixed else None
    return StateTensor(name="state", shape=shape, dtype=dtype, shard_axis=0)


def state(geometry: Json, hidden: int, model_type: str) -> RecurrentState:
    """Return what a recurrent layer keeps for a request."""
    kind = geometry["kind"]
    if kind == "gdn":
        keys = geometry["num_k_heads"] * geometry["head_k_dim"]
        heads, size, key = (geometry[k] for k in ("num_v_heads", "head_v_dim", "head_k_dim"))
        kernel = geometry["conv_kernel"]
        channels = 2 * keys + heads * size
        shape = (heads, size, key)
        shapes = {"heads": heads, "head_dim": size, "state_size": key}
    elif kind == "kda":
        heads, size, kernel = (geometry[k] for k in ("num_heads", "head_dim", "conv_kernel"))
        channels, shape = 3 * heads * size, (heads, size, size)
        shapes = {"heads": heads, "head_dim": size, "state_size": size}
    elif kind == "mamba2":
        heads, size, kernel = (geometry[k] for k in ("num_heads", "head_dim", "d_conv"))
        channels = geometry["d_inner"] + 2 * geometry["n_groups"] * geometry["d_state"]
        shape = (heads, size, geometry["d_state"])
        shapes = {
            "heads": heads,
            "head_dim": size,
            "state_size": geometry["d_state"],
            "groups": geometry["n_groups"],
        }
    elif kind == "mamba1":
        channels, kernel = geometry["d_inner"], geometry["d_conv"]
        shape = (channels, geometry["d_state"])
        shapes = {"state_size": geometry["d_state"]}
    elif kind == "conv":
        kernel = geometry["l_cache"]
        return RecurrentState(variant="conv", tensors=(_conv(hidden, kernel),), conv_kernel=kernel)
    elif kind == "lightning":
        heads, size = geometry["num_heads"], geometry["head_dim"]
        return RecurrentState(
            variant="lightning",
            tensors=(_state(geometry, model_type, heads, size, size),),
            heads=heads,
            head_dim=size,
            state_size=size,
        )
    else:
        raise SystemExit(f"no builder knows the layer kind {kind}")
    return RecurrentState(
        variant=kind,
        tensors=(_conv(channels, kernel), _state(geometry, model_type, *shape)),
        conv_kernel=kernel,
        **shapes,
    )


def gdn_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of a gated delta rule (Qwen3-Next, Qwen3.5)."""
    known_keys(
        "gated delta rule",
        geometry,
        "kind num_k_heads num_v_heads head_k_dim head_v_dim conv_kernel state_dtype",
    )
    heads, size = geometry["num_v_heads"], geometry["head_v_dim"]
    keys, values = geometry["num_k_heads"] * geometry["head_k_dim"], heads * size
    return [
        matrix("linear_attn.in_proj_qkvz", 2 * keys + 2 * values, hidden, "column"),
        matrix("linear_attn.in_proj_ba", 2 * heads, hidden, "column"),
        plain("linear_attn.conv1d", 2 * keys + values, 1, geometry["conv_kernel"], shard="column"),
        plain("linear_attn.A_log", heads, shard="column"),
        plain("linear_attn.dt_bias", heads, shard="column"),
        plain("linear_attn.norm", size),
        matrix("linear_attn.out_proj", hidden, values, "row"),
    ]


def kda_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of Kimi delta attention; low-rank factors lead through one head."""
    known_keys(
        "Kimi delta attention",
        geometry,
        "kind num_heads head_dim conv_kernel state_dtype full_rank_gate full_rank_decay",
    )
    heads, head, kernel = (geometry[k] for k in ("num_heads", "head_dim", "conv_kernel"))
    width = heads * head
    tensors = []
    for part in "qkv":
        tensors.append(matrix(f"self_attn.{part}_proj", width, hidden, "column"))
        tensors.append(plain(f"self_attn.{part}_conv1d", width, 1, kernel, shard="column"))
    for part, full in (("f", "full_rank_decay"), ("g", "full_rank_gate")):
        if geometry.get(full):
            tensors.append(matrix(f"self_attn.{part}_proj", width, hidden, "column"))
        else:
            tensors.append(matrix(f"self_attn.{part}_a_proj", head, hidden))
            tensors.append(matrix(f"self_attn.{part}_b_proj", width, head, "column"))
    return [
        *tensors,
        matrix("self_attn.b_proj", heads, hidden, "column"),
        plain("self_attn.A_log", heads, shard="column"),
        plain("self_attn.dt_bias", width, shard="column"),
        plain("self_attn.o_norm", head),
        matrix("self_attn.o_proj", hidden, width, "row"),
    ]


def mamba2_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of Mamba-2; its B and C groups shard by a rule of their own."""
    known_keys(
        "Mamba-2",
        geometry,
        "kind d_inner n_groups d_state num_heads head_dim d_conv conv_bias norm state_dtype",
    )
    inner, heads = geometry["d_inner"], geometry["num_heads"]
    channels = inner + 2 * geometry["n_groups"] * geometry["d_state"]
    tensors = [
        matrix("mixer.in_proj", inner + channels + heads, hidden, "groups"),
        plain("mixer.conv1d", channels, 1, geometry["d_conv"], shard="groups"),
    ]
    if geometry.get("conv_bias", True):
        tensors.append(plain("mixer.conv1d.bias", channels, shard="groups"))
    tensors += [plain(f"mixer.{name}", heads, shard="column") for name in ("A_log", "D", "dt_bias")]
    if geometry.get("norm", True):
        tensors.append(plain("mixer.norm", inner, shard="column"))
    return [*tensors, matrix("mixer.out_proj", hidden, inner, "row")]


def mamba1_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of Mamba (Jamba norms dt, B and C)."""
    known_keys(
        "Mamba",
        geometry,
        "kind d_inner d_state d_conv dt_rank inner_layernorms conv_bias state_dtype",
    )
    inner, size, rank = (geometry[k] for k in ("d_inner", "d_state", "dt_rank"))
    tensors = [
        matrix("mixer.in_proj", 2 * inner, hidden, "column"),
        plain("mixer.conv1d", inner, 1, geometry["d_conv"], shard="column"),
    ]
    if geometry.get("conv_bias", True):
        tensors.append(plain("mixer.conv1d.bias", inner, shard="column"))
    tensors += [
        matrix("mixer.x_proj", rank + 2 * size, inner, "row"),
        matrix("mixer.dt_proj", inner, rank, "column"),
        plain("mixer.dt_proj.bias", inner, shard="column"),
        plain("mixer.A_log", inner, size, shard="column"),
        plain("mixer.D", inner, shard="column"),
    ]
    if geometry.get("inner_layernorms"):
        tensors += [
            plain("mixer.dt_layernorm", rank),
            plain("mixer.b_layernorm", size),
            plain("mixer.c_layernorm", size),
        ]
    return [*tensors, matrix("mixer.out_proj", hidden, inner, "row")]


def lightning_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of lightning attention (MiniMax-Text-01)."""
    known_keys("lightning attention", geometry, "kind num_heads head_dim state_dtype")
    width = geometry["num_heads"] * geometry["head_dim"]
    return [
        matrix("self_attn.qkv_proj", 3 * width, hidden, "column"),
        matrix("self_attn.output_gate", width, hidden, "column"),
        plain("self_attn.norm", width, shard="column"),
        matrix("self_attn.out_proj", hidden, width, "row"),
    ]


def conv_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of a short convolution (LFM2)."""
    known_keys("short convolution", geometry, "kind l_cache")
    return [
        matrix("conv.in_proj", 3 * hidden, hidden, "column"),
        plain("conv.conv", hidden, 1, geometry["l_cache"], shard="column"),
        matrix("conv.out_proj", hidden, hidden, "row"),
    ]

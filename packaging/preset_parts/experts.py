"""Feed-forward parts: dense, routed experts, shared experts, router."""

from __future__ import annotations

from preset_parts.tensors import Json, known_keys, matrix, plain

from workbench.spec.model import MixtureOfExperts, Tensor

_MOE = (
    "num_experts experts_per_token moe_intermediate_size num_shared_experts "
    "shared_expert_intermediate_size first_dense_layers moe_layers moe_layer_freq expert_input_size"
)


def dense_tensors(fact: Json, width: int) -> list[Tensor]:
    """Return a dense feed-forward part of `width` inner elements."""
    counting = fact["counting"]
    return _feed_forward(
        "mlp",
        fact["hidden_size"],
        width,
        gated=counting.get("mlp_gated", True),
        biased=counting.get("mlp_bias", False),
    )


def _feed_forward(
    name: str, hidden: int, width: int, *, gated: bool, biased: bool = False
) -> list[Tensor]:
    parts = ("gate_proj", "up_proj") if gated else ("up_proj",)
    tensors = [matrix(f"{name}.{part}", width, hidden, "column") for part in parts]
    tensors.append(matrix(f"{name}.down_proj", hidden, width, "row"))
    if biased:
        tensors += [plain(f"{name}.{part}.bias", width, shard="column") for part in parts]
        tensors.append(plain(f"{name}.down_proj.bias", hidden))
    return tensors


def expert_tensors(fact: Json, *, routed_by_table: bool = False) -> list[Tensor]:
    """Return router, routed experts and shared experts of one layer.

    `routed_by_table`: the layer picks experts by a table of tokens and has no router bias.
    """
    moe, counting, hidden = fact["moe"], fact["counting"], fact["hidden_size"]
    known_keys("experts", moe, _MOE)
    experts, inner = moe["num_experts"], moe["moe_intermediate_size"]
    width = moe.get("expert_input_size") or hidden
    gated = counting.get("moe_gated", counting.get("mlp_gated", True))
    tensors = [plain("mlp.gate", experts, hidden)]
    if counting.get("router_bias") and not routed_by_table:
        # A bias that only sorts the experts is kept in 32 bits; one that adds is an ordinary one.
        name = "bias" if counting.get("expert_bias") else "e_score_correction_bias"
        dtype = None if counting.get("expert_bias") else "fp32"
        tensors.append(plain(f"mlp.gate.{name}", experts, dtype=dtype))
    extra = counting.get("router_extra", 0)
    if extra:
        if extra != hidden + experts:
            raise SystemExit("experts: the router's extra parameters are not understood")
        tensors += [plain("mlp.gate.scale", hidden), plain("mlp.gate.per_expert_scale", experts)]
    parts = ("gate_proj", "up_proj") if gated else ("up_proj",)
    tensors += [
        matrix(f"mlp.experts.{part}", inner, width, "experts", copies=experts) for part in parts
    ]
    tensors.append(matrix("mlp.experts.down_proj", width, inner, "experts", copies=experts))
    if counting.get("expert_bias"):
        tensors += [
            plain(f"mlp.experts.{part}.bias", inner, shard="experts", copies=experts)
            for part in parts
        ]
        tensors.append(
            plain("mlp.experts.down_proj.bias", width, shard="experts_whole", copies=experts)
        )
    if moe.get("shared_expert_intermediate_size"):
        shared = moe["shared_expert_intermediate_size"]
        tensors += _feed_forward("mlp.shared_experts", hidden, shared, gated=gated)
        if counting.get("shared_gate"):
            tensors.append(plain("mlp.shared_expert_gate", 1, hidden))
    if moe.get("expert_input_size"):
        tensors += [
            matrix("mlp.fc1_latent_proj", width, hidden),
            matrix("mlp.fc2_latent_proj", hidden, width),
        ]
        if counting.get("latent_norm"):
            tensors.append(plain("mlp.latent_norm", width))
    return tensors


def shape_of(moe: Json) -> MixtureOfExperts:
    """Return the shape of the sparse layers."""
    return MixtureOfExperts(
        experts=moe["num_experts"],
        experts_per_token=moe["experts_per_token"],
        expert_intermediate_size=moe["moe_intermediate_size"],
        shared_experts=moe["num_shared_experts"],
        shared_intermediate_size=moe["shared_expert_intermediate_size"] or None,
        expert_input_size=moe.get("expert_input_size"),
    )

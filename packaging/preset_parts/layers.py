"""The decoder layers of a model, from the facts' codes to runs of equal layers."""

from __future__ import annotations

from typing import Any

from preset_parts import attention, experts, states
from preset_parts.tensors import Json, matrix, norms, plain

from workbench.spec.layers import Mixer, NoMixer, ParallelMixer
from workbench.spec.model import LayerRun, Tensor

STATE_TENSORS = {
    "gdn": states.gdn_tensors,
    "kda": states.kda_tensors,
    "mamba1": states.mamba1_tensors,
    "mamba2": states.mamba2_tensors,
    "lightning": states.lightning_tensors,
    "conv": states.conv_tensors,
}
ATTENTION_TENSORS = {
    "gqa": attention.grouped_tensors,
    "mla": attention.latent_tensors,
    "dsv4": attention.compressed_tensors,
}
SANDWICH = ("input", "post_attention", "pre_feedforward", "post_feedforward")
GLM_SANDWICH = ("input", "post_self_attn", "post_attention", "post_mlp")
POST_ONLY = ("olmo2", "olmo3", "exaone4")
"""Model types that norm what leaves a part, not what enters it."""


def runs(fact: Json) -> tuple[LayerRun, ...]:
    """Return the layers in order, equal neighbours as one run."""
    found: list[tuple[Any, int]] = []
    known: dict[Any, LayerRun] = {}
    for number, (code, ffn) in enumerate(zip(fact["layer_types"], fact["ffn_types"], strict=True)):
        width = _width(fact, number) if "dense" in ffn else None
        source = source_layer(fact, number)
        table = number < (fact.get("hash_layers") or 0)
        key = (code, ffn, width, source, table)
        if key not in known:
            known[key] = LayerRun(
                count=1,
                mixer=mixer_of(fact, code, source),
                ffn=ffn,
                intermediate_size=width if isinstance(fact["intermediate_size"], list) else None,
                tensors=tuple(_tensors(fact, code, ffn, width, routed_by_table=table)),
            )
        if found and found[-1][0] == key:
            found[-1] = (key, found[-1][1] + 1)
        else:
            found.append((key, 1))
    return tuple(known[key].with_(count=count) for key, count in found)


def _width(fact: Json, number: int) -> int:
    widths = fact["intermediate_size"]
    return int(widths[number] if isinstance(widths, list) else widths)


def source_layer(fact: Json, number: int) -> int | None:
    """Return the layer whose cache a layer reads, None for its own."""
    code = fact["layer_types"][number]
    geometry = fact["attn"][code]
    if not (geometry.get("shared_kv") or geometry.get("kv_reused")):
        return None
    rule = fact["kv_sharing"]
    if rule.get("share_factor") == 2:
        return number - 1
    return int(rule["source_layer"][code.removesuffix("_shared")])


def mixer_of(fact: Json, code: str, source: int | None = None) -> Mixer:
    """Return what a layer caches; an unknown kind stops with its name."""
    geometry = fact["attn"][code]
    kind = geometry["kind"]
    if kind == "none":
        return NoMixer()
    if kind == "gqa":
        tower = fact.get("vision") or {}
        encoder = tower.get("max_tiles", 0) * tower.get("tokens_per_tile", 0) or None
        return attention.grouped(geometry, source, encoder)
    if kind == "mla":
        return attention.latent(geometry)
    if kind == "dsv4":
        return attention.compressed(geometry)
    if kind == "parallel":
        attending, recurrent = geometry["branches"]
        return ParallelMixer(
            attention=attention.grouped(attending, None, None),
            state=states.state(recurrent, fact["hidden_size"], fact["model_type"]),
        )
    if kind in STATE_TENSORS:
        return states.state(geometry, fact["hidden_size"], fact["model_type"])
    raise SystemExit(f"{fact['id']}: no builder knows the layer kind {kind}")


def mixer_tensors(fact: Json, code: str) -> list[Tensor]:
    """Return the tensors of the part of a layer that mixes tokens."""
    geometry, hidden = fact["attn"][code], fact["hidden_size"]
    if geometry["kind"] == "none":
        return []
    makers = ATTENTION_TENSORS | STATE_TENSORS
    found: list[Tensor] = []
    for part in geometry.get("branches") or [geometry]:
        if part["kind"] not in makers:
            raise SystemExit(f"{fact['id']}: no builder knows the layer kind {part['kind']}")
        # The reader of a latent indexer that lets another layer choose has no tensor of its own.
        found += makers[part["kind"]](part, hidden)
    return found


def ffn_tensors(
    fact: Json, ffn: str, width: int | None, *, routed_by_table: bool = False
) -> list[Tensor]:
    """Return the tensors of the feed-forward part of a layer."""
    if ffn not in ("dense", "moe", "dense+moe", "none"):
        raise SystemExit(f"{fact['id']}: no builder knows the feed-forward kind {ffn}")
    found: list[Tensor] = []
    if "dense" in ffn and width is not None:
        found += experts.dense_tensors(fact, width)
    if "moe" in ffn:
        found += experts.expert_tensors(fact, routed_by_table=routed_by_table)
    return found


def _tensors(
    fact: Json, code: str, ffn: str, width: int | None, *, routed_by_table: bool
) -> list[Tensor]:
    names = _norm_names(fact, code, ffn)
    # Where a layer has a single norm it enters; two norms of "post" kind leave.
    first = 0 if fact["model_type"] in POST_ONLY else min(1, len(names))
    every = norms(names, fact["hidden_size"], fact["counting"].get("norm_bias", False))
    before, after = every[: first * _per_norm(fact)], every[first * _per_norm(fact) :]
    return [
        *before,
        *mixer_tensors(fact, code),
        *after,
        *ffn_tensors(fact, ffn, width, routed_by_table=routed_by_table),
        *_extras(fact),
    ]


def _per_norm(fact: Json) -> int:
    return 2 if fact["counting"].get("norm_bias") else 1


def _norm_names(fact: Json, code: str, ffn: str) -> list[str]:
    rule = fact["counting"].get("norms_per_layer", 2)
    if isinstance(rule, dict):
        rule = rule.get(f"{code}/{ffn}", rule.get(code, rule.get("*", 2)))
    if fact["model_type"] in POST_ONLY:
        names = ["post_attention", "post_feedforward"]
    elif rule == 1:
        names = ["post_attention" if code == "none" and ffn == "dense" else "input"]
    elif fact["model_type"] == "glm4":
        names = list(GLM_SANDWICH)
    else:
        names = list(SANDWICH)
    more = ["post_feedforward_layernorm_1", "pre_feedforward_layernorm_2"]
    every = [f"{name}_layernorm" for name in names]
    every += [*more, "post_feedforward_layernorm_2"]
    if fact["model_type"] == "nemotron_h":
        every = ["norm"]
    if rule > len(every):
        raise SystemExit(f"{fact['id']}: no builder knows {rule} norms in a layer")
    return every[:rule]


def _extras(fact: Json) -> list[Tensor]:
    """Return the tensors that the facts count as `extra_per_layer`, each by name."""
    extra = fact["counting"].get("extra_per_layer", 0)
    if not extra:
        return []
    kind, hidden = fact["model_type"], fact["hidden_size"]
    found: list[Tensor] = []
    if kind == "apertus":
        found = [plain("mlp.act_fn.alpha_p", 1), plain("mlp.act_fn.alpha_n", 1)]
    elif kind == "deepseek_v4":
        found = hyper_connections(hidden)
    elif kind.startswith(("gemma4", "gemma3n")):
        if fact.get("per_layer_embeddings"):
            inner = fact["per_layer_embeddings"]["dim"]
            found += [
                matrix("per_layer_input_gate", inner, hidden),
                matrix("per_layer_projection", hidden, inner),
                plain("post_per_layer_input_norm", hidden),
            ]
        if kind == "gemma3n":
            found += _laurel_and_altup(hidden)
        else:
            found.append(plain("layer_scalar", 1))
    total = sum(tensor.elements for tensor in found)
    if total != extra:
        raise SystemExit(f"{fact['id']}: {extra} extra parameters a layer, {total} understood")
    return found


def _laurel_and_altup(hidden: int) -> list[Tensor]:
    """The low-rank residual (rank 64) and the four streams of Gemma-3n."""
    rank, streams = 64, 4
    return [
        matrix("laurel.linear_left", rank, hidden),
        matrix("laurel.linear_right", hidden, rank),
        plain("laurel.post_laurel_norm", hidden),
        plain("altup.correction_coefs", streams, streams),
        plain("altup.correct_output_scale", hidden),
        plain("altup.modality_router", streams, hidden),
        plain("altup.prediction_coefs", streams**2, streams),
        plain("altup.router_norm", hidden),
    ]


def hyper_connections(hidden: int) -> list[Tensor]:
    """The mixing of four residual streams around both parts of a DeepSeek-V4 layer."""
    streams = 4
    mixes = (2 + streams) * streams
    return [
        tensor
        for part in ("attn", "ffn")
        for tensor in (
            plain(f"hc_{part}_fn", mixes, streams * hidden, dtype="fp32"),
            plain(f"hc_{part}_base", mixes, dtype="fp32"),
            plain(f"hc_{part}_scale", 3, dtype="fp32"),
        )
    ]


def hyper_head(hidden: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Names and shapes of what folds the four streams of DeepSeek-V4 into one."""
    streams = 4
    return (
        ("hc_head_fn", (streams, streams * hidden)),
        ("hc_head_base", (streams,)),
        ("hc_head_scale", (1,)),
    )

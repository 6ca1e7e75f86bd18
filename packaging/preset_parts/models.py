"""A model preset from its facts: identity, layers, tensors outside them, published figures."""

from __future__ import annotations

from collections import Counter

from preset_parts import experts, rope, towers
from preset_parts.doubts import doubts
from preset_parts.layers import ffn_tensors, hyper_connections, hyper_head, mixer_of, mixer_tensors
from preset_parts.layers import runs as layer_runs
from preset_parts.tensors import Json, known_keys, norms, outside, plain

from workbench.library.published import Published, Windowed
from workbench.spec.layers import FullAttention
from workbench.spec.model import Component, LayerRun, ModelSpec, StageTensor, Tensor

NOTE_000 = "Founding note 000: 32 layers, 8 KV heads, head size 128, 16-bit, no weights"
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
SHIPPED = {
    "fp8_block128": "fp8-block128",
    "fp8_block128 (UE8M0 scales)": "fp8-block128",
    "fp8": "fp8",
    "fp8 per-tensor static": "fp8",
    "fp8 per-tensor static (2 scalars per linear)": "fp8",
    "MXFP4 experts (block 32, E8M0 scale), rest BF16": "mxfp4",
    "int4 g32 (QAT, experts only), compressed-tensors": "ct-int4-g32",
    "int4 g32 (experts only), compressed-tensors": "ct-int4-g32",
    "experts FP4 (e2m1, block-32 scales), other linears FP8 block-128": "deepseek-v4-fp4",
}
"""Weight format of a published checkpoint, by the facts' words for it."""
SHIPPED_BESIDE_FACTS = {"moonshotai/Kimi-K3": "mxfp4"}
"""Read in the published configuration: MXFP4 experts; the facts leave it open."""
_COUNTING = (
    "norms_per_layer norm_bias embed_norm mlp_gated mlp_bias moe_gated shared_gate lm_head_bias "
    "position_embeddings router_bias router_extra expert_bias latent_norm extra_per_layer "
    "extra_params"
)
_DRAFT = "layers layer_type ffn norms own_embed own_head extra intermediate_size"


def lab() -> tuple[ModelSpec, Published]:
    """Return the model of founding note 000, which has no weights."""
    attention = FullAttention(heads=32, kv_heads=8, head_dim=128)
    spec = ModelSpec(
        id="ledger-lab",
        name="Ledger lab",
        family="Founding note",
        layers=(LayerRun(count=32, mixer=attention),),
        sources=(NOTE_000,),
        checked="128 KiB a token at 16 bits, as the note computes it",
    )
    return spec, Published(kv_elements_per_token=65_536)


def model(fact: Json) -> ModelSpec:
    """Return the preset of one record of models.json."""
    known_keys(fact["id"], fact["counting"], _COUNTING)
    name = fact["id"].partition("/")[2]
    params = fact["params"]
    widths = fact["intermediate_size"]
    if isinstance(widths, list):
        (widths, _), *_ = Counter(width for width in widths if width).most_common(1)
    extended = fact.get("max_position_extended") or {}
    shipped = fact.get("shipped_quant")
    return ModelSpec(
        id=name.lower(),
        name=name,
        hf_id=fact["id"],
        aliases=tuple(fact.get("aliases") or ()),
        family=fact["family"],
        architecture=fact["architecture"],
        license_note=fact["license"],
        hidden_size=fact["hidden_size"],
        intermediate_size=widths,
        vocab_size=fact["vocab_size"],
        max_position_tokens=fact["max_position_embeddings"],
        max_position_extended_tokens=extended.get("tokens"),
        rope_scaling=rope.scaling(fact),
        rope_theta=rope.theta(fact),
        rotary=rope.tables(fact),
        tied_embeddings=fact["tie_word_embeddings"],
        checkpoint_dtype=DTYPES[fact["dtype"]],
        shipped_format=SHIPPED_BESIDE_FACTS.get(fact["id"])
        if shipped is None
        else SHIPPED[shipped],
        layers=layer_runs(fact),
        tensors=tuple(_outside(fact)),
        moe=experts.shape_of(fact["moe"]) if fact.get("moe") else None,
        vision=towers.vision(fact),
        audio=towers.audio(fact),
        draft=draft(fact),
        published_parameters=params["published_total"],
        published_non_parameters=params["published_includes_non_params"] or None,
        sources=tuple(fact["sources"]),
        checked="; ".join(text for text in (fact["verified"], fact.get("notes")) if text),
        uncertain=tuple(doubts(fact)),
    )


def published(fact: Json) -> Published:
    """Return the figures that the facts record, against which the preset is held."""
    params, kv, checkpoint = fact["params"], fact["kv"], fact["checkpoint"] or {}
    elements = kv["full_context_elements_per_token"]
    if elements != int(elements):
        raise SystemExit(f"{fact['id']}: a part of an element a token")
    windowed = {
        kind: Windowed(elements_per_token=entry["elements_per_token"], tokens=entry["window"])
        for kind, entry in (kv["windowed"] or {}).items()
    }
    indexed = [entry for entry in kv.get("indexer_cache") or () if _is_added(entry)]
    return Published(
        parameters=params["published_total"],
        parameters_source=params["published_source"] or None,
        non_parameters=params["published_includes_non_params"] or None,
        parameters_difference=params["difference"] or None,
        counted_parameters=params["total"],
        text_parameters=params["text"],
        active_parameters=params["active_text"],
        draft_parameters=params["mtp"] or None,
        vision_parameters=params["vision"] or None,
        audio_parameters=params["audio"] or None,
        kv_elements_per_token=int(elements),
        kv_bytes_per_token_16bit=int(kv["bf16_bytes_per_token_full_context"]),
        windowed=windowed or None,
        state_elements_per_sequence=kv["state_elements_per_sequence"] or None,
        indexer_elements_per_token=sum(
            entry["layers"] * entry["elements_per_token_per_layer"] for entry in indexed
        )
        or None,
        indexer_bytes_per_token=sum(
            entry["layers"] * (entry["bytes_per_token_per_layer"] or 0) for entry in indexed
        )
        or None,
        checkpoint_bytes=checkpoint.get("bytes"),
        checkpoint_basis=checkpoint.get("basis"),
    )


def _is_added(entry: Json) -> bool:
    """Whether an indexer's keys come on top of the KV figure, as DeepSeek-V4's do not."""
    return not str(entry["note"]).startswith("already included")


def _outside(fact: Json) -> list[StageTensor]:
    """Return embeddings, final norm, head and what the facts count as `extra_params`."""
    counting, kind = fact["counting"], fact["model_type"]
    hidden, vocabulary = fact["hidden_size"], fact["vocab_size"]
    # Eight rows for image tokens stand in the embedding alone.
    rows = vocabulary + (8 if kind == "mllama" else 0)
    found = [outside("model.embed_tokens", rows, hidden, shard="vocab")]
    if counting.get("position_embeddings"):
        found.append(outside("model.embed_positions", counting["position_embeddings"], hidden))
    if counting.get("embed_norm"):
        found += _outside_norm("model.embed_layernorm", fact, "first")
    found += _outside_extras(fact)
    found += _outside_norm("model.norm", fact, "last")
    if not fact["tie_word_embeddings"]:
        found.append(outside("lm_head", vocabulary, hidden, shard="vocab", stage="last"))
    if counting.get("lm_head_bias"):
        found.append(outside("lm_head.bias", vocabulary, shard="vocab", stage="last"))
    return found


def _outside_norm(name: str, fact: Json, stage: str) -> list[StageTensor]:
    tensors = norms([name], fact["hidden_size"], fact["counting"].get("norm_bias", False))
    return [outside(tensor.name, *tensor.shape, stage=stage) for tensor in tensors]


def _outside_extras(fact: Json) -> list[StageTensor]:
    """Return the tensors behind `extra_params`; what the facts count must be met exactly."""
    extra = fact["counting"].get("extra_params", 0)
    kind, hidden = fact["model_type"], fact["hidden_size"]
    found: list[StageTensor] = []
    expected = extra
    if kind == "mllama":
        expected -= 8 * hidden  # stands in the embedding
    elif fact.get("per_layer_embeddings"):
        parts = fact["per_layer_embeddings"]
        width = parts["dim"] * fact["num_hidden_layers"]
        found = [
            outside("model.embed_tokens_per_layer", parts["vocab"], width, shard="vocab"),
            outside("model.per_layer_model_projection", width, hidden),
            outside("model.per_layer_projection_norm", parts["dim"]),
        ]
        if kind == "gemma3n":
            found += [
                outside("model.altup_projections", hidden, hidden, copies=3),
                outside("model.altup_unembed_projections", hidden, hidden, copies=3, stage="last"),
            ]
    elif kind == "deepseek_v4":
        # The facts take off the router biases of layers that pick experts by a table.
        expected += fact["hash_layers"] * fact["moe"]["num_experts"]
        found = [
            outside(f"model.{name}", *shape, stage="last", dtype="fp32")
            for name, shape in hyper_head(hidden)
        ]
    total = sum(tensor.elements for tensor in found)
    if total != expected:
        raise SystemExit(f"{fact['id']}: {expected} extra parameters, {total} understood")
    return found


def draft(fact: Json) -> Component | None:
    """Return the draft module (MTP): whole layers with their joining projection and norms."""
    part = fact.get("mtp")
    if not part or not part["layers"]:
        return None
    known_keys(f"{fact['id']}: draft", part, _DRAFT)
    hidden, vocabulary, code = fact["hidden_size"], fact["vocab_size"], part["layer_type"]
    names = ["enorm", "hnorm", "input_layernorm", "post_attention_layernorm", "shared_head.norm"]
    tensors: list[Tensor] = [
        plain("eh_proj", hidden, 2 * hidden),
        *norms(names[: part["norms"]], hidden, fact["counting"].get("norm_bias", False)),
        *mixer_tensors(fact, code),
        *ffn_tensors(
            fact, part["ffn"], part.get("intermediate_size") or _dense_width(fact, part["ffn"])
        ),
    ]
    if part.get("own_embed"):
        tensors.append(plain("embed_tokens", vocabulary, hidden, shard="vocab"))
    if part.get("own_head"):
        tensors.append(plain("shared_head.head", vocabulary, hidden, shard="vocab"))
    if part.get("extra"):
        tensors += hyper_connections(hidden)
        tensors += [plain(name, *shape, dtype="fp32") for name, shape in hyper_head(hidden)]
    run = LayerRun(
        count=part["layers"],
        mixer=mixer_of(fact, code),
        ffn=part["ffn"],
        intermediate_size=part.get("intermediate_size"),
        tensors=tuple(tensors),
    )
    return Component(name="mtp", layers=(run,))


def _dense_width(fact: Json, ffn: str) -> int | None:
    return int(fact["intermediate_size"]) if "dense" in ffn else None

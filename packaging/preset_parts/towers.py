"""Vision and audio towers, and draft (MTP) modules.

A tower whose make-up is known is listed tensor by tensor and must count what the facts count;
of the others only the total is known, and it stands as one flat tensor. vLLM shards most towers
like a transformer; those of Gemma-3n and Gemma-4 it takes from the transformers library, whole on
every rank. It quantises none by default.
"""

from __future__ import annotations

from preset_parts.tensors import Json, outside

from workbench.spec.model import Component, StageTensor


def vision(fact: Json) -> Component | None:
    """Return the vision tower with its projector."""
    tower = fact.get("vision")
    if not tower:
        return None
    makers = {
        "siglip": _siglip,
        "qwen2_5_vl": _qwen,
        "qwen3_vl": _qwen,
        "pixtral": _pixtral,
        "moonvit": _moonvit,
        "llama4": _llama4,
        "mllama": _mllama,
        "gemma4": _gemma4,
    }
    if tower["kind"] in makers and tower["hidden_size"]:
        tensors = makers[tower["kind"]](tower, fact["hidden_size"])
        total = sum(tensor.elements for tensor in tensors)
        if total != tower["params"]:
            raise SystemExit(f"{fact['id']}: vision tower of {total}, not {tower['params']}")
    else:
        tensors = [outside("vision.tower", tower["params"], shard=_shard(fact))]
    return Component(name=tower["kind"], tensors=tuple(tensors))


def is_flat(fact: Json) -> bool:
    """Whether only the total of the model's tower is known."""
    part = vision(fact)
    return part is not None and len(part.tensors) == 1


def audio(fact: Json) -> Component | None:
    """Return the audio tower, of which only the total is known."""
    tower = fact.get("audio")
    if not tower:
        return None
    tensor = outside("audio.tower", tower["params"], shard=_shard(fact))
    return Component(name="audio", tensors=(tensor,))


def _shard(fact: Json) -> str:
    return "replicated" if fact["model_type"].startswith(("gemma3n", "gemma4")) else "column"


def _linear(
    name: str, rows: int, columns: int, shard: str, copies: int, *, bias: bool
) -> list[StageTensor]:
    """Return a linear layer; the bias of a row-parallel one is whole on every rank."""
    tensors = [outside(name, rows, columns, shard=shard, copies=copies)]
    if bias:
        kept = "replicated" if shard == "row" else shard
        tensors.append(outside(f"{name}.bias", rows, shard=kept, copies=copies))
    return tensors


def _norm(name: str, width: int, copies: int, *, bias: bool) -> list[StageTensor]:
    tensors = [outside(name, width, copies=copies)]
    if bias:
        tensors.append(outside(f"{name}.bias", width, copies=copies))
    return tensors


def _blocks(
    tower: Json, *, gated: bool, bias: bool, norm_bias: bool, up_bias: bool | None = None
) -> list[StageTensor]:
    hidden, inner, layers = (tower[k] for k in ("hidden_size", "intermediate_size", "num_layers"))
    at = "vision.blocks"
    ups = ("gate_proj", "up_proj") if gated else ("up_proj",)
    fed = bias if up_bias is None else up_bias
    tensors = _linear(f"{at}.attn.qkv", 3 * hidden, hidden, "column", layers, bias=bias)
    tensors += _linear(f"{at}.attn.proj", hidden, hidden, "row", layers, bias=bias)
    for name in ups:
        tensors += _linear(f"{at}.mlp.{name}", inner, hidden, "column", layers, bias=fed)
    tensors += _linear(f"{at}.mlp.down_proj", hidden, inner, "row", layers, bias=fed)
    for name in ("norm1", "norm2"):
        tensors += _norm(f"{at}.{name}", hidden, layers, bias=norm_bias)
    return tensors


def _siglip(tower: Json, _: int) -> list[StageTensor]:
    hidden = tower["hidden_size"]
    return [
        *_linear("vision.patch_embed", hidden, tower["patch_dim"], "replicated", 1, bias=True),
        outside("vision.pos_embed", tower["positions"], hidden),
        *_blocks(tower, gated=False, bias=True, norm_bias=True),
        *_norm("vision.post_layernorm", hidden, 1, bias=True),
        outside("vision.projector", tower["projector_params"]),
    ]


def _pixtral(tower: Json, _: int) -> list[StageTensor]:
    hidden = tower["hidden_size"]
    return [
        outside("vision.patch_embed", hidden, tower["patch_dim"]),
        *_norm("vision.ln_pre", hidden, 1, bias=False),
        *_blocks(tower, gated=True, bias=False, norm_bias=False),
        outside("vision.projector", tower["projector_params"]),
    ]


def _qwen(tower: Json, _: int) -> list[StageTensor]:
    """Qwen2.5-VL: RMS norms and a gated part. Qwen3-VL: layer norms and learned positions."""
    hidden, out, newer = tower["hidden_size"], tower["out_hidden_size"], tower["kind"] == "qwen3_vl"
    merged = hidden * tower["spatial_merge_size"] ** 2
    tensors = _linear("vision.patch_embed", hidden, tower["patch_dim"], "replicated", 1, bias=newer)
    if newer:
        tensors.append(outside("vision.pos_embed", tower["positions"], hidden))
    tensors += _blocks(tower, gated=not newer, bias=True, norm_bias=newer)
    mergers = [("vision.merger", 1, hidden)]
    if tower.get("deepstack"):
        mergers.append(("vision.deepstack_merger", tower["deepstack"], merged))
    for name, copies, normed in mergers:
        tensors += _norm(f"{name}.norm", normed, copies, bias=newer)
        tensors += _linear(f"{name}.fc1", merged, merged, "column", copies, bias=True)
        tensors += _linear(f"{name}.fc2", out, merged, "row", copies, bias=True)
    return tensors


def _moonvit(tower: Json, text: int) -> list[StageTensor]:
    """Kimi-K2.5: learned positions on a grid of 64 × 64, four patches merged into one."""
    hidden = tower["hidden_size"]
    merged = 4 * hidden
    return [
        *_linear("vision.patch_embed", hidden, _patch(tower), "replicated", 1, bias=True),
        outside("vision.pos_embed", 64 * 64, hidden),
        *_blocks(tower, gated=False, bias=True, norm_bias=True),
        *_norm("vision.post_layernorm", hidden, 1, bias=True),
        *_norm("vision.projector.pre_norm", hidden, 1, bias=True),
        *_linear("vision.projector.fc1", merged, merged, "replicated", 1, bias=True),
        *_linear("vision.projector.fc2", text, merged, "replicated", 1, bias=True),
    ]


def _llama4(tower: Json, text: int) -> list[StageTensor]:
    """Llama-4: four patches shuffled into one, an adapter of 4096, then the projector."""
    hidden, adapter = tower["hidden_size"], 4_096
    patches = (tower["image_size"] // tower["patch_size"]) ** 2
    return [
        outside("vision.patch_embed", hidden, _patch(tower), shard="column"),
        outside("vision.class_embed", hidden),
        outside("vision.pos_embed", patches + 1, hidden),
        *_norm("vision.ln_pre", hidden, 1, bias=True),
        *_norm("vision.post_layernorm", hidden, 1, bias=True),
        *_blocks(tower, gated=False, bias=True, norm_bias=True),
        outside("vision.adapter.fc1", adapter, 4 * hidden, shard="column"),
        outside("vision.adapter.fc2", adapter, adapter, shard="row"),
        outside("vision.projector", text, adapter, shard="column"),
    ]


def _mllama(tower: Json, text: int) -> list[StageTensor]:
    """Llama-3.2-Vision: tiles with gated embeddings, global layers with two gates each."""
    hidden, heads = tower["hidden_size"], tower["num_global_layers"]
    tokens, tiles = tower["tokens_per_tile"], tower["max_tiles"]
    ratios = 9  # eight shapes of tiling, and none
    both = tower | {"num_layers": tower["num_layers"] + heads}
    return [
        outside("vision.patch_embed", hidden, _patch(tower), shard="column"),
        outside("vision.class_embed", hidden),
        outside("vision.pos_embed", tokens, hidden),
        outside("vision.pos_embed.gate", 1),
        outside("vision.pos_embed.tile", ratios, tiles * tokens * hidden),
        outside("vision.pre_tile_embed", ratios, tiles * hidden),
        outside("vision.pre_tile_embed.gate", 1),
        outside("vision.post_tile_embed", ratios, tiles * hidden),
        outside("vision.post_tile_embed.gate", 1),
        *_norm("vision.ln_pre", hidden, 1, bias=True),
        *_norm("vision.post_layernorm", hidden, 1, bias=True),
        *_blocks(both, gated=False, bias=False, norm_bias=True, up_bias=True),
        outside("vision.blocks.gates", 2, copies=heads),
        *_linear("vision.projector", text, 6 * hidden, "column", 1, bias=True),
    ]


def _gemma4(tower: Json, text: int) -> list[StageTensor]:
    """Gemma-4: four norms, heads normed, 10,240 positions an axis; the larger one rescales."""
    hidden, layers = tower["hidden_size"], tower["num_layers"]
    head = hidden // tower["num_heads"]
    tensors = [
        outside("vision.patch_embed", hidden, _patch(tower)),
        outside("vision.pos_embed", 2 * 10_240, hidden),
        *_blocks(tower, gated=True, bias=False, norm_bias=False),
        *_norm("vision.blocks.norm3", hidden, layers, bias=False),
        *_norm("vision.blocks.norm4", hidden, layers, bias=False),
        *_norm("vision.blocks.attn.q_norm", head, layers, bias=False),
        *_norm("vision.blocks.attn.k_norm", head, layers, bias=False),
        outside("vision.projector", text, hidden),
    ]
    if hidden == 1_152:
        tensors += [outside("vision.std_bias", hidden), outside("vision.std_scale", hidden)]
    return [tensor.with_(shard="replicated") for tensor in tensors]


def _patch(tower: Json) -> int:
    """Values of one patch in three colours."""
    return 3 * int(tower["patch_size"]) ** 2

"""Vision and audio towers, and draft (MTP) modules.

A tower whose make-up the facts describe is listed tensor by tensor; of the others only the
total is known, and it stands as one flat tensor. vLLM shards most towers like a transformer
and never quantises them by default.
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
    }
    if tower["kind"] in makers:
        tensors = makers[tower["kind"]](tower)
        total = sum(tensor.elements for tensor in tensors)
        if total != tower["params"]:
            raise SystemExit(f"{fact['id']}: vision tower of {total}, not {tower['params']}")
    else:
        tensors = [outside("vision.tower", tower["params"], shard="column")]
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
    return Component(
        name="audio", tensors=(outside("audio.tower", tower["params"], shard="column"),)
    )


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


def _blocks(tower: Json, *, gated: bool, bias: bool, norm_bias: bool) -> list[StageTensor]:
    hidden, inner, layers = (tower[k] for k in ("hidden_size", "intermediate_size", "num_layers"))
    at = "vision.blocks"
    ups = ("gate_proj", "up_proj") if gated else ("up_proj",)
    tensors = _linear(f"{at}.attn.qkv", 3 * hidden, hidden, "column", layers, bias=bias)
    tensors += _linear(f"{at}.attn.proj", hidden, hidden, "row", layers, bias=bias)
    for name in ups:
        tensors += _linear(f"{at}.mlp.{name}", inner, hidden, "column", layers, bias=bias)
    tensors += _linear(f"{at}.mlp.down_proj", hidden, inner, "row", layers, bias=bias)
    for name in ("norm1", "norm2"):
        tensors += _norm(f"{at}.{name}", hidden, layers, bias=norm_bias)
    return tensors


def _siglip(tower: Json) -> list[StageTensor]:
    hidden = tower["hidden_size"]
    return [
        *_linear("vision.patch_embed", hidden, tower["patch_dim"], "replicated", 1, bias=True),
        outside("vision.pos_embed", tower["positions"], hidden),
        *_blocks(tower, gated=False, bias=True, norm_bias=True),
        *_norm("vision.post_layernorm", hidden, 1, bias=True),
        outside("vision.projector", tower["projector_params"]),
    ]


def _pixtral(tower: Json) -> list[StageTensor]:
    hidden = tower["hidden_size"]
    return [
        outside("vision.patch_embed", hidden, tower["patch_dim"]),
        *_norm("vision.ln_pre", hidden, 1, bias=False),
        *_blocks(tower, gated=True, bias=False, norm_bias=False),
        outside("vision.projector", tower["projector_params"]),
    ]


def _qwen(tower: Json) -> list[StageTensor]:
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

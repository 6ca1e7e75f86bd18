"""Attention layers of the facts: what each caches, and its tensors with their sharding.

Names follow the published checkpoints. Shapes are (output, input). Sharding follows vLLM
(`spec/engines/vllm.md` §8.1): projections by head, latent down-projections on every rank.
"""

from __future__ import annotations

from preset_parts.tensors import Json, known_keys, matrix, plain

from workbench.spec.layers import (
    ChunkedAttention,
    CompressedAttention,
    CrossAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    SharedCache,
    SlidingAttention,
    SparseIndexer,
)
from workbench.spec.model import Tensor

_GROUPED = (
    "kind num_heads num_kv_heads head_dim v_head_dim window chunk qk_norm q_bias k_bias v_bias "
    "o_bias sinks gate k_eq_v shared_kv kv_reused cross mixer_extra indexer"
)
_LATENT = (
    "kind num_heads q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim "
    "indexer indexer_shared output_gate"
)
_COMPRESSED = (
    "kind num_heads num_kv_heads head_dim q_lora_rank o_lora_rank o_groups qk_rope_head_dim "
    "window kv_shared_k_eq_v compress_ratio indexer"
)


def grouped(geometry: Json, source_layer: int | None, encoder_tokens: int | None) -> Mixer:
    """Return what a grouped-query layer caches."""
    heads = {
        "heads": geometry["num_heads"],
        "kv_heads": geometry["num_kv_heads"],
        "head_dim": geometry["head_dim"],
        "v_head_dim": geometry.get("v_head_dim"),
    }
    window = geometry.get("window")
    if geometry.get("shared_kv") or geometry.get("kv_reused"):
        if source_layer is None:
            raise SystemExit("a layer reuses a cache, and the facts do not say whose")
        return SharedCache(**heads, source_layer=source_layer, window_tokens=window)
    heads["sinks"] = bool(geometry.get("sinks"))
    if geometry.get("k_eq_v"):
        heads["keys_projected_as_values"] = True
    if geometry.get("cross"):
        return CrossAttention(**heads, encoder_tokens=encoder_tokens)
    if geometry.get("chunk"):
        return ChunkedAttention(**heads, chunk_tokens=geometry["chunk"])
    if window:
        return SlidingAttention(**heads, window_tokens=window)
    indexer = geometry.get("indexer")
    if indexer:
        heads["indexer"] = SparseIndexer(heads=indexer["num_heads"], head_dim=indexer["head_dim"])
    return FullAttention(**heads)


def grouped_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the projections, biases, norms and sinks of a grouped-query layer."""
    known_keys("grouped attention", geometry, _GROUPED)
    heads, kv_heads, head = (geometry[k] for k in ("num_heads", "num_kv_heads", "head_dim"))
    value = geometry.get("v_head_dim") or head
    gate = geometry.get("gate")
    if gate not in (None, "q_double", "per_head"):
        raise SystemExit(f"grouped attention: no builder knows the gate {gate}")
    queries, keys, values = heads * head, kv_heads * head, kv_heads * value
    projected = queries * (2 if gate == "q_double" else 1)
    parts = [("q", projected, "q_heads")]
    if not geometry.get("shared_kv"):
        parts.append(("k", keys, "kv_heads"))
        if not geometry.get("k_eq_v"):
            parts.append(("v", values, "kv_heads"))
    tensors = [matrix(f"self_attn.{name}_proj", rows, hidden, shard) for name, rows, shard in parts]
    tensors.append(matrix("self_attn.o_proj", hidden, heads * value, "o_heads"))
    tensors += [
        plain(f"self_attn.{name}_proj.bias", rows, shard=shard)
        for name, rows, shard in parts
        if geometry.get(f"{name}_bias")
    ]
    if geometry.get("o_bias"):
        tensors.append(plain("self_attn.o_proj.bias", hidden))
    norm = geometry.get("qk_norm")
    if norm not in (None, "head", "full"):
        raise SystemExit(f"grouped attention: no builder knows the norm {norm}")
    if norm:
        tensors.append(plain("self_attn.q_norm", head if norm == "head" else queries))
        if not geometry.get("shared_kv"):
            tensors.append(plain("self_attn.k_norm", head if norm == "head" else keys))
    if geometry.get("sinks"):
        tensors.append(plain("self_attn.sinks", heads, shard="q_heads"))
    if gate == "per_head":
        tensors.append(matrix("self_attn.g_proj", heads, hidden, "q_heads"))
    if geometry.get("mixer_extra") == 2:
        tensors += [plain("cross_attn_attn_gate", 1), plain("cross_attn_mlp_gate", 1)]
    indexer = geometry.get("indexer")
    if indexer:
        known_keys(
            "block indexer",
            indexer,
            "num_heads head_dim k_heads norm_params block_size topk_blocks",
        )
        size = indexer["head_dim"]
        if indexer["norm_params"] != 2 * size:
            raise SystemExit("block indexer: its norms are not one for queries and one for keys")
        tensors += [
            matrix("self_attn.indexer.q_proj", indexer["num_heads"] * size, hidden),
            matrix("self_attn.indexer.k_proj", indexer["k_heads"] * size, hidden),
            plain("self_attn.indexer.q_norm", size),
            plain("self_attn.indexer.k_norm", size),
        ]
    return tensors


def latent(geometry: Json) -> LatentAttention:
    """Return what a latent (MLA) layer caches."""
    indexer = geometry.get("indexer")
    return LatentAttention(
        heads=geometry["num_heads"],
        kv_lora_rank=geometry["kv_lora_rank"],
        qk_rope_head_dim=geometry["qk_rope_head_dim"],
        qk_nope_head_dim=geometry["qk_nope_head_dim"],
        v_head_dim=geometry["v_head_dim"],
        q_lora_rank=geometry.get("q_lora_rank"),
        indexer=None
        if indexer is None
        else SparseIndexer(heads=indexer["num_heads"], head_dim=indexer["head_dim"]),
    )


def latent_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of a latent layer; what leads into the latent is on every rank."""
    known_keys("latent attention", geometry, _LATENT)
    heads, nope, rope, value, latent_size = (
        geometry[k]
        for k in (
            "num_heads",
            "qk_nope_head_dim",
            "qk_rope_head_dim",
            "v_head_dim",
            "kv_lora_rank",
        )
    )
    queries, rank = heads * (nope + rope), geometry.get("q_lora_rank")
    if rank:
        tensors = [
            matrix("self_attn.q_a_proj", rank, hidden),
            plain("self_attn.q_a_layernorm", rank),
            matrix("self_attn.q_b_proj", queries, rank, "q_heads"),
        ]
    else:
        tensors = [matrix("self_attn.q_proj", queries, hidden, "q_heads")]
    tensors += [
        matrix("self_attn.kv_a_proj_with_mqa", latent_size + rope, hidden),
        plain("self_attn.kv_a_layernorm", latent_size),
        matrix("self_attn.kv_b_proj", heads * (nope + value), latent_size, "q_heads"),
        matrix("self_attn.o_proj", hidden, heads * value, "o_heads"),
    ]
    gate = geometry.get("output_gate")
    if gate not in (None, "full", "per_head"):
        raise SystemExit(f"latent attention: no builder knows the gate {gate}")
    if gate:
        rows = heads * value if gate == "full" else heads
        tensors.append(matrix("self_attn.g_proj", rows, hidden, "q_heads"))
    indexer = geometry.get("indexer")
    if indexer:
        known_keys("indexer", indexer, "num_heads head_dim topk")
        tensors += _latent_indexer(indexer, rank, hidden)
        size = indexer["head_dim"]
        tensors += [
            matrix("self_attn.indexer.wk", size, hidden),
            plain("self_attn.indexer.k_norm", size),
            plain("self_attn.indexer.k_norm.bias", size),
        ]
    return tensors


def _latent_indexer(indexer: Json, rank: int, hidden: int) -> list[Tensor]:
    """The query side of an indexer, which every rank holds whole."""
    return [
        matrix("self_attn.indexer.wq_b", indexer["num_heads"] * indexer["head_dim"], rank),
        plain("self_attn.indexer.weights_proj", indexer["num_heads"], hidden),
    ]


def compressed(geometry: Json) -> CompressedAttention:
    """Return what a DeepSeek-V4 layer caches."""
    indexer = geometry.get("indexer")
    return CompressedAttention(
        heads=geometry["num_heads"],
        kv_heads=geometry["num_kv_heads"],
        head_dim=geometry["head_dim"],
        qk_rope_head_dim=geometry["qk_rope_head_dim"],
        window_tokens=geometry["window"],
        compress_ratio=geometry.get("compress_ratio"),
        indexer=None
        if indexer is None
        else SparseIndexer(heads=indexer["num_heads"], head_dim=indexer["head_dim"]),
    )


def compressed_tensors(geometry: Json, hidden: int) -> list[Tensor]:
    """Return the tensors of a DeepSeek-V4 layer: one vector is key and value."""
    known_keys("compressed attention", geometry, _COMPRESSED)
    heads, head, rank, out_rank, out_groups = (
        geometry[k] for k in ("num_heads", "head_dim", "q_lora_rank", "o_lora_rank", "o_groups")
    )
    tensors = [
        matrix("self_attn.q_a_proj", rank, hidden),
        plain("self_attn.q_a_layernorm", rank),
        matrix("self_attn.q_b_proj", heads * head, rank, "q_heads"),
        matrix("self_attn.kv_proj", head, hidden),
        plain("self_attn.kv_layernorm", head),
        matrix("self_attn.o_a_proj", out_groups * out_rank, heads * head // out_groups, "column"),
        matrix("self_attn.o_b_proj", hidden, out_groups * out_rank, "row"),
        plain("self_attn.sinks", heads, shard="q_heads", dtype="fp32"),
    ]
    ratio, indexer = geometry.get("compress_ratio"), geometry.get("indexer")
    if ratio:
        # Overlapping windows (with an indexer) need two streams of entries and gates each.
        streams = 2 if indexer else 1
        tensors += _compressor("self_attn.compressor", streams, head, ratio, hidden)
    if indexer:
        known_keys("indexer", indexer, "num_heads head_dim topk")
        size = indexer["head_dim"]
        tensors += _latent_indexer(indexer, rank, hidden)
        tensors += _compressor("self_attn.indexer.compressor", 2, size, ratio, hidden)
    return tensors


def _compressor(name: str, streams: int, size: int, ratio: int, hidden: int) -> list[Tensor]:
    return [
        plain(f"{name}.wkv", streams * size, hidden),
        plain(f"{name}.wgate", streams * size, hidden),
        plain(f"{name}.ape", ratio, streams * size),
        plain(f"{name}.norm", size),
    ]

"""Weight formats of the facts: what `quant.json` says in words, as members of `WeightFormat`.

Scale sizes are those an engine keeps. Checkpoints may store them smaller: compressed-tensors
ships scales a row in 16 bits and vLLM loads them into 32 (`ChannelQuantScaleParameter`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from preset_parts.engines_of import engines_of

from workbench.spec.weight_format import EXPERTS, Kernel, StoredAs, WeightFormat

Json = dict[str, Any]

EMBEDDINGS = ("*embed_tokens*", "lm_head")
VISION = "vision.*"
_ROUTER = ("mlp.gate", "mlp.gate.*")
_GATES = "*.in_proj_ba"
"""Gates of a gated delta rule, too narrow for blocks: Qwen3.5-27B-FP8 leaves them alone."""
_LINEAR = {
    "left_alone": ("lm_head", "*embed_tokens*", "*norm*", "*.bias", *_ROUTER, _GATES, VISION)
}
_TILES = {"tile_rows": 128, "tile_columns": 128}
_NF4_TABLES = 16 * 4 + 256 * 4 + 4
"""Two code tables and an offset in 32 bits that bitsandbytes keeps with each matrix."""
MXFP4_KERNELS = (
    # gpt-oss on H100: 13.47 and 64.38 GiB with the first, 65.97 with the second.
    Kernel(kernel="triton", column_multiple=256),
    Kernel(kernel="marlin", intermediate_multiple=128, hidden_multiple=256),
)
GPTQ_KERNELS = (
    # Hopper keeps the zero points of symmetric checkpoints; elsewhere they are dropped.
    Kernel(kernel="machete"),
    Kernel(kernel="marlin", drops_zeros=True),
)

STORAGE: dict[str, Json] = {
    "bf16": {"bits": 16, "aliases": ("bfloat16", "float16")},
    "fp32": {"bits": 32, "other_bits": 32, "aliases": ("float32",)},
    # Kept as it was first published: plans hold copies of it.
    "fp8_tensor": {"bits": 8, "tensor_scale_bytes": 4, "aliases": ("fp8_tensor",)},
    "fp8_channel": _LINEAR | {"bits": 8, "row_scale_bytes": 4, "aliases": ("w8a8-fp8",)},
    "fp8_block128": _LINEAR
    | _TILES
    | {"bits": 8, "tile_scale_bytes": 4, "aliases": ("fp8 (block)", "fp8_per_block")},
    "int8_w8a8": _LINEAR
    | {
        "bits": 8,
        "row_scale_bytes": 4,
        "aliases": ("w8a8", "quantized.w8a8", "compressed-tensors w8a8"),
    },
    "awq4_g128": _LINEAR
    | {
        "bits": 4,
        "group_elements": 128,
        "group_scale_bytes": 2,
        "group_zero_bits": 4,
        "aliases": ("awq", "awq int4"),
    },
    "gptq4_g128": _LINEAR
    | {
        "bits": 4,
        "group_elements": 128,
        "group_scale_bytes": 2,
        "group_zero_bits": 4,
        "column_index_bytes": 4,
        "kernels": GPTQ_KERNELS,
        "aliases": ("gptq", "auto_gptq", "gptq int4"),
    },
    "gptq8_g128": _LINEAR
    | {
        "bits": 8,
        "group_elements": 128,
        "group_scale_bytes": 2,
        "group_zero_bits": 8,
        "column_index_bytes": 4,
        "kernels": GPTQ_KERNELS,
        "aliases": ("gptq int8",),
    },
    "ct_w4a16_g128": _LINEAR
    | {
        "bits": 4,
        "group_elements": 128,
        "group_scale_bytes": 2,
        "tensor_scale_bytes": 16,
        "aliases": ("w4a16", "compressed-tensors w4a16"),
    },
    "ct_int4_g32": {
        "bits": 4,
        "group_elements": 32,
        "group_scale_bytes": 2,
        "tensor_scale_bytes": 8,
        "quantised_only": EXPERTS,
    },
    "mxfp4": {
        "bits": 4,
        "group_elements": 32,
        "group_scale_bytes": 1,
        "quantised_only": EXPERTS,
        "kernels": MXFP4_KERNELS,
    },
    "deepseek_v4_fp4": _LINEAR
    | _TILES
    | {
        "bits": 8,
        "tile_scale_bytes": 1,
        "mixture": (StoredAs(patterns=EXPERTS, bits=4, group_elements=32, group_scale_bytes=1),),
        "aliases": ("deepseek_v4_fp8",),
    },
    "nvfp4": _LINEAR
    | {
        "bits": 4,
        "group_elements": 16,
        "group_scale_bytes": 1,
        "tensor_scale_bytes": 8,
        "quantised_beside_experts": False,
        "aliases": ("modelopt nvfp4", "modelopt_nvfp4", "nvfp4 (marlin weight-only)"),
    },
    "mxfp8": _LINEAR
    | {"bits": 8, "group_elements": 32, "group_scale_bytes": 1, "aliases": ("modelopt_mxfp8",)},
    "bnb_nf4": _LINEAR
    | {
        "bits": 4,
        "group_elements": 64,
        "group_scale_bytes": 1,
        "outer_groups": 256,
        "outer_scale_bytes": 4,
        "tensor_scale_bytes": _NF4_TABLES,
        "aliases": ("bitsandbytes", "bnb-4bit"),
    },
    "bnb_int8": _LINEAR | {"bits": 8, "row_scale_bytes": 4, "aliases": ("load_in_8bit",)},
    "int8_wo": {
        "bits": 8,
        "row_scale_bytes": 4,
        "quantised_only": EXPERTS,
        "aliases": ("experts_int8",),
    },
    "fbgemm_fp8_405b": {
        "bits": 8,
        "row_scale_bytes": 4,
        "quantised_only": ("mlp.*_proj",),
        "approximate": True,
        "aliases": ("fbgemm_fp8",),
    },
} | {
    f"mlx{bits}_g64": {
        "bits": bits,
        "group_elements": 64,
        "group_scale_bytes": 4,
        "quantised_also": EMBEDDINGS,
        "left_alone": ("*norm*",),
    }
    for bits in (3, 4, 6, 8)
}
IDS = {"fp8_tensor": "fp8"}
INT8_WEIGHT_ONLY = _LINEAR | {
    "id": "int8-weight-only",
    "name": "INT8 weight only, all matrices",
    "aliases": ("int8_weight_only",),
    "bits": 8,
    "row_scale_bytes": 4,
}

GGUF_MIXTURES: dict[str, Json] = {
    "Q4_0": {"lm_head": ("Q6_K",)},
    "Q4_1": {"lm_head": ("Q6_K",)},
    "Q5_0": {"lm_head": ("Q6_K",)},
    "Q5_1": {"lm_head": ("Q6_K",)},
    "Q8_0": {},
    "Q6_K": {},
    "Q4_K_M": {"lm_head": ("Q6_K",), "*v_proj": ("Q6_K", "Q4_K"), "*down_proj": ("Q6_K", "Q4_K")},
    "Q5_K_M": {"lm_head": ("Q6_K",), "*v_proj": ("Q6_K", "Q5_K"), "*down_proj": ("Q6_K", "Q5_K")},
    "MXFP4_MOE": {"*.experts.*": ("MXFP4",)},
}
"""File types whose rule is simple: exceptions by tensor; two types share the layers evenly."""
_MAIN_TYPE = {"Q4_K_M": "Q4_K", "Q5_K_M": "Q5_K", "MXFP4_MOE": "Q8_0"}


def weight_formats(quant_facts: Json) -> list[WeightFormat]:
    """Return every weight format of the facts, GGUF file types last."""
    facts = {fact["id"]: fact for fact in quant_facts["weight_formats"]}
    unknown = sorted(facts.keys() ^ STORAGE.keys())
    if unknown:
        raise SystemExit(f"weight formats without a rule or a fact: {', '.join(unknown)}")
    found = [_format(fact) for fact in facts.values()]
    base = facts["int8_wo"]
    of_matrices = INT8_WEIGHT_ONLY | {"sources": _sources(base), "checked": base["verified"]}
    found.append(WeightFormat(**of_matrices))
    return found + gguf_formats(quant_facts["gguf"])


def _format(fact: Json) -> WeightFormat:
    storage = STORAGE[fact["id"]]
    preset_id = IDS.get(fact["id"], fact["id"].replace("_", "-"))
    names = (*fact["aliases"], *storage.get("aliases", ()))
    if preset_id != fact["id"] and fact["id"] not in names:
        names = (*names, fact["id"])
    remarks = tuple(fact["stays_16bit"]) if fact["id"] == "fp8_tensor" else ()
    return WeightFormat(
        **(
            {"left_alone": remarks}
            | storage
            | {
                "id": preset_id,
                "name": fact["name"],
                "aliases": tuple(dict.fromkeys(names)),
                "sources": _sources(fact),
                "engines": engines_of(fact["engines"]),
                "checked": "; ".join(t for t in (fact["verified"], fact["notes"]) if t),
            }
        )
    )


def _sources(fact: Json) -> tuple[str, ...]:
    return ("Engines: " + "; ".join(fact["engines"]),)


def gguf_formats(gguf: Json) -> list[WeightFormat]:
    """Return the file types of llama.cpp: block by block where the rule is simple, else averages.

    An average is the published size of Llama-3.1-8B over all its weights; other models differ,
    small ones with large vocabularies most.
    """
    blocks, types = gguf["block_types"], gguf["file_types_llama31_8b"]
    found = []
    for name in sorted(GGUF_MIXTURES.keys() | (types.keys() - {"F16"})):
        common = {
            "id": "gguf-" + name.lower().replace("_", "-"),
            "name": f"GGUF {name}",
            "aliases": (name,),
            "other_bits": 32,
            "left_alone": ("*norm*", "*.bias", *_ROUTER),
            "quantised_also": EMBEDDINGS,
            "approximate": True,
        }
        if name in GGUF_MIXTURES:
            main = _MAIN_TYPE.get(name, name)
            mixture = tuple(
                StoredAs(patterns=(pattern,), **_blocks(blocks, used))
                for pattern, used in GGUF_MIXTURES[name].items()
            )
            uniform = name in ("Q8_0", "Q6_K")
            storage = _blocks(blocks, (main,)) | {
                "mixture": mixture or None,
                "approximate": None if uniform else True,
            }
            checked = "block types exact; which tensor takes which type varies by model"
            sources = (gguf["block_types_source"],)
        else:
            bits = Fraction(repr(types[name]["bits_per_weight"]))
            # Ten thousandths of a bit: whole bytes of 10,000 elements would round them.
            exact = bits / 8
            storage = {
                "bits": round(bits) or 1,
                "block_elements": exact.denominator,
                "block_bytes": exact.numerator,
            }
            checked = "average of a mixture, read off one model; read the file's tensor table"
            sources = (gguf["file_types_source"],)
        found.append(WeightFormat(**(common | storage | {"sources": sources, "checked": checked})))
    return found


def _blocks(blocks: Json, used: tuple[str, ...]) -> Json:
    """Block types that share the layers evenly, as one block."""
    elements = max(blocks[name]["block"] for name in used)
    size = sum(blocks[name]["block_bytes"] * elements // blocks[name]["block"] for name in used)
    elements *= len(used)
    return {
        "bits": round(8 * size / elements),
        "block_elements": elements,
        "block_bytes": size,
    }

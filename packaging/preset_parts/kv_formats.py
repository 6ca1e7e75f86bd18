"""KV cache formats from the facts: every one whose bytes follow from head size and bits alone.

Names and aliases are those of vLLM's --kv-cache-dtype and llama.cpp's --cache-type-k. Formats
that keep a window of recent tokens in 16 bits (KIVI, transformers) and one whose layout is not
known (Octave) have no exact size a token and are left out.
"""

from __future__ import annotations

from typing import Any, Final

from preset_parts.engines_of import engines_of

from workbench.spec.kv_format import KvFormat

Json = dict[str, Any]

_PER_HEAD: Final[Json] = {"k_head_scale_bytes": 4, "v_head_scale_bytes": 4}
_TURBO: Final[Json] = {"v_head_scale_bytes": 4, "slot_multiple_bytes": 2, "edge_layers_left": 2}
_HEADS: Final[Json] = {"stores": "heads", "equal_head_sizes": True}


def _bits(k_bits: int, v_bits: int | None = None) -> Json:
    return {"k_bits": k_bits, "v_bits": k_bits if v_bits is None else v_bits}


def _grouped(bits: int, group_elements: int, group_scale_bytes: int) -> Json:
    scales = {"group_elements": group_elements, "group_scale_bytes": group_scale_bytes}
    return _bits(bits) | scales


_FORMATS: Final[tuple[tuple[str, Json], ...]] = (
    ("bf16", _bits(16) | {"aliases": ("bfloat16", "float16")}),
    ("fp32", _bits(32) | {"aliases": ("float32",)}),
    ("fp8", _bits(8) | {"layer_scale_bytes": 8}),
    ("fp8_per_token_head", _bits(8) | _PER_HEAD | {"aliases": ("fp8_per_token_head",)}),
    ("int8", _bits(8) | _PER_HEAD | {"aliases": ("int8_per_token_head",)}),
    ("int4", _bits(4) | _PER_HEAD | {"aliases": ("int4_per_token_head",)}),
    ("nvfp4", _grouped(4, 16, 1) | {"equal_head_sizes": True}),
    ("mxfp8", _grouped(8, 32, 1)),
    ("turboquant_k8v4", _bits(8, 4) | _TURBO | _HEADS),
    ("turboquant_4bit_nc", _bits(4) | _TURBO | _HEADS | {"k_head_scale_bytes": 2}),
    ("turboquant_k3v4_nc", _bits(3, 4) | _TURBO | _HEADS | {"k_head_scale_bytes": 2}),
    ("turboquant_3bit_nc", _bits(3) | _TURBO | _HEADS | {"k_head_scale_bytes": 2}),
    ("turboquant_lmdeploy", _bits(4, 2) | {"k_head_scale_bytes": 4, "v_head_scale_bytes": 2}),
    ("ultraquant_4bit", _grouped(4, 32, 1) | _HEADS),
    ("llamacpp_q8_0", _grouped(8, 32, 2) | {"aliases": ("q8_0",)}),
    ("llamacpp_q5_1", _grouped(5, 32, 4) | {"aliases": ("q5_1",)}),
    ("llamacpp_q5_0", _grouped(5, 32, 2) | {"aliases": ("q5_0",)}),
    ("llamacpp_q4_1", _grouped(4, 32, 4) | {"aliases": ("q4_1",)}),
    ("llamacpp_q4_0", _grouped(4, 32, 2) | {"aliases": ("q4_0",)}),
    ("llamacpp_iq4_nl", _grouped(4, 32, 2) | {"aliases": ("iq4_nl",)}),
    ("fp8_ds_mla", _bits(8) | {"stores": "latent", "latent_row_bytes": 656}),
    ("nvfp4_ds_mla", _bits(8) | {"stores": "latent", "latent_row_bytes": 352}),
    ("v4_fp8", _bits(8) | {"stores": "compressed", "compressed_row_bytes": 584}),
)
_OLDER: Final = frozenset(
    ("bf16", "fp8", "fp8_per_token_head", "int8", "int4", "nvfp4"),
)
"""Those that have been written without the fact's own id as a name."""


def kv_formats(quant_facts: Json) -> list[KvFormat]:
    """Return the KV formats of the file `facts/quant.json`."""
    facts = {fact["id"]: fact for fact in quant_facts["kv_formats"]}
    return [_format(facts[fact_id], more) for fact_id, more in _FORMATS]


def _engines(fact: Json) -> tuple[str, ...] | None:
    """The engines a fact lists; one that its notes say takes the same sizes takes the format."""
    listed = engines_of(fact["engines"])
    if listed is None or "SGLang fp4 uses the same sizes" not in (fact["notes"] or ""):
        return listed
    return tuple(dict.fromkeys((*listed, "sglang")))


def _format(fact: Json, more: Json) -> KvFormat:
    fact_id: str = fact["id"]
    preset_id = fact_id.replace("_", "-")
    named = () if fact_id in _OLDER or preset_id == fact_id else (fact_id,)
    said = (fact["verified"], fact.get("overhead"), fact["notes"])
    values = {
        "id": preset_id,
        "name": fact["name"],
        "sources": ("Engines: " + "; ".join(fact["engines"]),),
        "checked": "; ".join(text for text in said if text),
        "engines": _engines(fact),
    }
    aliases = (*fact["aliases"], *named, *more.get("aliases", ()))
    return KvFormat(**values | more | {"aliases": aliases})

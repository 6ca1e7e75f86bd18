"""Rotary positions: how they are stretched, and the tables an engine keeps for them.

The facts hold scaling for some models only. What stands here beside them is from published
configurations, remembered and marked uncertain in the preset where the facts do not confirm it.
"""

from __future__ import annotations

from preset_parts.tensors import Json

from workbench.spec.model import RopeScaling, RotaryTable

NO_ROTARY = {
    "gpt2": "learned positions",
    "opt": "learned positions",
    "gpt_bigcode": "learned positions",
    "bloom": "ALiBi",
    "mpt": "ALiBi",
    "jamba": "no positions",
    "nemotron_h": "no positions",
    "granitemoehybrid": "no positions",
    "kimi_linear": "no positions",
    "kimi_k3": "no positions",
}
"""Model types without a rotary table."""

PARTIAL = {
    "phi": 0.4,
    "gpt_neox": 0.25,
    "glm": 0.5,
    "glm4": 0.5,
    "glm4_moe": 0.5,
    "minimax_text_01": 0.5,
    "minimax_m2": 0.5,
    "minimax_m3": 0.5,
    "qwen3_next": 0.25,
    "qwen3_5": 0.25,
    "bailing_moe": 0.5,
    "mimo_v2_flash": 0.334,
}
"""Share of a head that rotates, by model type."""

MULTIMODAL = ("qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe")
LONG_ROPE = {
    "microsoft/Phi-3-mini-128k-instruct": 4_096,
    "microsoft/Phi-3-medium-128k-instruct": 4_096,
    "microsoft/Phi-3.5-mini-instruct": 4_096,
    "microsoft/Phi-3.5-MoE-instruct": 4_096,
    "microsoft/Phi-4-mini-instruct": 4_096,
}
"""Original positions of the long-rope models: the length an engine takes by itself."""
DYNAMIC = {"internlm2_5-7b-chat": 2.0, "internlm2_5-20b-chat": 2.5, "internlm3-8b-instruct": 6.0}
GEMMA3_LINEAR = ("google/gemma-3-4b-it", "google/gemma-3-12b-it", "google/gemma-3-27b-it")
LOCAL_AND_GLOBAL = (
    *("gemma3", "gemma3_text", "gemma3n", "gemma4", "gemma4_unified"),
    *("olmo3", "mimo_v2_flash", "step3p5", "step3p7"),
)
"""Sliding and full layers of these rotate at frequencies of their own."""
HALF_WHERE_FULL = ("step3p5", "step3p7")
"""Full layers rotate half a head, sliding ones the whole."""
CONFIRMED = ("qwen3_next", "minimax_m2", "minimax_m3", "mimo_v2_flash", "kimi_k3")
"""What stands above for these was read in a published configuration."""


def _name(fact: Json) -> str:
    return str(fact["id"]).partition("/")[2]


def scaling(fact: Json) -> RopeScaling | None:
    """Return the stretching that the published configuration switches on."""
    given = fact.get("rope_scaling") or {}
    kind = given.get("rope_type") or given.get("type")
    if kind not in (None, "default"):
        return RopeScaling(
            kind=kind,
            factor=float(given["factor"]),
            original_max_position_tokens=given.get("original_max_position_embeddings"),
        )
    if fact["id"] in GEMMA3_LINEAR:
        return RopeScaling(kind="linear", factor=8.0)
    if fact["id"] in LONG_ROPE:
        original = LONG_ROPE[fact["id"]]
        factor = fact["max_position_embeddings"] / original
        return RopeScaling(kind="longrope", factor=factor, original_max_position_tokens=original)
    if _name(fact) in DYNAMIC:
        return RopeScaling(kind="dynamic", factor=DYNAMIC[_name(fact)])
    return None


def theta(fact: Json) -> float | None:
    """Return the base frequency."""
    given = fact.get("rope_scaling") or {}
    found = fact.get("rope_theta") or given.get("rope_theta")
    return None if found is None else float(found)


def tables(fact: Json) -> tuple[RotaryTable, ...] | None:
    """Return the rotary tables; None where one row of a whole head a position is right."""
    kind = fact["model_type"]
    if kind in NO_ROTARY or fact["id"] == "baichuan-inc/Baichuan2-13B-Chat":
        return ()
    rows, stretched = fact["max_position_embeddings"], scaling(fact)
    full = 1.0
    if stretched is not None and stretched.kind in ("linear", "dynamic"):
        full = stretched.factor
    heads = _heads(fact)
    if kind in LOCAL_AND_GLOBAL:
        local, wide = _rotated(fact, heads["swa"]), _rotated(fact, heads.get("full", heads["swa"]))
        if kind in HALF_WHERE_FULL:
            wide //= 2
        return (
            RotaryTable(positions=rows, width=local, used_by="sliding"),
            RotaryTable(positions=int(rows * full), width=wide, used_by="full"),
        )
    (head,) = set(heads.values())
    rows = int(rows * full)
    if stretched is not None and stretched.kind == "longrope":
        rows += stretched.original_max_position_tokens or 0
    if kind in MULTIMODAL:
        rows *= 4
    width = _rotated(fact, head)
    if (rows, width) == (fact["max_position_embeddings"], head):
        return None
    return (RotaryTable(positions=rows, width=width),)


def _rotated(fact: Json, head: int) -> int:
    given = fact.get("rope_scaling") or {}
    # Gemma-4 rotates a quarter of its full heads, in a table of the whole head.
    share = given.get("partial_rotary_factor") or PARTIAL.get(fact["model_type"], 1.0)
    if fact["id"] == "microsoft/Phi-4-mini-instruct":
        share = 0.75
    # Rotation works on pairs.
    return int(head * share) // 2 * 2


def _heads(fact: Json) -> dict[str, int]:
    """Width of a rotated head by the code of the layer."""
    found = {}
    for code, geometry in fact["attn"].items():
        parts = geometry["branches"] if geometry["kind"] == "parallel" else [geometry]
        for part in parts:
            if part["kind"] in ("mla", "dsv4"):
                found[code] = part["qk_rope_head_dim"]
            elif part["kind"] == "gqa" and not part.get("cross"):
                found[code] = part["head_dim"]
    return found


def uncertain(fact: Json) -> list[str]:
    """Name what of the above the facts do not confirm."""
    notes = []
    kind, given = fact["model_type"], fact.get("rope_scaling") or {}
    unconfirmed = fact["id"] in LONG_ROPE or _name(fact) in DYNAMIC
    if unconfirmed:
        notes.append("rope_scaling: from the published configuration, not in the facts")
    if kind in CONFIRMED:
        return notes
    if (kind in PARTIAL or fact["id"].endswith("Phi-4-mini-instruct")) and (
        "partial_rotary_factor" not in given
    ):
        notes.append("rotary width: share of the head from the published configuration")
    if kind in HALF_WHERE_FULL or kind == "olmo3":
        notes.append("rotary tables: two, as engines build them; not in the facts")
    if kind in NO_ROTARY:
        notes.append(f"no rotary table ({NO_ROTARY[kind]}): from the published configuration")
    return notes

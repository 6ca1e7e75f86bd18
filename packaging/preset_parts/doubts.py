"""What is fitted, unconfirmed or known by its total only, by model."""

from __future__ import annotations

from preset_parts import rope, towers
from preset_parts.tensors import Json

WEAK_SPOTS = {
    "mistralai/Ministral-8B-Instruct-2410": "stored as full attention; published with windows",
    "LiquidAI/LFM2-2.6B": "order of convolution and attention layers: fitted or unconfirmed",
    "LiquidAI/LFM2-8B-A1B": "order of convolution and attention layers: fitted or unconfirmed",
    "ibm-granite/granite-4.0-h-small": "positions of the attention layers: unconfirmed",
    "ibm-granite/granite-4.0-h-tiny": "positions of the attention layers: unconfirmed",
    "ibm-granite/granite-4.0-h-micro": "positions of the attention layers: unconfirmed",
    "LGAI-EXAONE/K-EXAONE-236B-A23B": "window size: fitted or unconfirmed",
    "Qwen/Qwen3.8-2.4T-A95B": "heads of the gated delta layers: fitted or unconfirmed",
    "google/gemma-4-12B-it": "KV heads of the full layers: fitted or unconfirmed",
    "tencent/Tencent-Hunyuan-Large": "head size: fitted or unconfirmed",
}
"""The weak spots that the facts name themselves."""


def doubts(fact: Json) -> list[str]:
    """Return what a reader should not take as proven."""
    found = []
    if fact["id"] in WEAK_SPOTS:
        found.append(WEAK_SPOTS[fact["id"]])
    if any(
        geometry.get("window") or geometry.get("chunk")
        for geometry in fact["attn"].values()
        if geometry["kind"] == "gqa"
    ):
        found.append("window_tokens: no parameter count proves a window's size")
    if fact["params"]["published_total"] is None:
        found.append("parameters: no exact count is published")
    elif fact["params"]["difference"]:
        found.append(f"parameters: {fact['params']['difference']:+,} against the published count")
    if towers.is_flat(fact):
        found.append("vision: only its total is known; how it is sharded is a guess")
        note = (fact.get("vision") or {}).get("params_note")
        if note:
            found.append(f"vision: {note}")
    if fact.get("audio"):
        found.append("audio: only its total is known; how it is sharded is a guess")
    return [*found, *rope.uncertain(fact)]

"""Words of exported slides, by code."""

from __future__ import annotations

from collections.abc import Mapping

SLIDE_TITLES: Mapping[str, str] = {
    "plan": "Capacity plan",
    "bars": "Memory per GPU",
    "bars_page": "Memory per GPU, {number} of {count}",
    "compare": "Compared with {name}",
    "inputs": "Inputs that differ from {name}",
    "way": "From {before} to {after}",
    "models": "Models compared",
    "gpus": "GPUs compared",
    "assumptions": "What is assumed or fitted",
    "page": "{title} ({number})",
}

SLIDE_WORDS: Mapping[str, str] = {
    "base": "base",
    "answer": "answer",
    "better": "better",
    "worse": "worse",
    "field": "Field",
    "requests": "Most requests that fit",
    "memory": "Memory used per GPU",
    "figure": "{name}: {size} ({bytes} B), {evidence}: {formula}. Source: {source}",
    "left_out": "{count} more scenarios are compared in the workbook of this plan, not here.",
    "limit": "limit {size}",
}

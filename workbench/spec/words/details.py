"""Details of a source that are words of ours; all others are names and stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.spec.words.sglang import SGLANG_NOTES

_KINDS: Final[Mapping[str, str]] = {
    "full": "full attention",
    "sliding": "sliding window",
    "chunked": "chunked attention",
    "latent": "latent attention",
    "state": "recurrent state",
    "shared": "shared cache",
    "cross": "cross attention",
    "compressed": "compressed attention",
    "parallel": "attention and state",
    "none": "none",
    "index": "indexer",
}
_NOTES: Final = (
    "extrapolated from 0.19",
    "extrapolated from 0.31 alone",
    "from releases 0.7 and after",
    "from releases 0.8 and after",
    "from releases 0.11 and after",
    "from releases 0.18 and after",
    "from releases 0.20 and after",
    "V0 with TP 2, 0.30 to 3.58 GiB (vllm.md §10)",
    "read in 0.33.0, vllm.md §9.3",
    "as vLLM's logs of the same cards show",
    "one layer's intermediates",
    *SGLANG_NOTES,
)
"""Notes of fitted figures, as the file of them has them."""

DETAILS: Final[Mapping[tuple[str, str], str]] = {
    **{("layers", kind): text for kind, text in _KINDS.items()},
    **{("rule_of_thumb", note): note for note in _NOTES},
    ("lengths", "mean"): "mean",
    ("lengths", "max"): "longest",
    ("lengths", "p50"): "P50",
    ("lengths", "p95"): "P95",
    ("lengths", "p99"): "P99",
}
"""Code and detail of a source -> the words of the detail."""

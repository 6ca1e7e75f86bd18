"""What sets the engines apart, in a sentence each."""

from __future__ import annotations

from collections.abc import Mapping

ENGINE_RULES: Mapping[str, str] = {
    "plain": "The whole card less weights and the two reserves is the pool, in whole blocks.",
    "vllm": "A share of the card's total less weights, activations, what runs beside them, and "
    "where the release charges it an estimate of the graphs, is the pool.",
    "sglang": "What is free after the weights, less a share of what was free before them, is the "
    "pool; activations, graphs and tables have to fit in that share.",
    "trtllm": "A fraction of what weights and activations leave free is the pool; the rest stays "
    "free. A request starts only when its longest answer has a place.",
    "llamacpp": "The slots have the cells of their whole context from the start, each its own or "
    "all in one pool; what is left of the card serves nobody.",
    "lmdeploy": "A fraction of what is free after the weights alone is the pool; activations "
    "have to fit in the rest.",
}

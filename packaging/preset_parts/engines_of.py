"""Which engines take a number format, from the prose of the facts."""

from __future__ import annotations

_KINDS = {
    "vLLM": "vllm",
    "SGLang": "sglang",
    "TensorRT-LLM": "tensorrt-llm",
    "LMDeploy": "lmdeploy",
    "llama.cpp": "llama.cpp",
    "Ollama": "llama.cpp",
    "LM Studio": "llama.cpp",
}


def engines_of(texts: list[str]) -> tuple[str, ...] | None:
    """Return the kinds of engines named; None for all, or where none of them is known here."""
    if any(text.startswith("all") for text in texts):
        return None
    found = [kind for text in texts for name, kind in _KINDS.items() if text.startswith(name)]
    return tuple(dict.fromkeys(found)) or ("other",)

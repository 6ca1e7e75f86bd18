"""TensorRT-LLM's block arithmetic: whole numbers in, whole numbers out.

    tokens = min(⌊primary bytes ÷ bytes per token⌋, max tokens)
    blocks = ⌈tokens ÷ tokens per block⌉
Source: TensorRT-LLM (mid-2025) `batch_manager/kvCacheManager.cpp`, calculateMaxNumBlocks, as
tensorrt-llm.md §3 and §5 restate it; exact on six start-up logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil


def primary_bytes(free_bytes: int, fraction: float) -> int:
    """Bytes of the pool: what is free × the fraction, cut to whole bytes.

    The product is a float in the engine too.
    """
    return int(max(0, free_bytes) * fraction)


def pool_blocks(
    size_bytes: int, bytes_per_token: int, block_tokens: int, max_tokens: int | None = None
) -> int:
    """Blocks of a pool of one window: the last one may exceed the pool's bytes."""
    tokens = size_bytes // bytes_per_token
    if max_tokens is not None:
        tokens = min(tokens, max_tokens)
    return -(-tokens // block_tokens)


def secondary_blocks(host_bytes: int, bytes_per_token: int, block_tokens: int) -> int:
    """Blocks of the host cache: whole ones only."""
    return host_bytes // bytes_per_token // block_tokens


def window_blocks(size_bytes: int, windows: Mapping[int, int], block_tokens: int) -> dict[int, int]:
    """Blocks of the pool of each window; `windows` gives its bytes per token.

    A window's share is proportional to window × bytes per token, so that every pool is full
    after the same number of requests that fill all windows.
    """
    weights = {window: window * size for window, size in windows.items()}
    total = sum(weights.values())
    return {
        window: pool_blocks(size_bytes * weights[window] // total, size, block_tokens)
        for window, size in windows.items()
    }


def proportional_bytes(windows: Mapping[int, int], block_tokens: int) -> int:
    """Bytes of a block of the widest window with its part of every other pool, rounded up."""
    widest = max(windows)
    weights = sum(window * size for window, size in windows.items())
    return ceil(Fraction(block_tokens * weights, widest))


def request_blocks(
    kept_tokens: int,
    window: int,
    block_tokens: int,
    *,
    sink_tokens: int = 0,
    beams: int = 1,
    output_tokens: int = 0,
) -> int:
    """Blocks of one request in a pool of a window.

    Sink tokens are padded to whole blocks. Beams share the blocks of the context and keep those
    of the output apart.
    """
    bubble = -sink_tokens % block_tokens
    blocks = -(-(min(kept_tokens, window) + bubble) // block_tokens)
    if beams == 1:
        return blocks
    context = max(0, kept_tokens - output_tokens)
    of_context = -(-(min(context, window) + bubble) // block_tokens)
    return of_context + beams * (blocks - of_context)


def longest_sequence(blocks: int, block_tokens: int, beams: int = 1) -> int:
    """Longest window that a pool can hold for one sequence: a longer one is cut to it."""
    return blocks // beams * block_tokens


def temporary_tokens(
    batch_tokens: int,
    sequence_tokens: int,
    block_tokens: int,
    *,
    draft_tokens: int = 0,
    attention_ranks: int = 1,
    beams: int = 1,
) -> int:
    """Tokens of the temporary pool that the PyTorch backend profiles with.

    Dummy prompts fill a step; each keeps one generated token, one more for the overlapped
    scheduler and the draft's twice, in whole blocks. Source: TensorRT-LLM about 1.0,
    `pyexecutor/_util.py:_get_token_num_for_estimation`.
    """
    each = max(1, min(batch_tokens, sequence_tokens - 1))
    extra = 2 + 2 * draft_tokens
    whole, rest = divmod(batch_tokens, each)
    blocks = whole * -(-(each + extra) // block_tokens)
    if rest:
        blocks += -(-(rest + extra) // block_tokens)
    return attention_ranks * blocks * block_tokens * beams

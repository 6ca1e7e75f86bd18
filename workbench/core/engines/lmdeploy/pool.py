"""LMDeploy's pool, in bytes and whole blocks.

    TurboMind  blocks = ⌊⌊free × share⌋ ÷ bytes of a block⌋
    PyTorch    blocks = ⌊⌊(free − reserve) × share⌋ ÷ bytes of a block⌋
               reserve = (prefill tokens + 2 × requests at once) × vocabulary × 2 bytes
The PyTorch engine halves its prefill tokens until 16 blocks fit, and refuses two blocks or fewer.
All ranks take the least. Source: LMDeploy at 1263d5cd (2026-08) `src/turbomind/turbomind.cc`,
`lmdeploy/pytorch/engine/executor/base.py`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_LEAST_BLOCKS: Final = 16
_TOO_FEW_BLOCKS: Final = 2
_LOGIT_BYTES: Final = 2


class Reserve(NamedTuple):
    """What the PyTorch engine keeps for a step, and the prefill tokens that it settles on."""

    bytes: int
    prefill_tokens: int


def pool_blocks(free_bytes: int, share: float, block_bytes: int) -> int:
    """Blocks in a share of what is free; the product is a float in the engine too."""
    return int(max(0, free_bytes) * share) // block_bytes


def runtime_reserve(
    free_bytes: int,
    share: float,
    block_bytes: int,
    *,
    prefill_tokens: int,
    sequences: int,
    vocab_size: int,
) -> Reserve | None:
    """Reserve of the PyTorch engine; None where it finds too little memory for the cache."""
    while prefill_tokens > 0:
        reserve = (prefill_tokens + 2 * sequences) * vocab_size * _LOGIT_BYTES
        blocks = pool_blocks(free_bytes - reserve, share, block_bytes)
        if blocks <= _TOO_FEW_BLOCKS:
            return None
        if blocks >= _LEAST_BLOCKS:
            return Reserve(reserve, prefill_tokens)
        prefill_tokens //= 2
    return None

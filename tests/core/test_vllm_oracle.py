"""A second opinion on blocks: whole token tables built slot by slot, for three kinds of model.

Written from the engine's rules alone. Instead of the closed forms of the planner it walks a
request through the engine token by token, marks the slots that each layer must keep, and counts
the blocks those slots lie in.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.core.vllm_scenarios import flagged, lasting, start
from workbench.core.budget import budget
from workbench.spec.scenario import Scenario

GEMMA, WINDOW = "gemma-3-27b-it", 1024
FULL_LAYERS, SLIDING_LAYERS, TOKEN_BYTES = 10, 52, 16 * 2 * 128 * 2
QWEN_BLOCK, QWEN_PAGE = 544, 544 * 1024


def kept_slots(tokens: int, window: int | None) -> set[int]:
    """Slots of a request of `tokens` tokens after its last step: the last token's query needs the
    window that ends with it; blocks before it are given back.
    """
    if window is None:
        return set(range(tokens))
    last = tokens - 1
    return {slot for slot in range(tokens) if slot > last - window}


def blocks_of_slots(slots: set[int], block: int) -> int:
    return len({slot // block for slot in slots})


def most_at_once(blocks: int, resting: int, peak: int) -> int:
    """Admit requests one by one: all rest but one, which holds its peak while it is computed."""
    free, requests = blocks - 1, 0  # one block is withheld
    while free >= peak:
        free -= resting
        requests += 1
    return requests


def peak_blocks(tokens: int, block: int, window: int | None, in_flight: int) -> int:
    """The most blocks of a request: its window, and what is in flight beyond it."""
    if window is None:
        return blocks_of_slots(set(range(tokens)), block)
    reach = min(window - 1 + in_flight, tokens)
    # The window may begin inside a block, so one more can be touched.
    return blocks_of_slots(set(range(reach)), block) + 1


def answer(scenario: Scenario) -> tuple[int, int, int]:
    """Blocks in all, blocks of a resting request, requests held at once."""
    ledger = budget(scenario)
    assert ledger.pool is not None
    assert ledger.request is not None
    assert ledger.capacity.steady_state is not None
    return ledger.pool.blocks, ledger.request.blocks, ledger.capacity.steady_state.max


def lengths(seed: int, *edges: int) -> list[int]:
    pick = Random(seed)
    near = [edge + step for edge in edges for step in (-1, 0, 1)]
    return sorted({n for n in (1, *near, *(pick.randint(1, 6000) for _ in range(8))) if n > 0})


@pytest.mark.parametrize("size", [2**30, 5 * 2**30 + 12_345])
def test_dense(size: int) -> None:
    """Llama-3.1-8B: every layer keeps every token; blocks of 16 · 32 · 4,096 B."""
    base = start(kv_cache_memory_bytes=size, max_model_len=6001)
    total = size // (16 * 32 * 8 * 256 * 2)
    for tokens in lengths(1, 16, 32, 4096, 6000):
        resting = blocks_of_slots(kept_slots(tokens, None), 16)
        expected = (total, resting, most_at_once(total, resting, resting))
        assert answer(lasting(base, tokens)) == expected, tokens


@pytest.mark.parametrize("batch", [512, 2048, 8192])
def test_windows(batch: int) -> None:
    """Gemma-3-27B: 52 sliding layers in 6 groups beside 10 full ones, two batches in flight."""
    size = 11 * 2**30
    base = start(GEMMA, "h200", kv_cache_memory_bytes=size, max_num_batched_tokens=batch)
    base = flagged(base, max_model_len=6001, max_num_seqs=256)
    total = size // (FULL_LAYERS * 16 * TOKEN_BYTES)
    groups = -(-SLIDING_LAYERS // FULL_LAYERS)
    for tokens in lengths(2, 16, WINDOW, 2 * WINDOW, WINDOW + 16, 6000):
        resting = peak = 0
        for window in [WINDOW] * groups + [None]:
            kept = blocks_of_slots(kept_slots(tokens, window), 16)
            most = peak_blocks(tokens, 16, window, 2 * batch)
            resting, peak = resting + min(kept, most), peak + most
        expected = (total, resting, most_at_once(total, resting, peak))
        assert answer(lasting(base, tokens)) == expected, (batch, tokens)


@pytest.mark.parametrize("caching", [False, True])
def test_states(caching: bool) -> None:
    """Qwen3-Next at tp 2: 36 states in 3 groups beside 12 full layers, one block a state or two."""
    size = 9 * 2**30
    base = start("qwen3-next-80b-a3b-instruct", "b200", deployment={"tp": 2})
    base = flagged(
        base,
        kv_cache_memory_bytes=size,
        enable_prefix_caching=caching,
        max_num_seqs=64,
        max_model_len=6001,
    )
    total = size // (12 * QWEN_PAGE)
    for tokens in lengths(3, QWEN_BLOCK, 2 * QWEN_BLOCK, 10 * QWEN_BLOCK, 6000):
        states = 3 * (2 if caching else 1)
        resting = states + blocks_of_slots(kept_slots(tokens, None), QWEN_BLOCK)
        expected = (total, resting, most_at_once(total, resting, resting))
        assert answer(lasting(base, tokens)) == expected, tokens

"""What torch's caching allocator adds to the sizes that are asked of it.

Source: PyTorch `c10/cuda/CUDACachingAllocator.cpp` (2.4 to 2.9), as vllm.md §8.2 restates it:
sizes are rounded to 512 B; above 1 MiB a block comes from the smallest free block that holds it,
else from a new segment of 20 MiB, or from 10 MiB on of the size rounded up to 2 MiB; what is left
of a block is split off only when it exceeds 1 MiB, and counts as allocated otherwise.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from workbench.spec.units import MIB

GRAIN_BYTES = 512
SMALL_BYTES = MIB
"""Blocks up to this size come from a pool of their own, where every remainder is split off."""
MEDIUM_BYTES = 10 * MIB
SEGMENT_BYTES = 20 * MIB
SEGMENT_GRAIN_BYTES = 2 * MIB
MOST_FOLLOWED = 100_000
"""Blocks after so many are rounded to the grain only: no model loads as many, a made-up one may."""


def allocated_bytes(sizes: Iterable[int]) -> int:
    """Bytes that count as allocated once blocks of these sizes were asked for, in this order."""
    total = 0
    free: list[int] = []
    for number, size in enumerate(sizes):
        rounded = -(-size // GRAIN_BYTES) * GRAIN_BYTES
        if rounded <= SMALL_BYTES or number >= MOST_FOLLOWED:
            total += rounded
            continue
        place = bisect_left(free, rounded)
        block = free.pop(place) if place < len(free) else _segment_bytes(rounded)
        left = block - rounded
        if left > SMALL_BYTES:
            insort(free, left)
            block = rounded
        total += block
    return total


def _segment_bytes(size: int) -> int:
    """Size of the segment that is fetched for a block of more than 1 MiB."""
    if size < MEDIUM_BYTES:
        return SEGMENT_BYTES
    return -(-size // SEGMENT_GRAIN_BYTES) * SEGMENT_GRAIN_BYTES

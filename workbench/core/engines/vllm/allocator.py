"""What torch's caching allocator adds to the sizes that are asked of it.

Source: PyTorch `c10/cuda/CUDACachingAllocator.cpp` (2.4 to 2.9), as vllm.md §8.2 restates it:
sizes are rounded to 512 B; above 1 MiB a block comes from the smallest free block that holds it,
else from a new segment of 20 MiB, or from 10 MiB on of the size rounded up to 2 MiB; what is left
of a block is split off only when it exceeds 1 MiB, and counts as allocated otherwise.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence

from workbench.spec.units import MIB

GRAIN_BYTES = 512
SMALL_BYTES = MIB
"""Blocks up to this size come from a pool of their own, where every remainder is split off."""
MEDIUM_BYTES = 10 * MIB
SEGMENT_BYTES = 20 * MIB
SEGMENT_GRAIN_BYTES = 2 * MIB
MOST_FOLLOWED = 100_000
"""Blocks after so many are rounded to the grain only: no model loads as many, a made-up one may."""

_MOST_COMPARED = 32
"""Sizes of free blocks in a state that is looked up; layers that are alike leave few."""
_MOST_KNOWN = 1_000
_Sizes = tuple[tuple[int, int], ...]
"""Sizes and how many of each, as they are looked up: blocks that are asked for, or free ones."""
Blocks = Sequence[tuple[int, int]]
"""Sizes in the order they are asked for, and how many of each."""


def allocated_bytes(runs: Iterable[tuple[Blocks, int]]) -> int:
    """Bytes that count as allocated once these blocks were asked for, each run so many times.

    Nothing is done block by block: a made-up model can ask for more than memory could list.
    """
    asked_for = [(_rounded(blocks), times) for blocks, times in runs]
    large = [size for blocks, _ in asked_for for size, _ in blocks if size > SMALL_BYTES]
    least = min(large, default=0)
    total, left, pool = 0, MOST_FOLLOWED, _Pool(least)
    known: dict[tuple[_Sizes, _Sizes], tuple[int, _Sizes]] = {}
    for rounded, times in asked_for:
        asked, number = sum(size * count for size, count in rounded), sum(c for _, c in rounded)
        done = 0
        while number and done < times and left >= number:
            before = pool.state()
            step = known.get((rounded, before))
            if step is None:
                counted = sum(pool.take(size, count) for size, count in rounded)
                step = counted, pool.state()
                few = max(len(before), len(step[1])) <= _MOST_COMPARED
                if few and len(known) < _MOST_KNOWN:
                    known[rounded, before] = step
            else:
                pool = _Pool(least, step[1])
            total += step[0]
            left -= number
            done += 1
        if done < times and left > 0:
            for size, count in rounded:
                followed = min(count, left)
                total += pool.take(size, followed) + size * (count - followed)
                left -= followed
            done += 1
        total += (times - done) * asked
    return total


def _rounded(blocks: Blocks) -> _Sizes:
    return tuple((-(-size // GRAIN_BYTES) * GRAIN_BYTES, count) for size, count in blocks)


class _Pool:
    """The free blocks of more than 1 MiB that can still be of use."""

    def __init__(self, least: int, state: _Sizes = ()) -> None:
        """Nothing below `least` will be asked for but from the pool of small blocks."""
        self._least = least
        self._sizes = [size for size, _ in state]
        """Each size once, rising."""
        self._free = dict(state)
        """How many there are of a size."""

    def state(self) -> _Sizes:
        """The sizes that are free, and how many of each; the first few where they are many."""
        return tuple((size, self._free[size]) for size in self._sizes[: _MOST_COMPARED + 1])

    def take(self, size: int, count: int) -> int:
        """Take blocks of a rounded size; returns what counts as allocated for them."""
        if size <= SMALL_BYTES:
            return size * count
        total = 0
        while count > 0:
            place = bisect_left(self._sizes, size)
            if place < len(self._sizes):
                block = self._sizes[place]
                blocks = self._free[block]
            else:
                block, blocks = _segment_bytes(size), count
            # What is left of the smallest block that holds the size is the next smallest.
            each, counted, rest = _cut(block, size, count)
            blocks = min(blocks, count // each)
            if place < len(self._sizes):
                self._remove(block, blocks)
            if rest >= self._least:
                self._add(rest, blocks)
            total += counted * blocks
            count -= each * blocks
        return total

    def _add(self, size: int, count: int) -> None:
        if size not in self._free:
            insort(self._sizes, size)
            self._free[size] = 0
        self._free[size] += count

    def _remove(self, size: int, count: int) -> None:
        self._free[size] -= count
        if not self._free[size]:
            del self._free[size]
            self._sizes.pop(bisect_left(self._sizes, size))


def _cut(block: int, size: int, most: int) -> tuple[int, int, int]:
    """Cut up to `most` pieces off a block: how many, what counts as allocated, what stays free."""
    pieces = counted = 0
    while block >= size and pieces < most:
        pieces += 1
        if block - size <= SMALL_BYTES:
            return pieces, counted + block, 0
        counted += size
        block -= size
    return pieces, counted, block


def _segment_bytes(size: int) -> int:
    """Size of the segment that is fetched for a block of more than 1 MiB."""
    if size < MEDIUM_BYTES:
        return SEGMENT_BYTES
    return -(-size // SEGMENT_GRAIN_BYTES) * SEGMENT_GRAIN_BYTES

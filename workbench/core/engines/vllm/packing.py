"""Groups whose layers of different pages are packed side by side in a block (§5.2).

Only layouts with the block outermost can do it. A model that repeats a pattern of page sizes is
cut into groups of equally many repeats; states and what else is held whole fill the block that
the attention groups need anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from workbench.core.engines.vllm.alike import same_type
from workbench.core.engines.vllm.inputs import Unsupported
from workbench.core.engines.vllm.pages import Page

Layers = dict[Page, list[int]]
Members = list[tuple[Page, list[int]]]


@dataclass(frozen=True, slots=True)
class _Bucket:
    """Layers of one type."""

    layers: Layers

    @property
    def by_size(self) -> dict[int, list[tuple[int, Page]]]:
        """Entries by page size, sizes in the order of their first layer."""
        sizes: dict[int, list[tuple[int, Page]]] = {}
        for index, page in self.in_order:
            sizes.setdefault(page.page_bytes, []).append((index, page))
        return sizes

    @property
    def in_order(self) -> list[tuple[int, Page]]:
        """Entries of the model with their pages, ascending."""
        return sorted(
            ((index, page) for page, indices in self.layers.items() for index in indices),
            key=lambda entry: entry[0],
        )

    @property
    def counts(self) -> list[int]:
        """Layers of each page size."""
        return [len(entries) for entries in self.by_size.values()]

    @property
    def balanced(self) -> bool:
        """Whether every page size has as many layers."""
        return len(set(self.counts)) == 1

    @property
    def kind(self) -> str:
        """Kind of its layers."""
        return next(iter(self.layers)).kind

    def widest(self, groups: int) -> int:
        """Bytes of the largest of so many groups."""
        return sum(-(-len(entries) // groups) * size for size, entries in self.by_size.items())


def packed_groups(layers: Layers) -> list[Members]:
    """Return the members of each group, in the order of their buckets."""
    buckets = _greedy_buckets(layers)
    repeats = _repeats(buckets)

    def groups_by_pattern(bucket: _Bucket) -> int:
        if bucket.balanced and repeats is not None:
            return -(-max(bucket.counts) // repeats)
        return 1

    def state_like(bucket: _Bucket) -> bool:
        return bucket.kind == "state" or (repeats is None and bucket.kind == "sliding")

    # What a block must hold however the state-like buckets are split: those can go down to one
    # layer a group.
    anchor = max(
        bucket.widest(sum(bucket.counts) if state_like(bucket) else groups_by_pattern(bucket))
        for bucket in buckets
    )
    groups: list[Members] = []
    for bucket in buckets:
        number = groups_by_pattern(bucket)
        if state_like(bucket):
            fitting = max(1, anchor // next(iter(bucket.by_size)))
            number = max(number, -(-sum(bucket.counts) // fitting))
        groups += _split(bucket, number)
    return groups


def _greedy_buckets(layers: Layers) -> list[_Bucket]:
    """Put each layer, in order, into the first bucket whose layers are of its type."""
    buckets: list[_Bucket] = []
    for page, indices in layers.items():
        for bucket in buckets:
            if same_type((*bucket.layers, page)):
                bucket.layers[page] = indices
                break
        else:
            buckets.append(_Bucket({page: indices}))
    return buckets


def _repeats(buckets: list[_Bucket]) -> int | None:
    """Return the pattern repeats in a group that waste the fewest layers, larger ones first.

    None when no bucket repeats a pattern of several page sizes.
    """
    mixed = [max(b.counts) for b in buckets if b.balanced and len(b.counts) > 1]
    if not mixed:
        return None
    counts = [max(bucket.counts) for bucket in buckets if bucket.balanced]
    return min(
        range(max(mixed), max(counts) + 1),
        key=lambda repeats: (sum(-count % repeats for count in counts), -repeats),
    )


def _split(bucket: _Bucket, number: int) -> list[Members]:
    """Deal one layer of each page size at a time to the groups in turn."""
    if number == 1:
        return [list(bucket.layers.items())]
    if not bucket.balanced:
        raise Unsupported("a pattern of pages that does not repeat, in several groups")
    patterns = list(zip(*bucket.by_size.values(), strict=False))
    groups: list[Members] = []
    for part in range(number):
        members: Layers = {}
        for index, page in chain.from_iterable(patterns[part::number]):
            members.setdefault(page, []).append(index)
        groups.append(list(members.items()))
    return groups

"""Blocks that requests ask of the pool, prefixes shared between them counted once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from workbench.core.load.lengths import blocks_of, tail_tokens_of
from workbench.spec.units import exact
from workbench.spec.workload import PrefixGroup


@dataclass(frozen=True, slots=True)
class Demand:
    """What requests of one length hold: their own blocks each, and the shared ones once."""

    tokens: int
    blocks_by_group: tuple[int, ...]
    """Blocks that one request holds in each group of layers, shared ones included."""
    tail_tokens: int
    shared_blocks: Fraction
    """Mean number of shared blocks of a request, over all requests."""
    prefix_blocks: int
    """Blocks of all distinct prefixes, held once."""
    in_flight_blocks: int = 0
    """Blocks that the tokens being processed hold beyond what a resting request keeps."""
    ranks: int = 1
    """Ranks of a replica that each keep whole requests of their own (attention data parallelism);
    blocks are then those of the rank with the most requests."""

    @property
    def blocks(self) -> int:
        """Blocks of one request, shared ones included."""
        return sum(self.blocks_by_group)

    @property
    def own_blocks(self) -> Fraction:
        """Mean number of blocks that only the request itself uses."""
        return self.blocks - self.shared_blocks

    def own_blocks_of(self, requests: int) -> int:
        """Whole blocks that `requests` requests hold beside the shared ones."""
        requests = -(-requests // self.ranks)
        if not self.shared_blocks:
            return requests * self.blocks
        return ceil(requests * self.own_blocks)

    def held_blocks(self, requests: int) -> int:
        """Whole blocks in use with `requests` requests."""
        return self.prefix_blocks + self.own_blocks_of(requests)

    def requests_in(self, usable_blocks: int) -> int:
        """Most requests whose blocks fit `usable_blocks` on each rank."""
        room = usable_blocks - self.prefix_blocks - self.in_flight_blocks
        if not self.shared_blocks:
            # Whole blocks only: fractions would take most of a sweep's time.
            return self.ranks * max(0, room // self.blocks) if self.blocks else 0
        return self.ranks * max(0, floor(room / self.own_blocks))


def demand_of(
    tokens: int, block_tokens: int, prefix_groups: tuple[PrefixGroup, ...] = ()
) -> Demand:
    """Demand of requests of `tokens` tokens in one block table."""
    return demand_over(
        tokens,
        (blocks_of(tokens, block_tokens),),
        shareable_block_tokens=(block_tokens,),
        tail_tokens=tail_tokens_of(tokens, block_tokens),
        prefix_groups=prefix_groups,
    )


def demand_over(
    tokens: int,
    blocks_by_group: tuple[int, ...],
    *,
    shareable_block_tokens: tuple[int, ...],
    tail_tokens: int,
    in_flight_blocks: int = 0,
    prefix_groups: tuple[PrefixGroup, ...] = (),
    ranks: int = 1,
) -> Demand:
    """Demand of requests that hold blocks in several groups of layers.

    `shareable_block_tokens` names the block size of each group whose blocks requests can share.
    Only whole blocks are shared, and never a request's last block, whose final token every
    request computes itself. Requests belong to the groups by their shares, so the blocks of n
    requests are n times the mean, rounded up once.
    """
    shared = sum(
        (
            exact(group.request_share) * _shareable_blocks(group, tokens, block_tokens)
            for group in prefix_groups
            for block_tokens in shareable_block_tokens
        ),
        Fraction(0),
    )
    return Demand(
        tokens=tokens,
        blocks_by_group=blocks_by_group,
        tail_tokens=tail_tokens,
        # Shares rounded to 100.01 % must not make a request hold less than one block.
        shared_blocks=min(shared, Fraction(max(0, sum(blocks_by_group) - 1))),
        prefix_blocks=sum(
            group.distinct_prefixes * (group.shared_tokens // block_tokens)
            for group in prefix_groups
            for block_tokens in shareable_block_tokens
        ),
        in_flight_blocks=in_flight_blocks,
        ranks=ranks,
    )


def _shareable_blocks(group: PrefixGroup, tokens: int, block_tokens: int) -> int:
    return min(group.shared_tokens, tokens - 1) // block_tokens

"""What a sequence reserves under different allocation policies (founding note 002)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workbench.core.load.lengths import blocks_of
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class AllocationRow:
    """One policy: bytes a sequence reserves and uses on the deciding rank."""

    policy: Literal["contiguous", "paged"]
    reserved_tokens: int
    reserved_bytes: int
    used_bytes: int
    sequences: int
    """Sequences that the pool holds."""

    @property
    def waste_share(self) -> Fraction:
        """Share of the reservation that stays empty."""
        return 1 - Fraction(self.used_bytes, self.reserved_bytes)

    def times_as_many(self, other: AllocationRow) -> Fraction:
        """How many times as many sequences the same memory holds as under another policy.

        A ratio of sequences held, not of throughput.
        """
        return Fraction(other.reserved_bytes, self.reserved_bytes)


def allocation_table(
    scenario: Scenario, ledger: Ledger, max_lens: tuple[int, ...] = ()
) -> tuple[AllocationRow, ...]:
    """Compare contiguous reservation at each longest length with whole blocks.

    `max_lens` defaults to the engine's max_model_len where there is one; lengths shorter than
    the request are left out. Empty for a scenario without a pool.
    """
    pool, request = ledger.pool, ledger.request
    if pool is None or request is None or not pool.kv_bytes_per_token:
        return ()
    per_token = int(pool.kv_bytes_per_token)
    used_bytes = request.tokens * per_token
    if not max_lens and ledger.capacity.engine_log is not None:
        max_lens = (ledger.capacity.engine_log.tokens_per_request,)
    rows = [
        AllocationRow(
            "contiguous", length, length * per_token, used_bytes, pool.bytes // (length * per_token)
        )
        for length in max_lens
        if length >= request.tokens
    ]
    block_tokens = pool.block_tokens
    held_tokens = blocks_of(request.tokens, block_tokens) * block_tokens
    held_bytes = held_tokens * per_token
    rows.append(
        AllocationRow("paged", held_tokens, held_bytes, used_bytes, pool.blocks // request.blocks)
    )
    return tuple(rows)

"""What a choice costs, over a range of its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.load.lengths import blocks_of, mean_tail_tokens, mean_tokens, sized_tokens
from workbench.core.memory.kv import head_bytes
from workbench.spec.engine import flag_of
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

BLOCK_TABLE_ENTRY_BYTES = 4
"""One int32 a block; vLLM v1/worker/block_table.py."""

BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True, slots=True)
class BlockSizeRow:
    """One block size under the workload in use."""

    block_tokens: int
    mean_tail_tokens: Fraction
    """Empty slots of a request's last block, over the length distribution."""
    mean_tail_bytes: Fraction
    tail_share: Fraction
    """Empty slots over all slots held."""
    block_table_bytes: int
    """Block table on each rank: max_num_seqs rows of the longest request."""
    concurrency: int
    """Requests of the drawn length held at once in the whole scenario."""


def block_size_sweep(
    scenario: Scenario,
    ledger_of: Callable[[Scenario], Ledger],
    sizes: tuple[int, ...] = BLOCK_SIZES,
) -> tuple[BlockSizeRow, ...]:
    """Tail waste, block-table bytes and capacity against block size."""
    rows = []
    lengths = scenario.workload.lengths
    if "block_tokens" not in type(scenario.engine).model_fields:
        # An engine that knows no blocks.
        return ()
    for block_tokens in sizes:
        trial = scenario.with_(engine=scenario.engine.with_(block_tokens=block_tokens))
        ledger = ledger_of(trial)
        pool, steady = ledger.pool, ledger.capacity.steady_state
        if pool is None or steady is None:
            return ()
        tail = mean_tail_tokens(lengths, block_tokens)
        rows.append(
            BlockSizeRow(
                block_tokens=block_tokens,
                mean_tail_tokens=tail,
                mean_tail_bytes=tail * Fraction(pool.kv_bytes_per_token or 0),
                tail_share=tail / (mean_tokens(lengths) + tail),
                block_table_bytes=block_table_bytes(trial, ledger),
                concurrency=getattr(steady, scenario.workload.sizing),
            )
        )
    return tuple(rows)


def block_table_bytes(scenario: Scenario, ledger: Ledger, longest_tokens: int | None = None) -> int:
    """Bytes of a block table of max_num_seqs rows for requests of `longest_tokens`.

    The longest is max_model_len by default, else the longest of the workload.
    """
    if longest_tokens is None:
        longest_tokens = longest_allowed_tokens(scenario, ledger)
    rows = int(str(ledger.scenario.resolved["max_num_seqs"]))
    return rows * blocks_of(longest_tokens, block_size(ledger)) * BLOCK_TABLE_ENTRY_BYTES


def block_size(ledger: Ledger) -> int:
    """Tokens in a block as the engine resolved it."""
    return int(str(ledger.scenario.resolved["block_size"]))


def longest_allowed_tokens(scenario: Scenario, ledger: Ledger) -> int:
    """max_model_len where one is known, else the longest length of the workload."""
    limit = ledger.scenario.resolved.get("max_model_len")
    if isinstance(limit, int):
        return limit
    return sized_tokens(scenario.workload.lengths, "max")


@dataclass(frozen=True, slots=True)
class MaxModelLenCost:
    """What the longest allowed request costs, beside the P99 request that is really used."""

    max_model_len: int
    p99_tokens: int
    block_table_bytes: int
    block_table_bytes_at_p99: int
    contiguous_sequences: int
    """Sequences held if each reserved max_model_len at once."""
    contiguous_sequences_at_p99: int
    charged_bytes: int
    """What the engine takes from the budget for it: nothing under `plain`."""


def max_model_len_cost(scenario: Scenario, ledger: Ledger) -> MaxModelLenCost | None:
    """What max_model_len itself costs under the engine; None without a pool."""
    pool = ledger.pool
    if pool is None or not pool.kv_bytes_per_token:
        return None
    longest = longest_allowed_tokens(scenario, ledger)
    p99 = sized_tokens(scenario.workload.lengths, "p99")
    per_token = int(pool.kv_bytes_per_token)
    return MaxModelLenCost(
        max_model_len=longest,
        p99_tokens=p99,
        block_table_bytes=block_table_bytes(scenario, ledger, longest),
        block_table_bytes_at_p99=block_table_bytes(scenario, ledger, p99),
        contiguous_sequences=pool.bytes // (longest * per_token),
        contiguous_sequences_at_p99=pool.bytes // (p99 * per_token),
        charged_bytes=0,
    )


@dataclass(frozen=True, slots=True)
class KvFormatRow:
    """Net saving of the scenario's KV format against 16 bits at one request length."""

    tokens: int
    bytes_at_16_bits: int
    bytes_in_format: int
    scale_bytes: int

    @property
    def saving_share(self) -> Fraction:
        """What the format saves of the 16-bit bytes; negative when it costs more."""
        return 1 - Fraction(self.bytes_in_format, self.bytes_at_16_bits)


SAVING_LENGTHS = (1, 16, 64, 256, 1024, 4096, 16384, 131072)


def kv_format_saving(
    scenario: Scenario,
    lengths: tuple[int, ...] = SAVING_LENGTHS,
    block_tokens: int | None = None,
) -> tuple[KvFormatRow, ...]:
    """Net saving of the KV format by request length, whole blocks and all scales counted.

    The blocks of the format are at least as large as its kernels ask for; the scales kept once
    a layer are charged to the single request. Speed is not modelled.
    """
    attention = scenario.model.uniform_attention
    if attention is None:
        return ()
    kv_format = scenario.precision.kv
    block_tokens = block_tokens or flag_of(scenario.engine, "block_tokens") or 1
    layers = scenario.model.layer_count
    value_dim = 0 if attention.values_are_keys else attention.value_dim
    sixteen = 2 * (attention.head_dim + value_dim)
    per_head = head_bytes(attention, kv_format)
    format_block = max(block_tokens, kv_format.smallest_block_tokens or 1)
    bare = -(-attention.head_dim * kv_format.k_bits // 8)
    bare += -(-value_dim * kv_format.v_bits // 8)
    rows = []
    for tokens in lengths:
        heads = layers * attention.kv_heads
        plain = blocks_of(tokens, block_tokens) * block_tokens * heads * sixteen
        slots = blocks_of(tokens, format_block) * format_block * heads
        layer_scales = layers * kv_format.layer_scale_bytes
        rows.append(
            KvFormatRow(
                tokens,
                plain,
                slots * per_head + layer_scales,
                slots * (per_head - bare) + layer_scales,
            )
        )
    return tuple(rows)

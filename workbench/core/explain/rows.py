"""Numbers that no ledger holds, each with its formula: rows of sweeps, tables and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workbench.core.engines import rule_of
from workbench.core.explain.asked import BLOCKS, LEDGER, computed
from workbench.core.explain.requests import request_tokens
from workbench.core.load.lengths import mean_tokens
from workbench.core.memory.allocation import AllocationRow
from workbench.core.pool_table import GroupRow, StageTable
from workbench.core.sensitivity import ScalingCheck
from workbench.core.sweep import (
    BLOCK_TABLE_ENTRY_BYTES,
    BlockSizeRow,
    KvFormatRow,
    MaxModelLenCost,
    block_size,
    longest_allowed_tokens,
)
from workbench.core.terms import flag_term
from workbench.core.upgrade import ChangedEntry, ChangedFigure
from workbench.spec.ledger import (
    Admission,
    Evidence,
    Ledger,
    Number,
    Pool,
    Request,
    Source,
    Term,
    Unit,
)
from workbench.spec.scenario import Scenario
from workbench.spec.workload import Sizing

_SCHEDULER = Source("scheduler")
_TRIED = Source("tried")


def plain(
    symbol: str,
    value: Number,
    unit: Unit,
    source: Source = LEDGER,
    field: str | None = None,
    evidence: Evidence = Evidence.COMPUTED,
) -> Term:
    """A figure without a formula of its own."""
    return Term(symbol, value, unit, evidence, source, field)


def difference(symbol: str, after: Term, before: Term) -> Term:
    """What a figure grows by."""
    unit = after.unit
    one = Term("before", before.value, unit, before.evidence, before.source, None, before.formula)
    two = Term("after", after.value, unit, after.evidence, after.source, None, after.formula)
    assert not isinstance(one.value, str), "words have no difference"
    assert not isinstance(two.value, str), "words have no difference"
    return computed(symbol, two.value - one.value, unit, "{after} - {before}", two, one)


# A request of one length


@dataclass(frozen=True, slots=True)
class LengthTerms:
    """What a request of one sizing takes."""

    tokens: Term
    blocks: Term
    tail: Term
    tail_share: Term
    size: Term | None


def length_terms(
    scenario: Scenario, sizing: Sizing, request: Request, pool: Pool | None
) -> LengthTerms:
    """Explain the row of a sizing."""
    tokens = request_tokens(scenario, sizing)
    blocks = plain("blocks", request.blocks, "blocks", BLOCKS, "engine.block_tokens")
    tail = plain("tail_tokens", request.tail_tokens, "tokens", BLOCKS, "engine.block_tokens")
    share = Fraction(request.tail_tokens, request.tokens + request.tail_tokens)
    empty = "{tail_tokens} ÷ ({context_tokens} + {tail_tokens})"
    size = None
    if pool is not None:
        each = plain("bytes_per_block", pool.bytes_per_block, "bytes", BLOCKS)
        held = request.blocks * pool.bytes_per_block
        product = "{blocks} × {bytes_per_block}"
        size = computed("request_bytes", held, "bytes", product, blocks, each, source=BLOCKS)
    return LengthTerms(
        tokens, blocks, tail, computed("tail_share", share, "share", empty, tail, tokens), size
    )


# Block sizes, policies, formats


def _block_table(
    scenario: Scenario, ledger: Ledger, size: Term, longest: Term, table_bytes: int
) -> Term:
    """Bytes of a block table of `max_num_seqs` rows for requests of a length."""
    number = int(str(ledger.scenario.resolved["max_num_seqs"]))
    resolved = rule_of(scenario.engine).resolve(scenario)
    rows = flag_term(scenario, resolved, "max_num_seqs", number, "count", "engine.max_num_seqs")
    entry = plain("table_entry_bytes", BLOCK_TABLE_ENTRY_BYTES, "bytes", Source("engine_rule"))
    blocks = -(-int(str(longest.value)) // int(str(size.value)))
    if number * blocks * BLOCK_TABLE_ENTRY_BYTES != table_bytes:
        # The engine takes another block size than it was asked for.
        return plain("block_table_bytes", table_bytes, "bytes", _TRIED, "engine.block_tokens")
    return computed(
        "block_table_bytes",
        table_bytes,
        "bytes",
        "{max_num_seqs} × ⌈{context_tokens} ÷ {block_tokens}⌉ × {table_entry_bytes}",
        *(rows, longest, size, entry),
    )


def longest_terms(
    scenario: Scenario, ledger: Ledger, cost: MaxModelLenCost
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Explain the longest request allowed and the P99 request: tokens, table, sequences."""
    pool = ledger.pool
    assert pool is not None, "a cost without a pool"
    resolved = rule_of(scenario.engine).resolve(scenario)
    field = "engine.max_model_len"
    allowed = flag_term(scenario, resolved, "context_tokens", cost.max_model_len, "tokens", field)
    size = plain("block_tokens", block_size(ledger), "tokens", LEDGER, "engine.block_tokens")
    token = plain("kv_bytes_per_token", int(pool.kv_bytes_per_token or 0), "bytes", BLOCKS)
    room = plain("pool_bytes", pool.bytes, "bytes")
    p99 = request_tokens(scenario, "p99")
    quotient = "⌊{pool_bytes} ÷ ({context_tokens} × {kv_bytes_per_token})⌋"
    return tuple(  # type: ignore[return-value]
        (
            length,
            _block_table(scenario, ledger, size, length, table_bytes),
            computed("requests", held, "count", quotient, room, length, token),
        )
        for length, table_bytes, held in (
            (allowed, cost.block_table_bytes, cost.contiguous_sequences),
            (p99, cost.block_table_bytes_at_p99, cost.contiguous_sequences_at_p99),
        )
    )


def block_size_terms(scenario: Scenario, ledger: Ledger, row: BlockSizeRow) -> tuple[Term, ...]:
    """Explain the columns of a block size."""
    size = plain("block_tokens", row.block_tokens, "tokens", _TRIED, "engine.block_tokens")
    lengths = Source("lengths", "mean")
    tail = plain("tail_tokens", row.mean_tail_tokens, "tokens", lengths, "workload.context")
    average = mean_tokens(scenario.workload.lengths)
    mean = plain("context_tokens", average, "tokens", lengths, "workload.context")
    tail_bytes = row.mean_tail_bytes
    each = tail_bytes / row.mean_tail_tokens if row.mean_tail_tokens else Fraction(0)
    token = plain("kv_bytes_per_token", each, "bytes", BLOCKS)
    longest_tokens = longest_allowed_tokens(scenario, ledger)
    longest = plain("context_tokens", longest_tokens, "tokens", LEDGER, "engine.max_model_len")
    return (
        size,
        tail,
        computed(
            "tail_bytes", tail_bytes, "bytes", "{tail_tokens} × {kv_bytes_per_token}", tail, token
        ),
        computed(
            "tail_share",
            row.tail_share,
            "share",
            "{tail_tokens} ÷ ({context_tokens} + {tail_tokens})",
            tail,
            mean,
        ),
        _block_table(scenario, ledger, size, longest, row.block_table_bytes),
        plain("requests", row.concurrency, "count", _TRIED, "engine.block_tokens"),
    )


def policy_terms(row: AllocationRow, paged: AllocationRow, pool: Pool) -> tuple[Term, ...]:
    """Explain the columns of a way to allocate."""
    token = plain("kv_bytes_per_token", pool.kv_bytes_per_token or 0, "bytes", BLOCKS)
    tokens = plain("reserved_tokens", row.reserved_tokens, "tokens", BLOCKS, "engine.max_model_len")
    reserved = computed(
        "reserved_bytes",
        row.reserved_bytes,
        "bytes",
        "{reserved_tokens} × {kv_bytes_per_token}",
        *(tokens, token),
    )
    used = plain("request_bytes", row.used_bytes, "bytes", LEDGER, "workload.context")
    size = plain("pool_bytes", pool.bytes, "bytes")
    held = plain("requests", row.sequences, "count", BLOCKS)
    if row.policy == "contiguous":
        quotient = "⌊{pool_bytes} ÷ {reserved_bytes}⌋"
        held = computed("requests", row.sequences, "count", quotient, size, reserved)
    beside = plain("paged_bytes", paged.reserved_bytes, "bytes", BLOCKS)
    ratio = Fraction(row.reserved_bytes, paged.reserved_bytes)
    return (
        tokens,
        reserved,
        used,
        computed(
            "waste_share",
            row.waste_share,
            "share",
            "({reserved_bytes} - {request_bytes}) ÷ {reserved_bytes}",
            *(reserved, used),
        ),
        held,
        computed("ratio", ratio, "ratio", "{reserved_bytes} ÷ {paged_bytes}", reserved, beside),
    )


def format_terms(row: KvFormatRow) -> tuple[Term, ...]:
    """Explain the columns of a length of the KV format's saving."""
    tokens = plain("context_tokens", row.tokens, "tokens", _TRIED, "workload.context")
    field = "precision.kv"
    sixteen = plain("sixteen_bit_bytes", row.bytes_at_16_bits, "bytes", BLOCKS, field)
    stored = plain("format_bytes", row.bytes_in_format, "bytes", BLOCKS, field)
    return (
        tokens,
        sixteen,
        stored,
        plain("scale_bytes", row.scale_bytes, "bytes", BLOCKS, field),
        computed(
            "saving_share",
            row.saving_share,
            "share",
            "({sixteen_bit_bytes} - {format_bytes}) ÷ {sixteen_bit_bytes}",
            *(sixteen, stored),
        ),
    )


# Scaling


def scaling_terms(check: ScalingCheck) -> tuple[Term, ...]:
    """Explain from, to, expected and actual of an exercise."""
    before = plain("before", check.before, "count", LEDGER, check.field)
    after = plain("after", check.after, "count", _TRIED, check.field)
    ratio = "{after} ÷ {before}"
    expected = computed("expected_ratio", check.expected_ratio, "ratio", ratio, after, before)
    actual = plain("actual_ratio", check.actual_ratio, "ratio", Source("two_ledgers"), check.field)
    return before, after, expected, actual


# Groups of the pool


def group_terms(row: GroupRow, bytes_per_block: int) -> tuple[Term, ...]:
    """Explain the columns of groups that are alike."""
    source = Source("layers", row.kind)
    groups = plain("groups", row.groups, "count", source)
    layers = plain("layers", row.layers, "count", source, "model.layers")
    block = plain("block_tokens", row.block_tokens, "tokens", source, "engine.block_tokens")
    page = plain("page_bytes", row.page_bytes, "bytes", source, "precision.kv")
    each = plain("bytes_per_block", bytes_per_block, "bytes", BLOCKS)
    blocks = plain("blocks", row.blocks_per_request, "blocks", source, "workload.context")
    whole = "{groups} × {blocks} × {bytes_per_block}"
    return (
        *(groups, layers, block, page, blocks),
        computed("request_bytes", row.request_bytes, "bytes", whole, groups, blocks, each),
        plain("filled_share", row.filled_share, "share", source),
    )


def stage_terms(stage: StageTable) -> tuple[Term, ...]:
    """Explain the columns of a pipeline stage."""
    size = plain("pool_bytes", stage.pool_bytes, "bytes")
    each = plain("bytes_per_block", stage.bytes_per_block, "bytes", BLOCKS)
    if not stage.bytes_per_block:
        return size, each, plain("pool_blocks", stage.blocks, "blocks")
    quotient = "⌊{pool_bytes} ÷ {bytes_per_block}⌋"
    return size, each, computed("pool_blocks", stage.blocks, "blocks", quotient, size, each)


# Admission


def admission_terms(admission: Admission) -> dict[str, Term]:
    """Explain the figures of the scheduler, by the name of each."""
    context, block = "workload.context", "engine.block_tokens"
    fields: dict[str, tuple[Unit, str]] = {
        "prompt_tokens": ("tokens", context),
        "output_tokens": ("tokens", context),
        "needed_blocks": ("blocks", context),
        "after_prompt_blocks": ("blocks", context),
        "at_end_blocks": ("blocks", context),
        "peak_blocks": ("blocks", context),
        "admitted_together": ("count", "engine.max_num_seqs"),
        "withheld_blocks": ("blocks", block),
        "watermark_blocks": ("blocks", "engine.watermark"),
        "in_flight_tokens": ("tokens", "engine.max_num_batched_tokens"),
    }
    found = {
        name: plain(name, getattr(admission, name), unit, _SCHEDULER, field)
        for name, (unit, field) in fields.items()
    }
    if admission.growth_blocks:
        end, start = found["at_end_blocks"], found["after_prompt_blocks"]
        minus = "{at_end_blocks} - {after_prompt_blocks}"
        growth = admission.growth_blocks
        found["growth_blocks"] = computed("growth_blocks", growth, "blocks", minus, end, start)
    return found


# Another release


def changed_terms(
    change: ChangedEntry | ChangedFigure, before_release: str, after_release: str
) -> tuple[Term | None, Term | None, Term | None]:
    """Explain a line before and after, and what it grows by."""
    name: str
    unit: Unit
    values: tuple[Number | None, ...]
    if isinstance(change, ChangedEntry):
        name, unit = change.label, "bytes"
        values = (change.before_bytes, change.after_bytes)
    else:
        name, unit = change.code, change.unit
        values = (change.before, change.after)
    terms = [
        None if value is None else plain(name, value, unit, Source("release", release))
        for value, release in zip(values, (before_release, after_release), strict=True)
    ]
    before, after = terms
    if isinstance(change, ChangedEntry):
        # A line that one release does not have is empty there.
        before = before or plain(name, 0, unit, Source("release", before_release))
        after = after or plain(name, 0, unit, Source("release", after_release))
    delta = None if before is None or after is None else difference(name, after, before)
    return terms[0], terms[1], delta

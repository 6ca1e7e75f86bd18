"""Findings of what may run all the same: likely mistakes, and what the layout costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.kv import layer_bytes_per_token
from workbench.core.sweep import block_size, block_table_bytes, kv_format_saving
from workbench.spec.engine import flag_of
from workbench.spec.ledger import EntryKind, Finding, Fix, Ledger, Severity
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB

LedgerOf = Callable[[Scenario], Ledger]

FAR_ABOVE = 4
"""max_model_len this many times the P99 request is called far above it."""

MANY_HEADS = 16
"""From this many KV heads on, equal query and KV heads are worth a question."""


# Likely mistakes


def heads(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Attention heads taken for KV heads, with the factor (claims A14, B2)."""
    attention = scenario.model.uniform_attention
    if attention is None:
        return
    factor = Fraction(attention.heads, attention.kv_heads)
    if attention.kv_heads > attention.heads:
        params: dict[str, object] = {"heads": attention.heads, "kv_heads": attention.kv_heads}
        yield Finding("more_kv_heads_than_heads", "warning", "model.kv_heads", params)
    elif factor > 1:
        params = {"heads": attention.heads, "kv_heads": attention.kv_heads, "factor": factor}
        yield Finding("kv_heads_not_heads", "info", "model.kv_heads", params)
    elif attention.kv_heads >= MANY_HEADS and (
        scenario.model_is_edited or scenario.model_ref is None
    ):
        params = {"kv_heads": attention.kv_heads, "low_factor": 4, "high_factor": 8}
        yield Finding("heads_taken_for_kv_heads", "warning", "model.kv_heads", params)


def bits(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Bytes mixed with bits (claim A14): the factor is eight."""
    formats = {
        "precision.kv": (scenario.precision.kv.k_bits, scenario.precision.kv.v_bits),
        "precision.weights": (scenario.precision.weights.bits,),
    }
    for field, widths in formats.items():
        for bits in sorted(set(widths)):
            if bits in (1, 2):
                yield Finding("bytes_typed_as_bits", "warning", field, {"bits": bits, "factor": 8})
            elif bits > 32:
                yield Finding("bits_typed_as_bytes", "warning", field, {"bits": bits, "factor": 8})


def gb_and_gib(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A memory that was typed as the number of the card's name, in GB or GiB."""
    gpu = scenario.gpu
    if gpu.marketing_gb is None:
        return
    name_bytes = {gpu.marketing_gb * 10**9, gpu.marketing_gb * GIB}
    if scenario.gpu_is_edited and gpu.device_total_bytes in name_bytes:
        params = {"name_gb": gpu.marketing_gb, "total_bytes": gpu.device_total_bytes}
        yield Finding("name_taken_for_total", "warning", "gpu.device_total_bytes", params)


def max_model_len(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """max_model_len far above what is used (claim B13)."""
    longest = ledger.scenario.resolved.get("max_model_len")
    p99 = sized_tokens(scenario.workload.lengths, "p99")
    if not isinstance(longest, int) or longest < FAR_ABOVE * p99:
        return
    params = {
        "max_model_len_tokens": longest,
        "p99_tokens": p99,
        "factor": Fraction(longest, p99),
        "table_bytes": block_table_bytes(scenario, ledger, longest),
        "table_at_p99_bytes": block_table_bytes(scenario, ledger, p99),
    }
    typed = flag_of(scenario.engine, "max_model_len") is not None
    fix = Fix("engine.max_model_len", p99) if typed else None
    severity: Severity = "warning" if typed else "info"
    yield Finding("max_model_len_far_above", severity, "engine.max_model_len", params, fix)


def beyond_the_model(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A longest length that the model has no positions for."""
    limit = scenario.model.max_position_tokens
    asked = flag_of(scenario.engine, "max_model_len")
    if limit is not None and asked is not None and asked > limit:
        params = {"max_model_len_tokens": asked, "limit_tokens": limit}
        fix = Fix("engine.max_model_len", limit)
        yield Finding("max_model_len_beyond_model", "warning", "engine.max_model_len", params, fix)


def kv_format(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A quantised KV format is not exactly half (claim B12)."""
    request = ledger.request
    if not scenario.precision.kv.is_quantised or request is None:
        return
    block_tokens = block_size(ledger)
    rows = kv_format_saving(scenario, (request.tokens,), block_tokens)
    smallest = scenario.precision.kv.smallest_block_tokens
    if smallest is not None and block_tokens < smallest:
        limits: dict[str, object] = {
            "format": scenario.precision.kv.name,
            "smallest_tokens": smallest,
            "block_tokens": block_tokens,
        }
        fix = Fix("engine.block_tokens", smallest)
        yield Finding("block_below_format", "warning", "engine.block_tokens", limits, fix)
    if rows:
        (row,) = rows
        params = {
            "format": scenario.precision.kv.name,
            "saving_share": row.saving_share,
            "scale_bytes": row.scale_bytes,
            "context_tokens": row.tokens,
        }
        yield Finding("kv_format_saving", "info", "precision.kv", params)


# What the layout costs


def replication(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """KV heads copied because TP exceeds them (claim B14)."""
    attention, tp = scenario.model.uniform_attention, scenario.deployment.tp
    if attention is None or tp <= attention.kv_heads or tp % attention.kv_heads:
        return
    layers = scenario.model.layer_count
    kv_format = scenario.precision.kv
    per_rank = layers * layer_bytes_per_token(attention, kv_format, tp)
    whole = layers * layer_bytes_per_token(attention, kv_format, 1)
    params = {
        "tp": tp,
        "kv_heads": attention.kv_heads,
        "copies": tp // attention.kv_heads,
        "lost_per_token_bytes": per_rank * tp - whole,
    }
    fix = Fix("deployment.tp", attention.kv_heads)
    yield Finding("kv_heads_copied", "warning", "deployment.tp", params, fix)


def prefix(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """What a shared prefix saves, or why it saves nothing."""
    groups, request = scenario.workload.prefix_groups, ledger.request
    if not groups or request is None:
        return
    field = "workload.prefix_tokens"
    for group in groups:
        if group.shared_tokens >= request.tokens:
            params: dict[str, object] = {
                "prefix_tokens": group.shared_tokens,
                "context_tokens": request.tokens,
            }
            yield Finding("prefix_longer_than_request", "warning", field, params)
        elif group.shared_tokens < block_size(ledger):
            params = {
                "prefix_tokens": group.shared_tokens,
                "block_tokens": block_size(ledger),
            }
            yield Finding("prefix_below_one_block", "info", field, params)
    if ledger.concurrency == 1:
        yield Finding("prefix_with_one_request", "info", "workload.concurrency", {})
    rank = ledger.worst_rank
    prefix_bytes = rank.kind_bytes(EntryKind.PREFIX)
    cache_bytes = prefix_bytes + rank.kind_bytes(EntryKind.KV)
    if cache_bytes and Fraction(prefix_bytes, cache_bytes) >= Fraction(1, 5):
        params = {
            "prefix_bytes": prefix_bytes,
            "cache_share": Fraction(prefix_bytes, cache_bytes),
        }
        yield Finding("prefix_pins_much", "info", field, params)


def scheduler_limit(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """More requests than the scheduler runs at once."""
    limit = flag_of(scenario.engine, "max_num_seqs")
    field = "engine.max_num_seqs"
    fix: Fix | None = Fix("engine.max_num_seqs", ledger.concurrency)
    slots = ledger.scenario.resolved.get("parallel")
    if isinstance(slots, int):
        # A server with few slots is the default there; more of them may be shorter, so no fix.
        limit, field, fix = slots, "engine.parallel", None
    target = scenario.workload.concurrency
    if limit is not None and target is not None and ledger.concurrency > limit:
        params = {"concurrency": ledger.concurrency, "limit": limit}
        yield Finding("target_above_max_num_seqs", "warning", field, params, fix)


def lengths(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Budget on the tail, not on the mean (claim A12)."""
    workload = scenario.workload
    if workload.lengths.kind == "constant" or workload.sizing not in ("mean", "p50"):
        return
    params = {
        "sized_tokens": sized_tokens(workload.lengths, workload.sizing),
        "p99_tokens": sized_tokens(workload.lengths, "p99"),
    }
    yield Finding("sized_on_the_middle", "warning", "workload.sizing", params)


def no_weights(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A model whose weights are not on record."""
    if "weights" in ledger.not_modelled:
        params = {"model": scenario.model.name}
        yield Finding("weights_not_modelled", "info", "engine.weights_bytes", params)

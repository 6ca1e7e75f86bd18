"""Entries of a rank that grow with the requests under TensorRT-LLM.

reserved      = requests of the rank × blocks × bytes of a block
kv            = requests of the rank × Σ kept tokens × bytes of a token in the layers that keep them
fragmentation = reserved − kv     tails, blocks kept for output to come, parts of unused pools
"""

from __future__ import annotations

from workbench.core.engines.trtllm.cache import StageCache, Window
from workbench.core.load.demand import Demand
from workbench.core.terms import requests_drawn
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario

_RULE = Source("engine_rule")


def held_entries(
    scenario: Scenario, stage: StageCache, demand: Demand, requests: int
) -> tuple[Entry, ...]:
    """Entries for `requests` requests of a replica on one rank; together they are whole blocks."""
    number = _on_rank(scenario, demand, requests)
    here = int(str(number.value))
    block_bytes = stage.pages.bytes_per_block
    block = _term("bytes_per_block", block_bytes, "engine.block_tokens")
    each = sum(window.token_bytes * min(demand.tokens, window.tokens) for window in stage.windows)
    own_blocks = demand.own_blocks_of(requests)
    kept_bytes = here * demand.blocks * block_bytes
    # What is shared is drawn as the prefix, whose tokens are then no request's own.
    waste_bytes = min(kept_bytes - here * each, own_blocks * block_bytes)
    kv_bytes = own_blocks * block_bytes - waste_bytes
    kv = _term("request_kv_bytes", each, None, _kept_formula(stage.windows, demand))
    blocks = Term("blocks", demand.blocks, "blocks", Evidence.COMPUTED, _RULE, "workload.context")
    waste = Formula(
        "{requests} × ({blocks} × {bytes_per_block} - {request_kv_bytes})",
        (number, blocks, block, kv),
    )
    if not demand.prefix_blocks:
        return (
            _entry(EntryKind.FRAGMENTATION, "block_tails", waste_bytes, waste),
            _entry(
                EntryKind.KV,
                "kv",
                kv_bytes,
                Formula("{requests} × {request_kv_bytes}", (number, kv)),
            ),
        )
    own = Term(
        "own_blocks", own_blocks, "blocks", Evidence.COMPUTED, _RULE, "workload.prefix_tokens"
    )
    whole = _term("waste_bytes", kept_bytes - here * each, None, waste)
    held = Formula("min({waste_bytes}, {own_blocks} × {bytes_per_block})", (whole, own, block))
    shared = Term(
        "prefix_blocks",
        demand.prefix_blocks,
        "blocks",
        Evidence.COMPUTED,
        _RULE,
        "workload.prefix_tokens",
    )
    tails = _term("tail_bytes", waste_bytes, None, held)
    return (
        _entry(EntryKind.FRAGMENTATION, "block_tails", waste_bytes, held),
        _entry(
            EntryKind.PREFIX,
            "prefix",
            demand.prefix_blocks * block_bytes,
            Formula("{prefix_blocks} × {bytes_per_block}", (shared, block)),
        ),
        _entry(
            EntryKind.KV,
            "kv",
            kv_bytes,
            Formula("{own_blocks} × {bytes_per_block} - {tail_bytes}", (own, block, tails)),
        ),
    )


def _on_rank(scenario: Scenario, demand: Demand, requests: int) -> Term:
    """Requests of the rank with the most: all of the replica, unless attention is shared out."""
    drawn = requests_drawn(scenario, requests)
    if demand.ranks == 1:
        return drawn
    ranks = Term(
        "attention_ranks", demand.ranks, "count", Evidence.GIVEN, Source("typed"), "deployment.tp"
    )
    formula = Formula(
        "⌈{replica_requests} ÷ {attention_ranks}⌉",
        (
            Term(
                "replica_requests",
                drawn.value,
                "count",
                drawn.evidence,
                drawn.source,
                drawn.field,
                drawn.formula,
            ),
            ranks,
        ),
    )
    here = -(-requests // demand.ranks)
    return Term(
        "requests", here, "count", Evidence.COMPUTED, _RULE, "engine.enable_attention_dp", formula
    )


def _kept_formula(windows: tuple[Window, ...], demand: Demand) -> Formula:
    """Σ layers' bytes of a token × tokens that they keep."""
    parts, terms = [], []
    for place, window in enumerate(windows, start=1):
        suffix = "" if len(windows) == 1 else f"_{place}"
        parts.append(f"{{stored_tokens{suffix}}} × {{token_bytes{suffix}}}")
        tokens = min(demand.tokens, window.tokens)
        terms += [
            Term(
                f"stored_tokens{suffix}",
                tokens,
                "tokens",
                Evidence.COMPUTED,
                _RULE,
                "workload.context",
            ),
            _term(f"token_bytes{suffix}", window.token_bytes, "precision.kv"),
        ]
    return Formula(" + ".join(parts), tuple(terms))


def _term(symbol: str, size: int, field: str | None, formula: Formula | None = None) -> Term:
    return Term(symbol, size, "bytes", Evidence.COMPUTED, _RULE, field, formula)


def _entry(kind: EntryKind, label: str, size: int, formula: Formula) -> Entry:
    return Entry(kind, label, size, Evidence.COMPUTED, formula, _RULE)

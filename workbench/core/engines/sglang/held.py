"""Entries of a rank that grow with the requests under SGLang: pages of its token pools.

pages of a request   the pool that runs out first: ⌈tokens ÷ page⌉ of the full pool, or
                     ⌈⌈window tokens ÷ page⌉ ÷ ratio⌉ where the window pool is the smaller
kv                   requests × Σ layers × kept tokens × bytes of a token in a layer
fragmentation        the rest of their pages, the idle part of the other pool among it
"""

from __future__ import annotations

from math import ceil

from workbench.core.engines.rule import StagePages
from workbench.core.engines.sglang.cells import Kept
from workbench.core.engines.sglang.fixed import RULE
from workbench.core.engines.sglang.plan import Plan
from workbench.core.engines.sglang.pools import window_request_tokens
from workbench.core.load.demand import Demand, demand_over
from workbench.core.terms import requests_drawn
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangRules


def demand_of_plan(scenario: Scenario, plan: Plan, rules: SglangRules, tokens: int) -> Demand:
    """Pages that requests of `tokens` tokens hold, shared ones counted once in each group."""
    page = plan.flags.block_tokens
    pages = -(-tokens // page)
    cell = next((stage.cell for stage in plan.stages if stage.cell.kept), None)
    by_group = [0] * (1 if cell is None else len(cell.kept))
    by_group[0] = pages
    if cell is not None and cell.window is not None and len(by_group) > 1:
        reach = window_request_tokens(plan.flags, cell.window.tokens, rules.window_eviction_tokens)
        needed = ceil(-(-min(tokens, reach) // page) / cell.window.ratio)
        if needed > pages and cell.window.full_layers:
            # The window pool runs out first: a request is as many pages as its share of it.
            by_group[0], by_group[1] = 0, needed
    if cell is not None and cell.window is not None and not cell.window.full_layers:
        reach = window_request_tokens(plan.flags, cell.window.tokens, rules.window_eviction_tokens)
        by_group[0] = min(pages, -(-reach // page))
    shared = (page,) if plan.flags.radix_cache else ()
    return demand_over(
        tokens,
        tuple(by_group),
        shareable_block_tokens=shared,
        tail_tokens=-tokens % page,
        prefix_groups=scenario.workload.prefix_groups,
        ranks=plan.flags.dp_attention,
    )


def held_entries(
    scenario: Scenario,
    pages: StagePages,
    kept: tuple[Kept, ...],
    demand: Demand,
    requests: int,
) -> tuple[Entry, ...]:
    """Entries for `requests` requests of a replica on the rank that holds most of them."""
    number = _held_here(scenario, demand, requests)
    here = int(str(number.value))
    each = _request_bytes(kept, demand)
    page_bytes = pages.bytes_per_block
    page = Term("bytes_per_block", page_bytes, "bytes", Evidence.COMPUTED, RULE)
    blocks = Term("blocks", demand.blocks, "blocks", Evidence.COMPUTED, RULE, "workload.context")
    own = demand.own_blocks_of(requests)
    # Bytes that a release undercounts live beside the budget: what is held here is whole pages.
    kv_bytes = min(here * int(str(each.value)), own * page_bytes)
    entries = []
    own_term = Term("own_blocks", own, "blocks", Evidence.COMPUTED, RULE, "workload.prefix_tokens")
    if demand.prefix_blocks:
        size = demand.prefix_blocks * page_bytes
        prefix = Term(
            "prefix_blocks",
            demand.prefix_blocks,
            "blocks",
            Evidence.COMPUTED,
            RULE,
            "workload.prefix_tokens",
        )
        formula = Formula("{prefix_blocks} × {bytes_per_block}", (prefix, page))
        entries.append(_entry(EntryKind.PREFIX, "prefix", size, formula))
    whole = Formula("{requests} × {blocks} × {bytes_per_block}", (number, blocks, page))
    if demand.shared_blocks:
        whole = Formula("{own_blocks} × {bytes_per_block}", (own_term, page))
    held = Formula("{requests} × {request_kv_bytes}", (number, each))
    if kv_bytes < here * int(str(each.value)):
        terms = dict.fromkeys((*held.terms, *whole.terms))
        held = Formula(f"min({held.expression}, {whole.expression})", tuple(terms))
    kv = Term("held_kv_bytes", kv_bytes, "bytes", Evidence.COMPUTED, RULE, None, held)
    waste = own * page_bytes - kv_bytes
    if waste:
        formula = Formula(f"{whole.expression} - {{held_kv_bytes}}", (*whole.terms, kv))
        entries.append(_entry(EntryKind.FRAGMENTATION, "block_tails", waste, formula))
    entries.append(_entry(EntryKind.KV, "kv", kv_bytes, held))
    return tuple(entries)


def _held_here(scenario: Scenario, demand: Demand, requests: int) -> Term:
    """Requests of one group of ranks: all, or the even share of DP attention, rounded up."""
    drawn = requests_drawn(scenario, requests)
    if demand.ranks == 1:
        return drawn
    groups = Term(
        "attention_ranks",
        demand.ranks,
        "count",
        Evidence.GIVEN,
        Source("typed"),
        "engine.dp_attention",
    )
    formula = Formula("⌈{requests} ÷ {attention_ranks}⌉", (drawn, groups))
    size = -(-requests // demand.ranks)
    return Term("requests", size, "count", Evidence.COMPUTED, RULE, drawn.field, formula)


def _request_bytes(kept: tuple[Kept, ...], demand: Demand) -> Term:
    """What the layers of a rank keep of one request."""
    total = 0
    parts: list[str] = []
    terms: list[Term] = []
    for number, part in enumerate(kept, start=1):
        suffix = "" if len(kept) == 1 else f"_{number}"
        tokens = demand.tokens
        if part.reach_tokens:
            tokens = min(tokens, part.reach_tokens)
        total += part.layers * tokens * part.layer_bytes
        source = Source("layers", part.kind)
        names = f"layers{suffix}", f"stored_tokens{suffix}", f"layer_token_bytes{suffix}"
        parts.append(" × ".join(f"{{{name}}}" for name in names))
        terms += [
            Term(names[0], part.layers, "count", Evidence.GIVEN, source, "model.layers"),
            Term(names[1], tokens, "tokens", Evidence.COMPUTED, RULE, "workload.context"),
            Term(names[2], part.layer_bytes, "bytes", Evidence.COMPUTED, source, "precision.kv"),
        ]
    formula = Formula(" + ".join(parts) or "0", tuple(terms))
    return Term("request_kv_bytes", total, "bytes", Evidence.COMPUTED, RULE, None, formula)


def _entry(kind: EntryKind, label: str, size: int, formula: Formula) -> Entry:
    return Entry(kind, label, size, Evidence.COMPUTED, formula, RULE)

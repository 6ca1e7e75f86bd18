"""Entries of a rank that grow with the requests under vLLM: whole blocks of one shared pool.

reserved      = requests × blocks × bytes of a block
kv            = requests × Σ stored tokens × bytes of a token in the layers that keep them
state         = requests × Σ states × bytes of a state
fragmentation = reserved − kv − state    tails of last blocks, padded pages and groups
withheld      = the block no request gets; in flight: a batch beyond the windows
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.engines.vllm.cache import Cache, StageCache, StoredKind
from workbench.core.engines.vllm.needs import BlockNeed
from workbench.core.load.demand import Demand
from workbench.core.terms import requests_drawn
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario

_RULE = Source("vllm_blocks")


@dataclass(frozen=True, slots=True)
class _Part:
    """What some layers keep of one request: its bytes, and the terms that give them."""

    bytes: int
    expression: str
    terms: tuple[Term, ...]


def held_entries(
    scenario: Scenario, cache: Cache, stage: StageCache, demand: Demand, requests: int
) -> tuple[Entry, ...]:
    """Entries for `requests` requests on one rank; together they are whole blocks."""
    kv = _summed([_attention_part(kind, demand, cache, scenario) for kind in _attention(stage)])
    state = _summed([_state_part(kind.need, kind, demand) for kind in stage.stored if kind.need])
    block_bytes = stage.pages.bytes_per_block
    request_bytes = demand.blocks * block_bytes
    waste_bytes = request_bytes - kv.bytes - state.bytes
    number = requests_drawn(scenario, requests)
    held = Term(
        "bytes_per_block", block_bytes, "bytes", Evidence.COMPUTED, _RULE, "engine.block_tokens"
    )
    blocks = Term("blocks", demand.blocks, "blocks", Evidence.COMPUTED, _RULE)
    each_kv = _part_term("request_kv_bytes", kv)
    each_state = _part_term("request_state_bytes", state)
    waste = Formula(
        "{requests} × ({blocks} × {bytes_per_block} - {request_kv_bytes} - {request_state_bytes})",
        (number, blocks, held, each_kv, each_state),
    )
    entries: list[Entry] = []
    if state.bytes:
        formula = Formula("{requests} × {request_state_bytes}", (number, each_state))
        entries.append(_entry(EntryKind.STATE, "state", requests * state.bytes, formula))
    if scenario.workload.prefix_groups and demand.prefix_blocks:
        entries += _with_prefix(
            demand, requests, number, held, each_state, requests * waste_bytes, waste
        )
    else:
        entries.append(
            _entry(EntryKind.FRAGMENTATION, "block_tails", requests * waste_bytes, waste)
        )
        formula = Formula("{requests} × {request_kv_bytes}", (number, each_kv))
        entries.append(_entry(EntryKind.KV, "kv", requests * kv.bytes, formula))
    if demand.in_flight_blocks:
        flying = Term(
            "in_flight_blocks",
            demand.in_flight_blocks,
            "blocks",
            Evidence.COMPUTED,
            _RULE,
            "engine.max_num_batched_tokens",
        )
        formula = Formula("{in_flight_blocks} × {bytes_per_block}", (flying, held))
        size = demand.in_flight_blocks * block_bytes
        entries.append(_entry(EntryKind.KV, "in_flight", size, formula))
    if stage.pages.withheld_blocks:
        formula = Formula("{bytes_per_block}", (held,))
        entries.append(_entry(EntryKind.FRAGMENTATION, "withheld_block", block_bytes, formula))
    return tuple(entry for entry in entries if entry.bytes or entry.label == "kv")


def _with_prefix(
    demand: Demand,
    requests: int,
    number: Term,
    held: Term,
    each_state: Term,
    waste_bytes: int,
    waste: Formula,
) -> list[Entry]:
    """Blocks of all prefixes once, and what the requests hold beside them."""
    block_bytes, state_bytes = int(str(held.value)), int(str(each_state.value))
    own = demand.own_blocks_of(requests)
    prefix_term = Term(
        "prefix_blocks",
        demand.prefix_blocks,
        "blocks",
        Evidence.COMPUTED,
        _RULE,
        "workload.prefix_tokens",
    )
    own_term = Term("own_blocks", own, "blocks", Evidence.COMPUTED, _RULE, "workload.prefix_tokens")
    own_bytes = own * block_bytes - requests * state_bytes
    if waste_bytes > own_bytes:
        # Padding of the shared blocks belongs to the prefix; the requests' own hold no more.
        whole = Term("waste_bytes", waste_bytes, "bytes", Evidence.COMPUTED, _RULE, None, waste)
        waste_bytes = own_bytes
        waste = Formula(
            "min({waste_bytes}, {own_blocks} × {bytes_per_block}"
            " - {requests} × {request_state_bytes})",
            (whole, own_term, held, number, each_state),
        )
    waste_term = Term("waste_bytes", waste_bytes, "bytes", Evidence.COMPUTED, _RULE, None, waste)
    size = own * block_bytes - waste_bytes - requests * state_bytes
    formula = Formula(
        "{own_blocks} × {bytes_per_block} - {waste_bytes} - {requests} × {request_state_bytes}",
        (own_term, held, waste_term, number, each_state),
    )
    prefix = Formula("{prefix_blocks} × {bytes_per_block}", (prefix_term, held))
    return [
        _entry(EntryKind.FRAGMENTATION, "block_tails", waste_bytes, waste),
        _entry(EntryKind.PREFIX, "prefix", demand.prefix_blocks * block_bytes, prefix),
        _entry(EntryKind.KV, "kv", size, formula),
    ]


def _attention(stage: StageCache) -> list[StoredKind]:
    return [kind for kind in stage.stored if kind.need is None]


def _attention_part(
    kind: StoredKind, demand: Demand, cache: Cache, scenario: Scenario
) -> tuple[str, StoredKind, int, Term]:
    """Tokens that layers of a kind keep of a request."""
    inputs = cache.prepared.inputs
    tokens = kind.stored_tokens(demand.tokens, inputs.max_num_batched_tokens, inputs.dcp)
    term = Term("stored_tokens", tokens, "tokens", Evidence.COMPUTED, _RULE, "workload.context")
    return "token", kind, tokens, term


def _state_part(
    need: BlockNeed, kind: StoredKind, demand: Demand
) -> tuple[str, StoredKind, int, Term]:
    """States that a request keeps in each recurrent layer."""
    states = need.blocks(demand.tokens)
    term = Term("states", states, "count", Evidence.COMPUTED, _RULE, "engine.speculative_tokens")
    return "state", kind, states, term


def _summed(parts: list[tuple[str, StoredKind, int, Term]]) -> _Part:
    """Add up layers × what they keep × bytes of each."""
    total = 0
    expressions: list[str] = []
    terms: list[Term] = []
    for number, (unit, kind, amount, term) in enumerate(parts, start=1):
        suffix = "" if len(parts) == 1 else f"_{number}"
        total += kind.layers * amount * kind.layer_bytes
        names = f"layers{suffix}", f"{term.symbol}{suffix}", f"layer_{unit}_bytes{suffix}"
        expressions.append(" × ".join(f"{{{name}}}" for name in names))
        terms += [
            Term(names[0], kind.layers, "count", Evidence.GIVEN, Source("layers", kind.kind)),
            Term(names[1], term.value, term.unit, term.evidence, term.source, term.field),
            Term(
                names[2],
                kind.layer_bytes,
                "bytes",
                Evidence.COMPUTED,
                Source("layers", kind.kind),
                "precision.kv",
            ),
        ]
    return _Part(total, " + ".join(expressions) or "0", tuple(terms))


def _part_term(symbol: str, part: _Part) -> Term:
    formula = Formula(part.expression, part.terms)
    return Term(symbol, part.bytes, "bytes", Evidence.COMPUTED, _RULE, None, formula)


def _entry(kind: EntryKind, label: str, size: int, formula: Formula) -> Entry:
    return Entry(kind, label, size, Evidence.COMPUTED, formula, _RULE)

"""What a rank of SGLang spends whatever the requests.

Inside the budget: what was in use before, weights, the multimodal cache, state slots, a window
pool of its own size. In the slack beside it, where nothing is reserved by measurement: the request
table, decode graphs, activations, the padding page and what a release allocates without charging.
Source: SGLang 0.5.23 `mem_cache/kv_cache_configurator.py`, `mem_cache/memory_pool.py`,
`arg_groups/memory_hook.py` and their older forms; sglang.md §1, §3.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor

from workbench.core.engines.sglang.cells import draft_layers_of
from workbench.core.engines.sglang.plan import Plan, StagePlan, plan_of_start
from workbench.core.engines.sglang.pools import table_bytes
from workbench.core.engines.sglang.start import Start, start_of
from workbench.core.engines.sglang.states import slot_bytes, state_tp
from workbench.core.engines.vllm.estimate import estimate, exact, fitted, floored, given
from workbench.core.engines.vllm.shape import StageShape, stage_shape
from workbench.core.memory.shares import Stage
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine
from workbench.spec.units import MIB
from workbench.spec.vllm_fits import Spread

RULE = Source("sglang_pools")
_TYPED = Source("typed")
_ELEMENT_BYTES = {"fp32": 4, "float32": 4}
_LOGIT_BYTES = 8
"""A logit in 32 bits and a copy of it."""


def fixed_entries(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Entries of a rank of a stage that do not depend on the requests; none without a plan."""
    return _fixed_entries(start_of(scenario), stage.index)


@lru_cache(maxsize=128)
def _fixed_entries(start: Start, index: int) -> tuple[Entry, ...]:
    plan = plan_of_start(start)
    if not isinstance(plan, Plan):
        return ()
    engine, stage = start.engine, plan.stages[index]
    shape = stage_shape(start.model, stage.stage)
    entries = (
        _before(stage),
        _weights(start, engine, stage),
        _multimodal(stage),
        _states(stage),
        _window_pool(stage),
        _table(engine, plan),
        _graphs(engine, plan),
        _activations(start, engine, plan, shape),
        _padding(start, engine, plan, stage),
        _draft_pool(start, engine, plan, stage),
    )
    return tuple(entry for entry in entries if entry is not None)


# Inside the budget


def _before(stage: StagePlan) -> Entry:
    found = stage.before
    banded = (found.low_bytes, found.high_bytes) != (found.bytes, found.bytes)
    return Entry(
        EntryKind.RUNTIME,
        "before_start",
        found.bytes,
        found.evidence,
        found.formula,
        found.source,
        found.low_bytes if banded else None,
        found.high_bytes if banded else None,
    )


def _weights(start: Start, engine: SglangEngine, stage: StagePlan) -> Entry | None:
    loaded = stage.weights
    if loaded is None:
        return None
    certain = loaded.low_bytes == loaded.high_bytes
    measured = engine.weights_bytes is not None
    return Entry(
        EntryKind.WEIGHTS,
        "weights",
        loaded.bytes,
        Evidence.MEASURED if measured else Evidence.COMPUTED,
        loaded.formula,
        Source("log", engine.measured.source) if measured else Source("model", start.model.id),
        None if certain else loaded.low_bytes,
        None if certain else loaded.high_bytes,
    )


def _multimodal(stage: StagePlan) -> Entry | None:
    size = stage.multimodal_bytes
    if not size:
        return None
    term = Term("multimodal_cache", size, "bytes", Evidence.GIVEN, RULE)
    formula = Formula("{multimodal_cache}", (term,))
    return Entry(EntryKind.RUNTIME, "multimodal_cache", size, Evidence.COMPUTED, formula, RULE)


def _states(stage: StagePlan) -> Entry | None:
    """All slots, held by requests or not: the engine allocates them at start."""
    slots = stage.slots
    if slots is None or not slots.spent_bytes:
        return None
    each = Term("state_slot_bytes", slots.slot_bytes, "bytes", Evidence.COMPUTED, RULE)
    units, rest = divmod(slots.spent_bytes, slots.slot_bytes)
    assert not rest, "slots are charged whole"
    count = Term("charged_slots", units, "count", Evidence.COMPUTED, RULE, "engine.max_num_seqs")
    formula = Formula("{charged_slots} × {state_slot_bytes}", (count, each))
    size = slots.spent_bytes
    return Entry(EntryKind.STATE, "state_slots", size, Evidence.COMPUTED, formula, RULE)


def _window_pool(stage: StagePlan) -> Entry | None:
    if stage.window_pool is None:
        return None
    tokens, each = stage.window_pool
    terms = (
        Term(
            "window_pool_tokens", tokens, "tokens", Evidence.COMPUTED, RULE, "engine.max_num_seqs"
        ),
        Term("window_token_bytes", each, "bytes", Evidence.COMPUTED, RULE, "precision.kv"),
    )
    formula = Formula("{window_pool_tokens} × {window_token_bytes}", terms)
    size = stage.window_pool_bytes
    return Entry(EntryKind.KV, "window_pool", size, Evidence.COMPUTED, formula, RULE)


# In the slack


def _table(engine: SglangEngine, plan: Plan) -> Entry | None:
    """From each request to its tokens: at 128k and 2,048 rows a whole GiB."""
    flags, rules = plan.flags, engine.rules
    size = table_bytes(rules, flags, plan.requests.rows)
    drafts = flags.draft_tokens if rules.draft_columns else 0
    rows = plan.requests.rows + (0 if rules.printed_plus_one else 1)
    terms = [
        Term("table_rows", rows, "count", Evidence.COMPUTED, RULE, "engine.max_num_seqs"),
        given("max_model_len", flags.max_model_len, _TYPED, "engine.max_model_len", "tokens"),
    ]
    columns = "{max_model_len} + 4"
    if drafts:
        terms.append(given("draft_tokens", drafts, _TYPED, "engine.speculative_tokens", "tokens"))
        columns += " + {draft_tokens}"
    formula = Formula(f"{{table_rows}} × ({columns}) × 4", tuple(terms))
    return _beside(EntryKind.RUNTIME, "request_table", size, formula)


def _graphs(engine: SglangEngine, plan: Plan) -> Entry | None:
    """Decode graphs, by rule of thumb for each request of the largest one."""
    measured = engine.measured.graphs_bytes
    if measured is not None:
        source = Source("log", engine.measured.source)
        field = "engine.measured_graphs_bytes"
        term = Term("measured_graphs_bytes", measured, "bytes", Evidence.MEASURED, source, field)
        formula = Formula("{measured_graphs_bytes}", (term,))
        return Entry(
            EntryKind.RUNTIME,
            "cuda_graphs",
            measured,
            Evidence.MEASURED,
            formula,
            source,
            in_budget=False,
        )
    most, rules = plan.flags.graph_max_bs, engine.rules
    if not most:
        return None
    mib, spread = rules.graph_mib_per_request, rules.graph_spread
    size = floored(exact(mib) * most * MIB)
    formula = Formula(
        "⌊{graph_mib_per_request} × {graph_max_bs} × {mib_bytes}⌋",
        (
            fitted("graph_mib_per_request", mib, spread),
            given("graph_max_bs", most, _TYPED, "engine.cuda_graph_max_bs"),
            Term("mib_bytes", MIB, "bytes", Evidence.GIVEN, Source("unit")),
        ),
    )
    return _guessed(EntryKind.RUNTIME, "cuda_graphs", size, formula, spread)


def _activations(
    start: Start, engine: SglangEngine, plan: Plan, shape: StageShape | None
) -> Entry | None:
    """A chunk on its way through the widest layer, and the logits of the running requests."""
    if shape is None:
        return None
    flags, rules, tp = plan.flags, engine.rules, start.deployment.tp
    chunk = flags.chunked_prefill_size
    tokens = chunk if chunk > 0 else flags.max_prefill_tokens
    element = _ELEMENT_BYTES.get(start.precision.activation_dtype, 2)
    wide = -(-shape.intermediate_size // tp)
    if shape.experts is not None:
        routed = shape.experts.per_token * shape.experts.intermediate_size
        wide = max(wide, -(-routed // tp))
    inside = exact(rules.forward_intermediates) * wide + exact(rules.forward_hiddens) * (
        shape.hidden_size
    )
    size = floored(element * tokens * inside)
    spread, model = rules.activation_spread, Source("model", shape.model)
    expression = (
        "⌊{element_bytes} × {chunk_tokens} × ({forward_intermediates} × {width_on_rank}"
        " + {forward_hiddens} × {hidden_size})⌋"
    )
    terms = [
        given("element_bytes", element, Source("activation_dtype")),
        given("chunk_tokens", tokens, _TYPED, "engine.chunked_prefill_size", "tokens"),
        fitted("forward_intermediates", rules.forward_intermediates, spread),
        Term("width_on_rank", wide, "count", Evidence.COMPUTED, model, "deployment.tp"),
        fitted("forward_hiddens", rules.forward_hiddens, spread),
        given("hidden_size", shape.hidden_size, model),
    ]
    if shape.is_last:
        rows = min(plan.requests.running, max(1, flags.graph_max_bs or plan.requests.running))
        size += rows * shape.vocab_size * _LOGIT_BYTES
        expression += " + {sampled_rows} × {vocab_size} × 8"
        terms += [
            Term("sampled_rows", rows, "count", Evidence.COMPUTED, RULE, "engine.max_num_seqs"),
            given("vocab_size", shape.vocab_size, model),
        ]
    formula = Formula(expression, tuple(terms))
    return _guessed(EntryKind.ACTIVATIONS, "activations", size, formula, spread)


def _padding(start: Start, engine: SglangEngine, plan: Plan, stage: StagePlan) -> Entry | None:
    """Rows and slots that are allocated and not charged: a padding page, what drafts add."""
    cell, page = stage.cell, plan.flags.block_tokens
    tokens = plan.tokens.full
    if not cell.charged and stage.slots is None:
        return None
    # A pool for windows has a padding page of its own; both are counted by their full cell.
    stored = cell.stored_bytes
    under = max(0, stored - floor(cell.charged)) if cell.window is None else 0
    slots = 0 if stage.slots is None else stage.slots.padding_bytes
    own = slot_bytes(stage.stage, engine, state_tp(start.deployment.tp, plan.flags))
    slots = min(slots, own)
    size = (page + plan.margin) * stored + tokens * under + slots
    terms = [
        Term("padding_tokens", page + plan.margin, "tokens", Evidence.COMPUTED, RULE),
        Term("stored_token_bytes", stored, "bytes", Evidence.COMPUTED, RULE, "precision.kv"),
    ]
    expression = "{padding_tokens} × {stored_token_bytes}"
    if under:
        terms += [
            Term("pool_tokens", tokens, "tokens", Evidence.COMPUTED, RULE),
            Term("uncharged_bytes", under, "bytes", Evidence.COMPUTED, RULE, "precision.kv"),
        ]
        expression += " + {pool_tokens} × {uncharged_bytes}"
    if slots:
        terms.append(Term("state_slot_bytes", slots, "bytes", Evidence.COMPUTED, RULE))
        expression += " + {state_slot_bytes}"
    formula = Formula(expression, tuple(terms))
    return _beside(EntryKind.FRAGMENTATION, "pool_padding", size, formula)


def _draft_pool(start: Start, engine: SglangEngine, plan: Plan, stage: StagePlan) -> Entry | None:
    """The draft's cache of releases that do not charge it: as many tokens as the target's."""
    drafts, cell = draft_layers_of(start.model, plan.flags), stage.cell
    if engine.rules.draft_pool == "cell" or not drafts or not cell.layers:
        return None
    each = floor(cell.stored_bytes * drafts / cell.layers)
    tokens = plan.printed_tokens + plan.flags.block_tokens
    terms = (
        Term("draft_pool_tokens", tokens, "tokens", Evidence.COMPUTED, RULE),
        Term("draft_token_bytes", each, "bytes", Evidence.COMPUTED, RULE, "engine.draft_layers"),
    )
    formula = Formula("{draft_pool_tokens} × {draft_token_bytes}", terms)
    return _beside(EntryKind.KV, "draft_pool", tokens * each, formula)


def _beside(kind: EntryKind, label: str, size: int, formula: Formula) -> Entry | None:
    if not size:
        return None
    return Entry(kind, label, size, Evidence.COMPUTED, formula, RULE, in_budget=False)


def _guessed(kind: EntryKind, label: str, size: int, formula: Formula, spread: Spread) -> Entry:
    """A rule of thumb: between half of it and twice as much."""
    found = estimate(size, formula, spread, low_bytes=size // 2, high_bytes=2 * size)
    return Entry(
        kind,
        label,
        found.bytes,
        found.evidence,
        found.formula,
        found.source,
        found.low_bytes,
        found.high_bytes,
        in_budget=False,
    )

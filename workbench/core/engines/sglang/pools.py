"""Tokens of the pools, requests that run, and the table of their tokens: whole numbers only.

    tokens    ⌊rest ÷ cell⌋, at most --max-total-tokens, whole pages; the least of all stages
    windows   full = tokens, window pool = whole pages of full × ratio
    requests  clamp(tokens ÷ context × 512, 2048, 4096), or the flag
    table     (requests + 1) × (context + 4 + draft tokens) × 4 bytes

Source: SGLang `model_executor/pool_configurator.py`, `mem_cache/kv_cache_configurator.py` (0.5.23)
and their older forms; sglang.md §3.2, §3.3, §3.8, §4.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.engines.sglang.cells import Cell, Window
from workbench.core.engines.sglang.defaults import Flags
from workbench.spec.sglang import SglangEngine, SglangRules

_LEAST_ROWS = 2048
_ROWS_PER_CONTEXT = 512
_TABLE_ENTRY_BYTES = 4
_MORE_COLUMNS = 4
_DRAFT_BUFFER = 100


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a stage's pools hold."""

    full: int
    """Tokens as printed ("max_total_num_tokens")."""
    window: int | None = None
    """Tokens of the window pool."""


def paged(tokens: int, page: int) -> int:
    """Whole pages."""
    return max(0, tokens) // page * page


def tokens_of(
    cell: Cell, rest_bytes: int, engine: SglangEngine, flags: Flags, margin: int = 0
) -> Tokens:
    """Return what `rest_bytes` hold; `margin` are tokens that drafts of all requests add."""
    rest, page, window = max(0, rest_bytes), flags.block_tokens, cell.window
    most = engine.max_total_tokens
    if window is None:
        count = int(rest // cell.charged) + margin if cell.charged else 0
        return Tokens(paged(count if most is None else min(count, most), page))
    if engine.rules.window_split == "cell":
        count = int(rest // cell.charged)
        return _split(paged(count if most is None else min(count, most), page), window, page)
    count = rest // window.all_bytes + margin
    count = count if most is None else min(count, most)
    if engine.rules.window_split == "tokens":
        count = paged(count, page)
        layers = window.full_layers + window.window_layers
        if not window.full_layers:
            return Tokens(count, count)
        full = int(count * layers / (window.ratio * window.window_layers + window.full_layers))
        return Tokens(full, int(full * window.ratio))
    if not window.full_layers:
        return Tokens(paged(count, page), paged(count, page))
    total = count * window.all_bytes
    full = paged(int(total / (window.full_bytes + window.ratio * window.window_bytes)), page)
    return _split(full, window, page)


def _split(full: int, window: Window, page: int) -> Tokens:
    if not window.full_layers:
        return Tokens(full, full)
    return Tokens(full, paged(int(full * window.ratio), page))


def window_too_small(rules: SglangRules, cell: Cell, tokens: Tokens, page: int) -> bool:
    """Whether the window pool cannot admit one request (`validate_swa_pool_size`)."""
    window = cell.window
    if not rules.window_check or window is None or not window.full_layers:
        return False
    return window.tokens + page >= (tokens.window or 0)


def window_request_tokens(flags: Flags, window_tokens: int, eviction_tokens: int) -> int:
    """Tokens of the window pool that one running request may hold."""
    page, drafts = flags.block_tokens, max(1, flags.draft_tokens)
    return window_tokens + max(1, eviction_tokens) * drafts + page + page


def window_pool_tokens(flags: Flags, window_tokens: int, eviction_tokens: int) -> int:
    """Window pool of a given number of requests, without a radix cache (0.5.2x)."""
    page = flags.block_tokens
    requests = max(1, (flags.max_num_seqs or 1) // flags.dp_attention)
    chunks = 2 if flags.overlap_schedule else 1
    each = window_request_tokens(flags, window_tokens, eviction_tokens)
    total = each * requests + chunks * max(0, flags.chunked_prefill_size) + page
    return -(-total // page) * page


def draft_margin(flags: Flags, rows: int) -> int:
    """Tokens that drafts and their checks may hold for all requests at once, up to 0.5.8."""
    if not flags.drafts:
        return 0
    return rows * flags.steps * flags.topk + rows * flags.draft_tokens + _DRAFT_BUFFER


@dataclass(frozen=True, slots=True)
class Requests:
    """How many requests a group of ranks runs."""

    running: int
    """As printed ("max_running_requests")."""
    rows: int
    """Rows of the request table, the padding row left out."""


def unasked_rows(rules: SglangRules, flags: Flags, tokens: int) -> int:
    """Rows that drafts are counted for: the flag, or the estimate."""
    if flags.max_num_seqs is not None:
        return flags.max_num_seqs
    return estimated_rows(rules, tokens, flags.max_model_len)


def estimated_rows(rules: SglangRules, tokens: int, context: int) -> int:
    """Rows by the pool: 512 for each time the context fits, within limits."""
    rows = int(tokens / context * _ROWS_PER_CONTEXT)
    return max(min(rows, rules.most_rows), _LEAST_ROWS)


def requests_of(
    rules: SglangRules, flags: Flags, tokens: int, state_requests: int | None
) -> Requests:
    """Return what one group of ranks runs; `state_requests` have slots for their states."""
    estimated = estimated_rows(rules, tokens, flags.max_model_len)
    asked = flags.max_num_seqs
    if asked is not None:
        asked //= flags.dp_attention
    if rules.request_rule == "rows":
        # The table has as many rows as the flag asks for, whatever DP attention leaves of it.
        rows = estimated if flags.max_num_seqs is None else flags.max_num_seqs
        rows = rows if state_requests is None else min(rows, state_requests)
        if rules.printed_plus_one:
            rows += 1
        running = min(tokens // 2 if asked is None else asked, rows)
        return Requests(max(0, running), rows)
    if rules.request_rule == "estimate":
        running = min(estimated, tokens // 2) if asked is None else min(asked, estimated)
    elif asked is None:
        running = min(estimated, tokens // 2)
    else:
        running = min(max(1, asked), tokens // 2)
    if state_requests is not None:
        running = min(running, state_requests)
    running = max(0, running)
    return Requests(running, running)


def table_bytes(rules: SglangRules, flags: Flags, rows: int) -> int:
    """The table from requests to their tokens, int32, with a padding row."""
    columns = flags.max_model_len + _MORE_COLUMNS
    if rules.draft_columns:
        columns += flags.draft_tokens
    padding = 0 if rules.printed_plus_one else 1
    return (rows + padding) * columns * _TABLE_ENTRY_BYTES

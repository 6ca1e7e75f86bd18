"""Words of SGLang's entries, inputs, findings and of what it does not model."""

from __future__ import annotations

from collections.abc import Mapping

SGLANG_LABELS: Mapping[str, str] = {
    "multimodal_cache": "Runtime: multimodal cache",
    "state_slots": "Recurrent state: slots",
    "window_pool": "KV cache: window pool",
    "request_table": "Runtime: request table",
    "pool_padding": "Fragmentation: rows not charged",
    "draft_pool": "KV cache: draft, not charged",
}

SGLANG_SYMBOLS: Mapping[str, str] = {
    "before_start": "in use before start",
    "mem_fraction_static": "static fraction",
    "measured_before_load_bytes": "free before load, measured",
    "multimodal_cache": "multimodal cache",
    "state_slots": "state slots",
    "state_slot_bytes": "bytes of a state slot",
    "charged_slots": "slots charged",
    "window_pool": "window pool",
    "window_pool_tokens": "tokens of the window pool",
    "window_token_bytes": "bytes of a token, window layers",
    "full_token_bytes": "bytes of a token, full layers",
    "swa_full_tokens_ratio": "window pool ratio",
    "table_rows": "rows of the request table",
    "draft_tokens": "draft tokens",
    "graph_mib_per_request": "MiB of graphs for a request",
    "graph_max_bs": "largest graph batch",
    "chunk_tokens": "tokens of a chunk",
    "width_on_rank": "widest layer on a rank",
    "padding_tokens": "padding tokens",
    "stored_token_bytes": "bytes of a token as stored",
    "uncharged_bytes": "bytes of a token not charged",
    "draft_pool_tokens": "tokens of the draft's pool",
    "draft_token_bytes": "bytes of a token, draft",
    "draft_margin": "tokens added for drafts",
    "token_cell_bytes": "bytes of a token, charged",
    "full_pool_tokens": "tokens of the pool",
    "held_kv_bytes": "KV held, bytes",
    "sharded_weights": "weights at TP",
    "attention_at_tp": "attention at TP",
    "attention_of_group": "attention of a group",
    "request_table": "request table",
    "request_table_bytes": "request table",
    "activations_bytes": "activations",
    "pool_padding_bytes": "rows not charged",
    "draft_pool_bytes": "draft's cache, not charged",
}

SGLANG_SOURCES: Mapping[str, str] = {"sglang_pools": "SGLang's pools"}

SGLANG_NOT_MODELLED: Mapping[str, str] = {
    "prefill_graphs": "graphs of prefill steps",
}

SGLANG_FINDINGS: Mapping[str, str] = {
    "refused.static_part_too_small": "The weights leave nothing of the static fraction "
    "{fraction_share}: raise it above {least_share}, or take more GPUs.",
    "refused.too_few_state_slots": "{slots} state slots serve no request, each takes {each}: "
    "raise the static fraction or the state memory ratio.",
    "refused.window_pool_too_small": "A window pool of {pool_tokens} admits no request: it has to "
    "hold more than {needed_tokens}. Raise the window pool ratio or the static fraction.",
    "refused.chunk_not_whole_pages": "A prefill chunk of {chunk_tokens} is no multiple of a page "
    "of {page_tokens}.",
}

SGLANG_NOTES: tuple[str, ...] = (
    "three start-up logs, 0.4 to 1.2 GiB",
    "two start-up logs of A100 PCIe",
    "one start-up log of 24 GB cards",
    "between one rank and eight",
    "four start-up logs, 1.7 to 2.4 GiB",
    "one start-up log",
    "one start-up log of 8 × MI308X",
    "2.5 and 3.4 GiB at 160 requests",
    "between the releases around it",
    "0.6 to 1.4 GiB at 512 requests",
    "a chunk through the widest layer",
)
"""Notes of figures by rule of thumb, as the release table has them."""

"""Words of the capacity record, and of how answers move, by code."""

from __future__ import annotations

from collections.abc import Mapping

RECORD_TITLES: Mapping[str, str] = {
    "record": "Capacity record",
    "titled": "Capacity record: {title}",
    "summary": "Scenarios at a glance",
    "scenario": "{name}",
    "baseline": "{name} (baseline)",
    "items": "What is planned",
    "capacity": "What it holds",
    "ledger": "Memory ledger",
    "formulas": "How each figure is reached",
    "inputs": "Inputs",
    "findings": "Findings",
    "not_modelled": "Not modelled",
    "assumptions": "What is assumed or fitted",
}

RECORD_COLUMNS: Mapping[str, str] = {
    "item": "Item",
    "value": "Value",
    "evidence": "Evidence",
    "weakest": "Least sure input",
    "band": "Low to high",
    "figure": "Figure",
    "verdict": "Verdict",
    "most": "Most requests",
    "free": "Free per GPU",
    "scenario": "Scenario",
}

RECORD_ITEMS: Mapping[str, str] = {
    "file": "File",
    "date": "Date",
    "program": "Program",
    "fingerprint": "Fingerprint of all inputs",
    "scenarios": "Scenarios",
    "model": "Model",
    "card": "Cards",
    "engine": "Engine",
    "structure": "Structure",
    "precision": "Precision",
    "context_limit": "Context limit",
    "target": "Concurrency target",
    "per_token": "KV bytes per token, per GPU",
    "entries": "Total: entries of the budget",
    "budget": "Total: budget of the engine",
    "total": "Total: card",
    "reserve": "Reserve",
    "exceeded": "When it is exceeded",
    "engine_log": "Engine log",
    "steady_mean": "Steady state, mean length, headroom used",
    "steady_p95": "Steady state, P95 length, headroom used",
    "steady_p99": "Steady state, P99 length, headroom used",
    "at_risk": "At risk, headroom used",
    "most_requests": "Most requests of the drawn length, headroom kept",
}

RECORD_VALUES: Mapping[str, str] = {
    "program": "KV Workbench {version}",
    "layers": "{count} layers: {runs}",
    "listed": "{one}; {two}",
    "sentences": "{one} {two}",
    "run": "{count} × {kind}",
    "run_heads": "{count} × {kind}: {kv_heads} KV heads of {head_dim}",
    "run_latent": "{count} × {kind}: latent of {kv_lora_rank} and {qk_rope_head_dim}",
    "window": "{run}, window {window_tokens}",
    "precision": "weights {weights}, KV cache {kv}, activations {activations}",
    "context": "{planned_tokens} tokens are planned",
    "context_limit": "{limit_tokens} tokens are accepted, {planned_tokens} are planned",
    "target": "{count} requests at once",
    "no_target": "not set: the largest number that fits is shown",
    "preset": "{name} ({reference})",
    "edited": "{name} ({reference}, edited since)",
    "own": "{name} (no preset)",
    "cards": "{count} × {name}",
    "plain": "Plain arithmetic",
    "engine": "{name} {release}, by the rules of {rules}",
    "bytes": "{size} B ({shown})",
    "bytes_per_token": "{size} B",
    "not_worked_out": "not worked out",
    "requests": "{count} requests",
    "reserve_short": "{reserve}, of which {kept_bytes} is left",
    "engine_log": "{count} requests of {tokens} tokens",
    "at_risk": "{count} requests, overflow in at most {risk_share}",
    "band": "{low_bytes} to {high_bytes}",
    "at_least": "{low_bytes} or more; the high end is not known",
    "at_most": "at most {high_bytes}",
    "refuses": "The engine does not start: {verdict}.",
    "most": "The pool holds at most {most} requests of {context_tokens} tokens.",
    "admits": "A prompt is admitted once it finds {blocks} blocks free; as many as {together} of "
    "them are admitted together, the next one waits in the queue.",
    "grows": "A request takes {blocks} more blocks while it decodes, which nobody keeps for it: "
    "when none is free, the engine preempts a request.",
    "no_growth": "A request takes no further block while it decodes, so that none is preempted.",
    "outputs_open": "The workload does not say how much of a request is output: whether requests "
    "outgrow the pool while they decode, so that the engine preempts, is open.",
    "no_scheduler": "The plain arithmetic has no scheduler: what happens to requests beyond that "
    "depends on the engine that serves them.",
    "scheduler_open": "What this engine does with requests beyond that is not modelled: whether "
    "it makes them wait, preempts or refuses them has to be read in its documentation.",
    "none": "None.",
}

RECORD_NOTES: Mapping[str, str] = {
    "intro": "This record says how much memory the planned service takes, what it can hold, and "
    "where every figure comes from. Beside each figure stands its evidence: given, computed, "
    "fitted, assumed or measured.",
    "unmeasured": "No figure here is a measurement unless it says so.",
    "embedded": "This file carries the whole plan and these answers: KV Workbench opens it, and "
    "`kvw check` tells whether presets, engine rules or answers have changed since.",
    "no_bar": "Scenarios without a bar here: {count}. The table has all.",
    "page": "{page} / {pages}",
    "data": "Data of the plan, read by KV Workbench. Do not edit.",
}

MOVES: Mapping[str, str] = {
    "changed": "the preset {reference} has changed since ({fields})",
    "gone": "the preset {reference} is gone",
    "all": "all changes together",
    "status": "verdict {before} → {after}",
    "most_requests": "max concurrency {before} → {after}",
    "left": "left per GPU, headroom included, {before_bytes} → {after_bytes}",
    "same": "the answer stays as it is",
    "moves": "{what}: {moves}",
    "program": "the program's rules have changed since {version}",
    "changed_plan": "The plan in this record is not the one that its answers were worked out for",
    "changed_answers": "The answers in this record were changed after it was written",
    "changed_text": "The text of this record was changed after it was written; the plan and the "
    "answers inside were not",
}
"""How an answer moves when what a plan was made from has changed."""

RECORD_ERRORS: Mapping[str, str] = {
    "record_without_plan": "{path} carries no plan of this program; open the plan itself (.kvw).",
    "record_damaged": "{path} is no intact document; accepted is a capacity record as .docx, "
    ".md or .pdf.",
    "record_cut": "{path} is cut off in the middle of the plan that it carries; take a whole copy "
    "of it.",
    "record_too_large": "{path} unpacks to more than is accepted: at most {limit_bytes} in "
    "{limit} parts.",
    "record_plan_too_large": "The plan in {path} is larger than the {limit_bytes} that are "
    "accepted at most.",
    "record_newer": "{path} was written by a newer program; accepted are records of version "
    "{limit}.",
}

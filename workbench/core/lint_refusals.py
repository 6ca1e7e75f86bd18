"""Findings of a refusal: which value keeps the engine from starting, and what it would take."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import parallelism_fault
from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.ledger import Finding, Fix, Ledger, Refusal
from workbench.spec.scenario import Scenario

_REASONED = (
    "batch_below_length",
    "batch_below_sequences",
    "length_beyond_derived",
    "longest_does_not_fit",
    "too_few_state_blocks",
    "width_not_divided",
    "attention_not_divided",
    "format_of_other_engines",
    "trtllm_beams_do_not_fit",
    "trtllm_window_too_large",
    "trtllm_int8_cache",
    "trtllm_int8_beside_fp8",
    "trtllm_prompt_beyond_step",
    "trtllm_context_not_split",
    "trtllm_experts_beyond_tp",
    "static_part_too_small",
    "too_few_state_slots",
    "slot_too_short",
    "too_many_sequences",
    "quantised_values_need_flash",
    "cache_types_differ",
    "cache_block_not_divided",
    "cache_not_allocated",
    "window_pool_too_small",
    "chunk_not_whole_pages",
)
"""Reasons that have a sentence of their own."""


def refusal_findings(
    scenario: Scenario, ledger: Ledger, ledger_of: Callable[[Scenario], Ledger]
) -> Iterator[Finding]:
    """The finding of the ledger's refusal, where there is one."""
    refusal = ledger.verdict.refusal
    if refusal is None:
        return
    if refusal.reason in _REASONED:
        yield _reasoned(refusal)
    elif refusal.category == "free_memory_below_request":
        yield Finding("free_memory_below_request", "error", refusal.field, refusal.params)
    elif refusal.category == "bad_parallelism":
        yield _bad_parallelism(scenario, refusal)
    elif refusal.category == "max_len_too_long":
        yield _too_long(scenario, ledger, refusal)
    elif refusal.category in ("unsupported", "cannot_fit_one_token"):
        yield _not_planned(scenario, refusal)


def _reasoned(refusal: Refusal) -> Finding:
    code, fix = f"refused.{refusal.reason}", None
    suggested = refusal.suggested_max_model_len
    if suggested is not None:
        fix = Fix("engine.max_model_len", suggested)
    elif refusal.reason == "longest_does_not_fit":
        code += ".no_suggestion"
    params = {**refusal.params, "suggested_tokens": suggested}
    return Finding(code, "error", refusal.field, params, fix)


def _not_planned(scenario: Scenario, refusal: Refusal) -> Finding:
    """What the engine's rule has no plan for."""
    model = scenario.model
    if scenario.engine.kind != "plain":
        params: dict[str, object] = {
            "engine": ENGINE_NAMES[scenario.engine.kind],
            "model": model.name,
            "reason": refusal.reason,
        }
        return Finding(f"refused.{refusal.category}", "error", refusal.field, params)
    found: set[str] = {run.mixer.kind for run in model.layers}
    kinds = sorted(found - {"full", "none"})
    if any(getattr(run.mixer, "indexer", None) for run in model.layers):
        kinds.append("sparse indexer")
    if kinds:
        params = {"model": model.name, "kinds": ", ".join(kinds)}
        return Finding("layers_not_planned", "error", None, params)
    if scenario.deployment.ep > 1 or scenario.deployment.dcp > 1:
        return Finding("parallelism_not_planned", "error", None, {})
    return Finding("layers_differ_not_planned", "error", None, {"model": model.name})


def _too_long(scenario: Scenario, ledger: Ledger, refusal: Refusal) -> Finding:
    """A request longer than the longest that is accepted."""
    longest = sized_tokens(scenario.workload.lengths, "max")
    suggested = refusal.suggested_max_model_len
    fix = None if suggested is None else Fix("engine.max_model_len", suggested)
    code = "context_beyond_max_model_len" if fix else "context_beyond_model"
    limit = ledger.scenario.resolved["max_model_len"]
    if fix is None:
        limit = scenario.model.max_position_tokens
    params = {"context_tokens": longest, "limit_tokens": limit}
    return Finding(code, "error", "workload.context", params, fix)


def _bad_parallelism(scenario: Scenario, refusal: Refusal) -> Finding:
    deployment, model = scenario.deployment, scenario.model
    field = parallelism_fault(model, deployment)
    if field is None and refusal.field == "deployment.dcp":
        params: dict[str, object] = {"dcp": deployment.dcp, "tp": deployment.tp}
        return Finding("dcp_not_possible", "error", refusal.field, params)
    if field == "deployment.pp":
        params = {"pp": deployment.pp, "layers": model.layer_count}
        return Finding("more_stages_than_layers", "error", field, params)
    if field == "deployment.pp_partition":
        partition = deployment.pp_partition or ()
        params = {"named": sum(partition), "layers": model.layer_count}
        return Finding("partition_misses_layers", "error", "deployment.pp", params)
    mixer = next(run.mixer for run in model.layers if getattr(run.mixer, "heads", None))
    params = {
        "tp": deployment.tp,
        "heads": getattr(mixer, "heads", 0),
        "kv_heads": getattr(mixer, "kv_heads", 0),
    }
    return Finding("tp_does_not_divide_heads", "error", "deployment.tp", params)

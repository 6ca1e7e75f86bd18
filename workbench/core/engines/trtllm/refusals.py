"""What TensorRT-LLM refuses whatever the pool, and what there is no rule for."""

from __future__ import annotations

from workbench.core.engines.foreign import foreign_format
from workbench.core.engines.trtllm.cache import cache_of
from workbench.core.engines.trtllm.defaults import engine_of, flags_of
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import parallelism_fault
from workbench.spec.ledger import Refusal
from workbench.spec.scenario import Scenario


def refusal(scenario: Scenario) -> Refusal | None:
    """Return why the engine would not start or serve the requests, in the order it would find."""
    layout = _layout_fault(scenario)
    if layout is not None:
        return layout
    cache = cache_of(scenario)
    if isinstance(cache, str):
        return Refusal("unsupported", reason=cache, has_pages=False)
    return foreign_format(scenario) or _cache_format(scenario) or _length_fault(scenario)


def _layout_fault(scenario: Scenario) -> Refusal | None:
    """Heads and stages that do not divide, experts beyond TP, a context that is split."""
    deployment = scenario.deployment
    whole = engine_of(scenario).enable_attention_dp
    # With attention DP heads stay whole on each rank; only stages are divided.
    heads = deployment.with_(tp=1) if whole else deployment
    fault = parallelism_fault(scenario.model, heads)
    if fault is not None:
        return Refusal("bad_parallelism", field=fault, has_pages=False)
    params = {"tp": deployment.tp, "ep": deployment.ep, "dcp": deployment.dcp}
    for field, reason, wrong in (
        ("deployment.dcp", "trtllm_context_not_split", deployment.dcp > 1),
        ("deployment.ep", "trtllm_experts_beyond_tp", deployment.tp % deployment.ep > 0),
    ):
        if wrong:
            return Refusal("bad_parallelism", None, reason, params, field, has_pages=False)
    return None


def _cache_format(scenario: Scenario) -> Refusal | None:
    """int8 caches exist on the TensorRT backend only, and never beside FP8 weights (§1)."""
    weights, kv = scenario.precision.weights, scenario.precision.kv
    if kv.id != "int8":
        return None
    if flags_of(scenario).backend == "pytorch":
        params: dict[str, object] = {"format": kv.name}
        return Refusal(
            "unsupported", reason="trtllm_int8_cache", params=params, field="precision.kv"
        )
    if weights.id.startswith("fp8"):
        params = {"format": kv.name, "weights": weights.name}
        return Refusal(
            "unsupported", reason="trtllm_int8_beside_fp8", params=params, field="precision.kv"
        )
    return None


def _length_fault(scenario: Scenario) -> Refusal | None:
    """A request longer than `max_seq_len`, or a prompt that no step can take."""
    flags, lengths = flags_of(scenario), scenario.workload.lengths
    longest = sized_tokens(lengths, "max")
    if longest > flags.max_model_len:
        limit = scenario.model.max_position_tokens
        suggested = longest if limit is None or longest <= limit else None
        return Refusal("max_len_too_long", suggested)
    outputs = scenario.workload.outputs
    if flags.enable_chunked_prefill or outputs is None:
        return None
    # The longest request has at least the prompt that the longest output leaves it.
    prompt = longest - sized_tokens(outputs, "max")
    if prompt <= flags.max_num_batched_tokens:
        return None
    params = {"batch_tokens": flags.max_num_batched_tokens, "prompt_tokens": prompt}
    return Refusal(
        "max_len_too_long",
        reason="trtllm_prompt_beyond_step",
        params=params,
        field="engine.max_num_batched_tokens",
    )

"""What a record says of its launch: parallel sizes and flags, under the names of the profile."""

from __future__ import annotations

import re
from typing import Any, Final

from workbench.intake.engine_logs import Fault, LogRecord, Unreadable
from workbench.spec.deployment import Deployment
from workbench.spec.model import ModelSpec
from workbench.spec.units import GIB

_STATE_DTYPES: Final = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}


def deployment_of(record: LogRecord) -> Deployment | Fault:
    """Return the parallel sizes; TP that is not stated is certain for a single card only."""
    tp, pp = record.tp, record.pp
    if tp is None:
        if record.gpus != 1:
            cards = "an unknown number of" if record.gpus is None else str(record.gpus)
            return Fault("deployment_not_stated", cards)
        tp = 1
    dp = record.dp or 1
    ep = record.ep
    if ep is None:
        ep = tp * dp if record.bool_flag("enable_expert_parallel") else 1
    dcp = record.count_flag("decode_context_parallel_size", "dcp")
    return Deployment(tp=tp, pp=pp or 1, dp=dp, ep=ep, dcp=dcp or 1)


def engine_flags(record: LogRecord, *, is_hybrid: bool) -> dict[str, Any]:
    """Return the launch flags under the names of the engine profile."""
    offload_gib = record.number_flag("cpu_offload_gb", "cpu_offload_gib")
    runner = record.flag("model_runner")
    state_dtype = _STATE_DTYPES.get(str(record.flag("mamba_ssm_cache_dtype")).lower())
    # On hybrids a block size in a log is most often what the engine made of it.
    block_tokens = None if is_hybrid else record.count_flag("block_size")
    unchunked = record.bool_flag("enable_chunked_prefill", "chunked_prefill")
    manager_off = record.bool_flag("disable_hybrid_kv_cache_manager")
    return {
        "gpu_memory_utilization": _utilisation(record),
        "max_model_len": longest_of(record),
        "max_num_seqs": record.count_flag("max_num_seqs"),
        "max_num_batched_tokens": record.count_flag("max_num_batched_tokens"),
        "block_tokens": block_tokens,
        "enable_prefix_caching": record.bool_flag("enable_prefix_caching"),
        "enable_chunked_prefill": unchunked,
        "enforce_eager": record.bool_flag("enforce_eager"),
        "async_scheduling": record.bool_flag("async_scheduling"),
        "second_generation_runner": None if runner is None else str(runner).upper() == "V2",
        "hybrid_kv_cache_manager": None if manager_off is None else not manager_off,
        "max_cudagraph_capture_size": record.count_flag(
            "max_cudagraph_capture_size", "max_capture_size"
        ),
        "cpu_offload_bytes": None if offload_gib is None else int(offload_gib * GIB),
        "mamba_state_dtype": state_dtype,
    }


def longest_of(record: LogRecord) -> int | None:
    """Return the longest request: the flag, else the length that the log counted with."""
    flag = record.flag("max_model_len")
    printed = record.printed("max_concurrency_tokens")
    if flag is not None and flag != -1:
        return record.count_flag("max_model_len")
    if printed is None:
        return None
    if printed.value != int(printed.value) or printed.value < 1:
        raise Unreadable("measured.max_concurrency_tokens")
    return int(printed.value)


def _utilisation(record: LogRecord) -> float | None:
    """Return the share asked for: the flag, else what the log says was requested of the total."""
    value = record.number_flag("gpu_memory_utilization")
    if value is None:
        requested, total = record.printed("requested_gib"), record.gpu_total_gib
        if requested is None or total is None:
            return None
        value = requested.value / total.value
    if not 0 < value <= 1:
        raise Unreadable("flags.gpu_memory_utilization")
    return value


def draft_tokens(record: LogRecord, model: ModelSpec) -> int | None:
    """Return the tokens drafted, 0 without a draft model, None when the draft is not known."""
    stated = record.flag("spec_decode", "speculative_config", "speculative")
    if stated is None or stated is False:
        return 0
    match = re.fullmatch(r"mtp[ :x=-]*([0-9]{1,2})", str(stated).strip(), re.IGNORECASE)
    if match is None or model.draft is None:
        return None
    return int(match[1])

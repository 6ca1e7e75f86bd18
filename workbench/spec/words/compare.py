"""Words of fixes, of the reasons why there is none, and of inputs that are no quantities."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.spec.words.labels import BINDING

INPUT_NAMES: Mapping[str, str] = {
    "precision.activation_dtype": "activation type",
    "precision.left_alone": "left in 16 bits",
    "deployment.pp_partition": "layers of the stages",
    "deployment.nodes": "nodes",
    "workload.outputs": "output lengths",
    "workload.prefix_groups": "shared prefixes",
    "workload.arrivals_per_s": "arrivals a second",
    "workload.burstiness_cv": "burstiness",
    "other": "other",
}
"""Inputs of `core.inputs` that `FIELDS` does not name."""

INPUTS_ALONE: Mapping[str, str] = {
    "model.preset": "model",
    "gpu.preset": "GPU",
    "precision.weights": "weight format",
    "engine.activation_reserve": "activation reserve",
    "engine.fragmentation_reserve": "fragmentation reserve",
    "workload.longest": "longest request",
}
"""Names of inputs that read well only under the heading of their part, for where none stands."""

LIMITS: Mapping[str, str] = {
    **BINDING,
    "max_num_seqs": "requests run at once",
    "none": "no limit found",
}
"""What stops a solver's next step."""

FIX_CAPTIONS: Mapping[str, str] = {
    "requests": "{requests} requests",
    "context": "context ≤ {context_tokens}",
    "lengths": "lengths × {length_share}",
    "kv_format": "{id} KV cache",
    "weight_format": "{id} weights",
    "tp": "TP {tp}",
    "pp": "PP {value}",
    "dcp": "DCP {value}",
    "ep": "EP {value}",
    "even_stages": "even stages",
    "max_model_len": "max model len {value_tokens}",
    "max_num_batched_tokens": "max batched tokens {value_tokens}",
    "max_num_seqs": "max sequences {value}",
    "enable_chunked_prefill": "chunked prefill",
    "gpu_memory_utilization": "utilization {value_share}",
    "num_gpu_blocks_override.default": "blocks left to the engine",
    "kv_cache_memory_bytes.default": "pool left to the engine",
}
"""Captions of the buttons that apply a fix."""

FIX_COSTS: Mapping[str, str] = {
    "requests": "Serves {requests} requests at once instead of {before}.",
    "context": "Requests of at most {context_tokens} tokens instead of {before_tokens}.",
    "lengths": "Every length in proportion: the longest request has {context_tokens} tokens "
    "instead of {before_tokens}.",
    "kv_format": "Keeps the KV cache in {format}; how it changes the answers is not modelled.",
    "weight_format": "Keeps the weights in {format}; how it changes the answers is not modelled.",
    "tp": "Takes {gpus} GPUs instead of {before}.",
    "pp": "Shares the layers over {value} stages.",
    "dcp": "No decode context parallelism.",
    "ep": "No expert parallelism.",
    "even_stages": "The engine shares the layers out evenly.",
    "max_model_len": "The engine accepts requests of at most {value_tokens} tokens.",
    "max_num_batched_tokens": "At most {value_tokens} tokens in one step.",
    "max_num_seqs": "At most {value} requests at once.",
    "enable_chunked_prefill": "Long prompts are computed in chunks.",
    "gpu_memory_utilization": "The engine may use {value_share} of the card.",
    "num_gpu_blocks_override.default": "The engine counts the blocks itself.",
    "kv_cache_memory_bytes.default": "The engine sizes the pool itself.",
}
"""What each fix takes or changes, in one sentence."""

NO_FIX: Mapping[str, str] = {
    "tight": "No smaller question that was tried leaves the reserve free.",
    "unsupported": "No setting helps: the engine has no plan for {model}.",
    "no_layout": "No TP up to 64 divides the heads of {model}.",
    "weights": "Nothing that was tried helps: even with TP {tp} the weights take {weights_bytes} "
    "on each GPU, {budget_bytes} may be used.",
    "fixed": "Nothing that was tried helps: even with TP {tp} what is fixed takes {fixed_bytes} "
    "on each GPU, {budget_bytes} may be used.",
    "refuses": "No change that was tried lets the engine start.",
    "nothing": "No change that was tried fits: fewer or shorter requests, 8-bit formats, TP up to "
    "{tp}.",
}
"""Why no fix exists."""

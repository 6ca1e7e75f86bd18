"""Names of entries, kinds, fields, inputs and sources."""

from __future__ import annotations

from collections.abc import Mapping

KINDS: Mapping[str, str] = {
    "weights": "Weights",
    "runtime": "Runtime",
    "activations": "Activations",
    "state": "Recurrent state",
    "fragmentation": "Fragmentation",
    "prefix": "Prefix cache",
    "kv": "KV cache",
    "headroom": "Headroom",
    "free": "Free",
    "unrequested": "Not requested",
}

LABELS: Mapping[str, str] = {
    "weights": "Weights",
    "runtime": "Runtime, as given",
    "kv_scales": "KV scales of the layers",
    "activation_reserve": "Activations: reserve",
    "fragmentation_reserve": "Fragmentation: reserve",
    "block_tails": "Fragmentation: tail of last blocks",
    "prefix": "Prefix cache",
    "kv": "KV cache",
    "headroom": "Headroom",
    "free": "Free",
    "unrequested": "Not requested by the engine",
}

EVIDENCE: Mapping[str, str] = {
    "given": "given",
    "computed": "computed",
    "fitted": "fitted",
    "assumed": "assumed",
    "measured": "measured",
}

STATUS: Mapping[str, str] = {
    "fits": "Fits",
    "tight": "Tight",
    "does_not_fit": "Does not fit",
    "refuses": "Engine refuses",
}

BINDING: Mapping[str, str] = {
    "weights": "weights",
    "runtime": "runtime overhead",
    "activations": "activations",
    "kv": "KV cache",
    "prefix": "prefix cache",
    "headroom": "headroom",
    "architecture": "architecture",
    "parallelism": "parallel layout",
    "max_model_len": "longest request allowed",
}

SIZINGS: Mapping[str, str] = {
    "mean": "mean",
    "p50": "P50",
    "p95": "P95",
    "p99": "P99",
    "max": "longest",
}

FIELDS: Mapping[str, str] = {
    "model.preset": "preset",
    "model.layers": "layers",
    "model.kv_heads": "KV heads",
    "model.head_dim": "head size",
    "precision.weights": "weights",
    "precision.kv": "KV format",
    "gpu.preset": "profile",
    "gpu.device_total_bytes": "card total",
    "deployment.tp": "TP",
    "deployment.pp": "PP",
    "deployment.dp": "DP",
    "deployment.replicas": "replicas",
    "engine.kind": "engine",
    "engine.block_tokens": "block size",
    "engine.activation_reserve": "activations",
    "engine.fragmentation_reserve": "fragmentation",
    "engine.weights_bytes": "weights as given",
    "engine.runtime_bytes": "runtime as given",
    "engine.max_model_len": "max model len",
    "engine.max_num_seqs": "max sequences",
    "workload.lengths": "lengths",
    "workload.sizing": "drawn with",
    "workload.context": "context",
    "workload.p50": "P50",
    "workload.p95": "P95",
    "workload.p99": "P99",
    "workload.longest": "longest",
    "workload.concurrency": "concurrency",
    "workload.prefix_tokens": "shared prefix",
    "workload.prefix_distinct": "distinct prefixes",
    "workload.prefix_share": "shared by",
    "reserves.headroom": "headroom",
    "reserves.tight_below": "tight below",
    "workload.risk_share": "risk taken",
}

FIELD_HELP: Mapping[str, str] = {
    "model.layers": "Decoder layers of the model.",
    "model.kv_heads": "Key/value heads of a layer, not attention heads.",
    "model.head_dim": "Elements of one attention head.",
    "gpu.device_total_bytes": "Memory that the runtime reports for one card.",
    "deployment.tp": "Tensor parallelism: cards that share every layer.",
    "deployment.pp": "Pipeline parallelism: stages that share the layers.",
    "deployment.dp": "Data parallelism: copies of the model behind one server.",
    "deployment.replicas": "Independent copies of the whole deployment.",
    "engine.block_tokens": "Tokens in one block of the KV pool.",
    "engine.activation_reserve": "Kept for activations and communication buffers: a share of "
    "the card or bytes.",
    "engine.fragmentation_reserve": "Kept for fragmentation: a share of the card or bytes.",
    "engine.weights_bytes": "Weights of the whole model in bytes; empty takes the model's tensors.",
    "engine.runtime_bytes": "Context, communication buffers and graphs on each card; empty: not "
    "modelled.",
    "engine.max_model_len": "Longest request that is accepted, in tokens; empty takes the "
    "model's longest position.",
    "engine.max_num_seqs": "Most requests at once; empty takes 256 for the block table and "
    "no limit.",
    "workload.context": "Tokens a request holds at its end: prompt and output.",
    "workload.p50": "Half of the requests are at most this long.",
    "workload.p95": "95 % of the requests are at most this long.",
    "workload.p99": "99 % of the requests are at most this long.",
    "workload.longest": "Length of the longest request.",
    "workload.concurrency": "Requests held at once; empty shows the largest number that fits.",
    "workload.prefix_tokens": "Tokens that requests share at their beginning; empty: nothing "
    "is shared.",
    "workload.prefix_distinct": "How many different shared prefixes there are.",
    "workload.prefix_share": "Share of all requests that begin with one of the prefixes.",
    "reserves.tight_below": "With less left than this a scenario is called tight; empty takes the "
    "headroom.",
    "workload.risk_share": "Probability of overflowing the pool that is taken; empty takes 1 %.",
    "reserves.headroom": "Kept free on every card for bursts, block tables and alignment: a "
    "share of the card or bytes.",
}

SYMBOLS: Mapping[str, str] = {
    "layers": "layers",
    "layer_bytes": "bytes of a layer",
    "outside_layers_bytes": "outside the layers",
    "tp": "TP",
    "ranks": "ranks of a replica",
    "weights_bytes": "weights as given",
    "runtime_bytes": "runtime as given",
    "device_total_bytes": "card total",
    "activation_reserve": "activation reserve",
    "fragmentation_reserve": "fragmentation reserve",
    "layer_scale_bytes": "scales of a layer",
    "requests": "requests",
    "target": "target concurrency",
    "copies": "copies of the model",
    "context_tokens": "tokens of a request",
    "tail_tokens": "empty slots of the last block",
    "blocks": "blocks of a request",
    "block_tokens": "block size",
    "kv_bytes_per_token": "KV bytes per token",
    "kv_heads": "KV heads on a rank",
    "model_kv_heads": "KV heads of the model",
    "head_dim": "head size",
    "element_bytes": "bytes per element",
    "kv_head_bytes": "bytes of a head's key and value",
    "key_bytes": "key vector",
    "value_bytes": "value vector",
    "elements": "elements",
    "bits": "bits per element",
    "head_scale_bytes": "scale of a vector",
    "group_elements": "elements of a group",
    "group_scale_bytes": "scale of a group",
    "request_share": "share of requests",
    "bytes_per_block": "bytes of a block",
    "prefix_blocks": "blocks of all prefixes",
    "distinct": "distinct prefixes",
    "shared_tokens": "shared tokens",
    "own_blocks": "own blocks of all requests",
    "shared_blocks": "shared blocks of a request, mean",
    "tail_bytes": "tail of last blocks",
}

SOURCES: Mapping[str, str] = {
    "typed": "typed in the scenario",
    "model": "model {detail}",
    "gpu": "card profile",
    "tensor": "{detail}",
    "kv_format": "KV format {detail}",
    "founding_note": "founding note {detail}",
    "block_rule": "whole blocks",
    "engine_default": "default of {detail}",
    "engine_rule": "rule of the engine",
    "largest_that_fits": "largest number that fits",
    "lengths": "{detail} of the lengths",
}

NOT_MODELLED: Mapping[str, str] = {
    "weights": "weights: the model has none on record",
    "runtime": "runtime: context, communication buffers, CUDA graphs",
    "block_tables": "block tables: their bytes are shown, the budget is not charged",
    "alignment": "alignment of allocations",
    "workspaces": "temporary workspaces",
    "eviction": "eviction and preemption",
    "kv_quantisation_error": "quality loss of a quantised KV cache",
    "speed": "speed: throughput, latency, (de)quantisation time",
}

REASONS: Mapping[str, str] = {
    "as_expected": "as expected",
    "block_rounding": "whole blocks round the length up",
    "replication": "KV heads are copied on the ranks",
    "prefix_sharing": "shared prefixes are counted once",
    "scales": "scales do not grow with the head size",
    "layout": "the heads do not divide by TP",
}

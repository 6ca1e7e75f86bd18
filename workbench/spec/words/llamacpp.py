"""What llama.cpp's rule says: entries, symbols, sources, findings, verdicts."""

from __future__ import annotations

from collections.abc import Mapping

LLAMACPP_LABELS: Mapping[str, str] = {
    "device_context": "Runtime: driver context and libraries",
    "output_buffer": "Runtime: output buffer",
    "compute_buffer": "Activations: compute buffer",
    "state_rows": "Recurrent state: a row for each slot",
    "cell_rounding": "Fragmentation: cells that rounding adds",
    "window_cells": "KV cache: cells of windows",
    "idle_cells": "Fragmentation: cells that nobody holds",
}

LLAMACPP_SYMBOLS: Mapping[str, str] = {
    "experts_bytes": "routed experts",
    "output_bytes": "output matrix and norm",
    "embedding_bytes": "embedding",
    "divided_bytes": "share of the divided matrices",
    "layers_bytes": "layers without routed experts",
    "context_bytes": "driver context",
    "slots": "slots",
    "sequence_state_bytes": "states of a sequence",
    "cells": "cells",
    "cell_bytes": "bytes of a cell",
    "window_cells": "cells of the window",
    "window_bytes": "cells of a window",
    "slot_tokens": "tokens of a slot",
    "micro_batch": "micro batch",
    "input_copies": "copies of the inputs",
    "mask_cells": "cells of all masks",
    "logit_rows": "rows of logits",
    "query_heads": "query heads",
    "feed_forward_elements": "intermediates of a token",
    "copied_output_bytes": "output matrix, copied to the card",
    "copied_cache_bytes": "cache of a layer, copied to the card",
    "copied_weight_bytes": "experts of a layer, copied to the card",
    "logits_peak": "peak at the logits",
    "attention_peak": "peak of attention",
    "feed_forward_peak": "peak of the feed-forward layer",
    "latent_heads": "query heads of latent layers",
    "latent_row": "absorbed query and result of a head",
    "latent_peak": "peak of latent attention",
    "latent_numerator": "bytes of the log",
    "latent_denominator": "cells times tokens of the log",
    "input_copies_bytes": "further copies of the inputs",
    "host_total_bytes": "memory of the host",
}

LLAMACPP_SOURCES: Mapping[str, str] = {
    "llamacpp_rule": "llama.cpp's cells and buffers",
    "llamacpp_compute": "llama.cpp's largest graph, checked on start-up logs",
    "llamacpp_compute_one_log": "one start-up log, scaled",
    "gguf_mixture": "block types of the file type, layer by layer",
    "host_as_needed": "as much as the host needs: no size is given",
}

LLAMACPP_NOT_MODELLED: Mapping[str, str] = {
    "projector": "image projector: its own file and buffer",
    "prompt_reuse": "reuse of equal prompts: a slot keeps only its own last one",
    "prompt_cache": "prompt cache and checkpoints in host memory, up to 8 GiB by default",
    "repacked_weights": "weights repacked for the CPU",
    "kernel_pool": "scratch of the kernels, which grows with a quantised cache",
}

LLAMACPP_FINDINGS: Mapping[str, str] = {
    "refused.slot_too_short": "A request of {context_tokens} exceeds the {limit_tokens} of a slot. "
    "Raise the context, or take fewer slots.",
    "refused.too_many_sequences": "{sequences} slots: the engine has at most {limit}.",
    "refused.quantised_values_need_flash": "Values in {format} need flash attention: turn it on, "
    "or keep the values in 16 bits.",
    "refused.cache_types_differ": "A latent cache takes one type for keys and values, not {key} "
    "and {value}.",
    "refused.cache_block_not_divided": "Blocks of {format} do not divide a head of {width} "
    "elements: choose f16.",
    "refused.cache_not_allocated": "The cells take {needed_bytes}, {available_bytes} are left: the "
    "engine fails to allocate them. Lower the context, quantise the cache, or put fewer layers on "
    "the cards.",
}

LLAMACPP_VERDICTS: Mapping[str, str] = {
    "refuses.slot_too_short": "Engine refuses: a request is longer than a slot",
    "refuses.too_many_sequences": "Engine refuses: more slots than it has sequences",
    "refuses.quantised_values_need_flash": "Engine refuses: quantised values without flash "
    "attention",
    "refuses.cache_types_differ": "Engine refuses: a latent cache of two types",
    "refuses.cache_block_not_divided": "Engine refuses: blocks of the cache type do not divide a "
    "head",
    "refuses.cache_not_allocated": "Engine refuses: the KV cache cannot be allocated",
}

"""What TensorRT-LLM's rule says: findings, verdicts, symbols."""

from __future__ import annotations

from collections.abc import Mapping

TRTLLM_FINDINGS: Mapping[str, str] = {
    "trtllm_length_cut": "The pool holds no request of max model len {max_model_len_tokens}: the "
    "engine starts all the same and cuts the length to {longest_tokens}, with a warning in its "
    "log only.",
    "trtllm_length_cut.requests_refused": "The pool holds no request of max model len "
    "{max_model_len_tokens}: the engine starts all the same, cuts the length to {longest_tokens} "
    "and refuses longer requests, of which the workload has some, up to {context_tokens}.",
    "trtllm_long_prompts": "Without chunked prefill a step takes a whole prompt: of requests up to "
    "{context_tokens}, those whose prompt exceeds {batch_tokens} are refused. Raise max batched "
    "tokens or turn chunked prefill on.",
    "trtllm_small_for_profile": "The dummy batch that measures the activations needs "
    "{needed_tokens} tokens of cache, the pool holds {pool_tokens}: the start may fail. Lower max "
    "batched tokens.",
    "trtllm_windows_kept_whole": "The model's windows of {window_tokens} tokens are not known to "
    "the cache: every layer keeps every token, unless attention windows are given.",
    "trtllm_window_pools": "Each window has a pool of its own, and all are sized for requests that "
    "fill every window: requests of {context_tokens} fill the pool of {narrow_tokens} first, and "
    "that of {wide_tokens} stays partly empty.",
    "trtllm_host_cache": "The host cache of {host_bytes} keeps {blocks} blocks, {pool_tokens} "
    "tokens, for reuse; running requests take none of them.",
    "refused.trtllm_beams_do_not_fit": "One sequence of {beams} beams needs a block for each, the "
    "pool has {blocks}.",
    "refused.trtllm_window_too_large": "The pool holds no request of max model len "
    "{max_model_len_tokens}, and the engine was told to refuse rather than cut it to "
    "{suggested_tokens}.",
    "refused.trtllm_int8_cache": "The PyTorch backend has no cache of {format}: choose fp8, nvfp4 "
    "or 16 bits, or the TensorRT backend.",
    "refused.trtllm_int8_beside_fp8": "A cache of {format} is refused beside weights in {weights}: "
    "choose fp8.",
    "refused.trtllm_prompt_beyond_step": "Without chunked prefill a step takes a whole prompt: one "
    "of {prompt_tokens} exceeds max batched tokens {batch_tokens} and is refused.",
    "refused.trtllm_context_not_split": "DCP {dcp}: splitting a context over ranks is not planned "
    "for TensorRT-LLM; set DCP to 1.",
    "refused.trtllm_experts_beyond_tp": "EP {ep} with TP {tp}: experts are shared out inside TP, "
    "so EP must divide it.",
}

TRTLLM_VERDICTS: Mapping[str, str] = {
    "refuses.trtllm_beams_do_not_fit": "Engine refuses: not one sequence of all beams fits the KV "
    "pool",
    "refuses.trtllm_window_too_large": "Engine refuses: one request of its longest length does not "
    "fit the KV pool",
    "refuses.trtllm_int8_cache": "Engine refuses: its backend has no cache of this format",
    "refuses.trtllm_int8_beside_fp8": "Engine refuses: no 8-bit integer cache beside FP8 weights",
    "refuses.trtllm_prompt_beyond_step": "Engine refuses: a prompt is longer than a step takes",
}

TRTLLM_SYMBOLS: Mapping[str, str] = {
    "attention_ranks": "ranks with requests of their own",
    "replica_requests": "requests of a replica",
    "free_gpu_memory_fraction": "fraction of free memory",
    "kv_cache_max_tokens": "max tokens of the pool",
    "max_gpu_total_bytes": "max bytes of the pool",
    "primary_bytes": "bytes for the pool",
    "after_load_bytes": "left after loading",
    "blocks_of_rank": "blocks of a rank",
    "blocks_bytes": "bytes of the blocks",
    "token_bytes": "bytes of a token in all layers",
    "window": "attention window",
    "outside_bytes": "outside torch",
    "whole_bytes": "all weights on one rank",
    "decoder_bytes": "decoder",
    "vision_tower_bytes": "vision tower",
    "audio_tower_bytes": "audio tower",
    "draft_module_bytes": "draft module",
    "experts_bytes": "routed experts",
    "experts_on_rank_bytes": "routed experts of a rank",
}

TRTLLM_NOT_MODELLED: Mapping[str, str] = {
    "trtllm_reserves": "reserves for long latent contexts and multimodal encoders",
}

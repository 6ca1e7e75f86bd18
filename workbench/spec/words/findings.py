"""Sentences of findings, fixes and verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.spec.words.llamacpp import LLAMACPP_FINDINGS, LLAMACPP_VERDICTS
from workbench.spec.words.sglang import SGLANG_FINDINGS
from workbench.spec.words.trtllm import TRTLLM_FINDINGS, TRTLLM_VERDICTS

FINDINGS: Mapping[str, str] = {
    **TRTLLM_FINDINGS,
    **SGLANG_FINDINGS,
    **LLAMACPP_FINDINGS,
    "layers_not_planned": "The plain arithmetic has no rule for layers of kind {kinds} in {model}; "
    "counting them as full attention would be wrong. The vllm engine plans them.",
    "layers_differ_not_planned": "The plain arithmetic takes one attention shape for all layers; "
    "those of {model} differ. The vllm engine plans them.",
    "parallelism_not_planned": "The plain arithmetic has no rule for expert or decode-context "
    "parallelism; set EP and DCP to 1.",
    "refused.unsupported": "{engine} has no plan for {model}: {reason}.",
    "refused.cannot_fit_one_token": "Not one token of {model} fits what is left.",
    "refused.batch_below_length": "Without chunked prefill a step must take a whole request: raise "
    "max batched tokens from {batch_tokens} to {limit_tokens}, or turn chunked prefill on.",
    "refused.batch_below_sequences": "A step of {batch_tokens} tokens cannot serve {sequences} "
    "sequences: raise max batched tokens or lower max sequences.",
    "refused.length_beyond_derived": "Max model len {max_model_len_tokens} exceeds the "
    "{limit_tokens} that the engine derives from the model's config: at most that is accepted.",
    "refused.longest_does_not_fit": "One request of max model len {max_model_len_tokens} needs "
    "{needed_bytes} of KV cache, {available_bytes} is left: at most {suggested_tokens} tokens fit.",
    "refused.longest_does_not_fit.no_suggestion": "One request of max model len "
    "{max_model_len_tokens} does not fit the pool, and the release names no length that would.",
    "refused.too_few_state_blocks": "Max sequences {sequences} exceeds the {blocks} state blocks "
    "of the pool: lower max sequences or raise the memory for the pool.",
    "refused.format_of_other_engines": "{format} is read by {engines}, not by this engine: choose "
    "another format or engine.",
    "format_without_effect": "{format} quantises none of the matrices of {model}: its weights are "
    "counted in 16 bits.",
    "kv_may_be_switched": "NVFP4 checkpoints can switch the KV cache to fp8 by themselves: choose "
    "fp8 if the start-up log shows twice the tokens.",
    "refused.width_not_divided": "TP {tp} does not divide {width}, the width of {tensor}: take a "
    "TP that divides it.",
    "refused.attention_not_divided": "TP {tp} cannot be divided into {groups} groups of attention: "
    "take a number of groups that divides TP.",
    "free_memory_below_request": "{requested_bytes} are asked for, {free_bytes} are free at start: "
    "{used_bytes} are in use before. Lower the GPU memory utilization.",
    "dcp_not_possible": "DCP {dcp} with TP {tp}: DCP must divide TP, and not exceed the copies of "
    "each KV head.",
    "overcommitted": "Graphs, activations and tables outside the budget and what was in use before "
    "take {outside_bytes}, where {room_bytes} are left: the card may run out of memory. Ask for a "
    "smaller share of it.",
    "override_beyond_memory": "A pool of {blocks} blocks takes {asked_bytes}, {pool_bytes} are "
    "left for it: the engine runs out of memory at start. Give fewer blocks, or leave their "
    "number to the engine.",
    "pool_beyond_card": "A KV pool of {given_bytes} beside {beside_bytes} of weights, runtime and "
    "activations is more than the {total_bytes} of the card: the engine runs out of memory at "
    "start. Give less, or leave the size to the engine.",
    "pool_may_be_beyond_card": "Beside a given pool of {pool_bytes} the fitted figures may take "
    "more than the card has: the engine may run out of memory at start.",
    "band_straddles": "The fitted figures leave the answer open: the pool lies between {low_bytes} "
    "and {high_bytes}, and the verdict differs between the two.",
    "release_not_read": "The source of {release} was not read: it follows {rules} and the changes "
    "since whose date is known.",
    "start_is_open": "What is in use before the start may leave less free than is asked for: the "
    "engine may refuse to start. Lower the GPU memory utilization.",
    "thin_pool": "The pool of {pool_bytes} is a small difference of large figures: it may be "
    "anything from {low_bytes} to {high_bytes}. A start-up log would settle it.",
    "defaults_assumed": "Defaults assumed for release {release}: {flags}. Set them to be sure.",
    "prefix_caching_off": "Prefix caching is off: nothing is shared, and the prefix has no effect.",
    "more_stages_than_layers": "{pp} pipeline stages for {layers} layers: PP must not exceed the "
    "number of layers.",
    "partition_misses_layers": "The pipeline partition names {named} layers, the model has "
    "{layers}.",
    "tp_does_not_divide_heads": "TP {tp} does not divide {heads} attention heads and {kv_heads} KV "
    "heads: TP must divide the attention heads, and divide or be a multiple of the KV heads.",
    "context_beyond_max_model_len": "The longest request has {context_tokens} tokens, the engine "
    "accepts {limit_tokens}: raise max model len or shorten the context.",
    "context_beyond_model": "The longest request has {context_tokens} tokens, the model's longest "
    "position is {limit_tokens}.",
    "requests_do_not_fit": "The requests need {over_bytes} more on each card; {held} of this "
    "length fit.",
    "requests_do_not_fit.headroom": "The requests need {over_bytes} more on each card; {held} of "
    "this length fit with the headroom of {kept_bytes}.",
    "weights_fit_with_tp": "Weights of {weights_bytes} and the reserves exceed the "
    "{budget_bytes} to be used; with TP {tp} it fits.",
    "weights_fit_in_8_bits": "Weights of {weights_bytes} and the reserves exceed the "
    "{budget_bytes} to be used; with 8-bit weights it fits.",
    "weights_do_not_fit": "Weights of {weights_bytes} and the reserves exceed the "
    "{budget_bytes} to be used; no TP up to 64 and no 8-bit format makes it fit: take a larger "
    "card, more stages or a smaller model.",
    "inside_the_reserve": "Only {left_bytes} left of the {reserve_bytes} to keep: near the limit "
    "is not a pass.",
    "near_the_limit": "Only {left_bytes} left and no headroom kept: near the limit is not a pass.",
    "pool_below_one_block": "A KV pool of {given_bytes} holds no block beside the one withheld: "
    "a block takes {block_bytes}. Give more, or leave the size to the engine.",
    "prefix_does_not_fit": "The shared prefixes alone pin {prefix_bytes}, {over_bytes} too much: "
    "fewer distinct prefixes or shorter ones.",
    "block_below_format": "Kernels take {format} in blocks of at least {smallest_tokens} tokens, "
    "not {block_tokens}.",
    "no_headroom_kept": "No headroom is kept: block tables, alignment, temporary buffers and "
    "bursts need some.",
    "kv_heads_not_heads": "The cache counts {kv_heads} KV heads; counting the {heads} attention "
    "heads would overstate it {factor} times.",
    "more_kv_heads_than_heads": "{kv_heads} KV heads are more than the {heads} attention heads: "
    "check both.",
    "heads_taken_for_kv_heads": "{kv_heads} KV heads equal the attention heads: if that is the "
    "attention-head count, the cache is overstated {low_factor} to {high_factor} times.",
    "bytes_typed_as_bits": "{bits} bits an element: if bytes were meant, the cache is understated "
    "{factor} times.",
    "bits_typed_as_bytes": "{bits} bits an element: if the bits were multiplied by 8, the cache is "
    "overstated {factor} times.",
    "name_taken_for_total": "The total {total_bytes} is the {name_gb} GB of the card's name; the "
    "runtime reports less.",
    "max_model_len_far_above": "Max model len {max_model_len_tokens} is {factor} times the P99 "
    "request of {p99_tokens}: its block table takes {table_bytes} instead of {table_at_p99_bytes}, "
    "and engines that reserve by it hold fewer requests.",
    "max_model_len_beyond_model": "Max model len {max_model_len_tokens} lies beyond the model's "
    "longest position of {limit_tokens}: right only with extended positions (RoPE scaling).",
    "kv_format_saving": "{format} saves {saving_share} of the 16-bit cache at {context_tokens} "
    "tokens a request, {scale_bytes} of scales counted; speed is not modelled.",
    "kv_heads_copied": "TP {tp} exceeds {kv_heads} KV heads: each is kept {copies} times, "
    "{lost_per_token_bytes} lost per token over all ranks.",
    "prefix_longer_than_request": "The shared prefix of {prefix_tokens} is not shorter than a "
    "request of {context_tokens} tokens; only whole blocks before its last token are shared.",
    "prefix_below_one_block": "A shared prefix of {prefix_tokens} tokens fills no block of "
    "{block_tokens}: nothing is shared.",
    "prefix_with_one_request": "With one request at a time nobody shares the prefix.",
    "prefix_pins_much": "The prefix cache pins {prefix_bytes}, {cache_share} of the whole cache.",
    "target_above_max_num_seqs": "{concurrency} requests at once, the engine runs {limit}: the "
    "others wait.",
    "sized_on_the_middle": "Drawn with {sized_tokens} tokens a request, while 1 % are longer than "
    "{p99_tokens}: budget on P95 or P99.",
    "weights_not_modelled": "{model} has no weights on record: give their bytes or read the rest "
    "as an upper bound.",
}

FIXES: Mapping[str, str] = {
    "engine.max_model_len": "max model len {value_tokens}",
    "workload.concurrency": "{value} requests",
    "deployment.tp": "TP {value}",
    "engine.block_tokens": "block size {value}",
    "engine.num_gpu_blocks_override": "{value} blocks",
    "engine.max_num_seqs": "max sequences {value}",
}

VERDICTS: Mapping[str, str] = {
    **TRTLLM_VERDICTS,
    **LLAMACPP_VERDICTS,
    "fits": "Fits: {free_bytes} free per GPU · {held} requests of {context_tokens} tokens, at most "
    "{most}",
    "fits.headroom": "Fits: {free_bytes} free per GPU · {held} requests of {context_tokens} "
    "tokens, at most {most} with headroom",
    "fits.near": "Near the limit: {free_bytes} free per GPU · {held} requests of {context_tokens} "
    "tokens, at most {most}",
    "tight": "Tight: {left_bytes} left per GPU, inside the headroom to keep · {held} requests of "
    "{context_tokens} tokens",
    "decided": "decided by {binding}",
    "near": "{verdict}, near the limit",
    "unweighed": "{verdict}, without weights",
    "does_not_fit": "Over by {over_bytes} per GPU · decided by {binding}, {binding_bytes}",
    "does_not_fit.pool": "Does not fit · decided by {binding}, {binding_bytes}",
    "refuses.unsupported": "No plan: this architecture or layout is not covered by the engine's "
    "rule",
    "refuses.bad_parallelism": "Engine refuses to start: the parallel layout is not possible",
    "refuses.no_memory": "Engine refuses: no room for the KV pool · decided by {binding}, "
    "{binding_bytes}",
    "refuses.cannot_fit_one_token": "Engine refuses: not one token fits the KV pool",
    "refuses.free_memory_below_request": "Engine refuses: less memory is free at start than it "
    "asks for",
    "refuses.longest_does_not_fit": "Engine refuses: one request of its longest length does not "
    "fit the KV pool",
    "refuses.length_beyond_derived": "Engine refuses: max model len exceeds what the model's "
    "config allows",
    "refuses.too_few_state_blocks": "Engine refuses: more sequences than state blocks in the pool",
    "refuses.batch_below_length": "Engine refuses: a step takes fewer tokens than a request has",
    "refuses.batch_below_sequences": "Engine refuses: a step takes fewer tokens than sequences",
    "refuses.max_len_too_long": "Engine refuses: a request of {context_tokens} tokens is longer "
    "than it accepts",
}

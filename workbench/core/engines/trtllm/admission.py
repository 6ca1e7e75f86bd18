"""A scenario's admission view under TensorRT-LLM's capacity scheduler (tensorrt-llm.md §6)."""

from __future__ import annotations

from workbench.core.engines.trtllm.blocks import request_blocks
from workbench.core.engines.trtllm.cache import Cache, cache_of, kept_tokens
from workbench.core.engines.trtllm.defaults import engine_of, flags_of
from workbench.spec.ledger import Admission
from workbench.spec.scenario import Scenario


def admission(
    scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
) -> Admission | None:
    """Follow one request through the pool; None without KV or with pools of several windows.

    GUARANTEED_NO_EVICT asks for all blocks that a request may ever need before it starts;
    MAX_UTILIZATION for those of its prompt, and pauses the youngest when blocks run out.
    """
    engine, flags, cache = engine_of(scenario), flags_of(scenario), cache_of(scenario)
    if not isinstance(cache, Cache) or len(cache.windows) != 1:
        return None
    (window,) = cache.windows

    def blocks_of(tokens: int) -> int:
        return request_blocks(
            tokens,
            window,
            flags.block_tokens,
            sink_tokens=engine.sink_token_length,
            beams=engine.max_beam_width,
            output_tokens=max(0, tokens - prompt_tokens),
        )

    total = prompt_tokens + output_tokens
    after_prompt, at_end = blocks_of(prompt_tokens), blocks_of(total)
    kept = blocks_of(kept_tokens(scenario, total))
    needed = after_prompt if flags.capacity_scheduler_policy == "max_utilization" else kept
    return Admission(
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        pool_blocks=blocks,
        withheld_blocks=0,
        watermark_blocks=0,
        in_flight_tokens=flags.max_num_batched_tokens,
        needed_blocks=needed,
        after_prompt_blocks=after_prompt,
        at_end_blocks=at_end,
        peak_blocks=max(needed, at_end),
        admitted_together=flags.attention_ranks * min(flags.max_num_seqs, blocks // max(1, needed)),
    )

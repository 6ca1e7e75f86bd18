"""A scenario's admission view under vLLM (vllm.md §7)."""

from __future__ import annotations

from workbench.core.engines.vllm.cache import Cache, cache_of
from workbench.core.engines.vllm.defaults import flags_of
from workbench.core.engines.vllm.hold import admission_blocks, held, prompts_admitted, steps_of
from workbench.core.engines.vllm.plan import withheld_blocks
from workbench.spec.ledger import Admission
from workbench.spec.scenario import Scenario

MOST_STEPS = 2_000_000
"""Requests of more steps are not followed step by step."""


def admission(
    scenario: Scenario, num_blocks: int, prompt_tokens: int, output_tokens: int
) -> Admission | None:
    """Follow one request through the pool; None without pages, or for far too many steps."""
    flags = flags_of(scenario)
    cache = cache_of(scenario, flags)
    if not isinstance(cache, Cache) or not cache.prepared.groups:
        return None
    prepared = cache.prepared
    if steps_of(prepared, prompt_tokens, output_tokens) > MOST_STEPS:
        return None
    request = held(prepared, prompt_tokens, output_tokens)
    return Admission(
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        pool_blocks=num_blocks,
        withheld_blocks=withheld_blocks(prepared),
        watermark_blocks=int(flags.watermark * num_blocks),
        in_flight_tokens=prepared.inputs.in_flight_tokens,
        needed_blocks=admission_blocks(prepared, prompt_tokens),
        after_prompt_blocks=sum(request.after_prompt),
        at_end_blocks=sum(request.at_end),
        peak_blocks=request.peak_together,
        admitted_together=prompts_admitted(
            prepared,
            num_blocks,
            prompt_tokens,
            watermark=flags.watermark,
            limit=flags.max_num_seqs,
        ),
    )

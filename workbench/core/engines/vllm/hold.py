"""What the scheduler really admits and a request really holds (§7, vLLM 0.33.0).

A waiting request is admitted when blocks for its whole sequence so far are free, windowed layers
capped at what they can ever hold. Then it holds what its computed position needs: windowed layers
give back what lies behind the window at the beginning of a step, so a long prompt computed in
large chunks holds far more than the window for a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from workbench.core.engines.vllm.groups import Group
from workbench.core.engines.vllm.plan import Prepared

if TYPE_CHECKING:
    from workbench.core.engines.vllm.needs import Counts


@dataclass(frozen=True, slots=True)
class Held:
    """Whole blocks of each group that one request holds."""

    after_prompt: tuple[int, ...]
    at_end: tuple[int, ...]
    peak: tuple[int, ...]
    """Most of each group, at whatever step."""
    peak_together: int
    """Most of all groups at one step."""


Position = TypeVar("Position", int, "Counts")
"""A position in tokens, or many at once."""


def blocks_at(group: Group, prepared: Prepared, start: Position, end: Position) -> Position:
    """Blocks held after a step that began at position `start` and computed up to `end`."""
    page, inputs = group.page, prepared.inputs
    block = page.block_tokens
    match page.kind:
        case "sliding":
            behind = start - page.reach_tokens + 1 - inputs.window_lookahead_tokens
            return -(-end // block) - behind * (behind > 0) // block
        case "chunked":
            behind = start // page.reach_tokens * page.reach_tokens
            return -(-end // block) - behind // block
        case "state" | "cross":
            # Neither is capped: one number, or one for each block.
            need = group.need
            grown = -(-end // need.block_tokens) if need.block_tokens else end * 0
            return grown + need.extra_blocks
        case _:
            return -(-end // (block * inputs.dcp))


def held(prepared: Prepared, prompt_tokens: int, output_tokens: int) -> Held:
    """Return what a request alone in the engine holds, its prompt computed in whole batches.

    The key and value of the last token are never stored: it ends at prompt + output - 1.
    """
    import numpy as np

    batch = prepared.inputs.max_num_batched_tokens
    prompt_steps = -(-prompt_tokens // batch)
    decoding = np.arange(prompt_tokens, prompt_tokens + output_tokens - 1)
    starts = np.concatenate([np.arange(0, prompt_tokens, batch), decoding])
    ends = starts + 1
    ends[:prompt_steps] = np.minimum(starts[:prompt_steps] + batch, prompt_tokens)
    counts = [blocks_at(group, prepared, starts, ends) for group in prepared.groups]
    return Held(
        after_prompt=tuple(int(column[prompt_steps - 1]) for column in counts),
        at_end=tuple(int(column[-1]) for column in counts),
        peak=tuple(int(np.max(column)) for column in counts),
        peak_together=int(np.max(np.sum(counts, axis=0))),
    )


def steps_of(prepared: Prepared, prompt_tokens: int, output_tokens: int) -> int:
    """Steps that `held` looks at: one a batch of the prompt, one a token of the output."""
    return -(-prompt_tokens // prepared.inputs.max_num_batched_tokens) + output_tokens


def admission_blocks(prepared: Prepared, tokens: int) -> int:
    """Blocks that must be free to admit a sequence of `tokens` tokens.

    Releases that look at the first chunk alone ask for the blocks of one batch of the prompt.
    """
    inputs = prepared.inputs
    if inputs.rules.admission == "chunk":
        tokens = min(tokens, inputs.max_num_batched_tokens)
    total = 0
    for group in prepared.groups:
        whole = group.need.blocks(tokens)
        if group.page.kind in ("sliding", "chunked"):
            # Not the one block more that a window beginning inside a block can take.
            whole = min(-(-tokens // group.block_tokens), whole)
        total += whole
    return total


def prompts_admitted(
    prepared: Prepared,
    num_blocks: int,
    prompt_tokens: int,
    *,
    watermark: float | None = None,
    limit: int = 3000,
) -> int:
    """Return how many equal prompts are admitted and computed together before one is refused.

    The watermark is kept free only once something is scheduled. Stops at `limit`.
    """
    rules = prepared.inputs.rules
    share = rules.watermark if watermark is None else watermark
    free = num_blocks - (0 if rules.core == "v0" else 1)
    needed = admission_blocks(prepared, prompt_tokens)
    taken = sum(held(prepared, prompt_tokens, 1).after_prompt)
    if needed > free:
        return 0
    kept_free = int(share * num_blocks)
    if not taken:
        return limit
    # Where the first chunk is enough to be admitted, the whole prompts must still be computed.
    together = min(1 + max(0, (free - needed - kept_free) // taken), free // taken)
    return min(limit, together)

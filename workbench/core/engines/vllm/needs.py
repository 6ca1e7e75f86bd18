"""Blocks that one request can hold in a group (§4.6, `max_memory_usage_bytes` / page)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.engines.vllm.inputs import PlanInputs, Unsupported
from workbench.core.engines.vllm.layers import StateKv
from workbench.core.engines.vllm.pages import Page, checkpoints, states_align

# Arrays are for grids; a single budget needs none, and the window starts sooner without them.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockNeed:
    """Blocks as a function of tokens: ⌈min(cap, ⌈tokens ÷ shards⌉) ÷ block⌉ + extra."""

    block_tokens: int
    """0: the number does not depend on the tokens."""
    extra_blocks: int = 0
    cap_tokens: int | None = None
    shards: int = 1

    def blocks(self, tokens: int) -> int:
        """Blocks that a request of `tokens` tokens can hold."""
        if not self.block_tokens:
            return self.extra_blocks
        held = -(-tokens // self.shards)
        if self.cap_tokens is not None and held > self.cap_tokens:
            held = self.cap_tokens
        return -(-held // self.block_tokens) + self.extra_blocks

    def blocks_of(self, tokens: Counts) -> Counts:
        """Blocks of many requests at once."""
        import numpy as np

        if not self.block_tokens:
            return np.full_like(tokens, self.extra_blocks)
        held = -(-tokens // self.shards)
        if self.cap_tokens is not None:
            held = np.minimum(held, self.cap_tokens)
        blocks: Counts = -(-held // self.block_tokens) + self.extra_blocks
        return blocks


def block_need(page: Page, inputs: PlanInputs) -> BlockNeed:
    """Return what a request can hold of a layer's pages.

    `Unsupported` for sliding layers under decode context parallelism, which the engine refuses.
    """
    block = page.block_tokens
    match page.kind:
        case "full" | "latent" | "index":
            return BlockNeed(block, shards=inputs.dcp)
        case "sliding":
            if inputs.dcp > 1:
                raise Unsupported("sliding layers under decode context parallelism")
            cap = page.reach_tokens - 1 + inputs.window_lookahead_tokens
            # One more, as the window may begin inside a block.
            return BlockNeed(block, 1, cap + inputs.in_flight_tokens)
        case "chunked":
            return BlockNeed(block, 0, page.reach_tokens + inputs.in_flight_tokens)
        case "cross":
            # The engine limits encoder tokens to the batch, whatever the encoder can make.
            return BlockNeed(0, -(-inputs.max_num_batched_tokens // block))
        case "state":
            return _state_need(page, inputs)


def _state_need(page: Page, inputs: PlanInputs) -> BlockNeed:
    rule, spec = inputs.rules.state_blocks, inputs.speculative_tokens
    assert isinstance(page.layer, StateKv)
    if rule == "one":
        return BlockNeed(0, 1)
    if rule == "length" or (rule == "mode" and inputs.every_state_cached):
        return BlockNeed(page.block_tokens)
    if not states_align(inputs):
        return BlockNeed(0, 1 + spec)
    return BlockNeed(0, 2 + spec + checkpoints(page.layer, inputs))

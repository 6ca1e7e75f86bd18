"""What the planner is asked: layers, layout and flags, and the refusal it may answer with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from math import lcm
from typing import Literal

from workbench.core.engines.vllm.layers import KvRun, StateKv
from workbench.spec.kv_format import KvFormat
from workbench.spec.vllm_rules import VllmRules

Layout = Literal["LBNHC", "LBHNC", "BLHNC"]
"""Order of layer, block, head, token and channel; only BLHNC packs the layers of a block."""

Category = Literal["no_memory", "max_len_too_long", "cannot_fit_one_token", "unsupported"]


@dataclass(frozen=True, slots=True)
class KernelBlocks:
    """Block sizes that an attention kernel takes: those listed, or any multiple of the first."""

    sizes: tuple[int, ...]
    multiples: bool = False

    @property
    def smallest(self) -> int:
        """Smallest block in tokens."""
        return min(self.sizes)

    def accepts(self, tokens: int) -> bool:
        """Whether the kernel takes a block of this size."""
        return tokens % self.sizes[0] == 0 if self.multiples else tokens in self.sizes

    def within(self, tokens: int) -> int:
        """Largest block of at most `tokens`, or the smallest there is."""
        if self.multiples:
            return max(tokens // self.sizes[0] * self.sizes[0], self.sizes[0])
        return max((size for size in self.sizes if size <= tokens), default=self.smallest)


ANY_16 = KernelBlocks((16,), multiples=True)
"""FlashAttention, Triton, FlexAttention."""


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """One engine process as the planner sees it; every default of the engine is resolved.

    None in `prefix_caching`, `hybrid_manager`, `async_scheduling` and `second_generation_runner`
    takes the release's own default.
    """

    rules: VllmRules
    layers: tuple[KvRun, ...]
    stages: tuple[tuple[int, int], ...]
    """[first, last) entry of `layers` on each pipeline stage."""
    kv: KvFormat
    max_model_len: int
    max_num_batched_tokens: int
    max_num_seqs: int = 256
    fit_max_model_len: bool = False
    model_element_bytes: int = 2
    tp: int = 1
    dcp: int = 1
    """Decode-context times prefill-context ranks."""
    kernels: tuple[KernelBlocks, ...] = (ANY_16,)
    """Of each attention backend; the first is the one of the first attention layer."""
    block_tokens: int | None = None
    override_blocks: int | None = None
    prefix_caching: bool | None = None
    hybrid_manager: bool | None = None
    layout: Layout = "LBNHC"
    async_scheduling: bool | None = None
    second_generation_runner: bool | None = None
    speculative_tokens: int = 0
    window_lookahead_tokens: int = 0
    """Tokens beyond its window that a sliding layer keeps for several draft modules."""
    every_state_cached: bool = False
    """States are cached at every block (mode "all" of 0.19), not only where they align."""
    prefill_checkpoint_tokens: int = 1
    """Alignment of the model's prefill checkpoints, with prefix caching."""
    prefix_match_tokens: int | None = None
    """The flag that sets the unit in which prefixes are matched."""

    @property
    def has_states(self) -> bool:
        """Whether any layer is recurrent."""
        return any(isinstance(layer, StateKv) for layer, _ in self.layers)

    @property
    def caches_prefixes(self) -> bool:
        """Prefix caching as it will be."""
        if self.prefix_caching is not None:
            return self.prefix_caching
        rules = self.rules
        return rules.prefix_caching_hybrid if self.has_states else rules.prefix_caching

    @property
    def in_flight_tokens(self) -> int:
        """Tokens scheduled but not yet computed, at most (§3.5)."""
        rules = self.rules
        if rules.in_flight == "batch":
            return self.max_num_batched_tokens
        is_async = (
            rules.async_scheduling if self.async_scheduling is None else self.async_scheduling
        )
        second = self.second_generation_runner
        if second is None:
            second = rules.second_generation_runner
        pp = len(self.stages)
        if is_async and second:
            batches = pp + 1
        elif is_async and pp == 1:
            batches = 2
        else:
            batches = pp
        return batches * self.max_num_batched_tokens


@dataclass(frozen=True, slots=True)
class PlanRefusal:
    """Why the engine would not start with this plan."""

    category: Category
    reason: str
    """A code: what could not be planned, or which check failed."""
    suggested_max_model_len: int | None = None
    stage: int | None = None
    """Pipeline stage whose check failed."""
    needed_bytes: int | None = None
    available_bytes: int | None = None
    max_model_len: int | None = None


class Unsupported(Exception):
    """Raised while planning: the engine has no rule for these layers together."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def default_block_tokens(inputs: PlanInputs) -> int:
    """Return the block size without a flag (§3.6), before a hybrid raises it.

    The default if the backends that are asked take it, else the smallest least common multiple
    that they all take; `Unsupported` if there is none.
    """
    rules = inputs.rules
    preferred, kernels = rules.default_block_tokens, inputs.kernels
    if rules.default_block == "fixed":
        return preferred
    if rules.default_block == "first_backend":
        kernels = () if inputs.has_states else kernels[:1]
    if all(kernel.accepts(preferred) for kernel in kernels):
        return preferred
    common = (lcm(*sizes) for sizes in product(*(kernel.sizes for kernel in kernels)))
    fitting = [size for size in common if all(kernel.accepts(size) for kernel in kernels)]
    if not fitting:
        raise Unsupported("no common block size")
    return min(fitting)


def default_partition(layers: int, pp: int) -> tuple[tuple[int, int], ...]:
    """Return [first, last) of each pipeline stage (§5.4, `distributed/utils.py:get_pp_indices`).

    What does not divide goes one layer each to the stages before the last, from the back.
    """
    whole, rest = divmod(layers, pp)
    sizes = [whole] * pp
    for stage in range(pp - 2, pp - 2 - rest, -1):
        sizes[stage] += 1
    return partition(sizes)


def partition(sizes: list[int] | tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return [first, last) of stages that hold so many layers each."""
    bounds = [0]
    for size in sizes:
        bounds.append(bounds[-1] + size)
    return tuple(pairwise(bounds))

"""From bytes to blocks: the number of blocks, the checks, and what the engine prints (§6).

`prepare` does all that does not depend on the memory; `plan` then only divides and compares.
Formulas: vLLM 0.33.0 `v1/core/kv_cache_planning.py`, older releases
`v1/core/kv_cache_utils.py`; V0 `worker/worker.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING

from workbench.core.engines.vllm.alike import alike
from workbench.core.engines.vllm.groups import Group, groups_of, layers_of
from workbench.core.engines.vllm.inputs import PlanInputs, PlanRefusal, Unsupported
from workbench.core.engines.vllm.needs import BlockNeed, block_need
from workbench.core.engines.vllm.pages import Pages, pages_of, states_align

if TYPE_CHECKING:
    from workbench.core.engines.vllm.needs import Counts

StageNeed = tuple[tuple[BlockNeed, int], ...]
"""Bytes that a request needs on a stage: blocks of each need times these bytes."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A plan up to the memory it gets."""

    inputs: PlanInputs
    pages: Pages
    groups: tuple[Group, ...]
    """Of the whole model; of the first stage where each stage is grouped alone."""
    stage_groups: tuple[tuple[Group, ...], ...]
    """Groups of each stage; their members may lie on other stages."""
    bytes_per_block: tuple[int, ...]
    """Of each stage."""
    stage_needs: tuple[StageNeed, ...]
    needs: tuple[tuple[BlockNeed, int], ...]
    """Distinct needs of the groups and how many groups have each."""
    blocks_per_request: tuple[int, ...]
    """At the longest length, by group."""
    needed_bytes: tuple[int, ...]
    """What a request of the longest length needs on each stage, as the check computes it."""

    @property
    def block_tokens(self) -> int:
        """Block size as resolved."""
        return self.pages.block_tokens

    @property
    def reported_block_tokens(self) -> int:
        """Block size as printed (§5.5): the smallest of the groups."""
        return min((group.block_tokens for group in self.groups), default=self.block_tokens)

    @property
    def scheduler_block_tokens(self) -> int:
        """Tokens after which every group begins a block (§5.5)."""
        return lcm(*self._sharded_blocks()) if self.groups else self.block_tokens

    @property
    def hash_block_tokens(self) -> int:
        """Unit in which prefixes are matched (§5.5)."""
        inputs = self.inputs
        states = any(group.page.kind == "state" for group in self.groups)
        if not inputs.caches_prefixes or (states and not states_align(inputs)) or not self.groups:
            return self.scheduler_block_tokens
        return inputs.prefix_match_tokens or gcd(*self._sharded_blocks())

    def _sharded_blocks(self) -> tuple[int, ...]:
        return tuple(
            group.block_tokens * (1 if group.page.kind == "state" else self.inputs.dcp)
            for group in self.groups
        )

    def need_bytes(self, stage: int, tokens: int) -> int:
        """Bytes that a request of `tokens` tokens needs on a stage, as the check computes it."""
        return sum(each * need.blocks(tokens) for need, each in self.stage_needs[stage])

    def blocks_per_longest(self, tokens: int) -> int:
        """Blocks that one request of `tokens` tokens can hold, all groups together."""
        return sum(count * need.blocks(tokens) for need, count in self.needs)


@dataclass(frozen=True, slots=True)
class KvPlan:
    """The pool the engine allocates, and what it prints about it."""

    num_blocks: int
    """Of every rank, the one the pool withholds included."""
    blocks_before_min_by_stage: tuple[int, ...]
    kv_bytes_by_stage: tuple[int, ...]
    """Bytes really allocated on a rank of each stage."""
    kv_tokens: int
    """The printed "GPU KV cache size"."""
    max_concurrency: float
    """The printed "Maximum concurrency", not rounded."""
    effective_max_model_len: int
    """After auto-fit."""
    blocks_per_request: tuple[int, ...]
    """By group, for a request of the effective length."""


@lru_cache(maxsize=128)
def prepare(inputs: PlanInputs) -> Prepared | PlanRefusal:
    """Resolve block size, pages, groups and needs; refuse what the engine cannot plan."""
    try:
        return _prepared(inputs)
    except Unsupported as refused:
        return PlanRefusal("unsupported", refused.reason)


def _prepared(inputs: PlanInputs) -> Prepared:
    rules = inputs.rules
    pages = pages_of(inputs)
    stages: list[tuple[Group, ...]]
    if rules.grouping_scope == "stage":
        stages = [groups_of(layers_of(pages.runs, *stage), inputs) for stage in inputs.stages]
        # The engine compares the groups of all stages with those of the first, in order.
        for other in stages[1:]:
            for one, two in zip(stages[0], other, strict=False):
                if alike(one.page, rules) != alike(two.page, rules):
                    raise Unsupported("pipeline stages with different groups")
    else:
        last = max(last for _, last in inputs.stages)
        stages = [groups_of(layers_of(pages.runs, 0, last), inputs)] * len(inputs.stages)
    per_block = tuple(
        max((group.bytes_in(*stage) for group in groups), default=0)
        for groups, stage in zip(stages, inputs.stages, strict=True)
    )
    groups = stages[0]
    if groups and not all(per_block) and rules.grouping_scope == "model":
        raise Unsupported("a pipeline stage without any cache")
    needs: dict[BlockNeed, int] = {}
    for group in groups:
        needs[group.need] = needs.get(group.need, 0) + 1
    if rules.need == "layers":
        stage_needs = tuple(_layer_needs(pages, inputs, stage) for stage in inputs.stages)
    else:
        stage_needs = tuple(
            tuple((need, count * size) for need, count in needs.items()) for size in per_block
        )
    length = inputs.max_model_len
    return Prepared(
        inputs=inputs,
        pages=pages,
        groups=groups,
        stage_groups=tuple(stages),
        bytes_per_block=per_block,
        stage_needs=stage_needs,
        needs=tuple(needs.items()),
        blocks_per_request=tuple(group.need.blocks(length) for group in groups),
        needed_bytes=tuple(
            sum(each * need.blocks(length) for need, each in stage) for stage in stage_needs
        ),
    )


def _layer_needs(pages: Pages, inputs: PlanInputs, stage: tuple[int, int]) -> StageNeed:
    """Sum the layers as they were before any was promoted (§6.2)."""
    needs: dict[BlockNeed, int] = {}
    for page, indices in layers_of(pages.runs, *stage).items():
        need = block_need(page, inputs)
        needs[need] = needs.get(need, 0) + page.page_bytes * len(indices)
    return tuple(needs.items())


def plan(prepared: Prepared, available_bytes: tuple[int, ...]) -> KvPlan | PlanRefusal:
    """Return the pool that these bytes on each stage make, or the engine's refusal."""
    inputs, rules = prepared.inputs, prepared.inputs.rules
    if not prepared.groups:
        # The pool always has its withheld block.
        none = tuple(0 for _ in inputs.stages)
        ones = tuple(1 for _ in inputs.stages)
        return KvPlan(1, ones, none, 0, 0.0, inputs.max_model_len, ())
    sizes = prepared.bytes_per_block
    override = inputs.override_blocks
    counts = measured = _fitting(available_bytes, sizes)
    if override is not None:
        counts = (override,) * len(sizes)
        if rules.override_in_checks:
            available_bytes = tuple(override * size for size in sizes)
        else:
            # The older engines overrode before they compared the stages.
            measured = counts
    if rules.need == "blocks":
        return _v0_plan(prepared, counts, measured)
    checked = available_bytes
    if rules.withheld_block_in_checks:
        checked = tuple(free - size for free, size in zip(checked, sizes, strict=True))
    length = inputs.max_model_len
    if inputs.fit_max_model_len:
        length = min(
            _longest(prepared, stage, free, length)
            for stage, free in enumerate(checked)
            if prepared.stage_needs[stage]
        )
        if length <= 0:
            return PlanRefusal("cannot_fit_one_token", "not one token fits")
    refusal = _refusal(prepared, checked, length)
    if refusal is not None:
        return refusal
    blocks = min(counts)
    allocated = counts if rules.stage_block_count else (blocks,) * len(counts)
    tokens, concurrency = _printed(prepared, blocks, length)
    return KvPlan(
        num_blocks=blocks,
        blocks_before_min_by_stage=measured,
        kv_bytes_by_stage=tuple(n * size for n, size in zip(allocated, sizes, strict=True)),
        kv_tokens=tokens,
        max_concurrency=concurrency,
        effective_max_model_len=length,
        blocks_per_request=(
            prepared.blocks_per_request
            if length == inputs.max_model_len
            else tuple(group.need.blocks(length) for group in prepared.groups)
        ),
    )


def _fitting(available_bytes: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Blocks that fit on each stage; one without a cache needs no more than the withheld one."""
    pairs = zip(available_bytes, sizes, strict=True)
    return tuple(free // size if size else 1 for free, size in pairs)


def _refusal(prepared: Prepared, checked: tuple[int, ...], length: int) -> PlanRefusal | None:
    """Run the checks of §6.2 in the engine's order, stage by stage."""
    for stage, free in enumerate(checked):
        if not prepared.stage_needs[stage]:
            continue
        if free <= 0:
            return PlanRefusal(
                "no_memory",
                "no memory for blocks",
                stage=stage,
                available_bytes=free,
                max_model_len=length,
            )
        needed = prepared.need_bytes(stage, length)
        if needed > free:
            suggested = None
            if prepared.inputs.rules.suggests_length:
                suggested = _longest(prepared, stage, free, length) or None
            return PlanRefusal(
                "max_len_too_long",
                "one request does not fit",
                suggested,
                stage,
                needed,
                free,
                length,
            )
    return None


def _longest(prepared: Prepared, stage: int, free_bytes: int, limit_tokens: int) -> int:
    """Return the longest request, at most `limit_tokens`, whose need fits; 0 if none does."""
    fits, too_long = 0, limit_tokens + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if prepared.need_bytes(stage, middle) <= free_bytes:
            fits = middle
        else:
            too_long = middle
    return fits


def _printed(prepared: Prepared, blocks: int, length: int) -> tuple[int, float]:
    """Return tokens and concurrency as the release prints them (§6.4), in its own order."""
    rules, groups = prepared.inputs.rules, prepared.groups
    if rules.tokens == "blocks":
        tokens = blocks * prepared.reported_block_tokens
        return tokens, tokens / length
    concurrency = blocks / prepared.blocks_per_longest(length)
    if rules.tokens == "request":
        return int(concurrency * length), concurrency
    tokens = blocks // len(groups) * prepared.reported_block_tokens
    return tokens * prepared.inputs.dcp, concurrency


def _v0_plan(
    prepared: Prepared, counts: tuple[int, ...], measured: tuple[int, ...]
) -> KvPlan | PlanRefusal:
    """Count blocks as V0 does: every layer is full, and the longest request must fit in all."""
    blocks, length = min(counts), prepared.inputs.max_model_len
    if blocks <= 0:
        return PlanRefusal("no_memory", "no memory for blocks", max_model_len=length)
    tokens = blocks * prepared.block_tokens
    if tokens < length:
        return PlanRefusal("max_len_too_long", "one request does not fit", max_model_len=length)
    sizes = prepared.bytes_per_block
    return KvPlan(
        num_blocks=blocks,
        blocks_before_min_by_stage=measured,
        kv_bytes_by_stage=tuple(blocks * size for size in sizes),
        kv_tokens=tokens,
        max_concurrency=tokens / length,
        effective_max_model_len=length,
        blocks_per_request=prepared.blocks_per_request,
    )


# For the workload


def request_blocks(prepared: Prepared, tokens: int) -> tuple[int, ...]:
    """Blocks of each group that a request of `tokens` tokens can hold at its peak."""
    return tuple(group.need.blocks(tokens) for group in prepared.groups)


def request_blocks_array(prepared: Prepared, tokens: Counts) -> Counts:
    """Blocks, all groups together, that requests of these lengths can hold at their peak."""
    import numpy as np

    total = np.zeros_like(tokens, dtype=np.int64)
    for need, count in prepared.needs:
        total += count * need.blocks_of(tokens)
    return total


def state_block_limit(prepared: Prepared, num_blocks: int) -> int | None:
    """Most `max_num_seqs` that a model with recurrent layers starts with (§12), else None."""
    states = any(group.page.kind == "state" for group in prepared.groups)
    return num_blocks if states else None


def usable_blocks(prepared: Prepared, num_blocks: int, watermark: float | None = None) -> int:
    """Blocks that requests can hold: without the withheld one and those kept free (§7)."""
    share = prepared.inputs.rules.watermark if watermark is None else watermark
    return max(0, num_blocks - withheld_blocks(prepared) - int(share * num_blocks))


def withheld_blocks(prepared: Prepared) -> int:
    """Blocks that V1's pool keeps as a place for nothing (§7)."""
    return 0 if prepared.inputs.rules.core == "v0" else 1

"""Layers into groups that share block tables (§5, `v1/core/kv_cache_planning.py`).

A group's layers hold their pages side by side in one block; the groups take their blocks from
one pool, so every group is charged as if it were the largest.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace

from workbench.core.engines.vllm.alike import alike, same_type, type_order, uniform
from workbench.core.engines.vllm.inputs import PlanInputs, Unsupported
from workbench.core.engines.vllm.needs import BlockNeed, block_need
from workbench.core.engines.vllm.packing import packed_groups
from workbench.core.engines.vllm.pages import Page
from workbench.spec.vllm_rules import VllmRules

Layers = dict[Page, list[int]]
"""Entries of the model by their page, in the order of their first appearance."""


@dataclass(frozen=True, slots=True)
class Group:
    """Layers that are given blocks together."""

    members: tuple[tuple[Page, tuple[int, ...]], ...]
    """Pages and the entries that have them, in ascending order."""
    per_layer_pages: bool
    """Layers have pages of their own size."""
    need: BlockNeed

    @property
    def page(self) -> Page:
        """Page of the first layer; of every layer unless they have their own."""
        return self.members[0][0]

    @property
    def block_tokens(self) -> int:
        """Tokens in a block."""
        return self.page.block_tokens

    @property
    def layers(self) -> int:
        """Number of layers."""
        return sum(len(indices) for _, indices in self.members)

    @property
    def layer_indices(self) -> tuple[int, ...]:
        """Entries of the model in ascending order."""
        return tuple(sorted(index for _, indices in self.members for index in indices))

    @property
    def page_bytes(self) -> int:
        """Bytes of one layer's page; of all pages together where they differ by layer."""
        if not self.per_layer_pages:
            return self.page.page_bytes
        return sum(page.page_bytes * len(indices) for page, indices in self.members)

    def bytes_in(self, first: int, last: int) -> int:
        """Bytes that a block of this group fills in the entries [first, last)."""
        return sum(
            page.page_bytes * (bisect_left(indices, last) - bisect_left(indices, first))
            for page, indices in self.members
        )


def layers_of(runs: Iterable[tuple[Page, int, int]], first: int, last: int) -> Layers:
    """Return the entries of [first, last) by their page."""
    layers: Layers = {}
    for page, start, count in runs:
        lo, hi = max(start, first), min(start + count, last)
        if lo < hi:
            layers.setdefault(page, []).extend(range(lo, hi))
    return layers


def groups_of(layers: Layers, inputs: PlanInputs) -> tuple[Group, ...]:
    """Return the groups in the engine's order; `Unsupported` where it would raise."""
    rules = inputs.rules
    if not layers:
        return ()
    if not _keeps_hybrid_groups(layers, inputs):
        layers = promoted(layers, rules)
    if uniform(layers, rules):
        # Promoted layers that differ in what they compute with are one description.
        page = next(iter(layers))
        return (_group([(page, sorted(_all_of(layers)))], inputs),)
    if rules.layer_pages and same_type(layers):
        return (_group(list(layers.items()), inputs, per_layer_pages=True),)
    sizes = {page.page_bytes for page in layers}
    if rules.packed_groups and inputs.layout == "BLHNC" and len(sizes) > 1:
        return tuple(
            _group(members, inputs, per_layer_pages=True) for members in packed_groups(layers)
        )
    try:
        unified = _unified(layers, rules)
    except Unsupported:
        whole = _full_instead(layers, rules)
        if whole is None:
            raise
        return (_group(list(whole.items()), inputs, per_layer_pages=True),)
    return _dealt(_buckets(unified, rules), inputs)


def _group(
    members: Iterable[tuple[Page, list[int]]], inputs: PlanInputs, *, per_layer_pages: bool = False
) -> Group:
    fixed = tuple((page, tuple(indices)) for page, indices in members if indices)
    # Layers of one type agree in everything that their need depends on.
    return Group(fixed, per_layer_pages, block_need(fixed[0][0], inputs))


def _all_of(layers: Layers) -> Iterable[int]:
    return (index for indices in layers.values() for index in indices)


# Without groups of several kinds


def _keeps_hybrid_groups(layers: Layers, inputs: PlanInputs) -> bool:
    if not inputs.rules.hybrid_groups:
        return False
    if inputs.hybrid_manager is None:
        # A switch of the environment decides over chunked-local layers.
        return inputs.rules.chunked_hybrid or all(page.kind != "chunked" for page in layers)
    return inputs.hybrid_manager


def promoted(layers: Layers, rules: VllmRules) -> Layers:
    """Plan sliding and chunked layers as full ones where both exist (§5 rule 1)."""
    if uniform(layers, rules) or (rules.layer_pages and same_type(layers)):
        return layers
    full_blocks = {page.block_tokens for page in layers if page.is_full}
    whole: Layers = {}
    for page, indices in layers.items():
        if full_blocks and page.kind in ("sliding", "chunked"):
            block = next(iter(full_blocks)) if len(full_blocks) == 1 else page.block_tokens
            page = _promoted_page(page, block)
        whole.setdefault(page, []).extend(indices)
    if uniform(whole, rules) or (rules.layer_pages and same_type(whole)):
        return whole
    raise Unsupported("layers cannot be promoted to one kind")


def _promoted_page(page: Page, block_tokens: int) -> Page:
    origin = page.kind
    assert origin in ("sliding", "chunked")
    size = page.page_bytes * block_tokens // page.block_tokens
    return replace(
        page, kind="full", block_tokens=block_tokens, page_bytes=size, promoted_from=origin
    )


def _full_instead(layers: Layers, rules: VllmRules) -> Layers | None:
    """Plan sliding layers beside latent ones as full, when their pages do not unify (§5.1)."""
    kinds = {page.kind for page in layers}
    if rules.page_unification != "scale_and_pad" or "chunked" in kinds:
        return None
    if not kinds & {"latent", "index"} or "sliding" not in kinds:
        return None
    try:
        whole = promoted(layers, rules)
    except Unsupported:
        return None
    return whole if same_type(whole) else None


# One page size


def _unified(layers: Layers, rules: VllmRules) -> Layers:
    """Bring all pages to one size (§5.1)."""
    largest = max(page.page_bytes for page in layers)
    unified: Layers = {}
    for page, indices in layers.items():
        if page.page_bytes != largest:
            page = _widened(page, largest, rules)
        unified.setdefault(page, []).extend(indices)
    return unified


def _widened(page: Page, largest: int, rules: VllmRules) -> Page:
    """Bring a smaller page to the size of the largest."""
    pads = rules.page_unification == "scale_and_pad"
    if rules.page_unification == "none":
        raise Unsupported("pages of different sizes")
    if page.kind == "state":
        if not pads:
            raise Unsupported("a state page smaller than the attention page")
        return replace(page, page_bytes=largest)
    if largest % page.page_bytes == 0:
        block = page.block_tokens * (largest // page.page_bytes)
        return replace(page, block_tokens=block, page_bytes=largest)
    if pads and page.kind not in ("latent", "index"):
        return replace(page, page_bytes=largest)
    raise Unsupported("pages that do not divide each other")


def _buckets(layers: Layers, rules: VllmRules) -> list[tuple[Page, list[int]]]:
    """Join layers that are one description."""
    buckets: dict[object, tuple[Page, list[int]]] = {}
    for page, indices in layers.items():
        key = alike(page, rules)
        if key in buckets:
            buckets[key][1].extend(indices)
        else:
            buckets[key] = (page, list(indices))
    for _, joined in buckets.values():
        joined.sort()
    return list(buckets.values())


def _dealt(buckets: list[tuple[Page, list[int]]], inputs: PlanInputs) -> tuple[Group, ...]:
    """Split every bucket into groups of as many layers as the smallest has (§5 rule 6)."""
    rules = inputs.rules
    counts = [len(indices) for _, indices in buckets]
    size, largest = min(counts), max(counts)
    if rules.one_and_a_half_rule and 2 * largest < 3 * size:
        size = largest
    groups: list[Group] = []
    for page, indices in buckets:
        number = -(-len(indices) // size)
        for part in range(number):
            dealt = (
                indices[part::number]
                if rules.dealing == "strided"
                else indices[part * size : (part + 1) * size]
            )
            groups.append(_group([(page, dealt)], inputs))
    if rules.group_order == "type":
        groups.sort(key=lambda group: type_order(group.page))
    return tuple(groups)

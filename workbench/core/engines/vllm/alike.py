"""When layers count as alike: one description, one type, or only one page size (§5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from workbench.core.engines.vllm.inputs import Unsupported
from workbench.core.engines.vllm.pages import Page
from workbench.spec.vllm_rules import VllmRules

_TYPE_NAMES: Final = {
    "chunked": "ChunkedLocalAttentionSpec",
    "cross": "CrossAttentionSpec",
    "full": "FullAttentionSpec",
    "latent": "FullAttentionSpec",
    "index": "FullAttentionSpec",
    "state": "MambaSpec",
    "sliding": "SlidingWindowSpec",
}


def type_order(page: Page) -> tuple[object, ...]:
    """Return what releases up to 0.10 sort groups by: the type's name, then its fields."""
    heads, dim = (1, 0) if page.kind == "state" else page.seen[:2]
    return (_TYPE_NAMES[page.kind], page.block_tokens, heads, dim, page.reach_tokens)


def alike(page: Page, rules: VllmRules) -> object:
    """Return what two layers must share to be one description."""
    if rules.equality == "page":
        kind = "full" if page.is_full else page.kind
        reach = 0 if page.is_full else page.reach_tokens
        return (kind, page.block_tokens, page.page_bytes, reach)
    if page.kind == "full":
        return ("full", page.block_tokens, page.page_bytes, page.seen)
    return page


def uniform(layers: Collection[Page], rules: VllmRules) -> bool:
    """Whether all layers are one description (§5 rule 3)."""
    if len({alike(page, rules) for page in layers}) > 1:
        return False
    windows = {page.reach_tokens for page in layers if page.promoted_from == "sliding"}
    chunks = {page.reach_tokens for page in layers if page.promoted_from == "chunked"}
    if len(windows) > 1 or len(chunks) > 1:
        raise Unsupported("promoted layers of different windows")
    return not (windows and chunks)


def same_type(layers: Iterable[Page]) -> bool:
    """Whether layers always need the same number of blocks (§5 rule 4)."""
    first, *others = layers
    return all(_one_type(first, page) for page in others)


def _one_type(one: Page, other: Page) -> bool:
    if one.block_tokens != other.block_tokens:
        return False
    if one.is_full:
        return other.is_full
    if one.kind != other.kind or one.reach_tokens != other.reach_tokens:
        return False
    if one.kind != "state":
        return True
    # The last thing told of a state is its blocks for a checkpoint.
    return one.page_bytes == other.page_bytes and one.seen[-1] == other.seen[-1]

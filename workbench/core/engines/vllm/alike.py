"""When layers count as alike: one description, one type, or only one page size (§5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from workbench.core.engines.vllm.inputs import Unsupported
from workbench.core.engines.vllm.layers import AttentionKv
from workbench.core.engines.vllm.pages import Page
from workbench.spec.vllm_rules import VllmRules


def label(page: Page) -> str:
    """Name the kind of a page as releases up to 0.10 did; they group and sort by it."""
    tail = f"{page.block_tokens}_{page.page_bytes}"
    if page.is_full:
        return f"full_attention_{tail}"
    if page.kind == "sliding":
        return f"sliding_window_{page.reach_tokens}_{tail}"
    if page.kind == "chunked":
        return f"local_attention_{page.reach_tokens}_{tail}"
    return f"{ {'state': 'mamba'}.get(page.kind, 'cross_attention') }_{tail}"


def alike(page: Page, rules: VllmRules) -> object:
    """Return what two layers must share to be one description."""
    if rules.equality == "page":
        return label(page)
    if page.kind == "full" and isinstance(page.layer, AttentionKv):
        layer = page.layer
        heads = (layer.kv_heads, layer.k_dim, layer.v_dim, layer.quantised)
        return ("full", page.block_tokens, page.page_bytes, heads)
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
    checkpoints = [getattr(page.layer, "checkpoint_blocks", 0) for page in (one, other)]
    return one.page_bytes == other.page_bytes and checkpoints[0] == checkpoints[1]

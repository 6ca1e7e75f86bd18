"""Figures of the pool: bytes, blocks, tokens."""

from __future__ import annotations

from workbench.core.engines.explained import ExplainsBlocks, per_token
from workbench.core.explain.asked import BLOCKS, Asked, computed, less
from workbench.core.sheet import StageBudget
from workbench.core.terms import entry_term
from workbench.spec.ledger import Evidence, Pool, Source, Term
from workbench.spec.units import MIB


def _pool_of(asked: Asked) -> tuple[Pool, StageBudget] | None:
    pool = asked.ledger.pool
    return None if pool is None else (pool, asked.sheet.deciding_stage)


def pool_bytes_term(asked: Asked) -> Term | None:
    """What the deciding rank has for requests."""
    found = _pool_of(asked)
    if found is None:
        return None
    pool, stage = found
    if stage.pages.taken_at_start:
        each = asked.explained.block(asked.scenario, stage)
        whole = "{pool_blocks} × {bytes_per_block}"
        return computed("pool_bytes", pool.bytes, "bytes", whole, _taken(stage), each)
    return _stage_pool(asked, stage, pool.bytes)


def _taken(stage: StageBudget) -> Term:
    """Blocks that the engine allocates whole at start: its flags say how many."""
    taken, rule = stage.pages.taken_at_start, Source("engine_rule")
    return Term("pool_blocks", taken, "blocks", Evidence.COMPUTED, rule)


def _stage_pool(asked: Asked, stage: StageBudget, size: int) -> Term:
    """What a stage's ranks have for requests."""
    budget = asked.explained.budget(asked.scenario, stage)
    fixed = tuple(entry_term(entry) for entry in stage.fixed if entry.in_budget)
    expression = f"max(0, {less(budget.symbol, fixed)})"
    return computed("pool_bytes", size, "bytes", expression, budget, *fixed)


def block_term(asked: Asked) -> Term | None:
    """Bytes of a block on the deciding rank."""
    found = _pool_of(asked)
    return None if found is None else asked.explained.block(asked.scenario, found[1])


def blocks_term(asked: Asked) -> Term | None:
    """Blocks of the pool."""
    found = _pool_of(asked)
    if found is None:
        return None
    pool, stage = found
    given = getattr(asked.scenario.engine, "num_gpu_blocks_override", None)
    if given is not None and given == pool.blocks:
        field = "engine.num_gpu_blocks_override"
        return Term("pool_blocks", given, "blocks", Evidence.GIVEN, Source("typed"), field)
    if stage.pages.taken_at_start:
        return _taken(stage)
    size = _stage_pool(asked, stage, pool.bytes)
    if isinstance(asked.explained, ExplainsBlocks):
        formula = asked.explained.blocks(asked.scenario, stage, size)
        return Term("pool_blocks", pool.blocks, "blocks", Evidence.COMPUTED, BLOCKS, None, formula)
    each = asked.explained.block(asked.scenario, stage)
    quotient = "⌊{pool_bytes} ÷ {bytes_per_block}⌋"
    return computed("pool_blocks", pool.blocks, "blocks", quotient, size, each, source=BLOCKS)


def tokens_term(asked: Asked) -> Term | None:
    """Tokens of the pool; None where the engine prints none."""
    pool, blocks = asked.ledger.pool, blocks_term(asked)
    if pool is None or blocks is None or (pool.blocks and not pool.tokens):
        return None
    formula = asked.explained.tokens(asked.scenario, blocks)
    rule = Source("engine_rule")
    return Term("pool_tokens", pool.tokens, "tokens", Evidence.COMPUTED, rule, None, formula)


def per_token_term(asked: Asked) -> Term | None:
    """KV bytes that one more token adds."""
    found = _pool_of(asked)
    return None if found is None or found[0].kv_bytes_per_token is None else per_token(found[1])


def per_mib_term(asked: Asked) -> Term | None:
    """Tokens that a MiB of the pool holds."""
    pool, each = asked.ledger.pool, per_token_term(asked)
    if pool is None or pool.tokens_per_mib is None or each is None:
        return None
    whole = "{mib_bytes} ÷ {kv_bytes_per_token}"
    mib = Term("mib_bytes", MIB, "bytes", Evidence.GIVEN, Source("unit"))
    return computed("tokens_per_mib", pool.tokens_per_mib, "ratio", whole, mib, each)

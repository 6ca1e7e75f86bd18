"""llama.cpp's way from flags to cells, as formulas (llama-cpp.md §2, §3)."""

from __future__ import annotations

from workbench.core.engines.llamacpp.entries import pool_tokens
from workbench.core.engines.llamacpp.fit import start_of
from workbench.core.engines.llamacpp.start import Start
from workbench.core.engines.llamacpp.terms import RULE, ruled
from workbench.core.sheet import StageBudget
from workbench.core.terms import card_total
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.llamacpp import LlamacppEngine
from workbench.spec.scenario import Scenario


class LlamacppExplained:
    """The terms of the build that a scenario asks for."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The whole card; of the host what was given, else what it needs."""
        if stage.is_card:
            return card_total(stage.budget_bytes)
        engine = scenario.engine
        assert isinstance(engine, LlamacppEngine)
        field = "engine.host_memory_bytes"
        if engine.host_memory_bytes is None:
            evidence, source = Evidence.ASSUMED, Source("host_as_needed")
        else:
            evidence, source = Evidence.GIVEN, Source("typed")
        return Term("host_total_bytes", stage.budget_bytes, "bytes", evidence, source, field)

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """Tokens of a slot, or one cell, times what a cell takes on the rank."""
        pages = stage.pages
        formula = Formula(
            "{block_tokens} × {cell_bytes}",
            (
                ruled("block_tokens", pages.block_tokens, "tokens", "engine.ctx_size"),
                ruled("cell_bytes", int(pages.bytes_per_token), "bytes", "precision.kv"),
            ),
        )
        size = pages.bytes_per_block
        return Term(
            "bytes_per_block", size, "bytes", Evidence.COMPUTED, RULE, "engine.ctx_size", formula
        )

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """All of them."""
        return Formula(f"{{{there.symbol}}}", (there,))

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """Blocks times their tokens."""
        return Formula(f"{{{blocks.symbol}}} × {{block_tokens}}", (blocks, self._block(scenario)))

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Tokens of all slots over those of one."""
        start = _start(scenario)
        slot = ruled("slot_tokens", start.context.slot_tokens, "tokens", "engine.ctx_size")
        formula = self.tokens(scenario, blocks)
        pool = Term(
            "pool_tokens", pool_tokens(start), "tokens", Evidence.COMPUTED, RULE, None, formula
        )
        return Formula("{pool_tokens} ÷ {slot_tokens}", (pool, slot))

    def _block(self, scenario: Scenario) -> Term:
        start = _start(scenario)
        size = 1 if start.context.shared else start.context.slot_tokens
        return ruled("block_tokens", size, "tokens", "engine.ctx_size")


def _start(scenario: Scenario) -> Start:
    start = start_of(scenario)
    assert isinstance(start, Start), "a scenario without a plan has no blocks to explain"
    return start

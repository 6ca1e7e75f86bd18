"""LMDeploy's budget as a formula; blocks and tokens are those of any single block table."""

from __future__ import annotations

from workbench.core.engines.explained import PlainExplained
from workbench.core.engines.lmdeploy.defaults import engine_of, flags_of
from workbench.core.engines.lmdeploy.rule import RULE
from workbench.core.sheet import StageBudget
from workbench.core.terms import card_total, entry_term, flag_term
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario


class LmdeployExplained(PlainExplained):
    """The terms of the release that a scenario asks for."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """What is spent before the pool and whole blocks in a share of what that leaves."""
        total = card_total(scenario.gpu.device_total_bytes)
        spent = tuple(entry_term(entry) for entry in stage.fixed if entry.in_budget)
        formula = Formula("{device_total_bytes}", (total,))
        if stage.left_bytes >= 0:
            blocks, names = self._blocks(scenario, stage, total, spent), _plus(spent)
            formula = Formula(f"{{blocks_bytes}}{names}", (blocks, *spent))
        rule, size = Source("engine_rule"), stage.budget_bytes
        return Term("budget_bytes", size, "bytes", Evidence.COMPUTED, rule, None, formula)

    def _blocks(
        self, scenario: Scenario, stage: StageBudget, total: Term, spent: tuple[Term, ...]
    ) -> Term:
        rule, size = Source("engine_rule"), stage.left_bytes
        if not stage.pages.bytes_per_block:
            return Term("blocks_bytes", 0, "bytes", Evidence.COMPUTED, rule)
        share = flag_term(
            scenario,
            RULE.resolve(scenario),
            "cache_max_entry_count",
            flags_of(scenario).cache_max_entry_count,
            "share",
            "engine.cache_max_entry_count",
        )
        free = f"({{device_total_bytes}}{_plus(spent, '-')})"
        base = "{device_total_bytes}" if engine_of(scenario).rules.share_of == "total" else free
        block = "{bytes_per_block}"
        asked = f"⌊⌊{base} × {{cache_max_entry_count}}⌋ ÷ {block}⌋"
        formula = Formula(
            f"min({asked}, ⌊{free} ÷ {block}⌋) × {block}",
            (total, *spent, share, self.block(scenario, stage)),
        )
        return Term("blocks_bytes", size, "bytes", Evidence.COMPUTED, rule, None, formula)

    def _block_tokens(self, scenario: Scenario) -> Term:
        size = flags_of(scenario).block_tokens
        resolved = RULE.resolve(scenario)
        return flag_term(scenario, resolved, "block_tokens", size, "tokens", "engine.block_tokens")


def _plus(terms: tuple[Term, ...], sign: str = "+") -> str:
    return "".join(f" {sign} {{{term.symbol}}}" for term in terms)

"""SGLang's way from bytes to pages, tokens and requests, as formulas (sglang.md §3, §4)."""

from __future__ import annotations

from workbench.core.engines import rule_of
from workbench.core.engines.sglang.defaults import flags_of
from workbench.core.engines.sglang.fixed import RULE
from workbench.core.engines.sglang.plan import Plan, StagePlan, plan_of
from workbench.core.sheet import StageBudget, sheet_of
from workbench.core.terms import card_total, entry_term, flag_term
from workbench.spec.ledger import Evidence, Formula, Number, Term, Unit
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine


class SglangExplained:
    """The terms of the release that a scenario asks for."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The card less the slack; a pool of a given size makes its own budget."""
        plan = plan_of(scenario)
        total = card_total(scenario.gpu.device_total_bytes)
        if not isinstance(plan, Plan):
            return total
        inside = tuple(entry_term(entry) for entry in stage.fixed if entry.in_budget)
        engine = scenario.engine
        assert isinstance(engine, SglangEngine)
        if engine.measured.pool_bytes is not None:
            left = plan.stages[stage.stage.index].left_bytes
            pool = _computed("pool_bytes", left, "bytes", Formula(f"{left}"))
            expression = " + ".join(f"{{{term.symbol}}}" for term in (pool, *inside))
            formula = Formula(expression, (pool, *inside))
            return _computed("budget_bytes", stage.budget_bytes, "bytes", formula)
        before = next(term for term in inside if term.symbol == "before_start")
        share = _flag(
            scenario,
            "mem_fraction_static",
            flags_of(scenario).mem_fraction_static,
            "share",
            "engine.mem_fraction_static",
        )
        formula = Formula(
            "{device_total_bytes} - max(0, {device_total_bytes} - {before_start})"
            " + ⌊max(0, {device_total_bytes} - {before_start}) × {mem_fraction_static}⌋",
            (total, before, share),
        )
        return _computed("budget_bytes", stage.budget_bytes, "bytes", formula)

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The tokens of a page times what each is charged with."""
        found = _stage(scenario, stage)
        cell, page = found.cell, self._page(scenario)
        charged = Term(
            "token_cell_bytes",
            cell.charged,
            "bytes",
            Evidence.COMPUTED,
            RULE,
            "precision.kv",
            _cell_formula(found),
        )
        formula = Formula("⌊{block_tokens} × {token_cell_bytes}⌋", (page, charged))
        size = stage.pages.bytes_per_block
        return _computed("bytes_per_block", size, "bytes", formula, "engine.block_tokens")

    def blocks(self, scenario: Scenario, stage: StageBudget, size: Term) -> Formula:
        """Whole pages of the tokens that the pool holds, capped by a flag where one is given."""
        plan = _plan(scenario)
        pool = sheet_of(scenario).pool()
        tokens = 0 if pool is None else pool.blocks * plan.flags.block_tokens
        terms: tuple[Term, ...] = (
            size,
            Term(
                "token_cell_bytes",
                _stage(scenario, stage).cell.charged,
                "bytes",
                Evidence.COMPUTED,
                RULE,
                "precision.kv",
            ),
        )
        expression = "⌊{pool_bytes} ÷ {token_cell_bytes}⌋"
        found = Term(
            "full_pool_tokens",
            tokens,
            "tokens",
            Evidence.COMPUTED,
            RULE,
            "engine.max_total_tokens",
            None if self._is_capped(scenario, stage, tokens) else Formula(expression, terms),
        )
        return Formula("⌊{full_pool_tokens} ÷ {block_tokens}⌋", (found, self._page(scenario)))

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """All of them."""
        return Formula(f"{{{there.symbol}}}", (there,))

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """Pages times their tokens, and what drafts add to the printed number."""
        page, margin = self._page(scenario), _plan(scenario).margin
        expression = f"{{{blocks.symbol}}} × {{block_tokens}}"
        if not margin:
            return Formula(expression, (blocks, page))
        more = Term("draft_margin", margin, "tokens", Evidence.COMPUTED, RULE)
        return Formula(f"{expression} + {{draft_margin}}", (blocks, page, more))

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Tokens over the longest request: the context, or the pool where it is smaller."""
        pool = sheet_of(scenario).pool()
        tokens = 0 if pool is None else pool.tokens
        longest = 1 if pool is None or pool.max_model_len is None else pool.max_model_len
        held = Term(
            "pool_tokens",
            tokens,
            "tokens",
            Evidence.COMPUTED,
            RULE,
            None,
            self.tokens(scenario, blocks),
        )
        length = _flag(scenario, "max_model_len", longest, "tokens", "engine.max_model_len")
        return Formula("{pool_tokens} ÷ {max_model_len}", (held, length))

    def _page(self, scenario: Scenario) -> Term:
        size = flags_of(scenario).block_tokens
        return _flag(scenario, "block_tokens", size, "tokens", "engine.block_tokens")

    def _is_capped(self, scenario: Scenario, stage: StageBudget, tokens: int) -> bool:
        """Whether a flag, or the rounding of two pools, leaves fewer tokens than the quotient."""
        found = _stage(scenario, stage)
        return tokens != int(stage.pool_bytes // found.cell.charged)


def _plan(scenario: Scenario) -> Plan:
    plan = plan_of(scenario)
    assert isinstance(plan, Plan), "a scenario without pages has no blocks to explain"
    return plan


def _stage(scenario: Scenario, stage: StageBudget) -> StagePlan:
    return _plan(scenario).stages[stage.stage.index]


def _cell_formula(stage: StagePlan) -> Formula | None:
    """Layers × bytes of each kind; the window pool's by its ratio."""
    window = stage.cell.window
    if window is None or not window.full_layers:
        return None
    terms = (
        Term("full_token_bytes", window.full_bytes, "bytes", Evidence.COMPUTED, RULE),
        Term("window_token_bytes", window.window_bytes, "bytes", Evidence.COMPUTED, RULE),
        Term(
            "swa_full_tokens_ratio",
            window.ratio,
            "ratio",
            Evidence.GIVEN,
            RULE,
            "engine.swa_full_tokens_ratio",
        ),
    )
    return Formula("{full_token_bytes} + {swa_full_tokens_ratio} × {window_token_bytes}", terms)


def _computed(
    symbol: str, value: int, unit: Unit, formula: Formula, field: str | None = None
) -> Term:
    return Term(symbol, value, unit, Evidence.COMPUTED, RULE, field, formula)


def _flag(scenario: Scenario, symbol: str, value: Number, unit: Unit, field: str) -> Term:
    resolved = rule_of(scenario.engine).resolve(scenario)
    return flag_term(scenario, resolved, symbol, value, unit, field)

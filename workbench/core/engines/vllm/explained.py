"""vLLM's way from bytes to blocks, tokens and printed concurrency, as formulas (§5, §6)."""

from __future__ import annotations

from workbench.core.engines import rule_of
from workbench.core.engines.vllm.cache import Cache, cache_of
from workbench.core.engines.vllm.defaults import flags_of
from workbench.core.engines.vllm.plan import Prepared, withheld_blocks
from workbench.core.sheet import StageBudget, sheet_of
from workbench.core.terms import card_total, entry_term, flag_term
from workbench.spec.ledger import Evidence, Formula, Number, Source, Term, Unit
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine

_RULE = Source("vllm_blocks")


class VllmExplained:
    """The terms of the release that a scenario asks for."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The card times the utilisation; a pool of a given size makes its own budget."""
        engine, flags = _engine(scenario), flags_of(scenario)
        total = scenario.gpu.device_total_bytes
        inside = tuple(entry_term(entry) for entry in stage.fixed if entry.in_budget)
        pool = _given_pool(scenario, engine)
        if pool is not None:
            expression = " + ".join(f"{{{term.symbol}}}" for term in (pool, *inside))
            formula = Formula(expression, (pool, *inside))
        else:
            share = _flag(
                scenario,
                "gpu_memory_utilization",
                flags.gpu_memory_utilization,
                "share",
                "engine.gpu_memory_utilization",
            )
            up = engine.rules.budget_rounding == "up"
            product = "{device_total_bytes} × {gpu_memory_utilization}"
            rounded = f"⌈{product}⌉" if up else f"⌊{product}⌋"
            formula = Formula(f"min({{device_total_bytes}}, {rounded})", (card_total(total), share))
        return _computed("budget_bytes", stage.budget_bytes, "bytes", formula)

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The pages of the group that fills most, side by side."""
        prepared, index = _prepared(scenario), stage.stage.index
        first, last = prepared.inputs.stages[index]
        largest = max(prepared.stage_groups[index], key=lambda group: group.bytes_in(first, last))
        terms: list[Term] = []
        parts: list[str] = []
        here = [
            (page, sum(first <= entry < last for entry in entries))
            for page, entries in largest.members
        ]
        here = [(page, layers) for page, layers in here if layers]
        for number, (page, layers) in enumerate(here, start=1):
            suffix = "" if len(here) == 1 else f"_{number}"
            source = Source("layers", page.kind)
            parts.append(f"{{layers{suffix}}} × {{page_bytes{suffix}}}")
            terms.append(Term(f"layers{suffix}", layers, "count", Evidence.GIVEN, source))
            terms.append(
                Term(f"page_bytes{suffix}", page.page_bytes, "bytes", Evidence.COMPUTED, source)
            )
        formula = Formula(" + ".join(parts) or "0", tuple(terms))
        size = stage.pages.bytes_per_block
        return _computed("bytes_per_block", size, "bytes", formula, "engine.block_tokens")

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """Less the block that V1 withholds and those that the watermark keeps free."""
        withheld = withheld_blocks(_prepared(scenario))
        share = flags_of(scenario).watermark
        return Formula(
            f"max(0, {{{there.symbol}}} - {{withheld_blocks}} - "
            f"⌊{{watermark}} × {{{there.symbol}}}⌋)",
            (
                there,
                Term("withheld_blocks", withheld, "blocks", Evidence.COMPUTED, _RULE),
                _flag(scenario, "watermark", share, "share", "engine.watermark"),
            ),
        )

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """As the release prints them (§6.4)."""
        prepared = _prepared(scenario)
        rules, groups = prepared.inputs.rules, len(prepared.groups)
        block = _flag(
            scenario,
            "block_tokens",
            prepared.reported_block_tokens,
            "tokens",
            "engine.block_tokens",
        )
        if rules.tokens == "blocks" or rules.need == "blocks" or not _is_planned(scenario):
            return Formula(f"{{{blocks.symbol}}} × {{block_tokens}}", (blocks, block))
        if rules.tokens == "request":
            length = self._length(scenario)
            printed = self.concurrency(scenario, blocks)
            value = sheet_of(scenario).pool()
            ratio = Term(
                "engine_log",
                (value.concurrency if value is not None else None) or 0.0,
                "ratio",
                Evidence.COMPUTED,
                Source("engine_rule"),
                None,
                printed,
            )
            return Formula("⌊{engine_log} × {max_model_len}⌋", (ratio, length))
        return Formula(
            f"⌊{{{blocks.symbol}}} ÷ {{groups}}⌋ × {{block_tokens}} × {{dcp}}",
            (
                blocks,
                Term("groups", groups, "count", Evidence.COMPUTED, _RULE),
                block,
                _flag(scenario, "dcp", prepared.inputs.dcp, "count", "deployment.dcp"),
            ),
        )

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Tokens over the longest length, or blocks over what a request of it can hold."""
        prepared, length = _prepared(scenario), self._length(scenario)
        rules = prepared.inputs.rules
        if rules.tokens == "blocks" or rules.need == "blocks":
            tokens = self.tokens(scenario, blocks)
            count = int(str(blocks.value)) * prepared.reported_block_tokens
            pool = Term("pool_tokens", count, "tokens", Evidence.COMPUTED, _RULE, None, tokens)
            return Formula("{pool_tokens} ÷ {max_model_len}", (pool, length))
        longest = prepared.blocks_per_longest(int(str(length.value)))
        terms: list[Term] = []
        parts: list[str] = []
        for number, (need, count) in enumerate(prepared.needs, start=1):
            suffix = "" if len(prepared.needs) == 1 else f"_{number}"
            parts.append(f"{{groups{suffix}}} × {{blocks{suffix}}}")
            terms.append(Term(f"groups{suffix}", count, "count", Evidence.COMPUTED, _RULE))
            held = need.blocks(int(str(length.value)))
            terms.append(Term(f"blocks{suffix}", held, "blocks", Evidence.COMPUTED, _RULE))
        formula = Formula(" + ".join(parts), tuple(terms))
        each = _computed("longest_blocks", longest, "blocks", formula, "engine.max_model_len")
        return Formula(f"{{{blocks.symbol}}} ÷ {{longest_blocks}}", (blocks, each))

    def _length(self, scenario: Scenario) -> Term:
        """The longest length, after the engine has fitted it."""
        planned = sheet_of(scenario).pool()
        length = flags_of(scenario).max_model_len
        if planned is not None and planned.max_model_len is not None:
            length = planned.max_model_len
        return _flag(scenario, "max_model_len", length, "tokens", "engine.max_model_len")


def _computed(
    symbol: str, value: int, unit: Unit, formula: Formula, field: str | None = None
) -> Term:
    return Term(symbol, value, unit, Evidence.COMPUTED, _RULE, field, formula)


def _flag(scenario: Scenario, symbol: str, value: Number, unit: Unit, field: str) -> Term:
    resolved = rule_of(scenario.engine).resolve(scenario)
    return flag_term(scenario, resolved, symbol, value, unit, field)


def _given_pool(scenario: Scenario, engine: VllmEngine) -> Term | None:
    """The pool of a rank where a log or a flag gives it."""
    measured = engine.measured.available_kv_bytes
    if measured is not None:
        field = "engine.measured_available_kv_bytes"
        source = Source("log", engine.measured.source)
        return Term("pool_bytes", measured, "bytes", Evidence.MEASURED, source, field)
    if engine.kv_cache_memory_bytes is None:
        return None
    return _flag(
        scenario,
        "pool_bytes",
        engine.kv_cache_memory_bytes,
        "bytes",
        "engine.kv_cache_memory_bytes",
    )


def _is_planned(scenario: Scenario) -> bool:
    """Whether the engine starts with its pool, so that it prints anything."""
    pool = sheet_of(scenario).pool()
    return pool is not None and pool.concurrency is not None


def _prepared(scenario: Scenario) -> Prepared:
    cache = cache_of(scenario, flags_of(scenario))
    assert isinstance(cache, Cache), "a scenario without pages has no blocks to explain"
    return cache.prepared


def _engine(scenario: Scenario) -> VllmEngine:
    assert isinstance(scenario.engine, VllmEngine)
    return scenario.engine

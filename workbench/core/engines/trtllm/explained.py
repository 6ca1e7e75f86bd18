"""TensorRT-LLM's way from bytes to blocks, tokens and requests of the longest length."""

from __future__ import annotations

from workbench.core.engines import rule_of
from workbench.core.engines.trtllm.blocks import request_blocks
from workbench.core.engines.trtllm.cache import StageCache, stage_cache
from workbench.core.engines.trtllm.defaults import engine_of, flags_of
from workbench.core.engines.trtllm.pool import blocks_in, is_sized_by_tokens
from workbench.core.sheet import StageBudget, sheet_of
from workbench.core.terms import card_total, entry_term, flag_term
from workbench.spec.ledger import Evidence, Formula, Number, Source, Term, Unit
from workbench.spec.scenario import Scenario

_RULE = Source("engine_rule")


class TrtllmExplained:
    """The terms of the release that a scenario asks for."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """What is spent before the pool and the pool, a fraction of what that leaves."""
        total = card_total(scenario.gpu.device_total_bytes)
        spent = tuple(entry_term(entry) for entry in stage.fixed)
        if stage.left_bytes < 0:
            formula = Formula("{device_total_bytes}", (total,))
        else:
            pool = self._pool(scenario, stage, total, spent)
            names = "".join(f" + {{{term.symbol}}}" for term in spent)
            expression = f"min({{device_total_bytes}}, {{blocks_bytes}}{names})"
            formula = Formula(expression, (total, pool, *spent))
        return _computed("budget_bytes", stage.budget_bytes, "bytes", formula)

    def _pool(
        self, scenario: Scenario, stage: StageBudget, total: Term, spent: tuple[Term, ...]
    ) -> Term:
        """Whole blocks in the fraction of what is left, or in what a log gave."""
        cache = stage_cache(scenario, stage.stage)
        if cache is None or not cache.windows:
            return _computed("blocks_bytes", 0, "bytes", Formula("0"))
        count = self._blocks(scenario, cache, self._room(scenario, total, spent))
        block = self.block(scenario, stage)
        size = int(str(count.value)) * stage.pages.bytes_per_block
        formula = Formula("{blocks_of_rank} × {bytes_per_block}", (count, block))
        return _computed("blocks_bytes", size, "bytes", formula)

    def _room(self, scenario: Scenario, total: Term, spent: tuple[Term, ...]) -> Term:
        """Bytes that the fraction leaves to the pool."""
        engine = engine_of(scenario)
        measured = engine.measured.available_kv_bytes
        if measured is not None:
            source = Source("log", engine.measured.source)
            field = "engine.measured_available_kv_bytes"
            return Term("primary_bytes", measured, "bytes", Evidence.MEASURED, source, field)
        fraction = flags_of(scenario).free_gpu_memory_fraction
        share = _flag(scenario, "free_gpu_memory_fraction", fraction, "share")
        less = "".join(f" - {{{term.symbol}}}" for term in spent)
        size = int(str(total.value)) - sum(int(str(term.value)) for term in spent)
        formula = Formula(f"{{device_total_bytes}}{less}", (total, *spent))
        left = _computed("after_load_bytes", size, "bytes", formula)
        formula = Formula("⌊{after_load_bytes} × {free_gpu_memory_fraction}⌋", (left, share))
        return _computed("primary_bytes", int(size * fraction), "bytes", formula)

    def _blocks(self, scenario: Scenario, stage: StageCache, room: Term) -> Term:
        """Blocks that a rank makes of its part."""
        engine, flags = engine_of(scenario), flags_of(scenario)
        count = blocks_in(scenario, stage, int(str(room.value)))
        block = _flag(scenario, "block_tokens", flags.block_tokens, "tokens")
        most = engine.kv_cache_max_tokens
        cap = () if most is None else (_flag(scenario, "kv_cache_max_tokens", most, "tokens"),)
        if is_sized_by_tokens(engine):
            formula = Formula("⌈{kv_cache_max_tokens} ÷ {block_tokens}⌉", (*cap, block))
            return _computed("blocks_of_rank", count, "blocks", formula)
        terms, size = [room], "{primary_bytes}"
        if engine.rules.total_bytes_cap and engine.max_gpu_total_bytes:
            terms.append(
                _flag(scenario, "max_gpu_total_bytes", engine.max_gpu_total_bytes, "bytes")
            )
            size = "min({primary_bytes}, {max_gpu_total_bytes})"
        if len(stage.windows) > 1:
            terms.append(_bytes("bytes_per_block", stage.pages.bytes_per_block))
            formula = Formula(f"⌊{size} ÷ {{bytes_per_block}}⌋", tuple(terms))
            return _computed("blocks_of_rank", count, "blocks", formula)
        terms += [_bytes("token_bytes", stage.token_bytes), block, *cap]
        tokens = f"⌊{size} ÷ {{token_bytes}}⌋"
        if cap:
            tokens = f"min({tokens}, {{kv_cache_max_tokens}})"
        formula = Formula(f"⌈{tokens} ÷ {{block_tokens}}⌉", tuple(terms))
        return _computed("blocks_of_rank", count, "blocks", formula)

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """Tokens of a block × bytes of a token; with several windows its part of every pool."""
        cache = stage_cache(scenario, stage.stage)
        assert cache is not None, "a scenario without pages has no blocks to explain"
        size = stage.pages.bytes_per_block
        block_tokens = flags_of(scenario).block_tokens
        terms = [_flag(scenario, "block_tokens", block_tokens, "tokens")]
        if len(cache.windows) == 1:
            terms.append(_bytes("token_bytes", cache.token_bytes))
            formula = Formula("{block_tokens} × {token_bytes}", tuple(terms))
            return _computed("bytes_per_block", size, "bytes", formula, "engine.block_tokens")
        parts = []
        for place, window in enumerate(cache.windows, start=1):
            parts.append(f"{{window_{place}}} × {{token_bytes_{place}}}")
            terms += [
                _computed_tokens(f"window_{place}", window.tokens),
                _bytes(f"token_bytes_{place}", window.token_bytes),
            ]
        expression = f"⌈{{block_tokens}} × ({' + '.join(parts)}) ÷ {{window_1}}⌉"
        formula = Formula(expression, tuple(terms))
        return _computed("bytes_per_block", size, "bytes", formula, "engine.block_tokens")

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """All of them."""
        return Formula(f"{{{there.symbol}}}", (there,))

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """Blocks times their tokens."""
        block = _flag(scenario, "block_tokens", flags_of(scenario).block_tokens, "tokens")
        return Formula(f"{{{blocks.symbol}}} × {{block_tokens}}", (blocks, block))

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Blocks over those of the longest request, after the engine has cut its length."""
        engine, flags = engine_of(scenario), flags_of(scenario)
        planned = sheet_of(scenario).pool()
        longest = flags.max_model_len
        if planned is not None and planned.max_model_len is not None:
            longest = planned.max_model_len
        each = request_blocks(
            longest,
            longest,
            flags.block_tokens,
            sink_tokens=engine.sink_token_length,
            beams=engine.max_beam_width,
        )
        source = Source("engine_rule")
        field = "engine.max_model_len"
        held = Term("longest_blocks", each, "blocks", Evidence.COMPUTED, source, field)
        if flags.attention_ranks == 1:
            return Formula(f"{{{blocks.symbol}}} ÷ {{longest_blocks}}", (blocks, held))
        typed = Source("typed")
        ranks = Term(
            "attention_ranks",
            flags.attention_ranks,
            "count",
            Evidence.GIVEN,
            typed,
            "deployment.tp",
        )
        expression = f"{{attention_ranks}} × {{{blocks.symbol}}} ÷ {{longest_blocks}}"
        return Formula(expression, (ranks, blocks, held))


EXPLAINED = TrtllmExplained()


def _computed(
    symbol: str, value: int, unit: Unit, formula: Formula, field: str | None = None
) -> Term:
    return Term(symbol, value, unit, Evidence.COMPUTED, _RULE, field, formula)


def _bytes(symbol: str, size: int) -> Term:
    return Term(symbol, size, "bytes", Evidence.COMPUTED, _RULE, "precision.kv")


def _computed_tokens(symbol: str, tokens: int) -> Term:
    field = "engine.max_attention_window"
    return Term(symbol, tokens, "tokens", Evidence.GIVEN, Source("typed"), field)


def _flag(scenario: Scenario, name: str, value: Number, unit: Unit) -> Term:
    resolved = rule_of(scenario.engine).resolve(scenario)
    return flag_term(scenario, resolved, name, value, unit, f"engine.{name}")

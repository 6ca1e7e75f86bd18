"""Derived figures: the value is the ledger's, and the formula, by hand, gives that value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from tests.core.formulas import all_terms, computed_terms, evaluate
from tests.core.scenarios import random_scenario
from tests.core.vllm_scenarios import answers
from workbench.core.budget import budget
from workbench.core.explain import FIGURES, figure
from workbench.spec import words
from workbench.spec.ledger import Ledger, Term
from workbench.spec.scenario import Scenario

COUNT = 150
FLOATS = (
    *("budget_bytes", "usable_blocks", "engine_blocks", "pool_tokens", "engine_log"),
    "tokens_per_mib",
)
"""The engine works these out in floating point: the last place may differ."""


def _asked() -> Iterator[tuple[Scenario, Ledger]]:
    pick = Random("explained")
    plain = (random_scenario(pick) for _ in range(COUNT))
    yield from ((scenario, budget(scenario)) for scenario in plain)
    yield from answers(COUNT)


def _figures() -> Iterator[tuple[Scenario, Ledger, str, Term]]:
    for scenario, ledger in _asked():
        for name in FIGURES:
            term = figure(scenario, ledger, name)
            if term is not None:
                yield scenario, ledger, name, term


def _agrees(term: Term, value: Fraction) -> bool:
    assert isinstance(term.value, int | float | Fraction)
    if term.symbol in FLOATS:
        off = abs(value - Fraction(term.value))
        return off <= (1 if isinstance(term.value, int) else abs(Fraction(term.value)) / 10**9)
    return value == term.value


def test_every_formula_gives_its_figure() -> None:
    seen: dict[str, int] = {}
    for scenario, ledger, name, term in _figures():
        for each in (term, *(computed_terms(term.formula) if term.formula else ())):
            if each.formula is not None:
                where = (scenario.id, ledger.scenario.engine, name, each.symbol, each.value)
                value = evaluate(each.formula)
                assert _agrees(each, value), (*where, each.formula.expression, float(value))
        seen[name] = seen.get(name, 0) + (term.formula is not None)
    assert {name for name, count in seen.items() if count >= 20} >= set(FIGURES) - {
        *("total", "target", "request_tokens"),
    }


def test_figures_are_those_of_the_ledger() -> None:
    for scenario, ledger in _asked():
        rank, pool, capacity = ledger.worst_rank, ledger.pool, ledger.capacity
        steady = capacity.steady_state
        wanted: dict[str, object] = {
            "total": rank.total_bytes,
            "budget": rank.budget_bytes,
            "used": rank.charged_bytes,
            "left": rank.left_bytes,
            "headroom": rank.headroom_bytes,
            "free": rank.free_bytes,
            "over": rank.over_bytes,
            "cache_bytes": rank.cache_bytes,
            "pool_bytes": pool and pool.bytes,
            "pool_blocks": pool and pool.blocks,
            "bytes_per_block": pool and pool.bytes_per_block,
            "kv_bytes_per_token": pool and pool.kv_bytes_per_token,
            "tokens_per_mib": pool and pool.tokens_per_mib,
            "most_requests": ledger.most_requests,
            "engine_log": capacity.engine_log and capacity.engine_log.concurrency,
            "steady": steady and getattr(steady, scenario.workload.sizing),
            "steady_p99": steady and steady.p99,
            "at_risk": capacity.at_risk and capacity.at_risk.concurrency,
            "target": capacity.target and capacity.target.concurrency,
            "gpus": ledger.scenario.gpus,
        }
        for name, value in wanted.items():
            term = figure(scenario, ledger, name)
            assert (term and term.value) == value, (scenario.id, name)


def test_every_term_has_a_name_and_a_source() -> None:
    for _, _, _, term in _figures():
        for each in (term, *(all_terms(term.formula) if term.formula else ())):
            assert words.source_text(each.source)
            stem = each.symbol.rstrip("0123456789").rstrip("_")
            named = words.term_text(each) != each.symbol or each.source.code == "tensor"
            assert named or stem in words.SYMBOLS or stem in words.FIGURES, each.symbol

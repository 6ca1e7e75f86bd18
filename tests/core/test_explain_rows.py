"""Rows of sweeps and tables: each number's formula, by hand, gives the number that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import get_args

from tests.core.formulas import computed_terms, evaluate
from tests.core.scenarios import random_scenario
from tests.core.vllm_scenarios import answers, at_release, start
from workbench.core.admission import admission_of
from workbench.core.budget import budget
from workbench.core.explain import fields, rows
from workbench.core.memory.allocation import allocation_table
from workbench.core.pool_table import pool_table
from workbench.core.sensitivity import scaling_checks
from workbench.core.sweep import block_size_sweep, kv_format_saving, max_model_len_cost
from workbench.core.upgrade import upgrade
from workbench.spec import words
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Evidence, Ledger, Term
from workbench.spec.scenario import Scenario
from workbench.spec.workload import Sizing

COUNT = 40


def _asked() -> Iterator[tuple[Scenario, Ledger]]:
    pick = Random("rows")
    plain = (random_scenario(pick) for _ in range(COUNT))
    yield from ((scenario, budget(scenario)) for scenario in plain)
    yield from answers(COUNT)


def _terms(scenario: Scenario, ledger: Ledger) -> Iterator[Term]:
    pool = ledger.pool
    for row in block_size_sweep(scenario, budget, (8, 16, 64)):
        yield from rows.block_size_terms(scenario, ledger, row)
    table = allocation_table(scenario, ledger, (2**17, 2**20))
    for each in table:
        assert pool is not None
        yield from rows.policy_terms(each, table[-1], pool)
    cost = max_model_len_cost(scenario, ledger)
    if cost is not None:
        for part in rows.longest_terms(scenario, ledger, cost):
            yield from part
    for saving in kv_format_saving(scenario, (1, 1024)):
        yield from rows.format_terms(saving)
    for check in scaling_checks(scenario, budget):
        yield from rows.scaling_terms(check)
    layout = pool_table(scenario, ledger)
    for stage in () if layout is None else layout.stages:
        yield from rows.stage_terms(stage)
        for group in stage.groups:
            yield from rows.group_terms(group, stage.bytes_per_block)
    admission = admission_of(scenario, ledger)
    if admission is not None:
        yield from rows.admission_terms(admission).values()
    for sizing in get_args(Sizing):
        trial = scenario.with_(workload=scenario.workload.with_(sizing=sizing))
        request = budget(trial).request
        if request is not None:
            found = rows.length_terms(trial, sizing, request, pool)
            assert found.tokens.value == request.tokens
            parts = (found.tokens, found.blocks, found.tail, found.tail_share, found.size)
            yield from (part for part in parts if part is not None)
    if scenario.engine.kind == "vllm":
        change = upgrade(scenario, at_release(scenario, "0.33.0"), budget)
        for line in (*change.entries, *change.figures):
            terms = rows.changed_terms(line, change.before_release, change.after_release)
            yield from (term for term in terms if term is not None)


def _is_named(term: Term) -> bool:
    stem = term.symbol.rstrip("0123456789").rstrip("_")
    return any(stem in known for known in (words.SYMBOLS, words.FIGURES, words.LABELS))


def test_every_row_explains_itself() -> None:
    checked = 0
    for scenario, ledger in _asked():
        for term in _terms(scenario, ledger):
            assert _is_named(term), term.symbol
            assert words.source_text(term.source)
            for each in (term, *(computed_terms(term.formula) if term.formula else ())):
                if each.formula is not None:
                    assert isinstance(each.value, int | float | Fraction)
                    value, where = evaluate(each.formula), (scenario.id, each.symbol)
                    slack = (
                        abs(Fraction(each.value)) / 10**9 if isinstance(each.value, float) else 0
                    )
                    assert abs(value - Fraction(each.value)) <= slack, where
                    checked += 1
    assert checked > 2_000


def test_every_field_says_where_its_value_comes_from() -> None:
    seen = set()
    chosen = start()
    for scenario, ledger in (*_asked(), (chosen, budget(chosen))):
        for field_id, field in FIELDS.items():
            if field.applies(scenario):
                term = fields.field_term(scenario, ledger, field_id, scenario)
                assert words.source_text(term.source)
                assert words.value_text(term.value, term.unit)
                seen.add((term.source.code, term.evidence))
    codes = {code for code, _ in seen}
    assert codes >= {"typed", "preset", "engine_default", "left_open", "founding_note"}
    assert ("founding_note", Evidence.ASSUMED) in seen


def test_a_value_of_a_preset_that_was_changed_is_typed() -> None:
    scenario = start()
    ledger = budget(scenario)
    before = fields.field_term(scenario, ledger, "model.kv_heads", scenario)
    assert before.source.code == "preset"
    assert before.source.detail == str(scenario.model_ref)
    other = FIELDS["model.layers"].write(scenario, 7)
    after = fields.field_term(scenario, ledger, "model.layers", other)
    assert after.source.code == "typed"
    assert fields.source_texts(scenario, "model.layers") == scenario.model.sources

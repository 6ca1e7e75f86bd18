"""What holds for every SGLang scenario, whatever its model, card, release and flags."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from tests.core.formulas import all_terms, computed_terms, evaluate
from tests.core.ledger_checks import check_sizes, check_sums, ranks_of, started_of
from tests.core.sglang_scenarios import COUNT, answers, flagged, sglang
from workbench.core.budget import budget, ledger_of
from workbench.core.engines.sglang.plan import Plan, plan_of
from workbench.core.explain import FIGURES, figure
from workbench.core.grid import capacity_row
from workbench.spec import words
from workbench.spec.ledger import EntryKind, Ledger, RankLedger, Status, Term
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine, SglangMeasured
from workbench.spec.units import GIB

GOOD = (Status.FITS, Status.TIGHT)
FLOATS = (
    *("budget_bytes", "bytes_per_block", "token_cell_bytes", "full_pool_tokens", "engine_log"),
    *("tokens_per_mib", "pool_blocks"),
)
"""The engine works these out in floating point: the last place may differ."""


def ranks() -> Iterator[tuple[Scenario, Ledger, RankLedger]]:
    return ranks_of(answers())


@cache
def started() -> tuple[tuple[Scenario, Ledger], ...]:
    """Scenarios that the engine starts, with a pool."""
    return started_of(answers())


def test_the_scenarios_cover_verdicts_refusals_and_kinds() -> None:
    found = [ledger.verdict.status for _, ledger in answers()]
    assert all(found.count(status) >= COUNT // 60 for status in Status if status != "tight"), found
    reasons = {ledger.verdict.refusal.reason for _, ledger in answers() if ledger.verdict.refusal}
    assert reasons >= {
        *("static_part_too_small", "too_few_state_slots", "window_pool_too_small"),
        *("chunk_not_whole_pages", "length_beyond_derived", "format_of_other_engines"),
    }
    kinds = {group.kind for _, ledger in started() if ledger.pool for group in ledger.pool.groups}
    assert kinds >= {"full", "sliding", "chunked", "latent", "compressed"}
    labels = {entry.label for _, _, rank in ranks() for entry in rank.entries}
    assert labels >= {
        *("weights", "before_start", "multimodal_cache", "state_slots", "window_pool"),
        *("request_table", "cuda_graphs", "activations", "pool_padding", "draft_pool"),
        *("kv", "prefix", "block_tails", "unrequested"),
    }


def test_entries_headroom_and_free_are_the_card() -> None:
    check_sums(answers())


def test_sizes_are_whole_and_never_negative_and_labels_differ() -> None:
    check_sizes(answers())


def test_the_slack_holds_what_is_not_charged() -> None:
    allowed = {
        *("unrequested", "request_table", "cuda_graphs", "activations"),
        *("pool_padding", "draft_pool"),
    }
    for scenario, _, rank in ranks():
        outside = {entry.label for entry in rank.entries if not entry.in_budget}
        assert outside <= allowed, (scenario.id, outside)
        inside = [e for e in rank.entries if e.in_budget]
        assert all(e.kind is not EntryKind.UNREQUESTED for e in inside)


def test_tokens_are_whole_pages_and_lie_in_what_is_left() -> None:
    for scenario, ledger in started():
        plan = plan_of(scenario)
        assert isinstance(plan, Plan)
        assert ledger.pool is not None
        page = plan.flags.block_tokens
        assert ledger.pool.block_tokens == page
        if scenario.engine.rules.window_split != "tokens":
            assert ledger.pool.tokens % page == 0, scenario.id
        for stage in plan.stages:
            assert plan.tokens.full * stage.cell.charged <= max(0, stage.left_bytes) + 1e-3


def test_a_slack_too_small_is_a_finding() -> None:
    scenario = sglang(flags={"mem_fraction_static": 0.995})
    found = {finding.code: finding for finding in budget(scenario).findings}
    assert found["overcommitted"].field == "engine.mem_fraction_static"
    assert not {f.code for f in budget(sglang()).findings} & {"overcommitted"}


def test_a_larger_fraction_holds_no_fewer_tokens() -> None:
    for model in ("llama-3.1-8b", "gpt-oss-20b", "qwen3-next-80b-a3b-instruct", "deepseek-v2-lite"):
        tokens = []
        for fraction in (0.5, 0.7, 0.8, 0.88, 0.95, 0.99, 1.0):
            scenario = sglang(
                model,
                "h200",
                weights="mxfp4" if "oss" in model else "fp8",
                flags={"mem_fraction_static": fraction},
            )
            pool = ledger_of(scenario).pool
            tokens.append(0 if pool is None else pool.tokens)
        assert tokens == sorted(tokens), (model, tokens)
        assert tokens[-1] > tokens[0]


def test_most_requests_fit_and_one_more_does_not() -> None:
    seen = 0
    for scenario, ledger in started()[:250]:
        most = ledger.most_requests
        copies = scenario.deployment.copies
        if most is None or most < copies or ledger.verdict.status not in GOOD:
            continue
        asked = scenario.with_(workload=scenario.workload.with_(concurrency=most))
        assert ledger_of(asked).verdict.status in GOOD, (scenario.id, most)
        seen += 1
    assert seen >= 40


def test_requests_stay_below_the_engines_own_limit() -> None:
    for scenario, ledger in started():
        if ledger.most_requests is not None:
            limit = int(str(ledger.scenario.resolved["max_num_seqs"]))
            assert ledger.most_requests <= limit * scenario.deployment.copies, scenario.id


def test_the_grid_answers_as_the_ledger() -> None:
    seen = 0
    for scenario, ledger in started()[:250]:
        target = scenario.workload.concurrency
        if target is not None:
            row = capacity_row(scenario, (target,))
            assert int(row.left_bytes[0]) == ledger.worst_rank.left_bytes, scenario.id
            seen += 1
    assert seen >= 50


def test_attention_data_parallelism_multiplies_requests_and_weights() -> None:
    one = sglang("deepseek-v3", "h200", weights="fp8-block128", deployment={"tp": 8})
    eight = flagged(one, dp_attention=8)
    before, after = budget(one), budget(eight)
    assert before.pool is not None
    assert after.pool is not None
    assert before.most_requests is not None
    assert after.most_requests is not None
    weights = [rank.kind_bytes(EntryKind.WEIGHTS) for rank in (before.ranks[0], after.ranks[0])]
    assert weights[1] > weights[0]
    per_rank = after.pool.tokens // (after.request.tokens if after.request else 1)
    assert after.most_requests == min(8 * per_rank, 8 * 2048)
    assert after.most_requests > before.most_requests


# --- formulas -----------------------------------------------------------------------------------


def _agrees(term: Term, value: Fraction) -> bool:
    assert isinstance(term.value, int | float | Fraction)
    if term.symbol in FLOATS:
        off = abs(value - Fraction(term.value))
        return off <= (1 if isinstance(term.value, int) else abs(Fraction(term.value)) / 10**9)
    return value == term.value


def test_every_entry_is_its_formula() -> None:
    for scenario, _, rank in ranks():
        for entry in rank.entries:
            value = evaluate(entry.formula)
            assert value == entry.bytes, (scenario.id, entry.label, entry.bytes, float(value))
            for term in computed_terms(entry.formula):
                assert term.formula is not None
                found = evaluate(term.formula)
                assert _agrees(term, found), (scenario.id, entry.label, term.symbol, float(found))


def test_every_figure_is_its_formula() -> None:
    for scenario, ledger in answers(250):
        for name in FIGURES:
            term = figure(scenario, ledger, name)
            if term is None:
                continue
            for each in (term, *(computed_terms(term.formula) if term.formula else ())):
                if each.formula is not None:
                    value = evaluate(each.formula)
                    where = (scenario.id, name, each.symbol, each.value, float(value))
                    assert _agrees(each, value), (*where, each.formula.expression)


def test_every_term_and_source_has_words() -> None:
    for scenario, ledger, rank in ranks():
        for entry in rank.entries:
            assert entry.label in words.LABELS, entry.label
            assert words.source_text(entry.source)
            for term in all_terms(entry.formula):
                assert words.source_text(term.source)
                stem = term.symbol.rstrip("0123456789").rstrip("_")
                known = stem in words.SYMBOLS or stem in words.FIGURES or stem in words.LABELS
                assert known or term.source.code == "tensor", (scenario.id, term.symbol)
        assert set(ledger.not_modelled) <= set(words.NOT_MODELLED)
        for finding in ledger.findings:
            assert words.finding_text(finding)


# --- measured -----------------------------------------------------------------------------------


def test_measured_memory_replaces_what_is_worked_out() -> None:
    measured = SglangMeasured(before_load_bytes=79 * GIB, after_load_bytes=64 * GIB, source="a.log")
    ledger = budget(sglang(measured=measured, flags={"mem_fraction_static": 0.9}))
    rank = ledger.ranks[0]
    assert rank.kind_bytes(EntryKind.WEIGHTS) == 15 * GIB
    before = next(e for e in rank.entries if e.label == "before_start")
    assert before.bytes == rank.total_bytes - 79 * GIB
    assert ledger.pool is not None
    assert ledger.pool.tokens == int((64 - 79 * 0.1) * GIB) // 131_072


def test_every_release_plans_the_plain_model() -> None:
    for release in ("0.4.3", "0.4.6", "0.4.7", "0.4.9", "0.5.2", "0.5.5", "0.5.10", "0.5.23"):
        scenario = sglang(release=release)
        assert isinstance(scenario.engine, SglangEngine)
        ledger = budget(scenario)
        assert ledger.verdict.status is Status.FITS, release


def test_groups_of_attention_that_do_not_divide_tp_are_named() -> None:
    two = flagged(sglang("llama-3.1-8b", "h100-sxm"), dp_attention=2)
    assert two.deployment.tp == 1
    found = {finding.code: finding for finding in budget(two).findings}
    assert found["refused.attention_not_divided"].field == "engine.dp_attention"
    assert "tp_does_not_divide_heads" not in found

"""Solvers: every answer is tried, and so is one past it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.scenarios import random_scenario
from tests.core.vllm_scenarios import flagged, random_vllm, start, working
from workbench.core.budget import ledger_of
from workbench.core.solve import (
    FITTING,
    LONGEST_TRIED,
    Answer,
    fits_in_eight_bits,
    max_concurrency,
    max_context,
    next_tp,
    scaled_lengths,
    smallest_tp,
    with_longest,
    with_tp,
)
from workbench.spec.deployment import Deployment
from workbench.spec.engine import PlainEngine
from workbench.spec.layers import NoMixer
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, QuantilePoint, QuantileTable, TraceSummary


def few(found: Answer) -> bool:
    """About 40 ledgers at most; figures beyond any real plan take a few more."""
    return found.steps <= (60 if found.answer is not None and found.answer > 10**7 else 40)


def anything(seed: int) -> Scenario:
    """Plain arithmetic and vLLM in turn."""
    return random_scenario(Random(f"solve {seed}")) if seed % 2 else random_vllm(seed)


scenarios = st.integers(0, 10**6).map(anything)


def on_plain(scenario: Scenario) -> Scenario:
    return scenario.with_(engine=PlainEngine())


def good(ledger: Ledger, answer: Answer) -> bool:
    """As good as the answer's own verdict, and run at once by the scheduler."""
    wanted = FITTING if answer.verified.answer is Status.TIGHT else (Status.FITS,)
    target = ledger.capacity.target
    # Where there is no pool the scheduler's limit stands alone.
    limit = ledger.scenario.resolved.get("max_num_seqs")
    if target is None and ledger.pool is None and limit is not None:
        return ledger.verdict.status in wanted and ledger.concurrency <= limit
    return ledger.verdict.status in wanted and (target is None or target.met)


def requests(scenario: Scenario, number: int) -> Scenario:
    return working(scenario, concurrency=number)


# --- requests -----------------------------------------------------------------------------------


@given(scenarios)
def test_the_largest_concurrency_fits_and_one_more_does_not(scenario: Scenario) -> None:
    found = max_concurrency(scenario, ledger_of)
    assert few(found)
    if found.answer is None:
        one = ledger_of(requests(scenario, 1))
        assert one.verdict.status not in FITTING or not good(one, found)
        assert found.scenario is None
        assert found.verified.next is one.verdict.status
        return
    assert found.scenario == requests(scenario, found.answer)
    ledger, past = ledger_of(found.scenario), ledger_of(requests(scenario, found.answer + 1))
    assert good(ledger, found)
    assert found.verified.answer is ledger.verdict.status
    if ledger.pool is not None:
        assert not good(past, found)
        assert found.verified.next is past.verdict.status
        if past.verdict.status in FITTING and past.verdict.status is ledger.verdict.status:
            assert found.binding == "max_num_seqs"
        else:
            assert found.binding == past.verdict.binding


@given(scenarios)
@example(anything(488))  # a watermark beside a headroom
@example(anything(114_312))  # blocks given by hand that the headroom does not leave
@example(anything(5_086))  # stages that differ beside the budget
@example(anything(105_951))  # a rank without KV that is full
def test_the_largest_concurrency_is_what_the_ledger_says(scenario: Scenario) -> None:
    """One number everywhere: the verdict line's "at most" and the solver's answer."""
    if scenario.reserves.tight_below is not None:
        return
    ledger = ledger_of(scenario)
    found = max_concurrency(scenario, ledger_of)
    if found.verified.answer is Status.FITS:
        assert found.answer == ledger.most_requests
        assert found.steps <= 6
    elif ledger.verdict.status is not Status.REFUSES:
        assert not ledger.most_requests


def test_more_requests_than_the_scheduler_runs_do_not_count() -> None:
    limited = start("llama-3.1-8b", context=1024, max_num_seqs=10)
    found = max_concurrency(limited, ledger_of)
    assert (found.answer, found.binding) == (10, "max_num_seqs")


def test_a_reserve_that_no_number_leaves_gives_what_is_tight() -> None:
    scenario = start("llama-3.1-8b")
    total = scenario.gpu.device_total_bytes
    tight = scenario.with_(
        reserves=scenario.reserves.with_(
            tight_below=type(scenario.reserves.headroom)(size_bytes=total)
        )
    )
    found = max_concurrency(tight, ledger_of)
    assert found.verified.answer is Status.TIGHT
    assert found.verified.next is Status.DOES_NOT_FIT
    assert found.answer == max_concurrency(scenario, ledger_of).answer


# --- length -------------------------------------------------------------------------------------


@given(scenarios)
@example(anything(7_477))  # a model without a cache, and more requests than run at once
def test_the_longest_context_fits_and_one_token_more_does_not(scenario: Scenario) -> None:
    found = max_context(scenario, ledger_of)
    assert few(found)
    if found.answer is None:
        assert found.scenario is None
        assert not good(ledger_of(with_longest(scenario, 1)), found)
        return
    assert found.scenario == with_longest(scenario, found.answer)
    assert good(ledger_of(found.scenario), found)
    if found.binding == "none":
        return
    past = ledger_of(with_longest(scenario, found.answer + 1))
    assert not good(past, found)
    assert found.verified.next is past.verdict.status
    constant = isinstance(scenario.workload.lengths, ConstantLength)
    assert (found.scaled is None) == constant


def test_a_table_keeps_its_proportions() -> None:
    points = tuple(
        QuantilePoint(q=q, tokens=t)
        for q, t in ((0.0, 100), (0.5, 1000), (0.95, 4000), (1.0, 8000))
    )
    table = QuantileTable(points=points)
    assert [p.tokens for p in scaled_lengths(table, 4000).points] == [50, 500, 2000, 4000]  # type: ignore[union-attr]
    assert [p.tokens for p in scaled_lengths(table, 3).points] == [1, 1, 1, 3]  # type: ignore[union-attr]
    trace = TraceSummary(requests=10, mean_tokens=2000.0, points=points)
    halved = scaled_lengths(trace, 4000)
    assert isinstance(halved, TraceSummary)
    assert (halved.mean_tokens, halved.points[-1].tokens) == (1000.0, 4000)
    scenario = working(start("llama-3.1-8b", concurrency=20), lengths=table)
    found = max_context(scenario, ledger_of)
    assert found.answer is not None
    assert found.scaled == Fraction(found.answer, 8000)


def test_a_limit_of_the_engine_is_named() -> None:
    found = max_context(start("llama-3.1-8b", context=1024, max_model_len=5000), ledger_of)
    assert (found.answer, found.binding) == (5000, "max_model_len")
    assert found.verified.next is Status.REFUSES


def test_a_model_without_a_cache_has_no_longest_context() -> None:
    scenario = on_plain(start("llama-3.1-8b", context=1024))
    layers = (scenario.model.layers[0].with_(mixer=NoMixer()),)
    endless = scenario.with_(model=scenario.model.with_(layers=layers, max_position_tokens=None))
    found = max_context(endless, ledger_of)
    assert (found.answer, found.binding) == (LONGEST_TRIED, "none")
    assert found.verified.next is None
    most = max_concurrency(endless, ledger_of)
    assert (most.answer, most.binding) == (256, "max_num_seqs")


# --- TP -----------------------------------------------------------------------------------------


@given(scenarios)
def test_the_smallest_tp_fits_and_none_tried_below_does(scenario: Scenario) -> None:
    for found, above in ((next_tp(scenario, ledger_of), scenario.deployment.tp),):
        if found.answer is None:
            assert found.verified.answer is None
            continue
        assert found.answer > above
        assert found.verified.answer in FITTING
        smaller = above * 2
        while smaller < found.answer:
            assert ledger_of(with_tp(scenario, smaller)).verdict.status not in FITTING
            smaller *= 2
    least = smallest_tp(scenario, ledger_of)
    if ledger_of(scenario).verdict.status in FITTING:
        assert least.answer is not None
        assert least.answer <= scenario.deployment.tp


def test_what_lies_below_the_smallest_tp_is_told() -> None:
    found = next_tp(start("llama-3.1-70b"), ledger_of)
    assert (found.answer, found.binding) == (4, "weights")
    assert found.verified.next is Status.REFUSES


def test_experts_over_all_ranks_stay_so() -> None:
    scenario = start("qwen3-30b-a3b").with_(deployment=Deployment(tp=2, dp=2, ep=4))
    assert with_tp(scenario, 4).deployment == Deployment(tp=4, dp=2, ep=8)
    assert with_tp(scenario.with_(deployment=Deployment(tp=2)), 4).deployment == Deployment(tp=4)


# --- rules that are not monotone ----------------------------------------------------------------


class Odd:
    """A rule that fits at some numbers only; counts what it is asked."""

    def __init__(self, fits: set[int]) -> None:
        self.fits = fits
        self.asked: list[int] = []
        self._fit = ledger_of(start("llama-3.1-8b", context=64, concurrency=1))
        self._not = ledger_of(start("llama-3.1-70b", context=64, concurrency=1))

    def __call__(self, scenario: Scenario) -> Ledger:
        lengths = scenario.workload.lengths
        assert isinstance(lengths, ConstantLength)
        self.asked.append(lengths.tokens)
        return self._fit if lengths.tokens in self.fits else self._not


@pytest.mark.parametrize(
    ("fits", "answer"),
    [
        (set(range(1, 101)), 100),
        (set(range(1, 101)) | set(range(110, 141)), 140),
        (set(range(1, 33)) | set(range(60, 70)), 69),
        (set(range(20, 41)), 40),
        (set(), None),
    ],
    ids=["monotone", "gap", "double", "not from one", "never"],
)
def test_a_rule_with_holes_is_searched_beyond_the_first_edge(
    fits: set[int], answer: int | None
) -> None:
    rule = Odd(fits)
    found = max_context(start("llama-3.1-8b", context=64, concurrency=1), rule)
    assert found.answer == answer
    assert len(set(rule.asked)) <= 60
    if answer is not None:
        assert answer + 1 not in fits


def test_eight_bits_are_no_help_where_weights_are_given() -> None:
    scenario = start("llama-3.1-70b", deployment={"tp": 2})
    assert fits_in_eight_bits(scenario, ledger_of)
    measured = scenario.engine.measured.with_(weights_bytes=200 * 2**30)  # type: ignore[union-attr]
    assert not fits_in_eight_bits(flagged(scenario, measured=measured), ledger_of)

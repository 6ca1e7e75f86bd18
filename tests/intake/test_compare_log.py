"""What one record is compared on, with predictions made up for the purpose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.intake.samples import Shelf, question, raw
from workbench.core.accuracy import Pair
from workbench.core.prediction import Banded, Prediction
from workbench.intake.accuracy_report import report_of
from workbench.intake.compare_log import compare
from workbench.intake.engine_logs import read_records
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine

BYTES_PER_BLOCK = 2 * 2**20
FULL: dict[str, Any] = {
    "weights_gib": 14.99,
    "activation_peak_gib": 1.93,
    "non_torch_gib": 0.25,
    "kv_available_gib": 50.0,
    "kv_tokens": 409_600,
    "max_concurrency_x": 50.0,
    "max_concurrency_tokens": 8192,
}


def gib(size: float, spread: float = 0.0) -> Banded:
    low, high = (int((size - spread) * GIB), int((size + spread) * GIB))
    return Banded(int(size * GIB), low, high)


def arithmetic(scenario: Scenario) -> Prediction:
    """A made-up engine: fixed parts, and blocks of 2 MiB for 16 tokens."""
    engine = scenario.engine
    assert isinstance(engine, VllmEngine)
    total = scenario.gpu.device_total_bytes
    available = int(total * (engine.gpu_memory_utilization or 0.9)) - int(17.2 * GIB)
    if engine.measured.available_kv_bytes is not None:
        available = engine.measured.available_kv_bytes
    blocks = max(0, available) // BYTES_PER_BLOCK
    longest = engine.max_model_len or 131_072
    return Prediction(
        weights=gib(14.99),
        activation=gib(1.95, 0.05),
        non_torch=gib(0.25, 0.1),
        graphs=gib(1.0, 0.5),
        available=Banded(available, available - GIB, available + GIB),
        blocks=blocks,
        tokens=blocks * 16,
        concurrency=blocks * 16 / longest,
        refusal="max_len_too_long" if blocks * 16 < longest else None,
    )


def pairs_of(**changes: Any) -> dict[str, Pair]:
    found = compare(question(**changes), arithmetic)
    return {pair.field: pair for pair in found.pairs}


def test_every_printed_figure_is_compared() -> None:
    found = pairs_of(measured=FULL)
    assert set(found) == {
        "weights_gib",
        "activation_peak_gib",
        "non_torch_gib",
        "kv_available_gib",
        "kv_tokens",
        "max_concurrency_x",
        "kv_tokens_from_pool",
        "max_concurrency_x_from_pool",
    }
    assert found["kv_tokens_from_pool"].error == 0.0
    assert found["activation_peak_gib"].inside_band
    assert found["kv_available_gib"].low is not None


def test_tokens_from_the_pool_are_exact_up_to_the_rounding_of_the_pool() -> None:
    # Half a hundredth of a GiB is 2.56 blocks of 2 MiB.
    near = pairs_of(measured=FULL | {"kv_tokens": 409_600 + 2 * 16})["kv_tokens_from_pool"]
    assert near.within_log_rounding
    far = pairs_of(measured=FULL | {"kv_tokens": 409_600 + 4 * 16})["kv_tokens_from_pool"]
    assert not far.within_log_rounding


def test_an_open_release_leaves_only_what_no_release_changes() -> None:
    found = pairs_of(release=None, measured=FULL)
    assert set(found) == {"weights_gib", "kv_tokens_from_pool", "max_concurrency_x_from_pool"}

    def differing(scenario: Scenario) -> Prediction:
        engine = scenario.engine
        assert isinstance(engine, VllmEngine)
        prediction = arithmetic(scenario)
        halved = engine.release >= "0.2" and prediction.tokens is not None
        return replace(prediction, tokens=prediction.tokens // 2) if halved else prediction  # type: ignore[operator]

    pairs = compare(question(release=None, measured=FULL), differing).pairs
    assert {pair.field for pair in pairs} == {"weights_gib", "max_concurrency_x_from_pool"}


def test_what_is_not_stated_is_not_guessed() -> None:
    no_budget = pairs_of(flags={"max_model_len": 8192}, measured=FULL)
    assert "kv_available_gib" not in no_budget
    no_weights = pairs_of(weight_format="auto_round int4", measured=FULL)
    assert "weights_gib" not in no_weights
    assert "kv_available_gib" not in no_weights
    assert "kv_tokens_from_pool" in no_weights
    pooling = pairs_of(
        flags={"gpu_memory_utilization": 0.9, "max_model_len": 8192, "runner": "pooling"},
        measured=FULL,
    )
    assert "activation_peak_gib" not in pooling
    assert "kv_available_gib" not in pooling


def test_releases_without_a_fitted_activation_stand_apart() -> None:
    found = compare(question(release="0.31.0", measured=FULL), arithmetic)
    assert "kv_available_gib" not in {pair.field for pair in found.pairs}
    assert "kv_available_gib" in {pair.field for pair in found.extrapolated}


def test_the_consumed_wording_puts_the_estimate_into_the_activation() -> None:
    def charged(scenario: Scenario) -> Prediction:
        return replace(arithmetic(scenario), graphs_charged=True)

    measured = FULL | {"consumed_weights_plus_nontorch_gib": 15.26}
    found = compare(question(release="0.31.0", measured=measured), charged)
    activation = next(pair for pair in found.pairs if pair.field == "activation_peak_gib")
    assert activation.predicted == pytest.approx(2.95)


def test_refusals_end_to_end_and_from_the_pool() -> None:
    good = compare(question(measured=FULL), arithmetic)
    assert good.end_to_end is not None
    assert good.from_pool is not None
    assert not good.end_to_end.foreseen
    assert not good.end_to_end.refused
    refused = compare(
        question(record="refused-start", measured={"kv_available_gib": 0.25}), arithmetic
    )
    assert refused.from_pool is not None
    assert refused.from_pool.refused
    assert refused.from_pool.foreseen


def test_what_our_rules_do_not_cover_is_no_refusal() -> None:
    def unsupported(scenario: Scenario) -> Prediction:
        return Prediction(refusal="unsupported")

    found = compare(question(measured=FULL), unsupported)
    assert found.end_to_end is None
    assert found.from_pool is None
    assert found.pairs == ()


def test_a_report_counts_every_start_once() -> None:
    content = [
        raw(measured=FULL),
        raw(id="llmd-two", measured=FULL),
        raw(id="odd", consistency="odd-cumem"),
        raw(id="gb10", gpu="NVIDIA GB10"),
        raw(id="who", model=None),
        raw(id="mute", measured={"n_cpu_blocks": 3}),
        raw(id="no", record="refused-start", measured={"kv_available_gib": 0.25}),
        raw(id="blocks", record="mamba-block-limit-only"),
        "no record",
    ]
    report = report_of(read_records(content, "logs.json"), Shelf(), None, arithmetic)
    assert (report.cases, report.excluded, report.resolved) == (5, 2, 2)
    assert [(case, fault.code) for case, fault in report.unresolved] == [
        ("who", "model_not_stated"),
        ("mute", "nothing_printed"),
        ("#8", "not_an_object"),
    ]
    assert report.whole.fields["weights_gib"].n == 2
    assert report.campaign.fields["weights_gib"].n == 1
    assert report.others.fields["weights_gib"].n == 1
    assert report.by["0.17-0.19"].fields["weights_gib"].n == 2
    assert report.by["v0"].fields == {}
    assert report.whole.refusals_from_pool.n == 1
    assert report.complete.fields["kv_tokens_from_pool"].within_log_rounding == 2

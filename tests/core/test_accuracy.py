"""Statistics of pairs: quantiles, rounding of the log, bands, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.accuracy import (
    Pair,
    Start,
    Summary,
    by_field,
    quantile,
    refusals_of,
    summary_of,
)


def pair(predicted: float, measured: float, **more: float) -> Pair:
    return Pair("one", "weights_gib", predicted, measured, **more)


def test_errors_are_of_the_measured_figure() -> None:
    assert pair(11.0, 10.0).error_pct == pytest.approx(10.0)
    assert pair(9.0, -10.0).error_pct == pytest.approx(190.0)
    # Of nothing measured, the rounding of the log is the measure.
    assert pair(0.01, 0.0, half_unit=0.005).error_pct == pytest.approx(200.0)
    assert pair(0.0, 0.0).error_pct == 0.0


def test_the_rounding_of_the_log_explains_what_it_can() -> None:
    assert pair(14.994, 14.99, half_unit=0.005).within_log_rounding
    assert not pair(14.996, 14.99, half_unit=0.005).within_log_rounding
    tokens = pair(100.0, 116.0, reach_low=96.0, reach_high=116.0)
    assert tokens.within_log_rounding
    assert not pair(100.0, 116.0).within_log_rounding


def test_bands_hold_what_was_measured_as_it_was_rounded() -> None:
    assert pair(1.0, 1.204, low=0.8, high=1.2, half_unit=0.005).inside_band is True
    assert pair(1.0, 1.21, low=0.8, high=1.2, half_unit=0.005).inside_band is False
    assert pair(1.0, 1.21).inside_band is None


def test_a_summary_by_hand() -> None:
    pairs = [pair(100.0 + error, 100.0) for error in (0, -1, 2, -3, 4, 5, 6, 7, 8, 30)]
    found = summary_of(pairs)
    assert found.n == 10
    assert found.median_abs_pct == pytest.approx(4.5)
    assert found.p90_abs_pct == pytest.approx(8.0 + 0.1 * 22)
    assert found.max_abs_pct == pytest.approx(30.0)
    assert (found.within_log_rounding, found.within_10_pct) == (1, 9)
    assert found.inside_band is None
    assert summary_of([]) == Summary(0)


def test_close_is_what_two_decimals_make_it() -> None:
    assert summary_of([pair(1.93, 1.88), pair(1.931, 1.88)]).within_0_05 == 1


def test_fields_keep_apart() -> None:
    found = by_field([pair(1, 1), Pair("one", "kv_tokens", 16, 16), pair(2, 1)])
    assert {field: summary.n for field, summary in found.items()} == {
        "weights_gib": 2,
        "kv_tokens": 1,
    }


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.floats(0.0, 1.0))
def test_a_quantile_is_numpys(values: list[float], q: float) -> None:
    rising = sorted(values)
    assert quantile(rising, q) == pytest.approx(float(np.quantile(rising, q)), abs=1e-6)


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), max_size=30))
def test_summaries_are_ordered(figures: list[tuple[float, float]]) -> None:
    found = summary_of([pair(predicted, measured) for predicted, measured in figures])
    if found.n:
        assert found.median_abs_pct is not None
        assert found.p90_abs_pct is not None
        assert found.max_abs_pct is not None
        assert 0 <= found.median_abs_pct <= found.max_abs_pct
        assert found.p90_abs_pct <= found.max_abs_pct
        assert found.within_log_rounding <= found.n


def test_refusals_foreseen_and_false_alarms() -> None:
    found = refusals_of(
        [
            Start("a", refused=True, foreseen=True),
            Start("b", refused=True, foreseen=False),
            Start("c", refused=False, foreseen=True),
            Start("d", refused=False, foreseen=False),
        ]
    )
    assert (found.n, found.predicted, found.false_alarms, found.starts) == (2, 1, 1, 2)
    assert found.right_share == 0.5
    assert refusals_of([]).right_share is None

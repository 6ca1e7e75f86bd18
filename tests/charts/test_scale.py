from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.charts.scale import (
    UNIT_BYTES,
    Scale,
    figure,
    fixed,
    number,
    resolve_unit,
    sized_fixed,
    tick_text,
    ticks,
    unit_for,
    whole,
)
from workbench.spec.units import GIB, KIB, MIB, TIB, ByteUnit

units = st.sampled_from(sorted(UNIT_BYTES))


@given(st.integers(0, 2**70), units, st.integers(1, 12))
def test_ticks_are_few_round_and_evenly_spaced(end: int, unit: ByteUnit, at_most: int):
    found = ticks(end, unit, at_most)
    assert found[0] == 0
    assert len(found) <= at_most
    assert found[-1] <= end
    if len(found) > 1:
        step = Fraction(tick_text(found[1], unit).replace(",", ""))
        digits = str(step.numerator if step >= 1 else step.denominator).rstrip("0")
        assert digits in ("1", "2", "5")
        texts = [tick_text(at, unit) for at in found]
        assert len(set(texts)) == len(texts)


def test_ticks_use_the_room():
    assert ticks(80 * GIB, "GiB", 9) == tuple(i * 10 * GIB for i in range(9))
    assert ticks(80 * GIB, "GiB", 8) == tuple(i * 20 * GIB for i in range(5))
    assert [tick_text(t, "GiB") for t in ticks(GIB, "GiB", 6)] == [
        "0",
        "0.2",
        "0.4",
        "0.6",
        "0.8",
        "1",
    ]
    assert ticks(0, "GiB", 8) == (0,)


def test_numbers_show_what_matters():
    assert number(80 * GIB, "GiB") == "80"
    assert number(int(26.25 * GIB), "GiB") == "26.2"
    assert number(MIB * 20, "GiB") == "0.02"
    assert number(1, "GiB") == "<0.001"
    assert number(-1, "GiB") == "-<0.001"
    assert number(0, "GiB") == "0"
    assert number(2**63 - 1, "TiB") == "8,388,608"
    assert [figure(size * GIB, "GiB") for size in (80, 0, 1234)] == ["80.0", "0", "1,234"]
    assert fixed(-GIB, "GiB") == "−1.00"
    assert fixed(MIB, "GiB", plus="+") == "+<0.01"
    assert sized_fixed(MIB, "GiB") == "1.00 MiB"


def test_units():
    assert resolve_unit("auto", 80 * GIB) == "GiB"
    assert resolve_unit("auto", 8 * TIB) == "TiB"
    assert resolve_unit("auto", 80 * MIB) == "MiB"
    assert resolve_unit("auto", 0) == "GiB"
    assert resolve_unit("GB", 1) == "GB"
    assert unit_for(80 * GIB, "TiB") == "GiB"
    assert unit_for(GIB // 2, "GiB") == "GiB"
    assert unit_for(0, "GiB") == "GiB"
    assert unit_for(5 * 10**6, "GB") == "MB"
    assert unit_for(-5 * KIB, "GiB") == "KiB"


def test_positions_stand_on_whole_pixels_and_halves_go_up():
    scale = Scale(10, 100, 200)
    assert scale.at(0) == 10
    assert scale.at(200) == scale.right == 110
    assert scale.at(1) == 11
    assert whole(2.5) == 3
    assert whole(-0.5) == 0
    assert Scale(0, 1000, 2**80).length(2**79) == pytest.approx(500)

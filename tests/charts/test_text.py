from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.charts.text import ELLIPSIS, FixedMeasure, elide, plain

MEASURE = FixedMeasure()


def test_chinese_is_wide_and_marks_take_no_room():
    assert MEASURE.width("缓存", 10) == 20
    assert MEASURE.width("e\u0301", 10) == MEASURE.width("e", 10)
    assert MEASURE.width("KV", 10, bold=True) > MEASURE.width("KV", 10)
    assert len({MEASURE.width(digit, 10) for digit in "0123456789"}) == 1


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("A\nB\tC\u2028D\x00", "A B C D "),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("a\ud800b\ufffeb", "a\ufffdb\ufffdb"),
        ("\u202eevil\u202c", "evil"),
    ],
)
def test_plain_text_is_one_line_that_can_be_saved(raw: str, shown: str):
    assert plain(raw) == shown


@given(st.text(max_size=60) | st.just("x" * 10_000), st.floats(0, 300), st.booleans())
def test_elided_text_keeps_to_its_width(text: str, width: float, bold: bool):
    shown = elide(text, width, MEASURE, 13, bold)
    assert MEASURE.width(shown, 13, bold) <= width
    assert shown == plain(text) or shown == "" or shown.endswith(ELLIPSIS)
    shown.encode("utf-8")


def test_elided_text_ends_cleanly():
    assert elide("Baseline", 1000, MEASURE, 13) == "Baseline"
    assert elide("TP 4 with a prefix", 60, MEASURE, 13) == "TP 4…"
    assert elide("x" * 10_000, 10**9, MEASURE, 13).endswith(ELLIPSIS)
    family = "👩\u200d👩\u200d👧"
    assert not elide(family, 40, MEASURE, 13).endswith("\u200d…")

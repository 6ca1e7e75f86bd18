"""The small bars of columns: one axis, nothing cut off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.charts.samples import BASELINE, CASES, FAR_OVER, OVER
from tests.charts.strategies import rows
from tests.charts.test_bars import area, inside
from workbench.charts.columns import axis_end_bytes, column_bar
from workbench.charts.display import Box, DisplayList, Line, Text
from workbench.charts.palette import LIGHT
from workbench.charts.rows import Row
from workbench.charts.text import FixedMeasure
from workbench.spec.units import GIB

FOLDER = Path(__file__).parents[1] / "golden" / "charts"


def draw(row: Row, *others: Row, width: float = 300.0, height: float = 30.0) -> DisplayList:
    end = axis_end_bytes([one.ledger for one in (row, *others)])
    return column_bar(
        row, end_bytes=end, width=width, height=height, theme=LIGHT, measure=FixedMeasure()
    )


def limit_of(made: DisplayList) -> Line:
    (line,) = made.with_role("limit")
    assert isinstance(line, Line)
    return line


@pytest.mark.parametrize("case", ["over", "budgets"])
def test_display_lists_are_the_golden_ones(case: str):
    rows_of_case = CASES[case]
    made = "".join(draw(row, *rows_of_case).to_json() for row in rows_of_case)
    golden = FOLDER / f"columns-{case}-light-en.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(made, encoding="utf-8", newline="\n")
    assert made == golden.read_text(encoding="utf-8")


def test_equal_limits_stand_at_one_place_and_what_is_over_is_hatched():
    fits, over = draw(BASELINE, OVER), draw(OVER, BASELINE)
    assert limit_of(fits).x1 == limit_of(over).x1
    assert not fits.with_role("over:")
    assert over.with_role("over:kv")
    assert over.hits[-1].box.right == pytest.approx(300, abs=3)
    assert not any(isinstance(item, Text) for item in over.items)
    assert over.summary == "C: 25.1 GiB over (engine may use 71.3 of 79.2 GiB)"


def test_the_axis_reaches_to_the_longest_bar():
    assert axis_end_bytes([]) == GIB
    longest = axis_end_bytes([BASELINE.ledger, FAR_OVER.ledger])
    assert longest > axis_end_bytes([BASELINE.ledger])
    # A little room more or less: the same figure, whatever the order.
    assert longest == axis_end_bytes([FAR_OVER.ledger, BASELINE.ledger])


@given(rows(), st.floats(1, 900), st.floats(1, 60))
@settings(max_examples=60)
def test_any_rank_is_drawn_inside_its_column(chosen, width, height):
    for row in chosen:
        made = draw(row, *chosen, width=max(width, 4.0), height=max(height, 12.0))
        canvas = Box(0, 0, made.width, made.height)
        assert all(inside(area(item), canvas) for item in made.items)
        assert all(hit.key.scenario == row.scenario for hit in made.hits)

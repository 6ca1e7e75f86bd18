from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from tests.charts.samples import BASELINE, CHINESE, EMPTY, HYBRID, LAB, OVER, TIGHT
from tests.charts.strategies import rows
from workbench.charts.bars import stacked_bars
from workbench.charts.labels import ENGLISH, english, filled, part_label
from workbench.charts.palette import LIGHT
from workbench.charts.parts import PART_ORDER
from workbench.charts.rows import bars_table, describe
from workbench.charts.text import FixedMeasure
from workbench.spec.ledger import Status
from workbench.spec.units import GIB, parse_bytes


def test_table_has_the_figures_of_the_bars():
    header, lines = bars_table((BASELINE, OVER))
    assert header == (
        "Scenario",
        "Rank",
        "Weights (GiB)",
        "Runtime (GiB)",
        "Activations (GiB)",
        "Fragmentation (GiB)",
        "Prefix cache (GiB)",
        "KV cache (GiB)",
        "Free (GiB)",
        "Not requested (GiB)",
        "Engine may use (GiB)",
        "Card (GiB)",
        "Result",
    )
    assert lines[0] == (
        "A", "0", "32.90", "2.13", "1.94", "0.01", "1.25", "26.25", "6.79", "7.92", "71.27",
        "79.19", "fits",
    )  # fmt: skip
    assert lines[1][7:9] == ("58.13", "-25.09")
    assert lines[1][-1] == "does not fit"


@given(rows())
def test_table_lines_add_up_to_the_card(chosen):
    header, lines = bars_table(chosen, unit="B")
    assert len(lines) == len(chosen)
    for line, row in zip(lines, chosen, strict=True):
        assert len(line) == len(header)
        sizes = [int(text.replace(",", "") or 0) for text in line[2:-3]]
        assert sum(sizes) == row.ledger.total_bytes
        assert int(line[-2].replace(",", "")) == row.ledger.total_bytes


def test_table_keeps_columns_that_only_some_rows_have():
    header, lines = bars_table((LAB, HYBRID))
    column = header.index("Runtime, outside the budget (GiB)")
    assert [line[column] for line in lines] == ["", "3.10"]
    assert header.index("Headroom (GiB)") + 1 == header.index("Free (GiB)")
    assert "\t" not in "".join(header)


def test_describe_gives_bytes_share_entries_and_change():
    kv = describe(HYBRID, "kv")
    assert kv is not None
    assert kv.bytes == 20 * GIB
    assert kv.share_of_budget == Fraction(kv.bytes, HYBRID.ledger.budget_bytes)
    assert [entry.label for entry in kv.entries] == ["kv"]
    assert kv.delta_bytes == 10 * GIB
    runtime = describe(HYBRID, "runtime")
    assert runtime is not None
    assert runtime.delta_bytes == 2 * GIB
    headroom = describe(LAB, "headroom")
    assert headroom is not None
    assert (headroom.bytes, headroom.entries, headroom.delta_bytes) == (4 * GIB, (), None)
    assert describe(LAB, "prefix") is None
    assert describe(EMPTY, "kv") is None


@given(rows())
def test_every_region_of_a_chart_can_be_described(chosen):
    made = stacked_bars(chosen, width=700, theme=LIGHT, measure=FixedMeasure())
    by_id = {row.scenario: row for row in chosen}
    for hit in made.hits:
        assert describe(by_id[hit.key.scenario], hit.key.part) is not None


def test_summary_says_the_chart_in_words():
    made = stacked_bars((BASELINE, TIGHT, OVER), width=700, theme=LIGHT, measure=FixedMeasure())
    assert made.summary.splitlines() == [
        "A: 6.8 GiB free (engine may use 71.3 of 79.2 GiB)",
        "B: 0.5 GiB left, tight (engine may use 71.3 of 79.2 GiB)",
        "C: 25.1 GiB over (engine may use 71.3 of 79.2 GiB)",
    ]


def test_labels_exist_for_every_part_and_status():
    for part in PART_ORDER:
        assert part_label(english, part) == ENGLISH[part]
    for status in Status:
        assert f"status.{status}" in ENGLISH
    assert part_label(CHINESE.__getitem__, "kv") == "KV 缓存"


@pytest.mark.parametrize("text", ["{0}", "{", "{other}", "a\nb"])
def test_templates_are_no_programs(text: str):
    assert filled(text, size="1") == text.replace("\n", " ")


def test_sizes_in_sentences_can_be_read_back():
    assert parse_bytes("6.8 GiB") > 0

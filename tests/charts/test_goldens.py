"""Display lists of named cases as JSON. KVW_REGENERATE=1 rewrites them; look at the change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.charts.samples import CASES, CHINESE
from workbench.charts.bars import stacked_bars
from workbench.charts.labels import english
from workbench.charts.palette import THEMES
from workbench.charts.text import FixedMeasure

FOLDER = Path(__file__).parents[1] / "golden" / "charts"
VARIANTS = [(case, "light", "en") for case in CASES] + [
    ("lab", "dark", "en"),
    ("over", "dark", "en"),
    ("over", "light", "zh"),
]


@pytest.mark.parametrize(("case", "theme", "language"), VARIANTS)
def test_display_list_is_the_golden_one(case: str, theme: str, language: str):
    made = stacked_bars(
        CASES[case],
        width=760,
        theme=THEMES[theme],
        measure=FixedMeasure(),
        labels=english if language == "en" else CHINESE.__getitem__,
        title="Memory per GPU" if language == "en" else "单卡显存",
    ).to_json()
    golden = FOLDER / f"bars-{case}-{theme}-{language}.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(made, encoding="utf-8", newline="\n")
    assert made == golden.read_text(encoding="utf-8")

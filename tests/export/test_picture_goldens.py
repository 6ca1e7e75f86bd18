"""Pages of the example as display lists. KVW_REGENERATE=1 rewrites them; look at the change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.export import plans
from workbench.charts.text import FixedMeasure
from workbench.export.options import Look, Options, Ratio, What
from workbench.export.pictures import picture

FOLDER = Path(__file__).parents[1] / "golden" / "charts"
PAGES: tuple[tuple[What, Ratio, Look], ...] = (
    ("bars", "16:9", "light"),
    ("bars", "4:3", "grey"),
    ("compare", "16:9", "light"),
    ("compare", "free", "transparent"),
    ("waterfall", "16:9", "dark"),
    ("heatmap", "4:3", "light"),
)


@pytest.mark.parametrize(("what", "ratio", "look"), PAGES)
def test_page_is_the_golden_one(what: What, ratio: Ratio, look: Look) -> None:
    # Without the footnote, which has the version of the program.
    options = Options(what=what, ratio=ratio, look=look, footnote=False)
    made = picture(plans.example(), options, FixedMeasure()).to_json()
    golden = FOLDER / f"page-{what}-{ratio.replace(':', 'x')}-{look}.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(made, encoding="utf-8", newline="\n")
    assert made == golden.read_text(encoding="utf-8")

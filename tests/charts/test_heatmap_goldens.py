"""Display lists of heat maps as JSON. KVW_REGENERATE=1 rewrites them; look at the change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.charts.map_samples import made, marks
from workbench.charts.heatmap import Names, heat_map
from workbench.charts.labels import ENGLISH, english
from workbench.charts.palette import THEMES
from workbench.charts.text import FixedMeasure

FOLDER = Path(__file__).parents[1] / "golden" / "charts"
CHINESE = ENGLISH | {
    "map.over": "放不下",
    "map.refuses": "引擎拒绝启动",
    "map.frontier": "最多能放下",
    "map.baseline": "{name}，基线",
    "map.drawn": "{name}，本图所绘",
    "map.differs": "{name}，其他输入不同",
}
VARIANTS = [
    ("requests", "used", "light", "en"),
    ("requests", "used", "dark", "en"),
    ("requests", "used", "contrast", "en"),
    ("requests", "free", "light", "zh"),
    ("requests", "held", "light", "en"),
    ("layouts", "used", "light", "en"),
    ("lengths", "used", "light", "en"),
]


@pytest.mark.parametrize(("name", "value", "theme", "language"), VARIANTS)
def test_display_list_is_the_golden_one(name: str, value: str, theme: str, language: str):
    of = made(name)
    shown = heat_map(
        of,
        names=Names("context", "concurrency", "Heat map")
        if language == "en"
        else Names("上下文", "并发", "热图"),
        width=640,
        height=420,
        theme=THEMES[theme],
        measure=FixedMeasure(),
        marks=marks(of),
        value=value,  # type: ignore[arg-type]
        labels=english if language == "en" else CHINESE.__getitem__,
    ).to_json()
    golden = FOLDER / f"heat-{name}-{value}-{theme}-{language}.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(shown, encoding="utf-8", newline="\n")
    assert shown == golden.read_text(encoding="utf-8")

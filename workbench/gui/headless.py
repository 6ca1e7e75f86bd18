"""Without a display: the answer in the terminal and the bars as a picture."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from workbench.charts.bars import stacked_bars
from workbench.charts.palette import LIGHT
from workbench.charts.rows import Row, bars_table
from workbench.core.budget import budget
from workbench.library import plans
from workbench.library.paths import shown, state_dir
from workbench.library.save import make_folder, save
from workbench.spec import words
from workbench.spec.scenario import Plan

_WIDTH: Final = 960.0
_DISPLAY_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown; only Linux can be without."""
    if not platform.startswith("linux"):
        return True
    return any(environment.get(name) for name in _DISPLAY_VARIABLES)


def run(plan: Plan, name: str) -> int:
    """Print every scenario's verdict and figures, and where the picture is; return 0."""
    print("kvw: no display here (DISPLAY and WAYLAND_DISPLAY are not set): text and a picture.")
    rows = tuple(_row(plan, index) for index in range(len(plan.scenarios)))
    print(f"\n{words.visible(name)}")
    for scenario in plan.scenarios:
        text = words.verdict_text(budget(scenario))
        print(f"  {words.visible(scenario.name)}: {text}")
    header, lines = bars_table(rows)
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    print()
    for line in (header, *lines):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )
    print(f"\n{_picture(rows)}")
    return 0


def _row(plan: Plan, index: int) -> Row:
    scenario = plan.scenarios[index]
    ledger = budget(scenario)
    return Row(
        scenario=scenario.id,
        name=words.visible(scenario.name),
        ledger=ledger.worst_rank,
        status=ledger.verdict.status,
        subtitle=f"{scenario.model.name} · {scenario.deployment.gpus} × {scenario.gpu.name}",
        is_baseline=scenario.id == plan.baseline,
    )


def _picture(rows: tuple[Row, ...]) -> str:
    """Write the bars as a PNG into the state folder; return its path."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from workbench.export.raster import QtMeasure, headless_application, png_bytes

    application = headless_application()
    picture = stacked_bars(
        rows, width=_WIDTH, theme=LIGHT, measure=QtMeasure(), title="Memory per GPU"
    )
    folder = state_dir() / "pictures"
    make_folder(folder)
    path = folder / "bars.png"
    save(path, png_bytes(picture, 2.0), overwrite=True)
    application.quit()
    return shown(path)


def main(path: Path | None, example: Path) -> int:
    """Run on a plan's file, else on the example; raises `UserError` for a bad file."""
    wanted = example if path is None else path
    return run(plans.load(wanted).plan, shown(wanted.name))

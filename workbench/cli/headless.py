"""Without a display: the ledger in the terminal and the bars as a picture."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from rich.text import Text

from workbench.charts.bars import stacked_bars
from workbench.charts.palette import LIGHT
from workbench.cli.common import console, warned
from workbench.cli.text import print_ledger
from workbench.core.budget import budget
from workbench.export.subject import Subject
from workbench.library import plans
from workbench.library.paths import resources_dir, shown, state_dir
from workbench.library.save import make_folder, save
from workbench.spec.scenario import Plan

_WIDTH: Final = 960.0


def answer_without_display(path: Path | None) -> int:
    """Print the ledger of every scenario of a plan (else of the example) and the picture's path.

    Raises `UserError` for a bad file.
    """
    path = resources_dir() / "plans" / "example.kvw" if path is None else path
    plan = warned(plans.load(path)).plan
    terminal = console()
    terminal.print("No display here (DISPLAY and WAYLAND_DISPLAY are not set): text and a picture.")
    for scenario in plan.scenarios:
        terminal.print()
        print_ledger(terminal, budget(scenario))
    terminal.print()
    terminal.print(Text(f"Picture: {_picture(plan)}"), soft_wrap=True)
    return 0


def _picture(plan: Plan) -> str:
    """Write the bars as a PNG into the state folder; return its path."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from workbench.export.raster import QtMeasure, headless_application, png_bytes

    application = headless_application()
    rows = Subject(plan).rows
    picture = stacked_bars(
        rows, width=_WIDTH, theme=LIGHT, measure=QtMeasure(), title="Memory per GPU"
    )
    folder = state_dir() / "pictures"
    make_folder(folder)
    path = folder / "bars.png"
    save(path, png_bytes(picture, 2.0), overwrite=True)
    application.quit()
    return shown(path)

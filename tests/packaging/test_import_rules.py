"""The import rules in pyproject.toml stop every arrow that points the wrong way."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

# A small package that obeys: the arrows that design.md allows, the lazy ones included.
GOOD = {
    "spec.units": "import json, pydantic",
    "core.budget": "import numpy\nfrom workbench.spec import units",
    "library.paths": "import os, platformdirs\nfrom workbench.core import budget",
    "intake.config": "from workbench.core import budget",
    "charts.bars": "from workbench.core import budget",
    "export.svg": "from workbench.charts import bars",
    "export.raster": "from PySide6.QtGui import QImage",
    "export.vector": "from PySide6.QtGui import QPdfWriter",
    "cli.main": (
        "import typer, rich\nfrom workbench.gui import app\nfrom workbench.gui.export import child"
    ),
    "cli.budget": "from workbench.export import raster\nfrom workbench.library import paths",
    "gui.app": "from PySide6 import QtWidgets\nfrom workbench.export import svg",
    "gui.export.child": "import subprocess",
    "gui.explore.heat_map": "import pyqtgraph",
    "gui.put_off": "from shiboken6 import Shiboken",
}
# A module and a line it must not hold.
BAD = [
    ("spec.units", "from workbench.core import budget"),
    ("spec.units", "import numpy"),
    ("spec.units", "import pathlib"),
    ("core.budget", "from workbench.library import paths"),
    ("core.budget", "import tempfile"),
    ("cli.budget", "import pptx"),
    ("core.budget", "import PySide6.QtCore"),
    ("library.paths", "from workbench.intake import config"),
    ("library.paths", "import PySide6.QtCore"),
    ("intake.config", "from workbench.charts import bars"),
    ("intake.config", "import platformdirs"),
    ("charts.bars", "from workbench.export import svg"),
    ("charts.bars", "import pyqtgraph"),
    ("export.svg", "import PySide6.QtSvg"),
    ("export.svg", "from workbench.cli import budget"),
    ("cli.budget", "import PySide6.QtCore"),
    ("cli.budget", "from workbench.gui import app"),
    ("gui.app", "from workbench.cli import main"),
    ("gui.app", "import pyqtgraph"),
    ("gui.app", "import rich"),
    ("gui.app", "import http.client"),
    ("gui.app", "import socket"),
]


@pytest.fixture
def lint(pytestconfig, tmp_path):
    """Return a function that writes the package with extra lines and lints it."""

    def run(extra: dict[str, str]) -> tuple[int, str]:
        for name, text in GOOD.items():
            file = tmp_path.joinpath("workbench", *name.split(".")).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            for folder in (tmp_path / "workbench", file.parent, file.parent.parent):
                (folder / "__init__.py").touch()
            file.write_text(text + "\n" + extra.get(name, ""), "utf-8")
        (tmp_path / "__init__.py").unlink(missing_ok=True)
        done = subprocess.run(
            [
                *(sys.executable, "-c"),
                "from importlinter.cli import lint_imports_command as run; run()",
                *("--no-cache", "--config", str(pytestconfig.rootpath / "pyproject.toml")),
            ],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    return run


def test_the_right_arrows_are_kept(lint):
    status, report = lint({})
    assert (status, "0 broken" in report) == (0, True), report


def arrow(module: str, line: str) -> str:
    """Name an import as the report does: our modules in full, other packages by their top."""
    words = line.split()
    imported = ".".join(words[1::2]) if words[0] == "from" else words[1].partition(".")[0]
    return f"- workbench.{module} -> {imported} (l."


def test_each_wrong_arrow_is_reported(lint):
    extra: dict[str, str] = {}
    for module, line in BAD:
        extra[module] = extra.get(module, "") + line + "\n"
    status, report = lint(extra)
    report = re.sub(r"-  +", "- ", report)
    assert status == 1
    assert [arrow(*bad) for bad in BAD if arrow(*bad) not in report] == [], report
    assert "KEPT" not in report

"""The library without Qt, and where it finds what ships with the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.library import paths

ROOT = Path(__file__).parents[2]
CODE = """
import sys
for name in ("PySide6", "shiboken6", "pyqtgraph", "numpy", "rich", "typer"):
    sys.modules[name] = None
import workbench.library.check, workbench.library.paths, workbench.library.plans
import workbench.library.recovery, workbench.library.settings
from workbench.library.presets import Library
assert Library(workbench.library.paths.presets_dir()).model("llama-3.1-8b").value.parameters
"""


def test_no_qt_is_needed() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True, cwd=ROOT)


def test_shipped_folders_in_a_checkout() -> None:
    assert paths.presets_dir() == ROOT / "presets"
    assert paths.resources_dir() == ROOT / "resources"


@pytest.mark.parametrize("below", ["workbench/_data", "."])
def test_shipped_folders_in_a_bundle(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / below / "presets").mkdir(parents=True)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.presets_dir().resolve() == (tmp_path / below / "presets").resolve()
    assert paths.resources_dir() == ROOT / "resources"


def test_shipped_folders_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "workbench" / "library" / "paths.py"
    (tmp_path / "workbench" / "_data" / "presets").mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(module))
    assert paths.presets_dir() == tmp_path / "workbench" / "_data" / "presets"

"""Everything but the window runs with Qt absent, and imports no more of it than it may."""

from __future__ import annotations

import pkgutil
import sys

import pytest

import workbench
from tests.conftest import RunProgram
from workbench.library.paths import resources_dir

BLOCK_QT = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, NoQt())
"""

QT_FREE = ("spec", "core", "charts", "library", "cli")


def modules_of(package: str) -> list[str]:
    prefix = f"workbench.{package}"
    found = pkgutil.walk_packages([f"{workbench.__path__[0]}/{package}"], f"{prefix}.")
    return [prefix, *(module.name for module in found)]


@pytest.mark.parametrize("package", QT_FREE)
def test_package_imports_without_qt(run_offline: RunProgram, package: str) -> None:
    imports = "\n".join(f"import {name}" for name in modules_of(package))
    done = run_offline([sys.executable, "-P", "-c", BLOCK_QT + imports])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "verb",
    [
        ["budget", "--model", "llama-3.1-8b", "--gpu", "80-gib"],
        ["check", str(resources_dir() / "plans" / "example.kvw")],
        ["compare", str(resources_dir() / "plans" / "example.kvw")],
        ["presets", "list"],
        ["presets", "check"],
        ["schema"],
    ],
    ids=lambda verb: " ".join(verb[:2]),
)
def test_verbs_run_without_qt(run_offline: RunProgram, verb: list[str]) -> None:
    program = f"{BLOCK_QT}\nfrom workbench.cli.main import main\nsys.exit(main({verb!r}))"
    done = run_offline([sys.executable, "-P", "-c", program])
    assert done.returncode == 0, done.stderr
    assert done.stdout

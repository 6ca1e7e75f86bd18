"""`kvw` without a display: the ledger in the terminal and the bars as a picture."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QImage

from tests.conftest import RunProgram
from workbench.cli.main import has_display
from workbench.library import plans
from workbench.library.paths import resources_dir

EXAMPLE = resources_dir() / "plans" / "example.kvw"
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}


def test_ledger_and_picture(run_kvw: RunProgram) -> None:
    done = run_kvw([], **NO_DISPLAY)
    assert done.returncode == 0, done.stderr
    assert "No display" in done.stdout
    for scenario in plans.load(EXAMPLE).plan.scenarios:
        assert scenario.name in done.stdout
    assert "17,179,869,184" in done.stdout
    picture = Path(done.stdout.splitlines()[-1].removeprefix("Picture: "))
    image = QImage(str(picture))
    assert image.width() == 1920
    colours = {image.pixelColor(x, image.height() // 2).name() for x in range(0, 1920, 4)}
    assert len(colours) > 4


def test_a_bad_plan_is_one_sentence(run_kvw: RunProgram, tmp_path: Path) -> None:
    bad = tmp_path / "bad.kvw"
    bad.write_text("[", encoding="utf-8")
    done = run_kvw([bad], **NO_DISPLAY)
    assert done.returncode == 2
    assert done.stderr.startswith("kvw: ")
    assert done.stderr.count("\n") == 1


def test_only_linux_can_be_without_a_display() -> None:
    assert not has_display({}, "linux")
    assert not has_display({"DISPLAY": ""}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert has_display({}, "darwin")

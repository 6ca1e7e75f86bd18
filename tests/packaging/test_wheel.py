"""The wheel holds the program with its presets and resources, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import pytest

import workbench


@pytest.fixture(scope="module")
def wheel(pytestconfig, tmp_path_factory) -> zipfile.Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=pytestconfig.rootpath,
        capture_output=True,
        check=True,
    )
    (built,) = folder.iterdir()
    return zipfile.Path(built)


def test_name_and_version(wheel):
    assert wheel.name == f"kv_workbench-{workbench.__version__}-py3-none-any.whl"


def test_holds_only_the_program(wheel):
    assert {entry.name for entry in wheel.iterdir()} == {
        "workbench",
        f"kv_workbench-{workbench.__version__}.dist-info",
    }


@pytest.mark.parametrize("folder", ["presets", "resources"])
def test_holds_every_file_of(wheel, pytestconfig, folder):
    top = pytestconfig.rootpath / folder
    files = [path.relative_to(top) for path in top.rglob("*") if path.is_file()]
    packed = wheel / "workbench" / "_data" / folder
    assert files
    assert [file for file in files if not packed.joinpath(*file.parts).is_file()] == []


def test_holds_type_marker_licence_and_command(wheel):
    info = wheel / f"kv_workbench-{workbench.__version__}.dist-info"
    assert (wheel / "workbench" / "py.typed").is_file()
    assert "Apache License" in (info / "licenses" / "LICENSE").read_text("utf-8")
    assert "kvw = workbench.cli.main:main" in (info / "entry_points.txt").read_text("utf-8")


def test_unpacked_anywhere_it_finds_its_own_folders(wheel, tmp_path, run_offline):
    with zipfile.ZipFile(wheel.root.filename) as archive:
        archive.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from workbench.library import paths\n"
        "print(paths.presets_dir(), paths.resources_dir(), sep='\\n')"
    )
    done = run_offline([sys.executable, "-P", "-c", code])
    data = tmp_path / "workbench" / "_data"
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str(data / "presets"), str(data / "resources")]

"""packaging/dev.py: what it imports, when it sets up again, and what it says when it cannot."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def dev(pytestconfig, tmp_path, monkeypatch):
    """Load dev.py as a module that believes in a checkout of its own, already set up."""
    source = pytestconfig.rootpath / "packaging" / "dev.py"
    spec = importlib.util.spec_from_file_location("dev_under_test", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    checkout = tmp_path / "checkout"
    (checkout / "packaging").mkdir(parents=True)
    for name in ("pyproject.toml", "packaging/constraints.txt"):
        (checkout / name).write_bytes((pytestconfig.rootpath / name).read_bytes())
    for name in ("CONSTRAINTS", "VENV", "BIN", "PYTHON", "KVW", "STAMP", "UNFINISHED"):
        inside = getattr(module, name).relative_to(module.ROOT)
        monkeypatch.setattr(module, name, checkout / inside)
    monkeypatch.setattr(module, "ROOT", checkout)
    module.KVW.parent.mkdir(parents=True)
    module.KVW.touch()
    module.STAMP.write_text(f"{module.fingerprint()}\noffscreen", "utf-8")
    return module


@pytest.fixture
def commands(dev, monkeypatch) -> list[list[str]]:
    """Record what dev.py would run, and let every command succeed."""
    ran: list[list[str]] = []

    def call(command, **env):
        ran.append([str(part) for part in command])
        return 0

    monkeypatch.setattr(dev, "call", call)
    monkeypatch.setattr(dev, "missing_system_packages", lambda sets: [])
    return ran


def test_only_the_standard_library(pytestconfig):
    source = (pytestconfig.rootpath / "packaging" / "dev.py").read_text("utf-8")
    tree = ast.walk(ast.parse(source))
    names = set()
    for node in tree:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names


def test_our_packaging_folder_does_not_hide_the_library(pytestconfig):
    import packaging

    assert not (pytestconfig.rootpath / "packaging" / "__init__.py").exists()
    assert Path(packaging.__file__).parent != pytestconfig.rootpath / "packaging"


def test_no_addresses_in_set_up_files(pytestconfig):
    for name in ("pyproject.toml", ".ci/run", "packaging/dev.py", "packaging/constraints.txt"):
        text = (pytestconfig.rootpath / name).read_text("utf-8")
        assert re.findall(r"\w+://|--(?:extra-)?index|find-links", text) == [], name


def test_second_run_starts_at_once(dev, commands):
    dev.set_up("offscreen")
    assert commands == []


def test_another_set_of_libraries_needs_no_new_environment(dev, commands):
    dev.set_up("window")
    assert commands == []
    assert dev.is_ready(["offscreen", "window"])


@pytest.mark.parametrize("changed", ["pyproject.toml", "packaging/constraints.txt"])
def test_changed_file_sets_up_again(dev, commands, changed):
    with (dev.ROOT / changed).open("a") as file:
        file.write("\n")
    dev.set_up("offscreen")
    assert any("pip" in command for command in commands)
    assert dev.is_ready(["offscreen"])


@pytest.mark.parametrize("lost", ["STAMP", "KVW"])
def test_lost_file_sets_up_again(dev, commands, lost):
    getattr(dev, lost).unlink()
    assert not dev.is_ready(["offscreen"])
    dev.set_up("offscreen")
    assert any("pip" in command for command in commands)


def test_aborted_set_up_does_not_count_and_starts_anew(dev, commands, monkeypatch):
    constraints = dev.CONSTRAINTS.read_bytes()
    dev.CONSTRAINTS.write_bytes(constraints + b"\n")

    def abort(command, **env):
        if "pip" in command:
            raise KeyboardInterrupt
        return 0

    with monkeypatch.context() as patch:
        patch.setattr(dev, "call", abort)
        with pytest.raises(KeyboardInterrupt):
            dev.set_up("offscreen")
    dev.CONSTRAINTS.write_bytes(constraints)  # back to what the old stamp vouched for
    assert not dev.is_ready(["offscreen"])
    dev.set_up("offscreen")
    assert [sys.executable, "-m", "venv", "--clear", str(dev.VENV)] in commands


def test_failed_set_up_stops_with_2(dev, monkeypatch, capfd):
    dev.STAMP.unlink()
    monkeypatch.setattr(dev, "missing_system_packages", lambda sets: [])
    monkeypatch.setattr(dev, "call", lambda command, **env: int("pip" in command))
    with pytest.raises(SystemExit) as stopped:
        dev.set_up("offscreen")
    assert stopped.value.code == 2
    assert "pinned packages could not be installed" in capfd.readouterr().err
    assert not dev.is_ready(["offscreen"])


def test_missing_libraries_without_root_print_the_one_line(dev, commands, monkeypatch, capfd):
    dev.STAMP.unlink()
    monkeypatch.setattr(dev, "missing_system_packages", lambda sets: ["libegl1", "libgl1"])
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit) as stopped:
        dev.set_up("offscreen")
    assert stopped.value.code == 2
    assert commands == []
    line = "apt-get install -y --no-install-recommends libegl1 libgl1"
    assert capfd.readouterr().err.endswith(f"run: sudo {line}\n")


def test_missing_libraries_are_installed_by_root(dev, commands, monkeypatch):
    monkeypatch.setattr(dev, "missing_system_packages", lambda sets: ["libegl1"])
    monkeypatch.setattr(dev.os, "geteuid", lambda: 0)
    dev.set_up("window")
    assert [command[:2] for command in commands] == [["apt-get", "update"], ["apt-get", "install"]]


@pytest.mark.parametrize(
    ("installed", "missing"),
    [
        ("libglib2.0-0", {"libgl1", "libegl1"}),
        ("libglib2.0-0t64", {"libgl1", "libegl1"}),  # its name from Debian 13 and Ubuntu 24.04 on
        ("other", {"libglib2.0-0", "libgl1", "libegl1"}),
    ],
)
def test_missing_libraries_are_asked_of_dpkg(dev, monkeypatch, installed, missing):
    said = f"{installed} installed\nlibgl1 config-files\n"
    done = subprocess.CompletedProcess([], 1, stdout=said)
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: done)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    found = dev.missing_system_packages(["offscreen"])
    assert found[0] == next(name for name in found if name.startswith("lib"))
    assert missing == {*found} & {"libglib2.0-0", "libgl1", "libegl1"}


def test_help_and_unknown_commands(pytestconfig, run_offline):
    dev = pytestconfig.rootpath / "packaging" / "dev.py"
    helped = run_offline([sys.executable, dev, "--help"])
    assert helped.returncode == 0
    assert "dev.py test" in helped.stdout
    unknown = run_offline([sys.executable, dev, "tset"])
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "'tset'" in unknown.stderr

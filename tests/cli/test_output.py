"""`kvw` whose answer cannot be written: no trace of the program, no false "does not fit"."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BUDGET = ["budget", "--model", "ledger-lab", "--gpu", "80-gib", "--context", "8k"]
NO_READER = 141
PROGRAM = "import sys; from workbench.cli.main import main; sys.exit(main())"

posix = pytest.mark.skipif(os.name != "posix", reason="a shell's own redirections")


def in_a_shell(redirected: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with its streams as a shell redirects them."""
    command = f'"$0" -c "$1" "${{@:2}}" {redirected}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command, sys.executable, PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@posix
@pytest.mark.parametrize("arguments", [BUDGET, [*BUDGET, "--json"], ["schema"], ["--help"]])
def test_a_reader_that_goes_is_no_verdict(arguments: list[str]) -> None:
    done = in_a_shell("| true", *arguments)
    assert done.returncode == NO_READER
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [BUDGET, [*BUDGET, "--json"], ["schema"]])
def test_a_full_disk_is_one_sentence(arguments: list[str]) -> None:
    done = in_a_shell("> /dev/full", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("kvw: The answer could not be written out (ENOSPC);")
    assert done.stderr.count("\n") == 1
    # Even where the sentence itself finds no room.
    assert in_a_shell("2> /dev/full", "budget", "--context", "0").returncode == 2


@posix
def test_closed_streams() -> None:
    assert in_a_shell(">&-", *BUDGET).returncode == 0
    refused = in_a_shell("2>&-", *BUDGET, "--concurrency", "0", "--json")
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["error"]["code"] == "field_too_small"


@posix
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_our_characters(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for arguments in (BUDGET, ["presets", "list"]):
        # What is not ASCII here is no UTF-8.
        done = in_a_shell("| tr -d '\\200-\\377'", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Ledger lab" in done.stdout
    shown = in_a_shell("", "presets", "show", "ledger-lab")
    assert json.loads(shown.stdout)["preset"]["id"] == "ledger-lab"
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert in_a_shell("| tr -d '\\200-\\377'").returncode == 0

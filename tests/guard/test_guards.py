"""The guards of tests/conftest.py catch what they are for, and let honest tests pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CAUGHT = {
    "test_opens_socket": "network use refused: socket.__new__",
    "test_opens_ipv6_socket": "network use refused: socket.__new__",
    "test_looks_up_name": "network use refused: socket.getaddrinfo",
    "test_swallows_refusal": "network used: socket.getaddrinfo",
    "test_child_opens_socket": "socket.__new__",
    "test_child_swallows_refusal": "socket.gethostbyname",
    "test_warns": "DeprecationWarning: something is deprecated",
    "test_qt_warns": "Qt messages with level WARNING or above emitted",
    "test_leaks_visible_window": "leaked top-level widgets: visible QWidget 'left open'",
    "test_leaks_hidden_window": "leaked top-level widgets: hidden QWidget 'left alive'",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory, pytestconfig) -> str:
    """Run the examples in a checkout of their own, with nothing beside it; return the report."""
    checkout = tmp_path_factory.mktemp("alone") / "checkout"
    checkout.mkdir()
    tests = pytestconfig.rootpath / "tests"
    shutil.copy(tests / "conftest.py", checkout)
    shutil.copy(tests / "guard" / "examples.py", checkout / "test_examples.py")
    settings = ["-c", pytestconfig.rootpath / "pyproject.toml", "--rootdir", checkout]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, "-rA", "-p", "no:cacheprovider", checkout],
        cwd=checkout,
        env={k: v for k, v in os.environ.items() if k != "KVW_SHARED_MISSING_FILE"} | {"CI": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", CAUGHT)
def test_misbehaviour_fails(report: str, name: str) -> None:
    assert re.search(rf"^(?:FAILED|ERROR) .*::{name}\b", report, re.MULTILINE), report
    assert CAUGHT[name] in report


def test_honest_tests_pass(report: str) -> None:
    examples = Path(__file__).with_name("examples.py").read_text("utf-8")
    honest = set(re.findall(r"^def (test_passes_\w+)", examples, re.MULTILINE))
    passed = set(re.findall(r"^PASSED .*::(\w+)", report, re.MULTILINE))
    bad = set(re.findall(r"^(?:FAILED|ERROR) .*::(\w+)", report, re.MULTILINE))
    assert honest
    assert honest <= passed, report
    assert bad == CAUGHT.keys(), report


def test_last_line_counts_what_was_skipped_without_shared(report: str) -> None:
    assert report.splitlines()[-1] == "shared missing: 1 skipped"

"""Everything that set-up installs is pinned exactly, and named without an address."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PIN = re.compile(r"[a-z0-9-]+==[0-9][0-9a-z.]*(; python_version (<|>=) \"3\.\d+\")?")


@pytest.fixture(scope="module")
def lines(pytestconfig) -> list[str]:
    text = (pytestconfig.rootpath / "packaging" / "constraints.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module")
def pins(lines) -> dict[str, Version]:
    """Return the versions pinned for the running Python."""
    requirements = [Requirement(line) for line in lines]
    return {
        canonicalize_name(requirement.name): Version(next(iter(requirement.specifier)).version)
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate()
    }


@pytest.fixture(scope="module")
def project(pytestconfig) -> dict:
    return tomllib.loads((pytestconfig.rootpath / "pyproject.toml").read_text("utf-8"))


def test_lines_are_exact_pins_in_order(lines):
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    assert lines == sorted(lines)


def test_what_the_project_asks_for_is_pinned_within_its_range(pins, project):
    asked = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["test"],
    ]
    for requirement in map(Requirement, asked):
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier


def test_what_those_ask_for_is_pinned_and_installed_so(pins):
    """Walk the installed packages from ours on; the environment holds nothing unpinned of them."""
    todo, seen = [("kv-workbench", "test")], set()
    while todo:
        name, extra = todo.pop()
        for requirement in map(Requirement, distribution(name).requires or []):
            child = canonicalize_name(requirement.name)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": extra})
            if wanted and child not in seen:
                seen.add(child)
                assert Version(distribution(child).version) == pins[child], child
                todo.append((child, ""))
    assert "numpy" in seen


def test_no_pin_is_left_over_or_breaks_python_3_11(pins, project):
    # PySide6 6.12.0 drops references to None and aborts CPython 3.11.
    assert pins["pyside6-essentials"] < Version("6.12")
    assert project["project"]["requires-python"] == ">=3.11"

"""The question of the product, asked and answered through AT-SPI alone, on a real desktop."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.atspi import desktop
from tests.conftest import ATSPI_MISSING
from workbench.core.budget import budget
from workbench.gui.app import example_plan
from workbench.library import compose
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.units import group_digits


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    if sys.platform != "linux":
        pytest.skip("needs Linux")
    lacking = desktop.missing()
    if lacking:
        print("not installed:", ", ".join(lacking))
        pytest.skip(ATSPI_MISSING)
    return desktop.journey_of(desktop.program())


def test_the_largest_concurrency_is_found_by_assistive_technology_alone(
    report: dict[str, Any],
) -> None:
    assert not report.get("error"), (report["error"], report.get("alive"))
    library = Library(presets_dir())
    scenario = example_plan().scenarios[0]
    scenario = compose.with_model(scenario, library.model("llama-3.1-8b"), library=library)
    scenario = compose.with_gpu(scenario, library.gpu("4x-80-gib"))
    ledger = budget(scenario)
    assert ledger.capacity.steady_state is not None
    most = getattr(ledger.capacity.steady_state, scenario.workload.sizing)
    assert report["answer"] == f"steady state P95: {group_digits(most)}"
    assert str(ledger.most_requests) in report["verdict"].replace(",", "")
    assert report["alive"]


def test_nothing_that_takes_the_keyboard_is_nameless(report: dict[str, Any]) -> None:
    assert not report.get("error"), (report["error"], report.get("alive"))
    nameless = {f"{page}: {node}" for page, (nodes, _) in report["pages"].items() for node in nodes}
    assert not nameless
    counts = {page: count for page, (_, count) in report["pages"].items()}
    assert {"Compare", "Presets", "plan, Ledger", "plan, Heat map"} <= set(counts)
    assert min(counts.values()) > 50, counts

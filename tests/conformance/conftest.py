"""One test a recorded case, and a table at the end of how many are exact."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.conformance.cases import DEFAULT_CASES, DEFAULT_HOLDS, Json, load

_RECORDED = "recorded vLLM case"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, option, default in (
        ("kv_case", "--cases", DEFAULT_CASES),
        ("hold_case", "--holds", DEFAULT_HOLDS),
    ):
        if name in metafunc.fixturenames:
            cases = load(Path(metafunc.config.getoption(option) or default))
            metafunc.parametrize(name, cases, ids=[case["id"] for case in cases])


@pytest.fixture
def count_exact(record_property):
    """Count a case for the table at the end, which another process may write."""

    def count(case: Json, exact: bool) -> None:
        told = {key: case[key] for key in ("engine_version", "attention_type")}
        kind = "holding" if "hold_inputs" in case else "planning"
        record_property(_RECORDED, ({"kind": kind, **told}, exact))

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counted = [
        value
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        for name, value in getattr(report, "user_properties", [])
        if name == _RECORDED
    ]
    if not counted:
        return
    terminalreporter.section("recorded vLLM cases, exact of all")
    for kind in ("planning", "holding"):
        chosen = [item for item in counted if item[0]["kind"] == kind]
        if chosen:
            exact = sum(is_exact for _, is_exact in chosen)
            terminalreporter.write_line(f"{kind}: {exact} of {len(chosen)}")
            for key in ("engine_version", "attention_type"):
                terminalreporter.write_line(f"  by {key}: {_table(chosen, key)}")


def _table(counted: list[tuple[Json, bool]], key: str) -> str:
    every = Counter(case[key] for case, _ in counted)
    exact = Counter(case[key] for case, is_exact in counted if is_exact)
    return ", ".join(f"{name} {exact[name]}/{number}" for name, number in sorted(every.items()))

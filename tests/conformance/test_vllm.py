"""The planner against what vLLM's own planning code answered, exactly."""

from __future__ import annotations

from collections.abc import Callable

from tests.conformance.cases import Json, differences

Count = Callable[[Json, bool], None]


def _check(case: Json, count_exact: Count) -> None:
    try:
        found = differences(case)
    except Exception:
        count_exact(case, False)
        raise
    count_exact(case, not found)
    assert not found, "\n".join(found)


def test_plan(kv_case: Json, count_exact: Count) -> None:
    _check(kv_case, count_exact)


def test_hold(hold_case: Json, count_exact: Count) -> None:
    assert "hold_inputs" in hold_case, "a hold case says what is held"
    _check(hold_case, count_exact)

"""`kvw compare`: scenarios of a plan side by side, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.vllm_scenarios import start
from workbench.cli.compare_text import csv_lines
from workbench.cli.main import main
from workbench.core.budget import budget
from workbench.core.compare import compare
from workbench.export.ledger_json import ledger_json
from workbench.library.plans import dumps
from workbench.spec.scenario import Plan, Scenario


def made(name: str, scenario_id: str, **changes: Any) -> Scenario:
    scenario = start("llama-3.1-70b", deployment={"tp": 4}, **changes)
    return scenario.with_(id=scenario_id, name=name)


A = made("A", "a", context=32_768, concurrency=12)
B = made("=B FP8", "b", context=32_768, concurrency=24, kv="fp8")
C = made("C 128k", "c", context=131_072, concurrency=6)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return written(tmp_path, A, B, C)


def written(folder: Path, *scenarios: Scenario) -> Path:
    path = folder / "p.kvw"
    baseline = scenarios[0].id if scenarios else None
    text: Any = dumps(Plan(scenarios=scenarios, baseline=baseline))
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = 0
    try:
        code = main(["compare", *map(str, arguments)]) or 0
    except SystemExit as ended:
        code = int(str(ended.code))
    out, err = capsys.readouterr()
    return code, out, err


def rows(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, Any]]:
    _, out, _ = run(capsys, *arguments, "--json")
    answer = json.loads(out)
    assert answer["schema"] == 1
    found: list[dict[str, Any]] = answer["rows"]
    return found


# --- JSON ---------------------------------------------------------------------------------------


def test_rows_have_the_keys_of_the_ledger(plan: Path, capsys: Any) -> None:
    found = rows(capsys, plan)
    for row, scenario in zip(found, (A, B, C), strict=True):
        ledger = ledger_json(budget(scenario))
        for key in ledger.keys() - {"schema", "admission"}:
            assert row[key] == json.loads(json.dumps(ledger[key])), key
        assert row["admission"] is not None
    assert [row["is_baseline"] for row in found] == [True, False, False]


def test_answers_are_verified(plan: Path, capsys: Any) -> None:
    first, second, third = rows(capsys, plan)
    assert first["largest_concurrency"]["answer"] == first["most_requests"]
    assert first["largest_concurrency"]["verified"] == {"answer": "fits", "next": "does_not_fit"}
    assert second["largest_concurrency"]["answer"] == 26
    assert third["largest_context"]["answer"] < 131_072
    assert (third["scenario"]["gpus"], third["gpus_to_fit"]) == (4, 8)


def test_what_differs_and_what_moved_the_answer(plan: Path, capsys: Any) -> None:
    first, second, third = rows(capsys, plan)
    assert first["differs"] == []
    assert first["from_baseline"] is None
    assert second["differs"] == ["precision.kv", "workload.concurrency"]
    assert third["inputs"]["workload.context"] == 131_072
    for row in (second, third):
        steps = row["from_baseline"]
        moved = sum(step["used_delta_bytes"] for step in steps)
        assert moved == row["used_bytes"] - first["used_bytes"]
        assert all(step["used_delta_bytes"] == sum(step["parts"].values()) for step in steps)
        grown = row["largest_concurrency"]["answer"] or 0
        before = first["largest_concurrency"]["answer"]
        assert sum(step["concurrency_delta"] for step in steps) == grown - before
    for part in third["memory"]:
        base = next(p for p in first["memory"] if p["part"] == part["part"])
        assert part["delta_bytes"] == (part["bytes"] or 0) - (base["bytes"] or 0)
        assert part["total_bytes"] == 4 * part["bytes"]


def test_another_baseline(plan: Path, capsys: Any) -> None:
    found = rows(capsys, plan, "--baseline", "C 128k")
    assert [row["is_baseline"] for row in found] == [False, False, True]
    assert found[2]["differs"] == []
    assert found[0]["differs"] == ["workload.context", "workload.concurrency"]


# --- text ---------------------------------------------------------------------------------------


def test_the_text_shows_only_differences_until_asked(plan: Path, capsys: Any) -> None:
    code, out, _ = run(capsys, plan)
    assert code == 1
    assert "★ A" in out
    assert "128k ≠ ×4" in out
    assert "6 ≠ ÷2" in out
    assert "card total" not in out
    assert "A → C 128k" in out
    _, everything, _ = run(capsys, plan, "--all")
    assert "card total" in everything
    assert "default 92 %" in everything


def test_the_exit_code_is_that_of_the_worst(tmp_path: Path, capsys: Any) -> None:
    assert run(capsys, written(tmp_path, A, B))[0] == 0
    assert run(capsys, written(tmp_path, A, C), "--json")[0] == 1


# --- CSV ----------------------------------------------------------------------------------------


def test_csv_holds_exact_numbers_and_no_formulas(plan: Path, capsys: Any) -> None:
    _, out, _ = run(capsys, plan, "--csv")
    lines = list(csv.reader(io.StringIO(out)))
    assert lines[0] == ["section", "row", "unit", "A", "'=B FP8", "C 128k"]
    assert {len(line) for line in lines} == {6}
    found = {(line[0], line[1]): line[3:] for line in lines[1:]}
    ledgers = [budget(scenario) for scenario in (A, B, C)]
    assert found["per gpu", "used"] == [str(led.worst_rank.charged_bytes) for led in ledgers]
    assert found["answer", "left"] == [str(led.worst_rank.left_bytes) for led in ledgers]
    assert found["input", "workload.context"] == ["32768", "32768", "131072"]
    assert found["answer", "left"][2].startswith("-")


def test_every_input_is_in_the_csv() -> None:
    comparison = compare((A, B), 0, budget)
    named = [line[1] for line in csv_lines(comparison) if line[0] == "input"]
    assert named == [row.id for row in comparison.inputs]


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--json", "--csv"], "one format"),
        (["--baseline", "nobody"], "no scenario “nobody”"),
        (["--csv", "--nonsense"], "--nonsense"),
    ],
)
def test_bad_input_is_one_sentence(plan: Path, capsys: Any, more: list[str], said: str) -> None:
    code, _, err = run(capsys, plan, *more)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_an_empty_plan_has_nothing_to_compare(tmp_path: Path, capsys: Any) -> None:
    code, out, _ = run(capsys, written(tmp_path), "--json")
    assert code == 2
    assert json.loads(out)["error"]["code"] == "plan_is_empty"

"""`kvw accuracy`: the public JSON, a readable table, one sentence for bad files."""

from __future__ import annotations

import json
import runpy
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunProgram
from tests.intake.samples import raw
from workbench.cli.accuracy import LOGS_EXAMPLE, NAMES_EXAMPLE, report_on
from workbench.library.paths import resources_dir
from workbench.spec.units import GIB

SUMMARY_KEYS = {
    "n", "median_abs_pct", "p90_abs_pct", "max_abs_pct", "within_log_rounding", "inside_band",
}  # fmt: skip
LLAMA_KV_BYTES = 2 * 32 * 8 * 128 * 2
LLAMA = raw(
    id="llmd-llama",
    measured={
        "weights_gib": 14.99,
        "activation_peak_gib": 1.89,
        "non_torch_gib": 0.25,
        "kv_available_gib": 50.0,
        "kv_tokens": 50 * GIB // (LLAMA_KV_BYTES * 16) * 16,
        "max_concurrency_tokens": 8192,
        "max_concurrency_x": 50.0,
    },
)
UNNAMED = raw(id="who", model="Llama-3.1-8B class (15 GiB)")
REFUSED = raw(id="no", record="refused-start", measured={"kv_available_gib": 0.25})
ODD = raw(id="odd", consistency="odd-cumem")


def write(folder: Path, content: Any) -> str:
    path = folder / "logs.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_the_help_says_what_the_files_hold_by_examples_that_work(
    run_kvw: RunProgram, tmp_path: Path
) -> None:
    shown = textwrap.dedent(run_kvw(["accuracy", "-h"]).stdout)
    for example in (LOGS_EXAMPLE, NAMES_EXAMPLE):
        assert textwrap.indent(example, "  ") in shown
    names = tmp_path / "names.json"
    names.write_text(NAMES_EXAMPLE, encoding="utf-8")
    logs = write(tmp_path, json.loads(LOGS_EXAMPLE))
    report = report_on(Path(logs), names)
    assert (report.cases, report.resolved) == (1, 1)
    told = set(json.loads(LOGS_EXAMPLE)[0]["measured"])
    assert {pair.field for pair in report.pairs} >= told - {"kv_tokens"}
    # A start that could have been: its pool is foreseen.
    assert all(abs(p.error) < 0.1 for p in report.pairs if p.field == "kv_available_gib")
    assert report_on(Path(logs), None).resolved == 0


def test_every_key_of_the_contract(run_kvw: RunProgram, tmp_path: Path) -> None:
    done = run_kvw(["accuracy", write(tmp_path, [LLAMA, UNNAMED, REFUSED, ODD]), "--json"])
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert {
        "schema", "cases", "resolved", "excluded", "unresolved", "fields", "refusals", "complete",
        "campaign", "others", "extrapolated", "by", "per_case",
    } <= set(answer)  # fmt: skip
    assert (answer["cases"], answer["resolved"], answer["excluded"]) == (2, 1, 1)
    assert answer["unresolved"][0]["id"] == "who"
    assert {
        "weights_gib", "activation_peak_gib", "non_torch_gib", "kv_available_gib",
        "kv_tokens_from_pool", "max_concurrency_x",
    } <= set(answer["fields"])  # fmt: skip
    for summary in answer["fields"].values():
        assert set(summary) >= SUMMARY_KEYS
    assert set(answer["by"]) >= {"v0", "0.10-0.16", "0.17-0.19", "0.20+", "uniform", "hybrid"}
    for part in (*answer["by"].values(), answer["complete"], answer["campaign"], answer["others"]):
        assert "fields" in part
    assert {"n", "predicted", "false_alarms", "from_pool"} <= set(answer["refusals"])
    assert {"n", "predicted", "false_alarms"} <= set(answer["refusals"]["from_pool"])
    for case in answer["per_case"]:
        assert {"id", "field", "predicted", "low", "high", "measured", "error_pct"} <= set(case)


def test_tokens_of_the_printed_pool_are_exact(ask_kvw: RunProgram, tmp_path: Path) -> None:
    done = ask_kvw(["accuracy", write(tmp_path, [LLAMA, REFUSED]), "--json"])
    answer = json.loads(done.stdout)
    tokens = answer["complete"]["fields"]["kv_tokens_from_pool"]
    assert (tokens["n"], tokens["within_log_rounding"], tokens["max_abs_pct"]) == (1, 1, 0.0)
    assert answer["fields"]["weights_gib"]["max_abs_pct"] < 0.1
    pool = answer["refusals"]["from_pool"]
    assert (pool["n"], pool["predicted"], pool["false_alarms"]) == (1, 1, 0)


def test_the_table_says_first_what_share_was_resolved(ask_kvw: RunProgram, tmp_path: Path) -> None:
    done = ask_kvw(["accuracy", write(tmp_path, [LLAMA, UNNAMED, ODD])])
    assert done.returncode == 0
    assert done.stdout.startswith("1 of 2 start-up logs resolved (50 %)")
    assert "KV tokens from the printed pool" in done.stdout
    assert "model described, not named" in done.stdout


def test_aliases_resolve_what_a_person_has_identified(ask_kvw: RunProgram, tmp_path: Path) -> None:
    aliases = tmp_path / "aliases.json"
    identity = {"facts_id": "meta-llama/Llama-3.1-8B", "match": "same_model", "quant": "bf16"}
    aliases.write_text(json.dumps({"records": {"who": identity}}), encoding="utf-8")
    logs = write(tmp_path, [UNNAMED])
    done = ask_kvw(["accuracy", logs, "--aliases", str(aliases), "--json"])
    assert json.loads(done.stdout)["resolved"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "file_empty"),
        ("[1, 2", "json_syntax"),
        ("{}", "field_wrong_type"),
        ("[" * 100_000, "json_too_deep"),
        ('[{"id": 1, "id": 2}]', "json_duplicate_key"),
        ("[NaN]", "json_syntax"),
    ],
)
def test_bad_files_are_one_sentence(
    ask_kvw: RunProgram, tmp_path: Path, text: str, code: str
) -> None:
    path = tmp_path / "logs.json"
    path.write_text(text, encoding="utf-8")
    done = ask_kvw(["accuracy", str(path), "--json"])
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == code
    assert len(done.stderr.splitlines()) == 1
    aliases = ask_kvw(["accuracy", write(tmp_path, []), "--aliases", str(tmp_path)])
    assert aliases.returncode == 2


def test_odd_records_are_listed_and_nothing_breaks(ask_kvw: RunProgram, tmp_path: Path) -> None:
    odd = [
        None,
        3,
        [],
        {},
        {"id": 7},
        raw(measured={"weights_gib": "14.99"}),
        raw(flags={"max_model_len": 10**15}),
        raw(deployment={"tp": 10**6}),
        raw(engine="sglang"),
        raw(model="x" * 10_000),
        raw(measured={"kv_available_gib": 1e12, "kv_tokens": 1000}),
    ]
    done = ask_kvw(["accuracy", write(tmp_path, odd), "--json"])
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["cases"] == len(odd)
    assert len(answer["unresolved"]) + answer["resolved"] == len(odd)


def test_the_readme_table_is_written_between_its_markers(tmp_path: Path) -> None:
    script = resources_dir().parent / "packaging" / "accuracy_table.py"
    functions = runpy.run_path(str(script))
    text = f"before\n{functions['BEGIN']}\nold\n{functions['END']}\nafter\n"
    assert functions["replaced"](text, "| new |") == (
        f"before\n{functions['BEGIN']}\n| new |\n{functions['END']}\nafter\n"
    )
    with pytest.raises(SystemExit):
        functions["replaced"]("no markers", "| new |")

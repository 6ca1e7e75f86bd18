"""`kvw`: figures, JSON keys, exit codes, one sentence for bad input.

Exit codes and streams are those of the program; what is said is mostly asked in this process.
"""

from __future__ import annotations

import json
import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunProgram
from workbench.cli.main import main
from workbench.library.paths import resources_dir
from workbench.spec.units import GIB

EXAMPLE = resources_dir() / "plans" / "example.kvw"
LLAMA = ["budget", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--engine", "plain"]


def budget_json(ask_kvw: RunProgram, *options: str) -> dict[str, Any]:
    done = ask_kvw(["budget", *options, "--json"])
    assert done.stderr == ""
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_question_of_the_contract(run_kvw: RunProgram) -> None:
    done = run_kvw([*LLAMA, "--context", "4096", "--json"])
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["scenario"]["gpu"] == "h100-sxm"
    assert answer["capacity"]["steady_state"]["mean"] == 112
    assert answer["capacity"]["target"] is None
    assert answer["pool"]["kv_bytes_per_token"] == 131072
    assert isinstance(answer["pool"]["tokens_per_mib"], int)


def test_every_key_of_the_contract(ask_kvw: RunProgram) -> None:
    answer = budget_json(ask_kvw, str(EXAMPLE), "--scenario", "Llama-3.1-8B on four")
    assert {
        "schema", "scenario", "verdict", "ranks", "pool", "capacity", "findings", "not_modelled",
    } <= set(answer)  # fmt: skip
    assert {
        "name", "model", "gpu", "gpus", "engine", "release", "rules", "resolved", "defaulted",
        "replicas",
    } <= set(answer["scenario"])  # fmt: skip
    assert set(answer["verdict"]) == {"status", "binding", "shortfall_bytes", "refusal"}
    assert len(answer["ranks"]) == 4
    for rank in answer["ranks"]:
        entries = sum(entry["bytes"] for entry in rank["entries"])
        assert entries + rank["headroom_bytes"] + rank["free_bytes"] == rank["total_bytes"]
        for entry in rank["entries"]:
            assert {
                "kind", "label", "code", "bytes", "low_bytes", "high_bytes", "evidence",
                "in_budget", "formula", "source",
            } == set(entry)  # fmt: skip
            assert entry["formula"]
            assert entry["source"]
    assert {
        "bytes", "blocks", "bytes_per_block", "block_tokens", "tokens", "kv_bytes_per_token",
        "tokens_per_mib", "groups",
    } == set(answer["pool"])  # fmt: skip
    assert set(answer["capacity"]) == {"engine_log", "steady_state", "at_risk", "target"}
    assert answer["capacity"]["target"] == {"concurrency": 48, "met": True}
    for finding in answer["findings"]:
        assert {"code", "severity", "field", "params", "message"} == set(finding)


def test_the_evidence_of_every_figure_is_printed(ask_kvw: RunProgram) -> None:
    """Claim A9 on the command line."""
    done = ask_kvw([*LLAMA, "--context", "4096", "--weights-bytes", "16GiB"])
    table = [line for line in done.stdout.splitlines() if "GiB" in line]
    lines = {line.split("  ")[0].strip(): line for line in table}
    assert "given" in lines["Weights"]
    assert "assumed" in lines["Activations: reserve 6 %"]
    assert "computed" in lines["KV cache"]
    assert "measured" not in done.stdout


def test_the_founding_script(ask_kvw: RunProgram) -> None:
    answer = budget_json(
        ask_kvw,
        *("--model", "ledger-lab", "--gpu", "80-gib"),
        *("--weights-bytes", "16GiB", "--context", "4096"),
    )
    assert answer["capacity"]["steady_state"]["mean"] == 112
    kv = next(e for e in answer["ranks"][0]["entries"] if e["kind"] == "kv")
    assert kv["bytes"] == 56 * GIB


def test_a_model_without_weights_is_named(ask_kvw: RunProgram) -> None:
    answer = budget_json(ask_kvw, "--model", "ledger-lab", "--gpu", "80-gib")
    assert "weights" in answer["not_modelled"]
    assert "weights" not in {e["kind"] for e in answer["ranks"][0]["entries"]}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--context", "4096"], 0),
        (["--context", "4096", "--concurrency", "112"], 0),
        (["--context", "4096", "--concurrency", "113"], 1),
        (["--context", "256k"], 1),
        (["--context", "4096", "--tp", "3"], 1),
    ],
)
def test_exit_codes(ask_kvw: RunProgram, options: list[str], code: int) -> None:
    assert ask_kvw([*LLAMA, *options]).returncode == code


def test_the_program_ends_with_the_code(run_kvw: RunProgram) -> None:
    assert run_kvw([*LLAMA, "--context", "256k"]).returncode == 1


def test_names_of_a_model_and_a_card(ask_kvw: RunProgram) -> None:
    names = ("llama-3.1-8b", "meta-llama/Llama-3.1-8B", "Meta-Llama-3.1-8B", "LLAMA-3.1-8B")
    for name in names:
        assert (
            budget_json(ask_kvw, "--model", name, "--gpu", "H100-SXM-80GB")["scenario"]["model"]
            == "llama-3.1-8b"
        )


def test_a_set_of_cards_brings_its_parallelism(ask_kvw: RunProgram) -> None:
    answer = budget_json(ask_kvw, "--model", "llama-3.1-70b", "--gpu", "4x-80-gib")
    assert answer["scenario"]["gpus"] == 4
    assert len(answer["ranks"]) == 4


BAD_INPUT = {
    "no question": ["budget"],
    "unknown model": ["budget", "--model", "gpt-9", "--gpu", "80-gib"],
    "unknown card": ["budget", "--model", "llama-3.1-8b", "--gpu", "tpu-9"],
    "no number": [*LLAMA, "--context", "abc"],
    "no unit": [*LLAMA, "--context", "12 parsecs"],
    "below one": [*LLAMA, "--context", "0"],
    "negative": [*LLAMA, "--concurrency", "-1"],
    "too large": [*LLAMA, "--context", "9" * 40],
    "ambiguous": [*LLAMA, "--context", "1,234"],
    "digits of another script": [*LLAMA, "--context", "²"],
    "unknown engine": [
        "budget",
        "--model",
        "llama-3.1-8b",
        "--gpu",
        "80-gib",
        "--engine",
        "tgi",
    ],
    "unknown release": [*LLAMA[:-1], "plain@99"],
    "unknown option": [*LLAMA, "--nope"],
    "missing value": [*LLAMA, "--context"],
    "sizing": [*LLAMA, "--sizing", "p42"],
    "workload": [*LLAMA, "--workload", "nope"],
    "prefix": [*LLAMA, "--prefix-share", "50%"],
    "share": [*LLAMA, "--activation-reserve", "120%"],
    "missing plan": ["budget", "no/such/plan.kvw"],
    "missing scenario": ["budget", str(EXAMPLE), "--scenario", "nope"],
    "plan and model": ["budget", str(EXAMPLE), "--model", "llama-3.1-8b"],
    "a folder": ["budget", "/"],
    "a device": ["budget", "/dev/zero"],
    "unknown verb of presets": ["presets", "nope"],
    "unknown kind": ["presets", "list", "--kind", "nope"],
    "unknown preset": ["presets", "show", "nope"],
    "unknown schema": ["schema", "nope"],
    "fail-on": ["check", str(EXAMPLE), "--fail-on", "nope"],
    "terminal codes": ["budget", "--model", "\x1b[31mred\x1b[0m\u202e", "--gpu", "80-gib"],
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_line_and_exit_2(capsys: pytest.CaptureFixture[str], case: str) -> None:
    assert main(BAD_INPUT[case]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("kvw: ")
    assert said.err.count("\n") == 1
    assert said.err[:-1].isprintable()
    assert said.out == ""


def test_bad_input_as_json(run_kvw: RunProgram) -> None:
    done = run_kvw([*LLAMA, "--context", "abc", "--json"])
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "option_value"
    assert "128k" in error["message"]


def test_an_argument_that_is_no_text(run_kvw: RunProgram) -> None:
    done = run_kvw(["budget", "--model", "llama\udcff", "--gpu", "80-gib"])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_plan_with_an_odd_name(ask_kvw: RunProgram, run_kvw: RunProgram, tmp_path: Path) -> None:
    for name in ("a b'\";$(x).kvw", "-rf.kvw", "zeile\n2.kvw", "非.kvw"):
        plan = tmp_path / name
        plan.write_bytes(EXAMPLE.read_bytes())
        assert ask_kvw(["budget", plan]).returncode == 0
    plan = tmp_path / "-a b'\";$(x)\n非.kvw"
    plan.write_bytes(EXAMPLE.read_bytes())
    assert run_kvw(["budget", plan]).returncode == 0


def test_check_says_stale_when_a_preset_has_changed(ask_kvw: RunProgram, tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    document = json.loads(text)
    document["scenarios"][1]["model_ref"]["fingerprint"] = "0" * 16
    plan = tmp_path / "old.kvw"
    plan.write_text(json.dumps(document), encoding="utf-8")
    assert ask_kvw(["check", plan]).returncode == 0
    done = ask_kvw(["check", plan, "--fail-on", "stale", "--json"])
    assert done.returncode == 1
    assert json.loads(done.stdout)["rows"][1]["stale"][0]["part"] == "model"


def test_check_says_by_how_much_the_answer_moves(ask_kvw: RunProgram, tmp_path: Path) -> None:
    document = json.loads(EXAMPLE.read_text("utf-8"))
    scenario = document["scenarios"][1]
    scenario["gpu"]["device_total_bytes"] = 64 * 2**30
    # As if the preset had said so when it was taken.
    scenario["gpu_ref"]["fingerprint"] = "0" * 16
    plan = tmp_path / "old.kvw"
    plan.write_text(json.dumps(document), encoding="utf-8")
    row = json.loads(ask_kvw(["check", plan, "--json"]).stdout)["rows"][1]
    (stale,) = row["stale"]
    assert stale["fields"] == ["device_total_bytes"]
    before, after = stale["move"]["before"], stale["move"]["after"]
    assert (before["most_requests"], after["most_requests"]) == (row["answer"]["most_requests"], 55)
    assert row["move"] == stale["move"]
    said = ask_kvw(["check", plan]).stdout
    assert f"max concurrency {before['most_requests']} → 55" in said
    assert "device_total_bytes" in said


def test_check_reads_records(ask_kvw: RunProgram, run_kvw: RunProgram, tmp_path: Path) -> None:
    made = {suffix: tmp_path / f"record{suffix}" for suffix in (".docx", ".md")}
    files = [part for suffix, path in made.items() for part in (f"--{suffix[1:]}", path)]
    assert ask_kvw(["export", EXAMPLE, *files]).returncode == 0
    for kvw, path in zip((run_kvw, ask_kvw), made.values(), strict=True):
        done = kvw(["check", path, "--fail-on", "stale", "--json"])
        assert done.returncode == 0
        found = json.loads(done.stdout)
        assert found["record"]["intact"]
        assert [row["recorded"] for row in found["rows"]] == [
            row["answer"] for row in found["rows"]
        ]
    text = made[".md"].read_text("utf-8")
    edited = text.replace('"most_requests":55', '"most_requests":57')
    assert edited != text
    made[".md"].write_text(edited, encoding="utf-8")
    done = ask_kvw(["check", made[".md"], "--fail-on", "stale"])
    assert done.returncode == 1
    assert "The answers in this record were changed after it was written." in done.stdout
    assert "rules" not in done.stdout
    # The mark of the answers left out, as in a record of before: then it is the rules.
    before = re.sub(r'"answers_fingerprint":"[0-9a-f]*",', "", edited)
    made[".md"].write_text(before, encoding="utf-8")
    done = ask_kvw(["check", made[".md"], "--fail-on", "stale"])
    assert done.returncode == 1
    assert "the program's rules have changed since" in done.stdout
    assert "max concurrency 57 → 55" in done.stdout
    made[".md"].write_text(text.replace("Fits", "Just fits", 1), encoding="utf-8")
    done = ask_kvw(["check", made[".md"], "--fail-on", "stale"])
    assert done.returncode == 1
    assert "The text of this record was changed" in done.stdout
    made[".docx"].write_bytes(b"PK nothing")
    assert ask_kvw(["check", made[".docx"]]).returncode == 2


def test_schemas_take_the_files_they_describe(ask_kvw: RunProgram) -> None:
    for what in ("plan", "model", "gpu", "weight-format", "kv-format", "workload"):
        done = ask_kvw(["schema", what])
        assert done.returncode == 0
        schema = json.loads(done.stdout)
        assert schema["$schema"].startswith("https://json-schema.org/")
    plan = json.loads(EXAMPLE.read_text("utf-8"))
    schema = json.loads(ask_kvw(["schema"]).stdout)
    assert set(plan) <= set(schema["properties"])


def test_presets(ask_kvw: RunProgram) -> None:
    rows = json.loads(ask_kvw(["presets", "list", "--json"]).stdout)["rows"]
    ids = {row["id"] for row in rows}
    assert {"ledger-lab", "llama-3.1-8b", "llama-3.1-70b", "qwen3-32b"} <= ids
    assert {"h100-sxm", "a100-80-sxm", "l40s", "h200", "80-gib", "4x-80-gib"} <= ids
    assert ask_kvw(["presets", "check"]).returncode == 0
    shown = json.loads(ask_kvw(["presets", "show", "a100-sxm-80gb"]).stdout)
    assert shown["preset"]["id"] == "a100-80-sxm"


def test_a_broken_preset_says_why(ask_kvw: RunProgram, tmp_path: Path) -> None:
    folder = tmp_path / "kvw" / "presets" / "gpus"
    folder.mkdir(parents=True)
    (folder / "broken.json").write_text('{"format": ', encoding="utf-8")
    done = ask_kvw(["presets", "show", "broken"], XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "no valid JSON" in done.stderr
    assert "h100-sxm" in ask_kvw(["presets", "show", "h100"]).stderr


def test_a_reader_that_leaves_is_no_verdict(run_kvw: RunProgram) -> None:
    verb = "budget --model llama-3.1-8b --gpu 80-gib --json"
    kvw = Path(sysconfig.get_path("scripts")) / "kvw"
    script = f"'{kvw}' {verb} | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr


# Keys of a plan that are not known here


@pytest.mark.parametrize("verb", ["check", "budget", "compare"])
def test_keys_that_are_not_known_are_told(ask_kvw: RunProgram, tmp_path: Path, verb: str) -> None:
    document = json.loads(EXAMPLE.read_bytes())
    document["scenarios"][0]["engine"] |= {"enforce_eager": True, "max_num_seqz": 4}
    path = tmp_path / "a.kvw"
    path.write_text(json.dumps(document), "utf-8")
    done = ask_kvw([verb, str(path), "--json"])
    plain = ask_kvw([verb, str(EXAMPLE), "--json"])
    lines = done.stderr.splitlines()
    assert [line.removeprefix("kvw: ") for line in lines] == [
        'Keys that belong to "vllm" are kept but change no figure under the kind "plain" (1 in '
        "all): scenarios[0].engine.enforce_eager.",
        "Keys that are not known here are kept and change no figure (1 in all): "
        "scenarios[0].engine.max_num_seqz.",
    ]
    answer = json.loads(done.stdout)
    assert [told["message"] for told in answer.pop("warnings")] == [line[5:] for line in lines]
    assert answer | {"warnings": []} == json.loads(plain.stdout)
    assert (plain.stderr, plain.returncode) == ("", done.returncode)

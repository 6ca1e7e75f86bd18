"""`kvw budget --engine vllm`: the engine's own flag names, its defaults, its refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.cli.main import main

LLAMA = ["budget", "--model", "llama-3.1-8b", "--gpu", "h100-sxm", "--engine", "vllm@0.19.0"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = 0
    try:
        code = main(list(arguments)) or 0
    except SystemExit as ended:
        code = int(str(ended.code))
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code, out, _ = run(capsys, *LLAMA, *arguments, "--json")
    return code, json.loads(out)


def test_defaults_are_resolved_and_named(capsys):
    code, found = answer(capsys)
    echo = found["scenario"]
    assert code == 0
    assert (echo["engine"], echo["release"], echo["rules"]) == ("vllm", "0.19.0", "0.19.1")
    assert echo["resolved"]["max_num_batched_tokens"] == 8_192
    assert echo["resolved"]["max_num_seqs"] == 1_024
    assert echo["resolved"]["gpu_memory_utilization"] == 0.9
    assert "max_num_seqs" in echo["defaulted"]
    assert "0.19.0" in echo["origins"]["max_num_seqs"]


FLAGS = {
    "--gpu-memory-utilization": ("0.95", "gpu_memory_utilization", 0.95),
    "--max-model-len": ("8k", "max_model_len", 8_192),
    "--max-num-seqs": ("64", "max_num_seqs", 64),
    "--max-num-batched-tokens": ("2048", "max_num_batched_tokens", 2_048),
    "--block-size": ("32", "block_size", 32),
}


@pytest.mark.parametrize("flag", FLAGS)
def test_flags_by_the_engines_own_names(capsys, flag):
    text, name, value = FLAGS[flag]
    # Room for the longest request that a smaller limit would refuse.
    _, found = answer(capsys, flag, text, "--context", "4k")
    assert found["scenario"]["resolved"][name] == value
    assert name not in found["scenario"]["defaulted"]


def test_eager_mode_captures_no_graphs(capsys):
    def labels(*arguments: str) -> set[str]:
        _, found = answer(capsys, *arguments)
        return {entry["code"] for entry in found["ranks"][0]["entries"]}

    assert "cuda_graphs" in labels()
    assert "cuda_graphs" not in labels("--enforce-eager")


def test_entries_headroom_and_free_are_the_card(capsys):
    _, found = answer(capsys)
    for rank in found["ranks"]:
        entries = sum(entry["bytes"] for entry in rank["entries"])
        assert entries + rank["headroom_bytes"] + rank["free_bytes"] == rank["total_bytes"]
    outside = [e for e in found["ranks"][0]["entries"] if not e["in_budget"]]
    assert {entry["code"] for entry in outside} == {"before_start", "cuda_graphs", "unrequested"}


def test_a_longest_request_that_does_not_fit_is_refused_with_a_length(capsys):
    code, found = answer(capsys, "--kv-cache-memory-bytes", "1GiB", "--context", "2k")
    refusal = found["verdict"]["refusal"]
    assert code == 1
    assert refusal["category"] == "max_len_too_long"
    assert refusal["suggested_max_model_len"] == 8_192
    code, found = answer(
        capsys, "--kv-cache-memory-bytes", "1GiB", "--context", "2k", "--max-model-len", "-1"
    )
    assert code == 0
    assert found["capacity"]["engine_log"]["tokens_per_request"] == 8_192


def test_another_release_by_the_rules_of_one_that_was_read(capsys):
    _, out, _ = run(capsys, *LLAMA[:-1], "vllm@0.15.1")
    assert "0.15.1, by the rules of 0.11.2" in out


def test_v0_and_v1_of_one_release_differ(capsys):
    arguments = [*LLAMA[:-1], "vllm@0.8.5", "--context", "2k", "--json"]
    _, v1, _ = run(capsys, *arguments)
    _, v0, _ = run(capsys, *arguments, "--vllm-core", "v0")
    assert json.loads(v1)["scenario"]["rules"] == "0.8.5"
    assert json.loads(v0)["scenario"]["rules"] == "0.6.6"


BAD = {
    "release": [*LLAMA[:-1], "vllm@newest"],
    "core": [*LLAMA, "--vllm-core", "v2"],
    "flag of another engine": [*LLAMA, "--activation-reserve", "6%"],
    "flag of vLLM under plain": [*LLAMA[:-2], "--gpu-memory-utilization", "0.9"],
    "switch of vLLM under plain": [*LLAMA[:-2], "--enforce-eager"],
    "utilization": [*LLAMA, "--gpu-memory-utilization", "1.2"],
    "no utilization": [*LLAMA, "--gpu-memory-utilization", "0"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_2(capsys, arguments):
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1


def test_a_fault_of_the_program_is_one_line_too(capsys, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a fault\nof ours")

    monkeypatch.setattr("workbench.cli.budget.budget", broken)
    code, out, err = run(capsys, *LLAMA)
    assert (code, out, err.count("\n")) == (70, "", 1)
    assert "ZeroDivisionError" in err
    assert "Traceback" not in err
    monkeypatch.setenv("KVW_TRACE", "1")
    with pytest.raises(ZeroDivisionError):
        run(capsys, *LLAMA)

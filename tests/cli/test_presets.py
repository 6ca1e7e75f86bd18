"""`kvw presets` over the releases of engines, which are rows of a table and no files."""

from __future__ import annotations

import json

import pytest

from workbench.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = 0
    try:
        code = main(list(arguments)) or 0
    except SystemExit as ended:
        code = int(str(ended.code))
    out, err = capsys.readouterr()
    return code, out, err


def test_releases_are_listed_beside_the_files(capsys):
    code, out, _ = run(capsys, "presets", "list", "--json")
    rows = json.loads(out)["rows"]
    kinds = {row["kind"] for row in rows}
    assert code == 0
    assert {"models", "gpus", "engines"} <= kinds
    ids = [row["id"] for row in rows if row["kind"] == "engines"]
    assert ids[0] == "vllm@0.33.0"
    assert "vllm@0.19.1" in ids


def test_a_release_shows_its_rules_and_fits(capsys):
    code, out, _ = run(capsys, "presets", "show", "vllm@0.15.1")
    shown = json.loads(out)
    assert code == 0
    assert shown["rules"]["read_release"] == "0.11.2"
    assert shown["fits"]["epoch"]


@pytest.mark.parametrize(
    "arguments", [("vllm@abc",), ("--kind", "engines", "llama-3.1-8b"), ("--kind", "wrong", "x")]
)
def test_what_is_no_release_is_one_line_and_exit_2(capsys, arguments):
    code, out, err = run(capsys, "presets", "show", *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert "accepted" in err

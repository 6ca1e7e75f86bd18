"""`kvw export`: every format from the command line, and what it refuses."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import RunProgram
from tests.export import plans as samples
from workbench.cli.app import run
from workbench.cli.export import _put_out
from workbench.cli.progress import Meter
from workbench.core.admission import admission_of
from workbench.core.budget import budget
from workbench.export.formats import FORMATS
from workbench.export.ledger_json import ledger_json
from workbench.library import plans
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan

STARTS = {
    "png": b"\x89PNG\r\n",
    "svg": b"<?xml",
    "pdf": b"%PDF-",
    "pptx": b"PK\x03\x04",
    "docx": b"PK\x03\x04",
    "md": b"# ",
    "xlsx": b"PK\x03\x04",
    "csv": "\ufeff".encode(),
    "json": b"{\n",
}

Said = Callable[[], str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return lambda: capsys.readouterr().err.strip()


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    path = tmp_path / "计划.kvw"
    path.write_bytes(plans.dumps(samples.chinese().plan))
    return path


def _all_formats(folder: Path) -> dict[str, Path]:
    return {name: folder / f"out{form.suffix}" for name, form in FORMATS.items()}


def _options(files: dict[str, Path]) -> list[str]:
    return [part for name, path in files.items() for part in (f"--{name}", str(path))]


def test_all_formats_at_once_are_the_same_bytes_in_another_process(
    run_kvw: RunProgram, plan_file: Path, tmp_path: Path
) -> None:
    made = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        files = _all_formats(folder)
        done = run_kvw(["export", plan_file, *_options(files)], PYTHONHASHSEED=str(number))
        assert done.returncode == 0, done.stderr
        assert all(path.name in done.stdout for path in files.values())
        made.append({name: path.read_bytes() for name, path in files.items()})
    assert set(made[0]) == set(STARTS)
    for name, start in STARTS.items():
        assert made[0][name].startswith(start), name
        assert made[0][name] == made[1][name], f"{name} differs from run to run"


def test_a_date_is_printed_only_when_it_is_asked_for(plan_file: Path, tmp_path: Path) -> None:
    without, dated = tmp_path / "a.md", tmp_path / "b.md"
    assert run(["export", str(plan_file), "--md", str(without)]) == 0
    assert run(["export", str(plan_file), "--md", str(dated), "--date", "2026-11-30"]) == 0
    assert "2026-11-30" in dated.read_text("utf-8")
    assert "2026-11-30" not in without.read_text("utf-8")


def test_only_some_scenarios(plan_file: Path, tmp_path: Path, said: Said) -> None:
    out = tmp_path / "some.json"
    names = [samples.CHINESE_NAMES[3], samples.CHINESE_NAMES[1]]
    only = [part for name in names for part in ("--only", name)]
    assert run(["export", str(plan_file), "--json", str(out), *only]) == 0
    found = json.loads(out.read_bytes())["scenarios"]
    assert [one["scenario"]["name"] for one in found] == names
    # One alone has nothing to be compared with: the page says so, and so does the terminal.
    alone = ["--svg", str(tmp_path / "one.svg"), "--what", "compare", "--only", names[0]]
    assert run(["export", str(plan_file), *alone]) == 0
    assert "nothing to compare" in said()


def test_the_json_holds_what_budget_prints(plan_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.json"
    assert run(["export", str(plan_file), "--json", str(out)]) == 0
    scenarios = samples.chinese().plan.scenarios
    expected = [ledger_json(budget(s), admission_of(s, budget(s))) for s in scenarios]
    for one, ledger in zip(json.loads(out.read_bytes())["scenarios"], expected, strict=True):
        assert one == json.loads(json.dumps(ledger))


class _Narrow(io.RawIOBase):
    """A pipe that takes seven bytes at a time, as one without a buffer may."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:7])
        return min(len(data), 7)


def test_a_pipe_without_a_buffer_gets_all(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = _Narrow()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=narrow))
    _put_out(b"0123456789" * 10)
    assert narrow.taken == b"0123456789" * 10
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(UserError) as raised:
        _put_out(b"0")
    assert raised.value.code == "export_no_stdout"


def test_a_pipe_gets_the_bytes_alone(run_kvw: RunProgram, plan_file: Path) -> None:
    done = run_kvw(["export", plan_file, "--md", "-"])
    assert done.returncode == 0
    assert done.stdout.startswith("# ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Nothing to write"),
        (["--png", "out.pdf"], "accepted is .png"),
        (["--png", "out.png", "--what", "tables"], "accepted is --xlsx, --csv, --json"),
        (["--png", "out.png", "--pdf", "out.pdf", "--what", "record"], "accepted is --pdf"),
        (["--md", "-", "--csv", "-"], "--md, --csv would both write"),
        (["--png", "out.png", "--what", "cake"], "accepted is one of bars, compare"),
        (["--png", "out.png", "--look", "pink"], "accepted is one of light, dark"),
        (["--png", "out.png", "--ratio", "1:1"], "accepted is one of 16:9, 4:3, free"),
        (["--png", "out.png", "--scale", "900"], "accepted is one of 1, 2, 3"),
        (["--png", "out.png", "--units", "GOB"], "accepted is one of GiB, GB"),
        (["--png", "out.png", "--date", "30.2.2026"], "a day such as 2026-11-30"),
        (["--png", "out.png", "--scenario", "nobody"], "no scenario “nobody”"),
        (["--png", "out.png", "--only", "nobody"], "no scenario “nobody”"),
        (
            ["--csv", "no/such/folder/out.csv"],
            "The folder of no/such/folder/out.csv does not exist",
        ),
        (["--csv", f"{'x' * 300}.csv"], "is too long for this disk"),
        (["--csv", "."], "does not end as this kind of file does"),
        (["--pptx", "out.pptx", "--template", "nowhere.pptx"], "nowhere.pptx"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_writes_nothing(
    plan_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: Said,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = {path.name for path in tmp_path.iterdir()}
    assert run(["export", str(plan_file), *arguments]) == 2
    line = said()
    assert sentence in line
    assert "\n" not in line
    assert {path.name for path in tmp_path.iterdir()} == before


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_tells_a_terminal_how_far_it_is() -> None:
    screen, pipe, hours = _Terminal(), io.StringIO(), [0.0]
    for stream in (screen, pipe):
        hours[0] = 0.0
        with Meter("out.xlsx", stream, lambda: hours[0]) as meter:
            for done in range(5):
                hours[0] += 1.0
                meter(done, 4)
    assert screen.getvalue().split("\r\x1b[K") == [
        "",
        *(f"out.xlsx: {percent} %" for percent in (25, 50, 75, 100)),
        "",
    ]
    assert pipe.getvalue() == ""


def test_a_plan_without_scenarios_is_refused(tmp_path: Path, said: Said) -> None:
    empty = tmp_path / "empty.kvw"
    empty.write_bytes(plans.dumps(Plan()))
    assert run(["export", str(empty), "--md", str(tmp_path / "out.md")]) == 2
    assert "holds no scenario" in said()


def test_what_is_read_is_never_written_over(tmp_path: Path, said: Said) -> None:
    plan = tmp_path / "plan.json"  # a plan may have any name
    data = plans.dumps(samples.example().plan)
    plan.write_bytes(data)
    assert run(["export", str(plan), "--json", str(plan)]) == 2
    assert "choose another name" in said()
    link = tmp_path / "other.json"
    os.link(plan, link)
    assert run(["export", str(plan), "--json", str(link)]) == 2
    assert plan.read_bytes() == data


def test_an_older_file_stays_when_the_export_fails(
    plan_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.md"
    out.write_text("older")
    monkeypatch.setattr("workbench.export.write.save", _full_disk)
    assert run(["export", str(plan_file), "--md", str(out)]) == 2
    assert out.read_text() == "older"


def _full_disk(path: Path, data: bytes, **rest: object) -> None:
    from workbench.spec.errors import UserError

    raise UserError("disk_full", path=path.name)

"""CSV, TSV and JSON of a plan: exact numbers, and texts that no spreadsheet obeys."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import example as hand_made
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.export.plans import chinese, example, many, named
from workbench.cli.main import main
from workbench.export.delimited import COLUMNS, csv_bytes, guarded, tsv_text
from workbench.export.ledger_json import ledger_json
from workbench.export.options import Cancelled, Options
from workbench.export.plan_json import json_bytes
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.export.tables import ledger_table, memory_table
from workbench.library.paths import resources_dir

STARTS = tuple("=+-@\t\r\n＝＋－＠")


def _read(data: bytes) -> list[dict[str, str]]:
    text = data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("subject", [example(), chinese()], ids=["example", "chinese"])
def test_the_csv_holds_the_ledger(subject: Subject) -> None:
    data = csv_bytes(subject, Options())
    assert data.startswith(b"\xef\xbb\xbf" + ",".join(COLUMNS).encode() + b"\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")
    lines = _read(data)
    for scenario, ledger in subject.answered:
        mine = [line for line in lines if line["scenario"] == scenario.name]
        worst = str(ledger.worst_rank.rank)
        found = {
            line["row"]: line
            for line in mine
            if line["section"] == "ledger" and worst in line["rank"].split()
        }
        for entry in ledger.worst_rank.entries:
            assert int(found[entry.label]["value"]) == entry.bytes
            assert found[entry.label]["evidence"] == entry.evidence.value
            if entry.low_bytes is not None:
                assert int(found[f"{entry.label}.low"]["value"]) == entry.low_bytes
        assert int(found["free"]["value"]) == ledger.worst_rank.free_bytes
        answers = {line["row"]: line["value"] for line in mine if line["section"] == "answer"}
        assert answers["verdict"] == ledger.verdict.status.value
        left_out = [line["value"] for line in mine if line["row"] == "not_modelled"]
        assert left_out == list(ledger.not_modelled)
        sure = {line["row"]: line["evidence"] for line in mine if line["section"] == "answer"}
        assert (sure["used"], sure["target"], sure["verdict"]) == ("computed", "given", "")
        assert (found["headroom"]["evidence"], found["total"]["evidence"]) == ("computed", "given")
        assert int(answers["left"]) == ledger.worst_rank.left_bytes
        findings = [line for line in mine if line["section"] == "finding"]
        assert [line["row"] for line in findings] == [one.code for one in ledger.findings]


def test_negative_numbers_stay_numbers() -> None:
    lines = _read(csv_bytes(chinese(), Options()))
    over = [line["value"] for line in lines if line["row"] == "left" and "-" in line["value"]]
    assert over
    assert all(int(value) < 0 for value in over)


def test_inputs_are_as_typed_or_as_the_engine_takes_them() -> None:
    lines = _read(csv_bytes(example(), Options()))
    first = example().plan.scenarios[1]
    found = {
        line["row"]: (line["section"], line["unit"], line["value"])
        for line in lines
        if line["scenario"] == first.name and line["section"] in ("input", "default")
    }
    assert found["workload.context"] == ("input", "tokens", "8192")
    assert found["engine.activation_reserve"] == ("input", "share", "0.06")
    assert found["engine.max_model_len"] == ("default", "tokens", "131072")


@pytest.mark.parametrize("start", STARTS)
def test_a_text_is_guarded_and_a_number_is_not(start: str) -> None:
    assert guarded(f"{start}1") == f"'{start}1"
    assert guarded(f"  {start}1") == f"'  {start}1"
    assert guarded(-1) == -1
    assert guarded("a=1") == "a=1"


@settings(max_examples=15)
@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60))
@hand_made("=cmd|'/c calc'!A0")
@hand_made('"\r\n\t=1')
@hand_made("x;=1+1; -y;+z")
@hand_made("x" * 10_000)
@hand_made("\u202egnp.\u2066x\u2069\u200f")
def test_no_field_is_a_formula(name: str) -> None:
    try:
        plan = named(name).plan
    except ValidationError:
        return
    subject = Subject(plan, name).only([plan.scenarios[0].id])
    held = json_bytes(subject, Options())
    assert not TURNING & set(held.decode()), "what turns or hides text is escaped"
    assert json.loads(held)["scenarios"][0]["scenario"]["name"] == plan.scenarios[0].name
    data = csv_bytes(subject, Options())
    lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    for line in lines:
        assert len(line) == len(COLUMNS)
        for field in line:
            assert len(field) <= 32_767
            assert not any(ord(character) < 32 for character in field)
            if field.lstrip(" ").startswith(STARTS):
                float(field)
    # Half of Europe's spreadsheets part the fields at semicolons, whatever we mean by them.
    for line in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"):
        assert not any(field.lstrip(" ").startswith(STARTS) for field in line)


TURNING = {*"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


# The clipboard


def test_tables_become_lines_of_cells() -> None:
    table = memory_table(example(), Options())
    lines = [line.split("\t") for line in tsv_text(table).splitlines()]
    assert len(lines) == len(table.rows) + 1
    assert {len(line) for line in lines} == {len(table.columns)}
    assert lines[1][2] == str(table.rows[0].cells[2].value)


def test_no_text_breaks_out_of_its_cell() -> None:
    bad = Cell("=1\t2\r\n3\u2028")
    table = Table("x", "x", ("a\tb",), (Row((bad,)), Row((Cell("-1"),)), Row((Cell("-1", -1),))))
    assert tsv_text(table) == "a b\n'=1 2  3 \n'-1\n-1\n"


def test_a_ledger_can_be_copied() -> None:
    text = tsv_text(ledger_table(*chinese().answered[0], Options()))
    assert str(chinese().ledgers[0].worst_rank.entries[0].bytes) in text


# JSON


@pytest.mark.parametrize("subject", [example(), chinese()], ids=["example", "chinese"])
def test_the_json_is_that_of_the_command_line(subject: Subject) -> None:
    data = json_bytes(subject, Options())
    assert data.endswith(b"}\n")
    made = json.loads(data)
    assert made["schema"] == 1
    assert made["file"] == subject.file_name
    for said, row, (scenario, ledger) in zip(
        made["scenarios"], made["comparison"], subject.answered, strict=True
    ):
        wanted = json.loads(json.dumps(ledger_json(ledger)))
        assert said["ranks"] == row["ranks"] == wanted["ranks"]
        assert said["scenario"]["name"] == scenario.name
        assert said["admission"] == row["admission"]


def test_the_json_has_the_rows_of_kvw_compare(capsys: Any) -> None:
    path = resources_dir() / "plans" / "example.kvw"
    main(["compare", str(path), "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert json.loads(json_bytes(example(), Options()))["comparison"] == rows


def test_same_plan_same_bytes() -> None:
    again = Subject(chinese().plan, chinese().file_name)
    for make in (csv_bytes, json_bytes):
        assert make(again, Options()) == make(chinese(), Options())
    assert b'"date"' not in json_bytes(example(), Options())
    assert json.loads(json_bytes(example(), Options(date="2026-11-30")))["date"] == "2026-11-30"


def test_progress_is_told_and_may_end_it() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    told: list[tuple[int, int]] = []
    for make, steps in ((csv_bytes, 6), (json_bytes, 7)):
        told.clear()
        make(many(3), Options(), lambda *step: told.append(step))
        assert told == [(number, steps) for number in range(1, steps + 1)]
        with pytest.raises(Cancelled):
            make(many(2), Options(), stop)

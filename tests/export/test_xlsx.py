"""The workbook: its formulas give our figures in another program, and follow a changed input."""

from __future__ import annotations

import contextlib
import io
import math
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from hypothesis import example as hand_made
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.core import llamacpp_scenarios, sglang_scenarios, trtllm_scenarios, vllm_scenarios
from tests.core.scenarios import random_scenario
from tests.core.test_lmdeploy import random_lmdeploy
from tests.export.plans import GIB, chinese, example, named
from tests.export.second_program import office
from workbench.charts.stack import drawn
from workbench.core.budget import budget
from workbench.export.ledger_json import ledger_json
from workbench.export.options import Cancelled, Options
from workbench.export.sheets.ledger_sheet import formula_of
from workbench.export.sheets.model import all_nodes, model_of
from workbench.export.sheets.names import SheetNames
from workbench.export.sheets.workbook import xlsx_bytes
from workbench.export.subject import Subject
from workbench.spec.ledger import EntryKind, Ledger
from workbench.spec.scenario import Plan, Scenario

_FORMULA = re.compile(r"(<f>[^<]*</f>)<v>[^<]*</v>")
_ALLOWED = re.compile(
    r"=(?:[-+*/(),:>]|\d+(?:\.\d+)?|\$?[A-Z]{1,3}\$?\d+|'(?:[^']|'')*'!|(?:IF|INT|ROUND|MAX|MIN|SUM)\()+"
)
"""What a formula of ours is made of."""


@cache
def every_engine() -> Subject:
    """Random scenarios, some of each engine."""
    pick = Random("workbook")
    found: list[Scenario] = [random_scenario(pick) for _ in range(3)]
    found += [random_lmdeploy(pick) for _ in range(3)]
    for module in (vllm_scenarios, sglang_scenarios, llamacpp_scenarios, trtllm_scenarios):
        found += [scenario for scenario, _ in module.answers(3)]
    named_each = tuple(
        scenario.with_(id=f"r{number}", name=f"{number} {scenario.engine.kind}")
        for number, scenario in enumerate(found)
    )
    return Subject(Plan(scenarios=named_each, baseline="r0", title="every engine"), "all.kvw")


def subjects() -> dict[str, Subject]:
    return {"example": example(), "chinese": chinese(), "engines": every_engine()}


@cache
def made(name: str) -> bytes:
    return xlsx_bytes(subjects()[name], Options())


@pytest.fixture(scope="module")
def recalculated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The workbooks as LibreOffice counts them, which is given no figure of a formula."""
    folder = tmp_path_factory.mktemp("xlsx")
    files = []
    for name in subjects():
        files.append(folder / f"{name}.xlsx")
        files[-1].write_bytes(_without_figures(made(name)))
    files.append(folder / "changed.xlsx")
    _changed_book().save(files[-1])
    there = office(files, "xlsx", folder / "again")
    return {path.stem: openpyxl.load_workbook(path, data_only=True) for path in there}


def _without_figures(data: bytes) -> bytes:
    """The same workbook with the result of every formula taken out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename.startswith("xl/worksheets/"):
                text, count = _FORMULA.subn(r"\1", content.decode())
                assert count == text.count("<f>")
                content = text.encode()
            new.writestr(item, content)
    return out.getvalue()


def _changed_book() -> Any:
    """The example with twice the requests and half a GiB more headroom in its second scenario."""
    book = openpyxl.load_workbook(io.BytesIO(made("example")))
    sheet = book["Inputs"]
    rows = {sheet.cell(row, 1).value: row for row in range(1, sheet.max_row + 1)}
    sheet.cell(rows["concurrency"], 3).value = 40
    sheet.cell(rows["headroom"], 3).value = 3 * GIB
    return book


def _cells(book: Any) -> Iterator[tuple[str, str, Any]]:
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    yield sheet.title, cell.coordinate, cell


@pytest.mark.parametrize("name", ["example", "chinese", "engines"])
def test_another_program_gets_our_figures(recalculated: dict[str, Any], name: str) -> None:
    formulas = openpyxl.load_workbook(io.BytesIO(made(name)))
    ours = openpyxl.load_workbook(io.BytesIO(made(name)), data_only=True)
    checked = 0
    for sheet, place, cell in _cells(formulas):
        if cell.data_type == "f":
            wanted, found = ours[sheet][place].value, recalculated[name][sheet][place].value
            where = (sheet, place, cell.value)
            assert isinstance(found, int | float), (where, found)
            if isinstance(wanted, int):
                assert found == wanted, where
            else:
                assert math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-12), where
            checked += 1
    assert checked > 100 * len(subjects()[name].plan.scenarios)


def test_what_is_changed_is_followed(recalculated: dict[str, Any]) -> None:
    scenario = example().plan.scenarios[1]
    wanted = budget(
        scenario.with_(
            workload=scenario.workload.with_(concurrency=40),
            reserves=scenario.reserves.with_(
                headroom=scenario.reserves.headroom.with_(size_bytes=3 * GIB)
            ),
        )
    )
    rank = wanted.worst_rank
    found = _column_of(recalculated["changed"][scenario.name], 2, 3)
    assert found["KV cache"] == rank.kind_bytes(EntryKind.KV)
    assert found["Free"] == rank.free_bytes
    assert found["Headroom"] == 3 * GIB
    assert found["Total"] == rank.total_bytes
    assert found["used"] == rank.charged_bytes
    assert found["most requests"] == wanted.most_requests
    summary = _column_of(recalculated["changed"]["Summary"], 1, 3)
    assert summary["Used, per GPU"] == pytest.approx(rank.charged_bytes / GIB)
    compare = _column_of(recalculated["changed"]["Compare"], 2, 4)
    assert compare["Free"] == pytest.approx((rank.free_bytes - _free(0)) / GIB)


def _free(scenario: int) -> int:
    return example().ledgers[scenario].worst_rank.free_bytes


def _column_of(sheet: Any, names: int, values: int) -> dict[str, Any]:
    rows = range(1, sheet.max_row + 1)
    return {sheet.cell(row, names).value: sheet.cell(row, values).value for row in rows}


@pytest.mark.parametrize("name", ["example", "chinese", "engines"])
def test_sheets_hold_the_numbers_of_the_json(name: str) -> None:
    subject = subjects()[name]
    book = openpyxl.load_workbook(io.BytesIO(made(name)), data_only=True)
    for scenario, ledger in subject.answered:
        sheet = book[scenario.name]
        numbers = {
            sheet.cell(row, 3).value
            for row in range(1, sheet.max_row + 1)
            if isinstance(sheet.cell(row, 3).value, int)
        }
        said = ledger_json(ledger)
        wanted = {entry["bytes"] for rank in said["ranks"] for entry in rank["entries"]}
        wanted |= {rank["free_bytes"] for rank in said["ranks"]}
        wanted |= {rank["total_bytes"] for rank in said["ranks"] if rank["place"] == "card"}
        if said["pool"] is not None:
            wanted |= {said["pool"]["bytes"], said["pool"]["blocks"]}
        assert {value for value in wanted if value < 2**53} <= numbers


def test_nearly_every_entry_is_live() -> None:
    total, fixed = 0, []
    for scenario, ledger in _answers():
        for node in all_nodes(model_of(scenario, ledger)):
            if node.needs:
                total += 1
                if formula_of(node) is None:
                    fixed.append((scenario.engine.kind, node.term.symbol))
    assert total > 2_000
    assert len(fixed) <= total // 200, fixed


def _answers() -> Iterator[tuple[Scenario, Ledger]]:
    pick = Random("live")
    yield from (
        (scenario, budget(scenario)) for scenario in [random_scenario(pick) for _ in range(8)]
    )
    yield from ((s, budget(s)) for s in (random_lmdeploy(pick) for _ in range(8)))
    for module in (vllm_scenarios, sglang_scenarios, llamacpp_scenarios, trtllm_scenarios):
        yield from module.answers(12)


def test_inputs_say_how_far_they_are_followed() -> None:
    book = openpyxl.load_workbook(io.BytesIO(made("chinese")))
    sheet = book["Inputs"]
    rows = {sheet.cell(row, 1).value: row for row in range(1, sheet.max_row + 1)}

    def ground(name: str, column: int) -> str:
        return str(sheet.cell(rows[name], column).fill.fgColor.rgb)[2:]

    yellow, grey, none = "FFF6CC", "ECEFF3", "000000"
    assert ground("concurrency", 2) == ground("headroom", 2) == yellow
    assert ground("context", 5) == yellow, "the founding note's arithmetic is plain"
    assert ground("context", 2) == grey, "the engine rounds a request to blocks of its own"
    assert ground("TP", 2) == grey
    assert ground("nodes", 2) == none


# Nothing but what we wrote


@pytest.mark.parametrize("name", ["example", "chinese", "engines"])
def test_formulas_are_ours_and_nothing_is_a_link(name: str) -> None:
    _only_ours(made(name))


def _only_ours(data: bytes) -> Any:
    book = openpyxl.load_workbook(io.BytesIO(data))
    for sheet, place, cell in _cells(book):
        assert cell.hyperlink is None, (sheet, place)
        if cell.data_type == "f":
            assert isinstance(cell.value, str), (sheet, place, cell.value)
            assert _ALLOWED.fullmatch(cell.value), (sheet, place, cell.value)
        else:
            assert cell.data_type in "sn", (sheet, place, cell.data_type)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        names = file.namelist()
        assert not any("externalLink" in name or "vba" in name for name in names)
        for name in names:
            if name.endswith(".rels"):
                assert b'TargetMode="External"' not in file.read(name)
    return book


HOSTILE = (
    "=cmd|'/c calc'!A0",
    "+1+1",
    "-1",
    "@SUM(A1)",
    "http://example.com/?a=1&b=<c>",
    "mailto:a@b.c",
    "internal:Sheet1!A1",
    "<script>alert(1)</script>",
    "{=A1}",
    "_x0041_",
    "a\x00b\x07c\td\r\ne",
    "\u202eevil\u2066",
    "👩‍💻" * 40,
    "x" * 10_000,
    "'quoted'",
    "History",
    "[]:*?/\\",
    "Summary",
    "SORT(1)",
    "מודל עברי",
)


def _hostile() -> Subject:
    """The hostile texts that a plan takes, each in every place of a scenario of its own."""
    found = []
    for number, text in enumerate(HOSTILE):
        with contextlib.suppress(ValidationError):
            found.append(named(text).plan.scenarios[1].with_(id=f"h{number}"))
    assert len(found) == len(HOSTILE) - 1, "control characters are refused at the entrance"
    return Subject(Plan(scenarios=tuple(found), baseline="h0"), "=1+1.kvw")


def _sheets_are_named(book: Any, scenarios: int) -> None:
    titles = [sheet.title for sheet in book.worksheets]
    assert len({title.casefold() for title in titles}) == scenarios + 5
    for title in titles:
        assert 0 < len(title.encode("utf-16-le")) // 2 <= 31
        assert not re.search(r"[\[\]:*?/\\]", title)
        assert not title.startswith("'")
        assert not title.endswith("'")
        assert title.casefold() != "history"


def test_hostile_names_stay_words() -> None:
    subject = _hostile()
    data = xlsx_bytes(subject, Options(title="=HYPERLINK(1)"))
    book = _only_ours(data)
    _sheets_are_named(book, len(subject.plan.scenarios))
    assert book["Summary"]["A1"].value == "=HYPERLINK(1)"
    assert book["Summary"]["A1"].data_type == "s"
    heads = [cell.value for cell in book["Summary"][4]]
    assert heads[1:4] == ["★ =cmd|'/c calc'!A0", "+1+1", "-1"]
    assert "_x0041_" in heads


@settings(max_examples=8)
@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60))
@hand_made("a\x00b\x07c\td\r\ne")
@hand_made("\ufffe\uffff\x1f")
def test_any_name_stays_words(name: str) -> None:
    try:
        plan = named(name).plan
    except ValidationError:
        plan = example().plan
    subject = Subject(plan, name).only([plan.scenarios[0].id])
    _sheets_are_named(_only_ours(xlsx_bytes(subject, Options(title=name, date=name))), 1)


def test_names_of_sheets() -> None:
    names = SheetNames()
    assert names.name("A/B", "x") == "A B"
    assert names.name("a b", "x") == "a b (2)"
    assert names.name("History", "x") == "History (2)"
    assert names.name("'''", "Scenario 4") == "Scenario 4"
    assert names.name("😀" * 40, "x") == "😀" * 15
    assert names.name("😀" * 40, "x") == "😀" * 13 + " (2)"
    assert names.name("f(x)", "x") == "f (x)"


# Same plan, same bytes


def test_the_same_plan_gives_the_same_bytes() -> None:
    again = Subject(example().plan, example().file_name)
    assert xlsx_bytes(again, Options()) == made("example")
    assert b"2026" not in made("example")
    with zipfile.ZipFile(io.BytesIO(made("example"))) as file:
        assert {item.date_time for item in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"2000-01-01" in file.read("docProps/core.xml")


def test_units_and_progress() -> None:
    told: list[tuple[int, int]] = []
    data = xlsx_bytes(example(), Options(unit="GB"), lambda *step: told.append(step))
    count = len(example().plan.scenarios)
    assert told[-1] == (3 * count + 10, 3 * count + 10)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len({done for done, _ in told}) >= 2 * count + 10
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    sheet = book[example().plan.scenarios[1].name]
    assert sheet.cell(4, 4).value == "GB"
    assert sheet.cell(6, 4).value == pytest.approx(sheet.cell(6, 3).value / 10**9)


@pytest.mark.parametrize("at", [0, 1, 12, 18])
def test_it_can_be_cancelled(at: int) -> None:
    """While answers are worked out, sheets are written, and the file is packed."""

    def stop(done: int, total: int) -> None:
        if done >= at:
            raise Cancelled

    with pytest.raises(Cancelled):
        xlsx_bytes(Subject(example().plan), Options(), stop)


def test_a_print_can_be_read() -> None:
    """No column is printed at less than three quarters of its size, names beside every page."""
    book = openpyxl.load_workbook(io.BytesIO(made("chinese")))
    for sheet in book.worksheets:
        setup, frozen = sheet.page_setup, sheet.print_title_cols
        assert setup.orientation == "landscape"
        assert setup.fitToHeight == 0
        wide = sum(size.width * (size.max - size.min + 1) for size in _columns(sheet))
        repeated = sum(size.width for size in _columns(sheet)[:2]) if frozen else 0
        pages = int(setup.fitToWidth or 1)
        assert (wide + (pages - 1) * repeated) / pages <= 1.1 * 1_010 / 0.75 / 7, sheet.title
        assert (sheet.print_title_rows is not None) == (sheet.title != "Compare")
    assert book["Summary"].page_setup.fitToWidth in (None, 1)


def _columns(sheet: Any) -> list[Any]:
    return list(sheet.column_dimensions.values())


def test_the_chart_is_native_and_in_our_colours() -> None:
    with zipfile.ZipFile(io.BytesIO(made("example"))) as file:
        chart = file.read("xl/charts/chart1.xml").decode()
    assert chart.count("<c:ser>") == len(example().quick_comparison.memory) + 2
    assert '<c:grouping val="stacked"/>' in chart
    assert 'val="242A7D"' in chart
    assert 'val="149F7E"' in chart
    assert "<c:lineChart>" in chart


def test_what_is_over_budget_says_so() -> None:
    over = [ledger.worst_rank.over_bytes for ledger in chinese().ledgers]
    assert sum(map(bool, over)) == 1
    at = next(number for number, size in enumerate(over) if size)
    sheet = openpyxl.load_workbook(io.BytesIO(made("chinese")), data_only=True)["Compare"]
    rows = [row for row in sheet.iter_rows() if row[1].value == "Over budget"]
    assert [row[2 + at].value for row in rows] == [over[at] / GIB, over[at]]
    assert rows[0][2 + at].number_format == '#,##0.00" GiB over";;"–"'
    with zipfile.ZipFile(io.BytesIO(made("chinese"))) as file:
        chart = file.read("xl/charts/chart1.xml").decode()
    series = [one for one in chart.split("<c:ser>") if "Over budget" in one]
    assert len(series) == 1
    assert "GiB over" in series[0]
    assert '<a:pattFill prst="wdUpDiag">' in series[0]


def test_the_chart_draws_bars_as_long_as_those_of_pictures() -> None:
    """What lies over a budget is hatched; nothing that was not asked for stands past the card."""
    sheet = openpyxl.load_workbook(io.BytesIO(made("chinese")), data_only=True)["Compare"]
    rows = [row for row in sheet.iter_rows() if str(row[1].value).endswith(", as drawn")]
    assert len(rows) == len(chinese().quick_comparison.memory) + 1
    for at, ledger in enumerate(chinese().ledgers, 2):
        rank = ledger.worst_rank
        drawn_gib = {str(row[1].value).removesuffix(", as drawn"): row[at].value for row in rows}
        assert sum(drawn_gib.values()) == pytest.approx(drawn(rank).extent_bytes / GIB)
        assert drawn_gib["Over budget"] == rank.over_bytes / GIB
        if rank.over_bytes:
            assert drawn_gib["Not requested"] == drawn_gib["Free"] == 0
            assert drawn_gib["KV cache"] < rank.kind_bytes(EntryKind.KV) / GIB


def test_sizes_that_a_double_cannot_hold_stand_in_words(tmp_path: Path) -> None:
    scenario = example().plan.scenarios[0]
    huge = scenario.with_(workload=scenario.workload.with_(concurrency=2**40 + 1))
    data = xlsx_bytes(Subject(Plan(scenarios=(huge,), baseline=huge.id)), Options())
    size = budget(huge).worst_rank.kind_bytes(EntryKind.KV)
    assert size > 2**53
    sheet = openpyxl.load_workbook(io.BytesIO(data))[huge.name]
    notes = [str(sheet.cell(row, 12).value) for row in range(1, 30)]
    assert any(f"{size:,}" in note for note in notes)

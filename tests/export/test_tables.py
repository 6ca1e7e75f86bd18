"""The tables that every export shows: their values are those of ledgers and comparison."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.core import vllm_scenarios
from tests.export.plans import chinese, example, named
from workbench.core.assumed import count_unsure, unsure
from workbench.core.solve import told_context
from workbench.export.ledger_rows import rank_groups
from workbench.export.options import Language, Options
from workbench.export.subject import Subject
from workbench.export.table import Row, Table
from workbench.export.tables import (
    answers_table,
    assumptions_table,
    deltas_table,
    findings_table,
    inputs_table,
    ledger_table,
    memory_table,
    scenario_names,
    waterfall_table,
)
from workbench.export.wording import NONE, assumed_note
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec import units
from workbench.spec.words import EVIDENCE, PRESET_NAMES

SUBJECTS = pytest.mark.parametrize("subject", [example(), chinese()], ids=["example", "chinese"])
PLAIN = Options()


def _all(subject: Subject, options: Options = PLAIN) -> list[Table]:
    scenario, ledger = subject.answered[-1]
    return [
        answers_table(subject, options),
        memory_table(subject, options),
        deltas_table(subject, options),
        inputs_table(subject, options),
        inputs_table(subject, options, only_differences=True),
        ledger_table(scenario, ledger, options),
        assumptions_table(subject, options),
        findings_table(subject, options),
        waterfall_table(subject, scenario, options),
    ]


def _named(table: Table) -> dict[str, Row]:
    return {row.cells[0].text: row for row in table.rows}


@SUBJECTS
def test_every_row_has_a_cell_a_column(subject: Subject) -> None:
    for table in _all(subject):
        assert table.title
        assert table.rows
        for row in table.rows:
            assert row.is_heading or len(row.cells) == len(table.columns), table.code
            for cell in row.cells:
                assert cell.text == cell.text.strip()


@SUBJECTS
def test_answers_are_those_of_the_comparison(subject: Subject) -> None:
    found = _named(answers_table(subject, PLAIN))
    for number, column in enumerate(subject.comparison.columns, 1):
        largest = found["Most requests, headroom kept"].cells[number]
        assert largest.value == column.largest_concurrency.answer
        context = found["Longest request at its concurrency"].cells[number]
        assert context.value == column.largest_context.answer
        assert context.text == units.show_tokens(told_context(context.value))
        assert found["Left of the budget, per GPU"].cells[number].value == column.left_bytes("gpu")
        assert found["GPUs"].cells[number].value == column.gpus
        verdict = found["Verdict"].cells[number]
        fits = column.ledger.verdict.status.value == "fits"
        whole = "weights" not in column.ledger.not_modelled
        assert (verdict.text == "Fits") == (fits and whole) == (verdict.look == "good")
        assert (verdict.text == "Fits, without weights") == (fits and not whole)


@SUBJECTS
def test_memory_and_differences_add_up(subject: Subject) -> None:
    memory, deltas = memory_table(subject, PLAIN), deltas_table(subject, PLAIN)
    base = subject.baseline
    parts = [row for row in memory.rows if row.part]
    for number, ledger in enumerate(subject.ledgers):
        sizes = [row.cells[number + 1].value or 0 for row in parts]
        assert sum(sizes) == ledger.worst_rank.total_bytes
    others = [n for n in range(len(subject.ledgers)) if n != base]
    for row, delta in zip(parts, deltas.rows, strict=True):
        for at, number in enumerate(others, 1):
            mine, before = (row.cells[n + 1].value or 0 for n in (number, base))
            assert delta.cells[at].value == mine - before
            if mine != before:
                assert delta.cells[at].text.removeprefix("+") in row.cells[number + 1].text
    alone = memory_table(subject, PLAIN, with_deltas=False)
    assert not any("(" in cell.text for row in alone.rows for cell in row.cells[1:])


@SUBJECTS
def test_inputs_are_told_once_and_those_that_differ_alone(subject: Subject) -> None:
    everything = inputs_table(subject, PLAIN)
    fewer = inputs_table(subject, PLAIN, only_differences=True)
    assert 0 < len(fewer.rows) < len(everything.rows)
    assert all(row in everything.rows for row in fewer.rows)
    for row in fewer.rows:
        if not row.is_heading:
            assert any(cell.look == "strong" for cell in row.cells[1:]), row
    context = _named(everything)["context"]
    for scenario, cell in zip(subject.plan.scenarios, context.cells[1:], strict=True):
        assert cell.value == scenario.workload.lengths.tokens  # type: ignore[union-attr]


@SUBJECTS
def test_the_ledger_adds_up_rank_by_rank(subject: Subject) -> None:
    for scenario, ledger in subject.answered:
        table = ledger_table(scenario, ledger, PLAIN)
        groups = rank_groups(ledger)
        assert sum(row.is_heading for row in table.rows) == len(groups)
        assert sorted(r.rank for group in groups for r in group) == [r.rank for r in ledger.ranks]
        for row in (row for row in table.rows if not row.is_heading):
            size, large = row.cells[1], row.cells[2]
            assert large.value == pytest.approx((size.value or 0) / 2**30)
        totals = [row.cells[1].value for row in table.rows if row.cells[0].text == "Total"]
        assert totals == [group[0].total_bytes for group in groups]


def test_ranks_that_differ_stand_apart() -> None:
    apart = 0
    for scenario, ledger in vllm_scenarios.answers(60):
        groups = rank_groups(ledger)
        apart += len(groups) > 1
        for group in groups:
            assert {replace(rank, rank=0) for rank in group} == {replace(group[0], rank=0)}
        text = [row.cells[0].text for row in ledger_table(scenario, ledger, PLAIN).rows]
        assert sum("decides" in line for line in text) == 1
    assert apart > 3


def test_evidence_and_source_of_every_entry_are_told() -> None:
    scenario, ledger = chinese().answered[0]
    table = ledger_table(scenario, ledger, PLAIN)
    entries = [row for row in table.rows if row.part and row.part not in ("headroom", "free")]
    for row, entry in zip(entries, ledger.worst_rank.entries, strict=True):
        assert row.cells[1].value == entry.bytes
        assert row.cells[3].text == entry.evidence.value
        assert row.cells[6].text
        assert row.cells[7].text
        assert row.cells[8].text


def test_assumptions_come_kind_by_kind() -> None:
    table = assumptions_table(chinese(), PLAIN)
    heads = [row.cells[0].text for row in table.rows if row.is_heading]
    assert heads == ["Entries of the ledger", "Left to the engine"]
    told = chinese().quick_comparison.told_assumptions
    defaults = [row for row in told if row.kind == "default"]
    assert len(table.rows) == 7 + len(defaults) + 2


@SUBJECTS
def test_one_count_of_what_is_assumed(subject: Subject) -> None:
    """The footnote counts the lines of the table; those of one scenario are the window's list."""
    rows = assumptions_table(subject, PLAIN).rows
    count = count_unsure(subject.ledgers)
    unsure_words = {EVIDENCE["assumed"], EVIDENCE["fitted"]}
    lines = [row for row in rows if not row.is_heading and row.cells[1].text in unsure_words]
    assert len(lines) == count.assumed + count.fitted > 0
    assert count.scenarios == len(subject.ledgers)
    note = assumed_note(subject)
    assert (
        note == f"Assumed values: {count.assumed}, in {count.scenarios} of {count.scenarios} "
        "scenarios"
    )
    for number, (scenario, ledger) in enumerate(subject.answered):
        alone = subject.only([scenario.id])
        filled = [row for row in lines if row.cells[2 + number].text != NONE]
        assert len(filled) == len(unsure(ledger.worst_rank))
        assert assumed_note(alone) == f"Assumed values: {len(filled)}"


def test_a_share_of_a_card_says_so() -> None:
    found = _named(inputs_table(example(), PLAIN))
    assert found["fragmentation"].cells[1].text == "4 % of the card"


def test_findings_name_their_scenario() -> None:
    table = findings_table(chinese(), PLAIN)
    assert len(table.rows) == sum(len(ledger.findings) for ledger in chinese().ledgers)
    assert {row.cells[1].text for row in table.rows} <= {"note", "warning", "error"}


@SUBJECTS
def test_the_way_adds_up(subject: Subject) -> None:
    for number, scenario in enumerate(subject.plan.scenarios):
        if number != subject.baseline:
            rows = waterfall_table(subject, scenario, PLAIN).rows
            steps, first, last = rows[1:-1], rows[0], rows[-1]
            for column in (1, 3):
                moved = sum(row.cells[column].value or 0 for row in steps)
                ends = [row.cells[column + 1].value or 0 for row in (first, last)]
                assert ends[0] + moved == ends[1]


def test_every_word_can_be_said_in_another_language() -> None:
    def upper(text: str) -> str:
        """Parameters keep their names."""
        parts = text.split("{")
        return parts[0].upper() + "".join(
            "{" + name + "}" + rest.upper()
            for name, _, rest in (p.partition("}") for p in parts[1:])
        )

    said = Options(language=Language(words=upper, labels=lambda code: code.upper(), code="xx"))
    kept = {*scenario_names(example(), Language()), "GiB"}
    for plain, other in zip(_all(example()), _all(example(), said), strict=True):
        assert other.title == plain.title.upper()
        for one, two in zip(plain.columns, other.columns, strict=True):
            assert two == one if one in kept else two == one.upper()
        for old, new in zip(plain.rows, other.rows, strict=True):
            if old.is_heading:
                assert new.cells[0].text == old.cells[0].text.upper()


def test_sizes_are_in_the_unit_asked_for() -> None:
    table = memory_table(example(), Options(unit="GB"), with_deltas=False)
    size = table.rows[0].cells[2]
    assert size.text == units.show_bytes(int(size.value or 0), "GB")
    scenario, ledger = example().answered[0]
    assert ledger_table(scenario, ledger, Options(unit="GB")).columns[2] == "GB"


def test_texts_of_people_are_one_safe_line() -> None:
    subject = named("\u202e=1\u2066" + "x" * 150)
    for table in _all(subject):
        for row in table.rows:
            for cell in row.cells:
                assert not set("\u202e\u2066\n\t") & set(cell.text)
        assert not any("\u202e" in column for column in table.columns)


def test_presets_that_are_called_by_words_have_them_in_every_language() -> None:
    library = Library(presets_dir())
    kinds = ("formats/weights", "formats/kv", "workloads")
    names = {one.name for kind in kinds for one in library.listed(kind)}
    names |= {one.name for one in library.listed("gpus") if one.name.endswith(" card")}
    told = re.compile(
        r"\b(bit|blocks?|card|conversations|entry|group|keys|only|per|scale|style|up|values)\b"
    )
    assert {name for name in names if told.search(name)} <= PRESET_NAMES.keys() <= names
    spoken = Options(language=Language(words=lambda text: f"<{text}>"))
    assert "<FP8 E4M3 or E5M2, per tensor scale>" in str(inputs_table(chinese(), spoken))

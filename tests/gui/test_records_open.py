"""Records and old plans in the window: what is open, what has changed, what the answer becomes."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtTest import QTest

from tests.gui.test_drops import drop, said
from tests.gui.window_kit import wait_until
from workbench.export.options import Options
from workbench.export.record.markdown import markdown_bytes
from workbench.export.record.word import docx_bytes
from workbench.export.subject import Subject
from workbench.gui import files
from workbench.gui.app import example_plan
from workbench.library import plans, records

GIB = 2**30


def old_plan(folder: Path, changed: int = 1) -> Path:
    """A plan whose cards were smaller when it was saved."""
    document = plans.to_document(example_plan())
    for scenario in document["scenarios"][1 : 1 + changed]:
        scenario["gpu"]["device_total_bytes"] = 64 * GIB
        reference = scenario.get("gpu_set_ref") or scenario["gpu_ref"]
        reference["fingerprint"] = "0" * 16
        scenario["gpu_ref"] = scenario["gpu_ref"] | {"fingerprint": _fingerprint(scenario)}
    path = folder / "old.kvw"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _fingerprint(scenario: dict) -> str:
    from workbench.spec.base import fingerprint
    from workbench.spec.gpu import GpuSpec

    return fingerprint(GpuSpec.model_validate_json(json.dumps(scenario["gpu"])))


def test_an_old_plan_says_fields_and_the_move_and_takes_the_new(bench, tmp_path):
    path = old_plan(tmp_path)
    bench.files.open(path)
    wait_until(lambda: "plan_stale" in bench.messages())
    (text,) = said(bench)
    assert "device_total_bytes" in text
    assert "max concurrency 40 → 55" in text
    before = bench.session.plan
    bench.press("take")
    now = bench.session.plan.scenarios[1]
    assert now.gpu.device_total_bytes == 80 * GIB
    assert bench.messages() == []
    bench.session.undo_stack.undo()
    assert bench.session.plan == before


def test_a_plan_as_it_should_be_says_nothing(bench, tmp_path):
    path = tmp_path / "plan.kvw"
    plans.save_plan(path, example_plan())
    bench.files.open(path)
    wait_until(lambda: bench.session.path == path)
    assert bench.jobs.wait(5_000)
    QTest.qWait(20)
    assert bench.messages() == []


def test_a_dropped_record_opens_its_plan_as_a_new_document(bench, tmp_path):
    subject = Subject(example_plan(), "example.kvw")
    for suffix, data in (
        (".docx", docx_bytes(subject, Options())),
        (".md", markdown_bytes(subject, Options())),
    ):
        path = tmp_path / f"record{suffix}"
        path.write_bytes(data)
        bench.session.open_plan(example_plan().with_(title="other"))
        drop(bench, path)
        wait_until(lambda: bench.session.plan == subject.plan)
        wait_until(lambda: bench.messages() == ["record_opened"])
        assert bench.session.path is None
        assert bench.session.dirty
        assert path.read_bytes() == data


def test_recorded_answers_that_are_others_today_are_said(bench, tmp_path):
    subject = Subject(example_plan(), "example.kvw")
    text = (
        markdown_bytes(subject, Options())
        .decode()
        .replace('"most_requests":55', '"most_requests":57')
    )
    path = tmp_path / "record.md"
    path.write_text(text, encoding="utf-8")
    bench.files.open(path)
    wait_until(lambda: "plan_stale" in bench.messages())
    assert any("max concurrency 57 → 55" in one for one in said(bench))


def test_a_hostile_record_is_one_sentence(bench, tmp_path):
    path = tmp_path / "record.docx"
    path.write_bytes(b"PK nothing")
    before = bench.session.plan
    bench.files.open(path)
    wait_until(lambda: "record_damaged" in bench.messages())
    assert bench.session.plan == before


def test_the_window_knows_the_endings_of_records():
    assert files.RECORDS == records.SUFFIXES

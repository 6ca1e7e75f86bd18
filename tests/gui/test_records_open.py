"""Records and old plans in the window: what is open, what has changed, what the answer becomes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from tests.export.plans import chinese
from tests.gui.test_drops import drop, said
from tests.gui.window_kit import wait_until
from workbench.charts.display import DisplayList
from workbench.core.budget import budget
from workbench.export.options import Options
from workbench.export.record.markdown import markdown_bytes
from workbench.export.record.word import docx_bytes
from workbench.export.subject import Subject
from workbench.export.vector import pdf_bytes
from workbench.gui import files, staleness
from workbench.gui.app import example_plan
from workbench.library import compose, plans, records
from workbench.library.presets import Library, fork
from workbench.library.stale import figures_of
from workbench.spec.scenario import Plan

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


def settled(bench) -> None:
    """Wait until what has changed was looked up."""
    QTest.qWait(staleness._AFTER_PAINT_MS + 50)
    assert bench.jobs.wait(5_000)
    QTest.qWait(20)


def own_card(bench) -> Library:
    """Give the person a card preset of their own."""
    library = bench.session.library
    library.save_user(fork(library.gpu("80-gib"), "card", "Card"))
    return library


def resized(library: Library, size_bytes: int) -> None:
    preset = library.gpu("user:card")
    value = preset.value.with_(device_total_bytes=size_bytes)
    library.save_user(replace(preset, value=value), overwrite=True)


def plan_with_own_card(library: Library, folder: Path) -> Path:
    """Three scenarios; the last two have the person's card, the last with more to hold."""
    first, second = example_plan().scenarios[:2]
    mine = compose.with_gpu(second, library.gpu("user:card"))
    less = mine.with_(id="less", name="Less", workload=mine.workload.with_(concurrency=1))
    path = folder / "mine.kvw"
    plans.save_plan(path, Plan(scenarios=(first, mine, less), baseline=first.id))
    return path


def test_an_edited_preset_is_told_and_taken_in_every_scenario(bench, tmp_path):
    library = own_card(bench)
    path = plan_with_own_card(library, tmp_path)
    resized(library, 40 * GIB)
    drop(bench, path)
    wait_until(lambda: "plan_stale_more" in bench.messages())
    (text,) = said(bench)
    assert "the preset user:card@1 has changed since (device_total_bytes " in text
    assert "85,899,345,920 → 42,949,672,960)" in text
    assert "Other scenarios that are concerned: 1" in text
    mine = bench.session.plan.scenarios[1]
    small = mine.with_(gpu=mine.gpu.with_(device_total_bytes=40 * GIB))
    most = budget(mine).most_requests, budget(small).most_requests
    assert most[0] != most[1]
    assert f"max concurrency {most[0]} → {most[1]}" in text
    bench.press("take")
    cards = [one.gpu.device_total_bytes for one in bench.session.plan.scenarios[1:]]
    assert cards == [40 * GIB] * 2
    bench.trigger("edit.undo")
    assert not bench.session.dirty


def test_a_copy_that_a_person_edited_is_left_alone(bench, tmp_path):
    library = own_card(bench)
    path = plan_with_own_card(library, tmp_path)
    plan = plans.load(path).plan
    edited = plan.scenarios[1]
    edited = edited.with_(gpu=edited.gpu.with_(device_total_bytes=60 * GIB))
    plans.save_plan(path, plan.replacing(edited), overwrite=True)
    resized(library, 40 * GIB)
    bench.files.open(path)
    wait_until(lambda: "plan_stale" in bench.messages())
    bench.press("take")
    cards = [one.gpu.device_total_bytes for one in bench.session.plan.scenarios[1:]]
    assert cards == [60 * GIB, 40 * GIB]


def test_a_preset_that_is_gone_is_said_without_an_offer(bench, tmp_path):
    library = own_card(bench)
    path = plan_with_own_card(library, tmp_path)
    library.user_path("gpus", "card").unlink()
    bench.files.open(path)
    wait_until(lambda: "plan_stale_more" in bench.messages())
    assert "the preset user:card@1 is gone" in said(bench)[0]
    assert bench.window.messages.messages()[0].actions == ()


def test_changed_rules_of_an_engine_are_told_and_taken(bench, tmp_path):
    now = chinese().plan.scenarios[0]
    fits = now.engine.fits
    lighter = tuple(fit.with_(logit_bytes=fit.logit_bytes / 2) for fit in fits.activation)
    old = now.with_(engine=now.engine.with_(fits=fits.with_(activation=lighter)))
    path = tmp_path / "old.kvw"
    plans.save_plan(path, Plan(scenarios=(old,), baseline=old.id))
    bench.files.open(path)
    wait_until(lambda: "plan_stale" in bench.messages())
    (text,) = said(bench)
    assert "the rules of vllm@" in text
    assert "(fits.activation)" in text
    assert "left per GPU" in text
    bench.press("take")
    assert bench.session.plan.scenarios == (now,)
    bench.trigger("edit.undo")
    assert bench.session.plan.scenarios == (old,)


def test_another_document_is_not_told_of_what_changed_in_the_last(bench, tmp_path):
    bench.files.open(old_plan(tmp_path))
    wait_until(lambda: "plan_stale" in bench.messages())
    bench.files.show_new(example_plan())
    assert bench.messages() == []
    path = old_plan(tmp_path)
    bench.files.open(path)
    wait_until(lambda: bench.session.path == path)
    bench.files.show_new(example_plan())
    settled(bench)
    assert bench.messages() == []


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
    settled(bench)
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
        assert bench.files.name == "record"
        assert bench.window.windowTitle().startswith("record")
        assert bench.session.dirty
        assert path.read_bytes() == data


def test_a_dropped_pdf_opens_as_the_dialog_opens_it(bench, tmp_path):
    subject = Subject(example_plan().with_(title="in a PDF"), "example.kvw")
    attached = {records.ATTACHMENT: records.record_data(subject.plan, subject.ledgers)}
    path = tmp_path / "record.PDF"
    path.write_bytes(pdf_bytes([DisplayList(100, 100, "#ffffff", ())], attached=attached))
    bench.answers.path = path
    for open_it in (lambda: bench.trigger("file.open"), lambda: drop(bench, path)):
        bench.session.open_plan(example_plan())
        bench.window.messages.clear_slot(files.SLOT)
        open_it()
        wait_until(lambda: bench.messages() == ["record_opened"])
        assert bench.session.plan == subject.plan
        assert (bench.session.path, bench.files.name, bench.session.dirty) == (None, "record", True)


def test_recorded_answers_that_are_others_today_are_said(bench, tmp_path, monkeypatch):
    path = tmp_path / "record.md"
    with monkeypatch.context() as other_rules:
        other_rules.setattr(
            records, "figures_of", lambda ledger: replace(figures_of(ledger), most_requests=57)
        )
        path.write_bytes(markdown_bytes(Subject(example_plan(), "example.kvw"), Options()))
    bench.files.open(path)
    wait_until(lambda: "plan_stale_more" in bench.messages())
    assert any("max concurrency 72 → 57" in one or "57 → 72" in one for one in said(bench))


def test_a_record_is_saved_as_a_plan_beside_it(bench, tmp_path):
    path = tmp_path / "record.md"
    path.write_bytes(markdown_bytes(Subject(example_plan(), ""), Options()))
    bench.files.open(path)
    wait_until(lambda: bench.messages() == ["record_opened"])
    starts = []
    bench.answers.plan_to_save = lambda start: starts.append(start)
    bench.trigger("file.save")
    assert starts == [str(tmp_path / "record.kvw")]


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("plan", '"concurrency":', '"concurrency":1'),
        ("answers", '"most_requests":', '"most_requests":1'),
    ],
)
def test_what_was_edited_in_a_record_is_said_and_blamed_on_no_rules(
    bench, tmp_path, changed, old, new
):
    path = tmp_path / "record.md"
    text = markdown_bytes(Subject(example_plan(), ""), Options()).decode()
    start = text.index(records.FENCE)
    head, data = text[:start], text[start:]
    edited = data.replace(old, new, 1)
    assert edited != data
    path.write_text(head + edited, encoding="utf-8")
    bench.files.open(path)
    wait_until(lambda: bench.messages() == [f"record_changed_{changed}"])
    settled(bench)
    assert bench.messages() == [f"record_changed_{changed}"]


def test_two_records_dropped_offer_to_compare(bench, tmp_path):
    for name in ("one.md", "two.md"):
        (tmp_path / name).write_bytes(markdown_bytes(Subject(example_plan(), ""), Options()))
    drop(bench, tmp_path / "one.md", tmp_path / "two.md")
    wait_until(lambda: "plans_dropped" in bench.messages())
    assert bench.files.name == "one"


def test_a_hostile_record_is_one_sentence(bench, tmp_path):
    path = tmp_path / "record.docx"
    path.write_bytes(b"PK nothing")
    before = bench.session.plan
    bench.files.open(path)
    wait_until(lambda: "record_damaged" in bench.messages())
    assert bench.session.plan == before


def test_the_window_knows_the_endings_of_records():
    assert files.RECORDS == records.SUFFIXES

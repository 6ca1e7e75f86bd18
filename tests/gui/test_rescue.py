"""Work that outlived its program: looked at, then restored or discarded."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from tests.gui.window_kit import Bench, click, key, opened_bench, wait_until
from workbench.gui.app import example_plan
from workbench.gui.difference import DifferenceDialog
from workbench.gui.tr import action_text
from workbench.library import plans, recovery
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan

pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


def changed(plan: Plan) -> Plan:
    first, second, *rest = plan.scenarios
    first = FIELDS["workload.concurrency"].write(first, 77).with_(name="Renamed")
    extra = second.with_(id="extra", name="Another")
    return plan.with_(scenarios=(first, *rest, extra), baseline=first.id)


def left_behind(home: Path, plan: Plan, document: Path | None) -> None:
    side = recovery.Recovery(home / "state")
    digest = plans.load(document).digest if document is not None and document.exists() else None
    side.write(plan, document, digest)
    side.close()


def offered(bench: Bench) -> None:
    bench.offer_recovery()
    wait_until(lambda: "recovered" in bench.messages())


def sheet(bench: Bench) -> DifferenceDialog:
    bench.press("difference")
    wait_until(lambda: bench.window.findChild(DifferenceDialog) is not None)
    dialog = bench.window.findChild(DifferenceDialog)
    wait_until(dialog.isVisible)
    return dialog


def texts(dialog: DifferenceDialog) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in dialog.table.cells.rows]


def choose(dialog: DifferenceDialog, code: str) -> None:
    caption = action_text(code)
    click(next(b for b in dialog.findChildren(QPushButton) if b.text() == caption))
    QApplication.processEvents()


@pytest.fixture
def home(tmp_path):
    document = tmp_path / "plan.kvw"
    plans.save_plan(document, example_plan())
    left_behind(tmp_path, changed(example_plan()), document)
    return tmp_path


def test_the_difference_lists_what_changed_and_decides_nothing(qapp, home):
    with opened_bench(qapp, home) as bench:
        offered(bench)
        dialog = sheet(bench)
        rows = texts(dialog)
        old = example_plan().scenarios
        assert (old[1].name, "removed", "", "") in rows
        assert ("Another", "added", "", "") in rows
        assert ("Renamed", "renamed", old[0].name, "Renamed") in rows
        assert ("Renamed", "concurrency", "16", "77") in rows
        key(dialog, Qt.Key.Key_Escape)
        QTest.qWait(10)
        assert bench.messages() == ["recovered"]
        assert not bench.session.dirty
        assert len(recovery.pending(home / "state")) == 1


def test_restoring_from_the_sheet_shows_the_work(qapp, home):
    with opened_bench(qapp, home) as bench:
        offered(bench)
        choose(sheet(bench), "restore")
        assert bench.messages() == ["restored"]
        assert bench.session.plan == changed(example_plan())
        assert bench.session.dirty


def test_discarding_from_the_sheet_puts_the_work_aside(qapp, home):
    with opened_bench(qapp, home) as bench:
        offered(bench)
        choose(sheet(bench), "discard")
        assert bench.messages() == []
        assert recovery.pending(home / "state") == ()
        (kept,) = recovery.discarded(home / "state")
        assert kept.plan == changed(example_plan())


@pytest.mark.parametrize("document", [None, "gone.kvw"])
def test_without_a_document_all_is_new(qapp, tmp_path, document):
    path = None if document is None else tmp_path / document
    left_behind(tmp_path, example_plan(), path)
    with opened_bench(qapp, tmp_path) as bench:
        offered(bench)
        dialog = sheet(bench)
        added = [row[0] for row in texts(dialog) if row[1] == "added"]
        assert added == [scenario.name for scenario in example_plan().scenarios]
        dialog.reject()


def test_the_sheet_follows_the_language_and_is_not_cut(qapp, home):
    with opened_bench(qapp, home) as bench:
        offered(bench)
        bench.window.resize(1024, 700)
        dialog = sheet(bench)
        assert dialog.sizeHint().width() <= 1004
        assert dialog.sizeHint().height() <= 660
        headings = dialog.table.cells.headings
        bench.trigger("view.language.zh_CN")
        try:
            assert all(dialog.table.cells.headings)
            assert dialog.table.accessibleName()
            assert len(dialog.table.cells.headings) == len(headings)
        finally:
            bench.trigger("view.language.en")
        dialog.reject()

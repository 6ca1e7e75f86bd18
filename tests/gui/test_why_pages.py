"""Every number beyond the plan's page defends itself as well: slide, editors, map as a table."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui import preset_kit
from tests.gui.explore_kit import Map
from tests.gui.test_why import names_of, settled_faults, vllm_plan
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.gui.app import example_plan
from workbench.gui.explore import map_model
from workbench.gui.panels.explanation import explanation
from workbench.gui.why import Why, why_of
from workbench.library.presets import KINDS
from workbench.spec.units import show_bytes

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as made:
        yield made


@pytest.mark.parametrize("make", [example_plan, vllm_plan], ids=["example", "vllm"])
def test_on_the_slide(qapp, tmp_path, make):
    with opened_bench(qapp, tmp_path, make()) as bench:
        key(bench.window, Qt.Key.Key_F5)
        QTest.qWait(20)
        count = len(bench.session.plan.scenarios)
        for at, scenario in enumerate(bench.session.plan.scenarios):
            bench.session.set_current(scenario.id)
            QTest.qWait(20)
            # Which slide it is, and which percentile is meant, are names.
            names = (*names_of(bench), f"{at + 1} / {count}", "P95")
            assert settled_faults(bench, names) == [], scenario.name
        key(bench.window, Qt.Key.Key_F5)


@pytest.mark.parametrize("kind", KINDS)
def test_while_a_preset_is_edited(bench, kind):
    page = preset_kit.open_library(bench)
    preset_kit.show_kind(page, kind)
    QTest.qWait(20)
    name = preset_kit.names(page)[0]
    preset_kit.choose(page, name)
    fork = page.details.fork_button
    assert fork.isVisible()
    preset_kit.press(fork)
    draft = page.editor.draft
    assert draft is not None
    assert page.editor.form is not None
    # Names of fields and of rows hold digits too: "left in 16 bits", "of row 1".
    labels = [row.label.text() for group in page.editor.form.groups for row in group.rows]
    own = (name, draft.preset.value.name, draft.preset.value.id, "row 1")
    names = (*names_of(bench), *own, *labels)
    found = settled_faults(bench, names)
    assert found == [], "\n".join(found)


def test_a_cell_of_an_editor_is_copied_and_asked(bench):
    page = preset_kit.open_library(bench)
    preset_kit.find(page, "models", "llama-3.1-70b")
    preset_kit.choose(page, "Llama-3.1-70B")
    preset_kit.press(page.details.fork_button)
    assert page.editor.form is not None
    view = page.editor.form.layers.view
    index = next(
        cell for cell in map(partial(view.model().index, 0), range(8)) if str(cell.data()) == "8"
    )
    view.setFocus()
    view.setCurrentIndex(index)
    key(view, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == str(index.data())
    key(view, Qt.Key.Key_Return, ALT)
    asked = bench.session.explained
    assert asked is not None
    assert asked == why_of(view)
    assert str(index.data()) in explanation(bench.session, asked).headline


def test_in_the_map_as_a_table(bench):
    shown = Map(bench)
    shown.settle()
    click(shown.body.as_table)
    table = shown.body.table
    assert table is not None
    for measure in ("used", "free", "held"):
        shown.body.model.choose_measure(measure)
        assert settled_faults(bench, names_of(bench)) == [], measure
        # What is said of a cell is the figure of that cell, whatever the scenario has.
        row, column = 0, table.cells.columnCount() - 1
        cell = table.cells.rows[row][column]
        said = explanation(bench.session, cell.why)
        assert "512" in said.where
        assert "128k" in said.where
        surface = shown.body.model.surface
        place = (column - 1, surface.status.shape[1] - 1)
        number = {
            "used": int(surface.used_bytes[place]),
            "free": -int(surface.free_bytes[place]),
            "held": int(surface.held_requests[place]),
        }[measure]
        assert f"{number:,}" in f"{said.headline} {said.where}"


def test_a_cell_that_the_scenario_cannot_have_has_no_figures(bench):
    at = (("workload.context", 0), ("workload.concurrency", 1))
    said = explanation(bench.session, Why(None, "figure:used", at=at))
    assert said.rows == ()


def test_a_verdict_is_asked_about_the_very_number_that_it_tells(bench):
    for scenario in bench.session.plan.scenarios:
        bench.session.set_current(scenario.id)
        free = show_bytes(bench.session.ledger(scenario.id).worst_rank.free_bytes)
        answer = bench.window.verdict.answer
        assert free in answer.full_text
        assert free in explanation(bench.session, why_of(answer)).headline


def test_rows_and_findings_are_not_seen_at_the_heights_of_before(bench):
    bench.window.reasons.why.tree.grown.emit()
    assert bench.window.paint_turn.is_held
    wait_until(lambda: not bench.window.paint_turn.is_held)


def test_the_map_of_another_scenario_is_not_seen_first(bench, monkeypatch):
    for share in ("_FIRST_SECONDS", "_SLICE_SECONDS"):
        monkeypatch.setattr(map_model, share, 0.0)
    heat = bench.window.tabs.currentWidget()
    wait_until(lambda: heat.body is not None and not heat.body.model.busy)
    bench.trigger("compare.open")
    other = bench.session.plan.scenarios[1]
    bench.session.set_current(other.id)
    bench.session.set_field("workload.context", 4_096)
    bench.trigger("view.plan")
    wait_until(lambda: not bench.window.paint_turn.is_held)
    model = heat.body.model
    assert not model.busy
    assert model.surface.scenario.model == other.model

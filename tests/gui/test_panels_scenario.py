"""The scenario panel: presets, sections, what is live, what a person sees."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tests.gui import parts
from workbench.gui.panels.engine_section import PlainSection
from workbench.gui.panels.scenario_panel import ScenarioPanel
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan
from workbench.spec.workload import ConstantLength, QuantileTable, TraceSummary

ENTER = Qt.Key.Key_Return
quiet_popup = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)


@pytest.fixture
def made(qtbot):
    session = parts.session()
    panel = ScenarioPanel(session)
    window = parts.show(qtbot, session, panel, height=700)
    yield session, panel
    window.close()


def row(panel, field_id):
    return next(s.choices[field_id] for s in panel.sections if field_id in s.choices)


def edit(panel, field_id):
    return next(s.fields[field_id] for s in panel.sections if field_id in s.fields)


def choose(qtbot, box, search):
    """Open a list of presets, type to filter, take the first."""
    box.setFocus()
    qtbot.keyClicks(box, search[0])
    popup = box.popup
    assert popup.isVisible()
    qtbot.keyClicks(popup.filter, search[1:])
    qtbot.keyClick(popup.filter, ENTER)
    assert not popup.isVisible()


def pick(qtbot, box, code):
    """Choose from a fixed list with the keyboard."""
    box.setFocus()
    index = box.findData(code)
    while box.currentIndex() != index:
        down = box.currentIndex() < index
        qtbot.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


@quiet_popup
def test_a_model_is_chosen_by_typing_part_of_its_name(qtbot, made):
    session, panel = made
    choose(qtbot, row(panel, "model.preset").box, "qwen3-32b")
    assert session.current.model.id == "qwen3-32b"
    assert session.current.model_ref.id == "qwen3-32b"
    assert session.undo_stack.count() == 1
    assert row(panel, "model.preset").box.name == session.current.model.name
    assert edit(panel, "model.layers").line.text() == str(session.current.model.layer_count)


@quiet_popup
def test_the_list_shows_all_presets_with_badges_and_closes_on_esc(qtbot, made):
    session, panel = made
    box = row(panel, "gpu.preset").box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    popup = box.popup
    rows = [popup.model.item(i) for i in range(popup.model.rowCount())]
    assert {item.text() for item in rows} >= {session.current.gpu.name}
    assert all("built-in" in item.data(Qt.ItemDataRole.AccessibleTextRole) for item in rows)
    qtbot.keyClicks(popup.filter, "no such card")
    assert all(popup.view.isRowHidden(i) for i in range(len(rows)))
    qtbot.keyClick(popup.filter, ENTER)
    assert popup.isVisible()
    qtbot.keyClick(popup.filter, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert session.undo_stack.count() == 0


@quiet_popup
def test_a_preset_is_chosen_by_a_click(qtbot, made):
    session, panel = made
    box = row(panel, "precision.kv").box
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    popup = box.popup
    item = next(
        popup.model.index(i, 0)
        for i in range(popup.model.rowCount())
        if popup.model.item(i).text().startswith("FP8 E4M3")
    )
    place = popup.view.visualRect(item).center()
    qtbot.mouseClick(popup.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.current.precision.kv.id == "fp8"
    assert session.ledger("a").pool.kv_bytes_per_token == 65_536


@quiet_popup
def test_a_set_of_cards_sets_gpu_and_deployment_in_one_step(qtbot, made):
    session, panel = made
    choose(qtbot, row(panel, "gpu.preset").box, "4x-80")
    scenario = session.current
    assert (scenario.deployment.tp, scenario.deployment.gpus) == (4, 4)
    assert scenario.gpu_set_ref.id == "4x-80-gib"
    assert session.undo_stack.count() == 1
    assert edit(panel, "deployment.tp").line.text() == "4"
    session.undo()
    assert session.current.deployment.gpus == 1
    assert edit(panel, "deployment.tp").line.text() == "1"


def test_the_total_is_said_in_both_units_and_as_the_driver_prints_it(qtbot, made):
    session, panel = made
    assert row(panel, "gpu.preset").remark == "85.90 GB = 80 GiB"
    session.set_current("b")
    text = row(panel, "gpu.preset").remark
    assert text == "85.06 GB = 79.21 GiB; driver reports 81,559 MiB"


def test_the_number_of_cards_follows(qtbot, made):
    session, panel = made
    session.set_current("b")
    deployment = panel.sections[2]
    assert deployment.total.value.full_text == "4"
    session.set_field("deployment.replicas", 3)
    assert deployment.total.value.full_text == "12, 3 copies of the model"


def test_lengths_switch_between_constant_and_table(qtbot, made):
    session, panel = made
    assert edit(panel, "workload.context").isVisible()
    assert not row(panel, "workload.sizing").isVisible()
    pick(qtbot, row(panel, "workload.lengths").box, "quantiles")
    assert isinstance(session.current.workload.lengths, QuantileTable)
    assert not edit(panel, "workload.context").isVisible()
    assert edit(panel, "workload.p95").line.text() == "8k"
    assert row(panel, "workload.sizing").isVisible()
    pick(qtbot, row(panel, "workload.lengths").box, "constant")
    assert session.current.workload.lengths == ConstantLength(tokens=8_192)
    assert session.undo_stack.count() == 2


def test_quantiles_that_do_not_rise_give_a_sentence(qtbot, made):
    session, panel = made
    pick(qtbot, row(panel, "workload.lengths").box, "quantiles")
    p50 = edit(panel, "workload.p50")
    p50.line.setFocus()
    p50.line.selectAll()
    qtbot.keyClicks(p50.line, "16k")
    qtbot.keyClick(p50.line, ENTER)
    assert p50.error.text() == "The lengths must rise: 8k at 95 % follows 16k at 50 %."
    assert p50.line.text() == "16k"
    assert FIELDS["workload.p50"].read(session.current) == 8_192
    longest = edit(panel, "workload.longest")
    longest.line.setFocus()
    longest.line.selectAll()
    qtbot.keyClicks(longest.line, "32k")
    qtbot.keyClick(longest.line, ENTER)
    assert FIELDS["workload.longest"].read(session.current) == 32_768
    # The text that could not be taken is still there to be mended.
    assert p50.line.text() == "16k"


@quiet_popup
def test_a_measured_workload_shows_its_figures(qtbot, made):
    session, panel = made
    choose(qtbot, row(panel, "workload.preset").box, "mooncake")
    assert isinstance(session.current.workload.lengths, TraceSummary)
    remark = row(panel, "workload.lengths").remark
    assert "12,031 requests" in remark
    assert "P99 85,851" in remark
    pick(qtbot, row(panel, "workload.sizing").box, "p99")
    assert session.current.workload.sizing == "p99"
    assert session.undo_stack.count() == 2


def test_a_prefix_group_comes_and_goes_with_its_tokens(qtbot, made):
    session, panel = made
    tokens = edit(panel, "workload.prefix_tokens")
    assert not edit(panel, "workload.prefix_distinct").isVisible()
    tokens.line.setFocus()
    qtbot.keyClicks(tokens.line, "4k")
    qtbot.keyClick(tokens.line, ENTER)
    assert session.current.workload.prefix_groups[0].shared_tokens == 4_096
    assert edit(panel, "workload.prefix_distinct").isVisible()
    assert edit(panel, "workload.prefix_share").line.text() == "100 %"
    assert any(e.label == "prefix" for e in session.ledger("a").worst_rank.entries)
    tokens.line.selectAll()
    qtbot.keyClick(tokens.line, Qt.Key.Key_Delete)
    qtbot.keyClick(tokens.line, ENTER)
    assert session.current.workload.prefix_groups == ()
    assert not edit(panel, "workload.prefix_distinct").isVisible()


def test_defaults_of_the_engine_are_folded_away(qtbot, made):
    session, panel = made
    (engine,) = (s for s in panel.sections if isinstance(s, PlainSection))
    limit = edit(panel, "engine.max_model_len")
    assert not limit.isVisible()
    assert engine.fold.text().startswith("4 engine defaults")
    qtbot.mouseClick(engine.fold, Qt.MouseButton.LeftButton)
    assert limit.isVisible()
    qtbot.mouseClick(engine.fold, Qt.MouseButton.LeftButton)
    session.set_field("engine.max_model_len", 16_384)
    assert limit.isVisible()
    assert engine.fold.text().startswith("3 engine defaults")


def test_going_to_a_folded_field_unfolds_it(qtbot, made):
    session, panel = made
    session.focus_field.emit("engine.max_num_seqs")
    assert edit(panel, "engine.max_num_seqs").line.hasFocus()


@pytest.mark.parametrize(
    "field_id", ["model.preset", "precision.kv", "precision.weights", "workload.concurrency"]
)
def test_any_field_can_be_gone_to(qtbot, made, field_id):
    session, panel = made
    session.focus_field.emit(field_id)
    focus = QApplication.focusWidget()
    rows = {**panel_rows(panel)}
    assert rows[field_id].isAncestorOf(focus)
    # In sight, not only focused.
    assert (
        panel.area.viewport()
        .rect()
        .intersects(
            focus.rect().translated(focus.mapTo(panel.area.viewport(), focus.rect().topLeft()))
        )
    )


def panel_rows(panel):
    found = {}
    for section in panel.sections:
        found.update(section.fields)
        found.update(section.choices)
    return found


def test_tab_goes_down_the_form_and_all_the_way(qtbot, made):
    session, panel = made
    session.set_current("b")
    session.focus_field.emit("model.preset")
    places, seen = [], []
    for _ in range(80):
        focus = QApplication.focusWidget()
        if focus in seen:
            break
        seen.append(focus)
        if panel.form.isAncestorOf(focus):
            places.append(focus.mapTo(panel.form, focus.rect().topLeft()).y())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert places == sorted(places)
    assert panel.notes in seen
    lines = [e.line for s in panel.sections for e in s.fields.values() if e.isVisible()]
    assert set(lines) <= set(seen)


def test_notes_are_one_step_and_plain(qtbot, made):
    session, panel = made
    panel.area.ensureWidgetVisible(panel.notes)
    panel.notes.setFocus()
    qtbot.keyClicks(panel.notes, "asked by <b>ops</b>")
    qtbot.keyClick(panel.notes, Qt.Key.Key_Tab)
    assert session.current.notes == "asked by <b>ops</b>"
    assert session.undo_stack.count() == 1
    session.undo()
    assert panel.notes.toPlainText() == ""


def test_a_note_survives_other_edits_while_it_is_typed(qtbot, made):
    session, panel = made
    panel.notes.setFocus()
    qtbot.keyClicks(panel.notes, "half a")
    session.set_field("workload.context", 4_096)
    assert panel.notes.toPlainText() == "half a"
    panel.commit_pending()
    assert session.current.notes == "half a"


def test_columns_are_aligned(qtbot, made):
    _session, panel = made
    lefts = {
        r.line.mapTo(panel.form, r.line.rect().topLeft()).x()
        for s in panel.sections
        for r in s.fields.values()
        if r.isVisible()
    } | {
        r.box.mapTo(panel.form, r.box.rect().topLeft()).x()
        for s in panel.sections
        for r in s.choices.values()
        if r.isVisible()
    }
    assert len(lefts) == 1


def test_it_is_narrow_and_scrolls_at_700_pixels(qtbot, made):
    _session, panel = made
    bar = panel.area.verticalScrollBar()
    assert bar.maximum() > 0
    assert panel.form.width() <= panel.area.viewport().width()


def test_every_control_has_a_name_and_a_description(qtbot, made):
    _session, panel = made
    for widget in panel.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.inherits("QScrollBar"):
            continue
        if widget.objectName().startswith("qt_"):
            continue
        if type(widget).__name__ in ("QuantityEdit", "ChoiceRow"):
            continue
        assert widget.accessibleName() or getattr(widget, "full_text", "x") == "", widget
    for section in panel.sections:
        for field in section.fields.values():
            assert field.line.accessibleName()
            assert "Slider from" in field.line.accessibleDescription()
            assert field.label.buddy() is field.line


HOSTILE = ["<img src=x>", "<b>bold</b>", "a\u202egnp", "👩‍🔬✔", "א" * 50, "W" * 200]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_as_they_are_written(qtbot, name):
    base = parts.ledger_lab()
    scenario = base.with_(
        name=name,
        model=base.model.with_(name=name),
        gpu=base.gpu.with_(name=name),
        notes=name,
    )
    session = parts.session(scenario)
    panel = ScenarioPanel(session)
    window = parts.show(qtbot, session, panel)
    for label in window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText, label.text()
    box = row(panel, "model.preset").box
    assert "\u202e" not in box.itemText(0)
    assert box.toolTip() == "" or not box.toolTip().startswith("<img")


def test_a_plan_can_become_empty_and_full_again(qtbot, made):
    session, panel = made
    session.open_plan(Plan())
    assert panel.empty.isVisible()
    assert not panel.area.isVisible()
    session.add(parts.llama())
    assert not panel.empty.isVisible()
    assert edit(panel, "workload.context").line.text() == "32k"


def test_switching_scenarios_and_back_changes_nothing(qtbot, made):
    session, _panel = made
    plan = session.plan
    for _ in range(10):
        session.set_current("b")
        session.set_current("a")
    assert session.plan is plan
    assert session.undo_stack.count() == 0


@quiet_popup
@pytest.mark.parametrize("field_id", ["model.preset", "gpu.preset"])
def test_typing_filters_all_presets_at_once_and_long_names_have_a_tip(qtbot, made, field_id):
    _session, panel = made
    box = row(panel, field_id).box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    popup = box.popup
    assert popup.model.rowCount() > 70
    taken = []
    for letter in "nvidia q":
        # Time of this process alone: other tests may share the machine.
        start = time.process_time()
        qtbot.keyClick(popup.filter, letter)
        parts.follow()
        taken.append(time.process_time() - start)
    assert sorted(taken)[len(taken) // 2] < 0.05
    longest = max(
        (popup.model.item(i) for i in range(popup.model.rowCount())), key=lambda i: len(i.text())
    )
    assert longest.text() in longest.toolTip()
    qtbot.keyClick(popup.filter, Qt.Key.Key_Escape)


def test_a_section_that_fails_keeps_none_of_the_others_from_following(qtbot, made):
    _, panel = made
    model, gpu = panel.sections[:2]
    shown = []

    def fail(_state) -> None:
        raise ValueError("as if a row could not be shown")

    model.show_state, gpu.show_state = fail, shown.append
    panel._behind = (model, gpu)
    with qtbot.captureExceptions() as faults:
        panel._soon.ask()
        for _ in range(6):
            QApplication.processEvents()
    assert [str(fault[1]) for fault in faults] == ["as if a row could not be shown"]
    assert len(shown) == 1
    del model.show_state, gpu.show_state


def test_a_set_flag_of_a_fold_shows_none_of_those_round_it(qtbot):
    session = parts.session(parts.ledger_lab("a"), parts.ledger_lab("b"))
    session.choose_engine("sglang")
    session.set_field("engine.dp_attention", 1)
    session.set_current("b")
    panel = ScenarioPanel(session)
    window = parts.show(qtbot, session, panel, height=700)
    session.set_current("a")
    for _ in range(4):
        parts.follow()
    section = next(section for section in panel.sections if section.of_engine == "sglang")
    fold = section.folds[0]
    rows = {name: section.fields[name] for name in fold.field_ids if name in section.fields}
    assert fold.make is None
    assert not fold.is_open
    assert [name for name, row in rows.items() if not row.isHidden()] == ["engine.dp_attention"]
    window.close()

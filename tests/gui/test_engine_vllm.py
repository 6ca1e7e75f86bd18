"""The engine in the form: chosen, released, its flags typed and switched, every step undone."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt

from tests.gui import parts
from tests.gui.test_panels_scenario import choose
from workbench.gui import soon
from workbench.gui.panels.flags_section import FlagsSection
from workbench.gui.panels.scenario_panel import ScenarioPanel
from workbench.gui.tr import step_text
from workbench.spec.vllm import VllmEngine
from workbench.spec.words import finding_text

ENTER, ESCAPE, TAB = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab
CONTROL = Qt.KeyboardModifier.ControlModifier
quiet_popup = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)


@pytest.fixture
def made(qtbot):
    session = parts.session(parts.ledger_lab(), parts.vllm())
    panel = ScenarioPanel(session)
    window = parts.show(qtbot, session, panel, width=360, height=900)
    yield session, panel
    window.close()


@pytest.fixture
def vllm(made):
    session, panel = made
    session.set_current("v")
    soon.finish()
    return session, panel


def row(panel, field_id):
    found = [section.row(field_id) for section in panel.sections]
    return next(row for row in found if row is not None)


def section(panel) -> FlagsSection:
    return next(s for s in panel.sections if isinstance(s, FlagsSection))


def shown_ids(panel) -> set[str]:
    soon.finish()
    return {
        field_id
        for s in panel.sections
        for rows in (s.fields, s.choices, s.typed)
        for field_id, r in rows.items()
        if r.isVisible()
    }


def pick(qtbot, box, code):
    """Choose from a fixed list with the keyboard, in as few steps as there are entries between."""
    box.setFocus()
    while box.currentData() != code:
        down = box.currentIndex() < box.findData(code)
        qtbot.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def type_release(qtbot, panel, text, key=ENTER):
    box = row(panel, "engine.release").release_box
    box.setFocus()
    box.line.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, key)
    return box


def undone(session) -> bool:
    """Take every step back; the plan is as it was."""
    while session.undo_stack.canUndo():
        session.undo()
    return not session.dirty


def test_the_flags_of_vllm_are_made_when_they_are_first_needed(qtbot, made):
    session, panel = made
    assert not any(isinstance(s, FlagsSection) for s in panel.sections)
    session.set_current("v")
    soon.finish()
    assert section(panel).isVisible()
    session.set_current("a")
    soon.finish()
    assert not section(panel).isVisible()


def test_an_engine_is_chosen_in_one_step_and_its_fields_come_and_go(qtbot, made):
    session, panel = made
    plain = shown_ids(panel)
    assert "engine.activation_reserve" in plain
    assert "engine.release" not in plain
    flag = row(panel, "engine.block_tokens")
    pick(qtbot, row(panel, "engine.kind").box, "vllm")
    # What the engine no longer has cannot be set in the turns until the new rows are there.
    assert not flag.isVisible()
    assert session.current.engine.kind == "vllm"
    assert session.undo_stack.count() == 1
    assert step_text(session.undo_step) == "engine vLLM 0.33.0"
    shown = shown_ids(panel)
    assert {"engine.release", "engine.gpu_memory_utilization"} <= shown
    assert {"engine.activation_reserve", "engine.fragmentation_reserve"}.isdisjoint(shown)
    session.undo()
    assert shown_ids(panel) == plain
    assert undone(session)


def test_flags_that_mean_the_same_stay_with_the_engine(qtbot, made):
    session, panel = made
    session.set_field("engine.max_model_len", 16_384)
    pick(qtbot, row(panel, "engine.kind").box, "vllm")
    soon.finish()
    assert session.current.engine.max_model_len == 16_384
    assert row(panel, "engine.max_model_len").line.text() == "16k"


@quiet_popup
def test_a_release_is_typed_and_says_whose_rules_it_follows(qtbot, vllm):
    session, panel = vllm
    release = row(panel, "engine.release")
    assert release.remark == "0.19.1: rules read from its source"
    type_release(qtbot, panel, "0.15.1")
    assert session.current.engine.release == "0.15.1"
    assert release.remark == "0.15.1, by the rules of 0.11.2"
    assert session.undo_stack.count() == 1
    assert step_text(session.undo_step) == "engine vLLM 0.15.1"
    session.undo()
    assert release.release_box.line.text() == "0.19.1"


@quiet_popup
def test_a_release_keeps_every_flag(qtbot, vllm):
    session, panel = vllm
    session.set_field("engine.gpu_memory_utilization", 0.8)
    session.set_field("engine.measured_weights_bytes", 2**34)
    type_release(qtbot, panel, "0.33.0")
    engine = session.current.engine
    assert (engine.release, engine.gpu_memory_utilization) == ("0.33.0", 0.8)
    assert engine.measured.weights_bytes == 2**34
    assert undone(session)


@quiet_popup
@pytest.mark.parametrize("text", ["latest", "0", "0.19.1 or so", "1.x"])
def test_a_text_that_names_no_release_stays_with_one_sentence(qtbot, vllm, text):
    session, panel = vllm
    box = type_release(qtbot, panel, text)
    release = row(panel, "engine.release")
    assert session.current.engine.release == "0.19.1"
    assert session.undo_stack.count() == 0
    assert box.line.text() == text
    assert release.error.isVisible()
    assert "0.15.1" in release.error.full_text
    assert release.error.full_text in box.line.accessibleDescription()
    # An edit elsewhere does not take it away.
    session.set_field("workload.context", 4_096)
    assert box.line.text() == text
    assert release.error.isVisible()
    session.undo()
    qtbot.keyClick(box, ESCAPE)
    assert box.line.text() == "0.19.1"
    assert not release.error.isVisible()


@quiet_popup
def test_leaving_the_release_takes_what_was_typed(qtbot, vllm):
    session, panel = vllm
    type_release(qtbot, panel, "0.18", key=TAB)
    assert session.current.engine.release == "0.18"


@quiet_popup
def test_known_releases_are_listed_newest_first_and_filtered_by_typing(qtbot, vllm):
    session, panel = vllm
    box = row(panel, "engine.release").release_box
    listed = [box.itemText(i) for i in range(box.count())]
    numbers = [tuple(map(int, text.split("."))) for text in listed]
    assert numbers == sorted(numbers, reverse=True)
    assert {"0.33.0", "0.19.1", "0.11.2"} <= set(listed)
    box.setFocus()
    box.line.selectAll()
    qtbot.keyClicks(box, "0.1")
    completer = box.completer()
    found = [
        completer.completionModel().index(i, 0).data() for i in range(completer.completionCount())
    ]
    assert found == [text for text in listed if "0.1" in text]
    qtbot.keyClick(box, ESCAPE)
    qtbot.keyClick(box, ESCAPE)
    assert session.undo_stack.count() == 0


def test_a_release_is_chosen_from_the_list_with_arrows(qtbot, vllm):
    session, panel = vllm
    box = row(panel, "engine.release").release_box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert session.current.engine.release == box.itemText(box.findText("0.19.1") + 1)
    session.undo()
    assert box.currentText() == "0.19.1"


@quiet_popup
def test_releases_with_two_cores_leave_the_choice(qtbot, vllm):
    session, panel = vllm
    assert "engine.core" not in shown_ids(panel)
    type_release(qtbot, panel, "0.9.2")
    core = row(panel, "engine.core")
    assert core.isVisible()
    pick(qtbot, core.box, "v0")
    assert session.current.engine.core == "v0"
    assert session.current.engine.rules.core == "v0"
    assert step_text(session.undo_step) == "engine vLLM 0.9.2, V0"
    type_release(qtbot, panel, "0.10.2")
    assert session.current.engine.core == "v0"
    type_release(qtbot, panel, "0.11.2")
    assert session.current.engine.core == "v1"
    assert not core.isVisible()
    assert undone(session)


def test_empty_flags_show_what_the_engine_takes(qtbot, vllm):
    session, panel = vllm
    resolved = session.ledger("v").scenario.resolved
    utilization = row(panel, "engine.gpu_memory_utilization").line
    assert (utilization.text(), utilization.placeholderText()) == ("", "90 %")
    sequences = row(panel, "engine.max_num_seqs").line
    assert sequences.placeholderText() == f"{resolved['max_num_seqs']:,}"


def test_a_flag_is_typed_and_emptied_again(qtbot, vllm):
    session, panel = vllm
    line = row(panel, "engine.gpu_memory_utilization").line
    line.setFocus()
    qtbot.keyClicks(line, "0.85")
    qtbot.keyClick(line, ENTER)
    assert session.current.engine.gpu_memory_utilization == 0.85
    assert line.dot.isVisible()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, ENTER)
    assert session.current.engine.gpu_memory_utilization is None
    assert undone(session)


def test_switches_are_left_to_the_engine_on_or_off(qtbot, vllm):
    session, panel = vllm
    assert "engine.enforce_eager" not in shown_ids(panel)
    qtbot.mouseClick(section(panel).more.row.button, Qt.MouseButton.LeftButton)
    box = row(panel, "engine.enforce_eager").box
    assert [box.itemText(i) for i in range(box.count())] == ["default (off)", "on", "off"]
    prefix = row(panel, "engine.enable_prefix_caching").box
    assert prefix.itemText(0) == "default (on)"
    graphs = {entry.label for entry in session.ledger("v").worst_rank.entries}
    assert "cuda_graphs" in graphs
    pick(qtbot, box, "on")
    assert session.current.engine.enforce_eager is True
    assert step_text(session.undo_step) == "set eager mode to on"
    # The default that would come back is still named.
    assert box.itemText(0) == "default (off)"
    qtbot.mouseClick(section(panel).more.row.button, Qt.MouseButton.LeftButton)
    assert box.isVisible()
    assert not prefix.isVisible()
    pick(qtbot, box, "default")
    assert session.current.engine.enforce_eager is None
    assert step_text(session.undo_step) == "reset eager mode"
    assert undone(session)


@pytest.mark.parametrize(
    ("flag", "code", "value"),
    [
        ("usage", "offline", "offline"),
        ("fit_max_model_len", "on", True),
        ("enable_prefix_caching", "off", False),
        ("enable_chunked_prefill", "on", True),
        ("async_scheduling", "off", False),
        ("second_generation_runner", "on", True),
        ("hybrid_kv_cache_manager", "off", False),
        ("kv_layout", "BLHNC", "BLHNC"),
        ("mamba_state_dtype", "fp32", "fp32"),
    ],
)
def test_every_choice_reaches_the_engine_and_comes_back(qtbot, vllm, flag, code, value):
    session, panel = vllm
    session.focus_field.emit(f"engine.{flag}")
    box = row(panel, f"engine.{flag}").box
    assert box.hasFocus()
    pick(qtbot, box, code)
    assert getattr(session.current.engine, flag) == value
    assert undone(session)
    assert box.currentData() == next(iter(box.itemData(i) for i in range(1)))


@pytest.mark.parametrize(
    ("flag", "typed", "value"),
    [
        ("watermark", "2 %", 0.02),
        ("max_cudagraph_capture_size", "512", 512),
        ("attention_block_tokens", "16, 32", (16, 32)),
    ],
)
def test_flags_that_are_no_quantities_are_typed(qtbot, vllm, flag, typed, value):
    session, panel = vllm
    session.focus_field.emit(f"engine.{flag}")
    line = row(panel, f"engine.{flag}").line
    assert line.hasFocus()
    qtbot.keyClicks(line, typed)
    qtbot.keyClick(line, ENTER)
    assert getattr(session.current.engine, flag) == value
    assert session.undo_stack.count() == 1
    line.selectAll()
    qtbot.keyClicks(line, "soon")
    qtbot.keyClick(line, ENTER)
    assert getattr(session.current.engine, flag) == value
    assert line.text() == "soon"
    assert row(panel, f"engine.{flag}").error.isVisible()
    assert not panel.commit_pending()
    qtbot.keyClick(line, ESCAPE)
    assert not row(panel, f"engine.{flag}").error.isVisible()
    assert undone(session)


@pytest.mark.parametrize("name", ["weights_bytes", "activation_bytes", "available_kv_bytes"])
def test_measured_figures_are_typed_in_a_fold_of_their_own(qtbot, vllm, name):
    session, panel = vllm
    field_id = f"engine.measured_{name}"
    assert field_id not in shown_ids(panel)
    qtbot.mouseClick(section(panel).measured.row.button, Qt.MouseButton.LeftButton)
    line = row(panel, field_id).line
    line.setFocus()
    qtbot.keyClicks(line, "8 GiB")
    qtbot.keyClick(line, ENTER)
    assert getattr(session.current.engine.measured, name) == 2**33
    source = row(panel, "engine.measured_source").line
    source.setFocus()
    qtbot.keyClicks(source, "log of Monday")
    qtbot.keyClick(source, TAB)
    assert session.current.engine.measured.source == "log of Monday"
    assert session.undo_stack.count() == 2
    assert undone(session)


def test_expert_and_context_parallelism_belong_to_vllm(qtbot, made):
    session, panel = made
    session.focus_field.emit("deployment.pp")
    assert {"deployment.ep", "deployment.dcp"}.isdisjoint(shown_ids(panel))
    session.set_current("v")
    assert {"deployment.ep", "deployment.dcp"} <= shown_ids(panel)


def test_undo_in_the_release_takes_the_last_step_back(qtbot, vllm):
    session, panel = vllm
    session.set_field("workload.context", 4_096)
    box = row(panel, "engine.release").release_box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Z, CONTROL)
    assert session.undo_stack.index() == 0


def test_every_control_has_a_name_and_columns_stay_aligned(qtbot, vllm):
    _session, panel = vllm
    for fold in section(panel).folds:
        qtbot.mouseClick(fold.row.button, Qt.MouseButton.LeftButton)
    parts.follow()
    lefts = set()
    for s in panel.sections:
        for control in (
            *(r.line for r in s.fields.values()),
            *(r.box for r in s.choices.values()),
            *(r.line for r in s.typed.values()),
        ):
            assert control.accessibleName()
            assert control.accessibleDescription()
            if control.isVisible():
                lefts.add(control.mapTo(panel.form, control.rect().topLeft()).x())
    assert len(lefts) == 1
    assert panel.form.minimumSizeHint().width() <= panel.area.viewport().width()


def test_a_copy_is_named_after_its_flag(qtbot, vllm):
    session, panel = vllm
    session.duplicate("v")
    session.focus_field.emit("engine.enforce_eager")
    pick(qtbot, row(panel, "engine.enforce_eager").box, "on")
    assert session.current.name.endswith("eager mode on")
    assert isinstance(session.current.engine, VllmEngine)


@quiet_popup
def test_a_model_brings_the_format_it_is_published_in_as_one_step(qtbot, vllm):
    session, panel = vllm
    model = row(panel, "model.preset").box
    choose(qtbot, model, "gpt-oss-20b")
    assert session.current.precision.weights.id == "mxfp4"
    assert row(panel, "precision.weights").box.name == session.current.precision.weights.name
    assert session.undo_stack.count() == 1
    choose(qtbot, model, "llama-3.1-8b")
    assert session.current.precision.weights.id == "bf16"
    assert undone(session)


@quiet_popup
def test_a_format_that_a_person_chose_stays_with_another_model(qtbot, vllm):
    session, panel = vllm
    choose(qtbot, row(panel, "precision.weights").box, "fp8")
    chosen = session.current.precision.weights
    choose(qtbot, row(panel, "model.preset").box, "gpt-oss-20b")
    assert session.current.precision.weights == chosen


def test_the_engine_stands_between_the_deployment_and_the_workload(qtbot, vllm):
    _session, panel = vllm
    parts.follow()
    ids = ("deployment.tp", "engine.release", "engine.max_model_len", "workload.context")
    tops = [row(panel, i).mapTo(panel.form, row(panel, i).rect().topLeft()).y() for i in ids]
    assert tops == sorted(tops)
    ends = [panel.form.layout().indexOf(s) for s in panel.sections]
    assert ends == sorted(ends)


def test_a_finding_names_flags_as_the_form_does(vllm):
    session, _panel = vllm
    finding = next(f for f in session.findings("v") if f.code == "defaults_assumed")
    assert finding.params["flags"] == "async_scheduling"
    assert "async scheduling" in finding_text(finding)
    unknown = dataclasses.replace(finding, params={**finding.params, "flags": "a_b, watermark"})
    assert "a_b, watermark" in finding_text(unknown)

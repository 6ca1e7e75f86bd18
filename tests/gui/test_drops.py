"""Files dropped on the window, and scenarios over the clipboard; every mishap is one sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.gui.window_kit import Bench, key, wait_until
from workbench.gui import drops
from workbench.gui.app import example_plan
from workbench.gui.scenario_clipboard import MIME, mime_of, plan_of
from workbench.gui.tr import message_text
from workbench.library import plans
from workbench.library.paths import presets_dir
from workbench.spec.errors import UserError
from workbench.spec.scenario import MAX_SCENARIOS

CTRL = Qt.KeyboardModifier.ControlModifier


def drop(bench: Bench, *names: Path | str) -> None:
    data = QMimeData()
    data.setUrls(
        [QUrl(name) if "://" in str(name) else QUrl.fromLocalFile(str(name)) for name in names]
    )
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    action = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(5, 5), action, data, buttons, keys)
    bench.window.dragEnterEvent(enter)
    assert enter.isAccepted()
    bench.window.dropEvent(QDropEvent(QPointF(5, 5), action, data, buttons, keys))


def saved(folder: Path, name: str, count: int = 1) -> Path:
    example = example_plan()
    scenarios = example.scenarios[:count]
    plans.save_plan(folder / name, example.with_(scenarios=scenarios, baseline=scenarios[0].id))
    return folder / name


def said(bench: Bench) -> list[str]:
    return [message_text(message) for message in bench.window.messages.messages()]


def test_a_plan_opens_and_is_among_the_recent_ones(bench, tmp_path):
    path = saved(tmp_path, "one.KVW")
    drop(bench, path)
    wait_until(lambda: bench.session.path == path)
    assert bench.files.recent()[0] == path
    assert bench.messages() == []


def test_two_plans_open_the_first_and_offer_to_compare(bench, tmp_path):
    first, second = saved(tmp_path, "first.kvw"), saved(tmp_path, "second.kvw", 2)
    drop(bench, first, second)
    wait_until(lambda: "plans_dropped" in bench.messages())
    assert bench.session.path == first
    assert set(bench.files.recent()[:2]) == {first, second}
    assert "second.kvw" in said(bench)[0]
    bench.press("compare")
    assert bench.window.page == "compare"
    assert bench.names()[1:] == [
        f"second · {scenario.name}" for scenario in example_plan().scenarios[:2]
    ]
    assert set(bench.session.selected_ids) == {s.id for s in bench.session.plan.scenarios}
    bench.trigger("edit.undo")
    assert len(bench.names()) == 1
    assert not bench.session.dirty


def test_keys_that_are_not_known_are_told_of_what_joins_a_plan_too(bench, tmp_path):
    first, second = saved(tmp_path, "first.kvw"), saved(tmp_path, "second.kvw")
    document = json.loads(second.read_bytes())
    document["scenarios"][0]["max_num_seqz"] = document["view"] = 4
    second.write_text(json.dumps(document), encoding="utf-8")
    drop(bench, first, second)
    wait_until(lambda: "plans_dropped" in bench.messages())
    bench.press("compare")
    told = "Keys that are not known here are kept and change no figure (1 in all): "
    told += "scenarios[0].max_num_seqz."
    assert said(bench) == [f"second.kvw: {told}"]
    QGuiApplication.clipboard().setText(second.read_text(encoding="utf-8"))
    bench.trigger("edit.paste_scenarios")
    bench.trigger("edit.paste_scenarios")
    assert set(said(bench)) == {f"second.kvw: {told}", f"The clipboard: {told}"}
    assert len(said(bench)) == 2
    assert [len(scenario.extra) for scenario in bench.session.plan.scenarios] == [0, 1, 1, 1]
    bench.session.open_plan(bench.session.plan)
    bench.files.show_new(example_plan())
    assert bench.messages() == []


def test_a_broken_second_plan_is_named_and_the_others_are_offered(bench, tmp_path):
    first, good = saved(tmp_path, "first.kvw"), saved(tmp_path, "good.kvw")
    bad = tmp_path / "bad.kvw"
    bad.write_text("{", encoding="utf-8")
    drop(bench, first, bad, good)
    wait_until(lambda: "plans_dropped" in bench.messages())
    assert any("bad.kvw" in sentence for sentence in said(bench))
    offered = next(s for s in said(bench) if "good.kvw" in s)
    assert "bad.kvw" not in offered


def test_nothing_is_offered_when_the_first_plan_does_not_open(bench, tmp_path):
    bad, good = tmp_path / "bad.kvw", saved(tmp_path, "good.kvw")
    bad.write_text("{", encoding="utf-8")
    before = bench.session.plan
    drop(bench, bad, good)
    wait_until(lambda: bool(bench.messages()))
    QTest.qWait(50)
    assert "plans_dropped" not in bench.messages()
    assert bench.session.plan is before


def test_unsaved_work_is_asked_about_before_a_dropped_plan_opens(bench, tmp_path, monkeypatch):
    bench.session.set_field("workload.concurrency", 3)
    before = bench.session.plan
    drop(bench, saved(tmp_path, "one.kvw"), saved(tmp_path, "two.kvw"))
    QTest.qWait(100)
    assert bench.answers.asked == ["unsaved"]
    assert bench.session.plan is before
    assert "plans_dropped" not in bench.messages()
    # Much later the plan is opened by itself: nobody thinks of that drop any more.
    monkeypatch.setattr(drops, "_PATIENCE_MS", 0)
    bench.trigger("edit.undo")
    bench.files.open(tmp_path / "one.kvw")
    wait_until(lambda: bench.session.path == tmp_path / "one.kvw")
    assert "plans_dropped" not in bench.messages()


def test_a_preset_is_imported(bench, tmp_path):
    source = next((presets_dir() / "models").rglob("*.json"))
    asked = []

    class Presets:
        def import_path(self, path):
            asked.append(path)

    bench.presets = Presets()
    path = tmp_path / "mine.json"
    path.write_bytes(source.read_bytes())
    drop(bench, path)
    wait_until(lambda: asked == [path])


def test_a_plan_called_json_opens(bench, tmp_path):
    path = saved(tmp_path, "plan.json")
    drop(bench, path)
    wait_until(lambda: bench.session.path == path)


@pytest.mark.parametrize("name", ["notes.txt", "picture.png", "folder", "config.json"])
def test_anything_else_gets_a_sentence_that_says_what_is_accepted(bench, tmp_path, name):
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    else:
        path.write_text('{"architectures": ["Llama"]}', encoding="utf-8")
    before = bench.session.plan
    drop(bench, path)
    wait_until(lambda: bench.messages() == ["not_a_plan_file"])
    assert name in said(bench)[0]
    assert ".kvw" in said(bench)[0]
    assert bench.session.plan is before


def test_an_address_of_the_network_gets_a_sentence_too(bench):
    drop(bench, "https://example.org/plan.kvw")
    assert bench.messages() == ["not_a_local_file"]


# Scenarios over the clipboard


def focus_strip(bench: Bench):
    chip = bench.window.strip.chips()[0]
    chip.setFocus()
    return chip


def test_copied_scenarios_are_pasted_by_keys_on_the_strip(bench):
    chip = focus_strip(bench)
    bench.session.pick([scenario.id for scenario in bench.session.plan.scenarios])
    before = bench.session.plan
    key(chip, Qt.Key.Key_C, CTRL)
    assert bench.messages() == ["scenarios_copied"]
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasFormat(MIME)
    assert json.loads(data.text())["format"] == "kvw"
    key(bench.window.strip.chips()[0], Qt.Key.Key_V, CTRL)
    assert len(bench.names()) == 2 * len(before.scenarios)
    assert len(set(bench.names())) == len(bench.names())
    assert bench.session.undo_stack.count() == 1
    bench.trigger("edit.undo")
    assert bench.session.plan == before


def test_a_plan_as_text_from_an_editor_is_pasted(bench):
    text = plans.dumps(example_plan()).decode()
    QGuiApplication.clipboard().setText(f"\n  {text}\n")
    count = len(bench.names())
    bench.trigger("edit.paste_scenarios")
    assert len(bench.names()) == count + len(example_plan().scenarios)


def test_ctrl_c_in_a_field_and_on_the_bars_keeps_its_meaning(bench):
    bars = bench.window.bars_card.bars
    bars.setFocus()
    key(bars, Qt.Key.Key_C, CTRL)
    assert bench.messages() == ["chart_copied"]
    line = bench.window.panel.findChildren(QLineEdit)[0]
    line.setFocus()
    line.setText("words")
    line.selectAll()
    key(line, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "words"


HOSTILE = {
    "words": "hello",
    "empty list": "[]",
    "deep": "[" * 100_000,
    "a preset": '{"format": "kvw-preset"}',
    "no version": '{"format": "kvw"}',
    "wrong scenarios": '{"format": "kvw", "schema_version": 1, "scenarios": [{"id": 1}]}',
    "half a pair": "{\ud800",
    "zero": "\0",
    "markup": "<img src=x onerror=alert(1)>",
    "huge": "9" * 40_000_000,
}


@pytest.mark.parametrize("as_plan", [True, False])
def test_hostile_text_gets_one_sentence_and_changes_nothing(bench, as_plan):
    before = bench.session.plan
    for name, text in HOSTILE.items():
        data = QMimeData()
        if as_plan:
            data.setData(MIME, text.encode("utf-8", "surrogatepass"))
        else:
            data.setText(text)
        QGuiApplication.clipboard().setMimeData(data)
        bench.window.messages.clear_slot("clipboard")
        bench.trigger("edit.paste_scenarios")
        assert bench.session.plan is before, name
        assert len(said(bench)) == 1, name
        assert 10 < len(said(bench)[0]) < 300, name


def test_an_empty_clipboard_says_so(bench):
    QGuiApplication.clipboard().clear()
    bench.trigger("edit.paste_scenarios")
    assert bench.messages() == ["clipboard_empty"]


def test_more_scenarios_than_a_plan_holds_are_refused(bench):
    scenario = bench.session.current
    many = [scenario.with_(id=f"s{number}") for number in range(MAX_SCENARIOS)]
    QGuiApplication.clipboard().setMimeData(mime_of(many))
    before = bench.session.plan
    bench.trigger("edit.paste_scenarios")
    assert bench.session.plan is before
    assert bench.messages() == ["too_many_scenarios"]


@given(st.text(max_size=200) | st.binary(max_size=200))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_on_a_clipboard_raises_anything_but_a_sentence(qapp, content):
    data = QMimeData()
    if isinstance(content, str):
        data.setText(content)
    else:
        data.setData(MIME, content)
    with suppress(UserError):
        plan_of(data)

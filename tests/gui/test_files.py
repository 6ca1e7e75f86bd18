"""Opening, saving, recent plans, and never over what somebody else wrote."""

from __future__ import annotations

import json
import threading

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui import sample
from tests.gui.window_kit import key, opened_bench, wait_until
from workbench.gui.tr import message_text
from workbench.library import plans
from workbench.spec.errors import UserError
from workbench.spec.ledger import EntryKind

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "plan a.kvw"
    file.write_bytes(plans.dumps(sample.plan("X", "Y")))
    return file


def opened(bench, path):
    bench.files.open(path)
    wait_until(lambda: bench.session.path == path)


def edit(bench, value: int = 65_536) -> None:
    bench.session.set_field("workload.context", value, merge=object())


def saved(bench) -> None:
    wait_until(lambda: not bench.session.saving)


def close(bench) -> bool:
    event = QCloseEvent()
    QApplication.sendEvent(bench.window, event)
    return event.isAccepted()


def test_open_edit_save_and_the_marks_of_it(bench, path):
    bench.answers.path = path
    key(bench.window, Qt.Key.Key_O, CONTROL)
    wait_until(lambda: bench.names() == ["X", "Y"])
    window = bench.window
    assert window.windowTitle() == "plan a.kvw[*] – KV Workbench"
    assert not window.isWindowModified()
    edit(bench)
    assert window.isWindowModified()
    window.settle()
    assert "Unsaved" in window.status.state.full_text
    assert "Undo: set context to 64k" in window.status.undo.full_text
    key(window, Qt.Key.Key_S, CONTROL)
    saved(bench)
    assert not window.isWindowModified()
    window.settle()
    assert window.status.state.full_text.startswith("● Saved ")
    assert plans.load(path).plan == bench.session.plan
    key(window, Qt.Key.Key_Z, CONTROL)
    assert window.isWindowModified()


def test_the_first_save_asks_for_a_place(bench, tmp_path):
    bench.answers.path = tmp_path / "new.kvw"
    edit(bench)
    bench.trigger("file.save")
    saved(bench)
    assert bench.session.path == tmp_path / "new.kvw"
    assert plans.load(tmp_path / "new.kvw").plan == bench.session.plan
    bench.answers.path = None
    edit(bench, 1_024)
    bench.trigger("file.save_as")
    assert bench.session.dirty


def test_a_file_that_is_none_is_told_and_nothing_changes(bench, tmp_path):
    before = bench.session.plan
    bad = tmp_path / "bad.kvw"
    bad.write_text("{]")
    bench.files.open(bad)
    wait_until(lambda: bench.messages() == ["json_syntax"])
    bench.files.open(tmp_path / "none.kvw")
    wait_until(lambda: bench.messages() == ["file_missing"])
    assert bench.session.plan is before


def test_keys_that_are_not_known_are_told_on_opening(bench, path):
    other = path.with_name("whole.kvw")
    other.write_bytes(path.read_bytes())
    document = json.loads(path.read_bytes())
    document["scenarios"][0]["engine"] |= {"enforce_eager": True, "max_num_seqz": 4}
    path.write_text(json.dumps(document))
    opened(bench, path)
    assert bench.messages() == ["unknown_keys_kept", "keys_of_another_engine"]
    messages = bench.window.messages.messages()
    assert {message.severity for message in messages} == {"warning"}
    assert "scenarios[0].engine.max_num_seqz" in message_text(messages[0])
    opened(bench, other)
    assert bench.messages() == []


def test_a_newer_file_opens_read_only(bench, path, tmp_path):
    document = json.loads(path.read_bytes())
    document["schema_version"] += 1
    path.write_text(json.dumps(document))
    before = path.read_bytes()
    opened(bench, path)
    assert bench.messages() == ["plan_newer"]
    assert bench.session.read_only
    edit(bench)
    bench.answers.path = tmp_path / "copy.kvw"
    bench.trigger("file.save")
    saved(bench)
    assert bench.answers.asked == ["save"]
    assert bench.session.path == tmp_path / "copy.kvw"
    assert not bench.session.read_only
    assert path.read_bytes() == before


def test_changed_on_disk_offers_three_ways_out(bench, path, tmp_path):
    other = plans.dumps(sample.plan("Other"))
    opened(bench, path)
    edit(bench)
    path.write_bytes(other)
    bench.trigger("file.save")
    wait_until(lambda: bench.messages() == ["changed_on_disk"])
    assert bench.session.dirty
    assert path.read_bytes() == other
    (message,) = bench.window.messages.messages()
    assert [action.code for action in message.actions] == ["save_as", "overwrite", "reload"]
    bench.answers.path = tmp_path / "mine.kvw"
    bench.press("save_as")
    saved(bench)
    assert bench.messages() == []
    assert path.read_bytes() == other

    opened(bench, path)
    edit(bench)
    path.write_bytes(plans.dumps(sample.plan("Again")))
    bench.trigger("file.save")
    wait_until(lambda: bench.messages() == ["changed_on_disk"])
    bench.press("reload")
    wait_until(lambda: bench.names() == ["Again"])
    assert not bench.session.dirty

    edit(bench)
    path.write_bytes(other)
    bench.trigger("file.save")
    wait_until(lambda: "changed_on_disk" in bench.messages())
    bench.press("overwrite")
    saved(bench)
    assert plans.load(path).plan == bench.session.plan


def test_a_failed_save_keeps_the_window_dirty(qapp, tmp_path, path):
    def full(*args, **how):
        raise UserError("disk_full", path="plan a.kvw")

    with opened_bench(qapp, tmp_path / "home", save=full) as bench:
        opened(bench, path)
        edit(bench)
        bench.trigger("file.save")
        wait_until(lambda: bench.messages() == ["disk_full"])
        assert bench.window.isWindowModified()
        (message,) = bench.window.messages.messages()
        assert [action.code for action in message.actions] == ["save_as", "retry"]
        assert not close(bench)
        assert bench.answers.asked == ["unsaved"]


def test_a_save_that_hangs_does_not_stop_the_window(qapp, tmp_path, path):
    let_go = threading.Event()
    started = threading.Event()
    hung = []

    def save(target, plan, **how):
        if target == path:
            hung.append(target)
            started.set()
            let_go.wait(30)
        return plans.save_plan(target, plan, **how)

    with opened_bench(qapp, tmp_path / "home", save=save) as bench:
        opened(bench, path)
        edit(bench)
        QTest.qWait(200)
        beats = []
        timer = QTimer(bench.window)
        timer.setInterval(10)
        timer.timeout.connect(lambda: beats.append(1))
        timer.start()
        bench.trigger("file.save")
        wait_until(started.is_set)
        QTest.qWait(1_000)
        timer.stop()
        assert bench.window.status.state.full_text.endswith("Saving…")
        # A hundred are due; a window that waits for the disk has none, a busy machine some fewer.
        assert len(beats) > 10
        # Elsewhere can be saved meanwhile, and the late answer changes nothing.
        bench.answers.path = tmp_path / "elsewhere.kvw"
        bench.trigger("file.save_as")
        wait_until(lambda: bench.session.path == tmp_path / "elsewhere.kvw")
        edit(bench, 4_096)
        let_go.set()
        saved(bench)
        assert bench.session.path == tmp_path / "elsewhere.kvw"
        assert bench.session.dirty
        assert hung == [path]


def test_edits_during_a_save_stay_unsaved_and_a_second_save_follows(qapp, tmp_path, path):
    gate = threading.Semaphore(0)

    def save(target, plan, **how):
        gate.acquire()
        return plans.save_plan(target, plan, **how)

    with opened_bench(qapp, tmp_path / "home", save=save) as bench:
        opened(bench, path)
        edit(bench, 4_096)
        bench.trigger("file.save")
        edit(bench, 2_048)
        bench.trigger("file.save")
        gate.release()
        wait_until(lambda: plans.load(path).plan.scenarios[0].workload.lengths.tokens == 4_096)
        gate.release()
        wait_until(lambda: plans.load(path).plan.scenarios[0].workload.lengths.tokens == 2_048)
        saved(bench)
        wait_until(lambda: not bench.session.dirty)


def test_closing_asks_and_does_what_is_said(bench, path):
    assert not bench.session.dirty
    opened(bench, path)
    edit(bench)
    assert not close(bench)
    assert bench.window.isVisible()
    bench.answers.answer = "save"
    bench.window.close()
    wait_until(lambda: not bench.window.isVisible())
    assert plans.load(path).plan.scenarios[0].workload.lengths.tokens == 65_536


def test_discarded_changes_are_put_aside(bench, path):
    opened(bench, path)
    before = path.read_bytes()
    edit(bench)
    bench.keeper.write()
    wait_until(bench.recovery.path.exists)
    bench.answers.answer = "discard"
    bench.window.close()
    wait_until(lambda: not bench.window.isVisible())
    assert path.read_bytes() == before
    assert not bench.recovery.path.exists()
    assert len(list((bench.state / "recovery" / "discarded").iterdir())) == 1


def test_new_and_example_ask_first(bench):
    edit(bench)
    bench.trigger("file.new")
    assert len(bench.names()) == 3
    bench.answers.answer = "discard"
    bench.trigger("file.new")
    assert len(bench.names()) == 1
    assert bench.session.path is None
    assert not bench.session.dirty
    bench.trigger("file.example")
    assert bench.names()[0] == "Ledger lab"


def test_recent_plans_are_listed_and_missing_ones_grey(bench, path, tmp_path):
    other = tmp_path / "b & c.kvw"
    other.write_bytes(path.read_bytes())
    opened(bench, path)
    opened(bench, other)
    menu = bench.verbs.recent_menu
    menu.refresh()
    assert [a.text() for a in menu.actions()] == ["b && c.kvw", "plan a.kvw"]
    other.unlink()
    menu.refresh()
    wait_until(lambda: [a.isEnabled() for a in menu.actions()] == [False, True])
    menu.actions()[1].trigger()
    wait_until(lambda: bench.session.path == path)


def test_recent_plans_of_one_name_are_told_apart(bench, path, tmp_path):
    other = tmp_path / "other" / path.name
    other.parent.mkdir()
    other.write_bytes(path.read_bytes())
    for each in (path, other):
        opened(bench, each)
    menu = bench.verbs.recent_menu
    menu.refresh()
    texts = [action.text() for action in menu.actions()]
    assert texts == [str(other), str(path)]


def test_recent_plans_outlive_the_program(qapp, tmp_path, path):
    with opened_bench(qapp, tmp_path / "home") as bench:
        opened(bench, path)
        bench.verbs.choose_theme("dark")
    with opened_bench(qapp, tmp_path / "home") as bench:
        assert bench.files.recent() == (path,)
        assert bench.themes.theme.name == "dark"
        bench.begin(None)
        wait_until(lambda: bench.session.path == path)
        bench.verbs.choose_theme("light")


def drop(bench, *paths) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    enter = QDragEnterEvent(
        QPoint(100, 100),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(bench.window, enter)
    event = QDropEvent(
        QPointF(100, 100),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(bench.window, event)


def test_a_dropped_plan_opens_and_anything_else_is_told(bench, path, tmp_path):
    drop(bench, path)
    wait_until(lambda: bench.session.path == path)
    drop(bench, tmp_path / "photo.jpg")
    assert bench.messages() == ["not_a_plan_file"]


def test_unsaved_work_is_kept_offered_restored_and_offered_until_then(qapp, tmp_path, path):
    home = tmp_path / "home"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"view": 1}))
    with opened_bench(qapp, home) as bench:
        opened(bench, path)
        edit(bench, 2_048)
        bench.keeper.write()
        wait_until(lambda: not bench.quiet_jobs.busy)
        # As if killed: the lock is free and the side file stays.
        bench.recovery.close()
    with opened_bench(qapp, home) as bench:
        bench.offer_recovery()
        wait_until(lambda: "recovered" in bench.messages())
        bench.press("restore")
        assert set(bench.messages()) == {"restored", "unknown_keys_kept"}
        assert bench.session.current.workload.lengths.tokens == 2_048
        assert bench.session.path == path
        assert bench.session.dirty
        # Killed again before it was saved.
        bench.recovery.close()
    with opened_bench(qapp, home) as bench:
        bench.offer_recovery()
        wait_until(lambda: "recovered" in bench.messages())
        bench.press("restore")
        bench.trigger("file.save")
        saved(bench)
        wait_until(lambda: not bench.recovery.path.exists())
        assert plans.load(path).plan.scenarios[0].workload.lengths.tokens == 2_048
    with opened_bench(qapp, home) as bench:
        bench.offer_recovery()
        wait_until(lambda: not bench.jobs.busy)
        assert bench.messages() == []


def test_work_is_kept_after_a_pause_or_some_edits(bench, monkeypatch):
    bench.keeper._timer.setInterval(50)
    edit(bench)
    wait_until(bench.recovery.path.exists)
    bench.keeper._timer.setInterval(60_000)
    first = bench.recovery.path.read_bytes()
    for value in range(1_000, 1_020):
        edit(bench, value)
    wait_until(lambda: bench.recovery.path.read_bytes() != first)


def test_a_full_state_disk_stops_nobody(bench, monkeypatch):
    def full(*args):
        raise UserError("disk_full", path="x")

    monkeypatch.setattr(bench.recovery, "write", full)
    edit(bench)
    bench.keeper.write()
    wait_until(lambda: not bench.quiet_jobs.busy)
    edit(bench, 1_024)
    bench.trigger("edit.undo")
    assert bench.session.dirty


def test_a_plan_that_is_gone_leaves_the_example_and_says_so(qapp, tmp_path, path):
    with opened_bench(qapp, tmp_path / "home") as bench:
        opened(bench, path)
    path.unlink()
    with opened_bench(qapp, tmp_path / "home") as bench:
        bench.begin(None)
        wait_until(lambda: bench.messages() == ["file_missing"])
        assert bench.names()[0] == "Ledger lab"


def test_a_plan_is_there_before_the_window_is_shown(qapp, tmp_path, path):
    with opened_bench(qapp, tmp_path / "home") as bench:
        bench.begin(path)
        assert bench.session.path == path


def test_a_first_start_shows_the_example(qapp, tmp_path):
    with opened_bench(qapp, tmp_path) as bench:
        bench.begin(None)
        assert bench.names()[0] == "Ledger lab"
        assert bench.messages() == ["example"]
        ledger = bench.session.ledger(bench.session.current_id)
        assert ledger.worst_rank.kind_bytes(EntryKind.KV) == 17_179_869_184

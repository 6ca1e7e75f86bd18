"""The palette by keys and clicks: found, ranked, done; ids that stay."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.gui.window_kit import Bench, click, key, opened_bench, wait_until
from workbench.gui.actions import MENUS, VERBS
from workbench.gui.app import example_plan
from workbench.gui.command_list import Command, CommandList, ranked, score
from workbench.gui.command_palette import CommandPalette
from workbench.gui.command_popup import CommandPopup
from workbench.library.settings import MAX_COMMANDS
from workbench.spec.fields import FIELDS

pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
IDS = Path(__file__).parents[1] / "data" / "command_ids.txt"


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as made:
        yield made


def palette(bench: Bench) -> CommandPalette:
    return bench.window.findChild(CommandPalette)


def opened(bench: Bench) -> CommandPopup:
    key(bench.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    popup = palette(bench).popup
    assert popup.isVisible()
    return popup


def typed(popup: CommandPopup, text: str) -> list[Command]:
    popup.line.clear()
    QTest.keyClicks(popup.line, text)
    return popup.shown()


def done(popup: CommandPopup) -> None:
    key(popup.line, Qt.Key.Key_Return)
    assert not popup.isVisible()
    QTest.qWait(5)


def test_no_command_has_lost_its_id(bench):
    found = {command.id for command in CommandList(bench).all()}
    found = {f"verb:{i}" if i in {v.id for v in VERBS} else i for i in found}
    stable = {i for i in found if not i.startswith("scenario:")}
    # Not enabled now, and still a verb.
    stable |= {f"verb:{verb.id}" for verb in VERBS}
    if os.environ.get("KVW_REGENERATE"):
        IDS.write_text("".join(f"{i}\n" for i in sorted(stable)), encoding="utf-8", newline="\n")
    kept = IDS.read_text(encoding="utf-8").split()
    assert len(kept) > 400
    assert sorted(set(kept) - stable) == []


def test_ids_are_unique(bench):
    ids = [command.id for command in CommandList(bench).all()]
    assert len(ids) == len(set(ids))


def test_every_verb_is_in_a_menu_or_the_palette_and_does_something(bench):
    in_menus = {i for ids in MENUS.values() for i in ids}
    in_palette = {command.id for command in CommandList(bench).quick()}
    for verb in VERBS:
        action = bench.window.actions_by_id[verb.id]
        assert verb.id in in_menus | in_palette or not action.isEnabled(), verb.id
        assert action.receivers("2triggered(bool)") > 0, f"{verb.id} does nothing"


def test_no_two_verbs_share_a_key_in_one_place(bench):
    taken: dict[tuple[str, str], str] = {}
    for verb in VERBS:
        action = bench.window.actions_by_id[verb.id]
        limited = action.shortcutContext() == Qt.ShortcutContext.WidgetWithChildrenShortcut
        places = [type(owner).__name__ for owner in action.associatedObjects()] if limited else [""]
        for shortcut in action.shortcuts():
            for place in places:
                if "Menu" in place:
                    continue
                other = taken.setdefault((shortcut.toString(), place), verb.id)
                assert other == verb.id, f"{shortcut.toString()}: {other}, {verb.id}"


def test_it_opens_at_once_with_hundreds_of_entries(bench):
    popup = opened(bench)
    wait_until(lambda: len(popup.shown()) > 400)
    key(popup.line, Qt.Key.Key_Escape)
    times = []
    for _ in range(5):
        # Time of this process alone: other tests may share the machine.
        start = time.process_time()
        popup = opened(bench)
        times.append(time.process_time() - start)
        popup.hide()
    # The aim is 50 ms.
    assert min(times) < 0.1


def test_a_search_is_quick(bench):
    popup = opened(bench)
    typed(popup, "u")
    start = time.process_time()
    popup.line.setText("use mdl lma")
    assert time.process_time() - start < 0.1


def test_a_model_and_a_set_of_cards_in_a_few_keys(bench):
    popup = opened(bench)
    found = typed(popup, "3.1-70b")
    assert found[0].id.startswith("model:builtin:")
    assert "3.1-70" in found[0].text
    done(popup)
    assert bench.session.current.model.id in found[0].id
    assert bench.session.undo_stack.count() == 1


def test_what_is_called_just_so_comes_first(bench):
    kv = ranked(CommandList(bench).all(), "kv fp8")
    assert kv[0].id.endswith(":fp8")
    cards = ranked(CommandList(bench).all(), "gpu h100-sxm")
    assert cards[0].id.endswith(":h100-sxm")


def test_values_are_set_as_one_step(bench):
    for text, field_id, value in (
        ("context 64k", "workload.context", 65_536),
        ("concurrency=24", "workload.concurrency", 24),
        ("tp 4", "deployment.tp", 4),
        ("conc x2", "workload.concurrency", 48),
    ):
        steps = bench.session.undo_stack.count()
        popup = opened(bench)
        assert typed(popup, text)[0].id == f"set:{field_id}"
        done(popup)
        assert FIELDS[field_id].read(bench.session.current) == value
        assert bench.session.undo_stack.count() == steps + 1
    for _ in range(4):
        bench.trigger("edit.undo")
    assert bench.session.plan == example_plan()


def test_a_value_that_cannot_be_set_says_why_and_does_nothing(bench):
    popup = opened(bench)
    for text in ("context lots", "tp -3", "tp 0", "context 8x8"):
        first = typed(popup, text)[0]
        assert first.run is None
        assert len(first.text.partition(": ")[2]) > 10
        key(popup.line, Qt.Key.Key_Return)
        assert popup.isVisible()
    assert not bench.session.dirty


def test_only_what_can_be_done_is_listed_with_its_keys(bench):
    popup = opened(bench)
    by_id = {command.id: command for command in popup.shown()}
    assert "edit.undo" not in by_id
    assert by_id["scenario.duplicate"].keys == "Ctrl+D"
    assert "view.commands" not in by_id


def test_places_are_reached(bench):
    popup = opened(bench)
    last = bench.session.plan.scenarios[-1]
    assert typed(popup, f"go {last.name}")[0].text.endswith(last.name)
    done(popup)
    assert bench.session.current_id == last.id
    popup = opened(bench)
    typed(popup, "show capacity")
    done(popup)
    assert bench.window.tabs.tabText(bench.window.tabs.currentIndex()) == "Capacity"
    popup = opened(bench)
    typed(popup, "focus context")
    done(popup)
    assert bench.window.focusWidget().accessibleName() == "context"


def test_what_was_used_comes_first_and_is_remembered(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        popup = opened(bench)
        typed(popup, "theme: dark")
        done(popup)
        assert bench.themes.theme.name == "dark"
        assert opened(bench).shown()[0].id == "view.theme.dark"
        palette(bench).popup.hide()
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        assert opened(bench).shown()[0].id == "view.theme.dark"
        palette(bench).popup.hide()
        for number in range(3 * MAX_COMMANDS):
            bench.store.set(bench.store.settings.with_command(f"x{number}"))
        assert len(bench.store.settings.commands) == MAX_COMMANDS


def test_english_words_find_in_chinese_too(bench):
    bench.trigger("view.language.zh_CN")
    try:
        popup = opened(bench)
        assert typed(popup, "duplicate")[0].id == "scenario.duplicate"
        assert typed(popup, "dark")[0].id == "view.theme.dark"
        assert typed(popup, "context 64k")[0].id == "set:workload.context"
        popup.hide()
    finally:
        bench.trigger("view.language.en")


def test_languages_and_releases_are_found_by_what_they_are_called(bench):
    popup = opened(bench)
    assert typed(popup, "chinese")[0].id == "view.language.zh_CN"
    found = typed(popup, "vllm 0.19.1")
    assert found[0].id == "engine:vllm-0.19.1"
    done(popup)
    assert bench.session.current.engine.kind == "vllm"
    assert bench.session.undo_stack.count() == 1


def test_arrows_and_pages_walk_and_the_current_one_is_said(bench):
    popup = opened(bench)
    wait_until(lambda: len(popup.shown()) > 400)
    assert popup.view.currentIndex().row() == 0
    key(popup.line, Qt.Key.Key_Down)
    assert popup.view.currentIndex().row() == 1
    key(popup.line, Qt.Key.Key_PageDown)
    assert popup.view.currentIndex().row() > 5
    assert popup.line.accessibleDescription().startswith(popup.current().text)
    key(popup.line, Qt.Key.Key_Up)
    assert QAccessible.queryAccessibleInterface(popup.view).role() == QAccessible.Role.List
    key(popup.line, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_nonsense_finds_nothing_and_enter_stays(bench):
    popup = opened(bench)
    assert typed(popup, "qqzzxx") == []
    key(popup.line, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert popup.line.accessibleDescription()


def test_the_quiet_button_and_a_click_do_the_same(bench):
    button = bench.window.menuBar().cornerWidget()
    assert isinstance(button, QPushButton)
    assert "Ctrl+K" in button.text()
    click(button)
    popup = palette(bench).popup
    assert popup.isVisible()
    typed(popup, "duplicate scenario")
    view = popup.view
    at = view.visualRect(view.model().index(0, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.qWait(5)
    assert len(bench.names()) == len(example_plan().scenarios) + 1


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)])
def test_it_lies_inside_the_window(bench, size):
    bench.window.resize(*size)
    QTest.qWait(20)
    popup = opened(bench)
    frame = bench.window.frameGeometry()
    assert frame.contains(popup.geometry())


def command(command_id: str, text: str) -> Command:
    return Command(command_id, text, lambda: None)


def test_words_come_before_parts_and_parts_before_letters():
    made = [
        command("letters", "Use model: lengthy lame mammoth"),
        command("part", "Use model: Codellama"),
        command("word", "Use model: llama of old times"),
        command("none", "Quit"),
    ]
    assert [c.id for c in ranked(made, "llama")] == ["word", "part"]
    assert [c.id for c in ranked(made, "mdl")] == ["part", "word", "letters"]
    assert [c.id for c in ranked(made, "")] == ["letters", "part", "word", "none"]
    assert ranked(made, "", ["none"])[0].id == "none"


def test_all_words_must_be_found():
    assert score(["use", "quit"], "use model") is None
    assert score(["use", "mod"], "use model") is not None

"""The preset library's page: finding, showing, deleting and bringing back, files of others."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.preset_kit import (
    CONTROL,
    answer,
    choose,
    find,
    names,
    open_library,
    press,
    settled,
    show_kind,
)
from tests.gui.window_kit import click, key, let_paint, wait_until
from workbench.gui.focus import stops
from workbench.gui.presets.tables import Tables
from workbench.library import plans, preset_edits, presets
from workbench.library.paths import user_presets_dir
from workbench.library.presets import KINDS


@pytest.fixture
def page(bench):
    return open_library(bench)


def own(bench, kind="gpus", name="l40s", **values):
    """A copy of a built-in preset that was saved by another program."""
    library = bench.library
    made = preset_edits.own_copy(library, library.find(kind, name))
    made = replace(made, value=made.value.with_(**values))
    path = user_presets_dir() / kind / f"{made.value.id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(presets.dumps(made))
    return made, path


def come_back(bench, page):
    """As when the person returns from another window."""
    QApplication.sendEvent(bench.window, QEvent(QEvent.Type.WindowActivate))
    settled(bench)
    QTest.qWait(20)


# Finding


def test_the_key_opens_the_page_and_esc_leaves_it(bench, page):
    assert bench.window.page == "presets"
    assert page.search.hasFocus()
    key(page.search, Qt.Key.Key_Escape)
    assert bench.window.page == "plan"
    assert bench.answers.asked == []
    bench.trigger("presets.open")
    assert bench.window.page == "presets"
    key(bench.window, Qt.Key.Key_1, CONTROL)
    assert bench.window.page == "plan"


def test_every_kind_lists_what_there_is(bench, page):
    for kind in KINDS:
        show_kind(page, kind)
        assert len(names(page)) == len(bench.library.listed(kind))
        assert page.details.preset is not None
        assert page.details.preset.kind == kind
        assert page.details.tables.fields.table.cells.rows


@pytest.mark.parametrize(
    ("kind", "text", "name"),
    [
        ("models", "llama-3.1-70b-instruct", "Llama-3.1-70B"),
        ("models", "deepseek v3", "DeepSeek-V3"),
        ("gpus", "hgx h100", "NVIDIA H100 SXM 80GB"),
        ("gpus", "amd mi300x", "AMD Instinct MI300X"),
        ("formats/kv", "fp8", "FP8 E4M3"),
    ],
)
def test_words_find_by_name_alias_family_and_vendor(page, kind, text, name):
    find(page, kind, text)
    found = names(page)
    assert any(name in one for one in found)
    assert len(found) < len(page._presets.library.listed(kind))
    find(page, kind, "no such thing at all")
    assert names(page) == []


def test_the_keyboard_alone_searches_walks_and_reaches_the_buttons(page):
    find(page, "models", "llama-3")
    first = page.list.chosen
    key(page.search, Qt.Key.Key_Down)
    assert page.list.chosen != first
    assert page.details.title.full_text == page.list.chosen.listed.name
    key(page.search, Qt.Key.Key_Return)
    assert page.right.isAncestorOf(QApplication.focusWidget())
    page.list.setFocus()
    QTest.keyClicks(page.list, "x")
    assert page.search.hasFocus()
    assert page.search.text() == "llama-3x"
    # Tab goes through the list's side before it goes to the right one.
    walked = []
    page.search.setText("llama-3")
    page.search.setFocus()
    for _ in range(len(stops(page.left)) - 1):
        key(QApplication.focusWidget(), Qt.Key.Key_Tab)
        walked.append(QApplication.focusWidget())
    assert all(page.left.isAncestorOf(widget) for widget in walked)
    key(walked[-1], Qt.Key.Key_Tab)
    assert page.right.isAncestorOf(QApplication.focusWidget())


def test_filters_and_badges_tell_own_changed_and_broken_ones(bench, page):
    same, _ = own(bench)
    other, _ = own(bench, name="h100-sxm", power_w=1.0)
    broken = user_presets_dir() / "gpus" / "broken.json"
    broken.write_text("{")
    content = broken.read_bytes()
    come_back(bench, page)
    show_kind(page, "gpus")

    def filtered(code):
        page.filter.setCurrentIndex(page.filter.findData(code))
        return set(names(page))

    assert filtered("mine") == {same.value.name, other.value.name, "broken"}
    badges = {item.listed.name: item.badge for item in page.list.items.items}
    assert badges == {same.value.name: "mine", other.value.name: "mine", "broken": "broken"}
    assert filtered("changed") == {other.value.name}
    assert filtered("broken") == {"broken"}
    assert "no valid JSON" in page.details.problem.full_text
    assert page.details.preset is None
    shown = [b for b in page.details.findChildren(type(page.details.fork_button)) if b.isVisible()]
    assert shown == []
    assert broken.read_bytes() == content
    assert {item.badge for item in items_of(page, filtered, "builtin")} == {"built-in"}


def items_of(page, filtered, code):
    filtered(code)
    return page.list.items.items


def test_hundreds_of_own_presets_are_listed_quickly(bench, page):
    made, path = own(bench)
    for number in range(300):
        one = preset_edits.with_id(made, f"card-{number}")
        (path.parent / f"card-{number}.json").write_bytes(presets.dumps(one))
    come_back(bench, page)
    show_kind(page, "gpus")
    assert len(names(page)) > 400
    page.search.setText("card-299")
    assert [item.listed.id for item in page.list.items.items] == ["card-299"]


# Looking


def test_figures_fields_and_sources_are_shown_and_defend_themselves(page):
    find(page, "models", "llama-3.1-70b")
    choose(page, "Llama-3.1-70B")
    tables = page.details.tables
    figures = {row[0].text: row[1] for row in tables.figures.table.cells.rows}
    assert figures["parameters"].text.startswith("70,553,706,496")
    kv = next(cell for name, cell in figures.items() if name.startswith("KV bytes"))
    assert kv.text == "320 KiB = 327,680 B"
    assert kv.why.term.value == 327_680
    assert kv.why.term.source.detail == "builtin:llama-3.1-70b@1"
    fields = {row[0].text: row[1].text for row in tables.fields.table.cells.rows}
    assert fields["hidden size"] == "8,192"
    (layer,) = tables.layers.table.cells.rows
    assert [cell.text for cell in layer[:4]] == ["full", "80", "64", "8"]
    assert "Checked: parameter count equals" in tables.sources.text()


def test_any_two_presets_of_a_kind_are_compared(bench, page):
    find(page, "gpus", "h200")
    choose(page, "NVIDIA H200 SXM 141GB")
    tables = page.details.tables
    assert tables.difference.isHidden()
    page.details.compare.other_chosen.emit(bench.library.gpu("h100-sxm"))
    rows = {
        row[0].text: [cell.text for cell in row[1:]] for row in tables.difference.table.cells.rows
    }
    assert rows["memory type"] == ["HBM3", "≠", "HBM3e"]


def test_use_takes_a_preset_in_one_step(bench, page):
    start = plans.dumps(bench.session.plan)
    for kind, name, read in (
        ("models", "qwen3-32b", lambda s: s.model.id),
        ("gpus", "l40s", lambda s: s.gpu.id),
        ("formats/kv", "fp8", lambda s: s.precision.kv.id),
        ("workloads", "sharegpt-8k", lambda s: s.workload_ref.id),
    ):
        page = open_library(bench)
        page.choose(kind, f"builtin:{name}")
        press(page.details.use_button)
        assert bench.window.page == "plan"
        assert read(bench.session.current) == name
    for _ in range(4):
        key(bench.window, Qt.Key.Key_Z, CONTROL)
    assert plans.dumps(bench.session.plan) == start


# The disk


def test_files_of_others_appear_when_the_window_is_looked_at_again(bench, page):
    show_kind(page, "gpus")
    made, path = own(bench)
    assert made.value.name not in names(page)
    come_back(bench, page)
    assert made.value.name in names(page)
    assert bench.library.gpu(made.value.id).value == made.value
    path.unlink()
    come_back(bench, page)
    assert made.value.name not in names(page)


def test_deleted_means_moved_aside_and_undo_brings_it_back(bench, page):
    made, path = own(bench)
    come_back(bench, page)
    find(page, "gpus", made.value.id)
    content = path.read_bytes()
    press(page.details.delete_button)
    wait_until(lambda: "preset_deleted" in bench.messages())
    assert not path.exists()
    wait_until(lambda: made.value.name not in names(page))
    answer(bench, "preset_deleted", "undo_delete")
    wait_until(path.exists)
    settled(bench)
    assert path.read_bytes() == content
    assert page.list.chosen.listed.id == made.value.id


def test_a_built_in_preset_is_neither_edited_nor_deleted(page):
    find(page, "gpus", "l40s")
    details = page.details
    for button in (details.edit_button, details.delete_button, details.revert_button):
        assert not button.isVisible()


# Exchange


def test_an_exported_preset_comes_back_as_an_import(bench, page, tmp_path):
    made, path = own(bench, power_w=5.0)
    come_back(bench, page)
    find(page, "gpus", made.value.id)
    target = bench.answers.path = tmp_path / "card.json"
    press(page.details.export_button)
    wait_until(lambda: "preset_exported" in bench.messages())
    assert target.read_bytes() == path.read_bytes()
    press(page.details.delete_button)
    wait_until(lambda: not path.exists())
    settled(bench)
    press(page.import_button)
    wait_until(lambda: "preset_imported" in bench.messages())
    assert bench.answers.asked == ["preset to save", "preset to open"]
    assert path.read_bytes() == target.read_bytes()
    assert page.list.chosen.listed.id == made.value.id


def test_an_import_never_overwrites_silently(bench, page, tmp_path):
    made, path = own(bench, power_w=5.0)
    come_back(bench, page)
    before = path.read_bytes()
    bench.presets.import_path(path)
    wait_until(lambda: bench.messages()[:1] == ["preset_same"])
    other = replace(made, value=made.value.with_(power_w=6.0))
    given = tmp_path / "given.json"
    given.write_bytes(presets.dumps(other))
    bench.presets.import_path(given)
    wait_until(lambda: bench.messages()[:1] == ["preset_exists"])
    assert path.read_bytes() == before
    answer(bench, "preset_exists", "keep_both")
    wait_until(lambda: "preset_imported" in bench.messages())
    assert path.read_bytes() == before
    both = sorted(i.id for i in bench.library.listed("gpus") if i.namespace == "user")
    assert both == [made.value.id, f"{made.value.id}-2"]
    bench.presets.import_path(given)
    answer(bench, "preset_exists", "replace_mine")
    wait_until(lambda: path.read_bytes() != before)
    settled(bench)
    assert bench.library.gpu(made.value.id).value.power_w == 6.0
    assert bench.library.gpu(made.value.id).value.rev == 2


def test_an_import_under_a_built_in_id_gets_one_of_its_own(bench, page, tmp_path):
    card = bench.library.gpu("l40s")
    given = tmp_path / "l40s.json"
    given.write_bytes(presets.dumps(card))
    bench.presets.import_path(given)
    wait_until(lambda: bench.messages()[:1] == ["preset_same"])
    given.write_bytes(presets.dumps(replace(card, value=card.value.with_(power_w=1.0))))
    bench.presets.import_path(given)
    wait_until(lambda: "preset_imported" in bench.messages())
    (listed,) = (i for i in bench.library.listed("gpus") if i.namespace == "user")
    assert listed.id != "l40s"
    assert bench.library.gpu("l40s") == card


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file_empty"),
        (b"{]", "json_syntax"),
        (b"[" * 100_000, "json_too_deep"),
        (json.dumps({"format": "kvw"}).encode(), "not_a_preset"),
        (
            json.dumps(
                {"format": "kvw-preset", "schema_version": 1, "kind": "gpus", "preset": {}}
            ).encode(),
            "union",
        ),
    ],
)
def test_what_is_no_preset_is_told_and_nothing_is_written(bench, page, tmp_path, content, code):
    given = tmp_path / "given.json"
    given.write_bytes(content)
    bench.presets.import_path(given)
    settled(bench)
    wait_until(lambda: bool(bench.messages()))
    assert code == "union" or bench.messages() == [code]
    assert not user_presets_dir().exists()
    bench.presets.import_path(tmp_path)
    wait_until(lambda: bench.messages()[:1] == ["is_a_folder"])


# Words


def test_the_page_speaks_both_languages_and_names_everything(bench, page):
    own(bench)
    come_back(bench, page)
    for language in ("zh_CN", "en"):
        bench.verbs.choose_language(language)
        QApplication.processEvents()
        for widget in stops(page):
            assert widget.accessibleName(), type(widget)
    assert page.kinds.tabText(0) == "Models"


class _Seen(QObject):
    """Notes the words of a table and of a heading each time they are painted."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.words: list[tuple[str, str]] = []
        self._tables = tables
        tables.fields.table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            row = self._tables.fields.table.cells.rows[0]
            self.words.append((row[0].text, self._tables.sources_title.text()))
        return False


def test_tables_are_not_seen_in_two_languages(bench, page):
    find(page, "models", "llama-3.1-8b")
    tables = page.findChild(Tables)
    let_paint(bench)
    seen = _Seen(tables)
    bench.verbs.choose_language("zh_CN")
    wait_until(lambda: bool(seen.words))
    let_paint(bench)
    bench.verbs.choose_language("en")
    assert set(seen.words) == {("系列", "来源")}


def test_the_form_opens_the_preset_it_uses(bench):
    made, _ = own(bench)
    settled(bench)
    bench.presets.refresh()
    settled(bench)
    section = bench.window.panel.sections[1]
    edit_button = next(
        child
        for child in section.findChildren(type(bench.window.undo_button))
        if child.text() == "✎"
    )
    # The scenario's card comes from no preset: the kind is shown.
    assert bench.session.current.gpu_ref is None
    click(edit_button)
    page = bench.window.page_widget("presets")
    assert page.kind == "gpus"
    bench.session.choose_gpu(bench.library.gpu("l40s"))
    bench.presets.leave()
    click(edit_button)
    assert page.stack.currentWidget() is page.details
    assert page.details.preset.value == bench.session.current.gpu
    bench.session.choose_gpu(bench.library.gpu(made.value.id))
    bench.presets.leave()
    click(edit_button)
    assert page.stack.currentWidget() is page.editor
    assert page.editor.draft.id == made.value.id

"""The editor of presets: typing, tables, its own undo, saving and what stands in its way."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from tests.gui import parts
from tests.gui.preset_kit import (
    CONTROL,
    answer,
    choose,
    open_library,
    press,
    row_of,
    save,
    settled,
    type_into,
)
from tests.gui.window_kit import key, wait_until
from workbench.gui.focus import stops
from workbench.gui.presets.rows_model import FAULT
from workbench.gui.presets.rows_table import RowsTable
from workbench.library import plans, preset_edits, presets
from workbench.library.paths import presets_dir, user_presets_dir
from workbench.library.presets import Library


@pytest.fixture
def page(bench):
    return open_library(bench)


def fork(page, kind, name):
    """Begin a copy of a built-in preset."""
    page.choose(kind, f"builtin:{name}")
    press(page.details.fork_button)
    return page.editor.draft


def file_of(draft):
    return user_presets_dir() / draft.kind / f"{draft.id}.json"


def cell(table: RowsTable, row: int, name: str):
    columns = [table.model.heading(column) for column in range(table.model.columnCount())]
    return table.model.index(row, columns.index(name))


def type_in_cell(table: RowsTable, row: int, name: str, text: str, end=Qt.Key.Key_Return):
    """Walk to a cell and type, as in a spreadsheet."""
    table.view.setFocus()
    table.view.setCurrentIndex(cell(table, row, name))
    QTest.keyClick(table.view, text[0])
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    QTest.keyClicks(line, text[1:])
    if end is not None:
        key(line, end)
    parts.follow()


# Typing


def test_a_text_that_cannot_be_read_stays_with_a_sentence(page):
    draft = fork(page, "gpus", "h100-sxm")
    before = draft.preset
    row = row_of(page, "device_total_bytes")
    type_into(row, "eighty")
    assert row.control.text() == "eighty"
    assert "eighty cannot be read: type bytes such as 80 GiB" in row.error.full_text
    assert row.error.isVisible()
    assert "cannot be read" in row.control.accessibleDescription()
    assert draft.preset == before
    # Leaving the field and changing another one does not lose it.
    type_into(row_of(page, "power_w"), "650")
    assert row.control.text() == "eighty"
    type_into(row, "80 GiB")
    assert not row.error.isVisible()
    assert draft.preset.value.device_total_bytes == 85_899_345_920


def test_what_is_typed_is_judged_before_it_is_taken(page):
    draft = fork(page, "gpus", "h100-sxm")
    before = draft.preset
    row = row_of(page, "power_w")
    row.control.setFocus()
    row.control.selectAll()
    QTest.keyClicks(row.control, "6x")
    assert row.error.isVisible()
    key(row.control, Qt.Key.Key_Backspace)
    assert not row.error.isVisible()
    assert draft.preset == before
    key(row.control, Qt.Key.Key_Escape)
    assert row.control.text() == "700"


def test_ctrl_z_takes_back_typing_first_then_changes_then_nothing_of_the_plan(bench, page):
    bench.session.set_field("workload.context", 4_096)
    plan = plans.dumps(bench.session.plan)
    draft = fork(page, "models", "llama-3.1-8b")
    start = draft.preset
    row = row_of(page, "attention.kv_heads")
    type_into(row, "4")
    type_into(row, "2")
    QTest.keyClicks(row.control, "9")
    assert row.control.text() == "29"
    key(row.control, Qt.Key.Key_Z, CONTROL)
    assert row.control.text() == "2"
    for kv_heads in (4, 8, 8):
        key(row.control, Qt.Key.Key_Z, CONTROL)
        assert draft.preset.value.uniform_attention.kv_heads == kv_heads
    assert draft.preset == start
    key(row.control, Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    key(row.control, Qt.Key.Key_Y, CONTROL)
    assert draft.preset.value.uniform_attention.kv_heads == 2
    press(page.editor.undo_button)
    press(page.editor.redo_button)
    assert draft.preset.value.uniform_attention.kv_heads == 2
    assert plans.dumps(bench.session.plan) == plan


def test_the_form_says_when_the_parameters_are_no_longer_the_published_ones(page):
    draft = fork(page, "models", "llama-3.1-70b")
    form = page.editor.form
    assert not form.problems.isVisible()
    type_into(row_of(page, "attention.kv_heads"), "4")
    assert "69,882,617,856 parameters, published are 70,553,706,496" in form.problems.full_text
    assert form.problems.isVisible()
    press(form.forget)
    assert not form.problems.isVisible()
    assert draft.preset.published is None
    page.editor.undo()
    assert form.problems.isVisible()


@pytest.mark.parametrize(
    ("kind", "name", "path", "text"),
    [
        ("gpus", "4x-80-gib", "card.device_total_bytes", "81559 MiB"),
        ("gpus", "4x-80-gib", "tp", "2"),
        ("formats/kv", "fp8", "k_bits", "7"),
        ("formats/weights", "awq-g128", "group_elements", "64"),
        ("workloads", "sharegpt-8k", "workload.arrivals_per_s", "2.5"),
    ],
)
def test_every_kind_of_preset_has_its_form(bench, page, kind, name, path, text):
    draft = fork(page, kind, name)
    start = draft.preset
    row = row_of(page, path)
    before = row.field.read(draft.preset.value)
    type_into(row, text)
    assert row.field.read(draft.preset.value) == row.field.parse(text) != before
    page.editor.undo()
    assert draft.preset == start
    page.editor.redo()
    save(bench, page)
    assert presets.read(file_of(draft)).value == draft.preset.value


def test_choices_and_texts_of_many_lines_are_steps_too(page):
    draft = fork(page, "formats/kv", "fp8")
    box = row_of(page, "stores").control
    assert isinstance(box, QComboBox)
    box.setFocus()
    box.activated.emit(box.findData("latent"))
    box.setCurrentIndex(box.findData("latent"))
    assert draft.preset.value.stores == "latent"
    area = row_of(page, "sources").control
    area.setFocus()
    area.selectAll()
    QTest.keyClicks(area, "measured by us")
    key(area, Qt.Key.Key_Return)
    QTest.keyClicks(area, "second source")
    key(area, Qt.Key.Key_Tab)
    assert draft.preset.value.sources == ("measured by us", "second source")
    page.editor.undo()
    page.editor.undo()
    assert draft.preset.value.stores is None
    assert not draft.is_edited


# The table of layers


def test_a_row_of_layers_is_split_changed_moved_and_removed(page):
    draft = fork(page, "models", "llama-3.1-8b")
    start, table = draft.preset, page.editor.form.layers
    type_in_cell(table, 0, "count", "24")
    table.view.setCurrentIndex(cell(table, 0, "count"))
    press(table.add_button)
    assert table.row == 1
    type_in_cell(table, 1, "count", "8")
    box_index = cell(table, 1, "kind")
    table.view.setCurrentIndex(box_index)
    key(table.view, Qt.Key.Key_Return)
    box = QApplication.focusWidget()
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("sliding"))
    box.activated.emit(box.currentIndex())
    parts.follow()
    type_in_cell(table, 1, "window", "2k")
    runs = draft.preset.value.layers
    assert [(run.count, run.mixer.kind) for run in runs] == [(24, "full"), (8, "sliding")]
    assert runs[1].mixer.window_tokens == 2048
    assert runs[1].tensors == runs[0].tensors
    press(table.up_button)
    assert [run.count for run in draft.preset.value.layers] == [8, 24]
    press(table.remove_button)
    assert [run.count for run in draft.preset.value.layers] == [24]
    assert not table.remove_button.isEnabled()
    for _ in range(8):
        page.editor.undo()
    assert draft.preset == start
    assert not draft.is_edited


def test_kv_heads_of_one_row_resize_its_projections(page):
    draft = fork(page, "models", "gemma-3-27b-it")
    table = page.editor.form.layers
    before = {t.name: t.shape for t in draft.preset.value.layers[0].tensors}
    type_in_cell(table, 0, "KV heads", "8")
    after = {t.name: t.shape for t in draft.preset.value.layers[0].tensors}
    assert after["self_attn.k_proj"][0] * 2 == before["self_attn.k_proj"][0]
    assert draft.preset.value.layers[1].mixer.kv_heads == 16
    # The layers differ now: there is no figure of all of them to type.
    assert row_of(page, "attention.kv_heads").isHidden()
    page.editor.undo()
    assert not row_of(page, "attention.kv_heads").isHidden()


def test_a_refused_cell_keeps_its_text_and_says_why_as_it_is_typed(bench, page):
    draft = fork(page, "models", "llama-3.1-8b")
    before, table = draft.preset, page.editor.form.layers
    type_in_cell(table, 0, "KV heads", "zz", end=None)
    assert table.sentence.isVisible()
    assert table.sentence.full_text.startswith("Row 1, KV heads: zz cannot be read")
    key(QApplication.focusWidget(), Qt.Key.Key_Return)
    parts.follow()
    index = cell(table, 0, "KV heads")
    assert index.data() == "zz"
    assert index.data(FAULT)
    assert draft.preset == before
    # Nothing is saved over what cannot be read.
    key(table.view, Qt.Key.Key_S, CONTROL)
    settled(bench)
    assert draft.is_new
    assert not user_presets_dir().exists()
    # Ctrl+Z and Esc drop it.
    key(table.view, Qt.Key.Key_Z, CONTROL)
    assert cell(table, 0, "KV heads").data() == "8"
    assert not table.sentence.isVisible()
    type_in_cell(table, 0, "count", "0")
    assert "Too small: at least 1" in table.sentence.full_text
    key(table.view, Qt.Key.Key_Escape)
    assert cell(table, 0, "count").data() == "32"
    assert bench.window.page == "presets"


def test_a_digit_in_the_table_changes_no_tab_of_the_plan(bench, page):
    fork(page, "models", "llama-3.1-8b")
    tab = bench.window.tabs.currentIndex()
    type_in_cell(page.editor.form.layers, 0, "KV heads", "2")
    assert bench.window.tabs.currentIndex() == tab
    assert page.editor.draft.preset.value.uniform_attention.kv_heads == 2


def test_all_figures_of_a_layer_and_its_tensors_are_there(page):
    draft = fork(page, "models", "deepseek-v3")
    form = page.editor.form
    form.details.unfold()
    rank = next(row for row in form.details.rows if row.field.name == "kv_lora_rank")
    type_into(rank, "256")
    assert draft.preset.value.layers[0].mixer.kv_lora_rank == 256
    form.layers.view.setCurrentIndex(form.layers.model.index(1, 0))
    assert "row 2" in form.details.button.text()
    rank = next(row for row in form.details.rows if row.field.name == "kv_lora_rank")
    assert rank.control.text() == "512"
    form.tensors_group.unfold()
    (tensors,) = form.tensors_group.tables
    type_in_cell(tensors, 0, "shape", "8 x 16")
    assert draft.preset.value.layers[1].tensors[0].shape == (8, 16)
    type_in_cell(tensors, 0, "name", draft.preset.value.layers[1].tensors[1].name)
    assert "twice" in tensors.sentence.full_text


def test_quantiles_must_rise_and_a_refused_one_says_so(page):
    draft = fork(page, "workloads", "sharegpt-8k")
    lengths = next(g for g in page.editor.form.groups if g.tables and g.tables[0].isVisible())
    (table,) = lengths.tables
    count = table.model.rowCount()
    type_in_cell(table, 0, "tokens", "1M")
    assert "The lengths must rise" in table.sentence.full_text
    assert cell(table, 0, "tokens").data() == "1M"
    key(table.view, Qt.Key.Key_Escape)
    table.view.setCurrentIndex(table.model.index(50, 0))
    press(table.add_button)
    assert table.model.rowCount() == count + 1
    assert len(draft.preset.value.workload.lengths.points) == count + 1


# Saving


def test_the_id_is_made_from_the_name_and_then_stays(bench, page):
    draft = fork(page, "gpus", "l40s")
    type_into(row_of(page, "name"), "Our own card (2026)")
    assert "user:our-own-card-2026" in page.editor.state.full_text
    save(bench, page)
    assert draft.id == "our-own-card-2026"
    assert file_of(draft).exists()
    type_into(row_of(page, "name"), "Another name")
    save(bench, page)
    assert draft.id == "our-own-card-2026"
    assert draft.preset.value.rev == 2
    # Undo goes back behind a save, and can be saved again.
    page.editor.undo()
    assert draft.preset.value.name == "Our own card (2026)"
    assert draft.is_edited
    row_of(page, "name").setFocus()
    save(bench, page)
    assert presets.read(file_of(draft)).value.name == "Our own card (2026)"


def test_a_file_changed_by_others_is_not_overwritten(bench, page):
    draft = fork(page, "gpus", "l40s")
    save_from(bench, page)
    path = file_of(draft)
    other = replace(draft.preset, value=draft.preset.value.with_(power_w=1.0))
    type_into(row_of(page, "power_w"), "2")
    path.write_bytes(presets.dumps(other))
    key(row_of(page, "power_w").control, Qt.Key.Key_S, CONTROL)
    wait_until(lambda: "changed_on_disk" in bench.messages())
    assert presets.read(path).value.power_w == 1.0
    assert draft.is_edited
    answer(bench, "changed_on_disk", "reload")
    assert draft.preset.value.power_w == 1.0
    assert not draft.is_unsaved
    type_into(row_of(page, "power_w"), "3")
    path.write_bytes(presets.dumps(replace(other, value=other.value.with_(power_w=4.0))))
    key(row_of(page, "power_w").control, Qt.Key.Key_S, CONTROL)
    answer(bench, "changed_on_disk", "overwrite")
    wait_until(lambda: not draft.is_unsaved)
    assert presets.read(path).value.power_w == 3.0


def test_the_keyboard_does_not_come_to_revert_by_saving(bench, page):
    fork(page, "gpus", "l40s")
    page.editor.save_button.setFocus()
    save(bench, page)
    assert not page.editor.save_button.isEnabled()
    assert page.editor.done_button.hasFocus()


def save_from(bench, page):
    row_of(page, "name").setFocus()
    save(bench, page)


def test_a_clean_draft_follows_the_disk(bench, page):
    draft = fork(page, "gpus", "l40s")
    save_from(bench, page)
    other = replace(draft.preset, value=draft.preset.value.with_(power_w=1.0))
    file_of(draft).write_bytes(presets.dumps(other))
    bench.presets.refresh()
    settled(bench)
    wait_until(lambda: draft.preset.value.power_w == 1.0)
    assert row_of(page, "power_w").control.text() == "1"


def test_what_is_not_saved_is_kept_when_the_page_is_left(bench, page):
    draft = fork(page, "gpus", "l40s")
    type_into(row_of(page, "power_w"), "2")
    key(page.editor, Qt.Key.Key_Escape)
    assert bench.window.page == "plan"
    assert bench.answers.asked == []
    open_library(bench)
    assert page.editor.draft is draft
    page.choose("models", "builtin:llama-3.1-8b")
    page.choose("gpus", f"user:{draft.id}")
    assert page.details.badge.full_text == "not saved"
    assert page.details.preset.value.power_w == 2
    press(page.details.edit_button)
    assert page.editor.draft is draft
    press(page.editor.discard_button)
    assert bench.presets.drafts == []
    assert not user_presets_dir().exists()


def test_a_text_being_typed_is_taken_over_when_another_preset_is_chosen(page):
    draft = fork(page, "gpus", "l40s")
    row = row_of(page, "power_w")
    row.control.setFocus()
    row.control.selectAll()
    QTest.keyClicks(row.control, "222")
    choose(page, "NVIDIA L40S 48GB")
    assert draft.preset.value.power_w == 222


@pytest.mark.parametrize("answered", ["cancel", "discard", "save"])
def test_closing_the_window_asks_about_what_is_not_saved(bench, page, answered):
    draft = fork(page, "gpus", "l40s")
    type_into(row_of(page, "power_w"), "2")
    bench.answers.answer = answered
    event = QCloseEvent()
    QApplication.sendEvent(bench.window, event)
    assert bench.answers.asked == ["unsaved preset"]
    assert event.isAccepted() == (answered == "discard")
    if answered == "save":
        wait_until(lambda: not bench.window.isVisible())
        assert presets.read(file_of(draft)).value.power_w == 2
    else:
        assert not file_of(draft).exists()


def test_closing_takes_over_what_is_being_typed(bench, page):
    draft = fork(page, "gpus", "l40s")
    line = row_of(page, "power_w").control
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "5")
    event = QCloseEvent()
    QApplication.sendEvent(bench.window, event)
    assert bench.answers.asked == ["unsaved preset"]
    assert draft.preset.value.power_w == 5


def test_revert_takes_the_built_in_figures_as_one_step(bench, page):
    draft = fork(page, "models", "llama-3.1-70b")
    type_into(row_of(page, "attention.kv_heads"), "4")
    type_into(row_of(page, "hidden_size"), "4096")
    row_of(page, "hidden_size").setFocus()
    save(bench, page)
    press(page.editor.done_button)
    assert page.details.tables.difference.isVisible()
    press(page.details.revert_button)
    assert draft.preset.value.uniform_attention.kv_heads == 8
    assert draft.preset.value.name == "Llama-3.1-70B copy"
    row_of(page, "name").setFocus()
    save(bench, page)
    press(page.editor.done_button)
    assert page.details.tables.difference.isHidden()
    assert page.details.tables.same.isVisible()
    press(page.details.edit_button)
    page.editor.undo()
    assert draft.preset.value.hidden_size == 4096


def test_an_id_that_another_program_has_taken_meanwhile_is_passed_over(bench, page):
    draft = fork(page, "gpus", "h100-sxm")
    other = Library(presets_dir(), user_presets_dir())
    theirs = other.save_user(preset_edits.renamed(other, draft.preset))
    theirs_path = user_presets_dir() / "gpus" / f"{theirs.value.id}.json"
    before = theirs_path.read_bytes()
    row_of(page, "name").setFocus()
    save(bench, page)
    assert theirs_path.read_bytes() == before
    assert file_of(draft) != theirs_path
    assert presets.read(file_of(draft)).value == draft.preset.value


def test_deleted_while_it_is_being_saved(bench, page, monkeypatch):
    draft = fork(page, "gpus", "h100-sxm")
    row_of(page, "name").setFocus()
    save(bench, page)
    settled(bench)
    type_into(row_of(page, "name"), "Mine")
    may_write, store = threading.Event(), bench.library.store

    def slow_store(*args, **how):
        may_write.wait(5)
        return store(*args, **how)

    monkeypatch.setattr(bench.library, "store", slow_store)
    bench.presets.save(draft)
    bench.presets.delete(draft.preset)
    wait_until(lambda: "preset_deleted" in bench.messages())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    may_write.set()
    settled(bench)
    assert bench.messages()[-1:] == ["preset_deleted"]
    assert not bench.presets.drafts
    assert not bench.jobs.busy


def test_a_dropped_draft_may_be_painted_before_the_list_is_anew(bench, page):
    draft = fork(page, "gpus", "h100-sxm")
    type_into(row_of(page, "name"), "Mine")
    settled(bench)
    assert [item.draft for item in page.list.items.items if item.draft] == [draft]
    bench.presets.drop(draft)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert [item.draft for item in page.list.items.items if item.draft] == [draft]
    page.list.grab()
    settled(bench)
    assert not [item for item in page.list.items.items if item.draft]


def test_what_was_typed_for_a_field_that_goes_away_does_not_stand_in_the_way(bench, page):
    draft = fork(page, "workloads", "sharegpt-8k")
    kinds = row_of(page, "workload.lengths.kind")
    kinds.control.chosen.emit("constant")
    tokens = row_of(page, "workload.lengths.tokens")
    tokens.control.setFocus()
    tokens.control.selectAll()
    QTest.keyClicks(tokens.control, "many")
    assert tokens.is_refused
    kinds.control.chosen.emit("quantiles")
    assert tokens.isHidden()
    assert not tokens.is_refused
    row_of(page, "name").control.setFocus()
    save(bench, page)
    assert not draft.is_unsaved


# Words


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("models", "deepseek-v3"),
        ("gpus", "8x-h100-sxm"),
        ("formats/weights", "awq-g128"),
        ("formats/kv", "fp8"),
        ("workloads", "sharegpt-8k"),
    ],
)
def test_every_control_has_a_name_in_both_languages(bench, page, kind, name):
    fork(page, kind, name)
    for language in ("zh_CN", "en"):
        bench.verbs.choose_language(language)
        parts.follow()
        for widget in stops(page):
            assert widget.accessibleName(), (type(widget), widget.parent())
            if not hasattr(widget, "full_text"):
                assert widget.accessibleDescription(), widget.accessibleName()

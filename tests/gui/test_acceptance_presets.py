"""The first acceptance line: own presets made, saved, found again, used, compared and undone."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui import compare_kit
from tests.gui.preset_kit import (
    CONTROL,
    answer,
    choose,
    find,
    names,
    open_library,
    press,
    row_of,
    save,
    type_into,
)
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.library import plans
from workbench.spec.units import GIB

MODEL, MODEL_ID = "Llama-3.1-70B copy", "llama-3.1-70b-copy"
CARD, CARD_ID = "NVIDIA H100 SXM 80GB copy", "nvidia-h100-sxm-80gb-copy"


def fork_the_model(bench, page):
    find(page, "models", "llama-3.1-70b")
    choose(page, "Llama-3.1-70B")
    press(page.details.fork_button)
    original = page.editor.draft.preset
    type_into(row_of(page, "attention.kv_heads"), "4")
    assert page.editor.draft.preset.value.uniform_attention.kv_heads == 4
    # Undo in the editor goes back to the original, and redo forward again.
    line = row_of(page, "attention.kv_heads").control
    key(line, Qt.Key.Key_Z, CONTROL)
    assert page.editor.draft.preset == original
    assert line.text() == "8"
    key(line, Qt.Key.Key_Y, CONTROL)
    assert line.text() == "4"
    save(bench, page)


def fork_the_card(bench, page):
    find(page, "gpus", "h100-sxm")
    choose(page, "NVIDIA H100 SXM 80GB")
    press(page.details.fork_button)
    row = row_of(page, "device_total_bytes")
    type_into(row, "80 GiB")
    assert "85.90 GB = 80 GiB = 85,899,345,920 B" in row.remark.full_text
    save(bench, page)


def pick(bench, box, text):
    """Choose in the form's box by typing, as a person does."""
    click(box)
    QTest.keyClicks(box.popup.filter, text)
    key(box.popup.filter, Qt.Key.Key_Return)
    # As a window manager does once the list is closed.
    bench.window.activateWindow()
    QTest.qWaitForWindowActive(bench.window)


def kv_bytes_per_token(bench) -> int:
    return bench.session.ledger(bench.session.current_id).pool.kv_bytes_per_token


def differences(page) -> list[tuple[str, ...]]:
    rows = page.details.tables.difference.table.cells.rows
    return [tuple(cell.text for cell in row) for row in rows]


def test_own_presets_from_fork_to_restart(qapp, tmp_path, run_kvw):
    with opened_bench(qapp, tmp_path) as bench:
        before = plans.dumps(bench.session.plan)
        page = open_library(bench)
        fork_the_model(bench, page)
        fork_the_card(bench, page)
        # Undo of the editor left the plan alone.
        assert plans.dumps(bench.session.plan) == before
        assert bench.session.undo_step is None

    # A restart: another window on the same folders.
    with opened_bench(qapp, tmp_path) as bench:
        start = plans.dumps(bench.session.plan)
        panel = bench.window.panel
        model_box, card_box = (
            panel.sections[index].choices[field].box
            for index, field in ((0, "model.preset"), (1, "gpu.preset"))
        )
        pick(bench, model_box, "llama-3.1-70b")
        whole = kv_bytes_per_token(bench)
        pick(bench, model_box, MODEL)
        assert bench.session.current.model_ref.id == MODEL_ID
        assert kv_bytes_per_token(bench) * 2 == whole
        pick(bench, card_box, CARD)
        assert bench.session.current.gpu_ref.id == CARD_ID
        assert bench.session.ledger(bench.session.current_id).ranks[0].total_bytes == 80 * GIB

        # Each beside its built-in, with what differs marked.
        page = open_library(bench)
        find(page, "models", MODEL_ID)
        assert names(page) == [MODEL]
        rows = differences(page)
        assert ("layer run 1: KV heads", "8", "≠", "4") in rows
        assert {row[2] for row in rows} == {"≠"}
        press(page.details.compare.side_by_side)
        assert bench.window.page == "compare"
        assert marked_in_compare(bench, "layers[0].mixer.kv_heads")
        page = open_library(bench)
        find(page, "gpus", CARD_ID)
        rows = differences(page)
        assert [row[0] for row in rows] == ["total memory", "basis of the total"]
        press(page.details.compare.side_by_side)
        assert marked_in_compare(bench, "device_total_bytes")

        # And undo brings every step of the plan back.
        key(bench.window, Qt.Key.Key_1, CONTROL)
        for _ in range(3):
            key(bench.window, Qt.Key.Key_Z, CONTROL)
        assert bench.session.undo_step is None
        assert plans.dumps(bench.session.plan) == start

    listed = json.loads(run_kvw(["presets", "list", "--json"]).stdout)["rows"]
    own = {(row["kind"], row["id"]) for row in listed if row["namespace"] == "user"}
    assert own == {("models", MODEL_ID), ("gpus", CARD_ID)}
    shown = json.loads(run_kvw(["presets", "show", f"user:{CARD_ID}"]).stdout)
    assert shown["preset"]["device_total_bytes"] == 85_899_345_920
    assert shown["based_on"] == "builtin:h100-sxm@1"


def marked_in_compare(bench, path) -> bool:
    """Whether the compare view, with the built-in first, marks a field of the copy."""
    cells = compare_kit.line(compare_kit.settled(bench), f"field:{path}").cells
    return len(cells) == 2 and not cells[0].tinted and cells[1].tinted and "≠" in cells[1].text


def test_a_new_revision_waits_until_it_is_taken(qapp, tmp_path):
    with opened_bench(qapp, tmp_path) as bench:
        page = open_library(bench)
        fork_the_model(bench, page)
        press(page.editor.done_button)
        press(page.details.use_button)
        assert bench.window.page == "plan"
        start = plans.dumps(bench.session.plan)
        old = bench.session.current.model

        page = open_library(bench)
        find(page, "models", MODEL_ID)
        press(page.details.edit_button)
        type_into(row_of(page, "attention.kv_heads"), "2")
        save(bench, page)
        # The scenario keeps its copy; a message and its row offer the new revision.
        assert bench.session.current.model == old
        wait_until(lambda: "preset_old_revision" in bench.messages())
        key(page.editor, Qt.Key.Key_Escape)
        offers = bench.window.panel.sections[0].offers
        wait_until(lambda: offers.offer is not None and offers.offer.isVisible())
        offer = offers.offer
        # "Show" lists what has changed since the scenario took it.
        press(offer.difference)
        rows = differences(page)
        assert ("layer run 1: KV heads", "4", "≠", "2") in rows
        assert page.details.tables.difference.title.full_text == "Since the scenario took it"
        key(bench.window, Qt.Key.Key_1, CONTROL)
        press(offer.take)
        assert bench.session.current.model.uniform_attention.kv_heads == 2
        assert bench.session.current.model_ref.rev == 2
        assert not offer.isVisible()
        key(bench.window, Qt.Key.Key_Z, CONTROL)
        assert plans.dumps(bench.session.plan) == start
        assert offer.isVisible()
        # The message takes it too, in one step.
        answer(bench, "preset_old_revision", "take")
        assert bench.session.current.model_ref.rev == 2
        key(bench.window, Qt.Key.Key_Z, CONTROL)
        assert plans.dumps(bench.session.plan) == start

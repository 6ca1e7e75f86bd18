"""The preview of the export dialog, and the choices that it remembers."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.gui.export_kit import opened, pick, ready, saved
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.export import formats
from workbench.export.options import LOOKS, RATIOS, WHATS
from workbench.gui.export import making
from workbench.library import settings as settings_files
from workbench.library.settings import ExportChoice, Settings

pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


def test_the_preview_follows_every_choice(dialog):
    form = dialog.form
    first = dialog.preview.page
    form.ratio.setFocus()
    key(form.ratio, Qt.Key.Key_Down)
    assert ready(dialog).preview.page.width == 960
    form.look.setFocus()
    key(form.look, Qt.Key.Key_Down)
    assert ready(dialog).preview.page.background != first.background
    form.title.setFocus()
    QTest.keyClicks(form.title, "Our <b>plan</b>")
    texts = [item.text for item in ready(dialog).preview.page.items if hasattr(item, "text")]
    assert "Our <b>plan</b>" in texts
    assert any("KV Workbench" in text for text in texts)
    form.footnote.setFocus()
    key(form.footnote, Qt.Key.Key_Space)
    texts = [item.text for item in ready(dialog).preview.page.items if hasattr(item, "text")]
    assert not any("KV Workbench" in text for text in texts)


def test_the_date_stands_below_only_when_asked_for(dialog):
    def texts():
        items = ready(dialog).preview.page.items
        return " ".join(item.text for item in items if hasattr(item, "text"))

    assert "20" + "26-" not in texts()
    dialog.form.dated.setFocus()
    key(dialog.form.dated, Qt.Key.Key_Space)
    import datetime

    assert datetime.date.today().isoformat() in texts()


def test_the_title_that_is_derived_stands_in_the_empty_field(dialog):
    assert dialog.form.title.placeholderText().endswith("Memory per GPU")
    pick(dialog, "waterfall")
    assert dialog.form.title.placeholderText().endswith("From A to B")
    box = dialog.form.scenario
    box.setFocus()
    key(box, Qt.Key.Key_Down)
    assert ready(dialog).form.title.placeholderText().endswith("From A to C")


def test_a_transparent_picture_stands_on_a_chequered_ground(dialog):
    dialog.form.look.setFocus()
    for _ in range(2):
        key(dialog.form.look, Qt.Key.Key_Down)
    assert dialog.form.choice.look == "transparent"
    ready(dialog)
    QTest.qWait(10)
    pane = dialog.preview.pane
    area = pane.area().toRect()
    image = pane.grab(area.adjusted(20, 2, -20, -2)).toImage()
    colours = {image.pixelColor(x, 1).name() for x in range(0, image.width(), 3)}
    assert {"#ffffff", "#d9dce0"} <= colours


def test_a_deck_is_turned_page_by_page(dialog):
    pick(dialog, "deck")
    # What is edited first; a print second.
    assert [dialog.form.format.itemData(at) for at in range(2)] == ["pptx", "pdf"]
    assert dialog.form.choice.format == "pptx"
    preview = dialog.preview
    assert preview.count == 5
    assert preview.place.full_text == "1 of 5"
    click(preview.forth)
    assert preview.number == 1
    preview.pane.setFocus()
    key(preview.pane, Qt.Key.Key_PageDown)
    assert preview.place.full_text == "3 of 5"
    for _ in range(9):
        key(preview.pane, Qt.Key.Key_Right)
    assert preview.number == 4
    assert not preview.forth.isEnabled()
    click(preview.back)
    assert preview.number == 3


def test_tables_are_shown_as_tables(dialog):
    pick(dialog, "tables")
    table = dialog.preview.table
    assert table.isVisible()
    assert table.cells.rows
    assert dialog.preview.count >= 5
    click(dialog.preview.forth)
    assert dialog.preview.table.cells.rows


def test_a_stale_preview_never_replaces_a_newer_one(dialog, monkeypatch):
    go, real = threading.Event(), making.make_preview

    def slow(wanted, progress):
        if wanted.options.what == "compare":
            go.wait(10)
        return real(wanted, progress)

    monkeypatch.setattr(making, "make_preview", slow)
    before = dialog.preview.page
    button = dialog.form.whats["compare"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    wait_until(lambda: dialog.previews._asked > 1)
    # The old one stays, dimmed and without its title, and says that another is coming.
    assert dialog.preview.page is before
    assert dialog.preview.veil.isVisible()
    assert dialog.preview.veil.geometry() == dialog.preview.stack.geometry()
    assert dialog.form.title.placeholderText() == "Title"
    assert dialog.preview.status.full_text
    assert not dialog.copy_button.isEnabled()
    button = dialog.form.whats["bars"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    go.set()
    ready(dialog)
    assert dialog._made.wanted.options.what == "bars"
    assert dialog.preview.status.full_text == ""
    assert not dialog.preview.veil.isVisible()
    assert dialog.form.title.placeholderText().endswith("Memory per GPU")


def test_the_last_choice_is_there_again(qapp, tmp_path):
    with opened_bench(qapp, tmp_path) as bench:
        dialog = pick(opened(bench), "waterfall", "svg")
        for box, steps in ((dialog.form.ratio, 1), (dialog.form.look, 3)):
            box.setFocus()
            for _ in range(steps):
                key(box, Qt.Key.Key_Down)
        dialog.form.dated.setFocus()
        key(dialog.form.dated, Qt.Key.Key_Space)
        bench.answers.path = tmp_path / "out" / "way.svg"
        bench.answers.path.parent.mkdir()
        ready(dialog)
        click(dialog.save_button)
        assert saved(dialog).startswith("Exported to")
        dialog.close()
    with opened_bench(qapp, tmp_path) as bench:
        dialog = opened(bench)
        choice = dialog.form.choice
        assert (choice.what, choice.format, choice.ratio, choice.look, choice.dated) == (
            "waterfall",
            "svg",
            "4:3",
            "grey",
            True,
        )
        bench.answers.path = None
        click(dialog.save_button)
        assert bench.answers.asked[-1] == f"export svg: {tmp_path / 'out' / 'plan-waterfall.svg'}"
        dialog.close()


def test_settings_of_before_are_still_read(tmp_path):
    path = tmp_path / "settings.json"
    settings_files.save_settings(path, Settings(theme="dark"))
    content = path.read_text()
    start, end = content.index('"export"'), content.index("}", content.index('"export"')) + 2
    path.write_text(content[:start] + content[end:].lstrip())
    settings, notes = settings_files.load(path)
    assert settings == Settings(theme="dark")
    assert notes == ()


def test_a_choice_of_tomorrow_keeps_what_can_be_used(tmp_path):
    path = tmp_path / "settings.json"
    settings_files.save_settings(
        path, Settings(theme="dark", export=ExportChoice(what="heatmap", format="svg"))
    )
    path.write_text(path.read_text().replace('"svg"', '"hologram"'))
    settings, notes = settings_files.load(path)
    assert settings.theme == "dark"
    assert settings.export == ExportChoice()
    assert [note.code for note in notes] == ["settings_reset"]


def test_the_choices_that_are_kept_are_those_there_are():
    fields = ExportChoice.model_fields
    for name, known in (
        ("what", WHATS),
        ("format", tuple(formats.FORMATS)),
        ("ratio", RATIOS),
        ("look", LOOKS),
    ):
        assert fields[name].annotation.__args__ == known


def test_a_template_is_chosen_and_cleared(bench, dialog, tmp_path):
    dialog.form.whats["deck"].setChecked(True)
    dialog.form._choose_format("pptx")
    bench.answers.path = tmp_path / "corporate.pptx"
    click(dialog.form.template_button)
    assert dialog.form.template.full_text == "corporate.pptx"
    assert dialog.form.template_path == tmp_path / "corporate.pptx"
    click(dialog.form.clear_button)
    assert dialog.form.template_path is None
    assert dialog.form.clear_button.isHidden()
    ready(dialog)

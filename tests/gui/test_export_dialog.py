"""The export dialog by real clicks and keys: opening, names, for everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QToolButton, QWidget

from tests.export import plans
from tests.gui import sample
from tests.gui.export_kit import dialog_of, opened, pick, ready, saved
from tests.gui.loop_watch import LoopWatch
from tests.gui.texts import clipped
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.export.options import PICTURES, WHATS
from workbench.gui.export import making
from workbench.gui.export.dialog import ExportDialog
from workbench.gui.export.names import formats_of, stem_of
from workbench.gui.labels import Label
from workbench.gui.language import settle as say_the_rest
from workbench.spec.errors import UserError

pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


PAGE = {"ratio", "look", "scale", "title", "footnote", "dated"}
CHOICES = {*PAGE, "scenario", "template"}
SHOWN = {
    "bars": PAGE,
    "compare": PAGE,
    "waterfall": PAGE | {"scenario"},
    "heatmap": PAGE | {"scenario"},
    "tables": {"title", "dated"},
}


# --- opening ------------------------------------------------------------------------------------


def test_ctrl_e_opens_it_with_the_bars_and_the_keyboard_on_what(bench, dialog):
    assert dialog.windowTitle() == "Export"
    assert dialog.form.what == "bars"
    assert QApplication.focusWidget() is dialog.form.whats["bars"]
    page = dialog.preview.page
    assert (page.width, page.height) == (1280, 720)
    assert {"A", "B", "C"} <= {
        item.text.lstrip("★ ") for item in page.items if hasattr(item, "text")
    }
    bench.trigger("file.export")
    assert bench.window.findChildren(ExportDialog) == [dialog], "there is one"
    key(dialog, Qt.Key.Key_Escape)
    assert dialog_of(bench) is None


def test_the_button_on_the_strip_opens_it(bench):
    buttons = bench.window.strip_bar.findChildren(QToolButton)
    click(next(b for b in buttons if b.text() == "Export…"))
    dialog = dialog_of(bench)
    assert dialog is not None
    ready(dialog).close()


def test_a_plan_without_scenarios_has_nothing_to_export(bench):
    bench.session.delete("a", "b", "c")
    assert not bench.window.actions_by_id["file.export"].isEnabled()


def test_only_suiting_kinds_of_files_are_offered(dialog):
    for what in WHATS:
        if what in ("deck", "record"):
            continue
        pick(dialog, what)
        box = dialog.form.format
        assert tuple(box.itemData(i) for i in range(box.count())) == formats_of(what)
        assert dialog.copy_button.isEnabled() == (what in PICTURES)
        form = dialog.form
        told = {name for name in CHOICES if not getattr(form, name).isHidden()}
        assert told == SHOWN[what], "what has no effect is not there"


def test_one_scenario_has_no_way_to_another(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, plans.many(1).plan) as bench:
        dialog = opened(bench)
        assert dialog.form.whats["waterfall"].isHidden()
        dialog.form.choose("waterfall")
        assert dialog.form.what == "bars"
        dialog.close()


# --- names --------------------------------------------------------------------------------------


def test_a_plan_with_chinese_names(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, plans.chinese().plan) as bench:
        dialog = opened(bench)
        texts = [item.text for item in dialog.preview.page.items if hasattr(item, "text")]
        assert any(plans.CHINESE_NAMES[1] in text for text in texts)
        bench.answers.path = path = tmp_path / "第三季度.svg"
        pick(dialog, "bars", "svg")
        click(dialog.save_button)
        assert saved(dialog) == f"Exported to {path}."
        assert plans.CHINESE_NAMES[1] in path.read_text(encoding="utf-8")
        assert "第三季度容量规划-memory.svg" in bench.answers.asked[-1]
        dialog.close()


def test_hostile_names_stay_texts(qapp, tmp_path):
    name = '=cmd|"/c calc"!A0 <b>&amp;</b> \u202egnp.exe {0} %s'
    with opened_bench(qapp, tmp_path, plans.named(name).plan) as bench:
        dialog = opened(bench)
        for what in ("compare", "waterfall", "heatmap", "tables"):
            pick(dialog, what)
        for label in dialog.findChildren(Label):
            assert label.textFormat() == Qt.TextFormat.PlainText
        pick(dialog, "bars", "svg")
        bench.answers.path = tmp_path / "chart.svg"
        click(dialog.save_button)
        assert saved(dialog).startswith("Exported to")
        assert b"<b>" not in (tmp_path / "chart.svg").read_bytes()
        dialog.close()


@pytest.mark.parametrize(
    ("path", "title", "stem"),
    [
        (Path("/a/plan-q3.kvw"), "Q3", "plan-q3-memory"),
        (None, "第三季度", "第三季度-memory"),
        (None, "", "plan-memory"),
        (None, "../../etc/passwd", "etc passwd-memory"),
        (None, 'a:b*?"<>|\n\x00c', "a b c-memory"),
        (None, "..", "plan-memory"),
        (None, "\u202e", "plan-memory"),
        (None, "\ud800x", "x-memory"),
    ],
)
def test_the_suggested_name(path, title, stem):
    assert stem_of(path, title, "bars") == stem


def test_a_suggested_name_is_never_too_long():
    assert len(stem_of(None, "长" * 500, "waterfall").encode()) < 220


# --- for everybody ------------------------------------------------------------------------------


def test_everything_works_by_keyboard_and_has_a_name(bench, dialog):
    pick(dialog, "deck")
    stops = set()
    dialog.form.whats["deck"].setFocus()
    start = QApplication.focusWidget()
    for _ in range(60):
        key(QApplication.focusWidget(), Qt.Key.Key_Tab)
        stops.add(QApplication.focusWidget())
        if QApplication.focusWidget() is start:
            break
    form, preview = dialog.form, dialog.preview
    for widget in (form.format, form.ratio, form.look, form.title, form.footnote, form.dated):
        assert widget in stops
    assert {preview.pane, preview.forth, dialog.save_button, dialog.close_button} <= stops
    for widget in dialog.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            name = widget.accessibleName() or getattr(widget, "text", str)()
            assert name.strip(), widget
            if isinstance(widget, QComboBox):
                assert widget.accessibleDescription()


def test_enter_saves_from_anywhere(bench, dialog, tmp_path):
    bench.answers.path = tmp_path / "chart.png"
    dialog.form.title.setFocus()
    key(dialog.form.title, Qt.Key.Key_Return)
    assert saved(dialog).startswith("Exported to")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_it_fits_the_smallest_window_uncut(bench, language):
    bench.verbs.choose_language(language)
    bench.window.resize(1024, 700)
    for theme in ("light", "contrast"):
        bench.verbs.choose_theme(theme)
        QTest.qWait(10)
        dialog = opened(bench)
        assert dialog.width() <= 1024
        assert dialog.height() <= 700
        assert dialog._area.verticalScrollBar().maximum() == 0
        for what in ("bars", "deck", "waterfall"):
            pick(dialog, what)
            assert [text for text in clipped(dialog) if "QLineEdit" not in text] == []
        dialog.close()
        QTest.qWait(5)


def test_it_changes_its_language_while_it_is_open(bench, dialog):
    before = {button.text() for button in dialog.form.whats.values()}
    bench.verbs.choose_language("zh_CN")
    say_the_rest()
    ready(dialog)
    assert dialog._made.wanted.options.language.code == "zh-CN"
    legend = {item.text for item in dialog.preview.page.items if hasattr(item, "text")}
    assert any("权重" in text for text in legend)
    bench.verbs.choose_language("en")
    say_the_rest()
    ready(dialog)
    assert {button.text() for button in dialog.form.whats.values()} == before


def test_nothing_is_left_of_it(bench):
    def count():
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        return len(bench.window.findChildren(QWidget)), len(bench.window.findChildren(ExportDialog))

    opened(bench).close()
    QTest.qWait(10)
    before = count()
    for _ in range(3):
        pick(opened(bench), "tables").close()
        QTest.qWait(10)
    assert count() == before
    assert before[1] == 0


def test_the_window_answers_while_a_deck_is_made(qapp, tmp_path):
    """The time of the thread itself counts, not the clock: neighbours may be busy."""
    with opened_bench(qapp, tmp_path, plans.chinese().plan) as bench:
        dialog = opened(bench)
        with LoopWatch() as watch:
            watch.begin("deck")
            dialog.form.whats["deck"].setChecked(True)
            wait_until(lambda: not dialog.previews.busy, 60.0)
        assert watch.longest().busy_ms < 250, watch.longest()
        dialog.close()


def test_a_refusal_is_said_where_the_preview_was(dialog, monkeypatch):
    def refuse(wanted, progress):
        raise UserError("nothing_to_export")

    monkeypatch.setattr(making, "make_preview", refuse)
    dialog.form.whats["compare"].setChecked(True)
    ready(dialog)
    assert dialog.preview.status.full_text.startswith("The plan has no scenario")
    assert not dialog.copy_button.isEnabled()


def test_the_compare_page_exports_what_it_compares(bench):
    bench.session.pick(("a", "c"))
    bench.trigger("compare.open")
    page = bench.window.page_widget("compare")
    click(page.head.export)
    dialog = ready(dialog_of(bench))
    assert dialog.form.what == "compare"
    assert [s.name for s in dialog._source.subject.plan.scenarios] == ["A", "C"]
    dialog.close()
    page.fall.view.exporting.emit()
    dialog = ready(dialog_of(bench))
    assert (dialog.form.what, dialog.form.scenario_id) == ("waterfall", "c")
    dialog.close()


def test_presets_side_by_side_are_exported_as_well(bench):
    from workbench.gui.compare.feature import open_presets

    library = bench.library
    gpus = [library.gpu("80-gib"), library.gpu("h100-sxm")]
    open_presets(bench.window, "gpus", gpus)
    bench.trigger("file.export")
    dialog = ready(dialog_of(bench))
    assert dialog.form.what == "compare"
    assert len(dialog._source.subject.plan.scenarios) == 2
    assert dialog.preview.page is not None
    dialog.close()


def test_the_sample_has_what_these_tests_speak_of():
    assert [scenario.name for scenario in sample.plan().scenarios] == ["A", "B", "C"]

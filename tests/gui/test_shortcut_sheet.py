"""The sheet of keys: complete, grouped as the menus are, small enough for the smallest window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from tests.gui.window_kit import Bench, key
from workbench.gui.actions import MENUS, VERBS
from workbench.gui.help import ShortcutsDialog
from workbench.gui.labels import Label
from workbench.gui.tr import translate, without_mnemonic

pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


def sheet(bench: Bench) -> ShortcutsDialog:
    key(bench.window, Qt.Key.Key_F1)
    QTest.qWait(20)
    dialog = bench.window.findChild(ShortcutsDialog)
    assert dialog.isVisible()
    return dialog


def texts(dialog: ShortcutsDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(Label)]


def test_every_key_of_every_verb_is_on_it(bench):
    shown = texts(sheet(bench))
    with_keys = [verb for verb in VERBS if bench.window.actions_by_id[verb.id].shortcuts()]
    assert len(with_keys) > 20
    for verb in with_keys:
        assert without_mnemonic(verb.text) in shown
        for sequence in bench.window.actions_by_id[verb.id].shortcuts():
            native = sequence.toString(QKeySequence.SequenceFormat.NativeText)
            assert any(native in text.split(", ") for text in shown), verb.id


def test_it_is_grouped_by_menu_and_by_part_of_the_window(bench):
    shown = texts(sheet(bench))
    for title, ids in MENUS.items():
        if any(v.id in ids and bench.window.actions_by_id[v.id].shortcuts() for v in VERBS):
            assert without_mnemonic(title) in shown
    for title in ("Fields", "Bars", "Heat map", "Scenario strip", "Explorer", "Slide"):
        assert title in shown


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_it_fits_the_smallest_window_uncut(bench, language, theme):
    bench.trigger(f"view.theme.{theme}")
    bench.trigger(f"view.language.{language}")
    bench.window.resize(1024, 700)
    try:
        dialog = sheet(bench)
        assert dialog.width() <= 1004
        assert dialog.height() <= 680
        assert dialog.windowTitle() == translate("Help", "Keyboard shortcuts")
        for label in dialog.findChildren(Label):
            assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())
        key(dialog, Qt.Key.Key_Escape)
    finally:
        bench.trigger("view.language.en")

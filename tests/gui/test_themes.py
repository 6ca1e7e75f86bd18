"""Themes: switched live without a trace of the last one, with a ring on every kind of control."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QTableWidget,
    QTabWidget,
    QToolButton,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)

from tests.gui.window_kit import Bench, click, opened_bench
from workbench.charts.display import Hatch
from workbench.charts.palette import THEMES, contrast
from workbench.gui.labels import Label, theme_of
from workbench.gui.theme import palette_of
from workbench.gui.views.table import CopyTable

NAMES = ("light", "dark", "contrast")
themes = pytest.mark.parametrize("name", NAMES)


def picture(bench: Bench) -> QImage:
    # The map comes when it is ready; a table is there at once.
    tabs = bench.window.tabs
    tabs.setCurrentIndex(next(i for i in range(tabs.count()) if tabs.tabText(i) == "Ledger"))
    # Where the keyboard is must not be what differs.
    bench.window.strip.focus_current()
    QTest.qWait(60)
    shown = bench.window.grab().toImage()
    for _ in range(50):
        # Fixes and counts come in later turns of the event loop.
        QTest.qWait(60)
        before, shown = shown, bench.window.grab().toImage()
        if shown == before:
            break
    return shown


@themes
def test_a_switched_theme_looks_as_if_the_window_had_begun_with_it(qapp, tmp_path, name):
    with opened_bench(qapp, tmp_path) as bench:
        bench.trigger(f"view.theme.{name}")
    with opened_bench(qapp, tmp_path) as bench:
        assert bench.themes.theme.name == name
        fresh = picture(bench)
        for other in (*NAMES, name):
            bench.trigger(f"view.theme.{other}")
        assert picture(bench) == fresh


def test_the_corner_of_a_table_changes_with_it(bench):
    table = QTableWidget(2, 2, bench.window)
    table.setGeometry(0, 0, 200, 200)
    table.show()
    for name in NAMES:
        bench.trigger(f"view.theme.{name}")
        QTest.qWait(20)
        corner = QPoint(table.verticalHeader().width() // 2, table.horizontalHeader().height() // 2)
        shown = table.grab().toImage().pixelColor(corner)
        assert shown == QColor(THEMES[name].surface)


def test_the_button_walks_through_the_themes_and_the_last_is_remembered(bench):
    button = next(b for b in bench.window.strip_bar.findChildren(QToolButton) if b.text() == "◐")
    seen = []
    for _ in NAMES:
        click(button)
        seen.append(theme_of(bench.window).name)
        assert bench.window.actions_by_id[f"view.theme.{seen[-1]}"].isChecked()
        assert bench.store.settings.theme == seen[-1]
    assert sorted(seen) == sorted(NAMES)


def patterned(bench: Bench) -> bool:
    items = bench.window.bars_card.bars.display_list().with_role("segment:kv")
    return any(isinstance(item, Hatch) for item in items)


def test_patterns_come_and_go_and_are_remembered(qapp, tmp_path):
    with opened_bench(qapp, tmp_path) as bench:
        bench.trigger("view.theme.light")
        assert not patterned(bench)
        bench.trigger("view.patterns")
        assert patterned(bench)
    with opened_bench(qapp, tmp_path) as bench:
        assert bench.window.actions_by_id["view.patterns"].isChecked()
        assert patterned(bench)
        bench.trigger("view.patterns")
        assert not patterned(bench)


def test_high_contrast_has_patterns_always(bench):
    bench.trigger("view.theme.contrast")
    assert patterned(bench)
    assert not bench.store.settings.patterns


def controls(parent: QWidget) -> dict[str, QWidget]:
    made: dict[str, QWidget] = {
        "button": QPushButton("A", parent),
        "tool button": QToolButton(parent),
        "line": QLineEdit(parent),
        "text": QPlainTextEdit(parent),
        "combo box": QComboBox(parent),
        "spin box": QSpinBox(parent),
        "check box": QCheckBox("A", parent),
        "radio button": QRadioButton("A", parent),
        "list": QListWidget(parent),
        "table": QTableWidget(2, 2, parent),
        "tree": QTreeWidget(parent),
        "copied table": CopyTable("A", ("A", "B"), parent),
        "label": Label("A figure of 16 GiB", parent, selectable=True),
    }
    tabs = QTabWidget(parent)
    tabs.addTab(QWidget(), "A")
    made["tabs"] = tabs.tabBar()
    layout = parent.layout()
    for name, widget in made.items():
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        layout.addWidget(tabs if name == "tabs" else widget)
    return made


@themes
def test_every_kind_of_control_shows_that_it_has_the_keyboard(qtbot, bench, name):
    bench.trigger(f"view.theme.{name}")
    place = QWidget()
    qtbot.addWidget(place)
    QVBoxLayout(place)
    made = controls(place)
    elsewhere = QPushButton("elsewhere", place)
    place.layout().addWidget(elsewhere)
    place.show()
    place.activateWindow()
    QTest.qWaitForWindowActive(place)
    theme = THEMES[name]
    for kind, widget in made.items():
        elsewhere.setFocus()
        QTest.qWait(1)
        size, before = widget.size(), colours(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.qWait(1)
        new = colours(widget)
        # A ring in the accent, two pixels thick: far more of it than a cursor has.
        more = new.get(theme.accent, 0) - before.get(theme.accent, 0)
        assert more >= 2 * widget.height() // 2, kind
        assert widget.size() == size, f"{kind} moves"
    assert contrast(theme.accent, theme.surface) >= 3


@themes
def test_words_stay_legible_on_what_is_pointed_at_pressed_or_selected(name):
    theme, shown = THEMES[name], palette_of(THEMES[name])
    least = 7 if name == "contrast" else 4.5
    for role in (QPalette.ColorRole.Midlight, QPalette.ColorRole.Light):
        ground = shown.color(role).name().upper()
        assert contrast(theme.text, ground) >= least
        assert contrast(theme.surface, ground) > 1.05


def colours(widget: QWidget) -> dict[str, int]:
    image = widget.grab().toImage()
    found: dict[str, int] = {}
    for x in range(image.width()):
        for y in range(image.height()):
            colour = image.pixelColor(x, y).name().upper()
            found[colour] = found.get(colour, 0) + 1
    return found

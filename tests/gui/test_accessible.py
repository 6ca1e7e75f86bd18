"""What assistive technology meets: names, descriptions, roles, and a way to everything by Tab."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.gui.test_why import vllm_plan
from tests.gui.window_kit import opened_bench, wait_until, walked
from workbench.gui.fields.quantity_edit import QuantityEdit

Role, Text = QAccessible.Role, QAccessible.Text
_CELLS = (Role.Cell, Role.TreeItem, Role.ListItem, Role.ColumnHeader, Role.RowHeader)
"""Many of one name: a cell's says its column and value."""


@dataclass(frozen=True)
class Node:
    """A node of the tree, read once: faces do not outlive their widgets."""

    role: Role
    name: str
    description: str
    group: tuple[int, ...]
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.role.name} {self.name!r} in {' › '.join(self.path[-4:])}"


def nodes(
    face: QAccessibleInterface, group: tuple[int, ...] = (), path: tuple[str, ...] = ()
) -> Iterator[Node]:
    """Every node that is shown and takes the keyboard."""
    state, name = face.state(), face.text(Text.Name)
    if state.focusable and not state.invisible:
        yield Node(face.role(), name, face.text(Text.Description), group, path)
    for number in range(face.childCount()):
        child = face.child(number)
        if child is not None and child.isValid():
            yield from nodes(child, (*group, number), (*path, name or face.role().name))


def all_nodes(bench) -> dict[str, list[Node]]:
    """The nodes of the window with each tab of the explorer in turn."""
    window, found = bench.window, {}
    for tab in range(window.tabs.count()):
        window.tabs.setCurrentIndex(tab)
        QTest.qWait(30)
        face = QAccessible.queryAccessibleInterface(window)
        found[window.tabs.tabText(tab)] = list(nodes(face))
    return found


@pytest.fixture
def shown(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, vllm_plan()) as bench:
        bench.session.set_current("d")
        yield bench


def test_every_node_that_takes_the_keyboard_has_a_name(shown):
    found = all_nodes(shown)
    unnamed = {
        str(node)
        for page in found.values()
        for node in page
        if not node.name.strip() or re.search(r"&(?=\w)", node.name)
    }
    assert not unnamed
    assert sum(map(len, found.values())) > 1_000


def test_names_tell_the_controls_of_a_group_apart(shown):
    for tab, page in all_nodes(shown).items():
        groups: dict[tuple[int, ...], list[Node]] = {}
        for node in page:
            # On Linux a box of choices is named by what is chosen; what it is for says its label.
            if node.role not in (*_CELLS, Role.StaticText, Role.ComboBox):
                groups.setdefault(node.group[:-1], []).append(node)
        for group in groups.values():
            twice = [name for name, count in Counter(n.name for n in group).items() if count > 1]
            assert not twice, (tab, twice)


def test_every_box_of_choices_has_a_label_or_says_what_it_is_for(shown):
    boxes = shown.window.findChildren(QComboBox)
    assert len(boxes) > 8
    for box in boxes:
        face = QAccessible.queryAccessibleInterface(box)
        labels = [face for face, _ in face.relations(QAccessible.RelationFlag.Label)]
        assert labels or box.accessibleDescription(), (type(box).__name__, box.accessibleName())
        assert box.accessibleName()


def test_every_quantity_says_its_unit_and_its_range(shown):
    for section in shown.window.panel.sections:
        for fold in section.folds:
            fold.row.button.click()
    edits = shown.window.panel.findChildren(QuantityEdit)
    assert len(edits) > 30
    for edit in edits:
        controls = [edit.line] + ([edit.slider] if edit.slider is not None else [])
        units_of = {
            "tokens": "tokens",
            "count": "whole number",
            "bytes": "GiB",
            "share": "%",
            "amount": "%",
            "number": "number",
        }
        for control in controls:
            said = QAccessible.queryAccessibleInterface(control).text(Text.Description)
            assert units_of[edit.field.kind] in said, (edit.field.id, said)
            assert re.search(r"from \d.* to \d", said), (edit.field.id, said)


def test_the_bars_are_a_chart_with_a_summary_and_a_table(shown):
    face = QAccessible.queryAccessibleInterface(shown.window.bars_card.bars)
    assert face.role() == Role.Chart
    assert face.text(Text.Name) == "Memory per GPU"
    said = face.text(Text.Description)
    assert "Over" in said
    assert "Ledger" in said
    titles = [shown.window.tabs.tabText(index) for index in range(shown.window.tabs.count())]
    assert "Ledger" in titles


def tab_stops(window: QWidget) -> set[QWidget]:
    """Every widget that is shown and says that Tab goes to it."""
    return {
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusProxy() is None
        and widget.window() is window
    }


def test_tab_and_backtab_reach_everything_and_nothing_holds_them(shown):
    window = shown.window
    for tab in range(window.tabs.count()):
        window.tabs.setCurrentIndex(tab)
        QTest.qWait(30)
        window.strip.focus_current()
        forth = walked(window, Qt.Key.Key_Tab)
        window.strip.focus_current()
        back = walked(window, Qt.Key.Key_Backtab)
        assert set(forth) == set(back)
        missed = tab_stops(window) - set(forth)
        names = [(type(widget).__name__, widget.accessibleName()) for widget in missed]
        assert not names, window.tabs.tabText(tab)


def test_a_new_verdict_reaches_who_cannot_see_it(shown):
    verdict = shown.window.verdict
    before = verdict.accessibleDescription()
    shown.session.set_field("workload.concurrency", 1)
    wait_until(lambda: verdict.accessibleDescription() != before)
    assert QApplication.focusWidget() is not None

"""Many clicks and keys over a plan of vLLM scenarios: nothing breaks, undo brings it back."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from tests.gui import parts
from tests.gui.window_kit import click, key, opened_bench
from workbench.gui.fields.choice import PresetBox
from workbench.gui.fields.line import QuantityLine
from workbench.gui.panels.flags_section import FlagsSection
from workbench.library.plans import dumps
from workbench.spec.scenario import Plan

pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)

ENTER, ESCAPE, TAB = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab
RELEASES = ("0.33.0", "0.19.1", "0.8.5", "0.9.2", "0.6.6", "0", "9999.9", "abc", "", "0.15.1")
TEXTS = ("", "0", "-1", "1", "16", "8k", "1e99", "90 %", "0.5", "2 GiB", "x2", "x999999", "nan")
TEXTS += ("inf", "9" * 40, "soon", "16, 32", "~", "%", "1 2 3", "131072", "0x10")
ACTIONS = ("engine", "core", "model", "card", "format", "undo", "redo", "tab", "fold", "scenario")
ACTIONS += ("release", "flag", "field") * 2
MODELS = ("gpt-oss-20b", "gemma-3-27b", "deepseek-v4-pro", "qwen3.5-397b", "llama-3.1-405b")
CARDS = ("h200", "8x-h100", "a100-80", "4x-a100", "80-gib")


def scenarios():
    return (
        parts.vllm("a", "gemma-3-27b-it", "a100-80-sxm", "0.33.0", tp=2),
        parts.vllm("b", "llama-3.1-8b", "h100-sxm", "0.19.1"),
        parts.ledger_lab("c"),
    )


class Attack:
    def __init__(self, bench, seed: int) -> None:
        self.bench, self.window = bench, bench.window
        self.session, self.dice = bench.session, random.Random(seed)

    def row(self, field_id):
        found = [section.row(field_id) for section in self.window.panel.sections]
        return next((row for row in found if row is not None), None)

    def act(self) -> str:
        name = self.dice.choice(ACTIONS)
        getattr(self, name)()
        parts.follow()
        return name

    def engine(self):
        box = self.row("engine.kind").box
        box.setFocus()
        key(box, self.dice.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def release(self):
        row = self.row("engine.release")
        if row is None or not row.isVisible():
            return
        box = row.release_box
        box.setFocus()
        box.line.selectAll()
        text = self.dice.choice(RELEASES)
        if text:
            QTest.keyClicks(box, text)
        else:
            key(box, Qt.Key.Key_Delete)
        key(box, self.dice.choice((ENTER, ESCAPE, TAB)))

    def core(self):
        row = self.row("engine.core")
        if row is not None and row.isVisible():
            row.box.setFocus()
            key(row.box, self.dice.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def sections(self):
        return [s for s in self.window.panel.sections if isinstance(s, FlagsSection)]

    def flag(self):
        for section in self.sections():
            rows = [r for r in section.choices.values() if r.isVisible()]
            if rows:
                box = self.dice.choice(rows).box
                box.setFocus()
                key(box, self.dice.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def field(self):
        rows = [
            row
            for section in self.window.panel.sections
            for row in (*section.fields.values(), *section.typed.values())
            if row.isVisible()
        ]
        line = self.dice.choice(rows).line
        line.setFocus()
        line.selectAll()
        text = self.dice.choice(TEXTS)
        if text:
            QTest.keyClicks(line, text)
        else:
            key(line, Qt.Key.Key_Delete)
        if self.dice.random() < 0.2 and isinstance(line, QuantityLine):
            key(line, self.dice.choice((Qt.Key.Key_Up, Qt.Key.Key_PageDown)))
        key(line, self.dice.choice((ENTER, ESCAPE, TAB)))

    def choose(self, field_id, text):
        box = self.row(field_id).box
        assert isinstance(box, PresetBox)
        box.setFocus()
        QTest.keyClicks(box, text[0])
        QTest.keyClicks(box.popup.filter, text[1:])
        key(box.popup.filter, self.dice.choice((ENTER, ENTER, ESCAPE)))
        if box.popup.isVisible():
            key(box.popup.filter, ESCAPE)

    def model(self):
        self.choose("model.preset", self.dice.choice(MODELS))

    def card(self):
        self.choose("gpu.preset", self.dice.choice(CARDS))

    def format(self):
        self.choose("precision.weights", self.dice.choice(("fp8", "bf16", "mxfp4", "awq")))

    def undo(self):
        click(self.window.undo_button)

    def redo(self):
        click(self.window.redo_button)

    def tab(self):
        tabs = self.window.tabs
        bar = tabs.tabBar()
        click(bar, bar.tabRect(self.dice.randrange(tabs.count())).center())

    def fold(self):
        buttons = [
            fold.row.button
            for section in self.window.panel.sections
            for fold in section.folds
            if fold.row.isVisible()
        ]
        if buttons:
            button: QAbstractButton = self.dice.choice(buttons)
            click(button)

    def scenario(self):
        plan = self.session.plan
        self.session.set_current(self.dice.choice([s.id for s in plan.scenarios]))


def attacked(qapp, home, seed, actions, told=None):
    plan = Plan(scenarios=scenarios(), baseline="a")
    with opened_bench(qapp, home, plan) as bench:
        before = dumps(bench.session.plan)
        attack = Attack(bench, seed)
        for number in range(actions):
            name = attack.act()
            if told is not None:
                told(number, name)
            assert "bug" not in bench.messages()
        after = dumps(bench.session.plan)
        index = bench.session.undo_stack.index()
        while bench.session.undo_stack.canUndo():
            bench.session.undo()
        parts.follow()
        assert dumps(bench.session.plan) == before
        while bench.session.undo_stack.index() < index:
            bench.session.redo()
        assert dumps(bench.session.plan) == after


@pytest.mark.parametrize("seed", [1, 2])
def test_random_clicks_and_keys_break_nothing_and_are_undone(qapp, tmp_path, seed):
    attacked(qapp, tmp_path, seed, 60)


NONSENSE = ("-5", "soon", "9" * 40, "nan", "1e400", "0.0000001", "% %", "~")


def test_nonsense_in_every_field_of_the_engine_is_refused_or_taken(qapp, tmp_path):
    plan = Plan(scenarios=scenarios(), baseline="a")
    with opened_bench(qapp, tmp_path, plan) as bench:
        before = dumps(plan)
        section = next(s for s in bench.window.panel.sections if isinstance(s, FlagsSection))
        for fold in section.folds:
            click(fold.row.button)
        parts.follow()
        for row in (*section.fields.values(), *section.typed.values()):
            for text in NONSENSE:
                row.line.setFocus()
                row.line.selectAll()
                QTest.keyClicks(row.line, text)
                key(row.line, ENTER)
                key(row.line, ESCAPE)
                assert "bug" not in bench.messages()
        while bench.session.undo_stack.canUndo():
            bench.session.undo()
        assert dumps(bench.session.plan) == before

"""Tab "Engines": the same question under every engine, and what makes the difference."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from pydantic import ValidationError
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.budget import ledger_of
from workbench.core.explain import figure
from workbench.gui.engine_names import engine_name
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.fields.wording import field_label
from workbench.gui.labels import Label, heading, muted
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import labelled, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, field_why, set_why
from workbench.library.engine_choice import ENGINES, carried, with_engine
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.units import group_digits, show_bytes

_NOTHING: Final = "–"
_NAME_CHARACTERS: Final = 18
_SLICE_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True)
class _Answer:
    """One engine with what it makes of the question."""

    kind: str
    trial: Scenario
    ledger: Ledger
    lost: tuple[str, ...]
    """Flags of the scenario that mean nothing under this engine."""


class EnginesView(View):
    """A row an engine: the scenario's own as it is, others in the newest release that was read."""

    def _build(self) -> None:
        self._answers: tuple[_Answer, ...] = ()
        self._own_kind = ""
        """The engine of the scenario that is asked about, which may be gone by the last answer."""
        self._found: list[_Answer] = []
        self._to_find: Iterator[_Answer | None] = iter(())
        self._finding = False
        self._more = Soon(self._go_on, self, Turn.SEARCH)
        head = QWidget(self)
        self.choice = ChoiceBox(head)
        self.choice.setMinimumContentsLength(_NAME_CHARACTERS)
        self.choice.chosen.connect(self._show_verbs)
        self.name = Label("", head, role="muted")
        self.name.setBuddy(self.choice)
        self.use = QPushButton(head)
        self.use.clicked.connect(self._use)
        self.add = QPushButton(head)
        self.add.clicked.connect(self._add)
        for control in (self.choice, self.use, self.add):
            set_why(control, field_why(None, "engine.kind"))
        row = QHBoxLayout(head)
        em = self.fontMetrics().height()
        row.setContentsMargins(em // 2, em // 3, 0, 0)
        for widget in (self.name, self.choice, self.use, self.add):
            row.addWidget(widget)
        row.addStretch(1)
        self.page = Page(self)
        self.table = Block("", ("",) * 8, self.page.body, stretch=7)
        self.page.add(self.table)
        self.rules_title = heading("", self.page.body)
        self.page.add(self.rules_title)
        self.rules = {kind: muted("", self.page.body) for kind in ENGINES}
        for label in self.rules.values():
            self.page.add(label)
        self.remark = muted("", self.page.body)
        self.page.add(self.remark)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(head)
        layout.addWidget(self.page, 1)

    def _say(self) -> None:
        self.name.set_text(translate("Views", "engine"))
        self.choice.setAccessibleName(translate("Views", "Engine to change to"))
        self.use.setText(translate("Views", "Use it"))
        self.use.setAccessibleDescription(
            translate("Views", "Gives the scenario this engine; one step to undo")
        )
        self.add.setText(translate("Views", "Add the others as scenarios"))
        self.add.setAccessibleDescription(
            translate("Views", "Adds a scenario for each other engine, to be compared")
        )
        self.table.say(
            translate("Views", "The same question under each engine"),
            (
                translate("Views", "Engine"),
                translate("Views", "Verdict"),
                translate("Views", "Most requests"),
                translate("Views", "Pool"),
                translate("Views", "Pool tokens"),
                translate("Views", "KV per token"),
                translate("Views", "Left"),
                translate("Views", "Not taken over"),
            ),
        )
        self.rules_title.set_text(translate("Views", "The rule that makes the difference"))
        self.remark.set_text(
            translate(
                "Views",
                "Engines whose release is not the scenario's own are shown with the newest one "
                "that was read.",
            )
        )

    # Showing

    def _show(self) -> None:
        scenario = self.session.shown(str(self.session.current_id))
        self._own_kind = scenario.engine.kind
        self._found = []
        self._to_find = (_answer(scenario, kind) for kind in ENGINES)
        self._finding = True
        self._go_on()

    def _go_on(self) -> None:
        """Ask a few engines, and the others in turns to come: six new ledgers are a wait."""
        end = time.perf_counter() + _SLICE_SECONDS
        for answer in self._to_find:
            if answer is not None:
                self._found.append(answer)
            if time.perf_counter() > end:
                self._more.ask()
                return
        self._finding = False
        self._show_found(tuple(self._found))

    def _show_found(self, found: tuple[_Answer, ...]) -> None:
        self._answers = found
        self.table.show_rows([_row(answer) for answer in self._answers])
        named = {answer.kind: answer for answer in self._answers}
        for kind, label in self.rules.items():
            label.setVisible(kind in named)
            if kind in named:
                rule = words_tr(words.ENGINE_RULES[kind])
                label.set_text(labelled(_name(named[kind]), rule))
                set_why(label, field_why(None, "engine.kind"))
        others = [answer for answer in self._answers if answer.kind != self._own_kind]
        chosen = self.choice.currentData()
        self.choice.set_choices([(answer.kind, _name(answer)) for answer in others])
        if others:
            known = {answer.kind for answer in others}
            self.choice.show_choice(chosen if chosen in known else others[0].kind)
        self._show_verbs()

    def _show_verbs(self, _: object = None) -> None:
        answer = self._chosen()
        self.use.setEnabled(answer is not None)
        self.add.setEnabled(len(self._answers) > 1)
        if answer is not None:
            text = translate("Views", "Use {engine}").format(engine=_name(answer))
            self.use.setText(text)

    def _chosen(self) -> _Answer | None:
        kind = self.choice.currentData()
        return next((answer for answer in self._answers if answer.kind == kind), None)

    # Verbs

    def _finish(self) -> None:
        """Know every answer about the scenario as it is now."""
        self._soon.finish()
        while self._finding:
            self._more.finish()

    def _use(self) -> None:
        self._finish()
        answer = self._chosen()
        if answer is not None:
            self.session.choose_engine(answer.kind, answer.trial.engine.release)

    def _add(self) -> None:
        self._finish()
        if self.session.current_id is None:
            # The rows of the last scenario stand until there is another one.
            return
        scenario = self.session.shown(self.session.current_id)
        others = [answer for answer in self._answers if answer.kind != self._own_kind]
        named = [
            answer.trial.with_(name=f"{scenario.name}, {_name(answer)}"[:200]) for answer in others
        ]
        self.session.paste(named)


def _answer(scenario: Scenario, kind: str) -> _Answer | None:
    """What an engine makes of the question; None where it cannot hold it at all."""
    trial = scenario
    if kind != scenario.engine.kind:
        try:
            trial = with_engine(scenario, kind)
        except (UserError, ValidationError):
            return None
    return _Answer(kind, trial, ledger_of(trial), carried(scenario.engine, trial.engine).lost)


def _name(answer: _Answer) -> str:
    return engine_name(answer.trial.engine)


def _row(answer: _Answer) -> tuple[Cell, ...]:
    ledger, pool = answer.ledger, answer.ledger.pool
    worst = ledger.worst_rank
    over = worst.over_bytes
    left = number(
        f"−{show_bytes(over)}" if over else show_bytes(worst.left_bytes),
        why=partial(_why, answer, "over" if over else "left"),
    )
    verdict, refusal = words.status_text(ledger.verdict, words_tr), ledger.verdict.refusal
    if refusal is not None and refusal.category == "unsupported":
        # It is not the engine that refuses, and the sizes of a model without a rule say nothing.
        verdict, left = words_tr(words.STATUS["refuses.unsupported"]), number(_NOTHING)
    return (
        word(_name(answer), why=field_why(None, "engine.release")),
        word(verdict, tip=words.verdict_text(ledger, words_tr)),
        _figure(answer, "most_requests", ledger.most_requests, group_digits),
        _figure(answer, "pool_bytes", None if pool is None else pool.bytes, show_bytes),
        _figure(answer, "pool_tokens", None if pool is None else pool.tokens, group_digits),
        _figure(
            answer,
            "kv_bytes_per_token",
            None if pool is None else pool.kv_bytes_per_token,
            show_bytes,
        ),
        left,
        word(", ".join(field_label(f"engine.{name}") for name in answer.lost) or _NOTHING),
    )


def _figure(
    answer: _Answer, name: str, value: float | Fraction | None, show: Callable[[int], str]
) -> Cell:
    """A figure that is explained when somebody asks; a dash where the engine has none."""
    if value is None:
        return number(_NOTHING)
    return number(show(int(value)), why=partial(_why, answer, name))


def _why(answer: _Answer, name: str) -> Why | None:
    term = figure(answer.trial, answer.ledger, name)
    return None if term is None else Why(None, term=term)

"""What takes a moment: the solved answers and the way between two columns, off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.core.budget import ledger_of
from workbench.core.compare import Column, Comparison, compare
from workbench.core.waterfall import Waterfall, waterfall
from workbench.gui.jobs import Jobs
from workbench.spec.scenario import Scenario

_PAUSE_MS: Final = 60
"""A worker takes the interpreter from the window in turns: a burst of edits is not worked on."""


@dataclass(frozen=True, slots=True)
class Question:
    """Columns, the one the others are compared with, and the one that is explained."""

    scenarios: tuple[Scenario, ...]
    baseline: int
    target: int | None


@dataclass(frozen=True, slots=True)
class Worked:
    """A question with its whole answer."""

    question: Question
    comparison: Comparison
    way: Waterfall | None


def work(question: Question) -> Worked:
    """Answer a question in full."""
    scenarios = question.scenarios
    comparison = compare(scenarios, question.baseline, ledger_of)
    way = None
    if question.target is not None:
        way = waterfall(scenarios[question.baseline], scenarios[question.target], ledger_of)
    return Worked(question, comparison, way)


def at_once(question: Question, known: Worked | None) -> Comparison:
    """Answer without solving for anything; what was solved before for the same scenario stays."""
    made = compare(question.scenarios, question.baseline, ledger_of, answers=False)
    before = () if known is None else known.comparison.columns
    solved = {column.scenario: column for column in before}
    columns = tuple(_with_answers(column, solved.get(column.scenario)) for column in made.columns)
    return replace(made, columns=columns)


def _with_answers(column: Column, solved: Column | None) -> Column:
    if solved is None:
        return column
    return replace(
        column,
        largest_concurrency=solved.largest_concurrency,
        largest_context=solved.largest_context,
        smallest_tp=solved.smallest_tp,
    )


class Worker(QObject):
    """Answers the newest question; one that came while another was worked on waits."""

    done = Signal(object)
    """The `Worked` of the newest question."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._running = False
        self._wanted: Question | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._start)

    def ask(self, question: Question) -> None:
        """Answer this, nothing older."""
        self._wanted = question
        if not self._running:
            self._pause.start()

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._running or self._pause.isActive()

    def _start(self) -> None:
        assert self._wanted is not None
        self._running = True
        self._jobs.run(partial(work, self._wanted), self._finish, self._fail)

    def _finish(self, worked: Worked) -> None:
        self._running = False
        if worked.question is self._wanted:
            self._wanted = None
            self.done.emit(worked)
        else:
            self._pause.start()

    def _fail(self, error: Exception) -> None:
        self._running = False
        raise error

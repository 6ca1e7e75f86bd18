"""Says of an opened plan or record what has changed since, and by how much its answers move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, QTimer

from workbench.gui.commands import Step
from workbench.gui.messages import Message, MessageAction
from workbench.gui.tr import words
from workbench.spec.errors import UserError

if TYPE_CHECKING:
    from workbench.gui.app import Workbench
    from workbench.library.presets import Library
    from workbench.library.records import Recorded
    from workbench.library.stale import Move, Stale
    from workbench.spec.scenario import Plan, Scenario

SLOT: Final = "stale"
ANSWERS_SLOT: Final = "recorded answers"
_AFTER_PAINT_MS: Final = 150
"""The window paints before anything is looked up."""
_MOST_MOVED: Final = 20
"""Scenarios whose answers are worked out again to find one that moves."""

One = TypeVar("One", bound=tuple[Any, ...])
Found = list[tuple["Scenario", "tuple[Stale, ...]", "tuple[Move, ...]"]]


def attach(bench: Workbench) -> None:
    """Look at every document that is opened."""
    Staleness(bench)


class Staleness(QObject):
    """Compares a document with presets, engine rules and answers as they are now."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.session)
        self._session = bench.session
        self._jobs = bench.jobs
        self._library = bench.library
        self._looks = 0
        self._recorded: Recorded | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_PAINT_MS)
        self._timer.timeout.connect(self._look)
        bench.files.replaced.connect(self._forget)
        bench.files.opened.connect(self._opened)

    def _forget(self) -> None:
        # The document that was opened last is the one to tell of.
        self._looks += 1
        self._timer.stop()
        for slot in (SLOT, ANSWERS_SLOT):
            self._session.tell(Message("info", "", slot=slot))

    def _opened(self, recorded: Recorded | None) -> None:
        self._recorded = recorded
        self._timer.start()

    def _look(self) -> None:
        recorded, self._recorded = self._recorded, None
        self._jobs.run(
            partial(_look_at, self._library.twin(), self._session.plan, recorded),
            partial(self._tell, self._looks),
            self._failed,
        )

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self._session.tell(Message.of_error(error, slot=SLOT))

    def _tell(self, number: int, found: tuple[Found, list[tuple[Scenario, str]]]) -> None:
        if number != self._looks:
            return
        stale, answers = found
        if answers:
            scenario, what = _first(answers, self._session.plan.baseline)
            self._say(scenario, what, len(answers) - 1, (), ANSWERS_SLOT)
        if stale:
            farthest = sorted(stale, key=lambda one: _distance(one[2]), reverse=True)
            scenario, parts, moved = _first(farthest, self._session.plan.baseline)
            can_take = any(not part.gone for _, found_parts, _ in stale for part in found_parts)
            actions = (MessageAction("take", self._take),) if can_take else ()
            self._say(scenario, _what(parts, moved), len(stale) - 1, actions, SLOT)

    def _say(
        self,
        scenario: Scenario,
        what: str,
        more: int,
        actions: tuple[MessageAction, ...],
        slot: str,
    ) -> None:
        params = {"name": scenario.name, "what": what, "count": more}
        code = "plan_stale_more" if more else "plan_stale"
        self._session.tell(Message("warning", code, params, actions, slot))

    def _take(self) -> None:
        """Take what presets and releases say now into every scenario, as one step.

        Copies that a person has changed since are left to their own rows of the form.
        """
        from workbench.library import stale

        # What was told of, not what the window read before somebody wrote it anew.
        library = self._library.twin()
        made: list[Scenario] = []
        names: dict[str, None] = {}
        for scenario in self._session.plan.scenarios:
            parts = tuple(part for part in _parts(library, scenario) if not part.gone)
            taken = stale.all_adopted(library, scenario, parts)
            if parts and taken is not None:
                names.update(dict.fromkeys(part.reference for part in parts))
                made.append(taken)
        if made:
            step = Step("adopt_preset", {"name": ", ".join(names)})
            self._session.replace_scenarios(made, step)
        self._session.tell(Message("info", "", slot=SLOT))


def _look_at(
    library: Library, plan: Plan, recorded: Recorded | None
) -> tuple[Found, list[tuple[Scenario, str]]]:
    """Return scenarios with stale parts, and those whose recorded answers are others today."""
    from workbench.core.budget import budget
    from workbench.library import stale
    from workbench.library.move_words import figures_text

    found: Found = []
    for scenario in plan.scenarios:
        parts = _parts(library, scenario)
        if parts:
            moved = stale.moves(library, scenario, parts) if len(found) < _MOST_MOVED else ()
            found.append((scenario, parts, moved))
    answers = []
    known = recorded.answers if recorded is not None and recorded.answers_hold else {}
    for scenario in plan.scenarios if known else ():
        before = known.get(scenario.id)
        after = None if before is None else stale.figures_of(budget(scenario))
        if before is not None and after is not None and before != after:
            answers.append((scenario, _program(recorded, figures_text(before, after, words))))
    return found, answers


def _program(recorded: Any, moved: str) -> str:
    from workbench.spec.words import fill
    from workbench.spec.words.record import MOVES

    program = fill(words(MOVES["program"]), {"version": recorded.app_version})
    return fill(words(MOVES["moves"]), {"what": program, "moves": moved})


def _parts(library: Library, scenario: Scenario) -> tuple[Stale, ...]:
    """Return the stale parts that taking anew would not rob of a person's own edits."""
    from workbench.library import stale

    parts = stale.stale_parts(library, scenario)
    return tuple(part for part in parts if not stale.is_edited(scenario, part.part))


def _first(found: Sequence[One], baseline: str | None) -> One:
    """Return what concerns the baseline, else the first."""
    return next((one for one in found if one[0].id == baseline), found[0])


def _distance(moved: tuple[Move, ...]) -> tuple[bool, int, int]:
    return moved[-1].distance if moved else (False, 0, 0)


def _what(parts: tuple[Stale, ...], moved: tuple[Move, ...]) -> str:
    """Say which fields have changed and what all of them together move."""
    from workbench.library.move_words import figures_text, stale_text
    from workbench.spec.words import fill
    from workbench.spec.words.record import MOVES

    what = "; ".join(stale_text(part, words) for part in parts)
    if not moved:
        return what
    last = moved[-1]
    figures = figures_text(last.before, last.after, words)
    return fill(words(MOVES["moves"]), {"what": what, "moves": figures})

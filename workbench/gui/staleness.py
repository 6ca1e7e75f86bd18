"""Says of an opened plan or record what has changed since, and by how much its answers move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

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
_MOST_MOVED: Final = 20
"""Scenarios whose answers are worked out again to find one that moves."""

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
        bench.files.opened.connect(self._look)

    def _look(self, recorded: Recorded | None) -> None:
        # The document that was opened last is the one to tell of.
        self._looks += 1
        for slot in (SLOT, ANSWERS_SLOT):
            self._session.tell(Message("info", "", slot=slot))
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
            scenario, what = answers[0]
            self._say(scenario, what, len(answers) - 1, (), ANSWERS_SLOT)
        if stale:
            scenario, parts, moved = next((one for one in stale if _moves(one[2])), stale[0])
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

        made: list[Scenario] = []
        names: dict[str, None] = {}
        for scenario in self._session.plan.scenarios:
            taken = scenario
            for part in stale.stale_parts(self._library, scenario):
                if not part.gone and not stale.is_edited(scenario, part.part):
                    taken = stale.adopted(self._library, taken, part.part)
                    names[part.reference] = None
            if taken is not scenario:
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
        parts = stale.stale_parts(library, scenario)
        if parts:
            moved = stale.moves(library, scenario, parts) if len(found) < _MOST_MOVED else ()
            found.append((scenario, parts, moved))
    answers = []
    for scenario in plan.scenarios if recorded is not None else ():
        before = recorded.answers.get(scenario.id) if recorded is not None else None
        after = None if before is None else stale.figures_of(budget(scenario))
        if before is not None and after is not None and before != after:
            answers.append((scenario, _program(recorded, figures_text(before, after, words))))
    return found, answers


def _program(recorded: Any, moved: str) -> str:
    from workbench.spec.words import fill
    from workbench.spec.words.record import MOVES

    program = fill(words(MOVES["program"]), {"version": recorded.app_version})
    return fill(words(MOVES["moves"]), {"what": program, "moves": moved})


def _moves(moved: tuple[Move, ...]) -> bool:
    return any(move.moves for move in moved)


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

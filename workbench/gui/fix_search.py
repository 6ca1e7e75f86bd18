"""Looks for fixes of the scenario that is looked at, after the paint and a little at a time."""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.core.budget import ledger_of
from workbench.gui.soon import Soon, Turn
from workbench.library.presets import Library
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario

if TYPE_CHECKING:
    from workbench.core.fixes import Fixes, Formats
    from workbench.core.solve import Search

_REMEMBERED: Final = 32
_SLICE_SECONDS: Final = 0.002
_QUIET_MS: Final = 200
"""While a value is typed or dragged the search waits for a pause of so long."""
AFTER_EDIT_MS: Final = 120
"""After an edit it lets the next one come, and all be painted, first."""
_KV_FORMATS: Final = ("fp8", "bf16")
_WEIGHT_FORMATS: Final = ("fp8", "bf16")

Question = tuple[object, ...]


def question_of(scenario: Scenario) -> Question:
    """What the fixes of a scenario depend on: everything but its name and notes."""
    from workbench.core.inputs import parts_of

    return parts_of(scenario)


def applied(fix: Scenario, scenario: Scenario) -> Scenario:
    """The scenario with what a fix changes, under its own name."""
    from workbench.core.inputs import PARTS

    return scenario.with_(**{part: getattr(fix, part) for part in PARTS})


def formats_of(library: Library) -> Formats:
    """The formats that a fix may take: those every engine and card knows."""
    from workbench.core.fixes import Formats

    kv, weights = [], []
    for name in _KV_FORMATS:
        with suppress(UserError):
            kv.append(library.kv_format(name).value)
    for name in _WEIGHT_FORMATS:
        with suppress(UserError):
            weights.append(library.weight_format(name).value)
    return Formats(tuple(kv), tuple(weights))


class FixSearch(QObject):
    """One search at a time; what was found is remembered for the last few scenarios."""

    found = Signal(object)
    """The `Fixes` of the scenario last asked for."""

    def __init__(self, library: Library, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._formats: Formats | None = None
        self._known: OrderedDict[Question, Fixes] = OrderedDict()
        self._question: Question | None = None
        self._scenario: Scenario | None = None
        self._search: Search[Fixes] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self._more = Soon(self._go_on, self, Turn.SEARCH)

    def look(self, scenario: Scenario, *, is_preview: bool) -> Fixes | None:
        """Return the fixes if they are known; else look for them and tell when they are found."""
        question = question_of(scenario)
        known = self._known.get(question)
        if known is not None:
            self.stop()
            self._known.move_to_end(question)
            return known
        if question != self._question:
            self.stop()
            self._question, self._scenario = question, scenario
            self._timer.start(_QUIET_MS if is_preview else AFTER_EDIT_MS)
        elif not is_preview and self._timer.remainingTime() > AFTER_EDIT_MS:
            self._timer.start(AFTER_EDIT_MS)
        return None

    def stop(self) -> None:
        """Look for nothing more."""
        self._timer.stop()
        self._more.stop()
        self._search = self._question = self._scenario = None

    def _go_on(self) -> None:
        """Work for a few milliseconds, then let the window have its turn."""
        question, scenario = self._question, self._scenario
        if question is None or scenario is None:
            return
        if self._search is None:
            self._search = self._begun(scenario)
        search = self._search
        end = time.perf_counter() + _SLICE_SECONDS
        try:
            while time.perf_counter() < end:
                next(search)
        except StopIteration as ended:
            self._remember(question, ended.value)
            self.stop()
            self.found.emit(ended.value)
            return
        self._more.ask()

    def _begun(self, scenario: Scenario) -> Search[Fixes]:
        """Begin a search. What it takes is read the first time, when the window is there."""
        from workbench.core.fixes import search_fixes

        if self._formats is None:
            self._formats = formats_of(self._library)
        return search_fixes(scenario, ledger_of, self._formats)

    def _remember(self, question: Question, fixes: Fixes) -> None:
        self._known[question] = fixes
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

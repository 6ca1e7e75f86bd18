"""Files dropped on the window: plans open, two offer to be compared, a preset is imported."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import ValidationError
from PySide6.QtCore import QElapsedTimer, QObject

from workbench.gui.files import RECORDS
from workbench.gui.messages import Message, MessageAction
from workbench.gui.scenario_clipboard import ScenarioClipboard
from workbench.library import jsonfile, plans, preset_file
from workbench.library.paths import shown
from workbench.library.plans import SUFFIX, Loaded
from workbench.spec.base import MAX_NAME_CHARACTERS
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario

if TYPE_CHECKING:
    from workbench.gui.app import Workbench

SLOT: Final = "drop"
COMPARE: Final = "compare.open"
_JSON: Final = ".json"
_PATIENCE_MS: Final = 60_000
"""How long a dropped plan may take to open for the others to be offered beside it."""


class Drops(QObject):
    """Does the obvious with each file; what has none gets a sentence."""

    def __init__(self, bench: Workbench, clipboard: ScenarioClipboard) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._session = bench.session
        self._clipboard = clipboard
        self._waiting: tuple[Path, list[_Other]] | None = None
        self._age = QElapsedTimer()
        self._session.plan_changed.connect(self._offer)
        bench.window.dropped.connect(self.take)

    def take(self, dropped: object) -> None:
        """Take the names of dropped files."""
        paths = [Path(name) for name in dropped] if isinstance(dropped, list | tuple) else []
        self._waiting = None
        self._age.start()
        found = [path for path in paths if path.suffix.lower() in (SUFFIX, *RECORDS)]
        # A plan has a place of its own, to which the others can be added.
        found.sort(key=lambda path: path.suffix.lower() != SUFFIX)
        for path in paths:
            if path.suffix.lower() == _JSON:
                self._bench.jobs.run(
                    partial(_kind_of, path), partial(self._take_json, path), self._failed
                )
            elif path not in found:
                self._refuse(path.name)
        if not paths:
            self._session.tell(Message("warning", "not_a_local_file", slot=SLOT))
        if found:
            self._open(found[0], found[1:])

    def _refuse(self, name: str) -> None:
        params = {"name": shown(name)}
        self._session.tell(Message("warning", "not_a_plan_file", params, slot=SLOT))

    def _take_json(self, path: Path, kind: Literal["plan", "preset", ""]) -> None:
        presets = getattr(self._bench, "presets", None)
        if kind == "plan":
            self._bench.files.open(path)
        elif kind == "preset" and presets is not None:
            presets.import_path(path)
        else:
            self._refuse(path.name)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self._session.tell(Message.of_error(error, slot=SLOT))

    # Several plans

    def _open(self, path: Path, others: Sequence[Path]) -> None:
        self._session.tell(Message("info", "", slot=SLOT))
        self._bench.files.open(path)
        if others:
            self._bench.jobs.run(
                partial(_others_in, tuple(others)), partial(self._read, path), self._failed
            )

    def _read(self, path: Path, found: tuple[list[_Other], list[UserError]]) -> None:
        others, errors = found
        for error in errors:
            self._session.tell(Message.of_error(error))
        for other in others:
            self._bench.store.set(self._bench.store.settings.with_recent(other.path))
        if any(other.loaded.plan.scenarios for other in others):
            self._waiting = (path, others)
            self._offer()

    def _offer(self) -> None:
        """Offer to compare once the first plan is open, whichever was read first."""
        source = self._bench.files.source
        if self._waiting is None or source is None:
            return
        if self._age.hasExpired(_PATIENCE_MS):
            # The first plan was not opened after all, because unsaved work was kept.
            self._waiting = None
            return
        path, others = self._waiting
        if os.path.abspath(path) != os.path.abspath(source):
            return
        self._waiting = None
        actions = (MessageAction("compare", partial(self._compare, others)),)
        params = {"names": ", ".join(other.name for other in others)}
        self._session.tell(Message("info", "plans_dropped", params, actions, SLOT))

    def _compare(self, others: list[_Other]) -> None:
        """Put the other plans' scenarios beside those of the open one, as one step."""
        try:
            self._clipboard.add([scenario for other in others for scenario in other.scenarios])
        except UserError as error:
            self._session.tell(Message.of_error(error, slot=SLOT))
            return
        for other in others:
            self._bench.files.tell_notes(other.loaded.scenario_notes, other.name)
        self._session.pick(scenario.id for scenario in self._session.plan.scenarios)
        self._bench.window.actions_by_id[COMPARE].trigger()


def _kind_of(path: Path) -> Literal["plan", "preset", ""]:
    """Tell what a JSON file is by what it says of itself; raises `UserError`."""
    data = jsonfile.read_bytes(path, jsonfile.PLAN_LIMIT_BYTES)
    stated = jsonfile.parse_object(data, shown(path)).get("format")
    if stated == plans.FORMAT:
        return "plan"
    return "preset" if stated == preset_file.FORMAT else ""


@dataclass(frozen=True, slots=True)
class _Other:
    """A plan that was dropped beside the one that opens."""

    path: Path
    loaded: Loaded

    @property
    def name(self) -> str:
        return shown(self.path.name)

    @property
    def scenarios(self) -> list[Scenario]:
        """Its scenarios; they say which plan they are from."""
        return [_named(scenario, self.path) for scenario in self.loaded.plan.scenarios]


def _others_in(paths: tuple[Path, ...]) -> tuple[list[_Other], list[UserError]]:
    """Read plans, and say what is wrong with those that are none."""
    from workbench.library.records import load_any

    others: list[_Other] = []
    errors: list[UserError] = []
    for path in paths:
        try:
            others.append(_Other(path, load_any(path)[0]))
        except UserError as error:
            errors.append(error)
    return others, errors


def _named(scenario: Scenario, path: Path) -> Scenario:
    try:
        return scenario.with_(name=f"{path.stem} · {scenario.name}"[:MAX_NAME_CHARACTERS])
    except ValidationError:
        # A file can have a name that no scenario may have.
        return scenario


def attach(bench: Workbench, clipboard: ScenarioClipboard) -> None:
    """Take what is dropped."""
    Drops(bench, clipboard)

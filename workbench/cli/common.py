"""What the verbs share: the library, the terminal, exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from workbench.library.paths import presets_dir, user_presets_dir
from workbench.library.plans import Loaded, Note
from workbench.library.presets import Library
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.words.errors import NOTES


def open_library() -> Library:
    """The built-in presets and the person's own."""
    return Library(presets_dir(), user_presets_dir())


WIDE_COLUMNS = 110
"""From this width on tables show their long columns too."""


def console() -> Console:
    """The terminal, without markup: names are shown as they are. A pipe is a wide one."""
    terminal = Console(markup=False, highlight=False, emoji=False)
    if not terminal.is_terminal:
        terminal.width = 160
    return terminal


def print_json(value: Any) -> None:
    """Print stable JSON: insertion order, two spaces, nothing but ASCII and finite numbers."""
    print(json.dumps(value, indent=2, allow_nan=False))


def say(line: str) -> None:
    """Print a sentence for the person, where there is anywhere to print it."""
    # Without a stderr, print would take stdout, into the middle of the JSON.
    if sys.stderr is None:
        return
    try:
        print(f"kvw: {line}", file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = None


def warned(loaded: Loaded) -> Loaded:
    """Say beside the answer what in a plan may make it another than its author meant."""
    for note in _warnings(loaded):
        say(words.fill(NOTES[note.code], note.params))
    return loaded


def warnings_json(loaded: Loaded | None) -> list[dict[str, Any]]:
    """Return the same as plain values."""
    return [
        {"code": note.code, "message": words.fill(NOTES[note.code], note.params)}
        for note in ([] if loaded is None else _warnings(loaded))
    ]


def _warnings(loaded: Loaded) -> list[Note]:
    return [note for note in loaded.notes if note.is_warning]


def exit_code(ledgers: Iterable[Ledger], *, fail_on_tight: bool = False) -> int:
    """0 when all fit, 1 when one does not fit or is refused (or is tight, if asked)."""
    failing = {Status.DOES_NOT_FIT, Status.REFUSES}
    if fail_on_tight:
        failing.add(Status.TIGHT)
    return int(any(ledger.verdict.status in failing for ledger in ledgers))


def scenario_of(plan: Plan, name: str | None, path: str) -> Scenario:
    """The scenario of a name (or id), the baseline without one; raises `UserError`."""
    if not plan.scenarios or plan.baseline is None:
        raise UserError("plan_is_empty", path=path)
    if name is None:
        return plan.scenario(plan.baseline)
    found = [s for s in plan.scenarios if name in (s.name, s.id)]
    if len(found) > 1:
        raise UserError("scenario_ambiguous", text=name, found=len(found))
    if not found:
        names = ", ".join(s.name for s in plan.scenarios)
        raise UserError("scenario_unknown", text=name, accepted=names)
    return found[0]

"""What the verbs share: the library, the terminal, exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from workbench.library.paths import presets_dir, user_presets_dir
from workbench.library.presets import Library
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Plan, Scenario


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

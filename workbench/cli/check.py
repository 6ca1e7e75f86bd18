"""`kvw check`: the verdict of every scenario of a plan, for a build or a cron job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from workbench.cli.common import console, exit_code, open_library, print_json
from workbench.core.budget import budget
from workbench.library import plans
from workbench.library.stale import Stale, stale_parts
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

FAIL_ON = ("tight", "stale")


def check_verb(
    plan: Path = typer.Argument(..., metavar="PLAN.kvw"),
    fail_on: list[str] = typer.Option(
        [], "--fail-on", help="Also fail on tight or stale (may be repeated)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Exit 0 when every scenario fits, 1 when one does not."""
    for choice in fail_on:
        if choice not in FAIL_ON:
            accepted = ", ".join(FAIL_ON)
            raise UserError("choice_unknown", text=choice, option="--fail-on", accepted=accepted)
    scenarios = plans.load(plan).plan.scenarios
    library = open_library()
    rows = [(s, budget(s), stale_parts(library, s)) for s in scenarios]
    if as_json:
        print_json({"schema": 1, "rows": [_row(*row) for row in rows]})
    else:
        for row in rows:
            _print_row(*row)
    stale = "stale" in fail_on and any(parts for _, _, parts in rows)
    code = exit_code((ledger for _, ledger, _ in rows), fail_on_tight="tight" in fail_on)
    return max(code, int(stale))


def _row(scenario: Scenario, ledger: Ledger, stale: tuple[Stale, ...]) -> dict[str, Any]:
    return {
        "scenario": scenario.name,
        "status": ledger.verdict.status.value,
        "binding": ledger.verdict.binding,
        "free_bytes": ledger.worst_rank.free_bytes,
        "shortfall_bytes": ledger.verdict.shortfall_bytes,
        "stale": [
            {
                "part": part.part,
                "preset": part.reference,
                "gone": part.gone,
                "fields": list(part.fields),
            }
            for part in stale
        ],
    }


def _print_row(scenario: Scenario, ledger: Ledger, stale: tuple[Stale, ...]) -> None:
    terminal = console()
    line = f"{words.visible(scenario.name)}: {words.verdict_text(ledger)}"
    terminal.print(Text(line), soft_wrap=True)
    for part in stale:
        what = "is gone" if part.gone else f"has changed since: {', '.join(part.fields)}"
        terminal.print(Text(f"  the preset {part.reference} {what}"), soft_wrap=True)

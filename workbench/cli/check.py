"""`kvw check`: the verdict of every scenario of a plan or record, for a build or a cron job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from workbench.cli.common import (
    console,
    exit_code,
    open_library,
    print_json,
    warned,
    warnings_json,
)
from workbench.core.budget import budget
from workbench.library.move_words import figures_text, move_text, stale_text
from workbench.library.presets import Library
from workbench.library.records import Recorded, figures_json, load_any
from workbench.library.stale import Figures, Move, Stale, figures_of, moves, stale_parts
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.words.record import MOVES

FAIL_ON = ("tight", "stale")


@dataclass(frozen=True, slots=True)
class _Checked:
    """A scenario, its answer, and what has changed since."""

    scenario: Scenario
    ledger: Ledger
    stale: tuple[Stale, ...]
    moves: tuple[Move, ...]
    recorded: Figures | None
    """What a record says the answer was; None for a plan, and where that was changed since."""

    @property
    def program_differs(self) -> bool:
        """Whether the same inputs are answered otherwise today."""
        return self.recorded is not None and self.recorded != figures_of(self.ledger)


def check_verb(
    plan: Path = typer.Argument(..., metavar="PLAN.kvw|RECORD.docx|.md|.pdf"),
    fail_on: list[str] = typer.Option(
        [], "--fail-on", help="Also fail on tight or stale (may be repeated)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Exit 0 when every scenario fits, 1 when one does not.

    Says which presets and engine rules have changed since, and by how much the answers move.
    """
    for choice in fail_on:
        if choice not in FAIL_ON:
            accepted = ", ".join(FAIL_ON)
            raise UserError("choice_unknown", text=choice, option="--fail-on", accepted=accepted)
    loaded, recorded = load_any(plan)
    warned(loaded)
    library = open_library()
    rows = [_checked(library, scenario, recorded) for scenario in loaded.plan.scenarios]
    if as_json:
        print_json(_json(rows, recorded) | {"warnings": warnings_json(loaded)})
    else:
        _print(rows, recorded)
    changed = recorded is not None and bool(recorded.changed)
    stale = any(row.stale or row.program_differs for row in rows) or changed
    code = exit_code((row.ledger for row in rows), fail_on_tight="tight" in fail_on)
    return max(code, int("stale" in fail_on and stale))


def _checked(library: Library, scenario: Scenario, recorded: Recorded | None) -> _Checked:
    stale = stale_parts(library, scenario)
    moved = moves(library, scenario, stale)
    # Answers that were changed, or are those of another plan, say nothing about the rules.
    known = recorded.answers if recorded is not None and recorded.answers_hold else {}
    before = known.get(scenario.id)
    return _Checked(scenario, budget(scenario), stale, moved, before)


# JSON


def _json(rows: list[_Checked], recorded: Recorded | None) -> dict[str, Any]:
    made: dict[str, Any] = {"schema": 1, "rows": [_row(row) for row in rows]}
    if recorded is not None:
        changed = recorded.changed
        made["record"] = {"app_version": recorded.app_version, "intact": not changed}
        made["record"]["changed"] = changed or None
    return made


def _row(row: _Checked) -> dict[str, Any]:
    ledger = row.ledger
    alone = {move.stale[0].part: move for move in row.moves if len(move.stale) == 1}
    together = row.moves[-1] if row.moves else None
    return {
        "scenario": row.scenario.name,
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
                "changes": [asdict(change) for change in part.changes],
                "move": _move(alone.get(part.part)),
            }
            for part in row.stale
        ],
        "move": _move(together),
        "recorded": None if row.recorded is None else figures_json(row.recorded),
        "answer": figures_json(figures_of(ledger)),
        "rules_changed": row.program_differs,
    }


def _move(move: Move | None) -> dict[str, Any] | None:
    if move is None:
        return None
    after = None if move.after is None else figures_json(move.after)
    return {"before": figures_json(move.before), "after": after}


# Text


def _print(rows: list[_Checked], recorded: Recorded | None) -> None:
    if recorded is not None and recorded.changed:
        _say(f"{MOVES[f'changed_{recorded.changed}']}.")
    for row in rows:
        _say(f"{words.visible(row.scenario.name)}: {words.verdict_text(row.ledger)}")
        for part in row.stale:
            if part.gone:
                _say(f"  {stale_text(part)}")
        for move in row.moves:
            _say(f"  {move_text(move)}")
        if recorded is not None and row.recorded is not None and row.program_differs:
            program = words.fill(MOVES["program"], {"version": recorded.app_version})
            moved = figures_text(row.recorded, figures_of(row.ledger))
            _say("  " + words.fill(MOVES["moves"], {"what": program, "moves": moved}))


def _say(line: str) -> None:
    console().print(Text(line), soft_wrap=True)

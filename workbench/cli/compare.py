"""`kvw compare`: the scenarios of a plan side by side, against one of them."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import typer

from workbench.cli.common import console, exit_code, print_json, scenario_of, warned, warnings_json
from workbench.cli.compare_text import csv_lines, print_comparison
from workbench.core.budget import budget, ledger_of
from workbench.core.compare import compare
from workbench.core.waterfall import waterfall
from workbench.export.compare_json import compare_json
from workbench.library import plans
from workbench.library.paths import shown
from workbench.spec.errors import UserError


def compare_verb(
    plan: Path = typer.Argument(..., metavar="PLAN.kvw"),
    baseline: str | None = typer.Option(
        None, "--baseline", help="Name in the plan; else its baseline.", show_default=False
    ),
    everything: bool = typer.Option(False, "--all", help="Inputs that do not differ too."),
    as_json: bool = typer.Option(False, "--json", help="Print the public JSON."),
    as_csv: bool = typer.Option(False, "--csv", help="Print a table of exact numbers."),
) -> int:
    """Print scenarios side by side: answers, inputs that differ, memory, what moved the answer."""
    if as_json and as_csv:
        raise UserError("one_format_only", options="--json, --csv")
    loaded = warned(plans.load(plan))
    opened = loaded.plan
    base = scenario_of(opened, baseline, shown(plan))
    scenarios = opened.scenarios
    made = compare(scenarios, scenarios.index(base), budget)
    ways = tuple(None if s is base else waterfall(base, s, ledger_of) for s in scenarios)
    if as_json:
        print_json(
            {"schema": 1, "rows": compare_json(made, ways), "warnings": warnings_json(loaded)}
        )
    elif as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(csv_lines(made))
    else:
        print_comparison(console(), made, ways, everything=everything)
    return exit_code(column.ledger for column in made.columns)

"""`kvw presets`: list, show and check the fact sheets."""

from __future__ import annotations

import json
import sys
from typing import Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from workbench.cli.common import WIDE_COLUMNS, console, open_library, print_json
from workbench.library.check import Compared, Report, report
from workbench.library.engine_choice import ENGINES as ENGINE_KINDS
from workbench.library.engine_choice import engine_of
from workbench.library.presets import KINDS, Kind, Library, Listed, dumps
from workbench.library.release_table import known_releases
from workbench.spec import words
from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.errors import UserError

app = typer.Typer(help="List, show and check presets.", no_args_is_help=True, rich_markup_mode=None)


ENGINES = "engines"
"""Releases of engines: no files of their own, but rows of the tables in presets/engines."""


def _kinds(kind: str | None) -> tuple[Kind, ...]:
    if kind is None:
        return KINDS
    if kind == ENGINES:
        return ()
    for known in KINDS:
        if kind == known:
            return (known,)
    accepted = ", ".join((*KINDS, ENGINES))
    raise UserError("choice_unknown", text=kind, option="--kind", accepted=accepted)


@app.command("list")
def list_verb(
    kind: str | None = typer.Option(None, "--kind", help="Only this kind.", show_default=False),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """List built-in presets and your own; a broken file is listed with the reason."""
    library = open_library()
    rows = [item for one in _kinds(kind) for item in library.listed(one)]
    listed = [_row(item) for item in rows]
    if kind in (None, ENGINES):
        listed += _engine_rows()
    if as_json:
        print_json({"schema": 1, "rows": listed})
        return 0
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    terminal = console()
    headings = ("kind", "preset", "name", "also known as")
    shown = len(headings) if terminal.width >= WIDE_COLUMNS else 3
    for heading in headings[:shown]:
        table.add_column(heading, overflow="fold")
    for row in listed:
        note, name = ", ".join(row["aliases"]), row["name"]
        if row["problem"] is not None:
            name = f"✖ {row['problem']}"
        reference = f"{row['namespace']}:{row['id']}"
        cells = (row["kind"], reference, words.visible(name), words.visible(note))
        table.add_row(*(Text(cell) for cell in cells[:shown]))
    terminal.print(table)
    return 0


def _row(item: Listed) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "namespace": item.namespace,
        "id": item.id,
        "name": item.name,
        "aliases": list(item.aliases),
        "problem": None if item.problem is None else words.error_text(item.problem),
    }


def _engine_rows() -> list[dict[str, Any]]:
    """Releases that behave differently from the one before; any other release can be asked for."""
    return [
        {
            "kind": ENGINES,
            "namespace": "builtin",
            "id": f"{engine}@{release}",
            "name": f"{ENGINE_NAMES[engine]} {release}",
            "aliases": [],
            "problem": None,
        }
        for engine in ENGINE_KINDS
        if engine in ENGINE_NAMES
        for release in known_releases(engine)
    ]


@app.command("show")
def show_verb(
    name: str = typer.Argument(..., help="Id, alias or Hugging Face id."),
    kind: str | None = typer.Option(None, "--kind", help="Only this kind.", show_default=False),
    as_json: bool = typer.Option(False, "--json", help="Accepted for symmetry: it is JSON."),
) -> int:
    """Print a preset as the JSON of its file."""
    engine, _, release = name.removeprefix("builtin:").partition("@")
    if engine in ENGINE_NAMES and engine in ENGINE_KINDS and kind in (None, ENGINES):
        print_json(engine_of(engine, release).model_dump(mode="json", exclude_none=True))
        return 0
    if kind == ENGINES:
        raise UserError("engine_unknown", text=name, accepted="vllm@0.33.0")
    library = open_library()
    text = dumps(_find(library, name, _kinds(kind))).decode("utf-8")
    if not _can_print(text):
        text = f"{json.dumps(json.loads(text), indent=2)}\n"
    print(text, end="")
    return 0


def _can_print(text: str) -> bool:
    """Whether the terminal's encoding has all characters of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _find(library: Library, name: str, kinds: tuple[Kind, ...]) -> Any:
    """The preset of the first kind that knows the name, else the most telling refusal."""
    refused: list[UserError] = []
    for kind in kinds:
        try:
            return library.find(kind, name)
        except UserError as error:
            refused.append(error)
    # "Broken" and "ambiguous" say more than "unknown, but close to these", and that more than
    # "unknown".
    raise min(refused, key=lambda error: _VAGUENESS.get(error.code, 0))


_VAGUENESS = {"preset_unknown": 1, "preset_unknown_alone": 2}


@app.command("check")
def check_verb(
    show_all: bool = typer.Option(False, "--all", help="Show equal figures too."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Hold every preset against the figures published for it.

    Parameter counts and cache sizes are derived from the layers. Only differences are shown;
    the result is 1 when one is not recorded in the preset itself.
    """
    found = report(open_library())
    shown = [
        item for item in found.compared if show_all or item.figure.found != item.figure.expected
    ]
    problems = [
        {
            "kind": problem.kind,
            "preset": problem.reference,
            "code": problem.code,
            "message": words.error_text(UserError(problem.code, **problem.params)),
        }
        for problem in found.problems
    ]
    if as_json:
        figures = [_figure_row(item) for item in shown]
        print_json({"schema": 1, "presets": found.presets, "rows": problems, "figures": figures})
        return int(bool(problems))
    if shown:
        _print_figures(shown)
    for row in problems:
        console().print(Text(f"✖ {row['preset']}: {row['message']}"), soft_wrap=True)
    console().print(Text(_summary(found)), soft_wrap=True)
    return int(bool(problems))


def _figure_row(item: Compared) -> dict[str, Any]:
    figure = item.figure
    return {
        "preset": item.reference,
        "figure": figure.name,
        "found": figure.found,
        "published": figure.expected,
        "difference": figure.found - figure.expected,
        "agrees": figure.agrees,
    }


def _print_figures(shown: list[Compared]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("preset", "figure"):
        table.add_column(heading, overflow="fold")
    for heading in ("from the layers", "published", "difference"):
        table.add_column(heading, justify="right")
    for item in shown:
        figure = item.figure
        apart = figure.found - figure.expected
        note = "" if apart == 0 else f"{apart:+,}"
        if apart and figure.agrees:
            note += " (recorded)"
        cells = (item.reference, figure.name, f"{figure.found:,}", f"{figure.expected:,}", note)
        table.add_row(*(Text(cell) for cell in cells))
    console().print(table)


def _summary(found: Report) -> str:
    """Count figures rather than name them: "432 presets; 1,628 figures: 1,625 equal, …"."""
    equal = sum(item.figure.found == item.figure.expected for item in found.compared)
    wrong = sum(not item.figure.agrees for item in found.compared)
    recorded = len(found.compared) - equal - wrong
    return (
        f"{found.presets:,} presets; {len(found.compared):,} figures: {equal:,} equal, "
        f"{recorded:,} differ as recorded, {wrong:,} differ; {len(found.problems):,} problems"
    )

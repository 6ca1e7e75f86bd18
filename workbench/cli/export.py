"""`kvw export`: a plan as pictures, slides, a record, tables."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import typer
from rich.text import Text

from workbench.cli.common import console, say, scenario_of, warned
from workbench.cli.progress import Meter
from workbench.export.formats import FORMATS, Job
from workbench.export.options import LOOKS, RATIOS, WHATS, Look, Options, Ratio, Scale, What
from workbench.export.subject import Subject
from workbench.export.write import checked_target, write
from workbench.library import plans
from workbench.library.paths import shown
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan
from workbench.spec.units import show_bytes, show_sizes_in
from workbench.spec.words.pictures import PICTURE_NOTES

STDOUT = "-"
_SCALES = ("1", "2", "3")
_UNITS = ("GiB", "GB")


def _file(name: str, what: str) -> Any:
    return typer.Option(None, f"--{name}", metavar="FILE", help=what, show_default=False)


def export_verb(
    plan: Path = typer.Argument(..., metavar="PLAN.kvw"),
    png: Path | None = _file("png", "A picture."),
    svg: Path | None = _file("svg", "A picture with real text."),
    pdf: Path | None = _file("pdf", "A picture; with --what deck or record, pages."),
    pptx: Path | None = _file("pptx", "Slides with native charts and speaker notes."),
    docx: Path | None = _file("docx", "The capacity record as a document."),
    md: Path | None = _file("md", "The capacity record as Markdown."),
    xlsx: Path | None = _file("xlsx", "Tables with live formulas."),
    as_csv: Path | None = _file("csv", "Exact numbers, a line each."),
    as_json: Path | None = _file("json", "Everything, as the public JSON."),
    what: str | None = typer.Option(
        None, "--what", help=f"What a picture shows: {', '.join(WHATS)}.", show_default=False
    ),
    scenario: str | None = typer.Option(
        None,
        "--scenario",
        help="Name of the scenario that a waterfall leads to or a heat map varies.",
        show_default=False,
    ),
    only: list[str] = typer.Option(
        [], "--only", help="Export this scenario (may be repeated); else all."
    ),
    ratio: str = typer.Option(RATIOS[0], "--ratio", help=f"One of {', '.join(RATIOS)}."),
    look: str = typer.Option(LOOKS[0], "--look", help=f"One of {', '.join(LOOKS)}."),
    scale: str = typer.Option("2", "--scale", help="Pixels a unit of a PNG: 1, 2 or 3."),
    title: str | None = typer.Option(
        None, "--title", help="Instead of the plan's title.", show_default=False
    ),
    footnote: bool = typer.Option(True, help="File, engine releases and assumed values below."),
    date: str = typer.Option(
        "", "--date", help="A day to print (2026-11-30, or today); else none.", show_default=False
    ),
    units: str = typer.Option(_UNITS[0], "--units", help="GiB or GB."),
    template: Path | None = typer.Option(
        None, "--template", metavar="FILE.pptx", help="Slides take its master, fonts and size."
    ),
) -> int:
    """Write a plan into files of one or several formats; `-` writes to the terminal or a pipe.

    Exit 0 when all are written. The same plan gives the same bytes, unless a date is asked for.
    """
    given = {"png": png, "svg": svg, "pdf": pdf, "pptx": pptx, "docx": docx, "md": md}
    given |= {"xlsx": xlsx, "csv": as_csv, "json": as_json}
    files = {name: path for name, path in given.items() if path is not None}
    if not files:
        options = ", ".join(f"--{name} FILE" for name in FORMATS)
        raise UserError("export_needs_a_format", accepted=options)
    for name, path in files.items():
        if str(path) != STDOUT:
            checked_target(path, name, plan, template)
    _check_apart(files)
    choices = list(_choices(files, what))
    _one_of("--units", units, _UNITS)
    show_sizes_in("decimal" if units == "GB" else "binary")
    opened = warned(plans.load(plan)).plan
    if not opened.scenarios:
        raise UserError("plan_is_empty", path=shown(plan))
    subject = Subject(opened, plan.name)
    if only:
        subject = subject.only([scenario_of(opened, name, shown(plan)).id for name in only])
    asked = Options(
        ratio=cast(Ratio, _one_of("--ratio", ratio, RATIOS)),
        look=cast(Look, _one_of("--look", look, LOOKS)),
        scale=cast(Scale, int(_one_of("--scale", scale, _SCALES))),
        title=title,
        footnote=footnote,
        date=_day(date),
        scenario=_id_of(subject.plan, scenario, plan),
    )
    application = _painter(files)
    for name, chosen in choices:
        job = Job(subject, replace(asked, what=chosen), template=template)
        with Meter(shown(files[name])) as meter:
            data = FORMATS[name].make(job, meter)
        _put(files[name], data)
        _tell_of_nothing(name, job)
    if application is not None:
        application.quit()
    return 0


def _one_of(option: str, text: str, accepted: tuple[str, ...]) -> str:
    if text not in accepted:
        raise UserError("choice_unknown", text=text, option=option, accepted=", ".join(accepted))
    return text


def _day(text: str) -> str:
    """Return the day to print, as a person typed it once it is known to be one."""
    if text == "today":
        return datetime.date.today().isoformat()
    try:
        return datetime.date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        accepted = "a day such as 2026-11-30, or today"
        raise UserError("choice_unknown", text=text, option="--date", accepted=accepted) from None


def _id_of(plan: Plan, name: str | None, path: Path) -> str | None:
    return None if name is None else scenario_of(plan, name, shown(path)).id


def _choices(files: Mapping[str, Path], what: str | None) -> Iterator[tuple[str, What]]:
    """Return what each file shows; one that is painted must be able to show what was asked for."""
    if what is not None:
        _one_of("--what", what, WHATS)
        suiting = [name for name, form in FORMATS.items() if what in form.whats]
        painted = [name for name in files if len(FORMATS[name].whats) > 1]
        if not files.keys() & {*suiting} or not {*painted} <= {*suiting}:
            accepted = ", ".join(f"--{name}" for name in suiting)
            raise UserError("export_what_unsuited", what=what, accepted=accepted)
    for name in files:
        whats = FORMATS[name].whats
        yield name, what if what in whats else whats[0]


def _check_apart(files: Mapping[str, Path]) -> None:
    """Refuse two formats for one place: the second would take the first's."""
    places: dict[str, str] = {}
    for name, path in files.items():
        place = STDOUT if str(path) == STDOUT else os.path.realpath(path)
        if place in places:
            options = f"--{places[place]}, --{name}"
            raise UserError("export_one_place", path=shown(path), options=options)
        places[place] = name


def _painter(files: Mapping[str, Path]) -> Any:
    """Make the application that fonts need where a format paints; kept while files are made."""
    if not any(FORMATS[name].paints for name in files):
        return None
    # A PDF tells the zone of its maker, even undated.
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "TZ": "UTC"}
    from workbench.export.raster import headless_application

    return headless_application()


def _tell_of_nothing(name: str, job: Job) -> None:
    """Say on the terminal what stands on a page instead of a picture."""
    from workbench.export.pictures import nothing_to_show

    missing = nothing_to_show(job.subject, job.options) if FORMATS[name].paints else ""
    if missing:
        say(PICTURE_NOTES[missing])


def _put(path: Path, data: bytes) -> None:
    if str(path) == STDOUT:
        _put_out(data)
        return
    write(path, data)
    line = f"{shown(path)}: {show_bytes(len(data))}"
    console().print(Text(line), soft_wrap=True)


def _put_out(data: bytes) -> None:
    """Write a file to a pipe, all of it: an unbuffered one takes a part at a time."""
    if sys.stdout is None:
        raise UserError("export_no_stdout")
    left = memoryview(data)
    while left:
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()

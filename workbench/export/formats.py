"""Every format of an export: its name, its ending, and the one function that makes its bytes.

Nothing is imported before it is asked for: office libraries take a tenth of a second each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.charts.display import DisplayList
from workbench.charts.text import TextMeasure
from workbench.export.options import PICTURES, Options, Progress, What
from workbench.export.subject import Subject

if TYPE_CHECKING:
    from workbench.export.raster import QtMeasure


@dataclass(frozen=True, slots=True)
class Job:
    """One file to make."""

    subject: Subject
    options: Options
    measure: TextMeasure | None = None
    """Of the fonts to paint with; None makes one where the format paints."""
    template: Path | None = None
    """A presentation whose master and fonts slides take over."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    suffix: str
    whats: tuple[What, ...]
    """What it can hold; the first unless something else is asked for."""
    make: Callable[[Job, Progress], bytes]
    paints: bool = False
    """Whether it needs a running QGuiApplication."""


def pages_of(
    subject: Subject, options: Options, measure: TextMeasure, progress: Progress
) -> tuple[DisplayList, ...]:
    """Return the pages of what is painted: of the record, of a deck, or one with a picture."""
    if options.what == "record":
        from workbench.export.record.printed import record_pages

        return record_pages(subject, options, measure, progress)
    from workbench.export.pictures import deck_pictures, picture

    if options.what == "deck":
        return deck_pictures(subject, options, measure, progress)
    return (picture(subject, options, measure, progress),)


def _painted(job: Job, progress: Progress) -> tuple[tuple[DisplayList, ...], QtMeasure, bool]:
    """Return the pages, the fonts they were laid out with, and whether their ground is clear."""
    from workbench.export.raster import QtMeasure

    measure = job.measure if isinstance(job.measure, QtMeasure) else QtMeasure()
    pages = pages_of(job.subject, job.options, measure, progress)
    return pages, measure, job.options.look == "transparent"


def _png(job: Job, progress: Progress) -> bytes:
    from workbench.export.raster import png_bytes

    (page,), measure, clear = _painted(job, progress)
    return png_bytes(page, job.options.scale, measure, transparent=clear)


def _svg(job: Job, progress: Progress) -> bytes:
    from workbench.export.vector import svg_bytes

    (page,), measure, clear = _painted(job, progress)
    return svg_bytes(page, measure, transparent=clear)


def _pdf(job: Job, progress: Progress) -> bytes:
    from workbench.export.vector import pdf_bytes

    pages, measure, clear = _painted(job, lambda done, total: progress(done, 2 * total))
    title = job.options.title or job.subject.plan.title

    def inked(done: int, total: int) -> None:
        progress(total + done, 2 * total)

    attached = {}
    if job.options.what == "record":
        from workbench.library.records import ATTACHMENT, record_data

        attached[ATTACHMENT] = record_data(job.subject.plan, job.subject.ledgers)
    return pdf_bytes(
        pages, measure, title=title, transparent=clear, attached=attached, progress=inked
    )


def _pptx(job: Job, progress: Progress) -> bytes:
    from workbench.export.slides.deck import deck_bytes

    return deck_bytes(job.subject, job.options, job.template, progress)


def _docx(job: Job, progress: Progress) -> bytes:
    from workbench.export.raster import QtMeasure
    from workbench.export.record.word import docx_bytes

    measure = job.measure if isinstance(job.measure, QtMeasure) else QtMeasure()
    return docx_bytes(job.subject, job.options, progress, measure)


def _md(job: Job, progress: Progress) -> bytes:
    from workbench.export.record.markdown import markdown_bytes

    return markdown_bytes(job.subject, job.options, progress)


def _xlsx(job: Job, progress: Progress) -> bytes:
    from workbench.export.sheets.workbook import xlsx_bytes

    return xlsx_bytes(job.subject, job.options, progress)


def _csv(job: Job, progress: Progress) -> bytes:
    from workbench.export.delimited import csv_bytes

    return csv_bytes(job.subject, job.options, progress)


def _json(job: Job, progress: Progress) -> bytes:
    from workbench.export.plan_json import json_bytes

    return json_bytes(job.subject, job.options, progress)


FORMATS: Final[Mapping[str, Format]] = {
    "png": Format(".png", PICTURES, _png, paints=True),
    "svg": Format(".svg", PICTURES, _svg, paints=True),
    "pptx": Format(".pptx", ("deck",), _pptx),
    "pdf": Format(".pdf", (*PICTURES, "deck", "record"), _pdf, paints=True),
    "docx": Format(".docx", ("record",), _docx, paints=True),
    "md": Format(".md", ("record",), _md),
    "xlsx": Format(".xlsx", ("tables",), _xlsx),
    "csv": Format(".csv", ("tables",), _csv),
    "json": Format(".json", ("tables",), _json),
}

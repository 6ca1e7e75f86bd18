"""Work of the export dialog in threads: previews, of which only the last counts, and files."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.charts.display import DisplayList
from workbench.export.formats import FORMATS, Job, pages_of
from workbench.export.options import PICTURES, Cancelled, Options, Progress
from workbench.export.subject import Subject
from workbench.export.table import Table
from workbench.export.write import checked_target, write
from workbench.gui.export import apart
from workbench.gui.jobs import Jobs
from workbench.library.paths import shown
from workbench.spec.errors import UserError

_SETTLE_MS = 120


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a preview is made of."""

    subject: Subject
    options: Options


@dataclass(frozen=True, slots=True)
class Made:
    """A preview: pages or tables, and the figures of a picture as text."""

    wanted: Wanted
    pages: tuple[DisplayList, ...] = ()
    tables: tuple[Table, ...] = ()
    text: str = ""
    title: str = ""
    """The one that stands there when none is typed; empty where nothing has one."""


class Previews(QObject):
    """Makes the preview of what was asked for last; an older one is dropped, or stopped."""

    made = Signal(object)
    """A `Made`."""
    failed = Signal(object)
    """A `UserError`."""
    broke = Signal()
    """A fault of the program's own, which is reported elsewhere."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._wanted: Wanted | None = None
        self._asked = 0
        self._ended = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SETTLE_MS)
        self._soon.timeout.connect(self._start)

    @property
    def busy(self) -> bool:
        """Whether a preview is still to come."""
        return self._soon.isActive() or self._ended != self._asked

    def ask(self, wanted: Wanted) -> None:
        """Make this preview next, unless it is the last that was asked for."""
        # The size of a PNG changes nothing that is seen here.
        wanted = replace(wanted, options=replace(wanted.options, scale=2))
        if wanted == self._wanted:
            return
        self._wanted = wanted
        # The first comes at once; typing makes the others wait for its end.
        self._soon.start(_SETTLE_MS if self._asked else 0)

    def stop(self) -> None:
        """Drop whatever is under way."""
        self._soon.stop()
        self._wanted = None
        self._asked += 1
        self._ended = self._asked

    def _start(self) -> None:
        if self._wanted is None:
            return
        self._asked += 1
        number, wanted = self._asked, self._wanted

        def progress(done: int, total: int) -> None:
            if number != self._asked:
                raise Cancelled

        def then(made: Made) -> None:
            if number == self._asked:
                self._ended = number
                self.made.emit(made)

        def failed(error: Exception) -> None:
            if number != self._asked:
                return
            self._ended = number
            if not isinstance(error, UserError):
                self.broke.emit()
                raise error
            self.failed.emit(error)

        self._jobs.run(lambda: make_preview(wanted, progress), then, failed)


def make_preview(wanted: Wanted, progress: Progress) -> Made:
    """Make the pages that the file would have, or the tables; raises `UserError`, `Cancelled`."""
    from workbench.export import pictures
    from workbench.export.raster import QtMeasure
    from workbench.gui.export.figures import figures_text, preview_tables

    subject, options = wanted.subject, wanted.options
    progress(0, 1)
    if options.what == "tables":
        return Made(wanted, tables=preview_tables(subject, options))
    measure = QtMeasure()
    title = pictures.title_of(subject, replace(options, title=None))
    pages = pages_of(subject, options, measure, progress)
    progress(0, 1)
    if options.what == "record":
        return Made(wanted, pages)
    text = figures_text(subject, options) if options.what in PICTURES else ""
    return Made(wanted, pages, text=text, title=title)


class Saver(QObject):
    """Makes one file at a time and writes it; says so only when the disk has it.

    It outlives a dialog that is closed meanwhile: its thread may still speak.
    """

    progressed = Signal(int, int)
    saved = Signal(object)
    """The path of the file."""
    failed = Signal(object)
    """A `UserError`."""
    cancelled = Signal()
    broke = Signal()
    """A fault of the program's own, which is reported elsewhere."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._stop: threading.Event | None = None
        self._child: apart.Child | None = None
        self._retired = False

    @property
    def busy(self) -> bool:
        """Whether a file is being made."""
        return self._stop is not None

    def start(self, name: str, job: Job, path: Path, *inputs: Path | None) -> None:
        """Make a file of a format; `inputs` are files that must not be written over."""
        stop = self._stop = threading.Event()

        def progress(done: int, total: int) -> None:
            if stop.is_set():
                raise Cancelled
            self.progressed.emit(done, total)

        def work() -> Path:
            target = checked_target(_with_suffix(path, name), name, *inputs)
            data = apart.made(name, job, progress, self._began)
            progress(1, 1)
            write(target, data)
            return target

        self._jobs.run(work, self._saved, self._failed)

    def cancel(self) -> None:
        """Stop before anything is written; a file that is being written is finished."""
        if self._stop is not None:
            self._stop.set()
        if self._child is not None:
            self._child.kill()

    def _began(self, child: apart.Child) -> None:
        """Know whom to stop, in the thread that waits for it."""
        self._child = child

    def retire(self) -> None:
        """Stop, and go as soon as nothing is under way."""
        self._retired = True
        self.cancel()
        if not self.busy:
            self.deleteLater()

    def _ended(self) -> None:
        self._stop = self._child = None
        if self._retired:
            self.deleteLater()

    def _saved(self, path: Path) -> None:
        self._ended()
        self.saved.emit(path)

    def _failed(self, error: Exception) -> None:
        self._ended()
        if isinstance(error, Cancelled):
            self.cancelled.emit()
        elif isinstance(error, UserError):
            self.failed.emit(error)
        else:
            self.broke.emit()
            raise error


def _with_suffix(path: Path, name: str) -> Path:
    """Return a path with the ending of a format; raises `UserError` if that is another's file."""
    suffix = FORMATS[name].suffix
    if path.suffix.lower() == suffix:
        return path
    longer = path.with_name((path.name.rstrip(". ") or path.name) + suffix)
    if os.path.lexists(longer):
        # The file dialog has asked about another name.
        raise UserError("file_exists", path=shown(longer))
    return longer

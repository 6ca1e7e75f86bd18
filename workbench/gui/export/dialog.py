"""The export dialog: choices on the left, what they give on the right, and ways out below."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
)

from workbench.export.formats import FORMATS, Job
from workbench.export.options import Options, What
from workbench.export.subject import Subject
from workbench.gui.dialogs import Dialogs
from workbench.gui.export.dragging import DragOut
from workbench.gui.export.form import ExportForm
from workbench.gui.export.making import Made, Previews, Saver, Wanted
from workbench.gui.export.mime import Leaving, chart_mime
from workbench.gui.export.names import format_words, is_picture, spoken, stem_of
from workbench.gui.export.preview import Preview
from workbench.gui.jobs import Jobs
from workbench.gui.labels import Label
from workbench.gui.language import follow_language, on_language
from workbench.gui.messages import Message
from workbench.gui.store import SettingsStore
from workbench.gui.tr import message_text, translate
from workbench.library.paths import path_from_text, path_to_text, shown
from workbench.spec.errors import UserError

if TYPE_CHECKING:
    from workbench.gui.main_window import MainWindow

_WIDE_LINES: Final = (86, 48)
_FORM_LINES: Final = 19
_AROUND: Final = 20
"""Pixels of the window that stay in sight around the dialog, at least."""


@dataclass(frozen=True, slots=True)
class Source:
    """What there is to export, and where its files belong."""

    subject: Subject
    path: Path | None
    folder: str
    """Where to save when nothing has been exported yet."""


class ExportDialog(QDialog):
    """Keeps the plan as it was when it was opened; the window cannot be used meanwhile."""

    def __init__(
        self,
        source: Source,
        store: SettingsStore,
        dialogs: Callable[[], Dialogs],
        language: Callable[[], str],
        jobs: tuple[Jobs, Jobs],
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = window
        self._source = source
        self._store = store
        self._dialogs = dialogs
        self._language = language
        self._made: Made | None = None
        self._status: Callable[[], str] = str
        self.previews = Previews(jobs[0], self)
        self.saver = Saver(jobs[1], jobs[1])
        self._build()
        self._connect()
        follow_language(self._say)
        on_language(self._follow)
        self._follow()

    # Building

    def _build(self) -> None:
        em = self.fontMetrics().height()
        plan = self._source.subject.plan
        baseline = plan.scenarios[self._source.subject.baseline].id
        names = [(scenario.id, scenario.name) for scenario in plan.scenarios]
        self.form = ExportForm(self._store.settings.export, names, baseline, self)
        # A scroll area only for large fonts: in the smallest window everything is in sight.
        area = self._area = QScrollArea(self)
        area.setWidget(self.form)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedWidth(em * _FORM_LINES)
        self.preview = Preview(self._window.measure, self)
        middle = QHBoxLayout()
        middle.setSpacing(em)
        middle.addWidget(area)
        middle.addWidget(self.preview, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(em, em, em, em)
        layout.setSpacing(em * 2 // 3)
        layout.addLayout(middle, 1)
        layout.addLayout(self._build_foot())

    def _build_foot(self) -> QHBoxLayout:
        self.status = Label("", self, selectable=True, elide=True)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(self.fontMetrics().height() * 8)
        self.copy_button, self.save_button, self.cancel_button, self.close_button = buttons = tuple(
            QPushButton(self) for _ in range(4)
        )
        for button in buttons:
            button.setAutoDefault(False)
        self.save_button.setDefault(True)
        foot = QHBoxLayout()
        foot.addWidget(self.status, 1)
        foot.addWidget(self.bar)
        for button in buttons:
            foot.addWidget(button)
        return foot

    def _connect(self) -> None:
        self.form.changed.connect(self._follow)
        self.form.template_wanted.connect(self._ask_template)
        self.previews.made.connect(self._show_made)
        self.previews.failed.connect(self._show_refusal)
        self.previews.broke.connect(self._show_nothing)
        self.saver.progressed.connect(self._show_progress)
        self.saver.saved.connect(self._saved)
        self.saver.failed.connect(self._save_failed)
        self.saver.cancelled.connect(self._cancelled)
        self.saver.broke.connect(self._broke)
        self.copy_button.clicked.connect(self.copy)
        self.save_button.clicked.connect(self.save)
        self.cancel_button.clicked.connect(self.saver.cancel)
        self.close_button.clicked.connect(self.reject)
        # Not kept: the dialog would keep itself.
        DragOut(self.preview.pane, self.leaving)

    def _say(self) -> None:
        self.setWindowTitle(translate("Export", "Export"))
        self.bar.setAccessibleName(translate("Export", "Progress"))
        self.copy_button.setText(translate("Export", "Copy"))
        self.copy_button.setAccessibleDescription(
            translate("Export", "Puts picture, SVG and table on the clipboard together.")
        )
        self.save_button.setText(translate("Export", "Save…"))
        self.cancel_button.setText(translate("Export", "Cancel"))
        self.close_button.setText(translate("Export", "Close"))
        self.status.set_text(self._status())

    def sizeHint(self) -> QSize:
        """Roomy, but inside the window it belongs to."""
        em = self.fontMetrics().height()
        room = self._window.size() - QSize(2 * _AROUND, 2 * _AROUND)
        wanted = QSize(em * _WIDE_LINES[0], em * _WIDE_LINES[1])
        return wanted.boundedTo(room).expandedTo(self.minimumSizeHint())

    # Preview

    def options(self) -> Options:
        """Return what was chosen, in the language of the window."""
        chosen = self.form.options()
        today = datetime.date.today().isoformat() if self.form.choice.dated else ""
        return replace(chosen, date=today, language=spoken(self._language()))

    def _follow(self) -> None:
        """Ask for the preview of what is chosen now; the old one stays, dimmed, until it is there.

        The title of something else would be wrong: that of what is chosen comes with its preview.
        """
        self.previews.ask(Wanted(self._source.subject, self.options()))
        if self.previews.busy:
            self.preview.dim()
            if self._made is not None and self._made.wanted.options.what != self.form.what:
                self.form.show_title("")
            self.preview.status.set_text(translate("Export", "Preparing the preview…"))
        self._show_buttons()

    def _show_made(self, made: object) -> None:
        assert isinstance(made, Made)
        before, self._made = self._made, made
        options = made.wanted.options
        again = before is not None and before.wanted.options.what == options.what
        pages = is_picture(options.what) or options.what == "deck"
        clear = pages and options.look == "transparent"
        self.preview.show_made(made.pages, made.tables, clear=clear, again=again)
        self.preview.status.set_text("")
        self.form.show_title(made.title)
        self._show_buttons()

    def _show_refusal(self, error: object) -> None:
        assert isinstance(error, UserError)
        self._show_nothing()
        self.preview.status.set_text(message_text(Message.of_error(error)))

    def _show_nothing(self) -> None:
        self._made = None
        self.preview.show_made((), (), clear=False, again=False)
        self.preview.status.set_text("")
        self._show_buttons()

    def _show_buttons(self) -> None:
        saving = self.saver.busy
        self.bar.setVisible(saving)
        self.cancel_button.setVisible(saving)
        self.save_button.setEnabled(not saving)
        fresh = self._made is not None and not self.previews.busy
        self.copy_button.setEnabled(fresh and is_picture(self.form.what))

    # Copying

    def leaving(self) -> Leaving | None:
        """Return the picture in sight as it leaves by clipboard or drag; None for a table."""
        page = self.preview.page
        if page is None or self._made is None:
            return None
        what = self._made.wanted.options.what
        return Leaving(page, self._made.text, self._stem(what))

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        leaving = self.leaving()
        if leaving is None:
            return
        try:
            made = chart_mime(leaving)
        except UserError as error:
            self._tell_error(error)
            return
        QGuiApplication.clipboard().setMimeData(made)
        self._remember()
        self._tell(lambda: translate("Export", "Copied: picture, SVG and table."))

    # Saving

    def _stem(self, what: What) -> str:
        return stem_of(self._source.path, self._source.subject.plan.title, what)

    def _folder(self) -> Path:
        folder = self._store.settings.export.folder
        return path_from_text(folder) if folder else Path(self._source.folder)

    def save(self) -> None:
        """Ask where, then make the file and write it."""
        if self.saver.busy:
            return
        choice, form = self.form.choice, FORMATS[self.form.choice.format]
        start = self._folder() / (self._stem(self.form.what) + form.suffix)
        kind = format_words()[choice.format]
        path = self._dialogs().export_to_save(str(start), kind, form.suffix[1:], self)
        if path is None:
            return
        self._remember(folder=path_to_text(path.absolute().parent))
        template = self.form.template_path if choice.format == "pptx" else None
        job = Job(self._source.subject, self.options(), template=template)
        self.bar.setRange(0, 0)
        self.saver.start(choice.format, job, path, self._source.path, template)
        self._tell(lambda: translate("Export", "Exporting…"))
        self._show_buttons()
        self.cancel_button.setFocus()

    def _show_progress(self, done: int, total: int) -> None:
        # A bar without an end moves by itself: nobody knows yet how long it takes.
        self.bar.setRange(0, total if done else 0)
        self.bar.setValue(done)

    def _saved(self, path: object) -> None:
        assert isinstance(path, Path)
        name = shown(path)
        self._tell(lambda: translate("Export", "Exported to {path}.").format(path=name))
        self._ended()

    def _save_failed(self, error: object) -> None:
        assert isinstance(error, UserError)
        self._tell_error(error)
        self._ended()

    def _cancelled(self) -> None:
        self._tell(lambda: translate("Export", "Cancelled: nothing was written."))
        self._ended()

    def _broke(self) -> None:
        # What went wrong is in the report; what became of the file is said here.
        self._tell(lambda: translate("Export", "Nothing was written."))
        self._ended()

    def _ended(self) -> None:
        focused = self.cancel_button.hasFocus()
        self._show_buttons()
        if focused:
            self.save_button.setFocus()

    def _ask_template(self) -> None:
        known = self.form.template_path
        folder = str(known.parent if known is not None else self._folder())
        path = self._dialogs().template_to_open(folder, self)
        if path is not None:
            self.form.take_template(path.absolute())

    def _remember(self, **values: str) -> None:
        """Keep the choice for the next time."""
        folder = self._store.settings.export.folder
        choice = self.form.choice.with_(**({"folder": folder} | values))
        self._store.change(export=choice)

    # Telling

    def _tell(self, sentence: Callable[[], str]) -> None:
        self._status = sentence
        self.status.set_role("text")
        self.status.set_text(sentence())

    def _tell_error(self, error: UserError) -> None:
        self._tell(lambda: message_text(Message.of_error(error)))
        self.status.set_role("danger")

    # Coming and going

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of everything under way: nothing is written that nobody waits for."""
        super().hideEvent(event)
        if event.spontaneous():
            # The window is only out of sight.
            return
        self._remember()
        self.previews.stop()
        self.saver.retire()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font: the form must not be cut."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_area"):
            self._area.setFixedWidth(self.fontMetrics().height() * _FORM_LINES)

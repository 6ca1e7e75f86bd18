"""Opening and saving: in worker threads, never over what somebody else wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QDateTime, QObject, QTimer, Signal

from workbench.gui.dialogs import Dialogs
from workbench.gui.jobs import Jobs
from workbench.gui.keeper import Keeper
from workbench.gui.messages import Message, MessageAction
from workbench.gui.session import Session
from workbench.gui.store import SettingsStore
from workbench.gui.tr import translate
from workbench.library import plans
from workbench.library.paths import path_from_text, path_to_text, shown
from workbench.library.plans import SUFFIX, Loaded, Note
from workbench.library.save import Saved
from workbench.spec.errors import UserError
from workbench.spec.ledger import Severity
from workbench.spec.scenario import Plan

if TYPE_CHECKING:
    from workbench.library.records import Recorded

SLOT = "file"
EXAMPLE_SLOT = "example"
_SLOW_MS = 8_000
RECORDS: Final = (".docx", ".md", ".pdf")
"""Endings of capacity records, which carry a plan."""

Then = Callable[[], object]


def _nothing() -> None:
    """What follows when nothing follows."""


def _load_record(path: Path) -> Recorded:
    # Read only when a record is opened: it is no part of the start.
    from workbench.library.records import load_record

    return load_record(path)


class Files(QObject):
    """The document's file. Every method returns at once; outcomes arrive as messages."""

    saved_at_changed = Signal(object)
    """`QDateTime` of the last save, or None."""
    opened = Signal(object)
    """A file was read and is shown: the `Recorded` of a record, None for a plan."""
    replaced = Signal()
    """Another document is shown, from a file or not."""

    def __init__(
        self,
        session: Session,
        store: SettingsStore,
        keeper: Keeper,
        jobs: Jobs,
        *,
        load: Callable[[Path], Loaded] = plans.load,
        save: Callable[..., Saved] = plans.save_plan,
    ) -> None:
        super().__init__(session)
        self._session = session
        self._store = store
        self._keeper = keeper
        self._jobs = jobs
        self._load = load
        self._save = save
        self._opened: Loaded | None = None
        self._record: Path | None = None
        self._digest: str | None = None
        self._after_save: list[Then] = []
        self._note_slots: tuple[str, ...] = ()
        self._opening = 0
        self._saves = 0
        self._running: set[int] = set()
        self.dialogs: Dialogs | None = None
        self.saved_at: QDateTime | None = None
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_SLOW_MS)
        self._slow.timeout.connect(self._tell_slow)

    @property
    def name(self) -> str:
        """The document's name as it is shown."""
        path = self._session.path
        if path is not None:
            return shown(path.name)
        return translate("Files", "Untitled") if self._record is None else shown(self._record.stem)

    @property
    def source(self) -> Path | None:
        """Where the document is from: its own file, or a record, which is never written."""
        return self._record if self._session.path is None else self._session.path

    # Opening

    def show_new(self, plan: Plan) -> None:
        """Show a plan that has no file, once unsaved changes are dealt with."""
        self.when_settled(lambda: self._show(plan, None, None))

    def ask_open(self) -> None:
        """Ask for a plan and open it."""
        path = self._dialogs.plan_to_open(self._folder())
        if path is not None:
            self.open(path)

    def open(self, path: Path, otherwise: Then = _nothing) -> None:
        """Open a plan, once unsaved changes are dealt with; `otherwise` follows a failure."""
        self.when_settled(lambda: self._read(path, otherwise))

    def reload(self) -> None:
        """Read the document anew; what is unsaved is put aside."""
        path = self._session.path
        if path is not None:
            # Only once the file has been read: a damaged one must not cost the unsaved work.
            self._read(path, before=self._keeper.discard)

    def _read(self, path: Path, otherwise: Then = _nothing, before: Then = _nothing) -> None:
        # The last thing asked for wins, whichever disk answers first.
        self._opening += 1
        number = self._opening
        load = _load_record if path.suffix.lower() in RECORDS else self._load
        self._jobs.run(
            lambda: load(path),
            lambda loaded: self._read_done(number, path, loaded, before),
            lambda error: self._read_failed(number, error, otherwise),
        )

    def _read_done(self, number: int, path: Path, read: Loaded | Recorded, before: Then) -> None:
        if number != self._opening:
            return
        before()
        if isinstance(read, Loaded):
            self._show(read.plan, path, read)
            self._remember(path)
            notes, recorded = read.notes, None
        else:
            self._show_record(path, read)
            notes, recorded = read.loaded.notes, read
        self.tell_notes(notes)
        self.opened.emit(recorded)

    def _show_record(self, path: Path, recorded: Recorded) -> None:
        """Show the plan of a record as a document that has no file: the record stays as it is."""
        self.restore(recorded.plan, None, None, record=path)
        code = f"record_changed_{recorded.changed}" if recorded.changed else "record_opened"
        severity: Severity = "warning" if recorded.changed else "info"
        self._session.tell(Message(severity, code, {"name": shown(path.name)}, slot=SLOT))

    def _read_failed(self, number: int, error: Exception, otherwise: Then) -> None:
        if number == self._opening:
            otherwise()
        if not isinstance(error, UserError):
            raise error
        if number == self._opening:
            self._session.tell(Message.of_error(error, slot=SLOT))

    def _show(self, plan: Plan, path: Path | None, loaded: Loaded | None) -> None:
        self._opened = loaded
        self._digest = None if loaded is None else loaded.digest
        self._keeper.base_digest = self._digest
        self._keeper.opened()
        self._set_saved_at(None)
        read_only = loaded is not None and loaded.read_only
        self._untell()
        self._record = None
        self._session.open_plan(plan, path=path, read_only=read_only)
        self.replaced.emit()

    def restore(
        self,
        plan: Plan,
        path: Path | None,
        base_digest: str | None,
        record: Path | None = None,
    ) -> None:
        """Show unsaved work that outlived its program; its file is not touched."""
        self._untell()
        self._opened = None
        self._digest = base_digest
        self._keeper.base_digest = base_digest
        self._keeper.opened()
        self._keeper.adopted(plan)
        self._set_saved_at(None)
        self._record = record
        self._session.open_plan(plan, path=path, saved=False)
        self.replaced.emit()

    def _untell(self) -> None:
        """Take back what was said of the document that another one replaces."""
        for slot in (SLOT, EXAMPLE_SLOT, *self._note_slots):
            self._session.tell(Message("info", "", slot=slot))
        self._note_slots = ()

    def tell_notes(self, notes: Sequence[Note], source: str = "") -> None:
        """Tell what is to be known of the document, or of what joined it from a named source."""
        for note in notes:
            slot = f"{SLOT} note {source} {note}"
            self._note_slots += (slot,)
            severity: Severity = "warning" if note.is_warning else "info"
            params = note.params | ({"source": source} if source else {})
            self._session.tell(Message(severity, note.code, params, slot=slot))

    # Saving

    def save(self, then: Then = _nothing) -> None:
        """Save the document where it is; a new or read-only one asks for a place."""
        session = self._session
        if session.path is None or session.read_only:
            self.save_as(then)
        else:
            self._start(session.path, then, expected_digest=self._digest)

    def save_as(self, then: Then = _nothing) -> None:
        """Ask for a place and save there; never refused because of where the document was."""
        path = self._session.path
        stem = translate("Files", "plan") if self._record is None else self._record.stem
        name = f"{stem}{SUFFIX}" if path is None else path.name
        chosen = self._dialogs.plan_to_save(str(Path(self._folder()) / name))
        if chosen is not None:
            # The dialog has asked whether an existing file may go.
            self._start(chosen, then, overwrite=True)

    def overwrite(self) -> None:
        """Save over what another program wrote, because the person said so."""
        path = self._session.path
        if path is not None:
            self._start(path, _nothing, overwrite=True)

    def _part_links(self) -> None:
        path = self._session.path
        if path is not None:
            self._start(path, _nothing, expected_digest=self._digest, part_hard_links=True)

    def _start(self, path: Path, then: Then, **how: Any) -> None:
        if self._running and path == self._session.path:
            # One save of a file at a time; what has changed meanwhile is saved after it.
            replaces = how.get("overwrite", False)
            self._after_save.append(self.overwrite if replaces else lambda: self.save(then))
            return
        self._saves += 1
        number, plan, opened = self._saves, self._session.plan, self._opened
        self._running.add(number)
        self._after_save.append(then)
        self._session.set_saving(True)
        self._slow.start()
        self._jobs.run(
            lambda: self._save(path, plan, opened=opened, **how),
            lambda saved: self._save_done(number, path, plan, saved),
            lambda error: self._save_failed(number, path, error),
        )

    def _ended(self, number: int) -> bool:
        """Note the end of a save; returns whether it is the last one that was started."""
        self._running.discard(number)
        self._session.set_saving(bool(self._running))
        if number != self._saves:
            # It hung while the document was saved elsewhere; where it is now counts.
            return False
        self._slow.stop()
        return True

    def _save_done(self, number: int, path: Path, plan: Plan, saved: Saved) -> None:
        if not self._ended(number):
            return
        self._digest = saved.digest
        self._opened = None
        self._keeper.base_digest = saved.digest
        self._session.mark_saved(plan, path)
        self._keeper.saved(path, saved)
        self._remember(path)
        self._set_saved_at(QDateTime.currentDateTime())
        self._session.tell(Message("info", "", slot=SLOT))
        waiting, self._after_save = self._after_save, []
        for then in waiting:
            then()

    def _save_failed(self, number: int, path: Path, error: Exception) -> None:
        if not self._ended(number):
            return
        self._after_save.clear()
        if not isinstance(error, UserError):
            raise error
        actions = [MessageAction("save_as", self.save_as)]
        if path == self._session.path:
            more: tuple[tuple[str, Then], ...] = {
                "changed_on_disk": (("overwrite", self.overwrite), ("reload", self.reload)),
                "gone_from_disk": (("overwrite", self.overwrite),),
                "hard_linked": (("part_links", self._part_links),),
                "plan_newer_read_only": (),
            }.get(error.code, (("retry", self.save),))
            actions += [MessageAction(code, run) for code, run in more]
        self._session.tell(Message.of_error(error, *actions, slot=SLOT))

    def _tell_slow(self) -> None:
        actions = (MessageAction("save_as", self.save_as),)
        self._session.tell(Message("warning", "still_saving", {"name": self.name}, actions, SLOT))

    # Before the document goes

    def when_settled(self, then: Then, otherwise: Then = _nothing) -> None:
        """Go on once nothing unsaved is left: saved, discarded, or not at all."""
        if not self._session.dirty:
            then()
            return
        answer = self._dialogs.unsaved(self.name)
        if answer == "save":
            self.save(lambda: self.when_settled(then))
        elif answer == "discard":
            self._keeper.discard()
            then()
        else:
            otherwise()

    # Recent files

    def recent(self) -> tuple[Path, ...]:
        """Return recent documents; whether they still exist is not asked here."""
        return self._store.settings.recent_files

    def _remember(self, path: Path) -> None:
        settings = self._store.settings.with_recent(path)
        self._store.set(settings.with_(last_folder=path_to_text(path.parent)))

    def _folder(self) -> str:
        path = self.source
        if path is not None:
            return str(path.parent)
        last = self._store.settings.last_folder
        return str(path_from_text(last)) if last else ""

    @property
    def folder(self) -> str:
        """Where a dialog should start."""
        return self._folder()

    @property
    def _dialogs(self) -> Dialogs:
        assert self.dialogs is not None, "the window gives the dialogs"
        return self.dialogs

    def _set_saved_at(self, when: QDateTime | None) -> None:
        self.saved_at = when
        self.saved_at_changed.emit(when)

"""Keeps unsaved work in a side file, so that a crash loses two seconds or a few edits."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from workbench.gui.jobs import Jobs
from workbench.gui.session import Session
from workbench.library.recovery import Recovery
from workbench.library.save import Saved
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan

PAUSE_MS = 1_500
"""With the time a write takes, less than the two seconds that may be lost."""
MOST_EDITS = 12
"""Edits go on while a write runs; together they stay below the 20 that may be lost."""


class Keeper(QObject):
    """Writes the side file a moment after an edit or after a number of them, in a thread.

    `jobs` must run one thing at a time, so that a removal never overtakes a write.
    """

    def __init__(self, session: Session, recovery: Recovery, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._recovery = recovery
        self._jobs = jobs
        self._edits = 0
        self._writing = False
        self._again = False
        self._kept: Plan | None = None
        self.base_digest: str | None = None
        """Digest of the file that the work grew from."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.write)
        session.plan_changed.connect(self._edited)

    def _edited(self) -> None:
        # Undone back to what is saved is written too: the side file would offer old work.
        self._edits += self._session.dirty
        if self._edits >= MOST_EDITS:
            self.write()
        elif not self._timer.isActive():
            # Counted from the first edit: who edits without a pause is served as well.
            self._timer.start()

    def write(self) -> None:
        """Keep what is unsaved now."""
        self._timer.stop()
        plan, path = self._session.plan, self._session.path
        if plan is self._kept or (self._kept is None and not self._session.dirty):
            self._edits = 0
            return
        if self._writing:
            self._again = True
            return
        self._edits = 0
        self._writing = True
        digest = self.base_digest
        self._jobs.run(
            lambda: self._recovery.write(plan, path, digest),
            lambda _: self._written(plan),
            self._failed,
        )

    def _written(self, plan: Plan) -> None:
        self._kept = plan
        self._writing = False
        if self._again:
            self._again = False
            self.write()

    def _failed(self, error: Exception) -> None:
        # Nothing to do about a full disk before the next edit, and no reason to stop work.
        self._writing = self._again = False
        if not isinstance(error, UserError):
            raise error

    def flush(self) -> None:
        """Keep what is unsaved at once, on this thread: the program may be about to end."""
        if self._session.dirty and self._session.plan is not self._kept:
            plan = self._session.plan
            self._recovery.write(plan, self._session.path, self.base_digest)
            self._kept = plan

    def saved(self, document: Path, saved: Saved) -> None:
        """Drop the side file once the document is seen to hold the work."""
        self._timer.stop()
        self._edits = 0
        if not self._session.dirty and not self._writing:
            self._kept = None
            self._jobs.run(
                lambda: self._recovery.clear(document, saved), lambda _: None, self._failed
            )
        else:
            self._timer.start()

    def opened(self) -> None:
        """Begin with another document; what was kept of the last one was decided before."""
        self._timer.stop()
        self._edits = 0
        self._kept = None

    def discard(self) -> None:
        """Put the kept work aside: the person chose not to save it."""
        self._timer.stop()
        self._jobs.wait(2_000)
        self._recovery.discard()
        self._kept = None

    def adopted(self, plan: Plan) -> None:
        """Note that the side file now holds restored work."""
        self._kept = plan

    def close(self) -> None:
        """End the session's hold on its side file."""
        self._timer.stop()
        self._recovery.close()

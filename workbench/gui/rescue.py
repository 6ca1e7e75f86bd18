"""Offers work that outlived its program: restore it, look at it, put it aside, with one click."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtWidgets import QWidget

from workbench.gui.files import Files
from workbench.gui.jobs import Jobs
from workbench.gui.messages import Message, MessageAction
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.library import plans, recovery
from workbench.library.paths import shown
from workbench.library.recovery import Pending, Recovery
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan


class Rescue(QObject):
    """Finds side files of dead sessions and offers each in the message bar."""

    def __init__(
        self,
        session: Session,
        files: Files,
        own: Recovery,
        jobs: Jobs,
        state: Path,
        window: QWidget,
    ) -> None:
        super().__init__(session)
        self._window = window
        self._session = session
        self._files = files
        self._own = own
        self._jobs = jobs
        self._state = state

    def look(self) -> None:
        """Look for them in a thread: their documents may lie on a slow disk."""
        self._jobs.run(lambda: _found(self._state), self._offer, self._failed)

    def _offer(self, found: list[tuple[Pending, int]]) -> None:
        for item, seconds in found:
            slot = _slot(item)
            discard = MessageAction("discard", partial(self._discard, item))
            if item.plan is None:
                problem = item.problem or UserError("not_a_recovery_file", path=shown(item.path))
                self._session.tell(Message.of_error(problem, discard, slot=slot))
                continue
            name = _name_of(item)
            when = QLocale().toString(
                QDateTime.fromSecsSinceEpoch(seconds), QLocale.FormatType.ShortFormat
            )
            actions = (
                MessageAction("restore", partial(self._restore, item)),
                MessageAction("difference", partial(self._compare, item)),
                discard,
            )
            params = {"name": name, "when": when}
            self._session.tell(Message("warning", "recovered", params, actions, slot))

    def _restore(self, item: Pending) -> None:
        self._files.when_settled(lambda: self._adopt(item), lambda: self._offer_again(item))

    def _adopt(self, item: Pending) -> None:
        try:
            self._own.adopt(item)
        except UserError as error:
            self._session.tell(Message.of_error(error, slot=_slot(item)))
            self._offer_again(item)
            return
        assert item.plan is not None
        self._files.restore(item.plan, item.document, item.base_digest)
        self._session.tell(Message("info", "restored", slot="restored"))
        self._files.tell_notes(tuple(plans.key_notes(item.plan)))

    def _compare(self, item: Pending) -> None:
        """Read the document, off the GUI thread, and list how the work differs from it."""
        # Looking decides nothing: the offer stays.
        self._offer_again(item)
        self._jobs.run(
            partial(_document_of, item), partial(self._show_difference, item), self._failed
        )

    def _show_difference(self, item: Pending, document: Plan | None) -> None:
        from workbench.core.plan_changes import plan_changes
        from workbench.gui.difference import DifferenceDialog

        assert item.plan is not None
        dialog = DifferenceDialog(
            _name_of(item),
            plan_changes(document or Plan(), item.plan),
            has_document=document is not None,
            parent=self._window,
        )
        dialog.decided.connect(partial(self._decided, item))
        dialog.open()

    def _decided(self, item: Pending, decision: object) -> None:
        if not decision:
            return
        self._session.tell(Message("info", "", slot=_slot(item)))
        if decision == "restore":
            self._restore(item)
        else:
            self._discard(item)

    def _offer_again(self, item: Pending) -> None:
        self._offer([(item, _changed_at(item.path))])

    def _discard(self, item: Pending) -> None:
        recovery.discard(item)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self._session.tell(Message.of_error(error, slot="recovery"))


def _slot(item: Pending) -> str:
    return f"recovery:{item.path.name}"


def _name_of(item: Pending) -> str:
    if item.document is None:
        return translate("Files", "an untitled plan")
    return shown(item.document.name)


def _document_of(item: Pending) -> Plan | None:
    """Return what the document holds now, None where it cannot be read."""
    if item.document is None:
        return None
    try:
        return plans.load(item.document).plan
    except UserError:
        return None


def _found(state: Path) -> list[tuple[Pending, int]]:
    return [(item, _changed_at(item.path)) for item in recovery.pending(state)]


def _changed_at(path: Path) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except OSError:
        return 0

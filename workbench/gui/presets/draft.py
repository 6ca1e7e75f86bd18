"""A preset that is being edited, with an undo history of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import Shiboken

from workbench.library.presets import Kind, Preset, Stored


class _Change(QUndoCommand):
    """From one state of the preset to the next."""

    def __init__(self, draft: Draft, before: Preset[Any], after: Preset[Any], text: str) -> None:
        super().__init__(text)
        self._draft = draft
        self._before = before
        self._after = after

    def redo(self) -> None:
        self._draft.show_state(self._after)

    def undo(self) -> None:
        self._draft.show_state(self._before)


class Draft(QObject):
    """One of the person's own presets as it is edited; it outlives the page that shows it."""

    changed = Signal()
    """The preset, or whether it is saved."""

    def __init__(
        self, preset: Preset[Any], digest: str | None, parent: QObject | None = None
    ) -> None:
        """A preset without a digest has no file yet."""
        super().__init__(parent)
        self.preset = preset
        self.digest = digest
        self.saving = False
        self._identity: dict[str, Any] = {}
        self.undo_stack = QUndoStack(self)
        self.undo_stack.indexChanged.connect(self._tell)
        self.undo_stack.cleanChanged.connect(self._tell)

    @property
    def kind(self) -> Kind:
        """Kind of the preset."""
        return self.preset.kind

    @property
    def id(self) -> str:
        """Id of the preset; tentative while it has no file."""
        return str(self.preset.value.id)

    @property
    def is_new(self) -> bool:
        """Whether it has no file yet."""
        return self.digest is None

    @property
    def is_edited(self) -> bool:
        """Whether there is work in it that no file holds."""
        # Where it is listed it may be painted once more after it was dropped.
        return Shiboken.isValid(self.undo_stack) and not self.undo_stack.isClean()

    @property
    def is_unsaved(self) -> bool:
        """Whether saving would write something."""
        return self.is_new or self.is_edited

    def change(self, preset: Preset[Any], text: str) -> None:
        """Take another state as one step; nothing happens when it is the same."""
        if preset != self.preset:
            self.undo_stack.push(_Change(self, self.preset, preset, text))

    def show_state(self, preset: Preset[Any]) -> None:
        """Go to a state; once there is a file, its id and revision stay."""
        if self._identity:
            preset = replace(preset, value=preset.value.with_(**self._identity))
        self.preset = preset

    def mark_saved(self, written: Preset[Any], stored: Stored) -> None:
        """Note that a file holds what was `written`, maybe edited since."""
        value = stored.preset.value
        same = written.value.with_(id=self.id) == self.preset.value
        self.digest = stored.digest
        self._identity = {"id": value.id, "rev": value.rev}
        self.show_state(self.preset)
        if same:
            self.undo_stack.setClean()
        else:
            self.undo_stack.resetClean()
        self._tell()

    def reload(self, stored: Stored) -> None:
        """Begin anew with what the file holds now."""
        self.preset = stored.preset
        self.digest = stored.digest
        self._identity = {}
        self.undo_stack.clear()
        self._tell()

    def _tell(self, _: object = None) -> None:
        self.changed.emit()

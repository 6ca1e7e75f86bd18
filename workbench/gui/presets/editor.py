"""The editor of one preset: its form, its own undo and redo, and saving."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.labels import Label, figure
from workbench.gui.language import follow_language
from workbench.gui.panels.scrolling import scrolled
from workbench.gui.presets.draft import Draft
from workbench.gui.presets.forms import Form
from workbench.gui.presets.other_forms import form_of
from workbench.gui.presets.table_rows import revision_why
from workbench.gui.tr import translate
from workbench.gui.why import set_why
from workbench.library import preset_edits

if TYPE_CHECKING:
    from workbench.gui.presets.feature import Presets

_KEY = QKeySequence.StandardKey


class Editor(QWidget):
    """Edits drafts, one at a time; while it has the keyboard, undo, redo and save are its own."""

    done = Signal()
    """The person wants to see the preset again."""

    def __init__(self, presets: Presets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets = presets
        self.draft: Draft | None = None
        self.form: Form | None = None
        self._area: QScrollArea | None = None
        self._build()
        follow_language(self._say)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.title = Label("", self, role="headline", elide=True)
        self.state = figure("", self, role="muted")
        self.undo_button, self.redo_button, self.save_button, self.revert_button = (
            QPushButton(self) for _ in range(4)
        )
        self.discard_button, self.done_button = QPushButton(self), QPushButton(self)
        for button, slot in (
            (self.undo_button, self.undo),
            (self.redo_button, self.redo),
            (self.save_button, self.save),
            (self.revert_button, self.revert),
            (self.discard_button, self.discard),
            (self.done_button, self._finish),
        ):
            button.clicked.connect(slot)
        buttons = QHBoxLayout()
        buttons.setSpacing(em // 3)
        for button in (
            self.save_button,
            self.undo_button,
            self.redo_button,
            self.revert_button,
            self.discard_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.done_button)
        self._head = QWidget(self)
        head = QVBoxLayout(self._head)
        head.setContentsMargins(em, em * 2 // 3, em, em // 3)
        head.setSpacing(em // 3)
        head.addWidget(self.title)
        head.addWidget(self.state)
        head.addLayout(buttons)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)
        self.box.addWidget(self._head)

    def _say(self) -> None:
        self.setAccessibleName(translate("Presets", "Preset editor"))
        for button, text, meaning in (
            (
                self.save_button,
                translate("Presets", "Save"),
                translate("Presets", "Writes the preset to your own folder (Ctrl+S)"),
            ),
            (
                self.undo_button,
                "↶",
                translate("Presets", "Takes the last change of this preset back (Ctrl+Z)"),
            ),
            (
                self.redo_button,
                "↷",
                translate("Presets", "Does the change again (Ctrl+Y)"),
            ),
            (
                self.revert_button,
                translate("Presets", "Revert to built-in"),
                translate("Presets", "Takes the figures of the preset it is based on"),
            ),
            (
                self.discard_button,
                translate("Presets", "Discard"),
                translate("Presets", "Forgets what is not saved"),
            ),
            (
                self.done_button,
                translate("Presets", "Done"),
                translate("Presets", "Shows the preset; what is not saved is kept"),
            ),
        ):
            button.setText(text)
            button.setAccessibleName(text)
            button.setAccessibleDescription(meaning)
            button.setToolTip(meaning)
        self.undo_button.setAccessibleName(translate("Presets", "Undo in the editor"))
        self.redo_button.setAccessibleName(translate("Presets", "Redo in the editor"))
        self._show_state()

    # What is edited

    def show_draft(self, draft: Draft) -> None:
        """Edit a draft; the one before keeps what was done to it."""
        if draft is self.draft and self.form is not None:
            return
        self.let_go()
        self.draft = draft
        self.form = form_of(draft.preset.value)(draft, self)
        self._area = scrolled(self.form, self)
        self.box.addWidget(self._area, 1)
        draft.changed.connect(self._show_state)
        self._show_state()

    def let_go(self) -> None:
        """Take the form away; what was typed last is taken over where it can be."""
        if self.form is not None:
            self.form.finish_typing()
        if self.draft is not None:
            self.draft.changed.disconnect(self._show_state)
        if self._area is not None:
            self.box.removeWidget(self._area)
            self._area.hide()
            self._area.deleteLater()
        self.draft = self.form = self._area = None

    def has_keyboard(self) -> bool:
        """Whether something in the editor has the keyboard."""
        here = QApplication.focusWidget()
        return isinstance(here, QWidget) and self.isAncestorOf(here)

    def focus_first(self) -> None:
        """Give the keyboard to the first field."""
        if self.form is not None and self.form.groups[0].rows:
            self.form.groups[0].rows[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_state(self) -> None:
        draft = self.draft
        if draft is None:
            return
        value = draft.preset.value
        self.title.set_text(value.name)
        parts = [f"user:{self._shown_id(draft)}"]
        if draft.preset.based_on is not None:
            parts.append(translate("Presets", "based on {name}").format(name=draft.preset.based_on))
        if draft.saving:
            parts.append(translate("Presets", "being saved"))
        elif draft.is_new:
            parts.append("● " + translate("Presets", "not saved yet"))
        elif draft.is_edited:
            parts.append("● " + translate("Presets", "changes not saved"))
        else:
            parts.append(translate("Presets", "saved"))
        self.state.set_text(" · ".join(parts))
        set_why(self.state, revision_why(draft.preset))
        stack = draft.undo_stack
        for button, can in (
            (self.undo_button, stack.canUndo()),
            (self.redo_button, stack.canRedo()),
            (self.save_button, draft.is_unsaved and not draft.saving),
            (self.discard_button, draft.is_unsaved and not draft.saving),
        ):
            if not can and button.hasFocus():
                # Else the keyboard goes to the next one, which would revert what was just saved.
                self.done_button.setFocus(Qt.FocusReason.OtherFocusReason)
            button.setEnabled(can)
        based_on = draft.preset.based_on or ""
        self.revert_button.setVisible(bool(based_on))
        self.revert_button.setText(
            translate("Presets", "Revert to built-in")
            if based_on.startswith("builtin:")
            else translate("Presets", "Revert to the original")
        )

    def _shown_id(self, draft: Draft) -> str:
        """The id it has, or will have when it is saved under its present name."""
        if not draft.is_new:
            return draft.id
        library, kind = self._presets.library, draft.kind
        others = {d.id for d in self._presets.drafts if d.kind == kind and d is not draft}
        return preset_edits.free_id(library, kind, draft.preset.value.name, others)

    # Verbs

    def undo(self) -> None:
        """Take the last change back; a text that was refused goes first."""
        if self.draft is not None and self.form is not None and not self.form.forget_typing():
            self.draft.undo_stack.undo()

    def redo(self) -> None:
        """Do the next change again."""
        if self.draft is not None:
            self.draft.undo_stack.redo()

    def save(self) -> None:
        """Take over what is typed and write the preset; a refused text is shown instead."""
        if self.draft is not None and self.form is not None and self.form.finish_typing():
            self._presets.save(self.draft)

    def revert(self) -> None:
        """Take the figures of what it is based on, as one step."""
        draft = self.draft
        if draft is None:
            return
        original = preset_edits.reverted(self._presets.library, draft.preset)
        if original is not None:
            if self.form is not None:
                self.form.forget_typing()
            draft.change(original, translate("Presets", "revert to the original"))

    def discard(self) -> None:
        """Forget what is not saved."""
        draft = self.draft
        if draft is None:
            return
        if self.form is not None:
            self.form.forget_typing()
        if draft.is_new:
            self.let_go()
            self._presets.drop(draft)
            self.done.emit()
        else:
            self._presets.reload(draft)

    def _finish(self) -> None:
        if self.form is None or self.form.finish_typing():
            self.done.emit()

    # Keys

    def event(self, event: QEvent) -> bool:
        """Claim the keys of undo, redo and save before the window takes them for the plan."""
        if event.type() == QEvent.Type.ShortcutOverride and self._verb_of(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        verb = self._verb_of(event)
        if verb is None:
            super().keyPressEvent(event)
            return
        verb()
        event.accept()

    def _verb_of(self, event: QEvent) -> Callable[[], None] | None:
        if not isinstance(event, QKeyEvent) or self.draft is None:
            return None
        for keys, verb in ((_KEY.Undo, self.undo), (_KEY.Redo, self.redo), (_KEY.Save, self.save)):
            if event.matches(keys):
                return verb
        is_redo = event.key() in (Qt.Key.Key_Y, Qt.Key.Key_Z)
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        wanted = both if event.key() == Qt.Key.Key_Z else Qt.KeyboardModifier.ControlModifier
        return self.redo if is_redo and event.modifiers() == wanted else None

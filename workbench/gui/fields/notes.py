"""The notes of a scenario: plain text, one undo step for what was typed."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError
from PySide6.QtCore import QEvent, QMimeData
from PySide6.QtGui import QContextMenuEvent, QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.gui.fields.line import is_undo, is_verb
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.spec.base import MAX_TEXT_CHARACTERS, unwanted_character
from workbench.spec.scenario import Scenario

_LINES: Final = 4


class NotesEdit(QPlainTextEdit):
    """Commits when the focus leaves; takes no character that a file could not hold."""

    def __init__(self, session: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._scenario: Scenario | None = None
        self._menu_open = False
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * (_LINES + 1))
        follow_language(self._say)

    def _say(self) -> None:
        self.setPlaceholderText(
            translate("Fields", "Why this scenario, who asked, what was agreed")
        )
        self.setAccessibleName(translate("Fields", "Notes"))
        self.setAccessibleDescription(
            translate("Fields", "Plain text, at most {limit} characters").format(
                limit=f"{MAX_TEXT_CHARACTERS:,}"
            )
        )

    def show_state(self, scenario: Scenario) -> None:
        """Show a scenario's notes; what is being typed stays unless the notes changed."""
        old, self._scenario = self._scenario, scenario
        same = old is not None and (old.id, old.notes) == (scenario.id, scenario.notes)
        if not same and self.toPlainText() != scenario.notes:
            self.setPlainText(scenario.notes)
        if not same:
            self.document().setModified(False)

    def commit(self) -> None:
        """Take over what was typed."""
        scenario = self._session.current
        if scenario is None or not self.document().isModified():
            return
        if self._scenario is None or scenario.id != self._scenario.id:
            return
        text = self._acceptable(self.toPlainText())
        self.document().setModified(False)
        try:
            self._session.replace_scenario(scenario.with_(notes=text), "set_notes")
        except ValidationError:
            self.setPlainText(scenario.notes)

    @staticmethod
    def _acceptable(text: str) -> str:
        kept = text[:MAX_TEXT_CHARACTERS]
        if unwanted_character(kept, multiline=True) is None:
            return kept
        return "".join(
            "\ufffd" if unwanted_character(character, multiline=True) else character
            for character in kept
        )

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            room = MAX_TEXT_CHARACTERS - len(self.toPlainText())
            self.textCursor().insertText(self._acceptable(source.text()[: max(0, room)]))

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if not self.document().isModified() and is_undo(event):
            # Nothing typed to undo: the window's own undo is meant.
            event.ignore()
            return True
        taken = super().event(event)
        if is_verb(event):
            self.commit()
        return taken

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu_open = True
        super().contextMenuEvent(event)
        self._menu_open = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._menu_open:
            self.commit()

"""The choice of a release: known ones newest first, any other typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from workbench.gui.fields.choice import ChoiceRow
from workbench.gui.fields.line import QuantityLine
from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.tr import translate


class ReleaseBox(QComboBox):
    """An editable list; typing filters it, Enter or leaving commits, Esc forgets."""

    chosen = Signal(object)
    """The text that a person chose or typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self._refused = False
        self.setEditable(True)
        self.line = QuantityLine(self)
        self.setLineEdit(self.line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(5)
        self.setMaxVisibleItems(16)
        self.line.setMaxLength(100)
        self.line.committed.connect(self.commit)
        self.line.cancelled.connect(self.restore)
        self.activated.connect(self._on_activated)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        follow_language(self._say)

    def _say(self) -> None:
        self.line.setPlaceholderText(translate("Fields", "such as 0.15.1"))
        completer = self.completer()
        popup = None if completer is None else completer.popup()
        if popup is not None:
            popup.setAccessibleName(translate("Fields", "Releases"))

    def set_releases(self, releases: Sequence[str]) -> None:
        """Offer these releases."""
        self.blockSignals(True)
        self.clear()
        self.addItems(list(releases))
        self.blockSignals(False)
        self._show_text()

    @property
    def release(self) -> str:
        """The release in force."""
        return self._shown

    def show_release(self, release: str) -> None:
        """Show the release in force; what is being typed stays unless that changed."""
        typing = self.line.isModified() or self._refused
        if release == self._shown and (typing or self.line.text() == release):
            return
        self._shown = release
        self._show_text()

    def _show_text(self) -> None:
        index = self.findText(self._shown)
        if index != self.currentIndex():
            self.blockSignals(True)
            self.setCurrentIndex(index)
            self.blockSignals(False)
        self.line.setText(self._shown)
        self.mark(invalid=False)

    def mark(self, *, invalid: bool, differs: bool = False) -> None:
        """Outline a text that names no release, tint one that differs from the baseline's."""
        self._refused = invalid
        self.line.set_state(invalid=invalid, differs=differs)

    def commit(self) -> None:
        """Take over what was typed."""
        text = self.line.text().strip()
        if not self.line.isModified():
            return
        self.line.setModified(False)
        if text and text != self._shown:
            self.chosen.emit(text)
        else:
            self._show_text()

    def restore(self) -> None:
        """Forget what was typed."""
        self._show_text()
        self.line.selectAll()
        self.chosen.emit(self._shown)

    def _on_activated(self, index: int) -> None:
        self.line.setModified(False)
        text = self.itemText(index)
        if text != self._shown:
            self.chosen.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.line.text() != self._shown:
            self.restore()
            event.accept()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Take over what was typed before Tab leaves: an open list would swallow the leaving."""
        completer = self.completer()
        popup = None if completer is None else completer.popup()
        if popup is not None:
            popup.hide()
        self.commit()
        return super().focusNextPrevChild(forward)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.lineEdit() is not None:
            self.line.setFont(self.font())


class ReleaseRow(ChoiceRow):
    """The box in a form, with the sentence of a refused text and a quiet remark below."""

    def __init__(self, field_id: str, box: ReleaseBox, parent: QWidget | None = None) -> None:
        super().__init__(field_id, box, parent)
        self.release_box = box
        self._refusal: Callable[[], str] | None = None
        self.error = Label("", self, role="danger", wrap=True, selectable=True)
        self.right.addWidget(self.error)
        self.error.hide()
        follow_language(self._say_error)

    def paint_state(self) -> None:
        """Outline what is refused, tint what differs from the baseline."""
        self.release_box.mark(invalid=self._refusal is not None, differs=self.differs)

    def show_error(self, why: Callable[[], str] | None) -> None:
        """Say why a text names no release; None takes the sentence away."""
        self._refusal = why
        self._say_error()
        self.paint_state()

    def _say_error(self) -> None:
        text = "" if self._refusal is None else self._refusal()
        self.error.set_text(text)
        self.error.setVisible(bool(text))
        described = self.release_box.accessibleDescription()
        self.release_box.line.setAccessibleName(self.release_box.accessibleName())
        self.release_box.line.setAccessibleDescription(f"{text} {described}" if text else described)

"""Messages at the top of the window: what happened and what can be done; never a box to close."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.labels import Label, Role, plain_tip
from workbench.gui.language import follow_language
from workbench.gui.messages import Message
from workbench.gui.tr import action_text, message_text, translate

_MOST = 4
_LONGEST_WORD = 60
_HALF_WORD = 24
_SYMBOLS = {"info": "ℹ", "warning": "▲", "error": "✖"}
_ROLES: dict[str, Role] = {"info": "accent", "warning": "warning", "error": "danger"}


def _breakable(text: str) -> str:
    """Shorten in their middle the names that no line could hold: a label breaks between words."""
    return " ".join(
        word if len(word) <= _LONGEST_WORD else f"{word[:_HALF_WORD]}…{word[-_HALF_WORD:]}"
        for word in text.split(" ")
    )


class _Line(QFrame):
    """One message."""

    closed = Signal(object)

    def __init__(self, message: Message, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self._build()

    def _build(self) -> None:
        message = self.message
        self.setProperty("card", True)
        em = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(em * 3 // 4, em // 3, em // 2, em // 3)
        layout.setSpacing(em // 2)
        layout.addWidget(Label(_SYMBOLS[message.severity], self, role=_ROLES[message.severity]))
        self._sentence = Label("", self, selectable=True, wrap=True)
        layout.addWidget(self._sentence, 1)
        self._buttons: list[QPushButton] = []
        for action in message.actions:
            button = QPushButton(self)
            self._buttons.append(button)
            button.clicked.connect(partial(self._run, action.run))
            layout.addWidget(button)
        self._closer = QToolButton(self)
        self._closer.setText("×")
        self._closer.setProperty("flat", True)
        self._closer.clicked.connect(self._close)
        layout.addWidget(self._closer)
        follow_language(self._say)

    def _say(self) -> None:
        text = message_text(self.message)
        short = _breakable(text)
        self.setAccessibleName(text)
        self._sentence.set_text(short)
        self._sentence.setToolTip(plain_tip(text) if short != text else "")
        for button, action in zip(self._buttons, self.message.actions, strict=True):
            button.setText(action_text(action.code))
            button.setAccessibleName(button.text())
        self._closer.setAccessibleName(translate("Messages", "Close this message"))

    def _run(self, action: object) -> None:
        self._close()
        action()  # type: ignore[operator]

    def _close(self) -> None:
        self.closed.emit(self)


class MessageBar(QWidget):
    """The last few messages, newest first; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[_Line] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(self.fontMetrics().height() // 3)
        self.hide()
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Messages", "Messages"))

    def show_message(self, message: Message) -> None:
        """Show a message; one of the same slot makes room for it."""
        for line in list(self._lines):
            same_slot = bool(message.slot) and line.message.slot == message.slot
            if same_slot or line.message == message:
                self._remove(line)
        line = _Line(message, self)
        line.closed.connect(self._remove)
        self._lines.insert(0, line)
        self._layout.insertWidget(0, line)
        while len(self._lines) > _MOST:
            self._remove(self._lines[-1])
        self.show()

    def clear_slot(self, slot: str) -> None:
        """Take away what no longer holds."""
        for line in list(self._lines):
            if line.message.slot == slot:
                self._remove(line)

    def messages(self) -> list[Message]:
        """Return what is shown, newest first."""
        return [line.message for line in self._lines]

    def _remove(self, line: object) -> None:
        if isinstance(line, _Line) and line in self._lines:
            self._lines.remove(line)
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.setVisible(bool(self._lines))

"""Two small sheets: keyboard shortcuts, and what this program is."""

from __future__ import annotations

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from workbench import __version__
from workbench.gui.actions import VERBS, Actions
from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.tr import QT_TRANSLATE_NOOP, translate, without_mnemonic

_MORE = (
    (QT_TRANSLATE_NOOP("Help", "Step a value"), "↑ ↓"),
    (QT_TRANSLATE_NOOP("Help", "Double or halve a value"), "PgUp PgDown"),
    (QT_TRANSLATE_NOOP("Help", "Walk the parts of the bars"), "← → ↑ ↓"),
    (QT_TRANSLATE_NOOP("Help", "Explain a part of a bar"), "Enter"),
    (QT_TRANSLATE_NOOP("Help", "Explorer tabs"), "1 2 3 4"),
)


class _Sheet(QDialog):
    """A dialog with one button that closes it. Subclasses say their words in `_say`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        em = self.fontMetrics().height()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(em, em, em, em)
        self.body.setSpacing(em // 2)

    def finish(self) -> None:
        """Add the button below what was built."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        self.body.addWidget(buttons)
        follow_language(self._say)

    def _say(self) -> None:
        raise NotImplementedError


class ShortcutsDialog(_Sheet):
    """Every key of the window."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.fontMetrics().height() * 2)
        rows = [("Actions", verb.text, _keys(actions, verb.id)) for verb in VERBS]
        rows += [("Help", text, keys) for text, keys in _MORE]
        self._rows = [(context, text, Label("", self)) for context, text, keys in rows if keys]
        for index, keys in enumerate(keys for *_, keys in rows if keys):
            # Two columns, so that the sheet fits a small screen.
            column, row = divmod(index, (len(self._rows) + 1) // 2)
            grid.addWidget(self._rows[index][2], row, 2 * column)
            grid.addWidget(Label(keys, self, role="muted"), row, 2 * column + 1)
        self.body.addLayout(grid)
        self.finish()

    def _say(self) -> None:
        self.setWindowTitle(translate("Help", "Keyboard shortcuts"))
        for context, text, label in self._rows:
            said = translate("Actions", text) if context == "Actions" else translate("Help", text)
            label.set_text(without_mnemonic(said))


def _keys(actions: Actions, action_id: str) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(native) for key in actions[action_id].shortcuts())


class AboutDialog(_Sheet):
    """Version, promise and licences."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.body.addWidget(Label("KV Workbench", self, role="headline"))
        self._version = Label("", self, selectable=True)
        self.body.addWidget(self._version)
        self._remarks = [Label("", self, role="muted", wrap=True) for _ in range(3)]
        for label in self._remarks:
            label.setMinimumWidth(self.fontMetrics().height() * 24)
            self.body.addWidget(label)
        self.finish()

    def _say(self) -> None:
        self.setWindowTitle(translate("Help", "About KV Workbench"))
        version = translate("Help", "Version {version}, Qt {qt}")
        self._version.set_text(version.format(version=__version__, qt=qVersion()))
        remarks = (
            translate("Help", "Plans GPU memory for serving language models."),
            translate("Help", "Works offline: nothing is uploaded or looked up."),
            translate(
                "Help",
                "Licence: Apache 2.0. Qt and PySide6 are used under the LGPL: their libraries "
                "can be exchanged for your own.",
            ),
        )
        for label, text in zip(self._remarks, remarks, strict=True):
            label.set_text(text)

"""The report of a fault: what to send to whoever can mend it, to be read and copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.tr import translate


class ReportDialog(QDialog):
    """Shows a report and copies it."""

    def __init__(self, report: str, clipboard: QClipboard, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._clipboard = clipboard
        self._report = report
        self._build()

    def _build(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        em = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(em, em, em, em)
        self._sentence = Label("", self, wrap=True)
        layout.addWidget(self._sentence)
        self._text = text = QPlainTextEdit(self)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        text.setReadOnly(True)
        text.setPlainText(self._report)
        text.setMinimumSize(em * 40, em * 14)
        layout.addWidget(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self._copier = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._copier.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        follow_language(self._say)

    def _say(self) -> None:
        self.setWindowTitle(translate("Crash", "Something went wrong"))
        self._sentence.set_text(
            translate(
                "Crash",
                "A fault in the program was caught. Your work has been kept; you can go on, "
                "or save and start again. The report stays on this computer.",
            )
        )
        self._text.setAccessibleName(translate("Crash", "Report"))
        self._copier.setText(translate("Crash", "Copy report"))

    def _copy(self) -> None:
        self._clipboard.setText(self._report)

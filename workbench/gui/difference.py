"""A sheet that lists how recovered work differs from its document, before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from workbench.core.plan_changes import Change
from workbench.gui.compare.values import input_name, input_text
from workbench.gui.labels import Label, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import action_text, translate
from workbench.gui.views.table import Cell, CopyTable, word

_WIDE_LINES = 46
_ROWS = (4, 18)


class DifferenceDialog(QDialog):
    """Lists the changes; restores, discards, or leaves it open."""

    decided = Signal(object)
    """"restore", "discard", or "" when the sheet is closed."""

    def __init__(
        self, name: str, changes: Sequence[Change], *, has_document: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._changes = tuple(changes)
        self._has_document = has_document
        self._decision = ""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._build()
        follow_language(self._say)
        # Discarding must not be what Enter does.
        self._restore.setDefault(True)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self._sentence = Label("", self, wrap=True, selectable=True)
        self.table = CopyTable("", ("", "", "", ""), self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        role = QDialogButtonBox.ButtonRole
        self._restore = buttons.addButton("", role.AcceptRole)
        self._discard = buttons.addButton("", role.DestructiveRole)
        self._restore.clicked.connect(partial(self._decide, "restore"))
        self._discard.clicked.connect(partial(self._decide, "discard"))
        buttons.rejected.connect(self.reject)
        self.finished.connect(self._tell)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(em, em, em, em)
        layout.setSpacing(em * 2 // 3)
        for part in (self._sentence, self.table, buttons):
            layout.addWidget(part)
        self.table.setMinimumWidth(em * _WIDE_LINES)

    def _say(self) -> None:
        self.setWindowTitle(translate("Recovery", "Recovered work: {name}").format(name=self._name))
        self._sentence.set_text(self._summary())
        self.table.say(
            translate("Recovery", "Differences"),
            (
                translate("Recovery", "Scenario"),
                translate("Recovery", "What"),
                translate("Recovery", "In the file"),
                translate("Recovery", "Recovered"),
            ),
        )
        self.table.show_rows([change_cells(change) for change in self._changes])
        self._restore.setText(action_text("restore"))
        self._discard.setText(action_text("discard"))
        least, most = _ROWS
        row = self.table.verticalHeader().defaultSectionSize()
        rows = min(max(len(self._changes) + 1, least), most) + 1
        self.table.setMinimumHeight(rows * row)

    def _summary(self) -> str:
        if not self._has_document:
            return translate("Recovery", "It has no file that could be read; all of it is new.")
        if not self._changes:
            return translate("Recovery", "It says the same as the file.")
        return translate("Recovery", "What the recovered work has and the file has not:")

    def _decide(self, decision: str, _checked: bool = False) -> None:
        self._decision = decision
        self.accept()

    def _tell(self, _result: object) -> None:
        self.decided.emit(self._decision)


def change_cells(change: Change) -> tuple[Cell, ...]:
    """Say one change: the scenario, what of it, before and after."""
    before, after = change.before, change.after
    if change.input is not None:
        kind = change.input.kind
        what = input_name(change.input.id)
        before, after = input_text(before, kind), input_text(after, kind)
    else:
        what = {
            "added": translate("Recovery", "added"),
            "removed": translate("Recovery", "removed"),
            "renamed": translate("Recovery", "renamed"),
            "notes": translate("Recovery", "notes"),
            "moved": translate("Recovery", "place in the order"),
            "baseline": translate("Recovery", "baseline"),
        }.get(change.what, translate("Recovery", "what has no field of its own"))
    texts = ("" if value is None else visible(str(value), limit=200) for value in (before, after))
    return (word(change.name), word(what), *(word(text) for text in texts))

"""Two small sheets: keyboard shortcuts, and what this program is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__
from workbench.gui.actions import MENUS, VERBS, Actions
from workbench.gui.labels import Label, heading
from workbench.gui.language import follow_language
from workbench.gui.tr import QT_TRANSLATE_NOOP, translate, without_mnemonic

_MORE: Final = {
    QT_TRANSLATE_NOOP("Help", "Fields"): (
        (QT_TRANSLATE_NOOP("Help", "Take over, or restore"), "Enter, Esc"),
        (QT_TRANSLATE_NOOP("Help", "One step, ten steps"), "↑ ↓, Shift+↑ ↓"),
        (QT_TRANSLATE_NOOP("Help", "Double, halve"), "PgUp, PgDown"),
        (QT_TRANSLATE_NOOP("Help", "Slide between the ticks"), "Alt"),
    ),
    QT_TRANSLATE_NOOP("Help", "Scenario strip"): (
        (QT_TRANSLATE_NOOP("Help", "To the neighbour"), "← →"),
        (QT_TRANSLATE_NOOP("Help", "Pick several with a click"), "Ctrl, Shift"),
    ),
    QT_TRANSLATE_NOOP("Help", "Bars"): (
        (QT_TRANSLATE_NOOP("Help", "Walk the parts and the rows"), "← → ↑ ↓"),
        (QT_TRANSLATE_NOOP("Help", "First part, last part"), "Home, End"),
        (QT_TRANSLATE_NOOP("Help", "Explain a part"), "Enter"),
    ),
    QT_TRANSLATE_NOOP("Help", "Heat map"): (
        (QT_TRANSLATE_NOOP("Help", "Move the cursor"), "← → ↑ ↓"),
        (QT_TRANSLATE_NOOP("Help", "To the left or right edge"), "Home, End"),
        (QT_TRANSLATE_NOOP("Help", "To the upper or lower edge"), "PgUp, PgDown"),
        (QT_TRANSLATE_NOOP("Help", "Try a cell, stop trying"), "Space, Esc"),
        (QT_TRANSLATE_NOOP("Help", "Apply a cell"), "Ctrl+Enter"),
    ),
    QT_TRANSLATE_NOOP("Help", "Explorer"): (
        (QT_TRANSLATE_NOOP("Help", "Show a tab"), "1 … 9"),
        (QT_TRANSLATE_NOOP("Help", "Explain a row of a table"), "Enter"),
    ),
    QT_TRANSLATE_NOOP("Help", "Slide"): (
        (QT_TRANSLATE_NOOP("Help", "Another scenario"), "← →"),
        (QT_TRANSLATE_NOOP("Help", "Leave"), "Esc, F5"),
    ),
}
"""Keys that belong to a part of the window and to no verb."""
_COLUMNS: Final = 3
_OTHERS: Final = QT_TRANSLATE_NOOP("Help", "Elsewhere")


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
    """Every key of the window: the menus' verbs, then what parts of the window know themselves."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._labels: list[tuple[str, str, Label]] = []
        em = self.fontMetrics().height()
        columns = QHBoxLayout()
        columns.setSpacing(em * 4 // 3)
        for groups in _columns(_groups(actions)):
            grid = QGridLayout()
            grid.setHorizontalSpacing(em * 2 // 3)
            grid.setVerticalSpacing(max(1, em // 8))
            for group in groups:
                self._add_group(grid, group)
            grid.setRowStretch(grid.rowCount(), 1)
            columns.addLayout(grid)
        self.body.addLayout(columns)
        self.finish()

    def _add_group(self, grid: QGridLayout, group: _Group) -> None:
        row = grid.rowCount()
        if row > 1:
            grid.setRowMinimumHeight(row, self.fontMetrics().height() // 2)
            row += 1
        title = heading("", self)
        grid.addWidget(title, row, 0, 1, 2)
        self._labels.append((group.context, group.title, title))
        for offset, (context, text, keys) in enumerate(group.rows, start=1):
            label = Label("", self)
            grid.addWidget(label, row + offset, 0)
            grid.addWidget(Label(keys, self, role="muted"), row + offset, 1)
            self._labels.append((context, text, label))

    def _say(self) -> None:
        self.setWindowTitle(translate("Help", "Keyboard shortcuts"))
        for context, text, label in self._labels:
            label.set_text(without_mnemonic(translate(context, text)))


@dataclass(frozen=True, slots=True)
class _Group:
    """A heading and its rows: context and English text, and keys."""

    context: str
    title: str
    rows: tuple[tuple[str, str, str], ...]


def _groups(actions: Actions) -> list[_Group]:
    texts = {verb.id: verb.text for verb in VERBS}
    ids = {title: [i for i in menu if i in texts] for title, menu in MENUS.items()}
    placed = {i for menu in ids.values() for i in menu}
    others = [i for i in texts if i not in placed]
    made = [_verbs_group("Menus", title, menu, texts, actions) for title, menu in ids.items()]
    made.append(_verbs_group("Help", _OTHERS, others, texts, actions))
    made += [
        _Group("Help", title, tuple(("Help", text, keys) for text, keys in rows))
        for title, rows in _MORE.items()
    ]
    return [group for group in made if group.rows]


def _verbs_group(
    context: str, title: str, ids: Sequence[str], texts: Mapping[str, str], actions: Actions
) -> _Group:
    rows = ((("Actions", texts[i], _keys(actions, i))) for i in ids)
    return _Group(context, title, tuple(row for row in rows if row[2]))


def _columns(groups: Sequence[_Group]) -> list[list[_Group]]:
    """Share the groups out in order, so that no column is much higher than the others."""
    heights = [len(group.rows) + 2 for group in groups]
    each = -(-sum(heights) // _COLUMNS)
    made: list[list[_Group]] = [[]]
    filled = 0
    for group, height in zip(groups, heights, strict=True):
        if filled and filled + height // 2 > each and len(made) < _COLUMNS:
            made.append([])
            filled = 0
        made[-1].append(group)
        filled += height
    return made


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

"""The model of an editable table: one row an item of a list, one column a field of the items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from workbench.gui.labels import plain_tip, visible
from workbench.gui.presets.rows import Part, refused
from workbench.gui.presets.wording import choice_name, field_name
from workbench.gui.tr import labelled, listed, translate
from workbench.gui.why import Why
from workbench.library.preset_facts import given, source_of
from workbench.library.preset_fields import EditField
from workbench.spec.errors import UserError

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
FAULT: Final = Qt.ItemDataRole.UserRole + 1
"""The sentence of a cell whose text was refused, else None."""


@dataclass(frozen=True)
class Shown:
    """A column that follows from the others and cannot be typed in."""

    name: Callable[[], str]
    text: Callable[[Any], str]


class RowsModel(QAbstractTableModel):
    """Rows of a part that is a tuple of values. A refused text stays in its cell."""

    refused_changed = Signal()
    """A text was refused, or none is any more."""

    def __init__(
        self,
        part: Part,
        columns: Callable[[], Sequence[EditField]],
        shown: Sequence[Shown] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.part = part
        self._columns = columns
        self.columns: tuple[EditField, ...] = tuple(columns())
        self._shown = tuple(shown)
        self.rows: tuple[Any, ...] = ()
        self.faults: dict[tuple[int, int], tuple[str, str]] = {}
        """By row and column: the text that stands there and what is wrong with it."""

    # Showing

    def refresh(self) -> None:
        """Show the rows as the draft has them."""
        rows = tuple(self.part.value or ())
        self.columns = tuple(self._columns())
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self._drop_faults()
            self.endResetModel()
        elif rows != self.rows:
            self.rows = rows
            last = self.index(len(rows) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _drop_faults(self) -> None:
        if self.faults:
            self.faults.clear()
            self.refused_changed.emit()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns) + len(self._shown)

    def heading(self, column: int) -> str:
        """Return the name of a column."""
        if column < len(self.columns):
            return field_name(self.columns[column].name)
        return self._shown[column - len(self.columns)].name()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return section + 1 if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heading(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section) | Qt.AlignmentFlag.AlignVCenter
        return None

    def _side(self, column: int) -> Qt.AlignmentFlag:
        if column < len(self.columns) and self.columns[column].kind in (
            "choice",
            "text",
            "lines",
            "switch",
        ):
            return Qt.AlignmentFlag.AlignLeft
        return Qt.AlignmentFlag.AlignRight

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell, as it was typed where it was refused."""
        if (row, column) in self.faults:
            return self.faults[row, column][0]
        item = self.rows[row]
        if column >= len(self.columns):
            return self._shown[column - len(self.columns)].text(item)
        return self.columns[column].text(item)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.EditRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            text = self.text(row, column)
            choice = column < len(self.columns) and bool(self.columns[column].choices)
            return visible(choice_name(text) if choice and text else text.replace("\n", ", "))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(column) | Qt.AlignmentFlag.AlignVCenter
        fault = self.faults.get((row, column))
        if role == FAULT:
            return None if fault is None else fault[1]
        if role == Qt.ItemDataRole.ToolTipRole:
            return None if fault is None else plain_tip(fault[1])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = labelled(self.heading(column), self.data(index))
            return said if fault is None else listed((said, fault[1]))
        return None

    def why(self, index: _Index) -> Why | None:
        """Return what the figure of a cell would ask; None for words and for what is refused."""
        row, column = index.row(), index.column()
        choice = column < len(self.columns) and bool(self.columns[column].choices)
        text = "" if choice or (row, column) in self.faults else self.text(row, column)
        if not text:
            return None
        source = source_of(self.part.draft.preset)
        name = f"{row + 1}: {self.heading(column)}"
        return Why(None, term=given(name, visible(text.replace("\n", ", ")), "text", source))

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if self.can_edit(index) else flags

    def can_edit(self, index: _Index) -> bool:
        """Whether a cell can be typed in: not what follows from others, nor what does not apply."""
        column = index.column()
        return column < len(self.columns) and self.columns[column].applies(self.rows[index.row()])

    # Editing

    def fault_of(self, index: _Index, text: str) -> str:
        """Return what would be wrong with a text in a cell, empty when nothing is."""
        try:
            rows = self._with(index, text)
            self.part.write(self.part.draft.preset.value, rows)
        except (UserError, ValidationError) as error:
            return refused(error)
        return ""

    def _with(self, index: _Index, text: str) -> tuple[Any, ...]:
        row = index.row()
        item = self.columns[index.column()].typed(self.rows[row], text)
        return (*self.rows[:row], item, *self.rows[row + 1 :])

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        place, text = (index.row(), index.column()), str(value)
        if role != Qt.ItemDataRole.EditRole or not self.can_edit(index):
            return False
        if text == self.text(*place):
            return True
        name = self.heading(index.column())
        step = translate("Presets", "set {field} to {value}").format(field=name, value=text)
        try:
            rows = self._with(index, text)
            self.faults.pop(place, None)
            self.part.put(rows, step)
        except (UserError, ValidationError) as error:
            self.faults[place] = (text, refused(error))
        self.refresh()
        self.dataChanged.emit(index, index)
        self.refused_changed.emit()
        return True

    def forget_fault(self, index: _Index) -> bool:
        """Drop a refused text, so that the value in force stands there again."""
        gone = self.faults.pop((index.row(), index.column()), None) is not None
        if gone:
            self.dataChanged.emit(index, index)
            self.refused_changed.emit()
        return gone

    def put_rows(self, rows: Sequence[Any], step: str) -> str:
        """Take other rows; returns why they are refused, empty when they are not."""
        try:
            self.part.put(tuple(rows), step)
        except (UserError, ValidationError) as error:
            return refused(error)
        self._drop_faults()
        self.refresh()
        return ""

"""Rows of named values with badges, as a model whose lower rows are made when looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from workbench.gui.labels import plain_tip
from workbench.gui.tr import labelled, listed, translate

NAME, VALUE, BADGE = range(3)
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree."""

    name: str
    value: str = ""
    badge: str = ""
    exact: str = ""
    """The value in full, for the tool tip and for copying."""
    tip: str = ""
    field: str | None = None
    """The field of the scenario that sets it."""
    key: str | None = None
    """The ledger entry that it stands for."""
    quiet: bool = False
    """A remark rather than a figure: sources, what is not modelled."""
    strong: bool = False
    children: tuple[Row, ...] | Callable[[], tuple[Row, ...]] = ()
    """What is below it, or what makes that once somebody looks."""

    def parts(self) -> tuple[Row, ...]:
        """Return the rows below it."""
        return self.children() if callable(self.children) else self.children

    def copied(self) -> str:
        """The row as text: name, value in full, evidence."""
        parts = (self.name, self.exact or self.value, self.badge)
        return "\t".join(part for part in parts if part)


@dataclass(slots=True)
class _Place:
    row: Row
    parent: int
    number: int
    children: list[int] | None = None
    """Places below it; None until a view has asked for them."""


class RowModel(QAbstractItemModel):
    """Rows by number: an index holds a place in a list, never a pointer.

    Rows below a row are made when a view first asks for them, so a closed tree costs nothing.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: list[_Place] = [_Place(Row(""), -1, 0)]

    def set_rows(self, rows: Sequence[Row], *, renamed: bool = False) -> bool:
        """Show these rows; True when the tree has another shape than before.

        Rows that are `renamed` say the same in another language, so names need not agree.
        """
        root = Row("", children=tuple(rows))
        changes: list[tuple[int, Row]] = []
        if self._places[0].children and self._match(0, root, changes, renamed):
            self._take(changes)
            return False
        self.beginResetModel()
        self._places = [_Place(root, -1, 0)]
        self.endResetModel()
        return True

    def _match(self, number: int, row: Row, changes: list[tuple[int, Row]], renamed: bool) -> bool:
        """Whether a row and what is made below it can take the place of the one shown."""
        changes.append((number, row))
        made = self._places[number].children
        if made is None:
            return True
        parts = row.parts()
        if len(parts) != len(made):
            return False
        for child, part in zip(made, parts, strict=True):
            old = self._places[child].row
            same_name = renamed or part.quiet or old.name == part.name
            if old.quiet is not part.quiet or not same_name:
                return False
            if not self._match(child, part, changes, renamed):
                return False
        return True

    def _take(self, changes: list[tuple[int, Row]]) -> None:
        """Put rows in place; tell once for each parent, and only of what reads differently."""
        spans: dict[int, tuple[int, int]] = {}
        for number, row in changes:
            place = self._places[number]
            old, place.row = place.row, row
            if number and (old.name, old.value, old.badge) != (row.name, row.value, row.badge):
                first, last = spans.get(place.parent, (number, number))
                spans[place.parent] = min(first, number), max(last, number)
        for first, last in spans.values():
            self.dataChanged.emit(self.index_of(first), self.index_of(last).siblingAtColumn(BADGE))

    def _children(self, place: _Place, number: int) -> list[int]:
        if place.children is None:
            first = len(self._places)
            parts = place.row.parts()
            self._places += [_Place(part, number, count) for count, part in enumerate(parts)]
            place.children = list(range(first, first + len(parts)))
        return place.children

    def index_of(self, number: int) -> QModelIndex:
        """Return the index of a place."""
        if number == 0:
            return QModelIndex()
        return self.createIndex(self._places[number].number, 0, number)

    def row_at(self, index: _Index) -> Row:
        """Return the row of an index."""
        return self._place(index).row

    def made(self) -> Iterator[tuple[QModelIndex, Row]]:
        """Yield the index and the row of everything that has been looked at."""
        for number, place in enumerate(self._places):
            if number:
                yield self.index_of(number), place.row

    def walk(self, parent: _Index = _NOWHERE) -> Iterator[tuple[QModelIndex, Row]]:
        """Yield every index of the first column and its row, from top to bottom, all made."""
        for number in range(self.rowCount(parent)):
            index = self.index(number, NAME, parent)
            yield index, self.row_at(index)
            yield from self.walk(index)

    def _place(self, index: _Index) -> _Place:
        return self._places[index.internalId()] if index.isValid() else self._places[0]

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        number = parent.internalId() if parent.isValid() else 0
        children = self._children(self._places[number], number)
        if not (0 <= row < len(children) and 0 <= column < 3):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        return self.index_of(self._place(index).parent) if index.isValid() else QModelIndex()

    def hasChildren(self, parent: _Index = _NOWHERE) -> bool:
        place = self._place(parent)
        return bool(place.row.children if place.children is None else place.children)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        if parent.column() > 0:
            return 0
        number = parent.internalId() if parent.isValid() else 0
        return len(self._children(self._places[number], number))

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 3

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (
            translate("Panels", "Name"),
            translate("Panels", "Value"),
            translate("Panels", "Evidence"),
        )[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.row_at(index), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.name, row.value, row.badge)[column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == VALUE:
                return row.value or translate("Panels", "no value")
            if column == BADGE:
                return row.badge or translate("Panels", "no evidence")
            return listed((row.name, row.value, row.badge))
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [labelled(row.name, row.exact or row.value) if row.value else row.name, row.tip]
            return plain_tip("\n".join(line for line in lines if line))
        if role == Qt.ItemDataRole.TextAlignmentRole and column == VALUE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

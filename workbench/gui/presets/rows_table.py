"""An editable table with buttons for its rows and a sentence below for what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.presets.rows import DraftLine
from workbench.gui.presets.rows_model import RowsModel
from workbench.gui.presets.rows_view import RowsDelegate, RowsTableView
from workbench.gui.tr import translate

_Index = QModelIndex | QPersistentModelIndex
_MOST_ROWS: Final = 10


class RowsTable(QWidget):
    """Table, sentence and buttons; shows and edits what its model holds."""

    current_changed = Signal(object)
    """Number of the row that is looked at, -1 for none."""

    def __init__(
        self,
        model: RowsModel,
        name: Callable[[], str],
        parent: QWidget | None = None,
        *,
        new_row: Callable[[Sequence[Any], int], Any],
        can_be_empty: bool = False,
    ) -> None:
        super().__init__(parent)
        self.model = model
        model.setParent(self)
        self._name = name
        self._new_row = new_row
        self._can_be_empty = can_be_empty
        self._typing = ""
        self._build()
        follow_language(self._say)
        model.modelReset.connect(self._fit)
        model.dataChanged.connect(self._fit_columns)
        model.refused_changed.connect(self._tell)
        self._fit()

    def _build(self) -> None:
        self.view = RowsTableView(self)
        self.view.setModel(self.model)
        delegate = RowsDelegate(self.view, self.model)
        delegate.typed.connect(self._on_typed)
        delegate.closeEditor.connect(self._tell)
        self.view.setItemDelegate(delegate)
        self.view.setTabKeyNavigation(False)
        self.view.setWordWrap(False)
        self.view.setShowGrid(False)
        self.view.setFrameShape(QTableView.Shape.NoFrame)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.view.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        )
        self.view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() * 8 // 5)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.view.horizontalHeader().setHighlightSections(False)
        self.view.verticalHeader().setHighlightSections(False)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.sentence = Label("", self, role="danger", wrap=True, selectable=True)
        self.sentence.hide()
        self.add_button, self.remove_button, self.up_button, self.down_button = (
            QPushButton(self) for _ in range(4)
        )
        for button, slot in (
            (self.add_button, self.add),
            (self.remove_button, self.remove),
            (self.up_button, partial(self.move_row, -1)),
            (self.down_button, partial(self.move_row, 1)),
        ):
            button.clicked.connect(slot)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        for button in (self.add_button, self.remove_button, self.up_button, self.down_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.fontMetrics().height() // 3)
        layout.addWidget(self.view)
        layout.addWidget(self.sentence)
        layout.addLayout(buttons)

    def _say(self) -> None:
        self.view.setAccessibleName(self._name())
        self.view.setAccessibleDescription(
            translate("Presets", "Arrow keys walk, typing or Enter edits a cell, Esc gives up")
        )
        self.add_button.setText(translate("Presets", "Add a row"))
        self.remove_button.setText(translate("Presets", "Remove the row"))
        for button in (self.add_button, self.remove_button):
            button.setAccessibleName(button.text())
        self.up_button.setText("↑")
        self.down_button.setText("↓")
        self.up_button.setAccessibleName(translate("Presets", "Move the row up"))
        self.down_button.setAccessibleName(translate("Presets", "Move the row down"))
        for button in (self.up_button, self.down_button):
            button.setToolTip(button.accessibleName())
        for button in (self.add_button, self.remove_button, self.up_button, self.down_button):
            button.setAccessibleDescription(self._name())
        last = max(0, self.model.columnCount() - 1)
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
        self._fit_columns()
        self._show_buttons()

    # Showing

    def refresh(self) -> None:
        """Show the rows as the draft has them."""
        row = self.row
        self.model.refresh()
        if self.row != row or row < 0:
            self._go_to(min(max(row, 0), self.model.rowCount() - 1))
        self._show_buttons()

    @property
    def row(self) -> int:
        """The row that is looked at, -1 for none."""
        return self.view.currentIndex().row()

    def _go_to(self, row: int, column: int = -1) -> None:
        if row >= 0:
            column = max(0, self.view.currentIndex().column()) if column < 0 else column
            self.view.setCurrentIndex(self.model.index(row, column))

    def _on_current(self, current: QModelIndex, before: QModelIndex) -> None:
        self._tell()
        self._show_buttons()
        if current.row() != before.row():
            self.current_changed.emit(current.row())

    def _show_buttons(self) -> None:
        row, last = self.row, self.model.rowCount() - 1
        self.remove_button.setEnabled(row >= 0 and (self._can_be_empty or last > 0))
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < last)

    def _fit(self) -> None:
        rows = min(max(1, self.model.rowCount()), _MOST_ROWS)
        self._fit_columns()
        header = self.view.horizontalHeader().sizeHint().height()
        bar = self.view.horizontalScrollBar().sizeHint().height()
        around = header + bar + 2 * self.view.frameWidth()
        self.view.setFixedHeight(rows * self.view.verticalHeader().defaultSectionSize() + around)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The width of a frame is known once the style sheet is.
        self._fit()

    def _fit_columns(self, *_: object) -> None:
        metrics = self.fontMetrics()
        most = metrics.averageCharWidth() * 30
        for column in range(self.model.columnCount()):
            texts = {
                str(self.model.index(row, column).data() or "")
                for row in range(min(self.model.rowCount(), 200))
            }
            texts.add(f"{self.model.heading(column)}n")
            width = max(map(metrics.horizontalAdvance, texts)) + metrics.height()
            self.view.setColumnWidth(column, min(width, most))

    # Telling what is wrong

    def _on_typed(self, index: QPersistentModelIndex, fault: str) -> None:
        self._show_sentence(self._placed(index.row(), index.column(), fault))

    def _placed(self, row: int, column: int, fault: str) -> str:
        if not fault:
            return ""
        return translate("Presets", "Row {row}, {column}: {fault}").format(
            row=row + 1, column=self.model.heading(column), fault=fault
        )

    def _tell(self, *_: object) -> None:
        """Say what is wrong with the cell looked at, else with the first one refused."""
        faults = self.model.faults
        here = (self.row, self.view.currentIndex().column())
        place = here if here in faults else next(iter(sorted(faults)), None)
        self._show_sentence("" if place is None else self._placed(*place, faults[place][1]))

    def _show_sentence(self, text: str) -> None:
        self.sentence.set_text(text)
        self.sentence.setVisible(bool(text))

    # Rows

    def add(self) -> None:
        """Put a new row below the one looked at."""
        rows, at = self.model.rows, self.row + 1 if self.row >= 0 else self.model.rowCount()
        try:
            row = self._new_row(rows, at)
        except ValueError as error:
            self._show_sentence(str(error))
            return
        step = translate("Presets", "add a row")
        self._put((*rows[:at], row, *rows[at:]), step, at)

    def remove(self) -> None:
        """Take the row looked at away."""
        rows, at = self.model.rows, self.row
        if at >= 0:
            left = (*rows[:at], *rows[at + 1 :])
            self._put(left, translate("Presets", "remove a row"), min(at, len(left) - 1))

    def move_row(self, by: int, _checked: bool = False) -> None:
        """Put the row looked at one place up or down."""
        rows, at = list(self.model.rows), self.row
        if 0 <= at < len(rows) and 0 <= at + by < len(rows):
            rows.insert(at + by, rows.pop(at))
            self._put(rows, translate("Presets", "move a row"), at + by)

    def _put(self, rows: Sequence[Any], step: str, at: int) -> None:
        fault = self.model.put_rows(rows, step)
        if fault:
            self._show_sentence(fault)
            return
        self._go_to(at)
        self._show_buttons()

    def finish_typing(self) -> bool:
        """Take over the cell that is being edited; False when some text is refused."""
        editor = self.view.findChild(DraftLine)
        if editor is not None and editor.isVisible():
            delegate = self.view.itemDelegate()
            delegate.commitData.emit(editor)
            delegate.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)
        if self.model.faults:
            place = min(self.model.faults)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.view.setCurrentIndex(self.model.index(*place))
            return False
        return True

    def forget_faults(self) -> bool:
        """Drop all refused texts; says whether there was one."""
        places = list(self.model.faults)
        for place in places:
            self.model.forget_fault(self.model.index(*place))
        return bool(places)

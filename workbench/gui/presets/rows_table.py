"""An editable table with buttons for its rows and a sentence below for what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.gui.labels import Label, theme_of
from workbench.gui.language import follow_language
from workbench.gui.presets.rows import DraftLine
from workbench.gui.presets.rows_model import FAULT, RowsModel
from workbench.gui.presets.wording import choice_name
from workbench.gui.tr import translate

_Index = QModelIndex | QPersistentModelIndex
_MOST_ROWS: Final = 10


class _Delegate(QStyledItemDelegate):
    """Edits a cell as text or as a choice, and outlines a refused one."""

    typed = Signal(object, object)
    """Index and the text as it is being typed."""

    def __init__(self, view: QTableView, model: RowsModel) -> None:
        super().__init__(view)
        self._model = model
        self._view = view

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        field = self._model.columns[index.column()]
        name = self._model.heading(index.column())
        if field.choices:
            box = QComboBox(parent)
            for code in ("", *field.choices) if field.optional else field.choices:
                box.addItem(choice_name(code) if code else "–", code)
            box.setAccessibleName(name)
            box.view().setAccessibleName(name)
            box.activated.connect(partial(self._take, box))
            return box
        line = DraftLine(parent)
        line.setFrame(False)
        line.setAccessibleName(name)
        line.textEdited.connect(partial(self._tell, line, QPersistentModelIndex(index)))
        return line

    def _take(self, box: QComboBox, _: int) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)

    def _tell(self, line: DraftLine, index: QPersistentModelIndex, text: str) -> None:
        fault = self._model.fault_of(index, text)
        line.set_state(invalid=bool(fault), differs=False)
        self.typed.emit(index, fault)

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        text = self._model.text(index.row(), index.column())
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(text))
        elif isinstance(editor, DraftLine) and not editor.isModified():
            editor.setText(text.replace("\n", ", "))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: object, index: _Index) -> None:
        if isinstance(editor, QComboBox):
            text = str(editor.currentData())
        else:
            text = editor.text()  # type: ignore[attr-defined]
            if self._model.columns[index.column()].kind == "lines":
                text = "\n".join(part.strip() for part in text.split(","))
        self._model.setData(index, text)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        area = QRect(option.rect)
        if isinstance(editor, QComboBox):
            area.setWidth(max(area.width(), editor.sizeHint().width()))
        editor.setGeometry(area)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        super().paint(painter, option, index)
        if index.data(FAULT):
            painter.save()
            painter.setPen(QPen(QColor(theme_of(self._view).danger), 1.5))
            painter.drawRect(option.rect.adjusted(1, 1, -2, -2))
            painter.restore()


class _View(QTableView):
    """A table that takes what is typed before the window's own keys do."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            bare = event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            if not bare and event.text().isprintable() and event.text():
                # A digit begins an entry here; elsewhere it may be a shortcut.
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        model, index = self.model(), self.currentIndex()
        if self.state() == QAbstractItemView.State.EditingState:
            # Enter in a cell comes by here once the cell has taken it.
            event.ignore()
            return
        if isinstance(model, RowsModel) and index.isValid():
            if event.key() == Qt.Key.Key_Escape and model.forget_fault(index):
                return
            if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                model.setData(index, "")
                return
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
                if model.can_edit(index):
                    self.edit(index)
                return
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(
            QKeySequence.StandardKey.Redo
        ):
            event.ignore()
            return
        super().keyPressEvent(event)


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
        self.view = _View(self)
        self.view.setModel(self.model)
        delegate = _Delegate(self.view, self.model)
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
        height = rows * self.view.verticalHeader().defaultSectionSize() + header + bar + 2
        self.view.setFixedHeight(height)

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

"""The view of an editable table: cells are typed in, chosen, copied and asked why."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.gui.labels import theme_of
from workbench.gui.presets.rows import DraftLine
from workbench.gui.presets.rows_model import FAULT, RowsModel
from workbench.gui.presets.wording import choice_name
from workbench.gui.tr import translate
from workbench.gui.why import Why, add_why, ask

_Index = QModelIndex | QPersistentModelIndex


class RowsDelegate(QStyledItemDelegate):
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


class RowsTableView(QTableView):
    """A table that takes what is typed before the window's own keys do; figures say why."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def why_at(self, index: _Index) -> Why | None:
        """Return what the figure of a cell would ask."""
        model = self.model()
        return model.why(index) if isinstance(model, RowsModel) and index.isValid() else None

    def asked_why(self) -> Why | None:
        """Return what the cell under the cursor would ask."""
        return self.why_at(self.currentIndex())

    def copy(self) -> None:
        """Put the cell under the cursor on the clipboard."""
        from workbench.gui.export.mime import copy_cells

        index = self.currentIndex()
        if index.isValid():
            copy_cells(str(index.data()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            index = self.indexAt(event.position().toPoint())
            if ask(self, self.why_at(index)):
                self.setCurrentIndex(index)
                return
        super().mousePressEvent(event)

    def _open_menu(self, position: QPoint) -> None:
        pointed = self.indexAt(position)
        if pointed.isValid():
            self.setCurrentIndex(pointed)
        if not self.currentIndex().isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_why(menu, self, self.asked_why())
        copy = menu.addAction(translate("Views", "Copy"))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copy)
        menu.popup(self.viewport().mapToGlobal(position))

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

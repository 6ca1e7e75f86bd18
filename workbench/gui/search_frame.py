"""A line to type into over a list of what was found: the body of every searching popup."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)


class SearchFrame(QFrame):
    """The keyboard stays in the line, which also walks the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("popup", True)
        self.line = QLineEdit(self)
        self.line.installEventFilter(self)
        self.view = QListView(self)

    def _lay_out(
        self, model: QAbstractItemModel, delegate: QStyledItemDelegate, margin: int
    ) -> None:
        """Put the line above the list, which shows a model."""
        self.view.setModel(model)
        self.view.setItemDelegate(delegate)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setUniformItemSizes(True)
        self.view.setProperty("quiet", True)
        self.view.setFocusProxy(self.line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(margin, margin, margin, margin)
        layout.setSpacing(margin)
        layout.addWidget(self.line)
        layout.addWidget(self.view)

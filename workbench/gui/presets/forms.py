"""The forms of the editor: titled groups of rows and tables over one draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui.labels import heading
from workbench.gui.language import follow_language, on_language
from workbench.gui.presets.draft import Draft
from workbench.gui.presets.rows import EditRow, Part
from workbench.gui.presets.rows_model import RowsModel, Shown
from workbench.gui.presets.rows_table import RowsTable
from workbench.gui.presets.wording import says
from workbench.gui.tr import QT_TRANSLATE_NOOP, translate
from workbench.library.preset_fields import EditField

Say = Callable[[], str]


class Group(QWidget):
    """A heading with rows and tables below it; hidden as a whole where none of them applies."""

    def __init__(self, title: Say, parent: QWidget, *, folds: bool = False) -> None:
        super().__init__(parent)
        self._title = title
        self.rows: list[EditRow] = []
        self.tables: list[RowsTable] = []
        self.title = heading("", self)
        self.body = QWidget(self)
        self.box = QVBoxLayout(self.body)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(max(3, self.fontMetrics().height() // 3))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.box.spacing())
        self.button: QPushButton | None = None
        if folds:
            self.title.hide()
            self.button = QPushButton(self)
            self.button.setProperty("flat", True)
            self.button.setProperty("fold", True)
            self.button.clicked.connect(self._on_fold)
            line = QHBoxLayout()
            line.addWidget(self.button)
            line.addStretch(1)
            layout.addLayout(line)
            self.body.hide()
        else:
            layout.addWidget(self.title)
        layout.addWidget(self.body)
        follow_language(self._say)

    def _say(self) -> None:
        self.title.set_text(self._title())
        if self.button is not None:
            is_open = not self.body.isHidden()
            self.button.setText(f"{self._title()} {'▾' if is_open else '▸'}")
            self.button.setAccessibleName(self._title())
            self.button.setAccessibleDescription(
                translate("Presets", "Shows or hides what belongs to it")
            )

    def _on_fold(self) -> None:
        self.unfold(is_open=self.body.isHidden())

    def unfold(self, *, is_open: bool = True) -> None:
        """Show or hide what belongs to the group."""
        if self.button is not None:
            self.body.setVisible(is_open)
            self._say()

    def add_fields(self, fields: Sequence[EditField], part: Part) -> None:
        """Add a row for each field of a part."""
        for field in fields:
            self.add_row(EditRow(field, part, self.body))

    def add_row(self, row: EditRow) -> None:
        """Add a row that is already made."""
        self.rows.append(row)
        self.box.addWidget(row)

    def add_table(
        self,
        name: Say,
        part: Part,
        columns: Callable[[], Sequence[EditField]],
        new_row: Callable[[Sequence[Any], int], Any],
        *,
        shown: Sequence[Shown] = (),
        can_be_empty: bool = False,
    ) -> RowsTable:
        """Add a table of a part that is a list."""
        model = RowsModel(part, columns, shown)
        table = RowsTable(model, name, self.body, new_row=new_row, can_be_empty=can_be_empty)
        self.tables.append(table)
        self.box.addWidget(table)
        return table

    def clear_rows(self) -> None:
        """Take all rows away."""
        for row in self.rows:
            self.box.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []

    def refresh(self) -> None:
        """Show the draft."""
        for row in self.rows:
            row.refresh()
        for table in self.tables:
            table.refresh()


class Form(QWidget):
    """All groups of a draft. A subclass adds them in `_fill`."""

    typed = Signal()
    """Something that does not fit was typed, or is right again."""

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        self.whole = Part(draft)
        self.groups: list[Group] = []
        em = self.fontMetrics().height()
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(em, em // 2, em, em)
        self.box.setSpacing(em)
        self._fill()
        self.box.addStretch(1)
        draft.changed.connect(self.refresh)
        self.refresh()
        self._align()
        on_language(self._say_again)

    def _fill(self) -> None:
        """Add the groups."""
        raise NotImplementedError

    def add_group(self, title: Say, *, folds: bool = False) -> Group:
        """Add a group below the others."""
        group = Group(title, self, folds=folds)
        self.groups.append(group)
        self.box.addWidget(group)
        return group

    def add_sources(self, fields: dict[str, EditField], part: Part | None = None) -> Group:
        """Add what says where the figures come from."""
        group = self.add_group(says(QT_TRANSLATE_NOOP("Presets", "Where the figures come from")))
        names = [name for name in ("sources", "checked", "uncertain") if name in fields]
        group.add_fields([fields[name] for name in names], part or self.whole)
        return group

    def refresh(self) -> None:
        """Show the draft as it is now."""
        for group in self.groups:
            group.refresh()

    def _say_again(self) -> None:
        self.refresh()
        self._align()

    def _align(self) -> None:
        """Give the labels of all rows one column."""
        rows = [row for group in self.groups for row in group.rows]
        width = max((row.label_width() for row in rows), default=0)
        for row in rows:
            row.set_label_width(width)

    def finish_typing(self) -> bool:
        """Take over what is being typed; False when some text is refused."""
        fine = True
        for group in self.groups:
            for row in group.rows:
                if not row.commit() and fine and not row.isHidden():
                    group.unfold()
                    row.setFocus()
                    fine = False
            for table in group.tables:
                if not table.finish_typing():
                    group.unfold()
                    fine = False
        return fine

    def forget_typing(self) -> bool:
        """Drop texts that were refused; says whether there was one."""
        dropped = False
        for group in self.groups:
            for row in group.rows:
                if row.is_typed or row.is_refused:
                    row.restore()
                    dropped = True
            for table in group.tables:
                dropped = table.forget_faults() or dropped
        return dropped

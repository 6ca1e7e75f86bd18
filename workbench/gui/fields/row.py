"""A row of the form: a label in its column, a control beside it, and the mark "≠" between them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui.labels import Label, ink
from workbench.gui.tr import translate

DIFFERS = "≠"


class FieldRow(QWidget):
    """Aligned with all other rows by the width of its label's column.

    A subclass says its words in a method of its own, which begins with `say_name`.
    The mark is painted, not a widget: a form has dozens of rows, and each widget costs time
    at the start.
    """

    def __init__(self, name: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.differs = False
        self._aside: QWidget | None = None
        self._name = name
        self._letter = ""
        self.label = Label("", self, role="muted")
        self.right = QVBoxLayout()
        self.right.setSpacing(max(2, self.fontMetrics().height() // 6))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(self.right, 1)

    def add_control(self, control: QWidget, letter: str = "") -> None:
        """Put the row's control beside its label; Alt and the letter go to it."""
        self.right.addWidget(control)
        self.label.setBuddy(control)
        self._letter = letter
        self.label.setFixedHeight(control.sizeHint().height())
        self.setFocusProxy(control)

    def add_aside(self, button: QWidget) -> None:
        """Put a small button into the label's column, so that the control keeps its width."""
        self._aside = button
        button.setFixedHeight(self.label.height())
        self._row.insertWidget(1, button, 0, Qt.AlignmentFlag.AlignTop)
        self._row.insertSpacing(2, self._gap())

    def say_name(self) -> str:
        """Show the name of the row, its letter underlined, and return it."""
        name = self._name()
        self.label.set_text(name)
        if self._letter:
            self.label.setText(self._with_letter(name))
        self._say_differs()
        return name

    def _with_letter(self, name: str) -> str:
        if not self._letter:
            return name
        if self._letter in name:
            return name.replace(self._letter, f"&{self._letter}", 1)
        # A name without the letter has it behind, as menus do in Chinese.
        return f"{name} (&{self._letter.upper()})"

    def _gap(self) -> int:
        """Room between label and control, enough for the mark."""
        return self.fontMetrics().horizontalAdvance(f" {DIFFERS} ")

    def label_width(self) -> int:
        """Return how wide the label's column needs to be, whether its name is said yet or not."""
        return self.width_for(self._name())

    def width_for(self, name: str) -> int:
        """Return how wide the column would need to be for another name."""
        return self.label.width_of(self._with_letter(name)) + self._beside_label()

    def set_label_width(self, width: int) -> None:
        """Align the label's column with those of other rows."""
        if self._aside is None:
            self.label.setFixedWidth(width)
            return
        self._aside.setFixedWidth(self._aside.sizeHint().width())
        self.label.setFixedWidth(width - self._beside_label())

    def _beside_label(self) -> int:
        aside = 0 if self._aside is None else self._aside.sizeHint().width()
        return aside + self._gap()

    def show_differs(self, differs: bool) -> None:
        """Mark a value that is not the baseline's."""
        if differs != self.differs:
            self.differs = differs
            self._say_differs()
            self.update()

    def _say_differs(self) -> None:
        self.setToolTip(translate("Fields", "differs from the baseline") if self.differs else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.differs:
            return
        painter = QPainter(self)
        painter.setPen(ink(self, "accent"))
        end = self.right.geometry().left() - self.fontMetrics().horizontalAdvance(" ")
        area = QRect(0, 0, end, self.label.height())
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, flags, DIFFERS)
        painter.end()

"""The fields below the bars of a slide: what a meeting wants to vary, live."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit

from workbench.gui.panels.section import Section

FIELDS: Final = ("workload.context", "workload.concurrency", "deployment.tp")


class SlideFields(Section):
    """Context, concurrency and tensor parallelism side by side, each an undo step."""

    def _fill(self) -> None:
        self._row = QHBoxLayout()
        for field_id in FIELDS:
            edit = self.add_field(field_id)
            self.box.removeWidget(edit)
            self._row.addWidget(edit, 1)
        self.box.addLayout(self._row)

    def spacing(self) -> int:
        """Return the room between two fields."""
        return self._row.spacing()

    def set_text_px(self, pixels: int) -> None:
        """Write names and values in another size."""
        font = QFont(self.font())
        font.setPixelSize(pixels)
        self._row.setSpacing(pixels * 2)
        for edit in self.fields.values():
            # The mark of a difference is written by the row itself.
            edit.setFont(font)
            for part in (*edit.findChildren(QLabel), *edit.findChildren(QLineEdit)):
                part.setFont(font)
            edit.label.setFixedHeight(edit.line.sizeHint().height())
            edit.set_label_width(edit.label_width())

"""Tab "Defaults": every flag as the engine resolved it, and where the value comes from."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QVBoxLayout

from workbench.gui.fields.wording import field_label
from workbench.gui.labels import muted
from workbench.gui.tr import flag_word, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.table import Cell, CopyTable, number, word
from workbench.gui.views.view import View
from workbench.gui.why import field_why
from workbench.spec import units, words
from workbench.spec.ledger import Echo

_OTHER_NAMES: Final = {"block_size": "block_tokens"}
_SHARES: Final = ("gpu_memory_utilization", "watermark")


def field_of(flag: str) -> str:
    """Return the field of a resolved flag."""
    return f"engine.{_OTHER_NAMES.get(flag, flag)}"


def flag_value(flag: str, value: object) -> str:
    """Print a resolved value."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return flag_word("on" if value else "off")
    if flag in _SHARES and isinstance(value, int | float):
        return units.format_share(float(value))
    if isinstance(value, int):
        return units.group_digits(value)
    return str(value)


class DefaultsView(View):
    """Flag, value, origin; a click or Enter goes to the field."""

    def _build(self) -> None:
        self._flags: tuple[str, ...] = ()
        self.remark = muted("", self)
        self.table = CopyTable("", ("",) * 3, self, stretch=2)
        self.table.clicked.connect(self._go)
        self.table.activated.connect(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, self.fontMetrics().height() // 3, 0, 0)
        self.remark.setContentsMargins(self.table.padding, 0, 0, 0)
        layout.addWidget(self.remark)
        layout.addWidget(self.table, 1)

    def _say(self) -> None:
        self.remark.set_text(translate("Views", "Click a flag, or press Enter, to set it."))
        headings = (
            translate("Views", "Flag"),
            translate("Views", "Value"),
            translate("Views", "Origin"),
        )
        self.table.say(translate("Views", "Resolved defaults"), headings)

    def _show(self) -> None:
        echo = self.session.ledger(str(self.session.current_id)).scenario
        self._flags = tuple(echo.resolved)
        self.table.show_rows([_row(echo, flag) for flag in self._flags])

    def _go(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self._flags):
            self.session.focus_field.emit(field_of(self._flags[index.row()]))


def _row(echo: Echo, flag: str) -> tuple[Cell, ...]:
    why = field_why(None, field_of(flag))
    return (
        word(field_label(field_of(flag)), why=why),
        number(flag_value(flag, echo.resolved[flag]), why=why),
        word(_origin(echo, flag), why=why),
    )


def _origin(echo: Echo, flag: str) -> str:
    if flag not in echo.defaulted:
        return translate("Views", "typed")
    source = echo.origins.get(flag)
    if source is not None:
        return words.source_text(source, words_tr)
    return translate("Views", "default of the engine")

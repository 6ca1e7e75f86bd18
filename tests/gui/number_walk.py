"""Walks every number that a widget shows: can it be copied, and what does it say when asked why?

    for number in numbers(page): assert number.copyable and resolves(session, number.why)

Numbers of painted widgets are found by their hits, those of tables cell by cell. Left out are
names (they come from people), marks of an axis and keys of shortcuts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QWidget,
)

from workbench.charts.display import Text
from workbench.gui.bars_view import BarsView
from workbench.gui.compare.table import CompareTable
from workbench.gui.compare.waterfall_view import WaterfallView
from workbench.gui.panels.explanation import explanation
from workbench.gui.panels.explanation_body import ExplanationBody
from workbench.gui.panels.row_model import Row
from workbench.gui.panels.tree import RowTree
from workbench.gui.presets.rows_view import RowsTableView
from workbench.gui.session import Session
from workbench.gui.views.table import CopyTable
from workbench.gui.why import Why, why_of

_NAMES_ALONE = ("PresetList",)
"""Lists that show nothing but names."""
_DIGIT = re.compile(r"\d")
_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse


@dataclass(frozen=True)
class Number:
    """A text with a digit, and what can be done with it."""

    text: str
    where: str
    copyable: bool
    why: Why | None
    is_own_why: bool = False
    """A row of an explanation: it is part of an answer."""

    def __str__(self) -> str:
        return f"{self.where}: {self.text!r}"


def numbers(root: QWidget, names: tuple[str, ...] = ()) -> Iterator[Number]:
    """Every number that is shown below a widget; texts that only hold a name are none."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is root.window():
            for number in _of(widget):
                if _DIGIT.search(_without(number.text, names)):
                    yield number


def faults(session: Session, root: QWidget, names: tuple[str, ...] = ()) -> list[str]:
    """What is wrong with the numbers below a widget, one line each."""
    found = []
    for number in numbers(root, names):
        if not number.copyable:
            found.append(f"cannot be copied: {number}")
        if not number.is_own_why and not resolves(session, number.why):
            found.append(f"has no why: {number}")
    return found


def resolves(session: Session, why: Why | None) -> bool:
    """Whether a question has an answer that says more than the number."""
    if why is None:
        return False
    said = explanation(session, why)
    return bool(said.headline) and bool(said.formula or said.rows)


def _without(text: str, names: tuple[str, ...]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return text


def _of(widget: QWidget) -> Iterator[Number]:
    where = f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
    if isinstance(widget, RowTree):
        for _, row in widget.rows.walk():
            yield Number(f"{row.name} {row.value}", where, True, None, _says_more(row))
    elif isinstance(widget, CopyTable):
        for line, row in enumerate(widget.cells.rows):
            for column, cell in enumerate(row):
                if not widget.isColumnHidden(column):
                    heading = widget.cells.headings[column]
                    at = f"{where} {widget.accessibleName()!r} {heading!r} {line}"
                    yield Number(cell.text, at, True, cell.why)
    elif isinstance(widget, RowsTableView):
        model = widget.model()
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                index = model.index(row, column)
                at = f"{where} row {row}, column {column}"
                yield Number(index.data() or "", at, True, widget.why_at(index))
    elif isinstance(widget, BarsView):
        yield from _of_bars(widget)
    elif isinstance(widget, CompareTable):
        for line in widget.lines.lines:
            for cell in line.cells:
                yield Number(cell.value_text, f"{where} {line.key}", True, cell.why)
                yield Number(cell.diff_text, f"{where} {line.key}, Δ", True, cell.diff_why)
    elif isinstance(widget, WaterfallView):
        for hit in widget.display_list().hits:
            text, why = widget.text_of(hit.key.part), widget.why_of_part(hit.key.part)
            yield Number(text, f"waterfall {hit.key.part}", True, why)
    elif isinstance(widget, QLabel) and isinstance(widget.parentWidget(), ExplanationBody):
        yield Number(
            widget.text(), where, bool(widget.textInteractionFlags() & _SELECTABLE), None, True
        )
    elif isinstance(widget, QLabel) and _card_of(widget) is not None:
        yield Number(widget.text(), where, True, why_of(_card_of(widget) or widget))
    elif isinstance(widget, QLabel):
        copyable = bool(widget.textInteractionFlags() & _SELECTABLE)
        text = getattr(widget, "full_text", widget.text())
        yield Number(text, where, copyable, why_of(widget))
    elif isinstance(widget, QAbstractButton):
        yield Number(widget.text(), where, why_of(widget) is not None, why_of(widget))
    elif isinstance(widget, QComboBox):
        yield Number(widget.currentText(), where, why_of(widget) is not None, why_of(widget))
    elif isinstance(widget, QLineEdit):
        if not isinstance(widget.parentWidget(), QComboBox):
            yield Number(widget.text(), where, True, why_of(widget))
    elif type(widget).__name__ in _NAMES_ALONE:
        return
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        raise AssertionError(f"nobody walks the cells of {where}")


def _card_of(label: QLabel) -> QWidget | None:
    """The card that is copied and asked about as a whole, where a label belongs to one."""
    parent = label.parentWidget()
    return parent if hasattr(parent, "full_text") else None


def _says_more(row: Row) -> bool:
    return bool(row.children or row.tip or row.field or row.key or row.quiet)


def _of_bars(bars: BarsView) -> Iterator[Number]:
    """Parts by their hits; every other text but the marks of the axis by where it stands."""
    display, measure = bars.display_list(), bars.measure
    for hit in display.hits:
        why = Why(hit.key.scenario, hit.key.part, hit.key.rank)
        yield Number(bars.text_of(hit.key), f"bars {hit.key.part}", True, why)
    for item in display.items:
        if isinstance(item, Text) and item.role not in ("axis", "row:subtitle", "row:name"):
            box = item.box(measure)
            x, y = box.x + box.width / 2, box.y + box.height / 2
            key = display.hit(x, y) or bars.figure_at(x, y)
            why = None if key is None else Why(key.scenario, key.part, key.rank)
            yield Number(item.text, f"bars, {item.role}", True, why)

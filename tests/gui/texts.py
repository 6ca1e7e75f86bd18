"""Every text that a window shows or tells, and those that do not fit where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from workbench.gui.fields.choice import PresetBox
from workbench.gui.fields.release_box import ReleaseBox
from workbench.gui.labels import Label
from workbench.gui.views.tab_bar import MoreTabs

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


def visible_widgets(window: QWidget) -> list[QWidget]:
    return [w for w in (window, *window.findChildren(QWidget)) if w.isVisible()]


def texts_of(window: QWidget) -> list[tuple[str, str]]:
    """Where and what: all that can be read, heard or pointed at, menus included."""
    found = [
        (f"{type(widget).__name__} {kind}", text)
        for widget in visible_widgets(window)
        for kind, text in _texts(widget)
    ]
    # One without a title is Qt's own, for what a narrow menu bar has no room for.
    for menu in (menu for menu in window.findChildren(QMenu) if menu.title()):
        found += [("menu", menu.title())]
        found += [("action", text) for a in menu.actions() for text in (a.text(), a.toolTip())]
    return [(where, text) for where, text in found if text.strip()]


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "name", widget.accessibleName()
    yield "description", widget.accessibleDescription()
    yield "tip", widget.toolTip()
    yield "title", widget.windowTitle()
    if isinstance(widget, Label):
        yield "text", widget.full_text
    elif isinstance(widget, QLabel | QAbstractButton):
        yield "text", widget.text()
    elif isinstance(widget, QComboBox):
        yield from (("item", widget.itemText(i)) for i in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (("tab", widget.tabText(i)) for i in range(widget.count()))
    elif isinstance(widget, QLineEdit | QPlainTextEdit):
        yield "placeholder", widget.placeholderText()
    elif isinstance(widget, QMenuBar):
        yield from (("menu", action.text()) for action in widget.actions())
    elif isinstance(widget, QHeaderView):
        yield from (("heading", text) for _, text in _headings(widget))
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from (("cell", text) for text in _cells(widget, QModelIndex()))


def _cells(view: QAbstractItemView, parent: QModelIndex) -> Iterator[str]:
    model = view.model()
    for row in range(model.rowCount(parent)):
        # A model of a list keeps its number of columns to itself.
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (str(model.data(index, role) or "") for role in ROLES)
        first = model.index(row, 0, parent)
        if getattr(view, "isExpanded", lambda _: False)(first):
            yield from _cells(view, first)


def _headings(header: QHeaderView) -> Iterator[tuple[int, str]]:
    if header.orientation() == Qt.Orientation.Horizontal and header.model() is not None:
        for section in range(header.count()):
            if not header.isSectionHidden(section):
                text = header.model().headerData(section, header.orientation())
                yield section, str(text or "")


def clipped(window: QWidget) -> list[str]:
    """Texts that are wider or higher than their place; those that shorten by design are not."""
    found = []
    for widget in visible_widgets(window):
        found += [f"{type(widget).__name__}: {text}" for text in _cut(widget)]
    return found


def _cut(widget: QWidget) -> Iterator[str]:
    wide = widget.fontMetrics().horizontalAdvance
    if isinstance(widget, Label) and widget.is_eliding:
        return
    if isinstance(widget, QLabel):
        if widget.wordWrap():
            if widget.heightForWidth(widget.width()) > widget.height() + 1:
                yield widget.text()
        else:
            # Not the size hint: it remembers the widest that the label ever was.
            flags = Qt.TextFlag.TextShowMnemonic.value
            size = widget.fontMetrics().size(flags, widget.text())
            if size.width() > widget.contentsRect().width() + 1:
                yield widget.text()
    elif isinstance(widget, QAbstractButton) and widget.text():
        # A button may be given less air than it asks for, never less than its words.
        less = widget.fontMetrics().height() // 2 if isinstance(widget, QToolButton) else 0
        if widget.sizeHint().width() - less > widget.width():
            yield widget.text()
    elif isinstance(widget, QTabBar):
        for index in range(widget.count()):
            at = widget.tabRect(index)
            if not widget.isTabVisible(index):
                # What has no room is in a menu that stands beside the others.
                cut = not any(more.isVisible() for more in widget.parent().findChildren(MoreTabs))
            else:
                beside = (at.width() - wide(widget.tabText(index))) // 2
                text = at.adjusted(beside, 0, -beside, 0)
                cut = beside < 0 or not widget.rect().contains(text)
            if cut:
                yield widget.tabText(index)
    elif isinstance(widget, QHeaderView):
        for section, text in _headings(widget):
            if wide(text) > widget.sectionSize(section):
                yield text
    elif isinstance(widget, QComboBox) and not isinstance(widget, PresetBox | ReleaseBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        combo = QStyle.ComplexControl.CC_ComboBox
        room = widget.style().subControlRect(combo, option, part, widget).width()
        if wide(widget.currentText()) > room:
            yield widget.currentText()
    elif isinstance(widget, QLineEdit):
        hint = "" if widget.text() else widget.placeholderText()
        if wide(hint) > widget.contentsRect().width():
            yield hint

"""Why a number is what it is: what to ask the session, and how a person asks at a widget.

Ctrl+click and the context menu of a widget with a `Why` ask, and so does the verb "view.why" for
the widget with the keyboard. Whoever stands above it and was given to `answer_in` answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QMenu, QToolTip, QWidget

from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.spec.fields import Value
from workbench.spec.ledger import Term

FIGURE: Final = "figure:"
FIELD: Final = "field:"
KEYS: Final = "Alt+Return"
Pair = tuple[tuple[str, Value], tuple[str, Value]]
"""Two inputs with a value each."""
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, slots=True)
class Why:
    """A number to explain: one of a scenario's ledger, one of its fields, or one of its own."""

    scenario: str | None
    key: str = ""
    """An entry's label or kind, "headroom", "free", "figure:NAME" or "field:ID", also "ID,ID"."""
    rank: int = -1
    """The rank of an entry; the one that decides for -1."""
    term: Term | None = None
    """A number that no ledger holds, with the formula it comes from."""
    at: Pair | None = None
    """Two inputs with other values than the scenario has: a cell of a map."""


Explain = Callable[[Why, QWidget], object]
"""Answers a question that was asked at a widget."""


def figure_why(scenario: str | None, name: str) -> Why:
    """Ask about a derived figure of a ledger, a name of `core.explain.FIGURES`."""
    return Why(scenario, FIGURE + name)


def field_why(scenario: str | None, field_id: str) -> Why:
    """Ask about the value of a field."""
    return Why(scenario, FIELD + field_id)


def fields_why(field_ids: tuple[str, ...]) -> Why:
    """Ask about the values of several fields of the scenario that is looked at."""
    return Why(None, FIELD + ",".join(field_ids))


def set_why(widget: QWidget, why: Why | None, *, by_click: bool = False) -> None:
    """Let a widget with a number be asked why; None takes that away.

    `by_click`: a plain click that selects no text, and Enter, ask too.
    """
    asker = _asker_of(widget)
    if asker is None:
        if why is None:
            return
        asker = _Asker(widget)
    asker.why = why
    asker.by_click = by_click


def name_field(control: QWidget, field_id: str) -> None:
    """Say which field a control holds, so that it can be asked about its value."""
    control.setProperty("why_field", field_id)


def why_of(widget: QWidget) -> Why | None:
    """Return what a widget would ask: a table asks about the cell under its cursor."""
    asker = _asker_of(widget)
    if asker is not None:
        return asker.why
    asks = getattr(widget, "asked_why", None)
    if asks is not None:
        found: Why | None = asks()
        return found
    field_id = widget.property("why_field")
    return None if field_id is None else field_why(None, str(field_id))


def answer_in(widget: QWidget, explain: Explain) -> None:
    """Answer what is asked anywhere inside a widget."""
    widget.setProperty("explain", explain)


def ask(widget: QWidget, why: Why | None) -> bool:
    """Ask on behalf of a widget; False when there is nothing to ask or nobody to answer."""
    above: QWidget | None = widget
    while above is not None and why is not None:
        explain = above.property("explain")
        if explain is not None:
            explain(why, widget)
            return True
        above = above.parentWidget()
    return False


def tip_with_hint(tip: str) -> str:
    """Return a tool tip that also tells how to ask."""
    hint = translate("Why", "Ctrl+click: why this number")
    return f"{tip}\n{hint}" if tip else hint


def ask_hint() -> str:
    """Say how the keyboard asks, for a widget that has nothing else to be described by."""
    return translate("Why", "Alt+Enter: why this number")


def _asker_of(widget: QWidget) -> _Asker | None:
    asker = getattr(widget, "why_asker", None)
    return asker if isinstance(asker, _Asker) else None


class _Asker(QObject):
    """Listens at one widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.why: Why | None = None
        self.by_click = False
        widget.why_asker = self  # type: ignore[attr-defined]
        widget.installEventFilter(self)
        self._hint = ""
        follow_language(self._say)

    @property
    def _widget(self) -> QWidget:
        # Not kept here as well: a widget that is gone would stay until garbage is looked for.
        return cast(QWidget, self.parent())

    def _say(self) -> None:
        before, self._hint = self._hint, ask_hint()
        # A description of the widget's own says more.
        if self._widget.accessibleDescription() == before:
            self._widget.setAccessibleDescription(self._hint)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the ways to ask; everything else is the widget's."""
        if self.why is None:
            return False
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            return bool(control) and event.button() == Qt.MouseButton.LeftButton and self._ask()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self.by_click and event.key() in _ENTER and self._ask()
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            if self.by_click and event.button() == Qt.MouseButton.LeftButton:
                self._clicked()
            return False
        if isinstance(event, QContextMenuEvent):
            self._open_menu(event)
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = tip_with_hint(self._widget.toolTip())
            QToolTip.showText(event.globalPos(), text, self._widget)
            return True
        return False

    def _clicked(self) -> None:
        label = self._widget
        if not (isinstance(label, QLabel) and label.hasSelectedText()):
            self._ask()

    def _ask(self) -> bool:
        return ask(self._widget, self.why)

    def _open_menu(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self._widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_why(menu, self._widget, self.why)
        copy = menu.addAction(translate("Why", "Copy"))
        copy.triggered.connect(partial(_put_on_clipboard, text_of(self._widget)))
        menu.popup(event.globalPos())


def text_of(widget: QWidget) -> str:
    """Return what a widget says, as it is copied: what is selected, else all of it."""
    if isinstance(widget, QLabel) and widget.hasSelectedText():
        return widget.selectedText()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QAbstractButton):
        return widget.text()
    whole = getattr(widget, "full_text", None)
    return str(whole) if whole is not None else getattr(widget, "text", str)()


def add_why(menu: QMenu, widget: QWidget, why: Why | None) -> None:
    """Put "Why this number" into a context menu, if there is something to ask."""
    if why is not None:
        action = menu.addAction(translate("Why", "Why this number"))
        action.setShortcut(KEYS)
        action.triggered.connect(partial(_ask_from_menu, widget, why))


def _ask_from_menu(widget: QWidget, why: Why, _checked: bool = False) -> None:
    ask(widget, why)


def _put_on_clipboard(text: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(text)

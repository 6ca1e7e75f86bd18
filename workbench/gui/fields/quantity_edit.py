"""One quantity of the scenario: label, text, slider, the dot "changed from preset", a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, Final, Protocol

from pydantic import ValidationError
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.gui.fields import steps
from workbench.gui.fields.line import QuantityLine
from workbench.gui.fields.origin import NO_ORIGIN
from workbench.gui.fields.row import FieldRow
from workbench.gui.fields.slider import QuantitySlider
from workbench.gui.fields.wording import describe, field_help, field_label, refusal
from workbench.gui.labels import Label, plain_tip
from workbench.gui.language import follow_language, times_said
from workbench.gui.tr import translate
from workbench.gui.why import name_field
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import Scenario

_SETTLE_MS: Final = 600
"""How long typing pauses before a text that cannot be read yet is called wrong."""
_LETTERS: Final = {
    "workload.context": "c",
    "workload.concurrency": "n",
    "deployment.tp": "T",
    "reserves.headroom": "d",
}
"""Mnemonics of what is changed most; the menus have F, E, S, V and H."""
_REFUSALS: Final = (UserError, ValidationError)
_drags = count(1)


class FieldSession(Protocol):
    """What a field needs of the session."""

    def set_field(self, field_id: str, value: object, *, merge: Any = None) -> None: ...
    def preview_field(self, field_id: str, value: object) -> None: ...
    def end_preview(self) -> None: ...


class QuantityEdit(FieldRow):
    """Edits the field of `spec.fields` with this id; shows what it is told by `show_state`."""

    explain_requested = Signal(object)
    """The field's id: show the formula it goes into."""
    vary_requested = Signal(object)
    """The field's id: vary it in the heat map."""
    refused = Signal(object)
    """The label that now says why a text cannot be read."""

    def __init__(
        self,
        session: FieldSession,
        field_id: str,
        parent: QWidget | None = None,
        *,
        slider: bool = True,
        name: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(name or partial(field_label, field_id), parent)
        self.field = FIELDS[field_id]
        self._session = session
        self._value: Value | None = None
        self._scenario_id: str | None = None
        self._origin: object = NO_ORIGIN
        self._assumed: Value | None = None
        self._card_bytes = 0
        self._told: tuple[object, ...] | None = None
        self._refusal: Callable[[], str] | None = None
        self._merge: tuple[str, int] | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._check_typed)
        self._build(slider)
        follow_language(self._say)

    def _build(self, slider: bool) -> None:
        self.line = QuantityLine(self)
        name_field(self.line, self.field.id)
        self.line.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.add_control(self.line, _LETTERS.get(self.field.id, ""))
        self.error: Label | None = None
        self.slider = self._build_slider() if slider else None
        self.line.textEdited.connect(self._on_edited)
        self.line.committed.connect(self.commit)
        self.line.cancelled.connect(self.restore)
        self.line.stepped.connect(self._on_stepped)
        self.line.scaled.connect(self._on_scaled)
        self.line.paste_cut.connect(self._on_paste_cut)
        self.line.dot_clicked.connect(self.revert)
        self.line.customContextMenuRequested.connect(self._open_menu)

    def _build_slider(self) -> QuantitySlider:
        field = self.field
        slider = QuantitySlider(
            field.slider_low, field.slider_high, steps.slider_step(field), log2=field.log2
        )
        slider.dragged.connect(self._on_dragged)
        slider.drag_ended.connect(self._end_drag)
        self.right.addWidget(slider)
        return slider

    def _say(self) -> None:
        name, described = self.say_name(), describe(self.field)
        self.line.setAccessibleName(name)
        self.line.setToolTip(plain_tip(field_help(self.field.id)))
        if self.slider is not None:
            self.slider.setAccessibleName(translate("Fields", "{name}, slider").format(name=name))
            self.slider.setAccessibleDescription(described)
        self._say_error()

    # What the panel says

    def show_state(
        self,
        scenario: Scenario,
        *,
        origin: object = NO_ORIGIN,
        placeholder: str = "",
        assumed: Value | None = None,
        differs: bool = False,
        card_bytes: int = 0,
    ) -> None:
        """Show the field of a scenario; a text being typed stays unless this field changed.

        `assumed` is what an empty field stands for; `card_bytes` scales an amount's slider.
        """
        value = self.field.read(scenario)
        # Sizes may have got another unit.
        words = times_said()
        state = (value, scenario.id, origin, placeholder, assumed, differs, card_bytes, words)
        if state == self._told and not (self.line.isModified() or self._refusal):
            return
        self._told = state
        changed = value != self._value or scenario.id != self._scenario_id
        self._value, self._scenario_id = value, scenario.id
        self._origin, self._assumed, self._card_bytes = origin, assumed, card_bytes
        if changed or not (self.line.isModified() or self._refusal):
            self._show_text()
        if self.line.placeholderText() != placeholder:
            self.line.setPlaceholderText(placeholder)
        self.show_differs(differs)
        self.line.set_dot(origin is not NO_ORIGIN and origin != value)
        self._show_slider(value)
        self._paint_state()

    def _show_text(self) -> None:
        self._settle.stop()
        self._refuse(None)
        text = self.field.format(self._value)
        if text != self.line.text() or self.line.isModified():
            self.line.setText(text)
            if not self.line.hasFocus():
                # Where a number is cut, its first digits are what must be seen.
                self.line.setCursorPosition(0)

    def _show_slider(self, value: Value | None) -> None:
        if self.slider is None or self.slider.isSliderDown():
            return
        shown = self._assumed if value is None else value
        self.slider.show_value(steps.to_slider(shown, self._card_bytes))

    # Typing

    def _on_edited(self, text: str) -> None:
        self._settle.start()
        try:
            value = self.field.parse(text, self._current())
            self._session.preview_field(self.field.id, value)
        except _REFUSALS:
            self._session.end_preview()
            return
        self._refuse(None)
        self._show_slider(value)

    def _check_typed(self) -> None:
        """Say what is wrong with a text once typing has paused."""
        if not self.line.isModified():
            return
        try:
            value = self.field.parse(self.line.text(), self._current())
            self._session.preview_field(self.field.id, value)
        except _REFUSALS as error:
            self._refuse(refusal(error, self.field.id))

    def _current(self) -> Value | None:
        return self._assumed if self._value is None else self._value

    def commit(self) -> bool:
        """Take over what was typed; False when it cannot be read, which stays as typed."""
        if not self.line.isModified():
            return self._refusal is None
        self._settle.stop()
        try:
            value = self._typed()
            self._session.set_field(self.field.id, value)
        except _REFUSALS as error:
            self._session.end_preview()
            self._refuse(refusal(error, self.field.id))
            return False
        self._session.end_preview()
        if self.field.format(value) != self.line.text() or self.line.isModified():
            self._show_text()
        return True

    def _typed(self) -> Value | None:
        text = self.line.text()
        if not text.strip() and not self.field.optional and self._origin is not NO_ORIGIN:
            return self._origin  # type: ignore[return-value]
        return self.field.parse(text, self._current())

    def restore(self) -> None:
        """Forget what was typed."""
        self._session.end_preview()
        self._show_text()
        self._show_slider(self._value)
        self.line.selectAll()

    def revert(self) -> None:
        """Take the preset's value back."""
        if self._origin is not NO_ORIGIN:
            self.line.setModified(False)
            self._set(self._origin)  # type: ignore[arg-type]

    def _on_paste_cut(self, limit: int) -> None:
        self._settle.stop()
        self._session.end_preview()
        self._refuse(partial(_cut_text, limit))

    # Keys and slider

    def _on_stepped(self, number: int) -> None:
        if self.commit():
            start = self._current()
            self._set(steps.stepped(self.field, start, number, self._card_bytes))

    def _on_scaled(self, factor: float) -> None:
        if self.commit():
            self._set(steps.scaled(self._current(), factor))

    def _on_dragged(self, place: float) -> None:
        value = steps.from_slider(self.field, self._current(), place, self._card_bytes)
        if self.slider is not None and self.slider.isSliderDown():
            if self._merge is None:
                self._merge = (self.field.id, next(_drags))
            self._set(value, merge=self._merge)
        else:
            # Keys come in bursts, which the session folds into one step.
            self._set(value)

    def _end_drag(self) -> None:
        self._merge = None
        self._show_slider(self._value)

    def _set(self, value: Value | None, *, merge: Any = None) -> None:
        self.line.setModified(False)
        try:
            self._session.set_field(self.field.id, value, merge=merge)
        except _REFUSALS as error:
            self._refuse(refusal(error, self.field.id))
        else:
            self._show_text()

    # Showing

    def _refuse(self, why: Callable[[], str] | None) -> None:
        """Show why a text is refused, or that it no longer is."""
        if why is None and self._refusal is None:
            return
        self._refusal = why
        if self.error is None:
            # Most fields never have one.
            self.error = Label("", self, role="danger", wrap=True, selectable=True)
            self.right.insertWidget(1, self.error)
        self._say_error()
        if why is not None:
            self.refused.emit(self.error)
        self._paint_state()

    def _say_error(self) -> None:
        text = "" if self._refusal is None else self._refusal()
        if self.error is not None:
            self.error.set_text(text)
            self.error.setVisible(bool(text))
        described = describe(self.field)
        self.line.setAccessibleDescription(f"{text} {described}" if text else described)

    def _paint_state(self) -> None:
        self.line.set_state(invalid=self._refusal is not None, differs=self.differs)

    def _open_menu(self, position: QPoint) -> None:
        menu = self.line.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first = menu.actions()[0]
        menu.insertActions(first, self.menu_actions(menu))
        menu.insertSeparator(first)
        self.line.menu_open = True
        menu.aboutToHide.connect(self._on_menu_closed)
        menu.popup(self.line.mapToGlobal(position))

    def _on_menu_closed(self) -> None:
        self.line.menu_open = False

    def menu_actions(self, parent: QWidget) -> list[QAction]:
        """Make the field's own entries of its menu."""
        copy = QAction(translate("Fields", "Copy value"), parent)
        copy.triggered.connect(self.copy_value)
        explain = QAction(translate("Fields", "Show formula"), parent)
        explain.triggered.connect(self._explain)
        vary = QAction(translate("Fields", "Vary in the heat map"), parent)
        vary.triggered.connect(self._vary)
        reset = QAction(translate("Fields", "Reset to the preset"), parent)
        reset.setEnabled(self._origin is not NO_ORIGIN and self._origin != self._value)
        reset.triggered.connect(self.revert)
        return [copy, explain, vary, reset]

    def copy_value(self) -> None:
        """Put the value in force on the clipboard."""
        QGuiApplication.clipboard().setText(self.field.format(self._value))

    def _explain(self) -> None:
        self.explain_requested.emit(self.field.id)

    def _vary(self) -> None:
        self.vary_requested.emit(self.field.id)


def _cut_text(limit: int) -> str:
    text = translate("Fields", "The text was longer than {limit} characters and has been cut.")
    return text.format(limit=f"{limit:,}")

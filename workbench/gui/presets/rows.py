"""Rows of an editor's form: a field of the draft, typed or chosen, with its sentence below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from pydantic import ValidationError
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.fields.line import QuantityLine, is_undo, is_verb
from workbench.gui.fields.row import FieldRow
from workbench.gui.fields.wording import sentence
from workbench.gui.labels import Label, visible
from workbench.gui.language import follow_language
from workbench.gui.presets.draft import Draft
from workbench.gui.presets.wording import both_readings, choice_name, field_name
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.why import Why, add_why, set_why
from workbench.library.preset_facts import given, source_of
from workbench.library.preset_fields import EditField
from workbench.spec import units, words
from workbench.spec.errors import UserError

_AREA_LINES: Final = 4
_WIDEST: Final = 46
_UNKNOWN: Final = ""


@dataclass(frozen=True)
class Part:
    """A part of a draft's value: the whole, its card, one run of layers."""

    draft: Draft
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any, Any], Any] = lambda value, part: part

    @property
    def value(self) -> Any:
        """The part as it is now."""
        return self.read(self.draft.preset.value)

    def put(self, part: Any, text: str) -> None:
        """Take another part as one step; raises `UserError` or `ValidationError`."""
        value = self.write(self.draft.preset.value, part)
        self.draft.change(replace(self.draft.preset, value=value), text)


def refused(error: Exception) -> str:
    """Return the sentence for a value that was refused."""
    return sentence(error)


class TextArea(QPlainTextEdit):
    """Several lines of text; Tab leaves it, undo of what is not being typed passes it by."""

    committed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * (_AREA_LINES + 1))

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride:
            return super().event(event)
        if not self.document().isModified() and is_undo(event):
            event.ignore()
            return True
        taken = super().event(event)
        if is_verb(event):
            self.committed.emit()
        return taken

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo(event) and not self.document().isModified():
            event.ignore()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.committed.emit()


class DraftLine(QuantityLine):
    """A line whose undo, while nothing is being typed, is the editor's; its figure says why."""

    def __init__(
        self, parent: QWidget | None = None, why: Callable[[], Why | None] | None = None
    ) -> None:
        super().__init__(parent)
        self._why = why

    def asked_why(self) -> Why | None:
        """Return what the line's value would ask."""
        return None if self._why is None else self._why()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The usual menu of a line, with the question below."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addSeparator()
        add_why(menu, self, self.asked_why())
        self.menu_open = True
        menu.aboutToHide.connect(self._on_menu_closed)
        menu.popup(event.globalPos())

    def _on_menu_closed(self) -> None:
        self.menu_open = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo(event) and not self.isModified():
            event.ignore()
            return
        super().keyPressEvent(event)


class EditRow(FieldRow):
    """One field of a part. A refused text stays, with a sentence below."""

    def __init__(
        self,
        field: EditField,
        part: Part,
        parent: QWidget | None = None,
        *,
        name: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(name or partial(field_name, field.name), parent)
        self.field = field
        self.part = part
        self.control = self._make_control()
        self.add_control(self.control)
        em = self.fontMetrics().height()
        if isinstance(self.control, TextArea):
            # Beside the first line, not beside the middle of the box.
            self.label.setFixedHeight(em * 2)
        else:
            self.setMaximumWidth(em * _WIDEST)
        self._error = ""
        self.error: Label | None = None
        self.remark: Label | None = None
        if field.kind == "bytes":
            self.remark = Label("", self, role="muted", wrap=True, selectable=True)
            self.right.addWidget(self.remark)
        follow_language(self._say)

    def _make_control(self) -> QWidget:
        if self.field.choices:
            box = ChoiceBox(self)
            box.chosen.connect(self._on_chosen)
            return box
        if self.field.kind in ("lines", "long"):
            area = TextArea(self)
            area.committed.connect(self.commit)
            area.textChanged.connect(self._on_typed)
            return area
        line = DraftLine(self, self._value_why)
        line.committed.connect(self.commit)
        line.cancelled.connect(self.restore)
        line.textEdited.connect(self._on_typed)
        return line

    def _say(self) -> None:
        name = self.say_name()
        self.control.setAccessibleName(name)
        if isinstance(self.control, ChoiceBox):
            self.control.view().setAccessibleName(name)
            codes = (_UNKNOWN, *self.field.choices) if self.field.optional else self.field.choices
            unknown = translate("Presets", "not known")
            self.control.set_choices(
                [(code, choice_name(code) if code else unknown) for code in codes]
            )
            self.refresh()
        self._describe()

    def _describe(self) -> None:
        kind = self.field.kind
        accepted = words.ACCEPTED.get({"whole": "count", "signed": "count"}.get(kind, kind), "")
        text = words_tr(accepted) if accepted else ""
        if self.field.choices:
            text = translate("Presets", "Choose from a list.")
        if self.field.optional:
            text = f"{text} {translate('Presets', 'Empty means not known.')}".strip()
        self.control.setAccessibleDescription(f"{self._error} {text}".strip())

    # Showing

    @property
    def is_typed(self) -> bool:
        """Whether something stands in the row that the draft does not hold."""
        if isinstance(self.control, QuantityLine):
            return self.control.isModified()
        if isinstance(self.control, TextArea):
            return self.control.document().isModified()
        return False

    @property
    def is_refused(self) -> bool:
        """Whether what stands in the row cannot be taken."""
        return bool(self._error)

    def refresh(self) -> None:
        """Show the field as the draft has it; what is being typed stays."""
        value = self.part.value
        applies = value is not None and self.field.applies(value)
        if not applies:
            # Before it is hidden, which takes over what is typed: there is no such field any more.
            self._set_error("")
            self._clear_typed()
        if self.isHidden() is applies:
            self.setVisible(applies)
        if not applies:
            return
        if isinstance(self.control, ChoiceBox):
            self.control.show_choice(self.field.text(value))
            set_why(self.control, self._value_why())
        elif not (self.is_typed or self._error):
            self._show_text(self.field.text(value))
        self._show_remark(value)

    def _show_text(self, text: str) -> None:
        control = self.control
        if isinstance(control, QuantityLine):
            if control.text() != text or control.isModified():
                control.setText(text)
        elif isinstance(control, TextArea):
            if control.toPlainText() != text:
                control.blockSignals(True)
                control.setPlainText(text)
                control.blockSignals(False)
            control.document().setModified(False)

    def _show_remark(self, value: Any) -> None:
        if self.remark is None:
            return
        size = self.field.read(value)
        shown = size is not None and size >= units.MIB
        self.remark.set_text(both_readings(size) if shown else "")
        self.remark.setVisible(shown)
        if shown:
            source = source_of(self.part.draft.preset)
            set_why(self.remark, Why(None, term=given(self._name(), size, "bytes", source)))

    def _value_why(self) -> Why | None:
        """Ask about the value in force; what is only being typed has no source yet."""
        value = self.part.value
        text = "" if value is None else self.field.text(value)
        if not text or self.is_typed:
            return None
        source = source_of(self.part.draft.preset)
        return Why(None, term=given(self._name(), visible(text), "text", source))

    # Typing

    def _text(self) -> str:
        if isinstance(self.control, QuantityLine):
            return self.control.text()
        return self.control.toPlainText() if isinstance(self.control, TextArea) else ""

    def _on_typed(self, _: object = None) -> None:
        """Say at once what is wrong with what stands there."""
        if not self.is_typed:
            return
        try:
            self.part.write(
                self.part.draft.preset.value, self.field.typed(self.part.value, self._text())
            )
        except (UserError, ValidationError) as error:
            self._set_error(refused(error))
        else:
            self._set_error("")

    def commit(self) -> bool:
        """Take over what was typed; False when it is refused."""
        if not self.is_typed:
            return not self._error
        text = self._text()
        try:
            changed = self.field.typed(self.part.value, text)
            self._set_error("")
            self._clear_typed()
            self.part.put(changed, self._step(text))
        except (UserError, ValidationError) as error:
            self._mark_typed()
            self._set_error(refused(error))
            return False
        if isinstance(self.control, QuantityLine):
            # What was typed is a step of the editor now, no longer the line's own to undo.
            self.control.setText(self.field.text(self.part.value))
        self.refresh()
        return True

    def _clear_typed(self) -> None:
        if isinstance(self.control, QuantityLine):
            self.control.setModified(False)
        elif isinstance(self.control, TextArea):
            self.control.document().setModified(False)

    def _mark_typed(self) -> None:
        if isinstance(self.control, QuantityLine):
            self.control.setModified(True)
        elif isinstance(self.control, TextArea):
            self.control.document().setModified(True)

    def _on_chosen(self, code: object) -> None:
        try:
            value = None if code == _UNKNOWN else self.field.parse(str(code))
            changed = self.field.write(self.part.value, value)
            self.part.put(changed, self._step(choice_name(str(code))))
            self._set_error("")
        except (UserError, ValidationError) as error:
            self._set_error(refused(error))
        self.refresh()

    def _step(self, text: str) -> str:
        return translate("Presets", "set {field} to {value}").format(
            field=self._name(), value=text.partition("\n")[0]
        )

    def restore(self) -> None:
        """Forget what was typed."""
        self._set_error("")
        self._clear_typed()
        self.refresh()
        if isinstance(self.control, QuantityLine):
            self.control.selectAll()

    def _set_error(self, text: str) -> None:
        if text == self._error:
            return
        self._error = text
        if self.error is None:
            self.error = Label("", self, role="danger", wrap=True, selectable=True)
            self.right.insertWidget(1, self.error)
        self.error.set_text(text)
        self.error.setVisible(bool(text))
        if isinstance(self.control, QuantityLine):
            self.control.set_state(invalid=bool(text), differs=False)
        self._describe()

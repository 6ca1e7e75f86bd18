"""Rows with a list to choose from: fixed choices, and presets with a filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from workbench.gui.fields.preset_popup import PresetPopup
from workbench.gui.fields.row import FieldRow
from workbench.gui.fields.wording import field_help, field_label
from workbench.gui.labels import Label, plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.gui.why import field_why, set_why
from workbench.library.presets import Kind, Library, Listed
from workbench.spec.errors import UserError


class _Box(QComboBox):
    """A combo box that the wheel passes over and whose width does not follow its content."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _text_width(box: QComboBox, option: QStyleOptionComboBox) -> int:
    area = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    # The style keeps a pixel of its own on either side.
    return area.width() - 4


class ChoiceBox(_Box):
    """A fixed list of codes and their words."""

    chosen = Signal(object)
    """The code that a person chose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.activated.connect(self._on_activated)

    def showPopup(self) -> None:
        # The list that drops down is a control of its own.
        self.view().setAccessibleName(self.accessibleName())
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the choice, shortened where the box is narrower than its words."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        width = _text_width(self, option)
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, width)
        option.currentText = text
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer these codes with these words; other words for the same codes change in place."""
        if [self.itemData(i) for i in range(self.count())] == [code for code, _ in choices]:
            for index, (_, text) in enumerate(choices):
                if self.itemText(index) != text:
                    self.setItemText(index, text)
            return
        self.blockSignals(True)
        self.clear()
        for code, text in choices:
            self.addItem(text, code)
        self.blockSignals(False)

    def show_choice(self, code: str) -> None:
        """Show the code in force."""
        index = self.findData(code)
        if index != self.currentIndex():
            self.setCurrentIndex(index)

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self.itemData(index))


class PresetBox(_Box):
    """Shows the name of a preset; opening it shows all presets of the kind with a filter."""

    chosen = Signal(object)
    """The `Preset` that a person chose."""
    failed = Signal(object)
    """The `UserError` of a preset that cannot be used."""

    def __init__(self, library: Library, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._kind = kind
        self._name = ""
        self._short = ""
        self._popup: PresetPopup | None = None
        self.addItem("")

    @property
    def name(self) -> str:
        """The name shown, in full."""
        return self._name

    def show_name(self, name: str, short: str = "") -> None:
        """Show the name of the preset in force; `short` stands in the box where it is given."""
        name = visible(name)
        if name != self._name:
            self._name = name
            self._short = visible(short) or name
            self.setAccessibleDescription(name)
            self._fit()

    def _fit(self) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        width = _text_width(self, option)
        shown = self.fontMetrics().elidedText(self._short, Qt.TextElideMode.ElideRight, width)
        self.setItemText(0, shown)
        self.setToolTip("" if shown == self._name else plain_tip(self._name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showPopup(self) -> None:
        self.open_list("")

    def hidePopup(self) -> None:
        if self._popup is not None:
            self._popup.hide()

    @property
    def popup(self) -> PresetPopup:
        """The list, made when it is first needed."""
        if self._popup is None:
            self._popup = PresetPopup(self)
            self._popup.chosen.connect(self._take)
        return self._popup

    def open_list(self, search: str) -> None:
        """Open the list, already filtered by what was typed."""
        listed = self._library.listed(self._kind)
        self.popup.open_below(self, listed, self._name, search)

    def event(self, event: QEvent) -> bool:
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and _is_search(event):
            # A digit begins a search here; elsewhere it may be a shortcut.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_search(event):
            self.open_list(event.text())
            event.accept()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.open_list("")
            event.accept()
            return
        super().keyPressEvent(event)

    def _take(self, listed: Listed) -> None:
        try:
            preset = self._library.get(listed.kind, listed.namespace, listed.id)
        except UserError as error:
            self.failed.emit(error)
            return
        self.chosen.emit(preset)


def _is_search(event: QKeyEvent) -> bool:
    text = event.text()
    plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return bool(plain and text.isprintable() and text.strip())


_REMARKS: Final = {"gpu.preset": "gpu.device_total_bytes"}
"""Fields that the remarks below boxes are about, where it is not the box's own."""


class ChoiceRow(FieldRow):
    """Label and box side by side; a remark may stand below."""

    def __init__(
        self,
        field_id: str,
        box: QComboBox,
        parent: QWidget | None = None,
        *,
        name: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(name or partial(field_label, field_id), parent)
        self.field_id = field_id
        self.box = box
        self._remark: Label | None = None
        self.add_control(box)
        set_why(box, field_why(None, field_id))
        follow_language(self._say)

    def _say(self) -> None:
        name = self.say_name()
        self.box.setAccessibleName(name)
        # The list that drops down is a control of its own.
        self.box.view().setAccessibleName(name)
        described = field_help(self.field_id) or translate("Fields", "Choose from a list.")
        if not (isinstance(self.box, PresetBox) and self.box.name):
            # A box of presets is described by the one in force.
            self.box.setAccessibleDescription(described)

    @property
    def remark(self) -> str:
        """What is said below the box."""
        return "" if self._remark is None else self._remark.full_text

    def show_remark(self, text: str) -> None:
        """Say something quiet below the box, or nothing."""
        if self._remark is None:
            if not text:
                return
            self._remark = Label("", self, role="muted", wrap=True, selectable=True)
            set_why(self._remark, field_why(None, _REMARKS.get(self.field_id, self.field_id)))
            self.right.addWidget(self._remark)
        self._remark.set_text(text)
        if self._remark.isHidden() is bool(text):
            self._remark.setVisible(bool(text))

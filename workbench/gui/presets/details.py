"""What a preset says: its figures, how it differs from another one, all fields and sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui.fields.choice import PresetBox
from workbench.gui.fields.wording import sentence
from workbench.gui.labels import Badge, Label, figure, heading
from workbench.gui.language import follow_language
from workbench.gui.presets import feature
from workbench.gui.presets.listing import Item
from workbench.gui.presets.tables import Tables
from workbench.gui.tr import preset_name, translate
from workbench.gui.why import Why, set_why
from workbench.library.preset_diff import origin_of
from workbench.library.presets import Kind, Preset
from workbench.spec.errors import UserError
from workbench.spec.ledger import Evidence, Source, Term

if TYPE_CHECKING:
    from workbench.gui.presets.feature import Presets


class Details(QWidget):
    """Shows one preset and offers what can be done with it."""

    edit_wanted = Signal(object)
    """A `Draft` to edit."""

    def __init__(self, presets: Presets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets = presets
        self._item: Item | None = None
        self.preset: Preset[Any] | None = None
        self._other: Preset[Any] | None = None
        self._copy: Any = None
        self._build()
        follow_language(self._say)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.title = Label("", self, role="headline", elide=True)
        self.badge = Badge("", self)
        self.state = figure("", self, role="muted")
        self.problem = Label("", self, role="danger", wrap=True, selectable=True)
        names = QHBoxLayout()
        names.addWidget(self.title, 1)
        names.addWidget(self.badge)
        self.edit_button, self.fork_button, self.use_button, self.export_button = (
            QPushButton(self) for _ in range(4)
        )
        self.revert_button, self.delete_button = QPushButton(self), QPushButton(self)
        buttons = QHBoxLayout()
        buttons.setSpacing(em // 3)
        for button, slot in (
            (self.edit_button, self.edit),
            (self.fork_button, self.fork),
            (self.use_button, self.use),
            (self.revert_button, self.revert),
            (self.export_button, self.export),
            (self.delete_button, self.delete),
        ):
            button.clicked.connect(slot)
            buttons.addWidget(button)
        buttons.addStretch(1)
        head = QVBoxLayout()
        head.setContentsMargins(em, em * 2 // 3, em, em // 3)
        head.setSpacing(em // 3)
        head.addLayout(names)
        head.addWidget(self.state)
        head.addWidget(self.problem)
        head.addLayout(buttons)
        self.tables = Tables(self)
        self.compare = _CompareLine(self._presets, self)
        self.compare.other_chosen.connect(self._on_other)
        self.compare.side_by_side.clicked.connect(self._side_by_side)
        self.tables.put_compare(self.compare)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.tables, 1)

    def _say(self) -> None:
        self.setAccessibleName(translate("Presets", "The preset"))
        for button, text, meaning in (
            (
                self.edit_button,
                translate("Presets", "Edit"),
                translate("Presets", "Changes your own preset"),
            ),
            (
                self.fork_button,
                translate("Presets", "Make my own copy"),
                translate("Presets", "Begins a preset of your own with the same figures"),
            ),
            (
                self.use_button,
                translate("Presets", "Use in the scenario"),
                translate("Presets", "Puts it into the scenario, as one undo step"),
            ),
            (
                self.revert_button,
                translate("Presets", "Revert to built-in"),
                translate("Presets", "Takes the figures of the preset it is based on"),
            ),
            (
                self.export_button,
                translate("Presets", "Export…"),
                translate("Presets", "Writes the preset as a file of its own"),
            ),
            (
                self.delete_button,
                translate("Presets", "Delete"),
                translate("Presets", "Takes it out of the library; can be undone"),
            ),
        ):
            button.setText(text)
            button.setAccessibleName(text)
            button.setAccessibleDescription(meaning)
            button.setToolTip(meaning)
        self.refresh()

    # Showing

    def show_item(self, item: Item | None) -> None:
        """Show a line of the list."""
        before = None if self._item is None else (self._item.listed.kind, self._item.reference)
        now = None if item is None else (item.listed.kind, item.reference)
        self._item = item
        if before != now:
            self._other = None
            self._copy = None
        self.refresh()

    def compare_with_copy(self, copy: Any) -> None:
        """Compare with what a scenario holds instead of with another preset."""
        self._copy = copy
        self.refresh()
        self.tables.show_difference()

    def refresh(self) -> None:
        """Show the preset as it is now."""
        item = self._item
        self.preset, problem = None, None
        if item is not None:
            try:
                self.preset = self._read(item)
            except UserError as error:
                problem = error
        self.problem.setVisible(problem is not None)
        self.problem.set_text("" if problem is None else sentence(problem))
        preset = self.preset
        self.title.set_text("" if item is None else item.name)
        for widget in (self.title, self.badge, self.state):
            widget.setVisible(item is not None)
        if item is not None:
            self.badge.set_text(item.badge)
            self.badge.updateGeometry()
            self.state.set_text(self._state_text(item))
            set_why(self.state, self._state_why(item))
        own = preset is not None and preset.namespace == "user"
        is_saved = item is not None and (item.draft is None or not item.draft.is_new)
        self.edit_button.setVisible(own)
        self.revert_button.setVisible(
            own and preset is not None and (preset.based_on or "").startswith("builtin:")
        )
        self.delete_button.setVisible(own and is_saved)
        for button in (self.fork_button, self.export_button, self.use_button):
            button.setVisible(preset is not None)
        self.use_button.setVisible(preset is not None and is_saved)
        self.use_button.setEnabled(self._presets.session.current is not None)
        if preset is not None and self._other is None and self._copy is None:
            other = origin_of(self._presets.library, preset)
        else:
            other = self._other
        self.compare.show_for(preset, other)
        self.tables.show_preset(preset, other, self._copy)

    def _read(self, item: Item) -> Preset[Any]:
        if item.draft is not None:
            return item.draft.preset
        if item.listed.problem is not None:
            raise item.listed.problem
        listed = item.listed
        return self._presets.library.get(listed.kind, listed.namespace, listed.id)

    def _state_text(self, item: Item) -> str:
        parts = [item.reference]
        if self.preset is not None:
            revision = translate("Presets", "revision {number}")
            parts.append(revision.format(number=self.preset.value.rev))
        if item.listed.based_on is not None:
            based = translate("Presets", "based on {name}").format(name=item.listed.based_on)
            parts.append(based)
        return " · ".join(parts)

    def _state_why(self, item: Item) -> Why | None:
        if self.preset is None:
            return None
        source = Source("preset", item.reference)
        revision = self.preset.value.rev
        return Why(None, term=Term("revision", revision, "count", Evidence.GIVEN, source))

    # Verbs

    def edit(self) -> None:
        """Edit the person's own preset."""
        if self._item is None or self.preset is None or self.preset.namespace != "user":
            return
        draft = self._item.draft
        if draft is None:
            draft = self._presets.edit(self.preset.kind, self.preset.value.id)
        self.edit_wanted.emit(draft)

    def fork(self) -> None:
        """Begin a copy and edit it."""
        if self.preset is not None:
            self.edit_wanted.emit(self._presets.fork(self.preset))

    def revert(self) -> None:
        """Edit the preset with the figures of what it is based on; saving makes it so."""
        self.edit()
        self.revert_wanted.emit()

    revert_wanted = Signal()
    """The editor, which now shows the preset, should revert it."""

    def use(self) -> None:
        """Take the preset into the scenario."""
        if self.preset is not None:
            self._presets.use(self.preset)

    def export(self) -> None:
        """Write the preset as a file."""
        if self.preset is not None:
            self._presets.export(self.preset)

    def delete(self) -> None:
        """Take the preset out of the library."""
        if self.preset is not None and self.preset.namespace == "user":
            self._presets.delete(self.preset)

    def _on_other(self, preset: object) -> None:
        self._copy = None
        self._other = preset if isinstance(preset, Preset) else None
        self.refresh()

    def _side_by_side(self) -> None:
        other = self.compare.other
        if self.preset is not None and other is not None:
            self._presets.side_by_side([other, self.preset])


class _CompareLine(QWidget):
    """Chooses what a preset is compared with."""

    other_chosen = Signal(object)
    """The `Preset` chosen."""

    def __init__(self, presets: Presets, parent: QWidget) -> None:
        super().__init__(parent)
        self._presets = presets
        self._boxes: dict[Kind, PresetBox] = {}
        self.other: Preset[Any] | None = None
        self.label = heading("", self)
        self.side_by_side = QPushButton(self)
        self.box = QHBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(self.label)
        self.box.addStretch(1)
        self.box.addWidget(self.side_by_side)
        follow_language(self._say)

    def _say(self) -> None:
        self.label.set_text(translate("Presets", "Compared with"))
        text = translate("Presets", "Side by side")
        self.side_by_side.setText(text)
        self.side_by_side.setAccessibleName(text)
        self.side_by_side.setAccessibleDescription(
            translate("Presets", "Shows both in the compare view")
        )
        for box in self._boxes.values():
            box.setAccessibleName(translate("Presets", "Compare with"))
            box.view().setAccessibleName(translate("Presets", "Compare with"))

    def show_for(self, preset: Preset[Any] | None, other: Preset[Any] | None) -> None:
        """Offer presets of the same kind; show the one compared with."""
        self.other = other
        self.setVisible(preset is not None)
        if preset is None:
            return
        for kind, known in self._boxes.items():
            known.setVisible(kind == preset.kind)
        box = self._boxes.get(preset.kind)
        if box is None:
            box = self._boxes[preset.kind] = PresetBox(self._presets.library, preset.kind, self)
            box.chosen.connect(self.other_chosen)
            box.failed.connect(partial(_tell, self._presets))
            box.setMinimumWidth(self.fontMetrics().averageCharWidth() * 34)
            self.box.insertWidget(1, box)
            self._say()
        box.show_name("–" if other is None else preset_name(other.value.name, other.namespace))
        offered = other is not None and preset.kind in feature.SIDE_BY_SIDE
        self.side_by_side.setVisible(offered)


def _tell(presets: Presets, error: object) -> None:
    if isinstance(error, UserError):
        presets.failed(error)

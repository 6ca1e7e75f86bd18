"""A titled group of rows of the scenario form, and what a row is told to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui.fields.choice import ChoiceRow
from workbench.gui.fields.origin import NO_ORIGIN, pristine_of
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.fields.typed_row import TypedFlag, TypedRow
from workbench.gui.labels import Label, figure, heading
from workbench.gui.language import follow_language
from workbench.gui.panels.defaults import default_of
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.why import fields_why, set_why
from workbench.library.presets import Library
from workbench.spec.fields import Field
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

Row = QuantityEdit | ChoiceRow
Name = Callable[[], str] | None
"""What says the name of a row; without one it is called as its field is everywhere."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the form shows."""

    scenario: Scenario
    baseline: Scenario
    ledger: Ledger
    library: Library
    pristine: dict[str, Scenario | None]
    """By part of the scenario: the same scenario with that part as its preset has it."""

    @classmethod
    def of(cls, session: Session, scenario: Scenario) -> Shown:
        """Collect what belongs to a scenario of the session's plan."""
        plan, library = session.plan, session.library
        parts = ("model", "gpu", "deployment", "engine", "workload")
        return cls(
            scenario=scenario,
            baseline=scenario if plan.baseline is None else plan.scenario(plan.baseline),
            ledger=session.ledger(scenario.id),
            library=library,
            pristine={part: pristine_of(part, scenario, library) for part in parts},
        )

    def changed_since(self, before: Shown | None) -> frozenset[str] | None:
        """Return the parts of the scenario that are others than before; None for everything."""
        if before is None or (before.scenario.id, before.baseline.id) != (
            self.scenario.id,
            self.baseline.id,
        ):
            return None
        from workbench.core.inputs import PARTS

        old, new = before.scenario, self.scenario
        changed = frozenset(part for part in PARTS if getattr(old, part) is not getattr(new, part))
        # Another engine has other fields, all over the form.
        return None if old.engine.kind != new.engine.kind else changed

    def differs(self, read: Callable[[Scenario], object]) -> bool:
        """Whether the baseline has another value."""
        return self.baseline is not self.scenario and read(self.baseline) != read(self.scenario)

    def differs_in(self, field: Field) -> bool:
        """Whether the baseline has another value of a field, or does not have it at all."""
        if self.baseline is self.scenario:
            return False
        return not field.applies(self.baseline) or self.differs(field.read)


class InfoRow(QWidget):
    """A figure that follows from the fields: name and value, aligned with them."""

    def __init__(self, name: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.label = Label("", self, role="muted")
        self.value = figure("", self)
        # Where the text of a field begins.
        self.value.setContentsMargins(round(self.fontMetrics().height() * 0.55) + 2, 0, 0, 0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.label)
        row.addWidget(self.value, 1)
        follow_language(self._say)

    def _say(self) -> None:
        self.label.set_text(self._name())

    def label_width(self) -> int:
        """Return how wide the label's column needs to be."""
        return self.label.text_width()

    def set_label_width(self, width: int) -> None:
        """Align the label's column with those of the fields."""
        self.label.setFixedWidth(width)


class FoldRow(QWidget):
    """A button below the fields that shows more of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = QPushButton(self)
        self.button.setProperty("flat", True)
        self.button.setProperty("fold", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)
        follow_language(self._say)

    def _say(self) -> None:
        self.button.setAccessibleDescription(
            translate("Panels", "Shows or hides the fields that follow")
        )

    def label_width(self) -> int:
        """Return how wide the label's column needs to be."""
        return 0

    def set_label_width(self, width: int) -> None:
        """Start at the edge: what is folded away needs the width of both columns."""


class Fold:
    """Fields that one button shows and hides; what they hold stands on it while they are hidden."""

    def __init__(
        self,
        row: FoldRow,
        field_ids: tuple[str, ...],
        summary: Callable[[Shown], str],
        make: Callable[[], object] | None,
    ) -> None:
        self.row = row
        self.field_ids = field_ids
        self.summary = summary
        self.is_open = False
        self.make = make
        """Makes the rows that have not been looked at yet."""

    def show_state(self, shown: Shown) -> None:
        """Name what is folded away."""
        text = self.summary(shown)
        self.row.button.setText(f"{text} {'▾' if self.is_open else '▸'}")
        self.row.button.setAccessibleName(text)
        set_why(self.row.button, fields_why(self.field_ids))
        self.row.setVisible(bool(text))


class Section(QWidget):
    """Heading and rows; without a heading it continues the section above.

    Subclasses name themselves in `_title`, add rows in `_fill`, say in `show_state` what they show.
    """

    of_engine = ""
    """The kind of engine whose rows they are; empty for those of every engine."""
    grown = Signal(object)
    """The quantities that were added when a fold was looked at for the first time."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.fields: dict[str, QuantityEdit] = {}
        self.choices: dict[str, ChoiceRow] = {}
        self.typed: dict[str, TypedRow] = {}
        self.infos: list[InfoRow | FoldRow] = []
        self.folds: list[Fold] = []
        self._shown: Shown | None = None
        self._place = -1
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(max(3, self.fontMetrics().height() // 3))
        self.title: Label | None = None
        if self._title():
            self.title = heading("", self)
            self.box.addWidget(self.title)
        self._fill()
        follow_language(self._say)

    def _title(self) -> str:
        """Return the heading, empty for none."""
        return ""

    def _say(self) -> None:
        """Say the fixed words; what depends on the scenario is said in `show_state`."""
        if self.title is not None:
            self.title.set_text(self._title())

    def _fill(self) -> None:
        """Add the rows."""
        raise NotImplementedError

    def add_field(self, field_id: str, *, slider: bool = True, name: Name = None) -> QuantityEdit:
        """Add a quantity."""
        edit = QuantityEdit(self.session, field_id, self, slider=slider, name=name)
        self.fields[field_id] = edit
        self._put(edit)
        return edit

    def add_choice(self, field_id: str, box: QComboBox, *, name: Name = None) -> ChoiceRow:
        """Add a list to choose from."""
        row = ChoiceRow(field_id, box, self, name=name)
        self.add_row(field_id, row)
        return row

    def add_row(self, field_id: str, row: ChoiceRow) -> None:
        """Add a row that is already made."""
        self.choices[field_id] = row
        self._put(row)

    def add_typed(self, flag: TypedFlag, *, name: Name = None) -> TypedRow:
        """Add a text."""
        row = TypedRow(self.session, flag, self, name=name)
        self.typed[flag.id] = row
        self._put(row)
        return row

    def _put(self, row: QWidget) -> None:
        """Put a row below the others, or below its fold."""
        self.box.insertWidget(self._place, row)
        if self._place >= 0:
            self._place += 1

    def add_info(self, name: Callable[[], str]) -> InfoRow:
        """Add a figure that cannot be typed."""
        row = InfoRow(name, self)
        self.infos.append(row)
        self.box.addWidget(row)
        return row

    def add_fold(
        self,
        field_ids: tuple[str, ...],
        summary: Callable[[Shown], str],
        make: Callable[[], object] | None = None,
    ) -> Fold:
        """Fold fields away behind a button that stands here.

        The fields are added after it, or by `make` when one of them is first looked at.
        """
        row = FoldRow(self)
        fold = Fold(row, field_ids, summary, make)
        row.button.clicked.connect(self._on_fold)
        self.folds.append(fold)
        self.infos.append(row)
        self.box.addWidget(row)
        return fold

    def _on_fold(self) -> None:
        fold = next(fold for fold in self.folds if fold.row.button is self.sender())
        self._open(fold, is_open=not fold.is_open)

    def fill_fold(self, fold: Fold) -> None:
        """Make the rows of a fold, unless they are there."""
        if fold.make is None:
            return
        make, fold.make = fold.make, None
        before = len(self.fields)
        self._place = self.box.indexOf(fold.row) + 1
        make()
        self._place = -1
        self.grown.emit(tuple(self.fields.values())[before:])

    def _open(self, fold: Fold, *, is_open: bool) -> None:
        self.fill_fold(fold)
        fold.is_open = is_open
        self._show_again()

    def _show_again(self) -> None:
        if self._shown is not None:
            self.show_state(self._shown)

    def unfold(self, field_id: str) -> None:
        """Show a field that is folded away."""
        for fold in self.folds:
            if field_id in fold.field_ids and not fold.is_open:
                self._open(fold, is_open=True)

    def rows(self) -> list[QWidget]:
        """Return every row, for aligning them."""
        return [*self.fields.values(), *self.choices.values(), *self.typed.values(), *self.infos]

    def label_width(self) -> int:
        """Return how wide the column of labels needs to be, folded rows included."""
        return max(row.label_width() for row in self.rows())  # type: ignore[attr-defined]

    def parts(self) -> frozenset[str]:
        """Return the parts of the scenario that the rows set."""
        ids = (*self.fields, *self.choices, *self.typed)
        return frozenset(field_id.partition(".")[0] for field_id in ids)

    def row(self, field_id: str) -> QWidget | None:
        """Return the row of a field, None where the section has none or is hidden."""
        if self.isHidden():
            return None
        for fold in self.folds:
            if fold.make and field_id in fold.field_ids:
                self.fill_fold(fold)
                self._show_again()
        return self.fields.get(field_id) or self.choices.get(field_id) or self.typed.get(field_id)

    def show_state(self, shown: Shown) -> None:
        """Show a scenario in all rows."""
        self._shown = shown
        for fold in self.folds:
            fold.show_state(shown)
        for field_id, edit in self.fields.items():
            self._show_field(field_id, edit, shown)

    def _show_field(self, field_id: str, edit: QuantityEdit, shown: Shown) -> None:
        field, scenario = edit.field, shown.scenario
        applies = field.applies(scenario)
        wanted = applies and self.wants(field_id, edit, scenario)
        # A new row counts as hidden, and Qt shows it all the same unless somebody has hidden it.
        is_said = edit.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        if edit.isHidden() is wanted or not is_said:
            edit.setVisible(wanted)
        if not applies:
            return
        default = default_of(field_id, shown.ledger, scenario)
        edit.show_state(
            scenario,
            origin=self._origin(field_id, edit, shown),
            placeholder=default.text,
            assumed=default.value,
            differs=shown.differs_in(field),
            card_bytes=scenario.gpu.device_total_bytes,
        )

    def wants(self, field_id: str, edit: QuantityEdit, scenario: Scenario) -> bool:
        """Whether a field that applies is shown: folded ones only while somebody types in them."""
        folded = any(not fold.is_open and field_id in fold.field_ids for fold in self.folds)
        return not folded or edit.line.isModified()

    @staticmethod
    def _origin(field_id: str, edit: QuantityEdit, shown: Shown) -> object:
        pristine = shown.pristine.get(field_id.partition(".")[0])
        if pristine is None or not edit.field.applies(pristine):
            return NO_ORIGIN
        return edit.field.read(pristine)

"""The scenario strip: a chip a scenario, its verdict on it, and the verbs of scenarios."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from workbench.gui.chip import Chip
from workbench.gui.labels import Label, theme_of
from workbench.gui.language import follow_language, on_language
from workbench.gui.messages import Message
from workbench.gui.session import Session
from workbench.gui.strip_window import StripWindow
from workbench.gui.tr import translate
from workbench.spec.base import MAX_NAME_CHARACTERS


class _Row(QWidget):
    """The chips side by side, and a line where a dragged one would go."""

    def __init__(self) -> None:
        super().__init__()
        self._mark: int | None = None

    def show_mark(self, x: int | None) -> None:
        """Paint the line at a place, or nowhere."""
        if x != self._mark:
            self._mark = x
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        super().paintEvent(event)
        if self._mark is not None:
            painter = QPainter(self)
            painter.setPen(QPen(QColor(theme_of(self).accent), 3.0))
            painter.drawLine(self._mark, 0, self._mark, self.height())
            painter.end()


class ScenarioStrip(QWidget):
    """All scenarios in order, and a button that adds one."""

    adding = Signal()
    menu_wanted = Signal(object, object)
    """Scenario id and global position."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chips: dict[str, Chip] = {}
        self._editor: QLineEdit | None = None
        self._taken: object = None
        """What the chips take side by side, and their order."""
        self._build()
        session.plan_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.current_changed.connect(self._show_current)
        session.selected_changed.connect(self._show_picked)
        self.refresh()

    def _build(self) -> None:
        self._row = _Row()
        self._row_layout = QHBoxLayout(self._row)
        self._row_layout.setContentsMargins(0, 0, 0, 0)
        self._row_layout.setSpacing(self.fontMetrics().height() // 2)
        self.add_button = QToolButton(self)
        self.add_button.setText("+")
        self.add_button.clicked.connect(self.adding)
        self._row_layout.addStretch(1)
        self._row.installEventFilter(self)
        self._title = Label("", self, role="muted")
        self._seen = StripWindow(self._row, self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._row_layout.spacing())
        layout.addWidget(self._title)
        layout.addWidget(self._seen)
        # Beside the chips, not among them: however many there are, it stays in sight.
        layout.addWidget(self.add_button)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        follow_language(self._say)
        on_language(self.refresh)

    def _say(self) -> None:
        self.setAccessibleName(translate("Strip", "Scenarios"))
        self._title.set_text(translate("Strip", "Scenarios"))
        self._fit()
        self.add_button.setAccessibleName(translate("Strip", "Add a scenario"))
        self.add_button.setToolTip(translate("Strip", "Add a scenario"))
        self.add_button.setAccessibleDescription(translate("Strip", "Adds one of defaults"))
        if self._editor is not None:
            self._editor.setAccessibleName(translate("Strip", "Name of the scenario"))

    def sizeHint(self) -> QSize:
        """As high as a chip."""
        height = max(self._row.sizeHint().height(), round(self.fontMetrics().height() * 1.9))
        parts = (self._title, self._row, self.add_button)
        width = sum(part.sizeHint().width() + self._row_layout.spacing() for part in parts)
        return QSize(width, height)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for one chip; the rest scrolls."""
        return QSize(self.fontMetrics().height() * 8, self.sizeHint().height())

    def chip(self, scenario_id: str) -> Chip:
        """Return the chip of a scenario."""
        return self._chips[scenario_id]

    def chips(self) -> list[Chip]:
        """Return the chips in order."""
        return [self._chips[scenario.id] for scenario in self._session.plan.scenarios]

    def refresh(self) -> None:
        """Show the plan; chips of scenarios that stay are kept."""
        plan, current = self._session.plan, self._session.current_id
        ids = [scenario.id for scenario in plan.scenarios]
        bereft = False
        for gone in self._chips.keys() - set(ids):
            chip = self._chips.pop(gone)
            bereft = bereft or chip.hasFocus()
            self._row_layout.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
            # Nobody drops a dragged one that has gone.
            self._row.show_mark(None)
        for index, scenario in enumerate(plan.scenarios):
            chip = self._chips.get(scenario.id) or self._new_chip(scenario.id)
            if self._row_layout.indexOf(chip) != index:
                self._row_layout.insertWidget(index, chip)
            chip.show_state(
                scenario.name,
                self._session.ledger(scenario.id).verdict,
                is_baseline=scenario.id == plan.baseline,
                current=scenario.id == current,
            )
        self._show_picked()
        taken = self._row.sizeHint(), ids
        if taken != self._taken:
            self._taken = taken
            self._fit()
        if bereft:
            # Delete, then an arrow or Delete again: the keyboard stays on the chips.
            self.focus_current()

    def _new_chip(self, scenario_id: str) -> Chip:
        chip = Chip(scenario_id, self._row)
        chip.clicked.connect(self._clicked)
        chip.renaming.connect(self._rename_sender)
        chip.stepped.connect(self._step)
        chip.dragged.connect(self._drag)
        chip.dropped.connect(self._drop)
        chip.installEventFilter(self)
        self._chips[scenario_id] = chip
        chip.show()
        return chip

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Open the menu of a chip, give up a rename on Escape, follow the width of the row."""
        if watched is self._editor and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                self.cancel_rename()
                return True
        elif watched is self._row and event.type() == QEvent.Type.Resize:
            # Only now is a new chip where it can be scrolled to.
            self._fit()
        elif isinstance(watched, Chip) and event.type() == QEvent.Type.FocusIn:
            self._reveal(watched)
        elif isinstance(watched, Chip) and isinstance(event, QContextMenuEvent):
            self._session.set_current(watched.scenario_id)
            at = event.globalPos()
            if event.reason() == QContextMenuEvent.Reason.Keyboard:
                at = watched.mapToGlobal(QPoint(0, watched.height()))
            self.menu_wanted.emit(watched.scenario_id, at)
            return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _clicked(self) -> None:
        chip = self.sender()
        if not isinstance(chip, Chip):
            return
        held = QApplication.keyboardModifiers()
        if held & Qt.KeyboardModifier.ControlModifier:
            self._toggle(chip.scenario_id)
        elif held & Qt.KeyboardModifier.ShiftModifier:
            self._session.pick(self._between(chip.scenario_id))
        elif chip.scenario_id == self._session.current_id:
            self._session.pick(())
        else:
            self._session.pick(())
            self._session.set_current(chip.scenario_id)
        # A click on the current chip must not leave it unchecked.
        self._show_current(self._session.current_id)

    def _toggle(self, scenario_id: str) -> None:
        picked = set(self._session.selected_ids)
        if scenario_id == self._session.current_id:
            others = [other for other in self._session.selected_ids if other != scenario_id]
            if others:
                self._session.set_current(others[0])
                self._session.pick(others)
            return
        self._session.pick(picked ^ {scenario_id})

    def _between(self, scenario_id: str) -> list[str]:
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        ends = sorted((ids.index(scenario_id), ids.index(str(self._session.current_id))))
        return ids[ends[0] : ends[1] + 1]

    def _step(self, by: int, several: bool) -> None:
        chip = self.sender()
        if not isinstance(chip, Chip):
            return
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        index = ids.index(chip.scenario_id) + by
        if not 0 <= index < len(ids):
            return
        if several:
            self._session.pick({*self._session.selected_ids, ids[index]})
        else:
            self._session.pick(())
            self._session.set_current(ids[index])
        self._chips[ids[index]].setFocus(Qt.FocusReason.TabFocusReason)

    def _show_picked(self, _: object = None) -> None:
        several = self._session.selected_ids
        for scenario_id, chip in self._chips.items():
            chip.show_picked(len(several) > 1 and scenario_id in several)

    # Order

    def _drag(self, at: QPoint) -> None:
        chips, gap = self.chips(), self._row_layout.spacing()
        if self.sender() not in chips:
            return
        index = self._place(at)
        x = chips[index].x() - gap // 2 if index < len(chips) else chips[-1].geometry().right() + 2
        self._row.show_mark(max(1, x))
        x = self._row.mapFromGlobal(at).x()
        margin = self.fontMetrics().height() * 2
        self._seen.area.ensureVisible(x, self._row.height() // 2, margin, 0)

    def _drop(self, at: QPoint) -> None:
        chip, chips = self.sender(), self.chips()
        self._row.show_mark(None)
        # Keys work while the mouse is held: an undo may have taken the scenario away.
        if not isinstance(chip, Chip) or chip not in chips:
            return
        before = chips.index(chip)
        index = self._place(at)
        # Taken out first, it leaves its old place free.
        self._session.move(chip.scenario_id, index - 1 if index > before else index)

    def _place(self, at: QPoint) -> int:
        """Return before which chip a position lies."""
        x = self._row.mapFromGlobal(at).x()
        return sum(chip.geometry().center().x() < x for chip in self.chips())

    def _show_current(self, current_id: object) -> None:
        for scenario_id, chip in self._chips.items():
            chip.setChecked(scenario_id == current_id)
            chip.updateGeometry()
        self._fit()

    def focus_current(self) -> None:
        """Put the keyboard on the chip that is looked at, without a ring."""
        current = self._session.current_id
        if current in self._chips:
            self._chips[current].setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    # Renaming in place

    def _rename_sender(self) -> None:
        chip = self.sender()
        if isinstance(chip, Chip):
            self.rename(chip.scenario_id)

    def rename(self, scenario_id: str) -> None:
        """Put a line edit over a chip."""
        self._end_rename()
        chip = self._chips[scenario_id]
        self._reveal(chip)
        editor = QLineEdit(self._session.plan.scenario(scenario_id).name, self._row)
        editor.setMaxLength(MAX_NAME_CHARACTERS)
        width = max(chip.width(), self.fontMetrics().height() * 10)
        editor.setGeometry(chip.x(), chip.y(), width, chip.height())
        editor.setProperty("scenario", scenario_id)
        editor.returnPressed.connect(self._take_name)
        editor.editingFinished.connect(self._take_name)
        editor.installEventFilter(self)
        self._editor = editor
        self._say()
        editor.show()
        editor.raise_()
        editor.selectAll()
        editor.setFocus()

    def _take_name(self) -> None:
        editor = self._editor
        if editor is None:
            return
        scenario_id, name = str(editor.property("scenario")), editor.text().strip()
        self._end_rename()
        if name and scenario_id in self._chips:
            try:
                self._session.rename(scenario_id, name)
            except ValidationError:
                self._session.tell(Message("error", "name_unusable", {"name": name}))
            self._chips[scenario_id].setFocus()

    def _end_rename(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.hide()
            editor.deleteLater()

    def cancel_rename(self) -> None:
        """Leave the name as it was."""
        editor = self._editor
        if editor is not None:
            scenario_id = str(editor.property("scenario"))
            self._end_rename()
            if scenario_id in self._chips:
                self._chips[scenario_id].setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current chip in sight."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Share the width: the chips come before the word in front of them."""
        gap = self._row_layout.spacing()
        ids = self._shown_ids()
        room = self.width() - self.add_button.sizeHint().width() - gap
        title = self._title.sizeHint().width() + gap
        spacious = self._row.sizeHint().width() + title <= room
        self._title.setVisible(spacious)
        current = self._session.current_id
        self._seen.fit(
            [self._chips[scenario_id].sizeHint().width() for scenario_id in ids],
            gap,
            room - title if spacious else room,
            ids.index(current) if current in ids else 0,
        )

    def _shown_ids(self) -> list[str]:
        """Between two plans the strip still has chips of the one before."""
        return [one.id for one in self._session.plan.scenarios if one.id in self._chips]

    def _reveal(self, chip: Chip) -> None:
        """Bring a chip in sight that is not looked at."""
        ids = self._shown_ids()
        if chip.scenario_id in ids:
            self._seen.show_chip(ids.index(chip.scenario_id))

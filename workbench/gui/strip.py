"""The scenario strip: a chip a scenario, its verdict on it, and the verbs of scenarios."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from workbench.charts.palette import Theme
from workbench.charts.rows import STAR
from workbench.gui.labels import theme_of, visible
from workbench.gui.messages import Message
from workbench.gui.session import Session
from workbench.gui.tr import translate, words
from workbench.spec import words as spec_words
from workbench.spec.base import MAX_NAME_CHARACTERS
from workbench.spec.ledger import Status

SYMBOLS = {Status.FITS: "✔", Status.TIGHT: "▲", Status.DOES_NOT_FIT: "✖", Status.REFUSES: "✖"}
_WIDEST_NAME_EMS = 18


def status_ink(theme: Theme, status: Status) -> str:
    """Return the colour that goes with a verdict's symbol."""
    inks = {Status.FITS: theme.success, Status.TIGHT: theme.warning}
    return inks.get(status, theme.danger)


class Chip(QAbstractButton):
    """One scenario: star for the baseline, name, symbol of the verdict, outline when looked at."""

    renaming = Signal()
    stepped = Signal(object)
    """+1 or -1: to the neighbour."""

    def __init__(self, scenario_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.scenario_id = scenario_id
        self._status = Status.FITS
        self._is_baseline = False
        # Not the button's own text, where "&" would make a shortcut.
        self._name = ""
        self._by_keyboard = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_state(self, name: str, status: Status, *, is_baseline: bool, current: bool) -> None:
        """Show what there is to know."""
        changed = (name, status, is_baseline) != (self._name, self._status, self._is_baseline)
        self._status, self._is_baseline = status, is_baseline
        self._name = name
        self.setChecked(current)
        if changed:
            verdict = words(spec_words.STATUS[status.value])
            template = (
                translate("Strip", "Scenario {name}, baseline: {verdict}")
                if is_baseline
                else translate("Strip", "Scenario {name}: {verdict}")
            )
            self.setAccessibleName(template.format(name=visible(name), verdict=verdict))
            self.setAccessibleDescription(translate("Strip", "F2 renames, arrow keys move on"))
            self.updateGeometry()
            self.update()

    def _parts(self) -> tuple[str, str, str]:
        metrics = QFontMetrics(self._bold())
        widest = _WIDEST_NAME_EMS * metrics.height() * 3 // 4
        name = metrics.elidedText(visible(self._name), Qt.TextElideMode.ElideRight, widest)
        return (f"{STAR} " if self._is_baseline else "", name, SYMBOLS[self._status])

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def sizeHint(self) -> QSize:
        """Room for the bold name, so that nothing moves when another chip is chosen."""
        metrics = QFontMetrics(self._bold())
        star, name, symbol = self._parts()
        gaps = metrics.height() * 2
        width = sum(metrics.horizontalAdvance(text) for text in (star, name, symbol))
        return QSize(width + gaps, round(metrics.height() * 1.75))

    def minimumSizeHint(self) -> QSize:
        """As the size hint."""
        return self.sizeHint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename in place."""
        self.renaming.emit()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move along the strip; F2 renames."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        if key in steps:
            self.stepped.emit(steps[key])
        elif key == Qt.Key.Key_F2:
            self.renaming.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a ring only to those who came by keyboard."""
        super().focusInEvent(event)
        self._by_keyboard = event.reason() not in (
            Qt.FocusReason.MouseFocusReason,
            Qt.FocusReason.ActiveWindowFocusReason,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, star, name and symbol."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = self.isChecked()
        thick = 2.0 if current else 1.0
        edge = theme.accent if current or self.hasFocus() else theme.line
        painter.setPen(QPen(QColor(edge), thick))
        painter.setBrush(QColor(theme.surface if current else theme.sunken))
        if self.underMouse() and not current:
            painter.setBrush(QColor(theme.line))
        radius = self.fontMetrics().height() * 0.4
        box = QRectF(self.rect()).adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2)
        painter.drawRoundedRect(box, radius, radius)
        if current and self.hasFocus() and self._by_keyboard:
            painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), radius, radius)
        self._paint_text(painter, theme, current)
        painter.end()

    def _paint_text(self, painter: QPainter, theme: Theme, current: bool) -> None:
        star, name, symbol = self._parts()
        metrics = QFontMetrics(self._bold())
        x = metrics.height() * 3 // 4
        rect = self.rect()
        align = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._bold() if current else self.font())
        painter.setPen(QColor(theme.text))
        label = star + name
        painter.drawText(rect.adjusted(x, 0, 0, 0), align, label)
        painter.setFont(self._bold())
        painter.setPen(QColor(status_ink(theme, self._status)))
        right = rect.width() - x - metrics.horizontalAdvance(symbol)
        painter.drawText(rect.adjusted(right, 0, 0, 0), align, symbol)


class _Chips(QScrollArea):
    """As wide as its chips while there is room; else they scroll."""

    def sizeHint(self) -> QSize:
        """All chips side by side."""
        row = self.widget()
        return super().sizeHint() if row is None else row.sizeHint()


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
        self._build()
        session.plan_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.current_changed.connect(self._show_current)
        self.refresh()

    def _build(self) -> None:
        self._row = QWidget()
        self._row_layout = QHBoxLayout(self._row)
        self._row_layout.setContentsMargins(0, 0, 0, 0)
        self._row_layout.setSpacing(self.fontMetrics().height() // 2)
        self.add_button = QToolButton(self)
        self.add_button.setText("+")
        self.add_button.setAccessibleName(translate("Strip", "Add a scenario"))
        self.add_button.setToolTip(translate("Strip", "Add a scenario"))
        self.add_button.setAccessibleDescription(translate("Strip", "Adds one of defaults"))
        self.add_button.clicked.connect(self.adding)
        self._row_layout.addStretch(1)
        self._row.installEventFilter(self)
        self._scroll = _Chips(self)
        self._scroll.setWidget(self._row)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._row_layout.spacing())
        layout.addWidget(self._scroll)
        # Beside the chips, not among them: however many there are, it stays in sight.
        layout.addWidget(self.add_button)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(translate("Strip", "Scenarios"))

    def sizeHint(self) -> QSize:
        """As high as a chip."""
        height = max(self._row.sizeHint().height(), round(self.fontMetrics().height() * 1.9))
        width = self._row.sizeHint().width() + self.add_button.sizeHint().width()
        return QSize(width + self._row_layout.spacing(), height)

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
        for index, scenario in enumerate(plan.scenarios):
            chip = self._chips.get(scenario.id) or self._new_chip(scenario.id)
            if self._row_layout.indexOf(chip) != index:
                self._row_layout.insertWidget(index, chip)
            chip.show_state(
                scenario.name,
                self._session.ledger(scenario.id).verdict.status,
                is_baseline=scenario.id == plan.baseline,
                current=scenario.id == current,
            )
        # A scroll area does not ask for more room by itself when its inside grows.
        self._scroll.updateGeometry()
        if bereft:
            # Delete, then an arrow or Delete again: the keyboard stays on the chips.
            self.focus_current()

    def _new_chip(self, scenario_id: str) -> Chip:
        chip = Chip(scenario_id, self._row)
        chip.clicked.connect(self._clicked)
        chip.renaming.connect(self._rename_sender)
        chip.stepped.connect(self._step)
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
            self._show_in_sight()
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
        if isinstance(chip, Chip):
            self._session.set_current(chip.scenario_id)
            # A click on the current chip must not leave it unchecked.
            self._show_current(self._session.current_id)

    def _step(self, by: int) -> None:
        chip = self.sender()
        if not isinstance(chip, Chip):
            return
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        index = ids.index(chip.scenario_id) + by
        if 0 <= index < len(ids):
            self._session.set_current(ids[index])
            self._chips[ids[index]].setFocus(Qt.FocusReason.TabFocusReason)

    def _show_current(self, current_id: object) -> None:
        for scenario_id, chip in self._chips.items():
            chip.setChecked(scenario_id == current_id)
            chip.updateGeometry()
        self._show_in_sight()

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
        self._scroll.ensureWidgetVisible(chip)
        editor = QLineEdit(self._session.plan.scenario(scenario_id).name, self._row)
        editor.setAccessibleName(translate("Strip", "Name of the scenario"))
        editor.setMaxLength(MAX_NAME_CHARACTERS)
        width = max(chip.width(), self.fontMetrics().height() * 10)
        editor.setGeometry(chip.x(), chip.y(), width, chip.height())
        editor.setProperty("scenario", scenario_id)
        editor.returnPressed.connect(self._take_name)
        editor.editingFinished.connect(self._take_name)
        editor.installEventFilter(self)
        self._editor = editor
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
        self._show_in_sight()

    def _show_in_sight(self) -> None:
        current = self._session.current_id
        if current in self._chips:
            self._scroll.ensureWidgetVisible(self._chips[current])

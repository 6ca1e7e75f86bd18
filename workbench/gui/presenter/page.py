"""The slide: verdict, bars of all scenarios, three capacities, and the fields to vary."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from workbench.charts.rows import SYMBOLS
from workbench.export.raster import QtMeasure
from workbench.gui.figures import capacity_figures
from workbench.gui.labels import Label, Role
from workbench.gui.language import follow_language, on_language
from workbench.gui.paint_turn import Refresh
from workbench.gui.panels.section import Shown
from workbench.gui.presenter.slide_bars import SlideBars
from workbench.gui.presenter.slide_fields import SlideFields
from workbench.gui.session import Session
from workbench.gui.tr import translate, words
from workbench.gui.verdict_line import verdict_whys
from workbench.gui.why import figure_why, set_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status

LEAST_POINTS: Final = 24
"""The smallest that a figure on a slide is written."""
_WIDE, _HIGH = 16, 9
_LINES: Final = 36
"""Lines of running text that a slide is high."""
_LEAST_LINES: Final = 16
"""Lines of large text that a slide is high at least."""
_EXPLAINED: Final = ("engine_log", "steady", "at_risk")
_POINTS_PER_INCH: Final = 72
_ROLES: Final[dict[Status, Role]] = {Status.FITS: "success", Status.TIGHT: "warning"}
_STEPS: Final = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_PageUp: -1,
}


class PresenterPage(QWidget):
    """A slide in the middle of the screen; arrows change the scenario, Esc leaves."""

    leaving = Signal()

    def __init__(self, session: Session, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._build(measure)
        self._stale = True
        self._soon = Refresh(self._catch_up, self)
        session.preview_changed.connect(self._on_preview)
        for changed in (session.plan_changed, session.current_changed):
            changed.connect(self._on_change)
        follow_language(self._say)
        on_language(self._on_change)

    def _build(self, measure: QtMeasure) -> None:
        self.slide = QFrame(self)
        self.slide.setProperty("card", True)
        self.name = Label("", self.slide, role="text", selectable=True, elide=True)
        self.place = Label("", self.slide, role="muted", selectable=True)
        self.answer = Label("", self.slide, selectable=True, wrap=True)
        self.reason = Label("", self.slide, role="muted", selectable=True, elide=True)
        self.bars = SlideBars(self._session, measure, self.slide)
        self.figures: list[tuple[Label, Label]] = []
        self.fields = SlideFields(self._session, self.slide)
        self._sizes = (self.fontInfo().pixelSize(),) * 2
        head = QHBoxLayout()
        head.addWidget(self.name, 1)
        head.addWidget(self.place)
        figures = self._figures_grid = QGridLayout()
        for column in range(len(_EXPLAINED)):
            value = Label("", self.slide, selectable=True, elide=True)
            name = Label("", self.slide, role="muted", selectable=True, elide=True)
            figures.addWidget(value, 0, column)
            figures.addWidget(name, 1, column)
            figures.setColumnStretch(column, 1)
            self.figures.append((value, name))
        self._layout = QVBoxLayout(self.slide)
        self._layout.addLayout(head)
        self._layout.addWidget(self.answer)
        self._layout.addWidget(self.reason)
        self._layout.addWidget(self.bars, 1)
        self._layout.addLayout(figures)
        self._layout.addWidget(self.fields)

    def _say(self) -> None:
        self.setAccessibleName(translate("Presenter", "Slide"))
        self.setAccessibleDescription(
            translate("Presenter", "Arrow keys change the scenario, Esc leaves")
        )

    # Sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the slide 16:9 where it can be, large, and all its text in proportion."""
        super().resizeEvent(event)
        least = -(-LEAST_POINTS * self.logicalDpiY() // _POINTS_PER_INCH)
        width = min(self.width(), self.height() * _WIDE // _HIGH)
        # On a narrow screen the slide is higher than 16:9: its figures grow no smaller.
        height = min(self.height(), max(width * _HIGH // _WIDE, least * _LEAST_LINES))
        self.slide.setGeometry(
            (self.width() - width) // 2, (self.height() - height) // 2, width, height
        )
        line = height / _LINES
        large = max(least, round(2 * line))
        small = max(self.fontInfo().pixelSize(), round(line))
        margin = round(1.4 * line)
        self._layout.setContentsMargins(2 * margin, margin, 2 * margin, margin)
        self._layout.setSpacing(round(0.5 * line))
        for value, _ in self.figures:
            _write(value, large, bold=True)
        self._sizes = (least, large)
        self._fit_answer()
        for label in (self.reason, self.place, *(name for _, name in self.figures)):
            _write(label, small)
        _write(self.name, small, bold=True)
        self.fields.set_text_px(small)
        self._figures_grid.setHorizontalSpacing(self.fields.spacing())
        self.bars.set_largest(large)

    def _fit_answer(self) -> None:
        """Write the answer as large as it is whole in one line; at its smallest it takes two."""
        least, large = self._sizes
        margins = self._layout.contentsMargins()
        room = self.slide.contentsRect().width() - margins.left() - margins.right()
        _write(self.answer, large, bold=True)
        wanted = max(1, self.answer.text_width())
        if wanted > room:
            _write(self.answer, max(least, large * room // wanted), bold=True)

    # What it shows

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._soon.ask_unseen()

    def _on_change(self, _: object = None) -> None:
        self._stale = True
        if self.isVisible():
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self.refresh()
            self.refresh_fields()

    def _on_preview(self, _: object = None) -> None:
        if self.isVisible():
            self.refresh()
        else:
            self._stale = True

    def refresh(self) -> None:
        """Show the scenario that is looked at, as it is now."""
        session = self._session
        current = session.current_id
        for part in (self.reason, self.fields, *(part for pair in self.figures for part in pair)):
            part.setVisible(current is not None)
        if current is None:
            self.name.set_text("")
            self.place.set_text("")
            self.answer.set_role("muted")
            self.answer.set_text(translate("Verdict", "No scenario: add one with +"))
            set_why(self.answer, None)
            return
        ids = [scenario.id for scenario in session.plan.scenarios]
        ledger, shown = session.ledger(current), session.shown(current)
        answer, _, reason = spec_words.verdict_text(ledger, words).partition(" · ")
        self.name.set_text(shown.name)
        self.place.set_text(f"{ids.index(current) + 1} / {len(ids)}" if len(ids) > 1 else "")
        self.answer.set_role(_ROLES.get(spec_words.shown_status(ledger), "danger"))
        self.answer.set_text(f"{SYMBOLS[ledger.verdict.shown]} {answer}")
        self._fit_answer()
        self.reason.set_text(reason)
        left, other = verdict_whys(ledger)
        set_why(self.answer, left)
        set_why(self.reason, other)
        figures = capacity_figures(ledger, shown.workload.sizing)
        for pair, (name, value), explained in zip(self.figures, figures, _EXPLAINED, strict=True):
            value_label, name_label = pair
            value_label.set_text(value)
            value_label.setAccessibleName(f"{name}: {value}")
            name_label.set_text(name)
            why = figure_why(current, explained) if value[:1].isdigit() else None
            for label in pair:
                set_why(label, why)

    def refresh_fields(self) -> None:
        """Show the document in the fields; what is being typed there is no document yet."""
        current = self._session.current
        if current is not None:
            self.fields.show_state(Shown.of(self._session, current))

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and page keys change the scenario; Esc leaves and asks nothing."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.leaving.emit()
        elif key in _STEPS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._step(_STEPS[key])
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        if self._session.current_id in ids:
            at = ids.index(self._session.current_id) + by
            self._session.set_current(ids[min(max(at, 0), len(ids) - 1)])


def _write(label: QLabel, pixels: int, *, bold: bool = False) -> None:
    font = QFont(label.font())
    font.setPixelSize(pixels)
    font.setBold(bold)
    label.setFont(font)

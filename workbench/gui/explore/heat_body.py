"""The heat map with its choosers, its read-out and its table; needs pyqtgraph."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.charts.display import DisplayList
from workbench.charts.heatmap import Names, heat_map
from workbench.charts.map_text import map_summary, map_table
from workbench.charts.shades import MEASURES
from workbench.export.raster import QtMeasure
from workbench.gui.explore.heat_chart import HeatChart
from workbench.gui.explore.legend_strip import LegendStrip
from workbench.gui.explore.map_model import MapModel
from workbench.gui.explore.readout import Readout
from workbench.gui.explore.whys import table_whys
from workbench.gui.export.dragging import DragOut
from workbench.gui.export.feature import exports_of
from workbench.gui.export.mime import Leaving, chart_mime, tsv_of
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.fields.wording import field_label, sentence
from workbench.gui.labels import Label, theme_of
from workbench.gui.language import follow_language
from workbench.gui.messages import Message
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import chart_label, translate
from workbench.gui.views.table import CopyTable, number, word
from workbench.spec.errors import UserError

_PICTURE_EMS: Final = (56, 36)
_LOW_LINES: Final = 17
_REFUSALS: Final = (UserError, ValidationError)


class HeatBody(QWidget):
    """Puts the parts together; the model says what is shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._measure = QtMeasure()
        self.model = MapModel(session, self)
        self._watching = False
        self._soon = Soon(self._read_out, self, Turn.READ_OUT)
        self._build()
        self.model.changed.connect(self._follow)
        self.chart.pointed.connect(self._point)
        self.chart.tried.connect(self._try)
        self.chart.taken.connect(self._take)
        self.chart.escaped.connect(self._forget)
        self.chart.left.connect(self._forget)
        self.chart.menu_wanted.connect(self._open_menu)
        self.chart.copy_wanted.connect(self.copy)
        # The press has tried a cell; whoever drags the map away did not mean it.
        self._drag = DragOut(self.chart, self.leaving, self._forget)
        follow_language(self._say)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.across, self.up, self.value = (ChoiceBox(self) for _ in range(3))
        self.across.chosen.connect(self._choose_across)
        self.up.chosen.connect(self._choose_up)
        self.value.chosen.connect(self._choose_value)
        self.across_name, self.up_name, self.value_name = (
            Label("", self, role="muted") for _ in range(3)
        )
        self.as_table = QToolButton(self)
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._show_table)
        head = QHBoxLayout()
        head.setSpacing(em // 3)
        for name, box in (
            (self.across_name, self.across),
            (self.up_name, self.up),
            (self.value_name, self.value),
        ):
            name.setBuddy(box)
            head.addWidget(name)
            head.addWidget(box, 1)
            head.addSpacing(em // 3)
        head.addWidget(self.as_table)
        self.chart = HeatChart(self.model, self._measure, self)
        self.table: CopyTable | None = None
        self.stack = QStackedLayout()
        self.stack.addWidget(self.chart)
        self.readout = Readout(self.model, self)
        self.legend = LegendStrip(self.model, self._measure, self)
        self._compact = False
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(em)
        grid.setVerticalSpacing(em // 3)
        grid.addLayout(self.stack, 0, 0)
        grid.addWidget(self.readout, 0, 1, 2, 1)
        grid.addWidget(self.legend, 1, 0)
        grid.setRowStretch(0, 1)
        grid.setColumnStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(em // 3, em // 3, em // 3, 0)
        layout.setSpacing(em // 2)
        layout.addLayout(head)
        layout.addLayout(grid, 1)

    def _say(self) -> None:
        self.across_name.set_text(translate("Explore", "across"))
        self.up_name.set_text(translate("Explore", "up"))
        self.value_name.set_text(translate("Explore", "shown"))
        self.across.setAccessibleName(translate("Explore", "Input across"))
        self.up.setAccessibleName(translate("Explore", "Input up"))
        self.value.setAccessibleName(translate("Explore", "Figure shown"))
        help_text = translate("Explore", "What the heat map varies and shows")
        for box in (self.across, self.up, self.value):
            box.setAccessibleDescription(help_text)
        self.as_table.setText(translate("Explore", "Table"))
        self.as_table.setAccessibleName(translate("Explore", "Show as a table"))
        self.as_table.setAccessibleDescription(
            translate("Explore", "The same figures as cells to read and copy")
        )
        texts = {
            "used": translate("Explore", "used / usable"),
            "free": translate("Explore", "free memory"),
            "held": translate("Explore", "largest concurrency"),
        }
        self.value.set_choices([(measure, texts[measure]) for measure in MEASURES])
        self._show_choices(again=True)
        # Names of inputs, units and the words of the legend are drawn.
        self.model.changed.emit()

    # Following

    def refresh(self) -> None:
        """Follow the session."""
        self.model.refresh()

    def vary(self, field_id: str) -> None:
        """Put a field on an axis, across unless it is there already."""
        if field_id in self.model.offered() and field_id not in self.model.pair:
            self.model.choose(across=field_id)

    def _follow(self) -> None:
        """Follow the model; what stands round the map comes once the map is painted."""
        self._watch(self.model.tried is not None)
        x, y = self._names()
        title = translate("Explore", "Heat map of {x} and {y}")
        self.chart.setAccessibleName(title.format(x=x, y=y))
        if self.as_table.isChecked():
            self._fill_table()
        self._soon.ask()

    def _read_out(self) -> None:
        self._show_choices()
        self._point(self.chart.place)

    def _names(self) -> tuple[str, str]:
        x, y = self.model.pair
        return field_label(x), field_label(y)

    def _show_choices(self, *, again: bool = False) -> None:
        offered = self.model.offered()
        if not offered:
            return
        known = tuple(self.across.itemData(i) for i in range(self.across.count()))
        if again or known != offered:
            choices = [(field_id, field_label(field_id)) for field_id in offered]
            self.across.set_choices(choices)
            self.up.set_choices(choices)
        x, y = self.model.pair
        self.across.show_choice(x)
        self.up.show_choice(y)
        self.value.show_choice(self.model.measure)

    def _point(self, place: object) -> None:
        shown: Any = place
        by_person = shown is not None
        if shown is None:
            shown = self.model.tried or self.model.cell_of_current()
        self.readout.show_place(shown, by_person=by_person)
        self.chart.tell(self._words())

    def _words(self) -> str:
        """What a screen reader says of the chart: the cell, else the whole map."""
        readout, surface = self.readout, self.model.surface
        if surface is None:
            return ""
        if self.chart.place is None:
            return map_summary(surface, *self._names(), chart_label)
        return ", ".join(
            (
                readout.values.full_text,
                readout.result.full_text,
                f"{readout.frontier_head.full_text}: {readout.frontier.full_text}",
            )
        )

    # Choosing

    def _choose_across(self, field_id: object) -> None:
        self._forget()
        self.model.choose(across=str(field_id))

    def _choose_up(self, field_id: object) -> None:
        self._forget()
        self.model.choose(up=str(field_id))

    def _choose_value(self, measure: object) -> None:
        self.model.choose_measure(next(known for known in MEASURES if known == measure))

    # Trying and taking

    def _try(self, place: object) -> None:
        self._attempt(place, take=False)

    def _take(self, place: object) -> None:
        self._attempt(place, take=True)

    def _attempt(self, place: Any, *, take: bool) -> None:
        refusal = ""
        try:
            (self.model.take if take else self.model.attempt)(place)
        except _REFUSALS as error:
            self.model.forget()
            refusal = sentence(error)
        self._watch(self.model.tried is not None)
        self._soon.finish()
        self._point(self.chart.place)
        if refusal:
            self.readout.result.set_text(refusal)

    def _forget(self) -> None:
        self._watch(False)
        if self.model.forget():
            self.model.changed.emit()

    def _watch(self, on: bool) -> None:
        """While a cell is being tried, a click anywhere else ends it."""
        app = QApplication.instance()
        if on != self._watching and app is not None:
            self._watching = on
            if on:
                app.installEventFilter(self)
            else:
                app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the trial on a click outside, wherever in the window the event gets to."""
        if not (isinstance(event, QMouseEvent) and isinstance(watched, QWidget)):
            return False
        if watched.window() is not self.window() or watched is self.chart:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            self.chart.pressed = None
            at = self.mapFromGlobal(event.globalPosition().toPoint())
            if not self.rect().contains(at):
                self._forget()
        elif event.type() == QEvent.Type.MouseButtonDblClick and self.chart.pressed is not None:
            # The first click has moved the map from under the pointer.
            self.chart.take_pressed()
            return True
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is tried, and nothing worked out, that nobody sees."""
        super().hideEvent(event)
        self._forget()
        self.model.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the map itself has the room."""
        super().resizeEvent(event)
        compact = self.height() < _LOW_LINES * self.fontMetrics().height()
        if compact != self._compact:
            self._compact = compact
            self.readout.set_compact(compact)
            self.legend.set_brief(compact)

    def _show_legend(self) -> None:
        table = self.as_table.isChecked()
        self.legend.setVisible(not table)
        self.readout.setVisible(not table)

    # Table and picture

    def _show_table(self, shown: bool) -> None:
        self._forget()
        if shown:
            self._fill_table()
        elif self.table is not None:
            self.stack.setCurrentWidget(self.chart)
        self._show_legend()

    def _fill_table(self) -> None:
        surface = self.model.surface
        if surface is None:
            return
        header, lines = map_table(surface, *self._names(), self.model.measure, chart_label)
        if self.table is None or self.table.cells.columnCount() != len(header):
            if self.table is not None:
                self.stack.removeWidget(self.table)
                self.table.deleteLater()
            self.table = CopyTable("", header, self)
            self.stack.addWidget(self.table)
        self.table.setAccessibleName(self.chart.accessibleName())
        self.table.cells.set_headings(header)
        whys = table_whys(surface, self.model.measure)
        self.table.show_rows(
            [
                (
                    word(line[0], why=first),
                    *(number(text, why=why) for text, why in zip(line[1:], others, strict=True)),
                )
                for line, (first, *others) in zip(lines, whys, strict=True)
            ]
        )
        self.stack.setCurrentWidget(self.table)

    def picture(self) -> DisplayList | None:
        """Return the map as it is copied and saved."""
        surface = self.model.surface
        if surface is None:
            return None
        em = float(self.fontInfo().pixelSize())
        x, y = self._names()
        return heat_map(
            surface,
            names=Names(x, y, self.chart.accessibleName()),
            width=em * _PICTURE_EMS[0],
            height=em * _PICTURE_EMS[1],
            theme=theme_of(self),
            measure=self._measure,
            marks=self.model.marks,
            value=self.model.measure,
            labels=chart_label,
            text_px=em,
        )

    def copy(self) -> None:
        """Put the map on the clipboard: a picture, vectors, and its table."""
        leaving = self.leaving()
        if leaving is None:
            return
        try:
            QGuiApplication.clipboard().setMimeData(chart_mime(leaving, self._measure))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="chart"))
            return
        self._session.tell(Message("info", "chart_copied", slot="chart"))

    def leaving(self) -> Leaving | None:
        """Return the map as the clipboard and a drag take it; None before it is worked out."""
        shown = self.picture()
        return None if shown is None else Leaving(shown, self._table_text(), "heat-map")

    def copy_table(self) -> None:
        """Put the figures on the clipboard."""
        QGuiApplication.clipboard().setText(self._table_text())

    def _table_text(self) -> str:
        surface = self.model.surface
        if surface is None:
            return ""
        header, lines = map_table(surface, *self._names(), self.model.measure, chart_label)
        return tsv_of(header, lines)

    def _open_menu(self, at: object) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(translate("Explore", "Copy picture and table"))
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.triggered.connect(self.copy)
        menu.addAction(translate("Explore", "Copy the table")).triggered.connect(self.copy_table)
        menu.addAction(translate("Explore", "Show as a table")).triggered.connect(
            self.as_table.click
        )
        exports = exports_of(self)
        if exports is not None:
            leave = menu.addAction(translate("Export", "Export…"))
            leave.triggered.connect(lambda: exports.show("heatmap", self._session.current_id))
        if isinstance(at, QPoint):
            menu.popup(at)

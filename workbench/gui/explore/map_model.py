"""What the heat map shows: two inputs of the current scenario, filled in slices, and the marks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from workbench.charts.map_legend import Mark
from workbench.charts.map_places import asked_of, axes_of, marks_of
from workbench.charts.map_text import value_text
from workbench.charts.palette import Theme
from workbench.charts.shades import Measure, Shades, shades
from workbench.core.axis import CONCURRENCY, CONTEXT, Axis, fields_of, first_axes
from workbench.core.surface import KnownRows, Surface, alike, slices, with_pair
from workbench.gui.commands import Step
from workbench.gui.labels import visible
from workbench.gui.language import times_said
from workbench.gui.panels.defaults import default_of
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import chart_label
from workbench.spec.fields import FIELDS, Value
from workbench.spec.scenario import Scenario

Place = tuple[int, int]
"""A cell: its column and its row."""

_FIRST_SECONDS: Final = 0.006
_SLICE_SECONDS: Final = 0.004
_SHOW_SECONDS: Final = 0.25
_MOST_MARKS: Final = 40


class _Asking(NamedTuple):
    """What is asked of a scenario, remembered: an edit changes one scenario of many."""

    scenario: Scenario
    pair: tuple[str, Value, str, Value]
    asked: Scenario


class MapModel(QObject):
    """Follows the session when it is told to; fills the surface while the window is idle."""

    changed = Signal()
    """The surface, its axes or the marks."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._pair: tuple[str, str] | None = None
        self.measure: Measure = "used"
        self.surface: Surface | None = None
        self.marks: tuple[Mark, ...] = ()
        self._trial: Scenario | None = None
        self.tried: Place | None = None
        self._askings: dict[str, _Asking] = {}
        self._told: object = None
        self._shaded: tuple[object, Shades] | None = None
        self._offered_to: Scenario | None = None
        self._offered: tuple[str, ...] = ()
        self._known = KnownRows()
        self._filling: Surface | None = None
        self._slices: Iterator[Surface] | None = None
        self._shown_at = 0.0
        self._next = Soon(self._go_on, self, Turn.SEARCH)

    # Axes

    @property
    def pair(self) -> tuple[str, str]:
        """Ids of the fields across and up."""
        current, pair = self._session.current, self._pair
        if current is None:
            return pair or (CONTEXT, CONCURRENCY)
        if pair is None or not all(FIELDS[field_id].applies(current) for field_id in pair):
            return first_axes(current)
        return pair

    def offered(self) -> tuple[str, ...]:
        """Ids of the fields that the current scenario has."""
        current = self._session.current
        if current is None:
            return ()
        if current is not self._offered_to:
            self._offered_to, self._offered = current, fields_of(current)
        return self._offered

    def choose(self, *, across: str | None = None, up: str | None = None) -> None:
        """Put a field on an axis; one that is on the other axis changes places with it."""
        x, y = self.pair
        if across is not None and across != x:
            x, y = across, x if across == y else y
        if up is not None and up != y:
            x, y = y if up == x else x, up
        self._pair = (x, y)
        self.refresh()

    def choose_measure(self, measure: Measure) -> None:
        """Show another figure of the same cells."""
        self.measure = measure
        self.changed.emit()

    def shades(self, surface: Surface, theme: Theme) -> Shades:
        """Return the colour of every cell, worked out once for map and legend."""
        key = (surface, surface.done, self.measure, theme, times_said())
        if self._shaded is None or self._shaded[0] != key or not surface.done:
            self._shaded = (key, shades(surface, self.measure, theme, chart_label))
        return self._shaded[1]

    # Filling

    @property
    def busy(self) -> bool:
        """Whether cells are still being worked out."""
        return self._filling is not None

    def refresh(self) -> None:
        """Follow the session; only what has changed is worked out anew."""
        session = self._session
        current_id = session.current_id
        if current_id is None:
            return
        if self._trial is not None and session.preview is not self._trial:
            self._trial, self.tried = None, None
        base = self._base(current_id)
        x, y = self._axes(base)
        known = self._filling or self.surface
        asked = self._asked(base, x, y)
        if known is None or (known.x, known.y) != (x, y) or not alike(known.scenario, asked):
            self._fill(Surface(asked, x, y))
        self._show_marks(base)

    def _show_marks(self, base: Scenario) -> None:
        if self.surface is not None:
            self.marks = self._marks(base, self.surface)
        self._tell()

    def _tell(self) -> None:
        """Say that something has changed, if something has."""
        surface = self.surface
        if self.tried is not None and self._trial is not None and surface is not None:
            # The rows may have changed under the cell that is being tried.
            x, y = (self._value(self._trial, axis.field) for axis in (surface.x, surface.y))
            across, up = surface.x.index(x), surface.y.index(y)
            self.tried = None if across is None or up is None else (across, up)
        told = (surface, surface is not None and surface.done, self.marks, self.tried, self.pair)
        if told != self._told or self.surface is self._filling:
            self._told = told
            self.changed.emit()

    def _base(self, scenario_id: str) -> Scenario:
        """The scenario to vary: as it is shown, without the cell that is being tried here."""
        if self._trial is not None:
            return self._session.plan.scenario(scenario_id)
        return self._session.shown(scenario_id)

    def _axes(self, base: Scenario) -> tuple[Axis, Axis]:
        """Axes that hold the scenario and the baseline, and reach to all that will be marked."""
        plan = self._session.plan
        others = [scenario for scenario in plan.scenarios[:_MOST_MARKS] if scenario.id != base.id]
        return axes_of(base, others, self.pair, plan.baseline, self._asked, self._value)

    def _fill(self, surface: Surface) -> None:
        self._filling = surface
        self._slices = slices(surface, seconds=_FIRST_SECONDS, known=self._known)
        shown = self.surface
        if shown is None or (shown.x.field, shown.y.field) != (surface.x.field, surface.y.field):
            # Cells of other inputs say nothing about these.
            self.surface = surface
        self._shown_at = time.perf_counter()
        self._step()

    def _go_on(self) -> None:
        current_id = self._session.current_id
        if self._step() and current_id is not None:
            self._show_marks(self._base(current_id))

    def _step(self) -> bool:
        """Answer some more cells; return whether there is something new to show."""
        filling, parts = self._filling, self._slices
        if filling is None or parts is None:
            return False
        next(parts, None)
        now = time.perf_counter()
        if filling.done:
            self.surface, self._filling, self._slices = filling, None, None
            return True
        self._next.ask()
        # A slow map shows itself as it grows; a quick one when it is whole.
        if now - self._shown_at < _SHOW_SECONDS:
            return False
        self.surface, self._shown_at = filling, now
        return True

    def stop(self) -> None:
        """Work out nothing more until the next refresh."""
        self._next.stop()
        if self._filling is not None:
            self.surface = None if self.surface is self._filling else self.surface
        self._filling, self._slices = None, None

    # Marks

    def _asked(self, scenario: Scenario, x: Axis, y: Axis) -> Scenario:
        """A scenario with its own values of the two inputs taken out of the question."""
        pair = (x.field, x.values[0], y.field, y.values[0])
        known = self._askings.get(scenario.id)
        if known is None or known.scenario is not scenario or known.pair != pair:
            asked = asked_of(scenario, x, y)
            known = self._askings[scenario.id] = _Asking(scenario, pair, asked)
        return known.asked

    def _value(self, scenario: Scenario, field_id: str) -> Value | None:
        """What a scenario has for a field, its default where it leaves it open."""
        field = FIELDS[field_id]
        if not field.applies(scenario):
            return None
        value = field.read(scenario)
        if value is None:
            value = default_of(field_id, self._session.ledger(scenario.id), scenario).value
        return value

    def _marks(self, base: Scenario, surface: Surface) -> tuple[Mark, ...]:
        """The current scenario, the baseline, and those that differ in these two inputs only."""
        plan, session = self._session.plan, self._session
        shown = [
            base if scenario.id == base.id else session.shown(scenario.id)
            for scenario in plan.scenarios[:_MOST_MARKS]
        ]
        return marks_of(shown, surface, base.id, plan.baseline, self._asked, self._value, visible)

    def cell_of_current(self) -> Place | None:
        """The cell where the current scenario stands, None where it stands outside."""
        surface, current_id = self.surface, self._session.current_id
        mark = next((mark for mark in self.marks if mark.scenario == current_id), None)
        if surface is None or mark is None:
            return None
        return round(mark.x), round(mark.y)

    # Trying and taking

    def values_at(self, place: Place) -> tuple[Value, Value] | None:
        """The two values of a cell, None for a cell that the map no longer has."""
        surface = self.surface
        if surface is None:
            return None
        columns, rows = surface.status.shape
        if not (0 <= place[0] < columns and 0 <= place[1] < rows):
            return None
        return surface.x.values[place[0]], surface.y.values[place[1]]

    def attempt(self, place: Place) -> None:
        """Show the selected scenarios with a cell's values; raises what refuses them."""
        values, session = self.values_at(place), self._session
        if values is None or session.current_id is None:
            return
        x, y = self.pair
        made = [
            with_pair(scenario, x, values[0], y, values[1])
            for scenario in map(session.plan.scenario, session.selected_ids)
            if scenario.id == session.current_id or _applies(scenario, x, y)
        ]
        # Before the session tells it: this preview is the map's own.
        self._trial = next(trial for trial in made if trial.id == session.current_id)
        self.tried = place
        session.preview_scenarios(made)
        if session.preview is not self._trial:
            # The scenario stands there already.
            self._trial, self.tried = None, None
        self.changed.emit()

    def forget(self) -> bool:
        """Show the document again; return whether a cell was being tried."""
        tried = self._trial is not None
        self._trial, self.tried = None, None
        if tried:
            self._session.end_preview()
        return tried

    def take(self, place: Place) -> None:
        """Give the selected scenarios a cell's values, as one step; raises what refuses them."""
        values = self.values_at(place)
        if values is None:
            return
        x, y = self.pair
        texts = [value_text(field, value) for field, value in zip((x, y), values, strict=True)]
        self._trial, self.tried = None, None
        self._session.edit(
            lambda scenario: with_pair(scenario, x, values[0], y, values[1]),
            Step(
                "apply_cell",
                {"x": x, "x_value": texts[0], "y": y, "y_value": texts[1]}
                | {"name": " × ".join(texts)},
            ),
            applies=lambda scenario: _applies(scenario, x, y),
        )


def _applies(scenario: Scenario, x: str, y: str) -> bool:
    return FIELDS[x].applies(scenario) and FIELDS[y].applies(scenario)

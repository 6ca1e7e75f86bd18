"""Beside the map: what the cell under the pointer or the keyboard says."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.charts.map_text import frontier_text, value_text
from workbench.charts.rows import SYMBOLS
from workbench.core.budget import ledger_of
from workbench.core.explain import figure
from workbench.core.grid import NO_POOL, STATUSES
from workbench.core.surface import INVALID, PENDING, Surface, with_pair
from workbench.core.verdict import is_near_limit
from workbench.gui.explore.map_model import MapModel, Place
from workbench.gui.explore.whys import frontier_why
from workbench.gui.fields.wording import field_label
from workbench.gui.labels import Label, Role
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.gui.why import Why, field_why, fields_why, set_why
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.ledger import Status
from workbench.spec.units import show_bytes, show_share

_ROLES: Final[dict[Status, Role]] = {
    Status.FITS: "success",
    Status.TIGHT: "warning",
    Status.DOES_NOT_FIT: "danger",
    Status.REFUSES: "danger",
}
_JOINED: Final = "\u00a0"
_WHY_MS: Final = 150
"""A pause of the pointer, after which a figure's formula is worked out."""


class Readout(QWidget):
    """Values of a cell, whether it fits, and the frontier at its column."""

    def __init__(self, model: MapModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._place: Place | None = None
        self._by_person = False
        self._compact = False
        self._explain = QTimer(self)
        self._explain.setSingleShot(True)
        self._explain.setInterval(_WHY_MS)
        self._explain.timeout.connect(self._show_why)
        self._build()
        follow_language(self._say)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.setFixedWidth(em * 10)
        self.head = Label("", self, role="muted", wrap=True)
        self.values = Label("", self, role="headline", selectable=True, wrap=True)
        self.names = Label("", self, role="muted", wrap=True)
        self.result = Label("", self, selectable=True, wrap=True)
        self.used = Label("", self, role="muted", selectable=True, wrap=True)
        self.held = Label("", self, role="muted", selectable=True, wrap=True)
        self.frontier_head = Label("", self, role="muted", selectable=True, wrap=True)
        self.frontier = Label("", self, selectable=True, wrap=True)
        bold = self.frontier.font()
        bold.setBold(True)
        self.frontier.setFont(bold)
        self.hint = Label("", self, role="muted", wrap=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em // 5)
        for label in (self.head, self.values, self.names, self.result, self.used, self.held):
            layout.addWidget(label)
        layout.addSpacing(em // 2)
        layout.addWidget(self.frontier_head)
        layout.addWidget(self.frontier)
        layout.addSpacing(em // 2)
        layout.addWidget(self.hint)
        layout.addStretch(1)

    def _say(self) -> None:
        self.setAccessibleName(translate("Explore", "Under the cursor"))
        self.show_place(self._place, by_person=self._by_person)

    # Showing

    def set_compact(self, compact: bool) -> None:
        """Say less in a low window."""
        self._compact = compact
        self.show_place(self._place, by_person=self._by_person)

    def show_place(self, place: Place | None, *, by_person: bool) -> None:
        """Read a cell out; `by_person` when somebody points at it."""
        self._place, self._by_person = place, by_person
        surface = self._model.surface
        values = None if place is None else self._model.values_at(place)
        for label in (self.values, self.result, self.frontier_head, self.frontier):
            label.setVisible(values is not None)
        self.names.setVisible(values is not None and not self._compact)
        tried = self._model.tried is not None and self._model.tried == place
        # A low window has no room for it: the hint says as much.
        self.head.setVisible(values is None or not self._compact)
        self.head.set_text(self._head(values is not None, tried))
        self.hint.set_text(_brief_hint(tried) if self._compact else _hint(tried))
        if surface is None or place is None or values is None:
            self.used.hide()
            self.held.hide()
            return
        pair = (surface.x.field, surface.y.field)
        shown = [value_text(field, value) for field, value in zip(pair, values, strict=True)]
        self.values.set_text(" × ".join(shown))
        self.names.set_text(" × ".join(map(field_label, pair)))
        self.result.set_text(result_text(surface, place, brief=self._compact))
        self.result.set_role(_role(surface, place))
        self._show_figures(surface, place)
        head = _frontier_head(surface, brief=self._compact)
        self.frontier_head.set_text(head.format(value=shown[0]))
        self.frontier.set_text(_frontier(surface, place[0]))
        set_why(self.values, fields_why(pair))
        set_why(self.frontier_head, field_why(None, pair[0]))
        set_why(self.frontier, frontier_why(surface, place[0]))
        self._explain.start()

    def _head(self, has_cell: bool, tried: bool) -> str:
        if tried:
            return translate("Explore", "being tried")
        if not has_cell or self._by_person:
            return translate("Explore", "under the cursor")
        return translate("Explore", "this scenario")

    def _show_figures(self, surface: Surface, place: Place) -> None:
        usable, used = int(surface.usable_bytes[place]), int(surface.used_bytes[place])
        code = int(surface.status[place])
        answered = code not in (PENDING, INVALID)
        self.used.setVisible(bool(answered and usable))
        if answered and usable:
            text = translate("Explore", "{used} of {usable}, {share} used")
            if self._compact:
                text = translate("Explore", "{share} used of {usable}")
            self.used.set_text(
                text.format(
                    share=show_share(used / usable, 0).replace(" ", _JOINED),
                    # A size is not torn from its unit at the end of a line.
                    used=show_bytes(used, decimals=1).replace(" ", _JOINED),
                    usable=show_bytes(usable, decimals=1).replace(" ", _JOINED),
                )
            )
        held = int(surface.held_requests[place])
        # What does not start holds nothing, whatever its pool is long enough for.
        starts = answered and STATUSES[code] is not Status.REFUSES
        self.held.setVisible(starts and held != NO_POOL and not self._compact)
        text = translate("Explore", "holds {number} requests")
        if _keeps_headroom(surface):
            text = translate("Explore", "holds {number} requests, no headroom left")
        self.held.set_text(words.fill(text, {"number": held}))

    def _show_why(self) -> None:
        """Let the figures be asked why: each from the ledger of this very cell."""
        surface, place = self._model.surface, self._place
        values = None if place is None else self._model.values_at(place)
        labels = {"result": self.result, "used": self.used, "steady": self.held}
        terms: dict[str, Why | None] = dict.fromkeys(labels)
        if surface is not None and place is not None and values is not None:
            x, y = surface.x.field, surface.y.field
            try:
                trial = with_pair(surface.scenario, x, values[0], y, values[1])
            except (UserError, ValidationError):
                trial = None
            if trial is not None:
                ledger = ledger_of(trial)
                over = ledger.worst_rank.over_bytes
                names = {"result": "over" if over else "free", "used": "used", "steady": "steady"}
                for label, name in names.items():
                    term = figure(trial, ledger, name)
                    terms[label] = None if term is None else Why(trial.id, term=term)
        for name, label_widget in labels.items():
            set_why(label_widget, terms[name])


def result_text(surface: Surface, place: Place, *, brief: bool = False) -> str:
    """Say whether a cell fits, and by how much, as the bars do; in one line where it is brief."""
    code = int(surface.status[place])
    if code == PENDING:
        return translate("Explore", "being worked out")
    if code == INVALID:
        return translate("Explore", "no scenario can have both")
    status = STATUSES[code]
    free = int(surface.free_bytes[place])
    left = int(surface.usable_bytes[place]) - int(surface.used_bytes[place])
    if status is Status.REFUSES:
        return translate("Explore", "engine refuses to start")
    if left < 0:
        return translate("Explore", "{size} over").format(size=show_bytes(-left, decimals=1))
    if status is Status.DOES_NOT_FIT:
        return translate("Explore", "too few blocks")
    if status is Status.TIGHT:
        text = translate("Explore", "{size} left, tight")
        return text.format(size=show_bytes(left, decimals=1))
    text = translate("Explore", "{size} free")
    if _is_near_limit(surface, place):
        if brief:
            text = f"{SYMBOLS[Status.TIGHT]} {text}"
        else:
            text = translate("Explore", "{size} free, near the limit")
    return text.format(size=show_bytes(max(0, free), decimals=1))


def _role(surface: Surface, place: Place) -> Role:
    code = int(surface.status[place])
    if code in (PENDING, INVALID):
        return "muted"
    status = STATUSES[code]
    near = status is Status.FITS and _is_near_limit(surface, place)
    return _ROLES[Status.TIGHT if near else status]


def _is_near_limit(surface: Surface, place: Place) -> bool:
    """Whether a cell that fits is near the limit; what is kept may be an axis too."""
    x, y = surface.x, surface.y
    cell = with_pair(surface.scenario, x.field, x.values[place[0]], y.field, y.values[place[1]])
    left = int(surface.usable_bytes[place]) - int(surface.used_bytes[place])
    return is_near_limit(cell, left)


def _frontier_head(surface: Surface, *, brief: bool) -> str:
    """Verdicts and fixes leave the headroom free; the frontier is where nothing is left."""
    if _keeps_headroom(surface):
        if brief:
            return translate("Explore", "frontier, no headroom")
        return translate("Explore", "frontier at {value}, no headroom left")
    return translate("Explore", "frontier at {value}")


def _keeps_headroom(surface: Surface) -> bool:
    return bool(surface.scenario.headroom_bytes)


def _frontier(surface: Surface, column: int) -> str:
    if (surface.status[column] == PENDING).any():
        return translate("Explore", "being worked out")
    most = surface.frontier(column)
    if most is None:
        return translate("Explore", "nothing fits")
    text = frontier_text(surface, column)
    if surface.y.field == "workload.concurrency":
        return words.fill(translate("Explore", "{number} requests"), {"number": text})
    least = surface.smallest_fitting(column)
    if least is not None and least != surface.y.values[0]:
        low = value_text(surface.y.field, least)
        return translate("Explore", "fits from {low} to {high}").format(low=low, high=text)
    return translate("Explore", "fits up to {high}").format(high=text)


def _brief_hint(tried: bool) -> str:
    if tried:
        return translate("Explore", "Enter: apply · Esc: back")
    return translate("Explore", "click: try · twice: apply")


def _hint(tried: bool) -> str:
    if tried:
        return translate("Explore", "double click or Enter: apply · Esc: back")
    return translate("Explore", "click: preview · double click: apply")

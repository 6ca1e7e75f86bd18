"""Tab "Heat map": light until the window has been painted, then drawn with pyqtgraph."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui import paint_turn
from workbench.gui.explore import loading
from workbench.gui.labels import Label
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.views.view import View

_AFTER_PAINT_MS: Final = 100
_LOOK_MS: Final = 15
_UNSEEN_MS: Final = 250
"""How long a map of before is kept out of sight; a slow one is seen as it grows."""


class HeatView(View):
    """Waits for the first paint, then for the import, then holds the `HeatBody`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.body: Any = None
        self._wanted_field: str | None = None
        self._begun = False
        self._wait = QTimer(self)
        self._wait.setInterval(_LOOK_MS)
        self._wait.timeout.connect(self._look)
        self._comes_into_sight = False
        self._unseen = QTimer(self)
        self._unseen.setSingleShot(True)
        self._unseen.setInterval(_UNSEEN_MS)
        self._unseen.timeout.connect(self._let_see)
        session.vary_wanted.connect(self._vary)

    def _build(self) -> None:
        self.note = Label("", self, role="muted", wrap=True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.note)

    def _say(self) -> None:
        reason = loading.failure()
        if reason is None:
            self.note.set_text(translate("Explore", "The map is being prepared…"))
            return
        text = translate("Explore", "The map cannot be drawn: {reason}")
        self.note.set_text(text.format(reason=reason))

    def showEvent(self, event: QShowEvent) -> None:
        """As any tab; the map of another scenario is not seen first."""
        self._comes_into_sight = self._built and self._stale
        super().showEvent(event)

    def _catch_up(self) -> None:
        super()._catch_up()
        self._comes_into_sight = False

    def _show(self) -> None:
        if self.body is None:
            return
        self.body.refresh()
        if self._comes_into_sight and self.body.model.busy:
            paint_turn.hold(self.window(), self)
            self._unseen.start()

    def _let_see(self) -> None:
        self._unseen.stop()
        paint_turn.release(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Begin once the window is there to be looked at: nothing heavy delays that."""
        super().paintEvent(event)
        if not self._begun:
            self._begun = True
            delay = 0 if loading.ended() else _AFTER_PAINT_MS
            QTimer.singleShot(delay, self._load)

    def _load(self) -> None:
        self._wait.start()

    def _look(self) -> None:
        loading.begin()
        if not loading.ended():
            return
        self._wait.stop()
        if loading.failure() is not None:
            self._say()
            return
        module = import_module("workbench.gui.explore.heat_body")
        self.body = module.HeatBody(self.session, self)
        self.body.model.changed.connect(self._let_see)
        self._layout.addWidget(self.body)
        self.note.hide()
        if self._wanted_field is not None:
            self._vary(self._wanted_field)
        self._on_change()

    def _vary(self, field_id: object) -> None:
        """Put a field on an axis, as soon as there is one."""
        self._wanted_field = str(field_id)
        if self.body is not None:
            self.body.vary(self._wanted_field)
            self._wanted_field = None

"""The left dock: the place of the scenario's form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui.session import Session

if TYPE_CHECKING:
    from workbench.gui.panels.scenario_panel import ScenarioPanel

_CHARACTERS = 44
_SECTIONS = 7


class Form(QWidget):
    """Keeps the place of the panel, which is made after the first paint or when it is asked for.

    A form has more widgets than the rest of the window together.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._panel: ScenarioPanel | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        session.focus_field.connect(self._focus_field)

    @property
    def panel(self) -> ScenarioPanel:
        """The form."""
        return self.fill()

    def steps(self) -> Iterator[Callable[[], object]]:
        """What fills the place, in parts that are short enough for one turn of the loop each."""
        yield self._load_fields
        yield self._load
        yield self._make
        yield from [self._build_next] * _SECTIONS
        yield self.fill

    def fill(self) -> ScenarioPanel:
        """Make and show the panel, once."""
        panel = self._make()
        if self._box.isEmpty():
            panel.build_all()
            self._box.addWidget(panel)
        return panel

    def _load_fields(self) -> None:
        from workbench.gui.fields import choice, quantity_edit  # noqa: F401

    def _load(self) -> None:
        from workbench.gui.panels import scenario_panel  # noqa: F401

    def _make(self) -> ScenarioPanel:
        if self._panel is None:
            from workbench.gui.panels.scenario_panel import ScenarioPanel

            self._panel = ScenarioPanel(self._session, self, at_once=False)
        return self._panel

    def _build_next(self) -> None:
        self._make().build_next()

    def sizeHint(self) -> QSize:
        return QSize(
            self.fontMetrics().averageCharWidth() * _CHARACTERS, super().sizeHint().height()
        )

    def _focus_field(self, field_id: object) -> None:
        """Ask a panel that was not there yet; once it is whole it listens itself."""
        if self._box.isEmpty():
            self.fill().focus_field(field_id)

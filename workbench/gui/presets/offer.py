"""Beside a preset in the scenario's form: a way to its editor, and the offer of a new revision."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from workbench.gui.fields.choice import ChoiceRow
from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.library.presets import Library
from workbench.library.stale import stale_part
from workbench.spec.scenario import Scenario


class EditButton(QToolButton):
    """Opens the preset of a part in the library."""

    def __init__(self, session: Session, part: str, row: ChoiceRow) -> None:
        super().__init__(row)
        self._row = row
        self.setText("✎")
        self.setProperty("flat", True)
        self.setProperty("narrow", True)
        self._session = session
        self._part = part
        self.clicked.connect(self._ask)
        row.add_aside(self)
        follow_language(self._say)

    def _ask(self) -> None:
        self._session.preset_asked.emit("edit", self._part)

    def _say(self) -> None:
        name = translate("Panels", "Open in the preset library")
        self.setAccessibleName(name)
        self.setAccessibleDescription(self._row.box.accessibleName())
        self.setToolTip(name)


class Offer(QWidget):
    """Says that a preset has a newer revision, and takes it."""

    def __init__(self, session: Session, part: str, row: ChoiceRow) -> None:
        super().__init__(row)
        self._session = session
        self._part = part
        self.text = Label("", self, role="accent", wrap=True, selectable=True)
        self.take = QPushButton(self)
        self.difference = QPushButton(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self.fontMetrics().height() // 4)
        box.addWidget(self.text)
        line = QHBoxLayout()
        line.setSpacing(self.fontMetrics().height() // 4)
        box.addLayout(line)
        for button, verb in ((self.take, "take"), (self.difference, "difference")):
            button.clicked.connect(partial(self._ask, verb))
            line.addWidget(button)
        line.addStretch(1)
        row.right.addWidget(self)
        follow_language(self._say)

    def _ask(self, verb: str, _checked: bool = False) -> None:
        self._session.preset_asked.emit(verb, self._part)

    def _say(self) -> None:
        self.text.set_text(translate("Panels", "newer revision"))
        self.take.setText(translate("Panels", "Take it"))
        self.take.setAccessibleName(translate("Panels", "Take the newer revision"))
        self.take.setAccessibleDescription(translate("Panels", "One step, which undo takes back"))
        self.difference.setText(translate("Panels", "Show"))
        self.difference.setAccessibleName(translate("Panels", "Show what has changed"))
        self.difference.setAccessibleDescription(
            translate("Panels", "Opens the preset beside the scenario's copy")
        )


class Offers:
    """The offer of one row, made when there is first one to make."""

    def __init__(self, session: Session, part: str, row: ChoiceRow) -> None:
        self._session = session
        self._part = part
        self._row = row
        self.offer: Offer | None = None

    def show(self, library: Library, scenario: Scenario) -> None:
        """Offer the newer revision of the part's preset, or nothing."""
        found = stale_part(library, scenario, self._part)
        wanted = found is not None and not found.gone
        if self.offer is None:
            if not wanted:
                return
            self.offer = Offer(self._session, self._part, self._row)
        if self.offer.isHidden() is wanted:
            self.offer.setVisible(wanted)

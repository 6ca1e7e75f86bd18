"""What every explorer tab is: built when first shown, brought up to date only while shown."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.gui.language import on_language
from workbench.gui.paint_turn import Refresh
from workbench.gui.session import Session


class View(QWidget):
    """A tab's page. Subclasses build in `_build`, say headings in `_say`, and show the current
    scenario in `_show`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._built = False
        self._unsaid = True
        self._stale = True
        # The bars come first: a tab follows in the next turn of the event loop, once for all
        # changes until then.
        self._soon = Refresh(self._catch_up, self)
        session.plan_changed.connect(self._on_change)
        session.current_changed.connect(self._on_change)
        session.preview_changed.connect(self._on_change)
        on_language(self._on_language)

    def _build(self) -> None:
        """Make the widgets."""
        raise NotImplementedError

    def _say(self) -> None:
        """Say what does not depend on the scenario."""

    def _show(self) -> None:
        """Show the current scenario, which exists."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._built:
            self.bring_up_to_date()
        elif self._stale or self._unsaid:
            self._soon.ask_unseen()

    def _on_change(self, _: object = None) -> None:
        self._stale = True
        if self.isVisible():
            self._soon.ask()

    def _on_language(self) -> None:
        self._unsaid = self._stale = True
        if self.isVisible():
            # Words of two languages are not seen side by side.
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self.isVisible():
            self.bring_up_to_date()

    def bring_up_to_date(self) -> None:
        """Build what is missing and show what has changed."""
        if not self._built:
            self._built = True
            self._build()
        if self._unsaid:
            self._unsaid = False
            self._say()
        if self._stale and self.session.current_id is not None:
            self._stale = False
            self._show()

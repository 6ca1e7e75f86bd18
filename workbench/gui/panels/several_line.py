"""Says above the form how many scenarios an edit changes; hidden while it is one."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from workbench.core.explain.asked import counted
from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.why import Why, set_why


class SeveralLine(QFrame):
    """Number of the picked scenarios, and a button that goes back to one."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        em = self.fontMetrics().height()
        self.text = Label("", self, role="accent", wrap=True, selectable=True)
        self.one = QPushButton(self)
        self.one.clicked.connect(self._only_this)
        row = QHBoxLayout(self)
        row.setContentsMargins(em, em // 2, em // 2, 0)
        row.addWidget(self.text, 1)
        row.addWidget(self.one)
        session.selected_changed.connect(self._refresh)
        follow_language(self._say)

    def _say(self) -> None:
        self.one.setText(translate("Panels", "Only this one"))
        self.one.setAccessibleName(translate("Panels", "Edit only this scenario"))
        self.one.setAccessibleDescription(
            translate("Panels", "The other scenarios are no longer picked")
        )
        self._refresh()

    def _refresh(self, _: object = None) -> None:
        count = len(self._session.selected_ids)
        self.setVisible(count > 1)
        set_why(self.text, Why(None, term=counted("selected", count)))
        self.text.set_text(
            translate("Panels", "Edits change {count} scenarios.").format(count=count)
        )

    def _only_this(self) -> None:
        self._session.pick(())

"""A row for what is typed and is no quantity of `spec.fields`: a text, a list of sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from pydantic import ValidationError
from PySide6.QtWidgets import QWidget

from workbench.gui.fields.line import QuantityLine
from workbench.gui.fields.row import FieldRow
from workbench.gui.fields.wording import field_help, field_label, refusal
from workbench.gui.labels import Label, plain_tip
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.gui.why import name_field
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class TypedFlag:
    """How a flag is read from a scenario as text, and written from text; writing may refuse."""

    id: str
    read: Callable[[Scenario], str]
    write: Callable[[Scenario, str], Scenario]


class FlagSession(Protocol):
    """What a row needs of the session."""

    @property
    def current(self) -> Scenario | None: ...
    def set_flag(self, write: Callable[[Scenario], Scenario], flag: str, value: str) -> None: ...


class TypedRow(FieldRow):
    """Commits with Enter or when the focus leaves; a refused text stays, with a sentence below."""

    def __init__(
        self,
        session: FlagSession,
        flag: TypedFlag,
        parent: QWidget | None = None,
        *,
        name: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(name or partial(field_label, flag.id), parent)
        self.flag = flag
        self._session = session
        self._shown = ""
        self._scenario_id: str | None = None
        self._refusal: Callable[[], str] | None = None
        self.line = QuantityLine(self)
        self.line.committed.connect(self.commit)
        self.line.cancelled.connect(self.restore)
        name_field(self.line, self.flag.id)
        self.add_control(self.line)
        self.error: Label | None = None
        follow_language(self._say)

    def _say(self) -> None:
        self.line.setAccessibleName(self.say_name())
        self.line.setToolTip(plain_tip(field_help(self.flag.id)))
        self._say_error()

    def show_state(
        self, scenario: Scenario, *, placeholder: str = "", differs: bool = False
    ) -> None:
        """Show the flag of a scenario; a text being typed stays unless the flag changed."""
        text = self.flag.read(scenario)
        changed = text != self._shown or scenario.id != self._scenario_id
        self._shown, self._scenario_id = text, scenario.id
        if changed or not (self.line.isModified() or self._refusal):
            self._show_text()
        self.line.setPlaceholderText(placeholder)
        self.show_differs(differs)
        self._paint_state()

    def _show_text(self) -> None:
        self._refuse(None)
        if self.line.text() != self._shown or self.line.isModified():
            self.line.setText(self._shown)

    def commit(self) -> bool:
        """Take over what was typed; False when it is refused."""
        scenario = self._session.current
        if not self.line.isModified() or scenario is None:
            return self._refusal is None
        text = self.line.text().strip()
        try:
            write = self.flag.write
            self._session.set_flag(lambda scenario: write(scenario, text), self.flag.id, text)
        except (UserError, ValidationError) as error:
            self._refuse(refusal(error, self.flag.id))
            return False
        self._show_text()
        return True

    def restore(self) -> None:
        """Forget what was typed."""
        self._show_text()
        self.line.selectAll()

    def _refuse(self, why: Callable[[], str] | None) -> None:
        if why is None and self._refusal is None:
            return
        self._refusal = why
        if self.error is None:
            self.error = Label("", self, role="danger", wrap=True, selectable=True)
            self.right.insertWidget(1, self.error)
        self._say_error()
        self._paint_state()

    def _say_error(self) -> None:
        text = "" if self._refusal is None else self._refusal()
        if self.error is not None:
            self.error.set_text(text)
            self.error.setVisible(bool(text))
        described = field_help(self.flag.id) or translate("Fields", "Empty means the default.")
        self.line.setAccessibleDescription(f"{text} {described}" if text else described)

    def _paint_state(self) -> None:
        self.line.set_state(invalid=self._refusal is not None, differs=self.differs)

"""Scenarios over the clipboard: between plans, between windows, through any text editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from workbench.gui.messages import Message
from workbench.gui.tr import translate
from workbench.library import jsonfile, plans
from workbench.library.plans import Loaded
from workbench.spec.errors import UserError
from workbench.spec.scenario import MAX_SCENARIOS, Plan, Scenario

if TYPE_CHECKING:
    from workbench.gui.app import Workbench

MIME: Final = "application/x-kvw-plan+json"
SLOT: Final = "clipboard"


class ScenarioClipboard(QObject):
    """Copies the picked scenarios as a small plan; pastes any plan's scenarios as one step."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._session = bench.session
        self._clipboard = QGuiApplication.clipboard()
        self._actions = bench.window.actions_by_id
        self._actions.bind({"edit.copy_scenarios": self.copy, "edit.paste_scenarios": self.paste})
        # Elsewhere Ctrl+C and Ctrl+V belong to texts, charts and tables.
        for action_id in ("edit.copy_scenarios", "edit.paste_scenarios"):
            self._actions.limit(action_id, bench.window.strip)
        self._session.plan_changed.connect(self._show_state)
        self._show_state()

    def _show_state(self) -> None:
        has_scenario = self._session.current_id is not None
        self._actions["edit.copy_scenarios"].setEnabled(has_scenario)

    def copy(self) -> None:
        """Put the picked scenarios on the clipboard."""
        ids = self._session.selected_ids
        scenarios = tuple(self._session.plan.scenario(scenario_id) for scenario_id in ids)
        if not scenarios:
            return
        try:
            self._clipboard.setMimeData(mime_of(scenarios))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot=SLOT))
            return
        names = ", ".join(scenario.name for scenario in scenarios)
        self._session.tell(Message("info", "scenarios_copied", {"names": names}, slot=SLOT))

    def paste(self) -> None:
        """Add the scenarios that the clipboard holds after the current one."""
        try:
            loaded = plan_of(self._clipboard.mimeData())
            scenarios = () if loaded is None else loaded.plan.scenarios
            self.add(scenarios)
        except UserError as error:
            self._session.tell(Message.of_error(error, slot=SLOT))
            return
        if loaded is not None and scenarios:
            self._session.tell(Message("info", "", slot=SLOT))
            self._bench.files.tell_notes(loaded.scenario_notes, _name())
        else:
            self._session.tell(Message("warning", "clipboard_empty", slot=SLOT))

    def add(self, scenarios: Sequence[Scenario]) -> None:
        """Paste scenarios as one step; raises `UserError` when a plan cannot hold so many."""
        if len(self._session.plan.scenarios) + len(scenarios) > MAX_SCENARIOS:
            raise UserError("too_many_scenarios", limit=MAX_SCENARIOS)
        self._session.paste(scenarios)


def mime_of(scenarios: Sequence[Scenario]) -> QMimeData:
    """Return scenarios for the clipboard: as a plan for programs, and as its text."""
    plan = Plan(scenarios=tuple(scenarios), baseline=scenarios[0].id)
    data = plans.dumps(plan, name=_name())
    made = QMimeData()
    made.setData(MIME, data)
    made.setText(data.decode("utf-8"))
    return made


def plan_of(data: QMimeData | None) -> Loaded | None:
    """Read the plan on a clipboard, None without a text; raises `UserError` for what is none."""
    if data is None:
        # An empty clipboard, whatever the type says.
        return None
    if data.hasFormat(MIME):
        found = bytes(data.data(MIME).data())
    elif data.hasText() and data.text().strip():
        # A lone surrogate is no text that could be a plan; it is refused with the rest.
        found = data.text().encode("utf-8", "surrogatepass")
    else:
        return None
    if len(found) > jsonfile.PLAN_LIMIT_BYTES:
        raise jsonfile.too_large(_name(), jsonfile.PLAN_LIMIT_BYTES, len(found))
    return plans.loads(found, _name())


def _name() -> str:
    return translate("Clipboard", "The clipboard")


def attach(bench: Workbench) -> ScenarioClipboard:
    """Offer copy and paste of scenarios."""
    return ScenarioClipboard(bench)

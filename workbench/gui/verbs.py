"""What the actions do: the window's verbs, bound to their ids."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QAbstractButton, QMenu

from workbench.gui.actions import MENUS, Actions, set_action_text
from workbench.gui.dialogs import Dialogs
from workbench.gui.export.mime import chart_mime
from workbench.gui.files import Files
from workbench.gui.focus import focus_first
from workbench.gui.jobs import Jobs
from workbench.gui.labels import plain_tip, visible
from workbench.gui.language import CHOICES as LANGUAGES
from workbench.gui.language import Choice as LanguageChoice
from workbench.gui.language import Language, follow_language, on_language
from workbench.gui.messages import Message
from workbench.gui.pages import PLAN
from workbench.gui.recent import RecentMenu
from workbench.gui.session import Session
from workbench.gui.store import SettingsStore
from workbench.gui.theme import CHOICES, Themes, choice_of
from workbench.gui.tr import labelled, step_text, translate, without_mnemonic
from workbench.library import compose
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan, Scenario

if TYPE_CHECKING:
    from workbench.gui.main_window import MainWindow

DEFAULT_MODEL = "llama-3.1-8b"
DEFAULT_CARD = "80-gib"


class Verbs(QObject):
    """Connects actions and menus with session, files and themes."""

    def __init__(
        self,
        session: Session,
        files: Files,
        store: SettingsStore,
        themes: Themes,
        language: Language,
        jobs: Jobs,
        clipboard: QClipboard,
        example: Callable[[], Plan],
    ) -> None:
        super().__init__(session)
        self._session = session
        self._files = files
        self._store = store
        self._themes = themes
        self._language = language
        self._jobs = jobs
        self._clipboard = clipboard
        self._example = example

    def attach(self, window: MainWindow) -> None:
        """Bind every action of a window and fill its menus."""
        self._window = window
        self._files.dialogs = Dialogs(window)
        actions = window.actions_by_id
        self._actions = actions
        session, files = self._session, self._files
        actions.bind(
            {
                "file.new": self.new,
                "file.open": files.ask_open,
                "file.save": files.save,
                "file.save_as": files.save_as,
                "file.example": lambda: files.show_new(self._example()),
                "file.quit": window.close,
                "edit.undo": session.undo,
                "edit.redo": session.redo,
                "edit.copy_chart": self.copy_chart,
                "edit.first_field": self.first_field,
                "scenario.add": self.add,
                "scenario.duplicate": self._on_current(self.duplicate),
                "scenario.rename": self._on_current(window.strip.rename),
                "scenario.baseline": self._on_current(session.set_baseline),
                "scenario.delete": lambda: session.delete(*session.selected_ids),
                "scenario.pick_all": self.pick_all,
                "scenario.earlier": lambda: self._move(-1),
                "scenario.later": lambda: self._move(1),
                "scenario.next": lambda: self._step(1),
                "scenario.previous": lambda: self._step(-1),
                "view.language.toggle": self.toggle_language,
                "view.plan": lambda: window.show_page(PLAN),
                "view.next_pane": lambda: self._pane(1),
                "view.previous_pane": lambda: self._pane(-1),
                "help.shortcuts": self._show_shortcuts,
                "help.about": self._show_about,
            }
            | {
                f"view.theme.{choice}": lambda choice=choice: self.choose_theme(choice)
                for choice in CHOICES
            }
            | {
                f"view.language.{choice}": lambda choice=choice: self.choose_language(choice)
                for choice in LANGUAGES
            }
        )
        actions[f"view.language.{self._language.choice}"].setChecked(True)
        actions[f"view.theme.{self._themes.choice}"].setChecked(True)
        # Delete and Ctrl+C belong to whatever has the keyboard elsewhere.
        actions.limit("scenario.delete", window.strip)
        actions.limit("edit.copy_chart", window.bars_card)
        self._fill_menus(window, actions)
        window.undo_button.clicked.connect(actions["edit.undo"].trigger)
        window.redo_button.clicked.connect(actions["edit.redo"].trigger)
        window.language_button.clicked.connect(actions["view.language.toggle"].trigger)
        window.strip.adding.connect(self.add)
        window.strip.menu_wanted.connect(self._scenario_menu)
        window.bars_card.bars.menu_wanted.connect(self._chart_menu)
        session.state_changed.connect(self._show_state)
        session.plan_changed.connect(self._show_possible)
        self._show_state()
        self._show_possible()
        follow_language(self._say)
        on_language(self._show_state)

    def _fill_menus(self, window: MainWindow, actions: Actions) -> None:
        self.recent_menu = RecentMenu(self._files, self._jobs, window)
        self._panels_menu = panels = QMenu(window)
        panels.addAction(window.left.toggleViewAction())
        panels.addAction(window.right.toggleViewAction())
        self._theme_menu = theme = QMenu(window)
        actions.fill(theme, tuple(f"view.theme.{choice}" for choice in CHOICES), {})
        self._language_menu = language = QMenu(window)
        actions.fill(language, tuple(f"view.language.{choice}" for choice in LANGUAGES), {})
        submenus = {
            "recent": self.recent_menu,
            "panels": panels,
            "theme": theme,
            "language": language,
        }
        self._menus: list[QMenu] = []
        for ids in MENUS.values():
            menu = window.menuBar().addMenu("")
            actions.fill(menu, ids, submenus)
            self._menus.append(menu)

    def _say(self) -> None:
        for menu, title in zip(self._menus, MENUS, strict=True):
            menu.setTitle(translate("Menus", title))
        self._panels_menu.setTitle(translate("Menus", "&Panels"))
        self._theme_menu.setTitle(translate("Menus", "&Theme"))
        self._language_menu.setTitle(translate("Menus", "&Language"))
        button = self._window.language_button
        button.setAccessibleName(translate("Window", "English or Chinese"))
        button.setAccessibleDescription(translate("Window", "Switches the language at once"))
        button.setToolTip(translate("Window", "Switch the language"))

    def _on_current(self, verb: Callable[[str], object]) -> Callable[[], object]:
        def run() -> None:
            if self._session.current_id is not None:
                verb(self._session.current_id)

        return run

    def _show_state(self) -> None:
        session, actions = self._session, self._actions
        steps = {"edit.undo": session.undo_step, "edit.redo": session.redo_step}
        names = {
            "edit.undo": translate("Actions", "&Undo"),
            "edit.redo": translate("Actions", "&Redo"),
        }
        buttons = {"edit.undo": self._window.undo_button, "edit.redo": self._window.redo_button}
        for action_id, step in steps.items():
            action, button = actions[action_id], buttons[action_id]
            text = names[action_id]
            if step is not None:
                # A "&" of a name must not become a mnemonic.
                text = labelled(text, step_text(step).replace("&", "&&"))
            set_action_text(action, text)
            action.setEnabled(step is not None)
            button.setEnabled(step is not None)
            tip = without_mnemonic(text)
            button.setToolTip(plain_tip(visible(tip)))
            button.setAccessibleDescription(visible(tip))

    def _show_possible(self) -> None:
        """Offer the verbs of a scenario only where there is one."""
        actions, has_scenario = self._actions, self._session.current_id is not None
        for name in ("duplicate", "rename", "baseline", "delete", "next", "previous", "pick_all"):
            actions[f"scenario.{name}"].setEnabled(has_scenario)
        for action_id in ("edit.copy_chart", "file.save_chart"):
            actions[action_id].setEnabled(has_scenario)

    # Scenarios

    def _default_scenario(self, number: int) -> Scenario:
        library = self._session.library
        card = library.get("gpus", "builtin", DEFAULT_CARD)
        return compose.new_scenario(
            library,
            uuid.uuid4().hex,
            translate("Strip", "Scenario {number}").format(number=number),
            library.get("models", "builtin", DEFAULT_MODEL),
            card,
        )

    def new(self) -> None:
        """Begin a plan with one scenario of defaults."""
        scenario = self._default_scenario(1)
        self._files.show_new(Plan(scenarios=(scenario,), baseline=scenario.id))

    def add(self) -> None:
        """Add a scenario of defaults and look at it."""
        self._session.add(self._default_scenario(len(self._session.plan.scenarios) + 1))

    def duplicate(self, scenario_id: str) -> None:
        """Put a copy next to a scenario."""
        name = self._session.plan.scenario(scenario_id).name
        self._session.duplicate(scenario_id, translate("Strip", "{name} copy").format(name=name))

    def pick_all(self) -> None:
        """Let edits change every scenario."""
        self._session.pick(scenario.id for scenario in self._session.plan.scenarios)

    def _move(self, by: int) -> None:
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        current = self._session.current_id
        if current in ids and 0 <= ids.index(current) + by < len(ids):
            self._session.move(current, ids.index(current) + by)

    def _step(self, by: int) -> None:
        ids = [scenario.id for scenario in self._session.plan.scenarios]
        if self._session.current_id in ids:
            index = (ids.index(self._session.current_id) + by) % len(ids)
            self._session.set_current(ids[index])

    def _scenario_menu(self, scenario_id: object, at: object) -> None:
        ids = ("rename", "duplicate", "baseline", "-", "delete")
        names = tuple(name if name == "-" else f"scenario.{name}" for name in ids)
        self._popup(names, at)

    def _chart_menu(self, at: object) -> None:
        self._popup(("edit.copy_chart", "file.save_chart", "file.export"), at)

    def _popup(self, ids: tuple[str, ...], at: object) -> None:
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions.fill(menu, ids, {})
        if isinstance(at, QPoint):
            menu.popup(at)

    # The chart

    def copy_chart(self) -> None:
        """Put the chart on the clipboard: a picture, vectors and its table."""
        leaving = self._window.bars_card.bars.leaving()
        if leaving is None:
            return
        try:
            self._clipboard.setMimeData(chart_mime(leaving))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="chart"))
            return
        self._session.tell(Message("info", "chart_copied", slot="chart"))

    # Moving about

    def open_path(self, path: str) -> None:
        """Open a plan by its name."""
        self._files.open(Path(path))

    def choose_theme(self, choice: str) -> None:
        """Switch the theme and remember it."""
        self._themes.choose(choice_of(choice))
        self._store.change(theme=choice)

    def choose_language(self, choice: LanguageChoice) -> None:
        """Switch the language and remember it."""
        self._language.choose(choice)
        self._store.change(language=choice)
        self._actions[f"view.language.{choice}"].setChecked(True)

    def toggle_language(self) -> None:
        """Switch to the other language."""
        self.choose_language("en" if self._language.code == "zh_CN" else "zh_CN")

    def _show_shortcuts(self) -> None:
        from workbench.gui.help import ShortcutsDialog

        ShortcutsDialog(self._actions, self._window).open()

    def _show_about(self) -> None:
        from workbench.gui.help import AboutDialog

        AboutDialog(self._window).open()

    def first_field(self) -> None:
        """Put the keyboard into the first field of the editor."""
        self._window.left.show()
        self._window.left.raise_()
        # The pencil of a preset stands before its field.
        focus_first(self._window.panel, past=QAbstractButton)

    def _pane(self, by: int) -> None:
        panes = [pane for pane in self._window.panes() if pane.isVisible()]
        focus = self._window.focusWidget()
        here = -by
        if focus is not None:
            here = next((i for i, p in enumerate(panes) if p.isAncestorOf(focus)), -by)
        for offset in range(1, len(panes) + 1):
            if focus_first(panes[(here + by * offset) % len(panes)]):
                return

"""Every verb of the window, once: a stable id, its words, its keys. Menus are made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from workbench.gui.labels import plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import QT_TRANSLATE_NOOP, translate, without_mnemonic

PALETTE: Final = "view.commands"
Key = QKeySequence.StandardKey | str


@dataclass(frozen=True, slots=True)
class Verb:
    """One action: id, English text with its mnemonic, keys; exclusive ones share a group."""

    id: str
    text: str
    keys: tuple[Key, ...] = ()
    group: str = ""
    checkable: bool = False


_KEY = QKeySequence.StandardKey
VERBS: Final[tuple[Verb, ...]] = (
    Verb("file.new", QT_TRANSLATE_NOOP("Actions", "&New plan"), (_KEY.New,)),
    Verb("file.open", QT_TRANSLATE_NOOP("Actions", "&Open…"), (_KEY.Open,)),
    Verb("file.save", QT_TRANSLATE_NOOP("Actions", "&Save"), (_KEY.Save,)),
    Verb("file.save_as", QT_TRANSLATE_NOOP("Actions", "Save &as…"), ("Ctrl+Shift+S",)),
    Verb("file.export", QT_TRANSLATE_NOOP("Actions", "E&xport…"), ("Ctrl+E",)),
    Verb("file.save_chart", QT_TRANSLATE_NOOP("Actions", "Save &chart as PNG…")),
    Verb("file.example", QT_TRANSLATE_NOOP("Actions", "Open the &example")),
    Verb("file.quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), ("Ctrl+Q",)),
    Verb("edit.undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), (_KEY.Undo,)),
    Verb("edit.redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    Verb("edit.copy_chart", QT_TRANSLATE_NOOP("Actions", "&Copy chart"), (_KEY.Copy,)),
    Verb("edit.copy_scenarios", QT_TRANSLATE_NOOP("Actions", "C&opy scenarios"), (_KEY.Copy,)),
    Verb("edit.paste_scenarios", QT_TRANSLATE_NOOP("Actions", "&Paste scenarios"), (_KEY.Paste,)),
    Verb("edit.first_field", QT_TRANSLATE_NOOP("Actions", "Go to the &first field"), ("Ctrl+L",)),
    Verb("scenario.add", QT_TRANSLATE_NOOP("Actions", "&Add scenario"), ("Ctrl+Shift+N",)),
    Verb("scenario.duplicate", QT_TRANSLATE_NOOP("Actions", "&Duplicate scenario"), ("Ctrl+D",)),
    Verb("scenario.rename", QT_TRANSLATE_NOOP("Actions", "&Rename scenario"), ("F2",)),
    Verb("scenario.baseline", QT_TRANSLATE_NOOP("Actions", "Set as &baseline"), ("Ctrl+B",)),
    Verb("scenario.delete", QT_TRANSLATE_NOOP("Actions", "D&elete scenario"), (_KEY.Delete,)),
    Verb(
        "scenario.pick_all", QT_TRANSLATE_NOOP("Actions", "Pick &all scenarios"), ("Ctrl+Shift+A",)
    ),
    Verb(
        "scenario.earlier",
        QT_TRANSLATE_NOOP("Actions", "Move scenario &earlier"),
        ("Ctrl+Shift+PgUp",),
    ),
    Verb(
        "scenario.later",
        QT_TRANSLATE_NOOP("Actions", "Move scenario &later"),
        ("Ctrl+Shift+PgDown",),
    ),
    Verb("scenario.next", QT_TRANSLATE_NOOP("Actions", "&Next scenario"), ("Ctrl+PgDown",)),
    Verb("scenario.previous", QT_TRANSLATE_NOOP("Actions", "&Previous scenario"), ("Ctrl+PgUp",)),
    Verb("view.why", QT_TRANSLATE_NOOP("Actions", "&Why this number"), ("Alt+Return",)),
    Verb("view.theme.light", QT_TRANSLATE_NOOP("Actions", "&Light"), (), "theme", True),
    Verb("view.theme.dark", QT_TRANSLATE_NOOP("Actions", "&Dark"), (), "theme", True),
    Verb("view.theme.contrast", QT_TRANSLATE_NOOP("Actions", "&High contrast"), (), "theme", True),
    Verb("view.theme.system", QT_TRANSLATE_NOOP("Actions", "Like the &system"), (), "theme", True),
    Verb("view.theme.cycle", QT_TRANSLATE_NOOP("Actions", "Next &theme")),
    Verb("view.patterns", QT_TRANSLATE_NOOP("Actions", "Patter&ns in charts"), (), "", True),
    Verb("view.language.en", "English", (), "language", True),
    Verb("view.language.zh_CN", "简体中文", (), "language", True),
    Verb(
        "view.language.system",
        QT_TRANSLATE_NOOP("Actions", "Like the s&ystem"),
        (),
        "language",
        True,
    ),
    Verb(
        "view.units.binary",
        QT_TRANSLATE_NOOP("Actions", "Sizes in &GiB (1024³ bytes)"),
        (),
        "units",
        True,
    ),
    Verb(
        "view.units.decimal",
        QT_TRANSLATE_NOOP("Actions", "Sizes in G&B (10⁹ bytes)"),
        (),
        "units",
        True,
    ),
    Verb("view.language.toggle", QT_TRANSLATE_NOOP("Actions", "Switch the lan&guage")),
    Verb(
        PALETTE,
        QT_TRANSLATE_NOOP("Actions", "Search &commands…"),
        ("Ctrl+K", "Ctrl+Shift+P"),
    ),
    Verb("view.presenter", QT_TRANSLATE_NOOP("Actions", "P&resent"), ("F5",)),
    Verb("compare.open", QT_TRANSLATE_NOOP("Actions", "&Compare"), ("Ctrl+2",)),
    Verb("presets.open", QT_TRANSLATE_NOOP("Actions", "Presets"), ("Ctrl+3",)),
    Verb("presets.import", QT_TRANSLATE_NOOP("Actions", "&Import a preset…")),
    Verb("view.plan", QT_TRANSLATE_NOOP("Actions", "&Back to the plan"), ("Ctrl+1",)),
    Verb("view.next_pane", QT_TRANSLATE_NOOP("Actions", "&Next pane"), ("F6",)),
    Verb("view.previous_pane", QT_TRANSLATE_NOOP("Actions", "&Previous pane"), ("Shift+F6",)),
    Verb("help.shortcuts", QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), ("F1",)),
    Verb("help.about", QT_TRANSLATE_NOOP("Actions", "&About KV Workbench")),
)
SEPARATOR: Final = "-"
MENUS: Final[Mapping[str, tuple[str, ...]]] = {
    QT_TRANSLATE_NOOP("Menus", "&File"): (
        "file.new",
        "file.open",
        "recent",
        SEPARATOR,
        "file.save",
        "file.save_as",
        SEPARATOR,
        "file.export",
        "file.save_chart",
        SEPARATOR,
        "file.example",
        SEPARATOR,
        "file.quit",
    ),
    QT_TRANSLATE_NOOP("Menus", "&Edit"): (
        "edit.undo",
        "edit.redo",
        SEPARATOR,
        "edit.copy_chart",
        "edit.copy_scenarios",
        "edit.paste_scenarios",
        SEPARATOR,
        "edit.first_field",
    ),
    QT_TRANSLATE_NOOP("Menus", "&Scenario"): (
        "scenario.add",
        "scenario.duplicate",
        "scenario.rename",
        "scenario.baseline",
        SEPARATOR,
        "scenario.delete",
        SEPARATOR,
        "scenario.pick_all",
        "scenario.earlier",
        "scenario.later",
        SEPARATOR,
        "scenario.next",
        "scenario.previous",
    ),
    QT_TRANSLATE_NOOP("Menus", "&View"): (
        "view.plan",
        "view.presenter",
        SEPARATOR,
        "view.commands",
        "view.why",
        SEPARATOR,
        "panels",
        SEPARATOR,
        "theme",
        "view.patterns",
        "language",
        SEPARATOR,
        "view.units.binary",
        "view.units.decimal",
        SEPARATOR,
        "view.next_pane",
        "view.previous_pane",
    ),
    QT_TRANSLATE_NOOP("Menus", "&Tools"): ("compare.open", "presets.open", "presets.import"),
    QT_TRANSLATE_NOOP("Menus", "&Help"): ("help.shortcuts", "help.about"),
}


class Actions(QObject):
    """The window's actions by id."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions: dict[str, QAction] = {}
        groups: dict[str, QActionGroup] = {}
        for verb in VERBS:
            action = QAction(self)
            action.setObjectName(verb.id)
            action.setShortcuts([QKeySequence(key) for key in verb.keys])
            action.setCheckable(verb.checkable)
            if verb.group:
                group = groups.setdefault(verb.group, QActionGroup(self))
                group.addAction(action)
            self._actions[verb.id] = action
            window.addAction(action)
        follow_language(self._say)

    def _say(self) -> None:
        for verb in VERBS:
            set_action_text(self._actions[verb.id], translate("Actions", verb.text))

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def ids(self) -> tuple[str, ...]:
        """Return all ids in order."""
        return tuple(self._actions)

    def bind(self, slots: Mapping[str, Callable[[], object]]) -> None:
        """Connect ids to what they do."""
        for action_id, slot in slots.items():
            self._actions[action_id].triggered.connect(_without_arguments(slot))

    def limit(self, action_id: str, widget: QWidget) -> None:
        """Let an action's keys work only while the keyboard is in a widget."""
        action = self._actions[action_id]
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._window.removeAction(action)
        widget.addAction(action)

    def fill(self, menu: QMenu, ids: tuple[str, ...], submenus: Mapping[str, QMenu]) -> None:
        """Put actions, separators and submenus into a menu."""
        for action_id in ids:
            if action_id == SEPARATOR:
                menu.addSeparator()
            elif action_id in submenus:
                menu.addMenu(submenus[action_id])
            else:
                menu.addAction(self._actions[action_id])


def set_action_text(action: QAction, text: str) -> None:
    """Name an action in menus with its mnemonic, on buttons and in tool tips without."""
    action.setText(text)
    plain = without_mnemonic(text)
    action.setIconText(plain)
    action.setToolTip(plain_tip(visible(plain)))


def _without_arguments(slot: Callable[[], object]) -> Callable[..., None]:
    def run(*_: object) -> None:
        slot()

    return run

"""Start of the window: puts the parts together and runs the event loop."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.library import plans, recovery
from workbench.library.paths import (
    config_dir,
    presets_dir,
    resources_dir,
    state_dir,
    user_presets_dir,
)
from workbench.library.presets import Library
from workbench.spec.scenario import Plan

if TYPE_CHECKING:
    from workbench.gui.presets.feature import Presets

BAD_INPUT = 2
_PATIENCE_MS = 400
_LEAVE_MS = 2_000


def example_path() -> Path:
    """Return the plan of a first start."""
    return resources_dir() / "plans" / "example.kvw"


def example_plan() -> Plan:
    """Return the example, as a plan that has no file; its names are in the language shown."""
    from workbench.gui.tr import example_name

    plan = plans.load(example_path()).plan
    named = (one.with_(name=example_name(one.name)) for one in plan.scenarios)
    return plan.with_(title=example_name(plan.title), scenarios=tuple(named))


class Workbench:
    """One window with all that belongs to it."""

    presets: Presets
    """The preset library, once it is attached."""

    def __init__(
        self,
        app: Any,
        *,
        state: Path | None = None,
        config: Path | None = None,
        load: Callable[..., plans.Loaded] = plans.load,
        save: Callable[..., Any] = plans.save_plan,
    ) -> None:
        from workbench.gui.crash import CrashGuard
        from workbench.gui.features import attach_all
        from workbench.gui.files import Files
        from workbench.gui.jobs import Jobs
        from workbench.gui.keeper import Keeper
        from workbench.gui.language import Language
        from workbench.gui.main_window import MainWindow
        from workbench.gui.session import Session
        from workbench.gui.store import SettingsStore
        from workbench.gui.theme import Themes
        from workbench.gui.verbs import Verbs
        from workbench.gui.warm_up import WarmUp

        self.state = state_dir() if state is None else state
        self.library = library = Library(presets_dir(), user_presets_dir())
        self.session = Session(library, Plan())
        self.jobs = Jobs(self.session)
        # One thing at a time: a removal must not overtake a write.
        self.quiet_jobs = Jobs(self.session, threads=1)
        self.recovery = recovery.Recovery(self.state)
        config_file = (config_dir() if config is None else config) / "settings.json"
        self.store = SettingsStore(config_file, self.quiet_jobs, self.session)
        self.language = Language(app, self.store.settings.language, self.session)
        self.keeper = Keeper(self.session, self.recovery, self.quiet_jobs)
        self.files = Files(self.session, self.store, self.keeper, self.jobs, load=load, save=save)
        settings = self.store.settings
        self.themes = Themes(app, settings.theme, self.session, patterns=settings.patterns)
        clipboard = app.clipboard()
        self.verbs = Verbs(
            self.session,
            self.files,
            self.store,
            self.themes,
            self.language,
            Jobs(self.session),
            clipboard,
            example_plan,
        )
        self.window = MainWindow(self.session, self.files, self.store, self.verbs)
        attach_all(self)
        self.warm_up = WarmUp(self)
        self.themes.dress()
        self.guard = CrashGuard(self.keeper.flush, clipboard, self.session)
        self.guard.window = self.window

    def begin(self, path: Path | None) -> None:
        """Open what was asked for, else the last plan, else the example."""
        from workbench.gui.files import EXAMPLE_SLOT
        from workbench.gui.messages import Message

        recent = self.files.recent()
        first = not recent
        if path is None and recent:
            path = recent[0]
        if path is not None:
            self.files.open(path, lambda: self.files.show_new(example_plan()))
            # A plan on a local disk is there before the window is; a hung disk delays nothing.
            self.jobs.wait(_PATIENCE_MS)
            self.jobs.deliver()
        else:
            self.files.show_new(example_plan())
            if first:
                self.session.tell(Message("info", "example", slot=EXAMPLE_SLOT))
        for note in self.store.notes:
            self.session.tell(Message("info", note.code, note.params))

    def offer_recovery(self) -> None:
        """Look, off the GUI thread, for work that outlived its program, and offer it."""
        from workbench.gui.rescue import Rescue

        self.rescue = Rescue(
            self.session, self.files, self.recovery, self.jobs, self.state, self.window
        )
        self.rescue.look()

    def end(self) -> bool:
        """Write what is left to write; returns whether every thread has ended."""
        self.language.silence()
        self.store.flush()
        done = self.jobs.wait(_LEAVE_MS) and self.quiet_jobs.wait(_LEAVE_MS)
        self.keeper.close()
        return done


def main(path: Path | None = None) -> int:
    """Show the window on a plan, the last one, or the example; return the exit code."""
    load_qt()
    problem = unusable_qt()
    if problem:
        print(f"kvw: {problem}", file=sys.stderr)
        return BAD_INPUT
    return _run(path)


def load_qt() -> None:
    """Import Qt without its hook on imports.

    The hook reads the source of each module that is imported after Qt, to serve
    `from __feature__ import`, which nothing here uses; a tenth of the start went into it.
    """
    from workbench.gui.overrides import guard_overrides

    plain = builtins.__import__
    import PySide6  # noqa: F401

    builtins.__import__ = plain
    guard_overrides()


def _run(path: Path | None) -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from workbench.gui.collector import Collector

    # Named here and not later: a style that is handed over makes the class of all styles with its
    # hundreds of constants, a hundredth of a second that can wait until after the paint.
    app = QApplication(["kvw", "-style", "Fusion"])
    app.setApplicationName("kvw")
    app.setApplicationDisplayName("KV Workbench")
    app.setDesktopFileName("kvw")
    workbench = Workbench(app)
    workbench.guard.install()
    collector = Collector(app)
    try:
        workbench.begin(path)
        workbench.window.show()
    except Exception as error:
        # What fails inside a call from here comes back here; the window goes on.
        workbench.guard.caught(type(error), error, error.__traceback__)
    # What the start made lives as long as the window: no later collection need look at it.
    QTimer.singleShot(0, collector.begin)
    QTimer.singleShot(0, workbench.offer_recovery)
    code = app.exec()
    collector.end()
    ended = workbench.end()
    workbench.guard.remove()
    if not ended:
        # A disk that hangs must not keep a closed program alive.
        os._exit(code)
    return int(code)


def unusable_qt() -> str:
    """Name what is wrong with the installed Qt binding; empty when it can be used."""
    from PySide6 import __version__ as version

    if version == "6.12.0" and sys.version_info < (3, 12):
        return (
            "PySide6 6.12.0 ends Python 3.11 after a while: install PySide6-Essentials below "
            "6.12, or use Python 3.12."
        )
    return ""

"""What the pages need is read while nobody waits: a page then opens in one turn of the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer

from workbench.library.presets import KINDS
from workbench.spec.engine import ENGINE_CLASSES

if TYPE_CHECKING:
    from workbench.gui.app import Workbench

_MODULES: Final = (
    "workbench.core.compare",
    "workbench.core.lint",
    "workbench.gui.compare.shown",
    "workbench.gui.compare.page",
    "workbench.gui.presenter.page",
    "workbench.gui.presets.tables",
    "workbench.gui.presets.details",
    "workbench.gui.presets.page",
    "workbench.gui.export.dialog",
)
_BEGIN_MS: Final = 1_000
_PAUSE_MS: Final = 50


class WarmUp(QObject):
    """Does one step at a time once the window has been there for a second."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._jobs = bench.jobs
        self._steps: list[Callable[[], object]] = [
            *(partial(ENGINE_CLASSES.get, kind) for kind in ENGINE_CLASSES),
            *(partial(import_module, name) for name in (*_MODULES, *_rule_modules())),
            *(partial(bench.library.listed_builtin, kind) for kind in KINDS),
        ]
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        bench.window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass; begin when the window is shown."""
        if event.type() == QEvent.Type.Show:
            watched.removeEventFilter(self)
            self._timer.start(_BEGIN_MS)
        return False

    def finish(self) -> None:
        """Do now what is left."""
        while self._steps:
            self._step()

    def _go_on(self) -> None:
        self._timer.setInterval(_PAUSE_MS)
        if self._jobs.busy:
            # A step takes several times as long beside a thread that works: somebody waits.
            return
        self._step()

    def _step(self) -> None:
        if self._steps:
            self._steps.pop(0)()
        if not self._steps:
            self._timer.stop()


def _rule_modules() -> Iterator[str]:
    """Yield the modules that are read when a scenario first has an engine."""
    for kind in ENGINE_CLASSES:
        if kind != "plain":
            yield f"workbench.core.engines.{kind}.rule"

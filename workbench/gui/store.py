"""The person's settings while the window is open."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.gui.jobs import Jobs
from workbench.library import settings as files
from workbench.library.settings import Settings
from workbench.spec.errors import UserError

_SETTLE_MS = 1_000


class SettingsStore(QObject):
    """Holds the settings and writes them, a moment after they change, off the GUI thread."""

    changed = Signal(object)
    """The new `Settings`."""

    def __init__(self, path: Path, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._jobs = jobs
        self.settings, self.notes = files.load(path)
        self._written = self.settings
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._write)

    def change(self, **values: Any) -> None:
        """Change some settings."""
        self.set(self.settings.with_(**values))

    def set(self, settings: Settings) -> None:
        """Take other settings."""
        if settings != self.settings:
            self.settings = settings
            self._timer.start()
            self.changed.emit(settings)

    def _write(self) -> None:
        settings = self.settings
        self._written = settings
        self._jobs.run(
            lambda: files.save_settings(self._path, settings),
            lambda _: None,
            # Settings are never worth a message; they are tried again at the end.
            lambda _: None,
        )

    def flush(self) -> None:
        """Write what is not yet written, on this thread."""
        self._timer.stop()
        if self._written is not self.settings:
            self._written = self.settings
            with suppress(UserError):
                files.save_settings(self._path, self.settings)

"""The menu of recent plans. Whether they still exist is found out in a thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.gui.files import Files
from workbench.gui.jobs import Jobs
from workbench.gui.labels import visible
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.library.paths import shown


class RecentMenu(QMenu):
    """Ten names; those found missing are grey. A dead network disk delays nothing."""

    def __init__(self, files: Files, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self._files = files
        self._jobs = jobs
        self._missing: frozenset[Path] = frozenset()
        self._looking = False
        self._again = False
        self.aboutToShow.connect(self.refresh)
        # Its title stands in the menu above before it is shown itself.
        follow_language(self._say, can_wait=False)
        self._look()

    def _say(self) -> None:
        self.setTitle(translate("Menus", "Open &recent"))
        self._fill()

    def refresh(self) -> None:
        """Show the list as known now, and look again which of them are there."""
        self._fill()
        self._look()

    def _fill(self) -> None:
        self.clear()
        recent = self._files.recent()
        names = [path.name for path in recent]
        for path in recent:
            # Two plans of one name are told apart by their folders.
            text = path.name if names.count(path.name) == 1 else str(path)
            action = QAction(self)
            action.setText(visible(shown(text)).replace("&", "&&"))
            action.setData(str(path))
            action.setStatusTip(visible(shown(path)))
            action.setEnabled(path not in self._missing)
            action.triggered.connect(self._open)
            self.addAction(action)
        if self.isEmpty():
            action = QAction(self)
            action.setText(translate("Menus", "Nothing yet"))
            action.setEnabled(False)
            self.addAction(action)

    def _look(self) -> None:
        if self._looking:
            # A disk that hangs must not collect threads.
            self._again = True
            return
        paths = self._files.recent()
        self._looking = True
        self._jobs.run(lambda: _missing(paths), self._found, self._gave_up)

    def _found(self, missing: frozenset[Path]) -> None:
        self._looking = False
        if self._again:
            self._again = False
            self._look()
        if missing != self._missing:
            self._missing = missing
            self._fill()

    def _gave_up(self, error: Exception) -> None:
        self._looking = False

    def _open(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._files.open(Path(str(action.data())))


def _missing(paths: tuple[Path, ...]) -> frozenset[Path]:
    return frozenset(path for path in paths if not path.exists())

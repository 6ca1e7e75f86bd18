"""Bugs: one report for each, with the unsaved work kept first. Nothing is sent anywhere."""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QClipboard
from PySide6.QtWidgets import QWidget

from workbench import __version__

_MOST_REPORTS = 50
_LONGEST_REPORT = 20_000
_log = logging.getLogger("kvw")


class CrashGuard(QObject):
    """Catches what nobody caught, in any thread and in Qt's own calls into Python."""

    _caught = Signal(object, object)

    def __init__(
        self, flush: Callable[[], None], clipboard: QClipboard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._flush = flush
        self._clipboard = clipboard
        self._seen: set[str] = set()
        self.window: QWidget | None = None
        self.reports: list[str] = []
        # Shown by the GUI thread, and not from within the paint or close that failed.
        self._caught.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take the hooks; `remove` gives them back."""
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self.caught
        threading.excepthook = self._caught_in_thread
        self._before_messages = qInstallMessageHandler(self._message)

    def remove(self) -> None:
        """Give the hooks back."""
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(self._before_messages)

    def caught(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """Keep the work, then report; an interruption from the keyboard just ends."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        sys.__excepthook__(kind, error, trace)
        self._keep()
        text = "".join(traceback.format_exception(kind, error, trace))
        where = "".join(traceback.format_tb(trace)) + kind.__name__
        self._caught.emit(where, text)

    def _caught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and args.exc_type is not SystemExit:
            self.caught(args.exc_type, args.exc_value, args.exc_traceback)

    def _keep(self) -> None:
        try:
            self._flush()
        except Exception:
            # The report matters more now, and the last side file still stands.
            _log.exception("the unsaved work could not be kept")

    def _show(self, where: object, text: object) -> None:
        if str(where) in self._seen or len(self._seen) >= _MOST_REPORTS:
            return
        self._seen.add(str(where))
        report = f"{_about()}\n{str(text)[-_LONGEST_REPORT:]}"
        self.reports.append(report)
        from workbench.gui.report_dialog import ReportDialog

        ReportDialog(report, self._clipboard, self.window).open()

    def _message(self, kind: QtMsgType, context: QMessageLogContext, text: str | None) -> None:
        if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
            self._keep()
        if kind != QtMsgType.QtDebugMsg:
            print(f"Qt: {text}", file=sys.stderr)


def _about() -> str:
    return (
        f"KV Workbench {__version__}, Python {platform.python_version()}, Qt {qVersion()}, "
        f"{platform.platform()}"
    )

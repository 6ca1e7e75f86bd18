"""Work off the GUI thread: reading and writing files, which a network disk can hang."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRunnable, Qt, QThreadPool, Signal

_TURN_SECONDS: Final = 0.000_1
"""After which a thread that works leaves the interpreter to another that waits.

Qt lets go of the interpreter within most calls, so the window waits a turn for each of its calls.
Another language beside a thread that works: 4 s with Python's 5 ms, 1.1 s with 1 ms, 0.3 s with
this, 0.13 s alone; with less still, nothing is gained.
"""


class _Done(QObject):
    """Carries an outcome from the worker to the GUI thread, where it lives."""

    ready = Signal(object, object)
    """Result and exception; one of them is None."""

    def __init__(
        self, then: Callable[[Any], object], failed: Callable[[Exception], object], jobs: Jobs
    ) -> None:
        # Known as its parent only: a child that holds the last reference to its parent would free
        # it, and so be freed itself, in the middle of its own end.
        super().__init__(jobs)
        self._then = then
        self._failed = failed
        # A bound method of an object of the GUI thread: a plain function would run in the worker.
        self.ready.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def _finish(self, result: object, error: object) -> None:
        jobs = self.parent()
        assert isinstance(jobs, Jobs)
        jobs.forget(self)
        if isinstance(error, Exception):
            self._failed(error)
        else:
            self._then(result)


class _Job(QRunnable):
    def __init__(self, work: Callable[[], Any], done: _Done) -> None:
        super().__init__()
        # Python owns it: with auto-delete both sides would free it.
        self.setAutoDelete(False)
        self._work: Callable[[], Any] | None = work
        self._done: _Done | None = done

    def run(self) -> None:
        # Held here until all is told: the GUI thread may be quicker to let go.
        work, done = self._work, self._done
        if work is None or done is None:
            return
        result: Any = None
        problem: Exception | None = None
        try:
            result = work()
        except Exception as error:
            problem = error
        # The GUI thread, once told, is the last to let go: objects of Qt that hang on it end there.
        del work
        done.ready.emit(result, problem)
        # Its traceback keeps this frame, and the frame would keep it.
        del problem

    def let_go(self) -> None:
        """Hold nothing more: the pool keeps every job for ever."""
        self._work = self._done = None


class Jobs(QObject):
    """Runs work in threads and hands each outcome back on the GUI thread."""

    def __init__(self, parent: QObject | None = None, *, threads: int = 4) -> None:
        super().__init__(parent)
        sys.setswitchinterval(_TURN_SECONDS)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._running: dict[QObject, _Job] = {}

    def run(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """Start `work`; then `then(result)` or `failed(error)` runs on the GUI thread."""
        done = _Done(then, failed, self)
        job = self._running[done] = _Job(work, done)
        self._pool.start(job)

    def forget(self, done: QObject) -> None:
        """Let go of a job that has ended."""
        job = self._running.pop(done, None)
        if job is not None:
            job.let_go()
        done.deleteLater()

    @property
    def busy(self) -> bool:
        """Whether anything still runs."""
        return bool(self._running)

    def wait(self, milliseconds: int) -> bool:
        """Wait for all work to end; returns whether it did. Outcomes come with the event loop."""
        return self._pool.waitForDone(milliseconds)

    def deliver(self) -> None:
        """Hand over now what has ended."""
        for done in list(self._running):
            QCoreApplication.sendPostedEvents(done, QEvent.Type.MetaCall)

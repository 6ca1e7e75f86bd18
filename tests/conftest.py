"""What every test gets: no network, its own home folder, no leaked windows, repeatable examples."""

from __future__ import annotations

import gc
import io
import itertools
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Protocol

import network_guard
import pytest
from hypothesis import HealthCheck, settings

from workbench.gui.app import load_qt

# As the program does, before pytest-qt would: Qt's hook on imports makes each take twice as long.
load_qt()

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHARED_MISSING = "shared missing"
ATSPI_MISSING = "AT-SPI missing"
PROGRAMS_MISSING = "second programs missing"
"""Reasons of skipped tests that the last line counts."""
_SUBPROCESS_TIMEOUT_SECONDS = 120

# A deadline, and how long examples take to draw, measure the neighbours' load; CI must see the
# same examples on every run.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# --- recorded cases of an engine -----------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take other recorded cases than those in tests/data; see tests/conformance."""
    parser.addoption("--cases", help="file of planning cases for tests/conformance")
    parser.addoption("--holds", help="file of holding cases for tests/conformance")


# --- long files first ---------------------------------------------------------------------------

_LONG_FILES = (
    "core/test_differential.py",
    "atspi/test_journey.py",
    "gui/test_language.py",
    "gui/test_language_fit.py",
    "gui/test_soak.py",
    "core/test_metamorphic.py",
    "gui/test_preset_editor.py",
    "gui/test_explore.py",
    "cli/test_output.py",
    "export/test_slides.py",
    "core/test_explain.py",
    "gui/test_engine_tabs.py",
    "export/test_xlsx.py",
    "library/test_preset_check.py",
    "gui/test_files_kill.py",
)
"""Files of more than 20 s, the longest first."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the files that take long: where several processes share, none waits at the end."""
    places = {config.rootpath / "tests" / name: at for at, name in enumerate(_LONG_FILES)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


# --- no network ---------------------------------------------------------------------------------

_network_uses: list[str] = []
network_guard.install(_network_uses.append)


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fail a test that used the network, even where its code swallowed the refusal."""
    yield
    uses = list(_network_uses)
    _network_uses.clear()
    if uses:
        pytest.fail("network used: " + "; ".join(uses), pytrace=False)


# --- garbage ------------------------------------------------------------------------------------

# Modules and thousands of collected tests are a million objects that stay. Searching them again
# and again for garbage took a quarter of the time.
_GARBAGE_DUE = (5_000, 20, 10)


@pytest.fixture(autouse=True, scope="module")
def _garbage_is_looked_for_among_what_is_new() -> None:
    """Set aside what is there before the first test, and again when a test has undone that."""
    gc.disable()
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _garbage_is_looked_for_between_tests() -> Iterator[None]:
    """Look for it in this thread only: a widget that ends in another crashes the process."""
    from workbench.gui.collector import may_search

    yield
    # The oldest generation that has more waiting than is due, all younger ones having too.
    waiting = zip(gc.get_count(), _GARBAGE_DUE, strict=True)
    older = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] > pair[1], waiting))
    if older and may_search():
        gc.collect(older - 1)


# --- a home of its own --------------------------------------------------------------------------

_home_numbers = itertools.count()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Numbered by us: mktemp lists the whole folder for each new name, too slow for every test.
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def _own_folders(_homes: Path) -> Iterator[Path]:
    """Point home, user folders and the temporary folder into this test's own folder."""
    home = _homes / str(next(_home_numbers))
    temporary = home / "tmp"
    temporary.mkdir(parents=True)
    # Not the monkeypatch fixture: a test may undo its own changes early without losing ours.
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE"):
            patch.setenv(name, str(home))
        for name in ("CACHE", "CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
        for name in ("APPDATA", "LOCALAPPDATA"):
            patch.setenv(name, str(home / name.lower()))
        for name in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(name, str(temporary))
        patch.delenv("XDG_RUNTIME_DIR", raising=False)
        patch.setattr(tempfile, "tempdir", str(temporary))
        yield home


# --- one application ----------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def _one_application(qapp: object) -> None:
    """Make the application of windows first: pictures are content with it, not the other way."""


# --- no leaked windows --------------------------------------------------------------------------


def _top_level_widgets() -> dict[int, Any]:
    """Every parentless widget by its C++ address; empty until something has made an application."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return {}
    import shiboken6

    return {
        shiboken6.getCppPointer(widget)[0]: widget
        for widget in widgets.QApplication.topLevelWidgets()
        # Qt keeps one tool tip label alive by itself.
        if widget.parent() is None and widget.metaObject().className() != "QTipLabel"
    }


@pytest.fixture(autouse=True)
def _no_leaked_windows() -> Iterator[None]:
    """Fail a test that leaves a window behind; give windows to qtbot.addWidget or delete them."""
    before = frozenset(_top_level_widgets())
    yield
    if not _top_level_widgets().keys() - before:
        return
    from PySide6.QtCore import QCoreApplication, QEvent

    # qtbot has only asked for deletion; without an event loop nobody carries it out.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    leaked = [widget for key, widget in _top_level_widgets().items() if key not in before]
    names = [
        f"{'visible' if widget.isVisible() else 'hidden'} {type(widget).__name__}"
        f" {widget.objectName()!r}"
        for widget in leaked
    ]
    for widget in leaked:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if names:
        pytest.fail("leaked top-level widgets: " + ", ".join(names), pytrace=False)


@pytest.fixture(autouse=True)
def _empty_clipboard() -> Iterator[None]:
    """Leave no test's copy to the next test.

    The offscreen clipboard is also a static of Qt's: what it still holds when the process ends is
    deleted after Python is gone, which crashes when Python made it (seen with 6.11.3).
    """
    yield
    gui = sys.modules.get("PySide6.QtGui")
    if gui is not None and isinstance(gui.QGuiApplication.instance(), gui.QGuiApplication):
        gui.QGuiApplication.clipboard().clear()


# --- programs -----------------------------------------------------------------------------------


class RunProgram(Protocol):
    """Starts a program and returns what it said; see the fixtures run_offline and run_kvw."""

    def __call__(
        self, args: Sequence[str | os.PathLike[str]], /, *, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def run_offline(_own_folders: Path) -> RunProgram:
    """Run a Python program in this test's folders; any network use of it fails the test."""
    guard = Path(network_guard.__file__).parent
    log = _own_folders / "network.log"

    def run(
        args: Sequence[str | os.PathLike[str]], /, *, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [os.fspath(arg) for arg in args],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": str(guard), "KVW_NETWORK_LOG": str(log)} | env,
            timeout=_SUBPROCESS_TIMEOUT_SECONDS,
            check=False,
        )
        if log.exists():
            pytest.fail(f"network used by {args[0]}: {log.read_text('utf-8')}", pytrace=False)
        return done

    return run


@pytest.fixture
def run_kvw(run_offline: RunProgram) -> RunProgram:
    """Run the installed `kvw` with these arguments: run_kvw(["budget", plan], NO_COLOR="1")."""
    kvw = Path(sysconfig.get_path("scripts")) / ("kvw.exe" if os.name == "nt" else "kvw")

    def run(
        args: Sequence[str | os.PathLike[str]], /, *, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        return run_offline([kvw, *args], stdin=stdin, **env)

    return run


@pytest.fixture
def ask_kvw() -> RunProgram:
    """Answer as `kvw` does, in this process: for what is said, ten times as quick as run_kvw.

    What only a program of its own shows - its exit status, its streams, what it has not imported -
    is for run_kvw.
    """
    from workbench.cli.main import main

    def ask(
        args: Sequence[str | os.PathLike[str]], /, *, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        given = [os.fspath(arg) for arg in args]
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            for name, value in ({"COLUMNS": "80"} | env).items():
                patch.setenv(name, value)
            with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
                code = main(given)
        said = []
        for stream in streams:
            stream.flush()
            said.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
        return subprocess.CompletedProcess(given, code, *said)

    return ask


# --- the folder of facts beside the checkout ----------------------------------------------------


@pytest.fixture(scope="session")
def shared(pytestconfig: pytest.Config) -> Path:
    """Return the folder `shared` beside the checkout; a test that needs it is skipped without."""
    folder = pytestconfig.rootpath.parent / "shared"
    if not folder.is_dir():
        pytest.skip(SHARED_MISSING)
    return folder


def _skipped_for(config: pytest.Config, wanted: str) -> int:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = [r.longrepr[2] for r in skipped if isinstance(r.longrepr, tuple)]
    return sum(reason.removeprefix("Skipped: ") == wanted for reason in reasons)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Say last, after pytest's closing line, how many tests had no facts to test against.

    And how many no desktop with AT-SPI, or no second program to open exports with, where these
    could not be installed.
    """
    result = yield
    if hasattr(session.config, "workerinput"):
        return result  # one of several processes: the one that collects the results counts
    said = f"{_skipped_for(session.config, SHARED_MISSING)} skipped"
    for reason in (ATSPI_MISSING, PROGRAMS_MISSING):
        count = _skipped_for(session.config, reason)
        if count:
            said += f", {reason}: {count} skipped"
    report = os.environ.get("KVW_SHARED_MISSING_FILE")
    if report:  # packaging/dev.py says it, after its own summary
        Path(report).write_text(said, encoding="utf-8")
    else:
        print(f"{SHARED_MISSING}: {said}")
    return result

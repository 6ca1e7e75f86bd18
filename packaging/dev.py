#!/usr/bin/env python3
"""Sets the project up, then runs it or tests it. Standard library only, Python 3.11 or newer.

    python3 packaging/dev.py run [ARGS]     the program (kvw ARGS); without ARGS its window
    python3 packaging/dev.py test           lint, format, types, import rules, tests: all of them
    python3 packaging/dev.py test [ARGS]    only pytest, with these arguments: test tests/core -k kv
    python3 packaging/dev.py bench [ARGS]   the benchmarks in tests/bench, never part of `test`
    python3 packaging/dev.py setup          only the set-up

Set-up is done once, and again when pyproject.toml or packaging/constraints.txt change: a virtual
environment in .venv with the pinned packages, and the system libraries that Qt needs. On Debian
and Ubuntu missing system packages are installed when you are root; otherwise the one line to run
is printed. Exit status: 0 well, 1 a check failed, 2 the set-up cannot go on; of `run`, that of kvw.

The last line of `test`, "shared missing", counts the tests skipped because `shared`, a folder of
facts to test against, does not lie beside the checkout. It adds "AT-SPI missing" and "second
programs missing" where the desktop that assistive technology is tested on, or the programs that
exports are opened again with, could not be installed: that takes Debian or Ubuntu and root.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# subprocess, tempfile and the like are imported where they are used: a run that has nothing to set
# up should cost no more than starting Python.

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
BIN = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = BIN / ("python.exe" if WINDOWS else "python")
KVW = BIN / ("kvw.exe" if WINDOWS else "kvw")
# Holds the fingerprint of a finished set-up and the library sets found present, a line each.
STAMP = VENV / "kvw-setup.txt"
# There while pip works: an environment that still has it was left half done and is made anew.
UNFINISHED = VENV / "kvw-setup-unfinished"

# Debian packages by what needs them. The first name of each is installed, any of them will do.
LIBRARIES = {
    "offscreen": (
        ("libglib2.0-0", "libglib2.0-0t64"),
        ("libgl1",),
        ("libegl1",),
        ("libxkbcommon0",),
        ("libdbus-1-3",),
        ("libfontconfig1",),
        ("fonts-dejavu-core",),
        ("fonts-wqy-microhei", "fonts-wqy-zenhei", "fonts-noto-cjk"),
    ),
    "window": (
        ("libxkbcommon-x11-0",),
        ("libxcb-cursor0",),
        ("libxcb-icccm4",),
        ("libxcb-keysyms1",),
        ("libxcb-shape0",),
    ),
    # The second programs that exports are opened again with.
    "exports": (
        ("libreoffice-impress-nogui", "libreoffice-impress"),
        ("libreoffice-calc-nogui", "libreoffice-calc"),
        ("libreoffice-writer-nogui", "libreoffice-writer"),
        ("poppler-utils",),
        ("librsvg2-bin",),
    ),
    # A screen in memory, its window manager, and what assistive technology asks programs through.
    "assistive": (
        ("xvfb",),
        ("openbox",),
        ("dbus", "dbus-daemon"),
        ("at-spi2-core",),
        ("python3-pyatspi",),
    ),
}
APT_INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")

CHECKS = {
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
    "import rules": ("-c", "from importlinter.cli import lint_imports_command as run; run()"),
}


def stop(message: str) -> NoReturn:
    """Say why the set-up cannot go on, and end with status 2."""
    print(message, file=sys.stderr)
    raise SystemExit(2)


def call(command: Sequence[object], **env: str) -> int:
    """Run a command at the top of the checkout and return its exit status."""
    import subprocess

    return subprocess.run(
        [str(part) for part in command], cwd=ROOT, env=os.environ | env, check=False
    ).returncode


# --- set-up -------------------------------------------------------------------------------------


def fingerprint() -> str:
    """Name everything the environment was made from; any change makes a new set-up."""
    parts = (
        (ROOT / "pyproject.toml").read_bytes(),
        CONSTRAINTS.read_bytes(),
        repr((sys.version_info[:2], LIBRARIES)).encode(),
        bytes(VENV),  # scripts in .venv name their folder, so a moved checkout starts again
    )
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_ready(sets: Sequence[str]) -> bool:
    """Tell whether a finished set-up of exactly this checkout is there, with these libraries."""
    try:
        made_from, *found = STAMP.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return False
    return made_from == fingerprint() and set(sets) <= set(found) and KVW.exists()


def set_up(*sets: str) -> None:
    """Make sure the environment and these sets of system libraries are there."""
    if is_ready(sets):
        return
    with lock():
        if is_ready(sets):  # another run was setting up while this one waited
            return
        install_system_packages(sets)
        if is_ready(()):  # only libraries were missing
            sets = (*STAMP.read_text(encoding="utf-8").split()[1:], *sets)
        else:
            # Gone before anything changes: an old stamp must not vouch for what is left half done.
            STAMP.unlink(missing_ok=True)
            make_environment()
            install_pinned_packages()
        new = STAMP.with_suffix(".new")
        new.write_text("\n".join([fingerprint(), *sorted({*sets})]), encoding="utf-8")
        new.replace(STAMP)  # in one step: the stamp is never seen half written


@contextmanager
def lock() -> Iterator[None]:
    """Let one process at a time set up; the system frees the lock when its holder dies."""
    if WINDOWS:  # no such lock there; two set-ups at once are on their own
        yield
        return
    import fcntl

    folder = os.open(ROOT / "packaging", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def missing_system_packages(sets: Sequence[str]) -> list[str]:
    """List the Debian packages to install; empty where dpkg does not rule."""
    import shutil
    import subprocess
    from importlib.util import find_spec

    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return []
    wanted = [names for name in sets for names in LIBRARIES[name]]
    known = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *sum(wanted, ())],
        capture_output=True,
        text=True,
        check=False,  # it fails as soon as one name is unknown, and still lists the others
    ).stdout
    installed = {line.split()[0] for line in known.splitlines() if line.endswith(" installed")}
    missing = [names[0] for names in wanted if not installed.intersection(names)]
    if not (find_spec("venv") and find_spec("ensurepip")):
        missing.insert(0, "python3-venv")
    return missing


def install_system_packages(sets: Sequence[str]) -> None:
    """Install what is missing when root, otherwise print the line that does and stop."""
    missing = missing_system_packages(sets)
    if not missing:
        return
    line = f"{' '.join(APT_INSTALL)} {' '.join(missing)}"
    if os.geteuid() != 0:
        stop(f"system packages are missing; please run: sudo {line}")
    print(f"Installing system packages: {' '.join(missing)}", flush=True)
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    if call(["apt-get", "update", "-q"], **quiet) or call([*APT_INSTALL, "-q", *missing], **quiet):
        stop(f"system packages are missing and could not be installed; please run: {line}")


def try_set_up(*sets: str) -> None:
    """Add libraries that only some tests need, where that can be done; without, those skip."""
    if is_ready(sets):
        return
    missing = missing_system_packages(sets)
    line = f"{' '.join(APT_INSTALL)} {' '.join(missing)}"
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    if missing and (
        os.geteuid() != 0
        or call(["apt-get", "update", "-q"], **quiet)
        or call([*APT_INSTALL, "-q", *missing], **quiet)
    ):
        print(f"Some tests are skipped; to run them too: sudo {line}", flush=True)
        return
    set_up(*sets)


def make_environment() -> None:
    """Make .venv, unless a whole one of this Python and this folder is there to be brought up."""
    try:
        made_by = (VENV / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except OSError:
        made_by = []
    version = f"version = {sys.version_info.major}.{sys.version_info.minor}."
    whole = (
        PYTHON.exists()
        and not UNFINISHED.exists()
        and any(line.startswith(version) for line in made_by)
        and any(line.startswith("command =") and line.endswith(f" {VENV}") for line in made_by)
        and call([PYTHON, "-I", "-c", "import pip"]) == 0
    )
    if whole:
        return
    print(f"Making {VENV.name}", flush=True)
    if call([sys.executable, "-m", "venv", "--clear", VENV]) != 0:
        stop(f"{VENV} could not be made; on Debian and Ubuntu python3-venv is needed")


def install_pinned_packages() -> None:
    """Bring .venv to exactly the pinned packages, with the checkout itself installed in place."""
    import tomllib

    print("Installing the pinned packages (the first time: a minute or two)", flush=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pip = [PYTHON, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q"]
    pip += ["-c", CONSTRAINTS]
    UNFINISHED.touch()
    # The build tool first, from the same pins; without isolation pip fetches no other.
    for what in (project["build-system"]["requires"], ["--no-build-isolation", "-e", ".[test]"]):
        if call([*pip, *what]) != 0:
            stop("the pinned packages could not be installed; pip says why above")
    UNFINISHED.unlink()


# --- commands -----------------------------------------------------------------------------------


def run(args: Sequence[str]) -> int:
    """Become `kvw ARGS`, in the folder the person stands in."""
    set_up("offscreen", "window")
    if not WINDOWS:  # there, the parent of an exec comes back before the program ends
        sys.stdout.flush()
        os.execv(KVW, [str(KVW), *args])
    import subprocess

    return subprocess.run([KVW, *args], check=False).returncode


def test(args: Sequence[str]) -> int:
    """Run all checks, or only pytest with ARGS; say at the end how each went."""
    import tempfile
    import time
    from concurrent.futures import ThreadPoolExecutor

    set_up("offscreen")
    if not WINDOWS:
        try_set_up("window", "assistive", "exports")
    checks = {} if args else dict(CHECKS)
    # The whole suite uses every core; each file stays in one process, which keeps what its
    # tests worked out for each other.
    # tests/conftest.py puts the long files first, so that no core waits for the last of them.
    # A process that crashes ends the run: replaced by another, pytest-xdist 3.8 hands finished
    # files out again and then waits for their tests for ever.
    cores = str(min(os.cpu_count() or 1, 8))
    by_file = ("--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart=0")
    spread = () if args else ("-n", cores, *by_file)
    checks["pytest"] = ("-m", "pytest", *spread, *args)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:
        count = Path(folder) / "shared-missing"

        def check(name: str) -> tuple[bool, str]:
            print(f"== {name}", flush=True)
            start = time.monotonic()
            # -P: nothing lying in the current folder is imported by accident.
            status = call(
                [PYTHON, "-P", *checks[name]],
                QT_QPA_PLATFORM="offscreen",
                KVW_SHARED_MISSING_FILE=str(count),
            )
            verdict = "ok" if status == 0 else "FAILED"
            return status == 0, f"{name} {verdict} ({time.monotonic() - start:.1f} s)"

        # It takes half a minute of one core; the tests have the others meanwhile.
        types = [beside.submit(check, name) for name in checks if name == "mypy"]
        results = [check(name) for name in checks if name != "mypy"]
        results += [one.result() for one in types]
        print(", ".join(text for _, text in results))
        skipped = count.read_text(encoding="utf-8") if count.exists() else "unknown"
        print(f"shared missing: {skipped}", flush=True)
    return int(not all(passed for passed, _ in results))


def bench(args: Sequence[str]) -> int:
    """Run the benchmarks, which time this machine and so prove nothing in CI."""
    set_up("offscreen")
    pytest = [PYTHON, "-P", "-m", "pytest", "--benchmark-enable", "--benchmark-only"]
    # Without the default exclusion, and with either habit of naming the files.
    options = ["-o", "norecursedirs=data .*", "-o", "python_files=test_*.py bench_*.py"]
    return call([*pytest, *options, "tests/bench", *args], QT_QPA_PLATFORM="offscreen")


def setup(args: Sequence[str]) -> int:
    """Only set up, for running and for testing."""
    if args:
        stop(f"setup takes no arguments: {' '.join(args)}")
    set_up("offscreen", "window")
    if not WINDOWS:
        try_set_up("assistive", "exports")
    return 0


def main(argv: Sequence[str]) -> int:
    """Hand over to the command named first."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file meets whatever python3 is
        stop(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    commands = {"run": run, "test": test, "bench": bench, "setup": setup}
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0 if argv else 2
    if argv[0] not in commands:
        stop(f"unknown command {argv[0]!r}; there are: {', '.join(commands)}")
    return commands[argv[0]](argv[1:])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

"""A desktop of its own for one program: screen, session bus, folders; gone afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.atspi.assistant import LAUNCHERS

SYSTEM_PYTHON = "/usr/bin/python3"
_SCREEN = "1600x1000x24"
_LONGEST_SECONDS = 540


def missing() -> list[str]:
    """Name what the machine lacks to run a desktop with AT-SPI."""
    found = [tool for tool in ("Xvfb", "openbox", "dbus-run-session") if not shutil.which(tool)]
    if not any(Path(launcher).exists() for launcher in LAUNCHERS):
        found.append("at-spi-bus-launcher")
    asked = [SYSTEM_PYTHON, "-c", "import pyatspi"]
    if not Path(SYSTEM_PYTHON).exists() or subprocess.run(asked, capture_output=True).returncode:
        found.append("pyatspi")
    return found


def journey_of(command: list[str]) -> dict[str, Any]:
    """Let the assistant use a program on an isolated home; return its report."""
    # A short path: sockets below it must not exceed 108 characters.
    home = Path(tempfile.mkdtemp(prefix="kvw-", dir="/tmp"))
    try:
        return _on_screen(command, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _on_screen(command: list[str], home: Path) -> dict[str, Any]:
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", _SCREEN, "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(writer)
    try:
        with os.fdopen(reader, encoding="ascii") as pipe:
            display = pipe.readline().strip()
        assert display, "Xvfb did not start"
        return _in_session(command, home, display)
    finally:
        _end(screen)


def _in_session(command: list[str], home: Path, display: str) -> dict[str, Any]:
    runtime = home / "run"
    runtime.mkdir(mode=0o700)
    report = home / "report.json"
    kept = ("PATH", "LANG", "LC_ALL")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env |= {
        "HOME": str(home),
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "STATE", "DATA")},
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_RUNTIME_DIR": str(runtime),
        "DISPLAY": f":{display}",
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    }
    script = Path(__file__).with_name("assistant.py")
    log = home / "log.txt"
    with log.open("wb") as output:
        session = subprocess.Popen(
            ["dbus-run-session", "--", SYSTEM_PYTHON, str(script), str(report), *command],
            env=env,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            session.wait(_LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(session)
    if not report.exists():
        return {"error": log.read_text(encoding="utf-8", errors="replace")[-2_000:]}
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started: it leads a group of its own."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        time.sleep(0.2)


def program() -> list[str]:
    """The program of this checkout."""
    return [str(Path(sys.executable).with_name("kvw"))]

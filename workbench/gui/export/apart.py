"""A long file is made by a process of its own, so that the window never waits for its turn.

Two threads of one Python share one interpreter: while a document of fifty scenarios is made beside
the window, every click waits for it. The child gets the plan and the choices as a line of JSON, and
answers in lines: how far it is, what it refuses, at last the length of the file and its bytes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from workbench.export.formats import FORMATS, Job
from workbench.export.options import PICTURES, Progress
from workbench.library import plans
from workbench.spec.errors import UserError
from workbench.spec.units import shown_family

MAKE_FILE: Final = "--make-file"
"""The argument with which this program is the child."""
_CHOICES: Final = (
    "what",
    "ratio",
    "look",
    "scale",
    "title",
    "footnote",
    "date",
    "scenario",
    "unit",
)
ANSWER: Final = b"kvw-answer "
"""Begins every line that is meant for the window; what else a child prints is no answer."""

_FROM_OUTSIDE: Final = (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM))
Child = subprocess.Popen[bytes]


def made(name: str, job: Job, progress: Progress, started: Callable[[Child], object]) -> bytes:
    """Return the bytes of a file, a single picture's from this process, all others' from a child.

    `started` is given the child: whoever kills it lets `progress` raise `Cancelled`. Raises
    `UserError`, and what `progress` raises.
    """
    if job.options.what in PICTURES and name != "pdf":
        return FORMATS[name].make(job, progress)
    return made_by_child(request_of(name, job), progress, started)


def request_of(name: str, job: Job) -> dict[str, Any]:
    """Return what the child must know, as JSON can hold it."""
    return {
        "format": name,
        "plan": plans.dumps(job.subject.plan).decode(),
        "file_name": job.subject.file_name,
        "template": None if job.template is None else os.fsencode(job.template).hex(),
        "language": job.options.language.code,
        "units": shown_family(),
        "options": {choice: getattr(job.options, choice) for choice in _CHOICES},
    }


def child_command() -> Sequence[str]:
    """Return how this program is started as the child; a bundle is its own interpreter."""
    if getattr(sys, "frozen", False):
        return (sys.executable, MAKE_FILE)
    start = "import sys; from workbench.cli.main import main; sys.exit(main())"
    return (sys.executable, "-P", "-c", start, MAKE_FILE)


def _environment() -> Mapping[str, str]:
    # The child finds the same modules, wherever this process has them from; a PDF tells its zone.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TZ": "UTC"}


def made_by_child(
    request: Mapping[str, Any], progress: Progress, started: Callable[[Child], object]
) -> bytes:
    """Return the bytes that a child makes of a request; whatever is raised, the child is gone.

    Raises `UserError` for what it refuses and where it cannot be started, `RuntimeError` with its
    own words where it breaks, and what `progress` raises.
    """
    pipe = subprocess.PIPE
    quiet = subprocess.DEVNULL if sys.stderr is None else None
    try:
        child = subprocess.Popen(
            child_command(), stdin=pipe, stdout=pipe, stderr=quiet, env=_environment()
        )
    except OSError as error:
        raise UserError("export_no_process", reason=os.strerror(error.errno or 0)) from error
    try:
        started(child)
        return _answer(child, request, progress)
    finally:
        child.kill()
        _let_go(child)


def _answer(child: Child, request: Mapping[str, Any], progress: Progress) -> bytes:
    assert child.stdin is not None
    assert child.stdout is not None
    progress(0, 1)
    try:
        child.stdin.write(f"{json.dumps(request)}\n".encode())
        child.stdin.flush()
    except BrokenPipeError:
        # Why it went is told below.
        pass
    for line in child.stdout:
        if not line.startswith(ANSWER):
            continue
        told = json.loads(line.removeprefix(ANSWER))
        if "done" in told:
            progress(told["done"], told["total"])
        elif "refused" in told:
            raise UserError(told["refused"], **told["params"])
        elif "broke" in told:
            raise RuntimeError(told["broke"])
        else:
            data = child.stdout.read(told["bytes"])
            if len(data) == told["bytes"]:
                return data
    # Killed by whoever cancels: not a fault.
    progress(1, 1)
    code = child.wait()
    if -code in _FROM_OUTSIDE:
        raise UserError("export_ended", signal=-code)
    raise RuntimeError(f"the process that makes files ended early, with {code}")


def _let_go(child: Child) -> None:
    """Close what leads to a child that is killed, whoever else holds the other ends."""
    for pipe in (child.stdin, child.stdout):
        # What was never read from the other end is of no use now.
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    child.wait()

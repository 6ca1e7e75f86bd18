"""A long file is made by a process of its own, so that the window never waits for its turn.

Two threads of one Python share one interpreter: while a document of fifty scenarios is made beside
the window, every click waits for it. The child gets the plan and the choices as a line of JSON, and
answers in lines: how far it is, what it refuses, at last the length of the file and its bytes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
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
_PATIENCE_SECONDS: Final = 5.0

Child = subprocess.Popen[bytes]


def made(name: str, job: Job, progress: Progress, started: Callable[[Child], object]) -> bytes:
    """Return the bytes of a file, a single picture's from this process, all others' from a child.

    `started` is given the child: whoever kills it lets `progress` raise `Cancelled`. Raises
    `UserError`, and what `progress` raises.
    """
    if job.options.what in PICTURES:
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
    # The child finds the same modules, wherever this process has them from.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def made_by_child(
    request: Mapping[str, Any], progress: Progress, started: Callable[[Child], object]
) -> bytes:
    """Return the bytes that a child makes of a request; whatever is raised, the child is gone.

    Raises `UserError` for what it refuses and where it cannot be started, `RuntimeError` with its
    own words where it breaks, and what `progress` raises.
    """
    pipe = subprocess.PIPE
    try:
        child = subprocess.Popen(child_command(), stdin=pipe, stdout=pipe, env=_environment())
    except OSError as error:
        raise UserError("export_no_process", reason=os.strerror(error.errno or 0)) from error
    try:
        started(child)
        return _answer(child, request, progress)
    finally:
        child.kill()
        child.communicate(timeout=_PATIENCE_SECONDS)


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
        told = json.loads(line)
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
    raise RuntimeError(f"the process that makes files ended early, with {child.wait()}")

"""The process that makes one file for the window: see `apart`, which starts it and talks to it."""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from workbench.gui.export.apart import ANSWER

_GC_THRESHOLD: Final = (50_000, 20, 100)
"""The process is short-lived: searching what lives for garbage is most often in vain."""


def main() -> int:
    """Read a request, make the file, answer; return the exit code."""
    # Whatever prints must not stand between the lines of the answer.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.set_threshold(*_GC_THRESHOLD)
    line = sys.stdin.buffer.readline()
    try:
        if line:
            _tell(answer, _made(line, answer))
    except BrokenPipeError:
        # Nobody waits for the file any more; what is still buffered has nowhere to go.
        os._exit(0)
    return 0


def _tell(answer: BinaryIO, told: Mapping[str, Any] | bytes) -> None:
    about = {"bytes": len(told)} if isinstance(told, bytes) else told
    answer.write(ANSWER + f"{json.dumps(about, default=str)}\n".encode())
    if isinstance(told, bytes):
        answer.write(told)
    answer.flush()


def _made(line: bytes, answer: BinaryIO) -> Mapping[str, Any] | bytes:
    """Return the file, or why there is none."""
    from workbench.spec.errors import UserError

    def progress(done: int, total: int) -> None:
        _tell(answer, {"done": done, "total": total})

    try:
        return _make(json.loads(line), progress)
    except UserError as error:
        return {"refused": error.code, "params": error.params}
    except BrokenPipeError:
        raise
    except Exception:
        return {"broke": traceback.format_exc()}


def _make(request: Mapping[str, Any], progress: Any) -> bytes:
    from workbench.export.formats import FORMATS, Job
    from workbench.export.options import Options
    from workbench.export.raster import headless_application
    from workbench.export.subject import Subject
    from workbench.gui.export.names import spoken
    from workbench.gui.language import Language, choice_of
    from workbench.library import plans
    from workbench.spec.units import show_sizes_in

    application = headless_application()
    code = request["language"].replace("-", "_")
    speaker = Language(application, choice_of(code))
    show_sizes_in(request["units"])
    file_name = request["file_name"]
    plan = plans.loads(request["plan"].encode(), file_name).plan
    options = Options(language=spoken(code), **request["options"])
    template = request["template"]
    job = Job(
        Subject(plan, file_name),
        options,
        template=None if template is None else Path(os.fsdecode(bytes.fromhex(template))),
    )
    data = FORMATS[request["format"]].make(job, progress)
    speaker.silence()
    return data

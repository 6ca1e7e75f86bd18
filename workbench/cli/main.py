"""Entry of the `kvw` command: a verb, or the window when there is none."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

VERBS = ("accuracy", "budget", "check", "compare", "export", "presets", "schema")

MAKE_FILE = "--make-file"
"""With this alone the program is the child that makes a file for a window: `gui.export.child`."""

BAD_INPUT = 2
_DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a verb, or open the window on a plan; return the exit code.

    0 fits, 1 does not fit or the engine refuses, 2 bad input (one line, what and where).
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == [MAKE_FILE]:
        from workbench.gui.export.child import main as make_file

        return make_file()
    if given and (given[0] in VERBS or (given[0].startswith("-") and given[0] != "--")):
        return _run_verb(given)
    paths = [argument for argument in given if argument != "--"]
    if len(paths) > 1:
        print("kvw: one plan at a time: kvw [PLAN.kvw]", file=sys.stderr)
        return BAD_INPUT
    return _open_window(Path(paths[0]) if paths else None)


def _run_verb(arguments: list[str]) -> int:
    from workbench.cli.app import run

    return run(arguments)


def _open_window(path: Path | None) -> int:
    if has_display(os.environ):
        # Nothing made while starting is garbage, and looking for it would delay the first paint;
        # the window turns it on again.
        gc.disable()
        from workbench.gui.app import main as window

        return window(path)
    from workbench.cli.app import answering
    from workbench.cli.headless import answer_without_display

    return answering(lambda: answer_without_display(path))


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown; only Linux can be without."""
    if not platform.startswith("linux"):
        return True
    return any(environment.get(name) for name in _DISPLAY_VARIABLES)
